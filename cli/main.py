"""The command `evidence`: finds the subcommand, turns expected errors into one line and a code."""

import os
import sys
from importlib import import_module

import click

from cli.streams import arguments, fit_streams
from etl.errors import EvidenceError

COMMANDS = (
    "refresh", "status", "search", "grade", "trials", "strategy", "check", "report", "sql",
    "doctor",
)  # fmt: skip

EPILOG = """\b
Exit codes: 0 done · 1 failed · 2 usage · 3 answered in part (the answer says what is missing)
            4 another refresh holds the lock
\b
Examples:
  evidence refresh --pubmed ./pubmed --aact 20261130_clinical_trials_ctgov.zip
  evidence grade 32786187 31091374 --json
  evidence search "venetoclax AND leukemia[mh]" --grade rct_or_above
"""


class Commands(click.Group):
    """Imports a subcommand only when it is asked for: start-up time is part of every answer."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first session."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"cli.{cmd_name}").command
        return command


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="evidence-warehouse", prog_name="evidence")
def evidence() -> None:
    """All of PubMed and ClinicalTrials.gov, graded, answered from local Parquet."""


def main() -> None:
    """Entry point of the installed command."""
    fit_streams()
    try:
        code = evidence.main(arguments(), standalone_mode=False)
    except EvidenceError as error:
        click.echo(f"evidence: {error}", err=True)
        code = error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        code = error.exit_code
    except click.ClickException as error:
        click.echo(f"evidence: {_one_line(error)}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("evidence: stopped; the last committed snapshot is intact", err=True)
        code = 130
    except BrokenPipeError:
        # the reader (head, less) has seen enough; keep the interpreter from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        if not _of_the_machine(error):
            raise
        click.echo(f"evidence: {_of_a_file(error)}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: click.ClickException) -> str:
    """What click says of an option or a value, and where to read on."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    inner = f" {context.info_name}" if context and context.parent else ""
    said = " ".join(error.format_message().split()).rstrip(".")
    return f"{said}; see evidence{inner} --help"


def _of_a_file(error: Exception) -> str:
    if not isinstance(error, OSError):
        from etl.store.views import damage

        damaged = damage(error)  # type: ignore[arg-type] # DuckDB's, see _of_the_machine
        if damaged is not None:
            return str(damaged)
    return f"{' '.join(str(error).split())[:400]}; see evidence doctor"


def _of_the_machine(error: Exception) -> bool:
    """Whether a disk or a damaged file is at fault, and not this program."""
    return isinstance(error, OSError) or type(error).__module__.lstrip("_").startswith("duckdb")
