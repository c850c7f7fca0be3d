"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from etl.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


def home_option(function: F) -> F:
    """``--home DIR``: the warehouse to use; passed on as ``home``, an opened Home."""
    return click.option(
        "--home",
        type=click.Path(path_type=Path),
        callback=lambda _ctx, _param, value: _open(value),
        help="Folder of the warehouse [default: $EVIDENCE_HOME, else the user data folder]",
    )(function)


def _open(value: Path | None) -> Any:
    from etl.store.home import open_home

    return open_home(value)


def live_option(function: F) -> F:
    """``--live``; passed on as ``live``, None when it was not given."""
    return click.option(
        "--live",
        type=click.Choice(["never", "gaps", "always"]),
        help="Ask live sources: for what the warehouse cannot have (gaps), always, or never "
        "[default: $EVIDENCE_LIVE, else gaps]",
    )(function)


def entities_option(function: F) -> F:
    """``--entities``; passed on as ``entities``."""
    return click.option(
        "--entities", is_flag=True, help="Diseases, drugs and genes of each record, by PubTator3"
    )(function)


def out_options(function: F) -> F:
    """``--out DIR`` and ``--lang``; passed on as ``out`` (a Path or None) and ``lang``."""
    function = click.option(
        "--lang",
        type=click.Choice(["zh", "en"]),
        default="zh",
        show_default=True,
        help="Language of the summary in DIR",
    )(function)
    return click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Also write an evidence folder: records by grade, index, summary, query log",
    )(function)


def format_options(function: F) -> F:
    """``--json --ndjson --csv --table``, one of them; passed on as ``form``, a table if none."""
    options = (
        ("--table", "table", "Aligned table for reading (the default, also when piped)"),
        ("--csv", "csv", "CSV with a header line; lists joined by '; '"),
        ("--ndjson", "ndjson", "One JSON object a line"),
        ("--json", "json", "One JSON document"),
    )
    for flag, value, about in options:
        function = click.option(
            flag,
            "form",
            flag_value=value,
            multiple=True,
            callback=_one_form,
            help=about,
        )(function)
    return function


def _one_form(_ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> str:
    """The one format that was given; click itself would quietly take the last of several."""
    given = list(dict.fromkeys(value))
    if len(given) > 1:
        names = " and ".join(f"--{name}" for name in given)
        raise UsageError(f"{names} are formats of the same rows: give one of them")
    return given[0] if given else "table"


def refuse_beside(mode: str, *useless: str) -> None:
    """Raises ``UsageError`` when an option was given that means nothing beside ``mode``.

    ``useless`` are names of parameters of the command that runs.
    """
    ctx = click.get_current_context()
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name in useless and source is ParameterSource.COMMANDLINE:
            raise UsageError(f"{mode} and {param.opts[-1]} do not go together: leave one out")
