"""`okcancel hook` and `POST /hook`: a person decides for a coding agent, and everything else decides nothing."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from urllib.parse import quote, urlsplit

import pytest

from Support.channels import Ntfy
from Support.client import JSON, Client, answer, page
from Support.command import BINARY, ROOT, TOKEN, clean, on_path, run
from Support.hooks import AFTER, ALLOW, COMMAND, FIXTURES, STOP, Hook
from Support.listener import Exchange, Listener
from Support.server import Server, free_port
from Support.waiting import wait_until

SUGGESTING = FIXTURES["Claude Code, a command with what else it would like to be allowed"]["event"]
NAMED = "one:ask=token-of-the-first-0123456789,two:ask=token-of-the-second-0123456789," + TOKEN


@pytest.fixture(scope="module")
def server():
    with Server(OKCANCEL_LOG_LEVEL="warning", OKCANCEL_API_TOKEN=NAMED) as server:
        yield server


def asks(server):
    """All asks by their ids, newest last."""
    lines = server.request("GET", "/asks?limit=1000", headers=server.authorized)[1].splitlines()
    return {ask["id"]: ask for ask in map(json.loads, lines)}


def outcome(server, link):
    """How the ask behind this link has ended, once it has."""
    def told():
        status, text = Client(server.url, None).request("POST", urlsplit(link).path, "{", JSON)
        return status == 409 and json.loads(text)["outcome"]

    return wait_until(told)


def is_open(link):
    return Client(link, None).request("GET", urlsplit(link).path)[0] == 200


@pytest.mark.parametrize("name", [each["name"] for each in FIXTURES.values() if "decisions" in each])
@pytest.mark.parametrize("is_remote", [True, False])
def test_a_person_decides(server, name, is_remote):
    fixture = FIXTURES[name]
    for ended, decision in fixture["decisions"]:
        if decision is None:
            continue
        hook = Hook(fixture["event"], server if is_remote else None, host=fixture["host"])
        body = {key: value for key, value in ended.items() if key in ("outcome", "values", "action", "reason")}
        if body["outcome"] != "ok":
            body.pop("values", None)
        status, text = Client(hook.link, None).request("POST", urlsplit(hook.link).path, json.dumps(body), JSON)
        assert status == 200, text
        assert hook.decision() == decision


def test_the_page_shows_what_is_to_be_decided(server):
    hidden = COMMAND | {"tool_input": {"command": "ls \U000E0041\u202e"}}
    for event, shown in ((COMMAND, "rm -rf node_modules"), (hidden, "ls ⟨U+E0041⟩⟨U+202E⟩")):
        hook = Hook(event, server)
        for text in (f"<code>{shown}</code>", "/home/ada/shop", ">Allow<", ">Deny<", "Claude Code: Bash"):
            assert text in page(hook.link)
        answer(hook.link, "outcome=cancel")
        hook.ended()


ONCE, SESSION = "permission_suggestions=once", "permission_suggestions=" + quote("session: Bash(npm test:*), Bash(npm run lint)")


@pytest.mark.parametrize("is_remote", [True, False])
def test_more_than_this_time_is_only_allowed_by_choice(server, is_remote):
    hook = Hook(SUGGESTING, server if is_remote else None)
    shown = page(hook.link)
    assert re.findall(r'<input[^>]* value="([^"]*)" checked', shown) == ["once"]
    assert shown.count("without asking") == 3 and "acceptEdits" not in shown and " data-autofocus" not in shown
    assert hook.said.count("(Bash) was not offered: it does not only add rules that allow calls") == 1
    answer(hook.link, f"outcome=ok&{ONCE}")
    assert hook.decision() == ALLOW


@pytest.mark.parametrize("forbids", ["nobody", "server", "hook", "variable"])
def test_each_side_can_forbid_suggestions(forbids):
    with Server(*["--no-suggestions"] * (forbids == "server"), OKCANCEL_LOG_LEVEL="warning") as server:
        hook = Hook(SUGGESTING, server, *["--no-suggestions"] * (forbids == "hook"),
                    **({"OKCANCEL_NO_SUGGESTIONS": "true"} if forbids == "variable" else {}))
        assert ("without asking" in page(hook.link)) == (forbids == "nobody")
        answer(hook.link, f"outcome=ok&{SESSION}" if forbids == "nobody" else "outcome=ok")
        given = hook.decision()["hookSpecificOutput"]["decision"].get("updatedPermissions")
        assert given == (SUGGESTING["permission_suggestions"][:1] if forbids == "nobody" else None)


@pytest.mark.parametrize("value", ["all", "session: Bash(npm test:*)", "setMode", "localSettings: Bash(npm test:*), Bash(npm run lint)"])
def test_what_was_not_offered_cannot_be_chosen(server, value):
    hook = Hook(SUGGESTING, server)
    answer(hook.link, f"outcome=ok&permission_suggestions={quote(value)}", 422)
    answer(hook.link, "outcome=cancel")
    assert hook.decision()["hookSpecificOutput"]["decision"]["behavior"] == "deny"


def test_what_cannot_be_shown_whole_is_not_asked(server):
    before = len(asks(server))
    for text in ("x" * 65536, "a\rb", "a\0b", "\x1b[2J"):
        hook = Hook(COMMAND | {"tool_input": {"command": text}}, server)
        assert hook.ended() == (0, "") and hook.link is None
    whole = json.dumps(COMMAND).encode()
    for garbage in (b'{"session_id":"\\ud800"' + whole[1:], whole[:-1], whole.replace(b":", b"\xff", 1), b"", b"\0", b"[1]", b"null"):
        assert Hook(garbage, server).ended() == (0, "")
    assert len(asks(server)) == before


def test_nobody_answers_in_time(server):
    hook = Hook(COMMAND, server, "--timeout", 3)
    assert hook.ended() == (0, "")
    assert outcome(server, hook.link) in ("expired", "withdrawn")


@pytest.mark.parametrize("words, token, said", [
    (["--server", f"http://127.0.0.1:{free_port()}"], TOKEN, "cannot be reached"), (["--server", "{}"], "wrong" * 9, "401"),
    (["--server", "{}"], "", "OKCANCEL_API_TOKEN"), (["--server", "{}", "--for", "ada@example.com"], TOKEN, "does not know who its visitors are"),
    (["--notify", "phone"], TOKEN, "needs --server"), (["--timeout", "0"], TOKEN, "--timeout"), (["--hots", "claude"], TOKEN, "--hots"),
    (["--server", "{}", "--host", "gemini"], TOKEN, "--host"),
])
def test_what_goes_wrong_is_said_on_standard_error_alone(server, words, token, said):
    hook = Hook(COMMAND, None, *[word.format(server.url) for word in words], token=token)
    assert hook.ended() == (0, "")
    assert said in hook.said


def test_the_end_of_the_command_withdraws(server):
    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        hook = Hook(COMMAND, server)
        assert is_open(hook.link)
        hook.process.send_signal(sign)
        code, output = hook.ended()
        assert output == "" and code == (-sign if sign == signal.SIGKILL else 0)
        # The server is well, and nobody need be told that it is not.
        assert "server" not in hook.said
        assert outcome(server, hook.link) == "withdrawn"


def test_a_server_that_stops_ends_the_wait_of_a_hook_without_a_decision():
    with Server() as server:
        connection = server.connection()
        connection.request("POST", "/hook?host=claude", json.dumps(COMMAND), JSON | server.authorized)
        wait_until(lambda: asks(server))
        server.process.terminate()
        # In the time that requests have to finish, and not at its end, when what is left gets 503.
        assert connection.getresponse().status == 204
        assert server.ended() == 0


def test_a_closed_connection_withdraws(server):
    before = set(asks(server))
    body = json.dumps(COMMAND)
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
        head = f"POST /hook?host=claude HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
        client.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        [made] = wait_until(lambda: set(asks(server)) - before)
    assert server.call("GET", f"/asks/{made}?wait=50")["outcome"] == "withdrawn"


def test_a_server_that_is_killed_decides_nothing(tmp_path):
    for end in (Server.kill, Server.stop):
        with Server(OKCANCEL_LOG_LEVEL="warning") as server:
            hook = Hook(COMMAND, server)
            end(server)
            assert hook.ended() == (0, "")


def test_what_was_answered_elsewhere_is_withdrawn(tmp_path):
    settings = {"database": tmp_path / "a.sqlite", "OKCANCEL_LOG_LEVEL": "warning", "OKCANCEL_PORT": str(free_port())}
    with Server(**settings) as server:
        first, second, other = Hook(COMMAND, server), Hook(COMMAND, server), Hook(
            COMMAND | {"tool_input": {"command": "ls"}}, server)
        # Of two that are alike, the one that was answered here stands for the first that is over.
        answer(second.link)
        assert second.decision() == ALLOW
        assert Hook(AFTER, server).ended() == (0, "")
        assert is_open(first.link)
        assert Hook(AFTER, server).ended() == (0, "")
        assert first.ended() == (0, "") and outcome(server, first.link) == "withdrawn"
        assert is_open(other.link)
        # A denied one stands for none that was made.
        denied, third = Hook(COMMAND, server), Hook(COMMAND, server)
        answer(denied.link, "outcome=cancel")
        denied.ended()
        Hook(AFTER, server).ended()
        assert third.ended() == (0, "")
        allowed = Hook(COMMAND, server)
        answer(allowed.link)
        assert allowed.decision() == ALLOW
        link = other.link
    # It is known after a restart too, and nothing of another agent ends.
    with Server(**settings) as server:
        assert other.ended() == (0, "")
        fourth = Hook(COMMAND, server)
        Hook(AFTER, server).ended()
        assert is_open(fourth.link) and is_open(link)
        Hook(STOP | {"agent_id": "a-7"}, server).ended()
        Hook(STOP | {"session_id": "c-2"}, server).ended()
        Hook(STOP | {"hook_event_name": "SubagentStop"}, server, host="codex").ended()
        assert is_open(fourth.link) and is_open(link)
        Hook(STOP, server).ended()
        assert fourth.ended() == (0, "") and outcome(server, link) == "withdrawn"


def test_what_came_of_an_allowed_call_is_what_the_host_says(server):
    def allowed(host, command):
        event = COMMAND | {"session_id": f"results of {host}", "tool_input": {"command": command}}
        before = set(asks(server))
        hook = Hook(event, server, host=host)
        [id] = set(asks(server)) - before
        answer(hook.link, "outcome=ok")
        hook.decision()
        return event, id

    def told(event, name, host="claude"):
        after = AFTER | {key: event[key] for key in ("session_id", "tool_input")} | {"hook_event_name": name}
        assert Hook(after, server, host=host).ended() == (0, "")

    for host, name, status in [
            ("claude", "PostToolUse", "done"), ("claude", "PostToolUseFailure", "failed"), ("codex", "PostToolUse", None)]:
        event, id = allowed(host, name)
        assert "result" not in asks(server)[id]
        told(event, name, host)
        assert asks(server)[id].get("result", {}).get("status") == status
    # Nobody can tell which of two identical calls failed.
    (event, one), (_, other) = allowed("claude", "twice"), allowed("claude", "twice")
    told(event, "PostToolUseFailure")
    told(event, "PostToolUse")
    assert not any("result" in asks(server)[id] for id in (one, other))
    # Nor if one of them was decided elsewhere.
    before, event = set(asks(server)), COMMAND | {"session_id": "elsewhere"}
    here, elsewhere = Hook(event, server), Hook(event, server)
    elsewhere.process.kill()
    elsewhere.ended()
    assert outcome(server, elsewhere.link) == "withdrawn"
    answer(here.link)
    assert here.decision() == ALLOW
    told(event, "PostToolUseFailure")
    assert not any("result" in asks(server)[id] for id in set(asks(server)) - before)


def test_events_count_for_the_token_that_asked(server):
    one, two = "token-of-the-first-0123456789", "token-of-the-second-0123456789"
    asked = Hook(COMMAND, server, token=one)
    for event in (AFTER, STOP):
        for token in (two, TOKEN):
            assert Hook(event, server, token=token).ended() == (0, "")
    assert is_open(asked.link)
    Hook(AFTER, server, token=one).ended()
    assert asked.ended() == (0, "") and outcome(server, asked.link) == "withdrawn"


@pytest.mark.parametrize("ending", ["UserPromptSubmit", "SessionEnd"])
def test_the_next_prompt_and_the_end_of_a_session_withdraw_all_of_it(server, ending):
    session = {"session_id": f"s-{ending}"}
    asked = [Hook(COMMAND | session | more, server) for more in ({}, {"agent_id": "a-7"})]
    other = Hook(COMMAND | {"session_id": "another"}, server)
    assert Hook(STOP | session | {"agent_id": "a-8"}, server).ended() == (0, "")
    assert all(is_open(each.link) for each in asked)
    assert Hook(session | {"hook_event_name": ending, "prompt": "go on", "reason": "exit"}, server).ended() == (0, "")
    for each in asked:
        assert each.ended() == (0, "") and outcome(server, each.link) == "withdrawn"
    assert is_open(other.link)
    other.process.terminate()
    other.ended()


class Witness(Exchange):
    """A server that keeps what it is sent."""

    def do_POST(self):
        self.server.taken.append(self.read())
        self.answer(204)


SECRET = "AWS_KEY=s3cr3t"


@pytest.mark.parametrize("event, sent", [
    (AFTER | {"tool_response": {"stdout": SECRET}}, {"hook_event_name", "session_id", "tool_name", "tool_input_digest"}),
    (AFTER | {"tool_input": {"file_path": ".env", "content": SECRET}, "agent_id": "a-1"},
     {"hook_event_name", "session_id", "agent_id", "tool_name", "tool_input_digest"}),
    (STOP | {"last_assistant_message": SECRET}, {"hook_event_name", "session_id"}),
    (STOP | {"hook_event_name": "UserPromptSubmit", "prompt": SECRET}, {"hook_event_name", "session_id"}),
    (COMMAND | {"last_assistant_message": SECRET, "tool_response": SECRET},
     {"session_id", "cwd", "hook_event_name", "tool_name", "tool_input"}),
    (SUGGESTING, {"session_id", "cwd", "hook_event_name", "tool_name", "tool_input", "permission_suggestions"}),
])
def test_only_what_is_needed_leaves_the_machine(event, sent):
    with Listener(Witness) as witness:
        witness.taken = []
        assert Hook(event, witness.url).ended() == (0, "")
        [body] = witness.taken
        assert SECRET not in body.decode() and "acceptEdits" not in body.decode() and set(json.loads(body)) == sent


def test_a_server_that_is_silent_holds_up_nobody(tmp_path):
    """The clock of the file is set back instead of waiting. A hook ends by itself within two seconds or so, or not at all:
    the server never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        silent.setblocking(False)

        def tries(folder):
            """How often the server is tried."""
            done = subprocess.run(
                [BINARY, "hook", "--host", "claude", "--server", url], input=json.dumps(AFTER).encode(),
                env=clean({"OKCANCEL_API_TOKEN": TOKEN, "XDG_RUNTIME_DIR": folder}), capture_output=True, timeout=60)
            assert (done.returncode, done.stdout) == (0, b"")
            count = 0
            with contextlib.suppress(BlockingIOError):
                while True:
                    silent.accept()[0].close()
                    count += 1
            return count

        assert tries(str(tmp_path)) == 1
        assert tries(str(tmp_path)) == 0
        [file] = tmp_path.iterdir()
        for changed in (-31, 3600):
            os.utime(file, times=(time.time() + changed,) * 2)
            assert tries(str(tmp_path)) == 1
        # Nowhere to note it: each tries.
        for folder in ("", str(tmp_path / "none")):
            assert (tries(folder), tries(folder)) == (1, 1)
    # A server that responds again is told at once, after a question has found it.
    with Server(OKCANCEL_LOG_LEVEL="warning", OKCANCEL_PORT=url.rsplit(":", 1)[1]) as server:
        hook = Hook(COMMAND, server, XDG_RUNTIME_DIR=str(tmp_path))
        answer(hook.link)
        assert hook.decision() == ALLOW and not list(tmp_path.iterdir())


