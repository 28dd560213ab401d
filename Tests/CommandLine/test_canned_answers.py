"""`okcancel serve --answers`: a server that answers asks by itself, and what `Documentation/testing.md` says of it."""

import json
import subprocess
import sys

import pytest

from Support.command import ROOT, TOKEN, clean, on_path, run
from Support.documentation import Page
from Support.receiver import Receiver
from Support.server import Server

PAGE = Page("testing.md")
ACTION = {"title": "Sign in", "buttons": [
    {"title": "Forgot", "role": "action", "name": "forgot", "validates": False}, {"title": "OK", "role": "ok"}]}


@pytest.fixture
def serving(tmp_path):
    """Serves with these answers."""
    def serve(answers, *words, **more):
        (tmp_path / "answers.yaml").write_text(answers)
        return Server("Examples", "--answers", tmp_path / "answers.yaml", *words, **more)
    return serve


def ended(server, **asked):
    """How an ask ends, without its times."""
    ask = server.call("POST", "/asks", asked)
    closed = server.call("GET", f"/asks/{ask['id']}?wait=50")
    return {key: closed.get(key) for key in ("outcome", "action", "reason", "values", "by") if key in closed}


def left_open(server, ask):
    return server.call("GET", f"/asks/{ask['id']}?wait=0")["status"] == "open"


def test_a_list_of_canned_answers_is_used_up_in_order(serving):
    with serving("""
email:
  - {values: {email: ann@example.com}, id: ada@example.com}
  - outcome: cancel
    delay: 300ms
Sign in: [{outcome: action, action: forgot}, {}]
Deploy?: [{outcome: cancel, reason: Not today}]
""") as server:
        assert server.log.wait_for("a machine answers every question: this server is for tests")
        assert ended(server, prompt="email") == {
            "outcome": "ok", "values": {"email": "ann@example.com"}, "by": {"id": "ada@example.com", "via": "test"}}
        assert ended(server, prompt="email") == {"outcome": "cancel", "by": {"via": "test"}}
        assert ended(server, definition=ACTION) == {"outcome": "action", "action": "forgot", "by": {"via": "test"}}
        assert ended(server, definition=ACTION) == {"outcome": "ok", "values": {}, "by": {"via": "test"}}
        assert ended(server, definition={"title": "Deploy?", "cancel": {"reason": "required"}}) == {
            "outcome": "cancel", "reason": "Not today", "by": {"via": "test"}}
        last = server.ask()
        assert server.log.wait_for("no answer is left to “Your Email”; the ask stays open").endswith(f"ask={last['id']}")
        other = server.call("POST", "/asks", {"definition": {"title": "What?"}})
        server.log.wait_for("there is no answer to “What?”; the ask stays open")
        assert left_open(server, last) and left_open(server, other)
        # A person can still answer it.
        server.answer(last)
        kept = json.loads(server.kept(last))
        assert (kept["outcome"], kept["by"]) == ("ok", {"via": "link"})


@pytest.mark.parametrize("answer, says", [
    ("values: {email: ann}", "Enter an email address, like name@example.com"),
    ("values: {emial: a@b.c}", "did you mean `email`?"),
    ("values: {email: [a]}", "at values/email"),
    ("{}", "Enter your email address"),
    ("{outcome: action, action: later}", "this prompt has no actions"),
])
def test_a_canned_answer_that_no_person_could_give_is_refused(serving, answer, says):
    with serving(f"email:\n  - {answer}\n  - values: {{email: a@b.cd}}\n") as server:
        ask = server.ask()
        line = server.log.wait_for("the answer to “Your Email” is refused, and the ask stays as it is: ")
        assert says.replace("at values/email", "email") in line and line.endswith(f"ask={ask['id']}"), line
        assert left_open(server, ask)
        assert ended(server, prompt="email")["outcome"] == "ok"


