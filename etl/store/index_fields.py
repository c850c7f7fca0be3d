"""The fields of the search index, declared once.

Words (with positions): ``title``, ``abstract``, ``more`` (other abstracts and keywords),
``terms`` (names of headings, qualifiers, publication types, substances, genes), ``names``
(authors, investigators, journal), ``keywords``, ``vernacular``, ``collective``.
Words without positions, made of the others with the title twice: ``whole`` (all but the last
three; a word of any field is one list of citations here) and ``gist`` (English stems of title,
abstract, more and terms; ranks plain questions).
Whole terms: ``code``, each with its kind before a colon (``m:D001249``, ``la:eng``, ``g:A``);
``sql/index/documents.sql`` lists them. Integers: ``pmid``, ``year``, ``rank`` (0 A, 1 B, 2 C, 3 D,
4 ungraded, 5 excluded) and dates as YYYYMMDD: ``dp`` (print and electronic), ``edat``, ``mhda``,
``dcom``, ``lr``. ``card`` is stored only: what a result shows, as JSON.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from etl.store.index_text import STEMS, WORDS, analyzer

if TYPE_CHECKING:
    from tantivy import Index, Schema

FORMAT = 2  # raised with every change of fields, codes or folding; an index of another is rebuilt

GRADES = ("A", "B", "C", "D", "ungraded", "excluded")  # position is the value of ``rank``
TEXT_FIELDS = (
    "title", "abstract", "more", "terms", "names", "keywords", "vernacular", "collective",
)  # fmt: skip
_BLOCK = 4096  # bytes of cards that are packed together
WHOLE, GIST = "whole", "gist"
WHOLE_FIELDS = ("title", "abstract", "more", "terms", "names")  # what ``whole`` is made of
DATE_FIELDS = ("dp", "edat", "mhda", "dcom", "lr")


def schema() -> "Schema":
    """The tantivy schema of one search index."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("pmid", indexed=True, fast=True)
    for name in TEXT_FIELDS:
        builder.add_text_field(name, tokenizer_name=WORDS)
    builder.add_text_field(WHOLE, tokenizer_name=WORDS, index_option="freq")
    builder.add_text_field(GIST, tokenizer_name=STEMS, index_option="freq")
    builder.add_text_field("code", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("rank", fast=True)
    builder.add_unsigned_field("year", fast=True)
    for name in DATE_FIELDS:
        builder.add_unsigned_field(name, fast=True)
    builder.add_bytes_field("card", stored=True)
    return builder.build()


def _small_blocks(settings: Path) -> None:
    """Let cards be packed a few at a time: a result unpacks the whole block its card lies in.

    Half the time a card for 8 % more bytes of them. tantivy reads the size from its meta.json;
    its Python interface has no other way to set it.
    """
    said = json.loads(settings.read_text(encoding="utf-8"))
    said["index_settings"]["docstore_blocksize"] = _BLOCK
    settings.write_text(json.dumps(said), encoding="utf-8")


def open_folder(path: str) -> "Index":
    """The index in folder ``path``, made when there is none, its tokenizers registered."""
    from tantivy import Index

    if not (settings := Path(path) / "meta.json").exists():
        Index(schema(), path=path)
        _small_blocks(settings)
    index = Index(schema(), path=path)
    for name in (WORDS, STEMS):
        index.register_tokenizer(name, analyzer(name))
    return index
