"""Makes the bundled sample: invented citations and trials in the real delivery shapes.

Run ``python sample/make_sample.py``; ``--out DIR`` writes elsewhere. The content lies in
``content/``; nothing here is drawn from a real record. Two runs write the same bytes.
"""

import argparse
import csv
import gzip
import hashlib
import io
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import aact_flat
import citations
import pubmed_xml

NAMES = {1: "pubmed26n0001.xml.gz", 2: "pubmed26n0002.xml.gz", 3: "pubmed26n0003.xml.gz"}
AACT_NAME = "20260101_export_ctgov.zip"
ZIP_DATE = (2026, 1, 1, 4, 12, 6)  # a zip keeps even seconds only


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the bundled sample.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder to fill")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, content in build().items():
        (out / name).write_bytes(content)
        print(f"{len(content):>8}  {name}")


def build() -> dict[str, bytes]:
    """File name to bytes of everything that is delivered."""
    vocabulary = citations.load("vocabulary.toml")
    made = _pubmed(vocabulary)
    made[AACT_NAME] = _aact()
    made["expected.csv"] = _expected(vocabulary)
    return made


def _pubmed(vocabulary: Mapping[str, dict[str, object]]) -> dict[str, bytes]:
    deleted = citations.deleted_by_file()
    made: dict[str, bytes] = {}
    for number, listed in citations.by_file(vocabulary).items():
        articles = [pubmed_xml.article(citation, vocabulary) for citation in listed]
        name = NAMES[number]
        xml = pubmed_xml.article_set(articles, deleted.get(number, []))
        made[name] = gzip.compress(xml, compresslevel=9, mtime=0)
        made[f"{name}.md5"] = _md5_line(name, made[name])
    return made


def _md5_line(name: str, content: bytes) -> bytes:
    """NLM's own spelling of the checksum beside a file."""
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return f"MD5({name})= {digest}\n".encode()


def _aact() -> bytes:
    tables = aact_flat.columns((citations.CONTENT / "aact_columns.txt").read_text("utf-8"))
    trials = tomllib.loads((citations.CONTENT / "trials.toml").read_text("utf-8"))["trial"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in aact_flat.members(trials, tables).items():
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever the machine, so that the bytes agree
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, compresslevel=9)
    return out.getvalue()


def _expected(vocabulary: Mapping[str, dict[str, object]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, citations.EXPECTED, lineterminator="\n")
    writer.writeheader()
    writer.writerows(citations.expected(vocabulary))
    return out.getvalue().encode()


if __name__ == "__main__":
    main()
