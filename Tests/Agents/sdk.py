"""The official Python SDK, 1.x or 2.x, whichever is installed, by the same few words."""

import json
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version

import pytest

from Support.command import BINARY, ROOT, clean

MAJOR = int(version("mcp").split(".")[0])
# What a client can be here: 1.x knows only `initialize`, 2.x both eras.
ERAS = ["legacy"] if MAJOR == 1 else ["legacy", "modern"]
# What speaks to the server without the SDK is the same with either.
once = pytest.mark.skipif(MAJOR == 1, reason="without the SDK, so it runs beside 2.x only")

if MAJOR == 1:
    from mcp import ClientSession, McpError as MCPError, StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.types import ElicitResult
else:
    import httpx2
    from mcp import Client, MCPError, StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types import ElicitResult


class Result:
    """What a tool returned: `data` is its structured content, `texts` are its texts."""

    def __init__(self, result):
        dump = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        self.data, self.is_error = dump.get("structuredContent"), dump.get("isError", False)
        self.texts = [block["text"] for block in dump["content"]]
        if self.data is not None:
            assert json.loads(self.texts[0]) == self.data


class Agent:
    """A connected client."""

    def __init__(self, session):
        self.session = session

    async def call(self, tool, arguments={}, limit=None, progress=None):
        """- limit: seconds that this client gives the call."""
        if MAJOR == 1:
            limit = limit and timedelta(seconds=limit)
        return Result(await self.session.call_tool(tool, arguments, limit, progress))


def link_opener(opened, action="accept"):
    """Takes URL-mode elicitation: the links that a person is brought to are in `opened`."""

    async def elicited(context, params):
        assert params.mode == "url", params
        opened.append(params.url)
        return ElicitResult(action=action)

    return elicited


@asynccontextmanager
async def connect(target, era, words=(), elicit=None, environment={}, errors=None, limit=None):
    """An agent of `okcancel mcp WORDS…`, or of the server `target`."""
    if target == "stdio":
        parameters = StdioServerParameters(
            command=BINARY, args=["mcp", *map(str, words)], env=clean(environment), cwd=ROOT)
        transport = stdio_client(parameters, errlog=errors) if errors else stdio_client(parameters)
    if MAJOR == 1:
        if target != "stdio":
            transport = streamablehttp_client(target.url + "/mcp", headers=target.authorized)
        async with transport as streams:
            async with ClientSession(*streams[:2], elicitation_callback=elicit) as session:
                await session.initialize()
                yield Agent(session)
    else:
        if target != "stdio":
            http = httpx2.AsyncClient(headers=target.authorized, timeout=120)
            transport = streamable_http_client(target.url + "/mcp", http_client=http)
        mode = "legacy" if era == "legacy" else "2026-07-28"
        async with Client(transport, mode=mode, elicitation_callback=elicit) as session:
            yield Agent(session)
