"""What the protocol asks of every server over HTTP, of sessions and without: what public conformance suites look at."""

import json
import re
import threading
from http.client import HTTPConnection

import jsonschema
import pytest
from Support.client import JSON, answer
from Support.waiting import wait_until
from sdk import once
from test_http import calling, initialize, mirrored, modern, post

pytestmark = once
URL = {"elicitation": {"url": {}}}
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


def told(response):
    """The message that answers a request, whether it comes alone or in a stream."""
    if response.headers["Content-Type"].startswith("text/event-stream"):
        return events(response)[-1]
    return json.loads(response.body)


def events(response):
    return [json.loads(line.removeprefix(b"data: ")) for line in response.body.splitlines() if line.startswith(b"data: ")]


def stateless(server, method, capabilities={}, id="a", headers={}, **params):
    """A request as from 2026-07-28 on: its status and the message that answers it."""
    name = params.get("name") if method == "tools/call" else params.get("taskId")
    message = modern(method, capabilities=capabilities, **params) | {"id": id}
    response = post(server, message, **mirrored(method, name) | headers)
    return response.status, told(response)


def result(server, method, capabilities={}, **params):
    status, message = stateless(server, method, capabilities, **params)
    assert status == 200 and "error" not in message, message
    return message["result"]


def code(answered, status):
    """The code of the error that a request got, with its own id."""
    assert answered[0] == status and answered[1]["id"] == "a", answered
    return answered[1]["error"]["code"]


# MARK: Sessions


@pytest.mark.parametrize("wanted, spoken", [
    ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("2024-11-05", "2025-11-25"),
    ("1.0", "2025-11-25")])
def test_initialize_agrees_on_a_version_and_names_a_session(server, wanted, spoken):
    message = initialize()
    message["params"]["protocolVersion"] = wanted
    response = post(server, message, Accept="application/json, text/event-stream")
    agreed, session = told(response)["result"], response.headers["Mcp-Session-Id"]
    assert agreed["protocolVersion"] == spoken and "tools" in agreed["capabilities"]
    assert agreed["serverInfo"]["name"] and agreed["serverInfo"]["version"]
    assert re.fullmatch("[!-~]+", session)
    headers = {"Mcp_Session_Id": session, "MCP_Protocol_Version": spoken}
    assert post(server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **headers).status == 202
    for method in ("GET", "DELETE"):
        # There is no stream to listen to, and nothing is kept of a session that could be ended.
        refused = server.exchange(method, "/mcp", None, server.authorized | {"Mcp-Session-Id": session, "Accept": "text/event-stream"})
        assert refused.status == 405 and "POST" in refused.headers["Allow"]
    pinged = told(post(server, {"jsonrpc": "2.0", "id": "123", "method": "ping"}, **headers))
    assert pinged == {"jsonrpc": "2.0", "id": "123", "result": {}}


def test_a_link_is_brought_only_by_a_client_that_says_so(server):
    question = {"title": "Deploy?", "wait": 0}
    for capabilities, brings in ((URL["elicitation"], True), ({}, False), ({"form": {}}, False)):
        session = post(server, initialize(elicitation=capabilities)).headers["Mcp-Session-Id"]
        message = told(post(server, calling(question), Mcp_Session_Id=session))
        assert ("error" in message) is brings and (not brings or message["error"]["code"] == -32042), message


# MARK: Tools


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_tools_have_names_descriptions_and_schemas(server, version):
    if version > "2026":
        listed = result(server, "tools/list")
        assert listed["cacheScope"] in ("public", "private") and type(listed["ttlMs"]) is int and listed["ttlMs"] >= 0
    else:
        listed = told(post(server, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, MCP_Protocol_Version=version))["result"]
    assert len(listed["tools"]) > 3
    for tool in listed["tools"]:
        assert re.fullmatch(r"[A-Za-z0-9_./-]{1,64}", tool["name"]) and tool["description"]
        for key in ("inputSchema", "outputSchema"):
            if key in tool:
                assert tool[key]["type"] == "object"
                jsonschema.Draft202012Validator.check_schema(tool[key])


def test_a_call_returns_text_and_what_a_model_did_wrong_is_no_error_of_the_protocol(server):
    listed = result(server, "tools/call", name="list_prompts")
    assert listed["resultType"] == "complete" and listed["isError"] is False
    assert json.loads(listed["content"][0]["text"]) == listed["structuredContent"]
    wrong = result(server, "tools/call", name="ask_person", arguments={})
    assert wrong["isError"] is True and wrong["content"][0]["text"]
    assert code(stateless(server, "tools/call", name="none"), 200) == -32602


