"""Every message of `okcancel mcp`, held against the SDK's models; and whatever comes in, nothing else goes out."""

import json
import queue
import re
import subprocess
import sys
import threading

import pytest
from Support.client import answer
from Support.command import BINARY, ROOT, clean
from Support.documentation import Page
from Support.server import Server
from Support.waiting import wait_until
from sdk import MAJOR, once

URLS = {"elicitation": {"url": {}}}
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
APPROVAL = {"title": "Deploy?"}


class Process:
    """`okcancel mcp WORDS…`, line by line. `sent` are the methods of requests by their ids."""

    def __init__(self, *words, version=None, capabilities={}, **environment):
        self.process = subprocess.Popen(
            [BINARY, "mcp", *map(str, words)], cwd=ROOT, env=clean(environment), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.received, self.sent, self.count = queue.Queue(), [], {}, 0
        self.version, self.capabilities = version, capabilities
        self.errors = []
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        if version and version < "2026":
            self.request("initialize", protocolVersion=version, capabilities=capabilities, clientInfo={
                "name": "test", "version": "1"})
            self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(60)

    def write(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self):
        message = json.loads(self.lines.get(timeout=60))
        assert message["jsonrpc"] == "2.0"
        self.received.append(message)
        return message

    def send(self, method, **params):
        self.count += 1
        if self.version and self.version > "2026":
            params["_meta"] = params.get("_meta", {}) | {
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities}
        self.sent[self.count] = method
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}).encode())
        return self.count

    def until(self, id):
        while True:
            message = self.read()
            if message.get("id") == id and "method" not in message:
                return message

    def request(self, method, **params):
        return self.until(self.send(method, **params))

    def call(self, tool, arguments={}, **more):
        return self.request("tools/call", name=tool, arguments=arguments, **more)["result"]


def validate(process):
    """Holds all that was received against the models of this SDK."""
    if MAJOR == 1:
        from mcp import types
        results = {
            "initialize": types.InitializeResult, "tools/list": types.ListToolsResult, "tools/call": types.CallToolResult,
            "tasks/get": types.GetTaskResult, "tasks/result": types.CallToolResult, "tasks/cancel": types.CancelTaskResult}
        for message in process.received:
            types.JSONRPCMessage.model_validate(message)
            if message.get("method") == "elicitation/create":
                types.ServerRequest.model_validate({key: message[key] for key in ("method", "params")})
            elif "method" in message:
                types.ServerNotification.model_validate({key: message[key] for key in ("method", "params")})
            elif "result" in message:
                model = results.get(process.sent[message["id"]], types.EmptyResult)
                (types.CreateTaskResult if "task" in message["result"] else model).model_validate(message["result"])
    else:
        from mcp_types import methods
        from mcp_types.jsonrpc import JSONRPCMessage
        from pydantic import TypeAdapter
        for message in process.received:
            TypeAdapter(JSONRPCMessage).validate_python(message)
            version = process.version
            if "result" in message:
                # Tasks have no models here: they are an extension.
                model = methods.SERVER_RESULTS.get((process.sent[message["id"]], version))
                if model and "task" not in message["result"] and message["result"].get("resultType") != "task":
                    TypeAdapter(model).validate_python(message["result"])
            elif "method" in message:
                table = methods.SERVER_REQUESTS if "id" in message else methods.SERVER_NOTIFICATIONS
                table[message["method"], version].model_validate(message)


VERSIONS = ["2025-06-18", "2025-11-25"] + (["2026-07-28"] if MAJOR == 2 else [])


@pytest.mark.parametrize("version", VERSIONS)
def test_every_message_is_as_the_models_say(version):
    with Process("Examples", version=version) as process:
        if version > "2026":
            assert process.request("server/discover")["result"]["supportedVersions"] == [
                "2026-07-28", "2025-11-25", "2025-06-18"]
        else:
            process.request("ping")
        process.request("tools/list")
        process.call("list_prompts")
        opened = process.call("ask_person", APPROVAL | {"wait": 0})["structuredContent"]
        process.call("ask_outcome", {"id": opened["id"], "wait": 1}, _meta={"progressToken": "token"})
        process.call("ask_person", {"titel": 1})
        process.request("tools/call", name="none")
        process.request("prompts/list")
        answer(opened["link"])
        assert process.call("ask_outcome", {"id": opened["id"]})["structuredContent"]["outcome"] == "ok"
        assert process.call("withdraw_ask", {"id": opened["id"]})["structuredContent"]["outcome"] == "ok"
        validate(process)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_client_that_takes_urls_is_asked_to_open_the_link(version):
    with Process(version=version, capabilities=URLS) as process:
        if version > "2026":
            required = process.call("ask_person", APPROVAL)
            assert required["resultType"] == "input_required"
            link = required["inputRequests"]["link"]["params"]["url"]
            call = process.send(
                "tools/call", name="ask_person", arguments=APPROVAL, inputResponses={"link": {"action": "accept"}})
        else:
            call = process.send("tools/call", name="ask_person", arguments=APPROVAL)
            request = process.read()
            link = request["params"]["url"]
            process.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"action": "accept"}}).encode())
        answer(link)
        result = process.until(call)["result"]
        assert result["structuredContent"]["outcome"] == "ok"
        assert link not in json.dumps(result)
        assert (version > "2026") != any(
            message.get("method") == "notifications/elicitation/complete" for message in process.received)
        validate(process)