def posted(server, event, query="host=claude&timeout=20", **headers):
    return server.request("POST", f"/hook?{query}", event if isinstance(event, str) else json.dumps(event),
                          JSON | server.authorized | headers)


def test_over_http_the_same_events_get_the_same_decisions():
    link = []
    with Server(OKCANCEL_LOG_LEVEL="warning") as server:
        waiting = threading.Thread(target=lambda: link.append(posted(server, COMMAND)))
        waiting.start()
        # Nothing but a channel tells the link: this withdraws it.
        wait_until(lambda: asks(server))
        assert posted(server, AFTER) == (204, "")
        waiting.join(60)
        assert link == [(204, "")]
        assert [ask["outcome"] for ask in asks(server).values()] == ["withdrawn"]
        assert posted(server, COMMAND, "host=claude&timeout=1") == (204, "")
        assert posted(server, {"hook_event_name": "Notification", "session_id": "c-1"}) == (204, "")
        assert posted(server, COMMAND | {"tool_input": {"command": "x" * 65536}}) == (204, "")
        # The result of a call can be long.
        assert posted(server, AFTER | {"tool_response": "x" * (3 << 20)}) == (204, "")
        for skipped in ('"\\ud800"', "[" * 500 + "]" * 500, '{"a": 1, "a": [{}]}', '"\\"]"'):
            assert posted(server, json.dumps(AFTER)[:-1] + f', "more": {skipped}}}') == (204, "")
        for fault in ("[}", "[", '"', '"\n"', '"\\', "{]}", "nul", ""):
            assert posted(server, json.dumps(AFTER)[:-1] + f', "more": {fault}}}')[0] == 400
        for query, code in (("", "wrong-value"), ("host=cursor", "wrong-value"), ("host=claude&timeout=0", "wrong-value"),
                            ("host=claude&tell=me", "unknown-parameter"), ("host=claude&notify=No%20name", "wrong-value"),
                            ("host=claude&for=ada%40example.com", "identity-unknown")):
            status, text = posted(server, COMMAND, query)
            assert (status in (400, 422), json.loads(text)["code"]) == (True, code)
        assert posted(server, "{")[0] == 400
        assert posted(server, COMMAND, Authorization="Bearer " + "x" * 30)[0] == 401
    with Server(token=None, OKCANCEL_API_TOKEN="m:metrics=" + "x" * 30) as server:
        server.authorized = {"Authorization": "Bearer " + "x" * 30}
        assert posted(server, COMMAND)[0] == 403


