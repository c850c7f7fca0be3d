"""Asks a BioMCP server, as a process or over HTTP, by the official MCP SDK (extra ``mcp``).

The deadlines are ours: one hanging service behind it would hold every answer. The process is ended
with the question.
"""

import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from etl.sources.biomcp import finds
from etl.sources.biomcp.detect import Endpoint
from etl.sources.biomcp.finds import Finds, Part
from etl.sources.http_errors import scrub
from etl.sources.http_limits import Deadline
from etl.sources.outcome import Outcome, Reply

SOURCE = "biomcp"
CALL_SECONDS = 12.0
CLOSE_SECONDS = 2.0
MOST = 25  # results of one search that the server allows
MISSING = "its client is not installed: pip install 'evidence-warehouse[mcp]'"
LONGEST = 256  # characters of a field

Call = tuple[str, dict[str, Any]]


class CallError(Exception):
    """The server answered a call with an error."""


def ask(
    endpoint: Endpoint,
    query: str,
    *,
    limit: int = 25,
    trials: bool = True,
    within: Deadline | None = None,
) -> Reply[Finds]:
    """PMIDs and NCT numbers that BioMCP finds for ``query``.

    NOT_AVAILABLE without the SDK, FAILED when the server cannot be reached or does not answer
    in time, UNKNOWN when it found nothing and does not say whether all its services answered,
    NONE when it does. ``Finds.failed`` names services to be asked by ourselves.
    """
    try:
        import anyio
        import mcp
    except ModuleNotFoundError:
        return Reply(SOURCE, Outcome.NOT_AVAILABLE, detail=f"{endpoint.place}: {MISSING}")
    started = time.monotonic()
    seconds = CALL_SECONDS
    if within is not None:  # ending a process that hangs takes the rest
        seconds = min(seconds, max(within.left - CLOSE_SECONDS, within.left / 2))
    calls: list[int] = []
    try:
        parts = anyio.run(_ask, mcp, endpoint, query, min(limit, MOST), trials, seconds, calls)
        reply = _reply(*parts)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        reply = Reply(SOURCE, Outcome.FAILED, detail=_words(error, endpoint, seconds))
    seconds = time.monotonic() - started
    return Reply(**{**vars(reply), "requests": len(calls), "seconds": seconds})


def _reply(articles: Part, trials: Part | None) -> Reply[Finds]:
    failed = (*articles.failed, *(trials.failed if trials else ()))
    found = Finds(articles.pmids, trials.nct_ids if trials else (), failed)
    if found.pmids or found.nct_ids:
        return Reply(SOURCE, Outcome.FOUND, found, detail=_not_answered(failed))
    if articles.certain:
        return Reply(SOURCE, Outcome.NONE)
    if articles.failed:
        return Reply(SOURCE, Outcome.FAILED, detail=_not_answered(articles.failed))
    return Reply(SOURCE, Outcome.UNKNOWN, detail="found nothing, which may be an outage behind it")


def _not_answered(failed: tuple[str, ...]) -> str:
    return f"no answer from {', '.join(failed)}" if failed else ""


def _words(error: BaseException, endpoint: Endpoint, seconds: float) -> str:
    """The first cause in one line, without what the environment holds."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        said = f"no answer within {seconds:.0f} s"
    else:
        said = str(error) or type(error).__name__
    for secret in (*endpoint.environment.values(), *endpoint.headers.values()):
        said = said.replace(secret, "***") if len(secret) > 3 else said
    return scrub(f"{endpoint.place}: {said}")[:300]


async def _ask(  # noqa: PLR0913, PLR0917 - anyio.run passes arguments by position
    mcp: Any,
    endpoint: Endpoint,
    query: str,
    limit: int,
    trials: bool,
    seconds: float,
    calls: list[int],
) -> tuple[Part, Part | None]:
    import anyio

    deadline = anyio.current_time() + seconds
    async with AsyncExitStack() as stack:
        # the outer deadline only catches a server that never gets ready
        stack.enter_context(anyio.fail_after(seconds + 0.2))
        # a server of either line that is first asked by the newer handshake ends after 5 s
        client = mcp.Client(await _transport(stack, mcp, endpoint), mode="legacy")
        session = await stack.enter_async_context(client)
        tools = {tool.name for tool in (await session.list_tools()).tools}
        wanted = _calls(tools, query, limit)[: 2 if trials else 1]
        said: list[str | Exception] = [TimeoutError() for _ in wanted]

        async def call(place: int, name: str, arguments: dict[str, Any]) -> None:
            calls.append(1)
            try:
                result = await session.call_tool(name, arguments, read_timeout_seconds=seconds)
            except Exception as error:  # of any layer; the other call goes on
                said[place] = error
                return
            text = "\n".join(c.text for c in result.content if getattr(c, "text", None))
            said[place] = CallError(f"{name}: {text[:200]}") if result.is_error else text

        with anyio.move_on_after(max(0.0, deadline - anyio.current_time())):
            async with anyio.create_task_group() as group:
                for place, (name, arguments) in enumerate(wanted):
                    group.start_soon(call, place, name, arguments)
    return _parts(said)


def _parts(said: Sequence[str | Exception]) -> tuple[Part, Part | None]:
    """What the calls brought; no articles is a failure, no trials a service that failed."""
    first, *rest = said
    if isinstance(first, Exception):
        raise first
    registered = [
        Part(failed=("clinicaltrials",)) if isinstance(one, Exception) else finds.trials(one)
        for one in rest
    ]
    return finds.articles(first), registered[0] if registered else None


async def _transport(stack: AsyncExitStack, mcp: Any, endpoint: Endpoint) -> Any:
    """What the client connects to; of a process the standard error is thrown away."""
    if endpoint.url is not None:
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        client = create_mcp_http_client(headers=dict(endpoint.headers))
        return streamable_http_client(
            endpoint.url, http_client=await stack.enter_async_context(client)
        )
    quiet = stack.enter_context(Path(os.devnull).open("w"))  # noqa: SIM115
    environment = _environment(endpoint.environment)
    process = mcp.StdioServerParameters(
        command=endpoint.command, args=list(endpoint.arguments), env=environment
    )
    return mcp.stdio_client(process, errlog=quiet)


_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}")


def _environment(said: Mapping[str, str]) -> dict[str, str]:
    """Ours and what the configuration adds; ``${NAME}`` and ``${NAME:-else}`` stand for ours."""

    def value(text: str) -> str:
        return _VARIABLE.sub(lambda m: os.environ.get(m[1], m[2] or ""), text)

    return {**os.environ, **{name: value(text) for name, text in said.items()}}


def _calls(tools: set[str], query: str, limit: int) -> tuple[Call, Call]:
    """The two searches in the words of the line that has these tools."""
    words = " ".join(query.split())[:LONGEST]
    if "article_searcher" in tools:
        return (
            ("article_searcher", {"keywords": [words], "page_size": limit}),
            (
                "trial_searcher",
                {"other_terms": [words], "recruiting_status": "ANY", "page_size": limit},
            ),
        )
    if "search" in tools and "biomcp" in tools:
        shared = {"limit": limit, "json": True}
        return (
            ("search", {"entity": "article", "keyword": [words], **shared}),
            ("search", {"entity": "trial", "condition": [words], **shared}),
        )
    raise CallError(
        f"it is no BioMCP that is known: its tools are {', '.join(sorted(tools))[:150]}"
    )