def test_several_streams_at_a_time_each_get_their_own_answer(server):
    asks = [told(post(server, calling({"title": f"{number}?", "key": f"stream {number}", "wait": 0})))["result"]["structuredContent"] for number in range(4)]
    streams = {}

    def wait(number, id):
        call = modern("tools/call", name="ask_outcome", arguments={"id": asks[number]["id"], "wait": 50}) | {"id": id}
        call["params"]["_meta"]["progressToken"] = id
        streams[id] = post(server, call, **mirrored("tools/call", "ask_outcome"), Accept="application/json, text/event-stream")

    waiting = [threading.Thread(target=wait, args=(number, f"id {number}")) for number in range(4)]
    for thread in waiting:
        thread.start()
    wait_until(lambda: server.waiters == 4)
    for ask in reversed(asks):
        answer(ask["link"])
    for thread in waiting:
        thread.join(60)
    for number, ask in enumerate(asks):
        response = streams[f"id {number}"]
        assert response.headers["Content-Type"].startswith("text/event-stream")
        *notices, last = events(response)
        # Neither requests of the server nor a log that nobody asked for.
        assert {notice["method"] for notice in notices} == {"notifications/progress"}
        assert {notice["params"]["progressToken"] for notice in notices} == {f"id {number}"}
        progress = [notice["params"]["progress"] for notice in notices]
        assert progress == sorted(set(progress))
        assert last["id"] == f"id {number}" and last["result"]["structuredContent"]["id"] == ask["id"]


# MARK: 2026-07-28


def test_discover_says_what_there_is_and_everything_else_is_not_there(server):
    found = result(server, "server/discover")
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] and "tasks" not in found["capabilities"]
    assert set(found["capabilities"]) == {"tools", "extensions"} and "2026-07-28" in found["supportedVersions"]
    for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "prompts/list",
                   "prompts/get", "resources/list", "resources/read", "resources/templates/list", "completion/complete",
                   "subscriptions/listen", "tasks/result", "tasks/list", "unknown/method"):
        assert code(stateless(server, method, TASKS, taskId="x"), 404) == -32601, method
    unknown = stateless(server, "server/discover", headers={"MCP_Protocol_Version": "v999.0.0"})
    assert code(unknown, 400) == -32020
    message = modern("server/discover", version="v999.0.0") | {"id": "a"}
    refused = post(server, message, **mirrored("server/discover") | {"MCP_Protocol_Version": "v999.0.0"})
    assert code((refused.status, told(refused)), 400) == -32022
    data = told(refused)["error"]["data"]
    assert data["requested"] == "v999.0.0" and set(data["supported"]) <= set(found["supportedVersions"])


@pytest.mark.parametrize("missing", [
    None, "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"])
def test_a_request_says_what_its_client_is(server, missing):
    message = modern("server/discover") | {"id": "a"}
    if missing:
        del message["params"]["_meta"][missing]
    else:
        message["params"] = {}
    refused = post(server, message, **mirrored("server/discover"))
    assert code((refused.status, told(refused)), 400) == -32602


LIST, CALL = modern("tools/list"), modern("tools/call", name="list_prompts")


@pytest.mark.parametrize("message, headers, status", [
    (LIST, {"mcp-method": "tools/list"}, 200), (LIST, {"MCP-METHOD": "tools/list"}, 200), (LIST, {"Mcp-Method": " tools/list\t"}, 200),
    (LIST, {"Mcp-Method": "TOOLS/LIST"}, 400), (LIST, {"Mcp-Method": "prompts/list"}, 400), (LIST, {}, 400),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "  list_prompts  "}, 200),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?bGlzdF9wcm9tcHRz?="}, 200),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?bGlzdF9wcm9tcHR?="}, 400),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "=?base64?bGlz!!!dF9wcm9tcHRz?="}, 400),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "bGlzdF9wcm9tcHRz"}, 400),
    (CALL, {"Mcp-Method": "tools/call", "Mcp-Name": "List_Prompts"}, 400), (CALL, {"Mcp-Method": "tools/call"}, 400),
])
def test_headers_say_what_the_body_says(server, message, headers, status):
    response = server.exchange("POST", "/mcp", json.dumps(message), JSON | server.authorized | {"MCP-Protocol-Version": "2026-07-28"} | headers)
    assert response.status == status and ("error" in told(response)) is (status == 400), response.body
    assert status == 200 or told(response)["error"]["code"] == -32020