def test_a_canned_answer_is_only_taken_from_somebody_who_may_answer(tmp_path):
    (tmp_path / "answers.yaml").write_text(
        "for-ada: [{id: eve}, {}, {id: bob}, {id: ada}]\nMerge?: [{}, {id: Eve}, {id: ada}]\n")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/for-ada.yaml").write_text("title: Deploy?\nfor: [ada, bob]\nnotBy: [bob]\n")
    words = ["--identity-header", "Remote-User", "--trust-proxy", "127.0.0.1", "--answers", tmp_path / "answers.yaml"]
    with Server(tmp_path / "prompts", *words, "--answers-from-anywhere") as server:
        for _ in range(3):
            ask = server.call("POST", "/asks", {"prompt": "for-ada"})
            assert server.log.wait_for("the answer to “Deploy?” is refused").endswith(f"ask={ask['id']}")
            assert left_open(server, ask)
        assert ended(server, prompt="for-ada")["by"] == {"id": "ada", "via": "test"}
        # On a page, too, nobody without a name answers what somebody asks for, and neither does that person.
        asked = {"definition": {"title": "Merge?"}, "requestedBy": {"id": "eve"}}
        for _ in range(2):
            ask = server.call("POST", "/asks", asked)
            assert server.log.wait_for("the answer to “Merge?” is refused").endswith(f"ask={ask['id']}")
            assert left_open(server, ask)
        assert ended(server, **asked)["by"] == {"id": "ada", "via": "test"}


def test_an_ask_that_ended_meanwhile_stays_so(serving):
    with serving("email:\n  - {values: {email: a@b.cd}, delay: 3s}\n") as server:
        ask = server.ask()
        server.answer(ask)
        kept = server.kept(ask)
        server.log.wait_for("the answer to “Your Email” is refused")
        assert server.kept(ask) == kept


def test_every_door_says_that_a_machine_answered(serving):
    by = {"by": {"id": "7", "via": "test"}}
    with Receiver() as receiver, serving(
        "email: [{values: {email: a@b.cd}, id: 7}, {values: {email: a@b.cd}, id: 7}, {values: {email: a@b.cd}, id: 7}]\n",
        "--allow-callback", receiver.url, OKCANCEL_WEBHOOK_SECRET="whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
    ) as server:
        ask = server.ask(callback=receiver.url)
        closed = server.call("GET", f"/asks/{ask['id']}?wait=50")
        assert closed["by"] == by["by"]
        assert json.loads(receiver.next()[2])["by"] == by["by"]
        events = server.request("GET", f"/asks/{ask['id']}/events", headers=server.authorized)[1]
        assert json.loads(events.rsplit("data: ", 1)[1].splitlines()[0])["by"] == by["by"]
        listed = run("asks", "--server", server.url, OKCANCEL_API_TOKEN=TOKEN).stdout
        assert json.loads(listed)["by"] == by["by"]
        printed = run("ask", "--prompt", "email", "--server", server.url, "--json", OKCANCEL_API_TOKEN=TOKEN)
        assert json.loads(printed.stdout) == {"outcome": "ok", "values": {"email": "a@b.cd"}} | by
        called = server.call("POST", "/mcp", {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "ask_person", "arguments": {"prompt": "email", "wait": 50}}},
            {"Accept": "application/json, text/event-stream"})
        assert called["result"]["structuredContent"]["by"] == by["by"]


def test_every_page_says_that_a_machine_answers(serving):
    with serving("{}") as server, Server("Examples") as other:
        ask = server.ask()
        for path in ["/", "/prompts/email", "/prompts/email/done?outcome=ok", "/prompts/none", ask["link"][len(server.url):]]:
            for each, says in ((server, True), (other, False)):
                page = each.request("GET", path, headers={"Accept": "text/html"})[1]
                assert ("This server is for tests: a machine answers its questions." in page) == says, path


FAULTS = """\
email:
  - {outcome: expired}
  - {outcome: withdrawn}
  - {outcome: action}
  - {valeus: {}}
  - {delay: 2}
  - {outcome: cancel, values: {a: b}}
  - {action: later}
  - {values: [a]}
  - {reason: No}
x: {outcome: ok}
email: [ok]
"""