LONG = "x" * 300_000
FORM = FIXTURES["Claude Code, the form of an MCP server"]["event"]
QUESTIONS = next(each["event"] for each in FIXTURES.values() if each["event"].get("tool_name") == "AskUserQuestion")


@pytest.mark.parametrize("event", [
    *(each | {key: value} for each in (COMMAND, FORM, QUESTIONS)
      for key in ("session_id", "cwd", "agent_id") for value in (LONG, 7, [], None)
      if not (value is None and key != "session_id")),
    COMMAND | {"tool_name": LONG}, COMMAND | {"tool_name": 7}, COMMAND | {"session_id": "s" * 4096},
    COMMAND | {"tool_name": "t" * 201}, COMMAND | {"tool_name": "a\nb"}, COMMAND | {"tool_name": " "},
    FORM | {"mcp_server_name": LONG}, FORM | {"mcp_server_name": "a\nb"}, FORM | {"message": LONG}, FORM | {"message": 7},
    FORM | {"requested_schema": {"fields": []}}, FORM | {"requested_schema": {"buttons": []}},
    FORM | {"requested_schema": FORM["requested_schema"] | {"title": LONG}},
    FORM | {"requested_schema": FORM["requested_schema"] | {"x-okcancel": {"ok": LONG}}},
    FORM | {"requested_schema": {"type": "object", "properties": {f"a{n}": {"type": "string"} for n in range(51)}}},
    FORM | {"requested_schema": {"type": "object", "properties": {"a": {"type": "string", "enum": [LONG]}}}},
    *(QUESTIONS | {"tool_input": {"questions": [{"question": "Which?", "header": "W", "options": [{"label": "a"}]} | changed]}}
      for changed in ({"question": LONG}, {"header": LONG}, {"header": "a\nb"}, {"options": [{"label": LONG}]},
                      {"options": [{"label": "a", "description": LONG}]}, {"options": [{"label": 7}]}, {"options": 7})),
    7, [], {}, {"session_id": LONG},
])
def test_an_event_that_does_not_fit_is_none(server, event):
    before = set(asks(server))
    assert posted(server, event, "host=claude&timeout=1") == (204, "")
    # Nobody was asked in vain.
    assert set(asks(server)) == before


