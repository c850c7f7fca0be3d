"""`evidence doctor`."""

import click

from cli.options import format_options, home_option
from cli.output import write_rows
from etl.store.home import Home

EPILOG = """\b
Exit 1 when something is broken; what is merely missing is a hint.
\b
Examples:
  evidence doctor
  evidence doctor --deep --json
"""


@click.command("doctor", epilog=EPILOG)
@home_option
@click.option("--deep", is_flag=True, help="Read every stored file again and check its checksum")
@format_options
def command(home: Home, deep: bool, form: str) -> int:
    """What is missing or broken, and the command that mends it."""
    from warehouse.doctor import examine

    findings = examine(home, deep=deep)
    write_rows([f.as_dict() for f in findings], ("check", "state", "found", "mend"), form)
    return 1 if any(f.state == "broken" for f in findings) else 0
