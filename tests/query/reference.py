"""The slow way to answer a plan: rows folded in Python, evaluated in SQL. No index takes part.

It shares with the index only the tokenizer and ``fold``; what a citation holds, what a code
means and how operands are joined are written here a second time.
"""

import datetime
import re
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import pyarrow as pa

from etl.store.index_text import fold, words
from warehouse.query.plan import (
    WILD,
    Both,
    Codes,
    Dates,
    Either,
    Except,
    Near,
    Nothing,
    Pattern,
    Plan,
    Pmids,
    Words,
)

FIELDS = ("title", "abstract", "more", "terms", "names", "keywords", "vernacular", "collective")
DATES = ("dp", "edat", "mhda", "dcom", "lr", "year")


def load(
    con: duckdb.DuckDBPyConnection, citations: pa.Table, graded: dict[int, dict[str, Any]]
) -> None:
    """Make the tables ``texts``, ``places``, ``days``, ``codes`` and ``everyone``."""
    rows = [_fold(row, graded.get(row["pmid"], {})) for row in citations.to_pylist()]
    texts = [(r["pmid"], f, t) for r in rows for f in FIELDS for t in r[f]]
    _table(con, "texts", ("pmid", "field", "said"), texts)
    places = [
        (pmid, field, at, word)
        for pmid, field, said in texts
        if field in ("title", "abstract")
        for at, word in enumerate(said.split())
    ]
    _table(con, "places", ("pmid", "field", "at", "word"), places)
    _table(
        con,
        "days",
        ("pmid", "field", "day"),
        [(r["pmid"], f, d) for r in rows for f in DATES for d in r[f]],
    )
    _table(con, "codes", ("pmid", "code"), [(r["pmid"], c) for r in rows for c in r["code"]])
    _table(con, "everyone", ("pmid",), [(r["pmid"],) for r in rows])


def _table(
    con: duckdb.DuckDBPyConnection, name: str, columns: tuple[str, ...], rows: list[Any]
) -> None:
    arrays = list(zip(*rows, strict=True)) or [() for _ in columns]
    con.register("given", pa.table(dict(zip(columns, map(list, arrays), strict=True))))
    con.execute(f"create or replace table {name} as select * from given")
    con.unregister("given")


def pmids(con: duckdb.DuckDBPyConnection, plan: Plan) -> list[int]:
    """PMIDs that match ``plan``, ascending."""
    return sorted(_found(con, plan))


def _found(con: duckdb.DuckDBPyConnection, plan: Plan) -> set[int]:
    if isinstance(plan, Both):
        return set.intersection(*(_found(con, part) for part in plan.parts))
    if isinstance(plan, Either):
        return set().union(*(_found(con, part) for part in plan.parts))
    if isinstance(plan, Except):
        base = (
            _ask(con, "select pmid from everyone") if plan.base is None else _found(con, plan.base)
        )
        return base - _found(con, plan.less)
    return _leaf(con, plan)


def _ask(con: duckdb.DuckDBPyConnection, question: str, *values: Any) -> set[int]:
    return {pmid for (pmid,) in con.execute(question, list(values)).fetchall()}


def _leaf(con: duckdb.DuckDBPyConnection, plan: Plan) -> set[int]:
    if isinstance(plan, Words):
        parts = [re.escape(word).replace(WILD, "[^ ]*") for word in plan.words]
        question = "select pmid from texts where field in (select unnest(?)) and "
        if WILD in "".join(plan.words):
            return _ask(
                con, question + "regexp_matches(said, ?)", plan.fields, f" {' '.join(parts)} "
            )
        return _ask(con, question + "contains(said, ?)", plan.fields, f" {' '.join(plan.words)} ")
    if isinstance(plan, Near):
        return _ask(con, _near(plan), plan.fields, *plan.words)
    if isinstance(plan, Codes):
        return _ask(con, "select pmid from codes where code in (select unnest(?))", plan.codes)
    if isinstance(plan, Pattern):
        rest = {"anything": ".*", "words": "( .*)?", "letters": "[^ ]*"}[plan.rest]
        regex = re.escape(plan.start).replace(r"\ ", " ") + rest
        return _ask(con, "select pmid from codes where regexp_full_match(code, ?)", regex)
    if isinstance(plan, Dates):
        question = "select pmid from days where field = ? and day between ? and ?"
        return _ask(con, question, plan.field, plan.low, plan.high)
    if isinstance(plan, Pmids):
        return _ask(
            con, "select pmid from everyone where pmid between ? and ?", plan.low, plan.high
        )
    assert isinstance(plan, Nothing)
    return set()


