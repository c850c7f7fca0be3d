"""`evidence strategy`."""

import click

from cli.options import home_option
from cli.output import write_json
from etl.store.home import Home

EPILOG = """\b
TYPE is therapy, diagnosis, etiology, prognosis, harm, prediction, guideline or sr (Chinese names
too). With a QUERY the templates are filled in, and the expected grades are those of its matches
in the warehouse.
\b
Examples:
  evidence strategy therapy
  evidence strategy 疗效 "venetoclax AND leukemia[mh]" --json
  evidence search "$(evidence strategy harm 'clozapine' --json | jq -r .local_query)"
"""

_QUERIES = (
    "pubmed_query", "pubmed_clinical_query", "europepmc_query", "europepmc_sensitive_query",
    "openalex_query", "local_query",
)  # fmt: skip


@click.command("strategy", epilog=EPILOG)
@home_option
@click.argument("question_type", metavar="TYPE")
@click.argument("query", default="")
@click.option("--lang", type=click.Choice(["zh", "en"]), default="zh", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON document")
def command(home: Home, question_type: str, query: str, lang: str, as_json: bool) -> int:
    """Search templates for a kind of question, and the grades to expect."""
    from warehouse.strategy import recommend_search_strategy

    found = recommend_search_strategy(question_type, query, home=home.root, lang=lang)
    if as_json:
        write_json(found)
        return 0
    click.echo(f"{found['question_type']}: {found['clinical_queries_filter']}\n")
    for key in _QUERIES:
        click.echo(f"{key.removesuffix('_query')}:\n  {found[key] or found[f'{key}_template']}\n")
    grades = found["expected_grade_distribution"].items()
    measured = found["expected_grade_distribution_basis"] == "measured"
    label = "grades" if measured else "grades (not measured)"
    click.echo(f"{label}: " + ", ".join(f"{grade} {share}" for grade, share in grades))
    click.echo(f"  {found['expected_grade_distribution_source']}")
    click.echo(f"skill: {', '.join([found['recommended_skill'], *found['also_recommended']])}")
    for tip in found["tips"]:
        click.echo(f"- {tip}")
    return 0
