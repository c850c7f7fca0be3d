"""``docs/data-dictionary.md``: every table and column, written from the declarations.

``python -m etl.store.dictionary`` writes it, ``--check`` says whether it is up to date.
"""

import sys
from pathlib import Path

from etl.store.duck_types import duck_type
from etl.store.schema import TABLES, Column, Layout, Table

PLACE = Path(__file__).resolve().parents[2] / "docs" / "data-dictionary.md"

_HEAD = """\
# Data dictionary

Written from the declarations in `etl/store/schema/` by `python -m etl.store.dictionary`; do not
edit it by hand. Types are DuckDB's. The same words are comments in `warehouse.duckdb`
(`select table_name, column_name, comment from duckdb_columns()`).

A **keyed** table is brought up to date by PMID: all rows of a PMID are replaced together. A
**whole** table is rewritten by the job that makes it. "May be absent" says whether the column
may be NULL; what absence means stands in the column's description.
"""
_LAYOUTS = {Layout.KEYED: "Keyed by PMID", Layout.WHOLE: "Rewritten whole"}


def render() -> str:
    """The text of the dictionary: tables in the order of their names, columns as declared."""
    tables = [TABLES[name] for name in sorted(TABLES)]
    index = "\n".join(f"- [`{t.name}`](#{t.name}): one row is {t.grain}" for t in tables)
    return "\n".join([_HEAD, index, "", *(_section(t) for t in tables)])


def is_current(place: Path = PLACE) -> bool:
    """Whether the file at ``place`` says what the declarations say."""
    return place.is_file() and place.read_text(encoding="utf-8") == render()


def _section(table: Table) -> str:
    facts = f"One row is {table.grain}. {_LAYOUTS[table.layout]}; "
    facts += f"sorted by {', '.join(f'`{k}`' for k in table.sort)}."
    head = "| column | type | may be absent | meaning | codes |\n| --- | --- | --- | --- | --- |"
    rows = "\n".join(_row(c) for c in table.columns)
    return f"## {table.name}\n\n{facts}\n\n{head}\n{rows}\n"


def _row(column: Column) -> str:
    cells = (
        f"`{column.name}`",
        f"`{duck_type(column.type).replace(chr(34), '')}`",
        "yes" if column.nullable else "no",
        column.about,
        ", ".join(f"`{code}`" for code in column.codes),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main(arguments: list[str]) -> int:
    """Writes the dictionary, or with ``--check`` returns 1 when it is stale."""
    if "--check" in arguments:
        if is_current():
            return 0
        print(f"{PLACE} is stale: run python -m etl.store.dictionary", file=sys.stderr)
        return 1
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(render(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
