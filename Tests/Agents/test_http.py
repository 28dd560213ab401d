"""`POST /mcp` as other clients and other pages meet it."""

import json
import socket
import threading
import time

import pytest
from Support.client import JSON, answer, page
from Support.server import Server
from Support.waiting import wait_until
from sdk import once

pytestmark = once
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def post(server, message, **headers):
    body = message if isinstance(message, (str, bytes)) else json.dumps(message)
    headers = JSON | server.authorized | {name.replace("_", "-"): value for name, value in headers.items()}
    return server.exchange("POST", "/mcp", body, {name: value for name, value in headers.items() if value})


def modern(method, version="2026-07-28", capabilities={}, **params):
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": capabilities}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": meta}}


def mirrored(method, name=None):
    return {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": method, "Mcp_Name": name}


@pytest.mark.parametrize("message, headers, status, said", [
    (PING, {}, 200, '"result":{}'),
    (PING, {"Content_Type": "text/plain"}, 415, "application/json"),
    ([PING], {}, 400, "-32600"),
    ("{", {}, 400, "-32700"),
    ("[" * 40, {}, 400, "-32700"),
    ({"jsonrpc": "2.0", "method": "notifications/initialized"}, {}, 202, ""),
    ({"jsonrpc": "2.0", "id": 1, "result": {}}, {}, 202, ""),
    ({"jsonrpc": "2.0", "id": 1, "method": "none"}, {}, 200, "-32601"),
    (PING, {"MCP_Protocol_Version": "1999-01-01"}, 400, "-32022"),
    (PING, {"MCP_Protocol_Version": "1999-01-01", "Mcp_Session_Id": "2025-11-25.text.x"}, 400, "-32022"),
    (PING, {"MCP_Protocol_Version": "2025-11-25", "Mcp_Session_Id": "2025-11-25.text.x"}, 200, '"result":{}'),
    (PING, {"MCP_Protocol_Version": "2026-07-28"}, 400, "-32602"),
    ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {}}}, mirrored("tools/list"), 400, "-32602"),
    (modern("tools/list", capabilities=None), mirrored("tools/list"), 400, "-32602"),
    (modern("ping"), mirrored("ping"), 404, "-32601"),
    (modern("server/discover"), mirrored("server/discover"), 200, "supportedVersions"),
    (modern("server/discover"), mirrored("tools/list"), 400, "-32020"),
    (modern("server/discover"), {}, 400, "-32020"),
    (modern("none"), mirrored("none"), 404, "-32601"),
    (modern("tools/list", version="2027-01-01"), mirrored("tools/list"), 400, "-32020"),
    (modern("tools/list", version="2027-01-01"), mirrored("tools/list") | {"MCP_Protocol_Version": "2027-01-01"}, 400, "-32022"),
    (modern("tools/call", name="ask_person"), mirrored("tools/call", "ask_outcome"), 400, "-32020"),
    (modern("tools/call", name="ask_person"), mirrored("tools/call", "ask_person") | {"MCP_Protocol_Version": None}, 400, "-32020"),
    (modern("tasks/get", taskId="x"), mirrored("tasks/get", "x"), 400, "-32021"),
])
def test_each_message_gets_its_status_and_its_code(server, message, headers, status, said):
    response = post(server, message, **headers)
    assert (response.status, said in response.body.decode()) == (status, True), response.body


def calling(arguments, **more):
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask_person", "arguments": arguments} | more}


def asked(server, arguments, **headers):
    """What this call of `ask_person` returns."""
    return json.loads(post(server, calling(arguments), **headers).body)["result"]["structuredContent"]


def initialize(**capabilities):
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "x", "version": "1"}}}