def test_the_phone_rings_and_then_shows_that_it_is_over():
    with Ntfy() as ntfy, Server("--channel", f"phone={ntfy.channel()}", OKCANCEL_LOG_LEVEL="warning") as server:
        decided = []
        waiting = threading.Thread(
            target=lambda: decided.append(posted(server, COMMAND, "host=claude&timeout=50&notify=phone")))
        waiting.start()
        # A hook over HTTP has no other way to a person.
        ntfy.wait_for(lambda taken: len(taken) == 1)
        assert ntfy.taken[0]["title"] == "Claude Code: Bash" and "node_modules" not in ntfy.taken[0]["message"]
        answer(ntfy.taken[0]["click"])
        waiting.join(60)
        assert (decided[0][0], json.loads(decided[0][1])) == (200, ALLOW)
        posted(server, AFTER)
        hook = Hook(COMMAND, server, "--notify", "phone")
        first = ntfy.taken[0]["sequence_id"]
        ntfy.wait_for(lambda taken: any("Done" in each["message"] for each in taken if each["sequence_id"] == first))
        ntfy.wait_for(lambda taken: any(each["sequence_id"] != first for each in taken))
        assert posted(server, AFTER) == (204, "") and hook.ended() == (0, "")
        ntfy.wait_for(lambda taken: "No longer needed" in taken[-1]["message"])
        assert ntfy.taken[-1]["sequence_id"] != first
        unknown = Hook(COMMAND, server, "--notify", "fax")
        assert unknown.ended() == (0, "") and "phone" in unknown.said


