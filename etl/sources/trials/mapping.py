"""Which table and columns of schema ``ctgov`` feed each declared table.

A declared column is fed by the delivered column of the same name unless ``_RENAMED`` says
otherwise. ``trials`` is fed by three tables, see ``sql/trials/trials.sql``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from etl.store.schema import TABLES, Column
from etl.store.schema.trial_columns import NCT_ID
from etl.store.schema.trial_study import CALCULATED_COLUMNS, DESIGN_COLUMNS, STUDY_COLUMNS

_RENAMED: Mapping[str, Mapping[str, str]] = {
    "trial_interventions": {"intervention_id": "id"},
    "trial_design_groups": {"design_group_id": "id"},
    "trial_result_groups": {"result_group_id": "id"},
    "trial_outcomes": {"outcome_id": "id"},
    "trial_outcome_analyses": {"outcome_analysis_id": "id", "param_value_raw": "param_value"},
    "trial_references": {"reference_id": "id", "pmid_text": "pmid"},
    "trial_retractions": {"pmid_text": "pmid"},
}
# known, and no answer to anything: AACT's own clock and what lower() gives as well
NOT_STORED = frozenset(
    {
        "id",
        "created_at",
        "updated_at",
        "downcase_mesh_term",
        "nlm_download_date",
        "nlm_download_date_description",
    }
)
_FED_BY = {"trial_references": "study_references"}

# AACT's row number tells the newest of a study's rows when it was loaded more than once
_ROW = Column("loaded_row", pa.int64(), "AACT's row number")


@dataclass(frozen=True)
class Feed:
    """One delivered table: ``columns`` are ours, ``source`` gives the delivered name of each."""

    table: str
    columns: tuple[Column, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)

    def source(self, column: str) -> str:
        """The delivered column that feeds ``column``."""
        return self.renamed.get(column, column)

    @property
    def wanted(self) -> list[str]:
        """The delivered columns to read, each once."""
        return list(dict.fromkeys(self.source(c.name) for c in self.columns))


STUDIES = Feed(
    "studies",
    (NCT_ID, *STUDY_COLUMNS, Column("updated_at", pa.string(), "When AACT wrote the row")),
)
DESIGNS = Feed("designs", (NCT_ID, *DESIGN_COLUMNS, _ROW), {"loaded_row": "id"})
CALCULATED = Feed("calculated_values", (NCT_ID, *CALCULATED_COLUMNS, _ROW), {"loaded_row": "id"})


def feed(name: str) -> Feed:
    """The delivered table of the declared table ``name`` (any but ``trials``)."""
    renamed = {**_RENAMED.get(name, {}), _ROW.name: "id"}
    table = _FED_BY.get(name, name.removeprefix("trial_"))
    return Feed(table, (*TABLES[name].columns, _ROW), renamed)


FEEDS: Mapping[str, Feed] = {n: feed(n) for n in TABLES if n.startswith("trial_")}