def test_every_fault_of_the_file_has_its_place(tmp_path):
    (tmp_path / "answers.yaml").write_text(FAULTS)
    result = run("serve", ROOT / "Examples", "--answers", "answers.yaml", "--check", options={"cwd": tmp_path})
    assert (result.returncode, result.stdout) == (65, "")
    assert result.stderr.splitlines() == [f"answers.yaml:{line}" for line in [
        "2:15: `outcome` cannot be `expired`; use one of `ok`, `cancel`, `action`",
        "3:15: `outcome` cannot be `withdrawn`; use one of `ok`, `cancel`, `action`",
        "4:5: an answer by `outcome: action` needs `action`; write the name of the button",
        "5:6: an answer has no key `valeus`; did you mean `values`?",
        "6:13: `delay` cannot be `2`; write a time like `2s`, `500ms` or `1m`",
        "7:23: this outcome has no `values`; leave it out",
        "8:6: this outcome has no `action`; leave it out",
        "9:14: `values` must be a map, not a list; write them like `{email: ann@example.com}`",
        "10:6: this outcome has no `reason`; leave it out",
        "11:4: `x` must be a list, not a map; write it in brackets: `x: [...]`",
        "12:1: the key `email` appears twice; keep one",
        "12:9: an answer must be a map, not a string; write it like `{outcome: ok, values: {email: ann@example.com}}`",
    ]]
    (tmp_path / "answers.yaml").write_text("")
    empty = run("serve", "Examples", "--answers", tmp_path / "answers.yaml", "--check")
    assert (empty.returncode, empty.stderr) == (65, f"{tmp_path}/answers.yaml:1:1: this file is empty; write the name or title of a prompt, and a list of answers below it\n")
    nowhere = run("serve", "Examples", "--answers", "nowhere.yaml", "--check")
    assert (nowhere.returncode, nowhere.stderr) == (64, "nowhere.yaml: there is no such file; check the path\n")


@pytest.mark.parametrize("words, variables, says", [
    (["--host", "0.0.0.0"], {}, "--answers is for tests on this machine, not with --host 0.0.0.0; in a test's container"),
    (["--host", "::"], {}, "not with --host ::"),
    (["--trust-proxy", "127.0.0.1"], {}, "not with --trust-proxy"),
])
def test_a_server_with_canned_answers_only_listens_on_this_machine_unless_told_otherwise(tmp_path, words, variables, says):
    (tmp_path / "answers.yaml").write_text("{}")
    words = ["serve", "Examples", "--check", "--answers", tmp_path / "answers.yaml", *words]
    refused = run(*words, OKCANCEL_DATABASE=str(tmp_path / "a.sqlite"))
    assert (refused.returncode, refused.stdout) == (64, "") and says in refused.stderr, refused
    allowed = run(*words, "--answers-from-anywhere", OKCANCEL_DATABASE=str(tmp_path / "a.sqlite"))
    assert allowed.returncode == 0, allowed
    alone = run("serve", "Examples", "--check", "--answers-from-anywhere")
    assert (alone.returncode, "no effect without --answers" in alone.stderr) == (64, True)


# The page


def test_the_page_s_file_answers_as_it_says(serving):
    with serving(PAGE.example("yaml")) as server:
        asked = {"definition": {"title": "Which version?", "fields": [{"name": "version", "rules": ["nonEmpty"]}]}}
        assert ended(server, **asked)["values"] == {"version": "1.2"}
        assert ended(server, **asked)["outcome"] == "cancel"


def test_the_page_s_pytest_passes(tmp_path):
    (tmp_path / "test_release.py").write_text(PAGE.example("python"))
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_release.py"], cwd=tmp_path,
        env=clean({"PATH": on_path(tmp_path)}), capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr


def test_the_page_s_swift_is_a_test_of_ours():
    assert (ROOT / "Tests/OKCancelTests/CannedAnswerTests.swift").read_text("utf-8").startswith(PAGE.example("swift"))
