"""Memory does not grow with the file."""

import subprocess
import sys
from pathlib import Path

from tests.pubmed.xml import article, article_set

PEAK = """
import resource, sys
from pathlib import Path
from etl.sources.pubmed.parse import parse_file
parse_file(Path(sys.argv[1]), 1, lambda table: None, batch_rows=500)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def _peak_mb(copies: int, folder: Path) -> int:
    words = "tea " * 500
    path = folder / f"{copies}.xml"
    inside = f"<Abstract><AbstractText>{words}</AbstractText></Abstract>"
    path.write_bytes(article_set(*(article(n, inside=inside) for n in range(1, copies + 1))))
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path)], cwd=root, capture_output=True, check=True
    )
    return int(done.stdout)


def test_memory_is_flat_in_file_size(tmp_path: Path) -> None:
    small, large = _peak_mb(1000, tmp_path), _peak_mb(16000, tmp_path)
    assert large - small < 30
