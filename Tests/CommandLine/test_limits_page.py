"""`Documentation/limits.md`: each row is tried at a server, at its limit and beyond."""

import base64
import json
import re

import pytest

from Support.client import FORM, JSON, talk
from Support.command import ROOT
from Support.server import Server

PAGE = (ROOT / "Documentation/limits.md").read_text("utf-8")
UNITS = {"KiB": 1024, "MiB": 1 << 20}
SOURCE = ROOT / "Sources"


def number(limit):
    found = re.match(r"([\d,]+)(?: (KiB|MiB))?", limit)
    return int(found[1].replace(",", "")) * UNITS.get(found[2], 1)


ROWS = {
    what: (limit, beyond) for what, limit, beyond in re.findall(r"(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE.split("These have options")[0])
    if what != "what"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "long.yaml").write_text("title: Long\nfields:\n" + "".join(f"  - {{name: f{n}}}\n" for n in range(5)))
    with Server(folder, "--rate-limit", "work=off") as server:
        yield server


def row(start):
    """The limit, and the status beyond it."""
    [(limit, beyond)] = [row for what, row in ROWS.items() if what.startswith(start)]
    return number(limit), int(beyond) if beyond.isdigit() else beyond


def test_the_limits_of_bodies_are_those_of_the_page(server):
    limit, beyond = row("body of a request")
    def ask(size):
        return server.request("POST", "/asks", b"x" * size, JSON | server.authorized)[0]
    assert (ask(limit), ask(limit + 1)) == (400, beyond)
    limit, beyond = row("body with a prompt's values")
    for path in ("/prompts/long", "/validate/long", "/a/00000000000000000000000000", "/a/00000000000000000000000000/validate"):
        assert path.replace("long", "{name}").replace("00000000000000000000000000", "{token}") in PAGE
        statuses = [server.request("POST", path, b"x" * size, JSON)[0] for size in (limit, limit + 1)]
        assert statuses[0] in (400, 404) and statuses[1] == beyond
    limit, beyond = row("event of `POST /hook`")
    event = '{"hook_event_name":"' + "x" * (limit - 22) + '"}'
    assert server.request("POST", "/hook?host=claude", event, JSON | server.authorized)[0] == 204
    # It is refused by its head, while nobody has sent it.
    head = f"POST /hook?host=claude HTTP/1.1\r\nHost: localhost\r\nContent-Length: {limit + 1}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in (JSON | server.authorized).items())
    assert talk(server.port, f"{head}\r\n".encode()).startswith(f"HTTP/1.1 {beyond} ".encode())


def test_the_limit_of_chunks_is_that_of_the_page(server):
    limit, beyond = row("chunk extensions and trailers")
    def ask(size):
        body = b"1;" + b"a" * (size - 1) + b"\r\n{\r\n0\r\n\r\n"
        return server.request("POST", "/validate/long", body, JSON | {"Transfer-Encoding": "chunked"})[0]
    assert (ask(limit), ask(limit + 1)) == (400, beyond)


def test_the_limits_of_heads_are_those_of_the_page(server):
    limit, beyond = row("path and query")
    statuses = [server.request("GET", "/" + "x" * size)[0] for size in (limit - 1, limit)]
    assert statuses == [404, beyond]
    limit, beyond = row("all headers")
    assert [server.request("GET", "/healthz", headers={"X": "x" * size})[0] for size in (limit - 200, limit)] == [200, beyond]
    limit, beyond = row("number of headers")
    assert [server.request("GET", "/healthz", headers={f"X{n}": "x" for n in range(size)})[0] for size in (limit - 5, limit + 1)] == [200, beyond]


def judged(server, value):
    return server.request("POST", "/validate", json.dumps(value), JSON)


def test_the_limits_of_json_are_those_of_the_page(server):
    limit, beyond = row("depth of JSON")
    assert "deep" in judged(server, json.loads("[" * (limit + 1) + "]" * (limit + 1)))[1]
    assert "deep" not in judged(server, json.loads("[" * limit + "]" * limit))[1]
    limit, beyond = row("keys of a JSON object")
    two = [judged(server, {f"k{n}": 1 for n in range(size)}) for size in (limit, limit + 1)]
    assert "unknown-key" in two[0][1] and "unknown-key" not in two[1][1] and two[1][0] == beyond
    limit, beyond = row("string in JSON")
    two = [judged(server, {"x" * size: 1}) for size in (limit, limit + 1)]
    assert "unknown-key" in two[0][1] and "unknown-key" not in two[1][1] and two[1][0] == beyond


def test_the_limits_of_forms_and_values_are_those_of_the_page(server):
    limit, beyond = row("pairs of a form")
    assert server.request("POST", "/validate/long", "&".join(f"x{n}=1" for n in range(limit + 1)), FORM)[0] == beyond
    assert "field" in server.request("POST", "/validate/long", "&".join(f"x{n}=1" for n in range(limit)), FORM)[1]
    limit, _ = row("one value")
    two = [json.loads(server.request("POST", "/validate/long", f"f0={'a' * size}", FORM)[1]) for size in (limit, limit + 1)]
    assert two[0]["isValid"] and two[1]["fields"]["f0"]["rule"] == "text"
    whole, _ = row("all values")
    assert whole == 4 * limit
    body = "&".join(f"f{n}={'a' * limit}" for n in range(4))
    assert json.loads(server.request("POST", "/validate/long", body, FORM)[1])["isValid"]
    assert json.loads(server.request("POST", "/validate/long", body + "&f4=a", FORM)[1])["fields"]["f4"]["rule"] == "text"


def ask(server, headers={}, **members):
    body = json.dumps({"prompt": "long"} | members, separators=(",", ":"))
    return server.request("POST", "/asks", body, JSON | server.authorized | headers)[0]


def test_the_limits_of_asks_are_those_of_the_page(server):
    limit, beyond = row("`metadata`")
    room = limit - len('{"a":""}')
    assert [ask(server, metadata={"a": "x" * size}) for size in (room, room + 1)] == [201, beyond]
    limit, beyond = row("`context`")
    assert [ask(server, context=[{"text": "x" * 8000}] * count) for count in (2, 3)] == [201, beyond] and limit == 16384
    limit, beyond = row("images")
    def image(size, width=1, height=1):
        png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4) + height.to_bytes(4)
        return [{"image": "data:image/png;base64," + base64.b64encode(png.ljust(size, b"x")).decode(), "alt": "x"}]
    assert [ask(server, context=image(size)) for size in (limit, limit + 1)] == [201, beyond]
    assert ask(server, context=image(limit // 2 + 2) * 2) == beyond
    side, beyond = row("side of an image")
    assert [ask(server, context=image(99, size)) for size in (side, side + 1)] == [201, beyond]
    limit, beyond = row("pixels of the images")
    assert [ask(server, context=image(99, 2000, height)) for height in (limit // 2000, limit // 2000 + 1)] == [201, beyond]
    # Only a picture is longer than a body may be.
    text = "data:image/png;base64," + "A" * 100_000
    assert [ask(server, **{key: value}) for key, value in (
        ("values", {"f0": text}), ("metadata", {"image": text}), ("context", [{"text": text}]), ("title", text))] == [413] * 4
    assert ask(server, values={"f0": text[:20_000]}) == 400
    limit, beyond = row("options of all fields")
    def options(*counts):
        fields = [{"name": f"f{n}", "kind": "choice", "options": [str(o) for o in range(count)]} for n, count in enumerate(counts)]
        return server.request("POST", "/asks", json.dumps({"definition": {"title": "T", "fields": fields}}), JSON | server.authorized)
    assert [options(1000, limit - 1001, 1 + more)[0] for more in (0, 1)] == [201, beyond]
    assert f"{limit} options in all, not {limit + 1}" in options(1000, limit - 1001, 2)[1]
    limit, beyond = row("`expiresIn`")
    assert [ask(server, expiresIn=seconds) for seconds in (limit, limit + 1)] == [201, beyond]
    limit, beyond = row("`wait` of `GET")
    long = server.ask("long")
    server.answer(long, "outcome=cancel")
    assert [server.request("GET", f"/asks/{long['id']}?wait={wait}", headers=server.authorized)[0] for wait in (limit, limit + 1)] == [200, beyond]
    limit, _ = row("lines of")
    for path in ("/asks", "/prompts/long/answers"):
        statuses = [server.request("GET", f"{path}?limit={size}", headers=server.authorized)[0] for size in (limit, limit + 1)]
        assert statuses == [200, 400]
    limit, beyond = row("`Idempotency-Key`")
    assert [ask(server, {"Idempotency-Key": "k" * size}) for size in (limit, limit + 1)] == [201, beyond]
    limit, beyond = row("`subject`")
    assert [server.request("POST", f"/prompts/long?subject={'s' * size}", "", FORM)[0] for size in (limit, limit + 1)] == [200, beyond]
    limit, _ = row("`wait` of an MCP")
    call = lambda wait: server.request("POST", "/mcp", json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "ask_outcome", "arguments": {"id": "x", "wait": wait}}}),
        JSON | server.authorized | {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"})[1]
    assert f"from 0 to {limit}" in call(limit + 1) and "from 0 to" not in call(limit)


def test_the_limits_of_responses_are_those_of_the_page_in_the_source():
    """What minutes of waiting would show is read where it is said."""
    budgets = (SOURCE / "Prompts/Base/WorkBudget.swift").read_text("utf-8")
    assert ROWS["CPU for rules sent without a token"][0] == "50 ms" and "untrustedRules = WorkBudget(50_000_000)" in budgets
    assert ROWS["CPU for a form of an operator's prompt"][0] == "200 ms" and "form = WorkBudget(200_000_000)" in budgets
    deadlines = (SOURCE / "MicroHTTP/Server/Deadlines.swift").read_text("utf-8")
    for name in ("head", "body"):
        seconds = number(ROWS[f"time for a request's {name}"][0])
        assert f"{name} = Duration.seconds({seconds})" in deadlines
    assert "response = Duration.seconds(30)" in deadlines and "responseRate = 16 * 1024" in deadlines
    assert "idle = Duration.seconds(30)" in deadlines and number(ROWS["time between two requests of a connection"][0]) == 30
    memory = (SOURCE / "MicroHTTP/Server/Server+Configuration.swift").read_text("utf-8")
    assert "unreadLimit = 64 << 20" in memory and number(ROWS["responses that nobody has read"][0]) == 64 << 20
    assert "unreadLimitPerClient = 4 << 20" in memory and row("responses that one address")[0] == 4 << 20
