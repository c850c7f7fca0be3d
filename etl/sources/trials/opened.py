"""A source as the user names it, opened as the kind of delivery that it is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from etl.sources.trials import archive
from etl.sources.trials.delivery import Delivery
from etl.sources.trials.dump import DumpDelivery
from etl.sources.trials.flat import FlatDelivery

_URI = re.compile(r"^postgres(ql)?://")
_KEYWORDS = re.compile(r"(^|\s)(host|hostaddr|dbname|service|user)\s*=")


def is_dsn(source: str) -> bool:
    """Whether ``source`` names a PostgreSQL server and not a file."""
    return bool(_URI.match(source) or (_KEYWORDS.search(source) and not Path(source).exists()))


@contextmanager
def open_delivery(source: str, workdir: Path | None = None) -> Iterator[Delivery]:
    """The delivery at ``source``; a dump in a zip is unpacked below ``workdir`` meanwhile."""
    if is_dsn(source):
        from etl.sources.trials.live import open_live

        with open_live(source) as live:
            yield live
        return
    path = Path(source)
    kind = archive.kind_of(path)
    if kind == "dump":
        yield DumpDelivery(path, source)
    elif kind == "dump_zip":
        with archive.unpacked_dump(path, workdir) as dump:
            yield DumpDelivery(dump, source)
    else:
        yield FlatDelivery(path)
