"""What a refresh would load, told and not done."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from etl.errors import SourceError
from etl.jobs.deliveries import Deliveries, mark_of
from etl.jobs.plan import Failure, Plan
from etl.jobs.report import Report
from etl.jobs.request import Request
from etl.sources.mesh import load as mesh
from etl.sources.pubmed.files import official_number
from etl.sources.pubmed.listing import is_address
from etl.sources.trials import aact


def tell(
    report: Report, found: Deliveries, todo: Plan, request: Request, known: Mapping[str, Any]
) -> None:
    """Puts into ``report`` what would be done: ``done`` would be loaded, in this order.

    What is on this disk is told as the refresh itself tells it. A file of a server that was never
    loaded is taken as listed: only its download can show that it is damaged or gone.
    """
    names = [p.file.name for p in todo.todo] + [file.name for file in found.coming]
    if found.coming:
        names.sort(key=lambda name: official_number(name) or (0, 0))
        size = sum(file.size for file in found.coming)
        report.notices.append(
            f"{len(found.coming)} files would be downloaded, about {size / 1e6:,.0f} MB"
        )
    report.done += names[: request.max_files]
    for source, wish, look in (("aact", request.aact, _aact), ("mesh", request.mesh, _mesh)):
        if wish and request.wants(source):
            _other(
                report,
                wish,
                lambda wish=wish, look=look, source=source: look(wish, known.get(source, {})),
            )


def _other(report: Report, source: str, look: Any) -> None:
    try:
        name, is_new = look()
    except SourceError as error:
        report.failed.append(Failure(Path(source).name, str(error)))
        return
    (report.done if is_new else report.skipped).append(name)


def _aact(source: str, known: Mapping[str, Any]) -> tuple[str, bool]:
    if is_address(source):
        mark = mark_of(source)
        return Path(source).name, mark is None or mark != known.get("mark")
    name, checksum = aact.identify(source)
    return name, checksum != known.get("checksum")


def _mesh(source: str, known: Mapping[str, Any]) -> tuple[str, bool]:
    path = Path(source)
    return path.name, mesh.identify(path) != known.get("checksum")