def test_a_client_brings_its_user_to_a_link_and_says_so(server):
    question = {"name": "ask_person", "arguments": {"title": "Deploy?", "wait": 0}}
    first = result(server, "tools/call", URL, **question)
    assert first["resultType"] == "input_required"
    ((key, request),) = first["inputRequests"].items()
    assert request["method"] == "elicitation/create" and request["params"]["mode"] == "url"
    state = {"requestState": first["requestState"]}
    for given in ({"inputResponses": {"wrong": {"action": "accept"}}}, {"inputResponses": None}, {}):
        again = result(server, "tools/call", URL, **question, **state, **given)
        assert again["resultType"] == "input_required" and again["inputRequests"] == first["inputRequests"]
    accepted = {"inputResponses": {key: {"action": "accept"}, "more": {"action": "accept"}, "other": 1}}
    tampered = stateless(server, "tools/call", URL, **question, **accepted, requestState=state["requestState"] + "x")
    assert code(tampered, 200) == -32602
    opened = result(server, "tools/call", URL, **question, **accepted, **state)
    assert opened["resultType"] == "complete" and opened["structuredContent"]["status"] == "open"
    for capabilities in ({}, {"sampling": {}}, {"elicitation": {"form": {}}}):
        assert result(server, "tools/call", capabilities, **question)["resultType"] == "complete"


def test_a_task_is_flat_and_for_clients_that_take_tasks(server):
    question = {"name": "ask_person", "arguments": {"title": "Deploy?"}}
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        refused = stateless(server, method, taskId="x", inputResponses={})
        assert code(refused, 400) == -32021
        assert "io.modelcontextprotocol/tasks" in refused[1]["error"]["data"]["requiredCapabilities"]["extensions"]
    # The parameter of an earlier revision makes no task.
    sync = result(server, "tools/call", **question, task={"ttl": 1})
    assert sync["resultType"] == "complete" and sync["content"] and not {"task", "taskId"} & set(sync)
    made = [result(server, "tools/call", TASKS, **question) for _ in range(2)]
    for task in made:
        assert task["resultType"] == "task" and task["status"] == "working" and task["ttlMs"] is None and task["pollIntervalMs"] > 0
        assert not {"task", "ttl", "pollInterval", "result", "error", "inputRequests", "requestState"} & set(task)
        assert re.match(r"\d{4}-\d\d-\d\dT", task["createdAt"]) and re.match(r"\d{4}-\d\d-\d\dT", task["lastUpdatedAt"])
        got = result(server, "tasks/get", TASKS, taskId=task["taskId"])
        assert (got["resultType"], got["taskId"], got["status"]) == ("complete", task["taskId"], "working")
    one, other = (task["taskId"] for task in made)
    answer(re.search(r"https?://\S+", made[0]["statusMessage"])[0])
    done = result(server, "tasks/get", TASKS, taskId=one)
    assert done["status"] == "completed" and done["result"]["content"] and done["result"]["isError"] is False
    assert not {"requestState"} & set(done) and "related-task" not in json.dumps(done["result"])
    for _ in range(2):
        assert set(result(server, "tasks/cancel", TASKS, taskId=other)) == {"resultType"}
    assert result(server, "tasks/get", TASKS, taskId=other)["status"] == "cancelled"
    assert code(stateless(server, "tasks/get", TASKS, taskId="01890000000000000000000000"), 200) == -32602
    assert code(stateless(server, "tasks/get", TASKS, taskId=one, headers={"Mcp_Name": other}), 400) == -32020


# MARK: Other pages


@pytest.mark.parametrize("message, headers", [
    (initialize(), {"MCP-Protocol-Version": "2025-11-25"}),
    (modern("server/discover"), {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"})])
def test_a_page_that_rebinds_its_name_to_this_machine_gets_nothing(server, message, headers):
    def status(host, origin=None, token=True):
        connection = HTTPConnection("127.0.0.1", server.port)
        sent = JSON | headers | (server.authorized if token else {}) | {"Host": host, "Origin": origin or f"http://{host}"}
        return server.exchange("POST", "/mcp", json.dumps(message), sent, connection).status

    for host in ("localhost", "127.0.0.1", "[::1]"):
        assert status(f"{host}:{server.port}") == 200
        assert 400 <= status(f"{host}:{server.port}", "http://evil.example.com") < 500
    assert 400 <= status("evil.example.com", token=False) < 500
