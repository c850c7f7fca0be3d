"""An MCP server with the tools of BioMCP's older line; ``python -m tests.biomcp.older STATE``."""

import json
import sys
import time

from mcp.server import MCPServer

server = MCPServer("biomcp")
STATE = sys.argv[1] if len(sys.argv) > 1 else "fine"


@server.tool()
def article_searcher(keywords: list[str], page_size: int = 10) -> str:
    """A bare list of rows; an empty one may be an outage."""
    if STATE == "hanging":
        time.sleep(60)
    return json.dumps([{"pmid": 31, "title": "x"}] if STATE == "fine" else [])


@server.tool()
def trial_searcher(other_terms: list[str], recruiting_status: str, page_size: int = 10) -> str:
    """Text, as that line answers; recruiting trials only unless told otherwise."""
    found = STATE == "fine" and recruiting_status == "ANY"
    return "# Record 1\nNct Number: NCT00000031" if found else ""


if __name__ == "__main__":
    server.run()