def _near(plan: Near) -> str:
    """Every word at a place of its own in one field, all within a window."""
    count = len(plan.words)
    places = [f"p{n}.at" for n in range(count)]
    apart = [f"{a} <> {b}" for n, a in enumerate(places) for b in places[n + 1 :]]
    listed = ", ".join(places)
    span = f"greatest({listed}) - least({listed}) + 1 <= {count + plan.distance}"
    tables = "places p0" + "".join(
        f" join places p{n} using (pmid, field)" for n in range(1, count)
    )
    named = [f"p{n}.word = ?" for n in range(count)]
    chosen = "field in (select unnest(?))"
    return (
        f"select distinct pmid from {tables} where {' and '.join([chosen, *named, *apart, span])}"
    )


def _texts(values: Iterable[str | None]) -> list[str]:
    return [" " + " ".join(words(value)) + " " for value in values if value]


def _day(text: str | None) -> list[int]:
    if not text:
        return []
    parts = [*text.split("-"), "01", "01"]
    return [int("".join(parts[:3]))]


def _date(value: datetime.date | None) -> list[int]:
    return [int(value.strftime("%Y%m%d"))] if value else []


def _fold(row: dict[str, Any], grade: dict[str, Any]) -> dict[str, Any]:
    headings = [h for h in row["mesh_terms"] if h["name"] is not None]
    qualifiers = [q["name"] for h in headings for q in h["qualifiers"] or []]
    chemicals, concepts = row["chemicals"], row["supplementary_concepts"]
    return {
        "pmid": row["pmid"],
        "title": _texts([row["title"], row["book_title"]]),
        "abstract": _texts([row["abstract"]]),
        "more": _texts([*(o["text"] for o in row["other_abstracts"]), *row["keywords"]]),
        "terms": _texts(
            [
                *(h["name"] for h in headings),
                *qualifiers,
                *row["publication_types"],
                *(c["name"] for c in [*concepts, *chemicals]),
                *row["gene_symbols"],
            ]
        ),
        "names": _texts(
            [*row["authors"], *row["investigators"], row["journal"], row["journal_abbreviation"]]
        ),
        "keywords": _texts(row["keywords"]),
        "vernacular": _texts([row["vernacular_title"]]),
        "collective": _texts(a["collective_name"] for a in row["author_details"]),
        "dp": _day(row["publication_date"]) + _day(row["electronic_date"]),
        "edat": _date(row["entrez_date"] or row["pubmed_date"]),
        "mhda": _date(row["medline_date"]),
        "dcom": _date(row["completed_date"]),
        "lr": _date(row["revised_date"]),
        "year": [row["year"]] if row["year"] is not None else [],
        "code": sorted({*_heading_codes(headings), *_other_codes(row, grade)}),
    }


def _heading_codes(headings: list[dict[str, Any]]) -> Iterator[str]:
    for one in headings:
        name, ui = fold(one["name"]), one["ui"]
        qualifiers = one["qualifiers"] or []
        starred = bool(one["major"]) or any(q["major"] for q in qualifiers)
        keys = [f"n:{name}", f":{ui}" if ui else f"?:{name}"]
        for key in keys:
            yield f"m{key}"
            if starred:
                yield f"M{key}"
            for q in qualifiers:
                yield f"m{key}/{fold(q['name'])}"
                if one["major"] or q["major"]:
                    yield f"M{key}/{fold(q['name'])}"
        for q in qualifiers:
            yield f"sh:{fold(q['name'])}"