def test_a_session_is_remembered_by_the_client_alone(tmp_path):
    question = calling({"title": "Deploy?", "wait": 1})
    with Server("Examples", database=tmp_path / "a.sqlite") as first:
        session = post(first, initialize(elicitation={"url": {}})).headers["Mcp-Session-Id"]
        required = json.loads(post(first, question, Mcp_Session_Id=session).body)["error"]
        assert required["code"] == -32042
        answer(required["data"]["elicitations"][0]["url"])
    # The next server finds it as well, and delivers it once.
    with Server("Examples", database=tmp_path / "a.sqlite") as other:
        assert b'"outcome":"ok"' in post(other, question, Mcp_Session_Id=session).body
        assert b"-32042" in post(other, question, Mcp_Session_Id=session).body


def goes(server, message, accept="application/json"):
    """A client that sends this, and hangs up once the server waits for the person."""
    body = json.dumps(message).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(
            f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {accept}\r\n"
            f"Authorization: Bearer {server.token}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        wait_until(lambda: server.waiters == 1)


def test_an_answer_after_a_lost_connection_is_found_by_the_same_call(server):
    arguments = {"title": "Deploy?", "key": f"lost {time.time()}"}
    ask = asked(server, arguments | {"wait": 0})
    goes(server, calling(arguments | {"wait": 50}))
    wait_until(lambda: server.waiters == 0)
    server.answer(ask, "outcome=ok")
    found = asked(server, arguments | {"wait": 50})
    assert (found["id"], found["outcome"]) == (ask["id"], "ok")
    assert asked(server, arguments | {"wait": 0})["id"] != ask["id"]


@pytest.mark.parametrize("accept", ["application/json, text/event-stream", "application/json"])
def test_an_answer_right_after_a_client_has_gone_is_not_delivered(server, accept):
    arguments = {"title": "Deploy?", "key": f"gone {len(accept)} {time.time()}"}
    ask = asked(server, arguments | {"wait": 0})
    goes(server, calling(arguments | {"wait": 50}, _meta={"progressToken": "p"}), accept)
    # The server waits a moment for a client that has closed only its side.
    server.answer(ask, "outcome=ok")
    wait_until(lambda: server.waiters == 0)
    found = asked(server, arguments | {"wait": 0})
    assert (found["id"], found.get("outcome")) == (ask["id"], "ok")
    assert asked(server, arguments | {"wait": 0})["id"] != ask["id"]


@pytest.mark.parametrize("withdraws", [True, False])
def test_a_notification_of_the_same_session_cancels_a_call(server, withdraws):
    session = post(server, initialize()).headers["Mcp-Session-Id"]
    arguments = {"title": "Deploy?", "withdrawIfCancelled": withdraws}
    ask = asked(server, arguments | {"wait": 0}, Mcp_Session_Id=session)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(
        post(server, calling(arguments | {"wait": 50}), Mcp_Session_Id=session)))
    waiting.start()
    wait_until(lambda: server.waiters == 1)
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    assert post(server, cancelled).status == post(server, cancelled, Mcp_Session_Id=session + "x").status == 202
    assert server.waiters == 1
    assert post(server, cancelled, Mcp_Session_Id=session).status == 202
    waiting.join(60)
    assert (answers[0].status, answers[0].body) == (202, b"")
    status = lambda: json.loads(server.exchange("GET", f"/asks/{ask['id']}", headers=server.authorized).body)
    wait_until(lambda: status().get("outcome") == ("withdrawn" if withdraws else None))


@pytest.mark.parametrize("arguments", [
    {"schema": json.dumps({"type": "object", "properties": {"a": {"type": "string"}}})}, {"fields": '[{"name":"a"}]'},
    {"fields": [{"name": "a", "label": None, "placeholder": None, "options": None, "rules": [{"nonEmpty": True, "message": None}]}]},
    {"fields": [{"name": "a"}], "wait": "0", "expiresIn": "60", "withdrawIfCancelled": "true", "ok": None},
])
def test_arguments_are_read_as_some_hosts_send_them(server, arguments):
    result = json.loads(post(server, calling({"title": "T", "wait": 0} | arguments)).body)["result"]
    assert not result["isError"], result
    assert 'name="a"' in page(result["structuredContent"]["link"])
