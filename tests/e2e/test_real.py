"""All real records beside the checkout, loaded in one refresh by the command."""

import gzip
import re
from pathlib import Path

from etl.store.home import open_home
from etl.store.snapshot import current
from etl.store.views import connect
from tests.run import evidence

# PMID directly under the record or DeleteCitation, by text alone: an oracle that shares no code
# with the parser.
RECORD = re.compile(
    rb"<(?:MedlineCitation|BookDocument)\b[^>]*>\s*(?:<MedlineID>\d+</MedlineID>\s*)?"
    rb"<PMID[^>]*>(\d+)</PMID>"
    rb"|<DeleteCitation>(.*?)</DeleteCitation>",
    re.S,
)


def replay(folder: Path) -> set[int]:
    """PMIDs that remain when the files are replayed in the order of the refresh."""
    alive: set[int] = set()
    files = [*sorted((folder / "originals").glob("*.xml.gz")), *sorted(folder.glob("*.xml.gz"))]
    for path in files:
        for record, dropped in RECORD.findall(gzip.decompress(path.read_bytes())):
            if record:
                alive.add(int(record))
            else:
                alive -= {int(p) for p in re.findall(rb"<PMID[^>]*>(\d+)</PMID>", dropped)}
    return alive


def test_every_pmid_comes_out_once(real_home: Path, shared_data: Path) -> None:
    home = open_home(real_home)
    with connect(home, current(home)) as con:
        pmids = [p for (p,) in con.execute("select pmid from citations").fetchall()]
        graded = [p for (p,) in con.execute("select pmid from graded").fetchall()]
        signals = [p for (p,) in con.execute("select pmid from citation_signals").fetchall()]
    assert len(pmids) == len(set(pmids))
    assert set(pmids) == replay(shared_data / "pubmed")
    assert sorted(graded) == sorted(signals) == sorted(pmids)


def test_the_deletes_are_applied(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "pubmed"
    text = gzip.decompress((folder / "deletes0001.xml.gz").read_bytes())
    deleted = {int(p) for p in re.findall(rb"<PMID[^>]*>(\d+)</PMID>", text)}
    assert len(deleted) == 31
    originals = sorted((folder / "originals").glob("*.xml.gz"))
    args = [a for f in [*originals, folder / "deletes0001.xml.gz"] for a in ("--pubmed", f)]
    assert evidence("refresh", "--home", tmp_path, *args).code == 0
    rows = evidence("sql", "--home", tmp_path, "select pmid from citations", "--json").json
    assert not deleted & {row["pmid"] for row in rows}


def test_trials_of_the_papers_are_there_and_linked(real_home: Path) -> None:
    enrolled = {
        "NCT00000419": 350, "NCT00351390": 300, "NCT00352534": 808, "NCT00585195": 600,
        "NCT00843570": 159, "NCT01245062": 322, "NCT01806480": 493, "NCT02024373": 200,
        "NCT02060188": 340,
    }  # fmt: skip
    query = "select nct_id, enrollment from trials"
    trials = evidence("sql", "--home", real_home, query, "--json").json
    assert enrolled.items() <= {t["nct_id"]: t["enrollment"] for t in trials}.items()
    query = "select pmid, nct_id, source from citation_trials"
    links = evidence("sql", "--home", real_home, query, "--json").json
    found = {(link["pmid"], link["nct_id"], link["source"]) for link in links}
    assert {
        (15968009, "NCT00000419", "registry_result"),
        (21933749, "NCT00585195", "databank"),
        (22663011, "NCT01245062", "abstract"),
        (26255087, "NCT00843570", "databank"),
    } <= found
