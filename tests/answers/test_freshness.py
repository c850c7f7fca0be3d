"""Up to which day the warehouse knows its sources."""

from dataclasses import replace
from datetime import date

from etl.store.snapshot import EMPTY
from tests.run import evidence
from warehouse.freshness import freshness

TODAY = date(2026, 12, 1)


def test_age_of_each_source() -> None:
    marks = {"pubmed_date": "2026-11-24", "aact_date": "2026-11-23"}
    sources = {"pubmed": {"files": {"a": {}}}, "aact": {"name": "x"}, "mesh": {"year": 2025}}
    pubmed, aact, mesh = freshness(replace(EMPTY, sources=sources, watermarks=marks), TODAY)
    assert (pubmed.until, pubmed.days, pubmed.old) == ("2026-11-24", 7, False)
    assert (aact.until, aact.days, aact.old) == ("2026-11-23", 8, True)
    assert (mesh.until, mesh.days, mesh.old) == ("2025", None, True)
    assert pubmed.said() == "up to 2026-11-24, 7 days ago"


def test_never_loaded_and_not_known_are_two_things() -> None:
    sources = {"aact": {"name": "x"}, "mesh": {"year": None}}
    pubmed, aact, mesh = freshness(replace(EMPTY, sources=sources), TODAY)
    assert [one.loaded for one in (pubmed, aact, mesh)] == [False, True, True]
    assert [one.old for one in (pubmed, aact, mesh)] == [False, False, False]
    assert pubmed.said() == "never loaded" and "not known" in aact.said()


def test_an_old_warehouse_is_called_old(sample_home: object) -> None:
    told = evidence("status", "--home", str(sample_home), "--json").json["freshness"]
    dates = {one["source"]: one for one in told}
    assert dates["PubMed"]["until"] and dates["PubMed"]["old"] == (dates["PubMed"]["days"] > 7)
    found = evidence("doctor", "--home", str(sample_home), "--json")
    states = {one["check"]: one for one in found.json}
    assert states["PubMed"]["state"] == ("hint" if dates["PubMed"]["old"] else "ok")
    assert dates["PubMed"]["until"] in states["PubMed"]["found"]
