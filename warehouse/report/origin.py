"""Where the grade and the number of people of a record come from: rule, source, sentence."""

from warehouse.report.facts import Row
from warehouse.report.words import Words

_SOURCES = ("fulltext", "abstract", "title", "registry")


def grade_origin(row: Row, words: Words) -> str:
    """The reason in words and the ids of the rules that decided; empty when there is none."""
    rules = row.get("rules")
    ids = ", ".join(str(rule) for rule in rules) if isinstance(rules, list) else ""
    said = [str(row.get("grade_rationale") or ""), words("rules", ids=ids) if ids else ""]
    return " ".join(part for part in said if part)


def size_origin(row: Row, words: Words) -> str:
    """The number of people with its source and the sentence it stands in; empty when not known."""
    size = row.get("sample_size")
    source, sentence = str(row.get("sample_size_source")), row.get("sample_size_evidence")
    if not isinstance(size, int) or source not in _SOURCES:
        return ""
    name = words(f"size_sources.{source}")
    if not sentence:
        return words("size", n=f"{size:,}", source=name)
    return words("size_quoted", n=f"{size:,}", source=name, sentence=sentence)
