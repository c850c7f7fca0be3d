"""Short spellings for the columns of the registry's tables."""

import pyarrow as pa

from etl.store.schema.declare import Column, Layout, Table

NCT_ID = Column("nct_id", pa.string(), "ClinicalTrials.gov identifier of the study", nullable=False)


def text(name: str, about: str) -> Column:
    return Column(name, pa.string(), about)


def whole(name: str, about: str) -> Column:
    return Column(name, pa.int32(), about)


def surrogate(name: str, about: str) -> Column:
    """An AACT row number: joins tables of one snapshot and changes with the next."""
    return Column(name, pa.int64(), f"{about}; changes with every snapshot")


def number(name: str, about: str) -> Column:
    return Column(name, pa.float64(), about)


def flag(name: str, about: str) -> Column:
    return Column(name, pa.bool_(), f"{about}; null when the record does not say")


def date(name: str, about: str) -> Column:
    return Column(name, pa.date32(), about)


def registry_table(name: str, grain: str, *columns: Column, sort: tuple[str, ...] = ()) -> Table:
    """A table whose rows belong to a study; sorted by it, then by what tells its rows apart."""
    every = (NCT_ID, *columns)
    return Table(name, grain, Layout.WHOLE, ("nct_id", *sort), every)