def test_answers_of_tests_allow_nothing(tmp_path):
    (tmp_path / "answers.yaml").write_text('"Claude Code: Bash": [{outcome: ok}]\n')
    with Server("--answers", tmp_path / "answers.yaml") as server:
        assert Hook(COMMAND, server).ended() == (0, "")
        assert [ask["outcome"] for ask in asks(server).values()] == ["ok"]


@pytest.mark.parametrize("event, why", [
    (COMMAND | {"tool_input": {"command": "a\rb"}}, "(Bash): a carriage return"),
    (COMMAND | {"tool_input": {"command": "x" * 65536}}, "(Bash): "),
    (COMMAND | {"tool_name": "ExitPlanMode", "tool_input": {}}, "(ExitPlanMode): its plan is in a file"),
    (COMMAND | {"session_id": ""}, "cannot be read"),
    (FORM | {"mode": "url"}, "(Elicitation): it is not a form"),
])
def test_what_is_not_asked_leaves_a_line_with_the_reason(event, why, tmp_path):
    lines = lambda text: [line for line in text.splitlines() if "nobody was asked" in line and why in line]
    own = Hook(event)
    assert own.ended() == (0, "") and own.link is None and len(lines(own.said)) == 1, own.said
    with Server() as server:
        assert posted(server, event) == (204, "")
        assert posted(server, AFTER) == (204, "")
        server.stop()
    assert len(lines(server.log.text)) == 1 and server.log.text.count("nobody was asked") == 1