def test_an_ask_is_a_task_of_2025_11_25():
    with Process(version="2025-11-25") as process:
        created = process.call("ask_person", APPROVAL, task={"ttl": 60000})
        task = created["task"]
        assert task["status"] == "working"
        assert process.request("tasks/get", taskId=task["taskId"])["result"]["status"] == "working"
        link = re.search(r"http\S+", created["_meta"]["io.modelcontextprotocol/model-immediate-response"])[0]
        waiting = process.send("tasks/result", taskId=task["taskId"])
        answer(link)
        result = process.until(waiting)["result"]
        assert result["structuredContent"]["outcome"] == "ok"
        assert result["_meta"]["io.modelcontextprotocol/related-task"] == {"taskId": task["taskId"]}
        assert process.request("tasks/get", taskId=task["taskId"])["result"]["status"] == "completed"
        assert process.request("tasks/cancel", taskId=task["taskId"])["error"]["code"] == -32602
        other = process.call("ask_person", {"title": "Other?"}, task={})["task"]["taskId"]
        assert process.request("tasks/cancel", taskId=other)["result"]["status"] == "cancelled"
        assert process.request("tasks/get", taskId="none")["error"]["code"] == -32602
        assert process.request("tools/call", name="list_prompts", task={})["error"]["code"] == -32601
        validate(process)


@pytest.mark.skipif(MAJOR == 1, reason="of 2026-07-28")
def test_an_ask_is_a_task_of_the_extension():
    with Process(version="2026-07-28", capabilities=TASKS) as process:
        task = process.call("ask_person", APPROVAL)
        assert (task["resultType"], task["status"]) == ("task", "working")
        assert process.request("tasks/get", taskId=task["taskId"])["result"]["status"] == "working"
        assert process.request("tasks/update", taskId=task["taskId"], inputResponses={})["result"] == {"resultType": "complete"}
        answer(re.search(r"http\S+", task["statusMessage"])[0])
        done = process.request("tasks/get", taskId=task["taskId"])["result"]
        assert done["status"] == "completed" and done["result"]["structuredContent"]["outcome"] == "ok"
        process.capabilities = {}
        assert process.request("tasks/get", taskId=task["taskId"])["error"]["code"] == -32021
        validate(process)


@once
def test_a_cancelled_call_withdraws_only_if_it_says_so():
    with Process(version="2025-06-18") as process:
        for withdraws in (True, False):
            question = {"title": f"Deploy {withdraws}?", "wait": 60, "withdrawIfCancelled": withdraws}
            opened = process.call("ask_person", question | {"wait": 0})["structuredContent"]
            process.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
                "requestId": process.send("tools/call", name="ask_person", arguments=question)}}).encode())
            found = process.call("ask_outcome", {"id": opened["id"], "wait": 50 if withdraws else 0})["structuredContent"]
            assert found.get("outcome") == ("withdrawn" if withdraws else None)


ANNOTATED = {"type": "object", "properties": {"name": {"type": "string", "ui:widget": "textarea"}}}


def test_an_agent_asks_through_a_server():
    with Server("Examples") as server:
        words = {"version": "2025-11-25", "OKCANCEL_API_TOKEN": server.token}
        with Process("--server", server.url, **words) as process:
            assert len(process.call("list_prompts")["structuredContent"]["prompts"]) > 3
            opened = process.call("ask_person", {"prompt": "email"})["structuredContent"]
            assert opened["link"].startswith(server.url)
            assert process.call("ask_person", {"prompt": "email", "wait": 0})["structuredContent"]["id"] == opened["id"]
            waiting = process.send("tools/call", name="ask_outcome", arguments={"id": opened["id"]})
            answer(opened["link"], "email=ann%40example.com")
            assert process.until(waiting)["result"]["structuredContent"]["values"] == {"email": "ann@example.com"}
            assert "did you mean" in process.call("ask_person", {"prompt": "emial"})["content"][0]["text"]
            asked = process.call("ask_person", APPROVAL, task={})["task"]["taskId"]
            assert process.request("tasks/cancel", taskId=asked)["result"]["status"] == "cancelled"
            warned = process.call("ask_person", {"title": "Name?", "schema": ANNOTATED, "wait": 0})["structuredContent"]["warnings"]
            assert len(warned) == 1 and "ui:widget" in warned[0] and warned[0].startswith("at schema/properties/name")
            validate(process)
        with Process("--server", server.url, version="2025-11-25", OKCANCEL_API_TOKEN="wrong-token-of-22-characters") as process:
            assert "token" in process.call("ask_person", APPROVAL)["content"][0]["text"]


