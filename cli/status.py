"""`evidence status`."""

import click

from cli.options import home_option
from cli.output import write_json
from etl.store.home import Home

EPILOG = """\b
Examples:
  evidence status
  evidence status --json | jq .watermarks
"""


@click.command("status", epilog=EPILOG)
@home_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document")
def command(home: Home, as_json: bool) -> int:
    """What is committed: rows, watermarks, ages, rule version."""
    from warehouse.freshness import Fresh
    from warehouse.status import status

    found = status(home)
    if as_json:
        write_json(found)
        return 0
    click.echo(f"home       {found['home']}")
    click.echo(f"snapshot   {found['snapshot']} of {found['created_at']}")
    click.echo(f"rules      {found['rule_version']}, words {found['extractor_version']}")
    click.echo(f"index      snapshot {found['index']['snapshot']}, {found['index']['docs']:,} docs")
    for one in found["freshness"]:
        click.echo(f"{one['source']:<10} {Fresh(**one).said()}{' (old)' if one['old'] else ''}")
    for name, value in found["watermarks"].items():
        click.echo(f"{name:<15} {value}")
    for name, rows in found["tables"].items():
        click.echo(f"{name:<32} {rows:>12,}")
    return 0
