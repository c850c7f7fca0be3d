"""Journal metrics from the corpus's own reference lists."""

import pytest

from etl.jobs.metrics import journal_metrics
from tests.grade.build import citation, conformed, warehouse


def test_cites_per_document_and_interests() -> None:
    con = warehouse(
        [
            citation(1, journal_nlm_id="J1", year=2020),
            citation(2, journal_nlm_id="J1", year=2021, coi_statement="None."),
            citation(3, journal_nlm_id="J1", year=2022, cited_pmids=[1, 2]),
            citation(4, journal_nlm_id="J2", year=2022, cited_pmids=[1, 3, 99]),
            citation(5, journal_nlm_id="J2", year=2019, cited_pmids=[1]),
            citation(6, journal_nlm_id=None, year=2022, cited_pmids=[1]),
            citation(7, journal_nlm_id="J2", year=None, cited_pmids=[1]),
        ]
    )
    rows = conformed("journal_metrics", journal_metrics(con)).to_pylist()
    found = {(r["journal_nlm_id"], r["year"]): r for r in rows}
    assert len(found) == len(rows) == 5
    assert found["J1", 2022]["cites_per_document"] == pytest.approx(1.5)
    assert found["J1", 2021]["cites_per_document"] == 0
    assert found["J1", 2020]["cites_per_document"] is None
    assert found["J2", 2022]["cites_per_document"] is None
    assert (found["J1", 2021]["documents"], found["J1", 2021]["coi_share"]) == (1, 1.0)
