"""Lists that ship with the SQL, as small Arrow tables and as bound parameters."""

import csv
import io

import pyarrow as pa

import sql

TEXT = pa.string()


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV below ``sql/``; empty cells are empty strings."""
    return list(csv.DictReader(io.StringIO(sql.data(name))))


def publication_type_map() -> pa.Table:
    """``ui`` (null when the type is matched by name only), ``name``, ``flag``, ``place``.

    ``place`` is the line in the file: where a record has several excluded types, the first
    named there is the one reported (Letter is last, so that a research letter is a letter only
    when nothing else excludes it).
    """
    types = rows("grade/types.csv")
    return pa.table(
        {
            "ui": pa.array([row["ui"] or None for row in types], TEXT),
            "name": pa.array([row["name"] for row in types], TEXT),
            "flag": pa.array([row["flag"] for row in types], TEXT),
            "place": pa.array(range(len(types)), pa.int32()),
        }
    )


def rare_headings() -> pa.Table:
    """``ui``, ``name`` of headings that count as a rare disease."""
    listed = rows("facts/rare_headings.csv")
    return pa.table({key: pa.array([row[key] for row in listed], TEXT) for key in ("ui", "name")})


def preprint_servers() -> dict[str, list[str]]:
    """Parameters ``preprint_ids`` (NLM ids) and ``preprint_names`` (lower case)."""
    servers = rows("facts/preprint_servers.csv")
    return {
        "preprint_ids": sorted({row["nlm_id"] for row in servers if row["nlm_id"]}),
        "preprint_names": sorted({row["name"].lower() for row in servers}),
    }


def guideline_types() -> dict[str, list[str]]:
    """Parameters ``guideline_uis`` and ``guideline_names`` (lower case) of rules A1 and A2."""
    types = [r for r in rows("grade/types.csv") if r["flag"] in ("guideline", "consensus")]
    return {
        "guideline_uis": [row["ui"] for row in types if row["ui"]],
        "guideline_names": [row["name"].lower() for row in types],
    }
