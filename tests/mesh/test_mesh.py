"""NLM's descriptor file, both generations of its DTD."""

import gzip
from pathlib import Path

import pytest

from etl.errors import SourceError
from etl.sources.mesh.load import load
from etl.store.schema import TABLES, conform

RECORD = """<DescriptorRecord DescriptorClass="{kind}"><DescriptorUI>{ui}</DescriptorUI>
<DescriptorName><String>{name}</String></DescriptorName>
<TreeNumberList><TreeNumber>E05.1</TreeNumber><TreeNumber>N06.2</TreeNumber></TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><ConceptUI>M1</ConceptUI>
<ScopeNote>What it
 is.</ScopeNote><TermList><Term><String>{name}</String></Term><Term><String>Other name</String>
</Term></TermList></Concept><Concept PreferredConceptYN="N"><ConceptUI>M2</ConceptUI>
<TermList><Term><String>Narrower name</String></Term></TermList></Concept></ConceptList>
</DescriptorRecord>"""


def write(path: Path, *records: str, root: str = "DescriptorRecordSet") -> Path:
    text = f'<?xml version="1.0"?><{root} LanguageCode="eng">{"".join(records)}</{root}>'
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_names_entry_terms_scope_note_and_places(tmp_path: Path) -> None:
    path = write(
        tmp_path / "desc2026.xml.gz",
        RECORD.format(kind=1, ui="D900001", name="Invented Studies"),
        RECORD.format(kind=2, ui="D900002", name="Invented Trial"),
    )
    loaded = load(path)
    assert loaded.year == 2026
    first = loaded.descriptors.to_pylist()[0]
    assert first == {
        "ui": "D900001",
        "name": "Invented Studies",
        "entry_terms": ["Other name", "Narrower name"],
        "scope_note": "What it is.",
        "descriptor_class": "1",
        "year": 2026,
    }
    assert loaded.tree.num_rows == 4
    conform(TABLES["mesh_descriptors"], loaded.descriptors)
    conform(TABLES["mesh_tree"], loaded.tree)


@pytest.mark.parametrize(
    "data", [b"", b"<html><body>no</body></html>", b"<DescriptorRecordSet>", b"PK\x03\x04zip"]
)
def test_what_is_no_descriptor_file_is_refused_by_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "desc2026.xml"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"desc2026\.xml"):
        load(path)


def test_all_real_descriptors_load(shared_data: Path) -> None:
    loaded = load(shared_data / "mesh" / "desc_sample.xml.gz")
    assert loaded.descriptors.num_rows == 30_764
    terms = loaded.descriptors["entry_terms"].to_pylist()
    assert sum(map(len, terms)) > 200_000
    by_ui = dict(zip(*(loaded.descriptors[c].to_pylist() for c in ("ui", "name")), strict=True))
    assert by_ui["D015331"] == "Cohort Studies"


@pytest.mark.parametrize(
    "name", ["desc_excerpt_2015_meshrdf.xml.gz", "desc_excerpt_2026_drugref.xml.gz"]
)
def test_both_generations_of_the_dtd_load(shared_data: Path, name: str) -> None:
    loaded = load(shared_data / "mesh" / name)
    assert loaded.descriptors.num_rows > 0
    assert loaded.tree.num_rows > 0
    assert any(loaded.descriptors["scope_note"].to_pylist())