class Liar(Exchange):
    """A server that responds with `words`, though nobody has decided."""

    def do_POST(self):
        self.read()
        head, body = self.server.words
        self.wfile.write(head.encode() + b"\r\nConnection: close\r\n\r\n" + body.encode())


DECISION = "event: decision\ndata: " + json.dumps(ALLOW)
MORE = json.dumps({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {
    "behavior": "allow", "updatedPermissions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}}})
STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream"


@pytest.mark.parametrize("words", [
    ("HTTP/1.1 200 OK\r\nContent-Type: application/json", json.dumps(ALLOW)), ("HTTP/1.1 500 No", DECISION + "\n\n"),
    (STREAM, DECISION), (STREAM, DECISION + "\n"), (STREAM, DECISION[:-1] + "\n\n"), (STREAM, "data: " + json.dumps(ALLOW) + "\n\n"),
    (STREAM + "\r\nContent-Length: 900", DECISION + "\n\n"), (STREAM + "\r\nTransfer-Encoding: chunked", "9\r\n" + DECISION),
    ("HTTP/1.1 302 Found\r\nLocation: /", ""), ("", "allow"), (STREAM, f"event: decision\ndata: {MORE}\n\n"), (STREAM, 'event: decision\ndata: "allow"\n\n'),
])
def test_a_response_that_is_not_whole_decides_nothing(words):
    with Listener(Liar) as liar:
        liar.words = words
        assert Hook(SUGGESTING, liar.url).ended() == (0, "")


@pytest.mark.parametrize("host", ["claude", "codex", "copilot"])
def test_install_prints_settings_that_run_the_hook(server, host, tmp_path):
    words = ["--server", server.url, "--timeout", "30"]
    printed = run("hook", "--install", host, *words)
    assert printed.returncode == 0 and "okcancel: add this to ~/." in printed.stderr
    settings = json.loads(printed.stdout)
    asking = settings["hooks"]["permissionRequest" if host == "copilot" else "PermissionRequest"][0]
    handler = asking if host == "copilot" else asking["hooks"][0]
    assert handler["timeoutSec" if host == "copilot" else "timeout"] == 40
    event = next(each for each in FIXTURES.values() if each["host"] == host and each["is"] == "question")["event"]
    process = subprocess.Popen(
        ["sh", "-c", handler["bash" if host == "copilot" else "command"]], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=clean({"OKCANCEL_API_TOKEN": TOKEN, "PATH": on_path(tmp_path)}))
    process.stdin.write(json.dumps(event))
    process.stdin.close()
    process.stdin = None
    answer(next(line for line in process.stderr if line.startswith("Answer at")).split()[-1])
    assert '"behavior":"allow"' in process.communicate(timeout=60)[0]
    assert " --no-suggestions" in run("hook", "--install", host, "--no-suggestions").stdout
    quoted = run("hook", "--install", host, "--for", "group:it's me", "--server", "https://ask.example.com").stdout
    assert re.search(r"--for 'group:it'\\\\''s me'", quoted)


@pytest.mark.parametrize("words, said", [
    (["--host", "codex"], "--install names the host already; leave --host out"), (["--notify", "phone"], "--notify needs --server"),
    (["--for", "ada@example.com"], "--for needs --server"),
])
def test_settings_that_could_never_work_are_not_printed(words, said):
    refused = run("hook", "--install", "claude", *words)
    assert (refused.returncode, refused.stdout) == (64, "") and said in refused.stderr