def _other_codes(row: dict[str, Any], grade: dict[str, Any]) -> Iterator[str]:
    types = list(zip(row["publication_types"], row["publication_type_uis"], strict=True))
    for name, ui in types:
        yield f"ptn:{fold(name)}"
        yield f"pt:{ui}" if ui else f"pt?:{fold(name)}"
    for one in [*row["supplementary_concepts"], *row["chemicals"]]:
        if one["name"] is not None:
            yield f"nm:{fold(one['name'])}"
        if one["ui"] is not None:
            yield f"nu:{one['ui']}"
    for one in row["chemicals"]:
        if one["registry_number"] not in (None, "0"):
            yield f"rn:{one['registry_number'].lower()}"
    yield from _people(row)
    yield from _journal(row)
    for name in ("volume", "vi"), ("issue", "ip"), ("journal_nlm_id", "jid"):
        if row[name[0]] is not None:
            yield f"{name[1]}:{row[name[0]].lower()}"
    if row["pages"]:
        yield f"pg:{row['pages'].lower()}"
        first = re.match(r"[^-,;\s]+", row["pages"])
        if first:
            yield f"pg:{first.group().lower()}"
    if row["country"] is not None:
        yield f"pl:{fold(row['country'])}"
    for code in row["languages"]:
        yield f"la:{code.lower()}"
    for name in ("doi", "pmcid", "pii"):
        if row[name] is not None:
            yield f"aid:{row[name].lower()}"
    for bank in row["data_banks"]:
        if bank["name"] is not None:
            yield f"si:{fold(bank['name'])}"
        for number in bank["accession_numbers"] or []:
            yield f"si:{number.lower()}"
    for number in grade.get("nct_ids", []):
        yield f"si:{number.lower()}"
    for grant in row["grants"]:
        for name in ("id", "acronym", "agency", "country"):
            if grant[name] is not None:
                yield f"gr:{fold(grant[name])}"
    for symbol in row["gene_symbols"]:
        yield f"gs:{fold(symbol)}"
    yield from _flags(row, grade, {fold(name) for name, _ in types})


def _people(row: dict[str, Any]) -> Iterator[str]:
    authors = [fold(name) for name in row["authors"]]
    for name in authors:
        yield f"au:{name}"
    for name in authors[:1]:
        yield f"1au:{name}"
    for name in authors[-1:]:
        yield f"lastau:{name}"
    for person in row["author_details"]:
        valid = person["valid"] is None or person["valid"]
        if person["last_name"] is not None and person["fore_name"] is not None and valid:
            yield f"fau:{fold(person['last_name'] + ' ' + person['fore_name'])}"
        if person["orcid"] is not None:
            yield f"auid:{person['orcid'].lower()}"
    for name in row["investigators"]:
        yield f"ir:{fold(name)}"


def _journal(row: dict[str, Any]) -> Iterator[str]:
    title = row["journal"]
    if title is not None:
        yield f"ta:{fold(title)}"
        yield f"ta:{fold(re.sub(r'[ ]*[(][^)]*[)]$|[ ]*[:=].*$', '', title, count=1))}"
        yield f"ta:{fold(re.sub(r'^the[ ]+', '', title, flags=re.IGNORECASE))}"
    if row["journal_abbreviation"] is not None:
        yield f"ta:{fold(row['journal_abbreviation'])}"
    for name in ("issn_linking", "issn_print", "issn_electronic"):
        if row[name] is not None:
            yield f"is:{row[name].lower()}"


def _flags(row: dict[str, Any], grade: dict[str, Any], types: set[str]) -> Iterator[str]:
    yield f"g:{grade.get('grade', 'ungraded')}"
    if grade.get("design") is not None:
        yield f"d:{grade['design']}"
    if row["status"] is not None:
        yield f"st:{row['status'].lower()}"
    if row["status"] == "MEDLINE":
        yield f"im:{(row['indexing_method'] or 'curated').lower()}"
    for subset in row["citation_subsets"]:
        yield f"cs:{subset.lower()}"
    if row["publication_status"] is not None:
        yield f"ps:{row['publication_status'].lower()}"
    for name, holds in (
        ("abstract", row["abstract"] is not None),
        ("pmc", row["pmcid"] is not None),
        ("book", row["record_type"] == "book"),
        ("preprint", grade.get("is_preprint", "preprint" in types)),
        ("retracted", grade.get("is_retracted", "retracted publication" in types)),
    ):
        if holds:
            yield f"f:{name}"
