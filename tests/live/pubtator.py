"""Invented documents of PubTator3."""

import json
from typing import Any

EXPORT = "/pubtator/publications/export/biocjson"


def entity(kind: str, name: str, identifier: str | None = "MESH:D1") -> dict[str, Any]:
    """One mention."""
    return {"infons": {"type": kind, "name": name, "identifier": identifier}, "text": name}


def document(pmid: int, *entities: dict[str, Any]) -> dict[str, Any]:
    """One citation with all its mentions in the abstract."""
    passages = [{"infons": {"type": "title"}}, {"annotations": list(entities)}]
    return {"_id": f"{pmid}|None", "id": str(pmid), "passages": passages}


def answer(*documents: Any) -> bytes:
    """An answer of the export."""
    return json.dumps({"PubTator3": list(documents)}).encode()
