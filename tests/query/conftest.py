"""Real citations and the whole of MeSH, indexed once a session."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from etl.store.index import VOCABULARY, open_index, update
from etl.store.index_search import SearchIndex
from tests.query import reference
from tests.query.rows import connection, grade, table
from warehouse.query.compile import compile_plan
from warehouse.query.expand import expand
from warehouse.query.plan import Plan
from warehouse.query.vocabulary import Vocabulary


@dataclass(frozen=True)
class Place:
    """What the index needs of a home, and of a snapshot."""

    index: Path
    snapshots: Path
    id: int = 1
    tables: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Corpus:
    """The same citations indexed and as rows for the slow reference."""

    index: SearchIndex
    rows: duckdb.DuckDBPyConnection
    vocabulary: Vocabulary

    def plan(self, query: str) -> Plan:
        """The plan of ``query``."""
        return expand(query, self.vocabulary, self.index.frequency)[0]

    def found(self, plan: Plan) -> list[int]:
        """PMIDs that the index finds."""
        query = compile_plan(plan, self.index.schema)
        return sorted(hit.pmid for hit in self.index.best(query, 10_000))

    def expected(self, plan: Plan) -> list[int]:
        """PMIDs that the reference finds."""
        return reference.pmids(self.rows, plan)


def build(folder: Path, citations: pa.Table, **mesh: Any) -> Corpus:
    """Index ``citations`` in ``folder`` with invented grades."""
    letters = ("A", "B", "C", "D", "ungraded", "excluded")
    pmids = citations.column("pmid").to_pylist()
    graded = [grade(pmid, letters[pmid % 6], "rct") for pmid in pmids if pmid % 7]
    con = connection(citations=citations, graded=table("graded", graded), **mesh)
    place = Place(folder / "index", folder / "snapshots")
    place.snapshots.mkdir(parents=True)
    update(place, con, 1, None, None)
    opened = open_index(place, place, con)
    assert opened.notices == []
    reference.load(con, citations, {row["pmid"]: dict(row) for row in graded})
    return Corpus(opened, con, Vocabulary(opened.folder / VOCABULARY))


@pytest.fixture(scope="session")
def corpus(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """All real citations of the collection with MeSH."""
    from etl.sources.mesh.load import load
    from etl.sources.pubmed.parse import to_table

    held: dict[int, dict[str, Any]] = {}
    for number, path in enumerate(sorted((shared_data / "pubmed").glob("*.xml.gz"))):
        for row in to_table(path, number)[0].to_pylist():
            held[row["pmid"]] = row
    mesh = load(shared_data / "mesh" / "desc_sample.xml.gz")
    citations = table("citations", held.values())
    made = build(
        tmp_path_factory.mktemp("corpus"),
        citations,
        mesh_descriptors=mesh.descriptors,
        mesh_tree=mesh.tree,
    )
    yield made
    made.rows.close()
