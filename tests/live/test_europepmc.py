"""Europe PMC's search: its pages, its preprints, its oddities."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from etl.errors import UsageError
from etl.sources.europepmc.record import row
from etl.sources.europepmc.search import search
from etl.sources.http import Transport
from etl.sources.live_rows import LIVE, live_table
from etl.sources.outcome import Outcome
from tests.fault_server import FaultServer, Reply, Request
from tests.live.europepmc import SEARCH, answer, preprint, record


def pages(*bodies: bytes) -> Any:
    """One body a cursor: "*", then "c1", "c2", ..."""

    def reply(request: Request) -> Reply:
        cursor = request.query["cursorMark"]
        return Reply(bodies[0 if cursor == "*" else int(cursor[1:])])

    return reply


def test_what_a_record_says(server: FaultServer, http: Transport) -> None:
    server.on(SEARCH, Reply(answer([record(11)])))
    reply = search(http, "drops", since=date(2026, 1, 2), preprints=False)
    assert reply.outcome is Outcome.FOUND and reply.value is not None
    assert reply.value.schema.equals(LIVE)
    (got,) = reply.value.to_pylist()
    assert (got["pmid"], got["evidence_id"], got["source"]) == (11, "PMID:11", "europepmc-search")
    assert got["title"] == "Drops in children 11." and got["year"] == 2026
    assert got["abstract"] == "Aim: To see whether n < 5. Results: It was."
    assert [s["label"] for s in got["abstract_sections"]] == ["Aim", "Results"]
    assert got["authors"] == ["Lee A", "The Drops Group"]
    assert got["author_details"][0]["orcid"] == "0000-0001"
    assert got["publication_types"] == ["Randomized Controlled Trial", "research-article"]
    assert got["publication_type_uis"] == [None, None]
    assert (got["journal"], got["journal_abbreviation"]) == ("Journal of Drops", "J Drops")
    assert got["mesh_terms"][0]["major"] and got["mesh_headings"] == ["Asthma"]
    assert (got["publication_date"], got["publication_date_precision"]) == ("2026-05-03", "day")
    asked = server.seen[0].query
    assert asked["query"] == "(drops) AND (FIRST_PDATE:[2026-01-02 TO 3000-01-01]) NOT (SRC:PPR)"
    assert (asked["resultType"], asked["email"]) == ("core", "me@example.org")


def test_a_preprint_has_no_pmid_and_is_not_dropped(server: FaultServer, http: Transport) -> None:
    server.on(SEARCH, Reply(answer([preprint(7)])))
    reply = search(http, "drops", preprints=True)
    assert reply.value is not None
    (got,) = reply.value.to_pylist()
    assert (got["pmid"], got["evidence_id"], got["journal"]) == (None, "PPR:PPR7", "medRxiv")
    assert got["publication_types"] == ["Preprint"]
    assert got["authors"] == ["Brown A", "Green B"]
    assert "PPR" not in server.seen[0].query["query"]


def test_the_article_of_a_preprint() -> None:
    of = {"id": "99", "source": "MED", "type": "Preprint of", "reference": "J Drops"}
    made = row(preprint(7, commentCorrectionList={"commentCorrection": [of]}))
    assert made is not None
    assert made["comments_corrections"] == [
        {"ref_type": "UpdateIn", "pmid": 99, "source": "J Drops", "note": None}
    ]


def test_pages_until_there_is_no_cursor(server: FaultServer, http: Transport) -> None:
    bodies = [
        answer([record(1), record(2)], "c1", 5),
        answer([record(3), record(4)], "c2", 5),
        answer([record(5)], None, 5),
    ]
    server.on(SEARCH, pages(*bodies))
    reply = search(http, "drops", limit=1000)
    assert reply.value is not None and reply.value.column("pmid").to_pylist() == [1, 2, 3, 4, 5]
    assert reply.requests == 3 and not reply.partial


@pytest.mark.parametrize("last", [answer([], "c1", 900), answer([record(2)], "c1", 900)])
def test_more_were_counted_than_come(server: FaultServer, http: Transport, last: bytes) -> None:
    """An empty page or the same cursor again ends it, whatever was counted."""
    server.on(SEARCH, pages(answer([record(1)], "c1", 900), last))
    reply = search(http, "drops", limit=1000)
    assert reply.value is not None and reply.requests == 2
    assert reply.partial and "900 records were counted" in reply.detail


def test_all_pages_have_one_size(server: FaultServer, http: Transport) -> None:
    """The cursor belongs to the query and its pageSize."""
    many = [
        answer([record(n) for n in range(a, a + 100)], c, 900) for a, c in ((1, "c1"), (101, "c2"))
    ]
    server.on(SEARCH, pages(*many))
    reply = search(http, "drops", limit=150)
    assert reply.value is not None and reply.value.num_rows == 150 and not reply.partial
    assert [request.query["pageSize"] for request in server.seen] == ["100", "100"]


def test_records_that_nothing_could_name_are_no_zero(server: FaultServer, http: Transport) -> None:
    server.on(SEARCH, Reply(answer([{"title": "x"}, {"title": "y"}])))
    reply = search(http, "drops")
    assert reply.outcome is Outcome.FAILED and "2 records without an id" in reply.detail


@pytest.mark.parametrize(("query", "limit"), [(" ", 5), ("drops", 0)])
def test_a_search_for_nothing(http: Transport, query: str, limit: int) -> None:
    with pytest.raises(UsageError):
        search(http, query, limit=limit)


def test_half_a_surrogate_pair_loses_no_record(server: FaultServer, http: Transport) -> None:
    """JSON allows it, no encoding holds it."""
    server.on(SEARCH, Reply(answer([record(11, title="a\ud800b"), record(12)], "c\ud800")))
    reply = search(http, "drops", limit=1000)
    assert reply.value is not None
    assert reply.value.column("title").to_pylist() == ["a?b", "Drops in children 12."]


def test_dois_are_in_lower_case() -> None:
    made = [row(record(1, doi=doi)) for doi in ("10.1/ABC", "https://doi.org/10.1/abc")]
    assert [m["doi"] for m in made if m] == ["10.1/abc", "10.1/abc"]


def test_article_types_of_jats_are_named_as_in_mesh() -> None:
    given = {"pubType": ["review-article", "Review", "case-report", "rapid-communication"]}
    made = row(record(1, pubTypeList=given))
    assert made is not None
    assert made["publication_types"] == ["Review", "Case Reports", "rapid-communication"]


@pytest.mark.parametrize(
    ("html", "abstract", "labels"),
    [
        ("No heading, n &lt; 5.", "No heading, n < 5.", None),
        ("<p>First.</p><h4>Methods:</h4>Then.", "First. Methods: Then.", [None, "Methods"]),
        ("<h4>Aim</h4><h4>Results</h4>It was.", "Results: It was.", ["Results"]),
        ("<h4>Aim</h4>", None, []),
    ],
)
def test_headings_of_abstracts(html: str, abstract: str | None, labels: list[str] | None) -> None:
    made = row(record(1, abstractText=html))
    assert made is not None and made["abstract"] == abstract
    assert [s["label"] for s in made.get("abstract_sections", [])] == (labels or [])


def test_a_page_that_fails_leaves_a_partial_answer(server: FaultServer, http: Transport) -> None:
    def reply(request: Request) -> Reply:
        first = request.query["cursorMark"] == "*"
        return Reply(answer([record(1)], "c1", 2)) if first else Reply(status=500)

    server.on(SEARCH, reply)
    found = search(http, "drops", limit=1000)
    assert found.value is not None and found.partial and "stopped after 1 record" in found.detail


def test_none_is_said_when_none_was_counted(server: FaultServer, http: Transport) -> None:
    server.on(SEARCH, Reply(answer([])))
    assert search(http, "drops").outcome is Outcome.NONE


def test_a_long_query_is_posted(server: FaultServer, http: Transport) -> None:
    server.on("/europepmc/searchPOST", Reply(answer([record(1)])))
    assert search(http, " OR ".join(f"EXT_ID:{n}" for n in range(400))).outcome is Outcome.FOUND
    assert server.seen[0].method == "POST"


def test_a_record_without_an_id_is_told(server: FaultServer, http: Transport) -> None:
    server.on(SEARCH, Reply(answer([record(1), {"title": "x"}])))
    reply = search(http, "drops")
    assert reply.partial and "1 records without an id" in reply.detail


@pytest.mark.parametrize(
    "odd",
    [
        {"authorList": None, "authorString": None}, {"pubYear": "in press"}, {"pmid": "x"},
        {"journalInfo": []}, {"pubTypeList": {"pubType": "one"}}, {"abstractText": 5},
        {"meshHeadingList": {"meshHeading": [None, 3]}}, {"title": "<i></i>"},
        {"firstPublicationDate": "2026"}, {"commentCorrectionList": {"commentCorrection": [1]}},
    ],
)  # fmt: skip
def test_odd_fields_lose_no_record(odd: dict[str, Any]) -> None:
    made = row(record(11, **odd))
    assert made is not None and live_table("x", [made]).num_rows == 1
    assert made["evidence_id"] == "PMID:11"


def test_recorded_answers(shared_data: Path) -> None:
    rows = 0
    for path in sorted((shared_data / "api" / "europepmc").glob("*.json")):
        results = (json.loads(path.read_text()).get("resultList") or {}).get("result", [])
        made = [row(one) for one in results if "title" in one]
        assert None not in made, path.name
        rows += live_table("x", [m for m in made if m]).num_rows
    assert rows > 30