@once
def test_a_wait_may_be_longer_than_the_patience_with_a_server_that_is_away():
    with Server("Examples") as server:
        with Process("--server", server.url, version="2025-11-25", OKCANCEL_API_TOKEN=server.token) as process:
            opened = process.call("ask_person", APPROVAL | {"wait": 0})["structuredContent"]
            waited = process.call("ask_outcome", {"id": opened["id"], "wait": 14})["structuredContent"]
            assert waited["status"] == "open"


@once
def test_an_answer_right_after_a_cancelled_call_is_found_by_the_same_call():
    with Server("Examples") as server:
        words = {"version": "2025-11-25", "OKCANCEL_API_TOKEN": server.token}
        with Process("--server", server.url, **words) as process:
            opened = process.call("ask_person", APPROVAL)["structuredContent"]
            waiting = process.send("tools/call", name="ask_person", arguments=APPROVAL | {"wait": 50})
            wait_until(lambda: server.waiters == 1)
            process.write(json.dumps({
                "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}}).encode())
            process.request("ping")
            answer(opened["link"])
            found = process.call("ask_person", APPROVAL)["structuredContent"]
            assert (found["id"], found["outcome"]) == (opened["id"], "ok")
            assert process.call("ask_person", APPROVAL)["structuredContent"]["id"] != opened["id"]


@once
def test_the_end_of_the_input_waits_for_running_calls_and_open_questions():
    with Process(version="2025-06-18") as process:
        opened = process.call("ask_person", APPROVAL)["structuredContent"]
        waiting = process.send("tools/call", name="ask_outcome", arguments={"id": opened["id"]})
        process.call("list_prompts")
        process.process.stdin.close()
        answer(opened["link"])
        assert process.until(waiting)["result"]["structuredContent"]["outcome"] == "ok"
        assert process.process.wait(60) == 0
    with Process(version="2025-06-18") as process:
        opened = process.call("ask_person", APPROVAL)["structuredContent"]
        process.process.stdin.close()
        answer(opened["link"])
        assert process.process.wait(60) == 0


CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_person", "arguments": {
    "title": "T", "fields": [{"name": "a", "rules": [{"pattern": "[a-z]+"}]}], "wait": 0}, "_meta": {"progressToken": 7}}}).encode()
# A message without its last bytes, for each of them, and with one that is no text; bytes of all kinds for a whole message.
LINES = [CALL[:end] for end in range(len(CALL))] + [CALL[:at] + b"\xff" + CALL[at + 1:] for at in range(len(CALL))] + [
    b"[" * 4000, b"x" * 5_000_000, b'{"jsonrpc":"2.0","id":9,"method":"' + b"y" * 250_000 + b'"}', b"", b"\r", b"\xff\xfe", b"\x00",
    b"[" + CALL + b"]", b'{"jsonrpc":"2.0","id":"okcancel-1","result":{"action":"accept"}}']


@once
def test_no_input_ends_the_process_or_breaks_the_lines():
    """`DoorFuzz` changes messages at random; here it is about lines."""
    with Process(version="2025-11-25", capabilities=URLS) as process:
        for line in LINES:
            process.write(line)
        process.process.stdin.write(b'{"jsonrpc":"2.0","id":"last","method":"ping"}\r\n')
        process.process.stdin.flush()
        while process.read().get("id") != "last":
            pass
        assert process.process.poll() is None
        for message in process.received:
            assert ("method" in message) != ("result" in message or "error" in message), message
            assert b"\n" not in json.dumps(message).encode()
        if MAJOR == 2:
            from mcp_types.jsonrpc import JSONRPCMessage
            from pydantic import TypeAdapter
            for message in process.received:
                TypeAdapter(JSONRPCMessage).validate_python(message)


@pytest.mark.skipif(MAJOR == 1, reason="the example is for 2.x")
def test_the_pages_example_with_the_sdk_asks(tmp_path):
    (tmp_path / "okcancel").symlink_to(BINARY)
    program = subprocess.Popen(
        [sys.executable, "-c", Page("agents.md").example("python", "from mcp import").replace(
            'command="okcancel"', f'command="{tmp_path}/okcancel"')], stdout=subprocess.PIPE, text=True)
    answer(program.stdout.readline().split()[-1])
    assert program.communicate(timeout=60)[0] == "ok\n"
