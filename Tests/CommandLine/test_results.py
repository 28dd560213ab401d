"""What came of an answer: `okcancel ask … -- COMMAND`, `okcancel result`, and the Python client."""

import html
import json
import os
import signal
import subprocess
import sys

import pytest
from asking import Asking

from Support.channels import Ntfy, Slack
from Support.client import JSON, answer, page
from Support.command import BINARY, ROOT, TOKEN, clean, run, script
from Support.deceptions import DECEPTION, SEEN
from Support.server import Server
from Support.waiting import wait_until

sys.path.insert(0, str(ROOT / "Packaging/python"))
import okcancel  # noqa: E402

# Prints its arguments and what it was given, each as JSON on a line.
SHOW = """#!/usr/bin/env python3
import json, os, sys
print(json.dumps(sys.argv[1:]))
print(json.dumps({name: value for name, value in os.environ.items() if name.startswith(("OKCANCEL_", "PGPASSWORD"))}))
"""
HOSTILE = ["a b", "'\"`$(touch /tmp/pwned)`", "--force", "line\nbreak", "{other}", ";rm -rf *", "sh -c id", "ünï \U0001F600", "", "*", "\\"]


@pytest.fixture(scope="module")
def server():
    with Server("Examples", "--log-level", "error") as server:
        yield server


@pytest.fixture
def show(tmp_path):
    path = tmp_path / "show"
    path.write_text(SHOW)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("value", HOSTILE)
def test_a_command_gets_argument_for_argument_what_was_answered(show, value):
    asking = Asking(
        "--title", "T", "--field", "name:multiline", "--optional", "--field", "secret:password", "--optional", "--", show, "{name}", "x{name}",
        "{nope}", "--name", "{name}", PGPASSWORD="hunter2", OKCANCEL_VALUE_name="old", OKCANCEL_VALUE_gone="old")
    from urllib.parse import urlencode
    asking.answer(urlencode({"outcome": "ok", "name": value.replace("\n", "\r\n"), "secret": "s3cret"}))
    code, output, said = asking.ended()
    assert (code, said) == (0, "")
    arguments, variables = map(json.loads, output.splitlines())
    assert arguments == [value, "x{name}", "{nope}", "--name", value]
    expected = {"OKCANCEL_VALUE_secret": "s3cret"} | ({"OKCANCEL_VALUE_name": value} if value else {})
    assert variables == expected


def test_a_password_is_no_argument(show):
    result = run("ask", "--title", "T", "--field", "p:password", "--", show, "{p}")
    assert (result.returncode, result.stdout) == (64, "")
    assert "OKCANCEL_VALUE_p" in result.stderr


@pytest.mark.parametrize(("text", "code", "said"), [
    ("exit 1", 1, "the command ended with status 1"), ("exit 42", 42, "the command ended with status 42"),
    ("kill -TERM $$", 143, "the command was ended by signal 15")])
def test_its_status_is_that_of_ask(tmp_path, text, code, said):
    asking = Asking("--title", "T", "--", script(tmp_path / "run", f"#!/bin/sh\n{text}\n"))
    asking.answer("outcome=ok")
    assert asking.ended() == (code, "", f"okcancel: {said}\n")


def test_one_that_cannot_run_is_127_or_126(tmp_path):
    (tmp_path / "text").write_text("no program\n")
    for command, code in [("no-such-program-here", 127), (tmp_path / "missing", 127), (tmp_path / "text", 126), (tmp_path, 126)]:
        asking = Asking("--title", "T", "--", command)
        asking.answer("outcome=ok")
        assert asking.ended()[:2] == (code, "")


def test_cancel_runs_nothing_and_says_so(show):
    asking = Asking("--title", "T", "--", show)
    asking.answer("outcome=cancel")
    assert asking.ended() == (1, "", "okcancel: cancelled; the command was not run\n")


def test_what_contradicts_a_command_is_refused(show):
    for words in [["--json"], ["--format", "shell"]]:
        result = run("ask", "--title", "T", *words, "--", show)
        assert (result.returncode, "which gets the answer itself" in result.stderr) == (64, True)


def test_the_server_hears_what_came_of_it(server, tmp_path):
    for text, status, said in [("exit 0", "done", None), ("exit 3", "failed", "Exit status 3")]:
        ran = tmp_path / f"ran-{status}"
        command = script(tmp_path / status, f"#!/bin/sh\necho ran >> {ran}\nenv > {tmp_path}/variables\n{text}\n")
        words = ["--server", server.url, "--key", f"once-{status}", "--title", "T", "--", command]
        asking = Asking(*words, OKCANCEL_API_TOKEN=TOKEN)
        asking.answer("outcome=ok")
        assert asking.ended()[0] == int(text[-1])
        lines = [json.loads(line) for line in server.request("GET", "/asks?status=closed", headers=server.authorized)[1].splitlines()]
        result = lines[-1]["result"]
        assert (result["status"], result.get("text")) == (status, said)
        assert TOKEN not in (tmp_path / "variables").read_text()
        # Whose result is known does not run again.
        again = run("ask", *words, OKCANCEL_API_TOKEN=TOKEN)
        assert "was run before" in again.stderr and ran.read_text() == "ran\n"


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]], ids=str)
def test_a_closed_descriptor_is_no_file_of_ours(tmp_path, closed):
    link, said = tmp_path / "link", tmp_path / "said"
    command = script(tmp_path / "run", f"cat > {said}; echo out; echo err >&2; echo more >> {said}; exit 5")
    process = subprocess.Popen(
        [BINARY, "ask", "--title", "T", "--notify-command", f"cat > {link}.new; mv {link}.new {link}", "--", command], cwd=ROOT,
        env=clean({}), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: [os.close(descriptor) for descriptor in closed])
    wait_until(lambda: link.exists() or process.poll() is not None)
    # Nobody is asked who could not be told the answer.
    assert link.exists() == (1 not in closed)
    if 1 not in closed:
        answer(link.read_text().strip())
    output, error = process.communicate(timeout=60)
    assert (process.returncode, output) == ((70, b"") if 1 in closed else (5, b"out\n"))
    assert (b"err\n" in error) == (2 not in closed and 1 not in closed)
    # What the command reads and writes is neither a database nor a connection.
    assert not said.exists() or said.read_text() == "more\n"


def test_a_result_hides_nothing_wherever_it_is_read(tmp_path):
    text = f"<b>@here</b> <!channel> https://evil.example/x {DECEPTION}"
    command = script(tmp_path / "run", "exit 0")
    with Ntfy() as ntfy, Slack() as slack:
        with Server("--channel", f"phone={ntfy.channel()}", "--channel", "team",
                    OKCANCEL_CHANNEL_TEAM=slack.bot, OKCANCEL_LOG_LEVEL="error") as server:
            words = ["--server", server.url, "--key", "once", "--title", "T", "--notify", "phone", "--notify", "team", "--", command]
            asking = Asking(*words, OKCANCEL_API_TOKEN=TOKEN)
            ntfy.wait_for(lambda taken: taken)
            slack.wait_for(lambda taken: taken)
            # Another says what came of it.
            asking.process.kill()
            asking.ended()
            asking.answer("outcome=ok")
            id = json.loads(server.request("GET", "/asks", headers=server.authorized)[1])["id"]
            assert run("result", "--server", server.url, id, "failed", text, OKCANCEL_API_TOKEN=TOKEN).returncode == 0
            ntfy.wait_for(lambda taken: "Failed" in taken[-1]["message"])
            slack.wait_for(lambda taken: "Failed" in json.dumps(taken[-1]))
            # Programs get what a program gave.
            assert json.loads(server.kept({"id": id}))["result"]["text"] == text
            shown = html.unescape(page(ntfy.taken[0]["click"]))
            again = run("ask", *words, OKCANCEL_API_TOKEN=TOKEN)
    notices = [ntfy.taken[-1]["message"], *(block["text"]["text"] for block in slack.taken[-1]["blocks"] if "Failed" in block["text"]["text"])]
    assert again.returncode == 70 and "was run before: Failed" in again.stderr and len(notices) == 2
    assert SEEN in shown and SEEN in again.stderr
    for read in [shown, again.stderr, *notices]:
        assert not set(DECEPTION) & set(read) - set("ab ")
    for read in notices:
        # The beginning of it.
        assert SEEN[:60] in read
        assert "https://evil" not in read and "<!channel>" not in read and "@here" not in read
    assert "<b>@here</b>" in shown.partition('id="result"')[2]


def test_sigterm_reaches_the_command(tmp_path):
    command = script(tmp_path / "wait", "#!/bin/sh\ntrap 'echo caught; exit 7' TERM\necho ready\nwhile :; do sleep 0.05; done\n")
    asking = Asking("--title", "T", "--", command)
    asking.answer("outcome=ok")
    assert asking.process.stdout.readline() == "ready\n"
    asking.process.send_signal(signal.SIGTERM)
    code, output, _ = asking.ended()
    assert (code, output) == (7, "caught\n")


def test_result_says_what_came_of_it_once(server):
    ask = server.ask("email")

    def result(*words):
        return run("result", "--server", server.url, *words, OKCANCEL_API_TOKEN=TOKEN)

    early = result(ask["id"], "done")
    assert (early.returncode, "This ask is open" in early.stderr) == (70, True)
    server.answer(ask, "outcome=ok&email=a%40b.c")
    wrong = result(ask["id"], "broken")
    assert (wrong.returncode, "give one of done, failed" in wrong.stderr) == (64, True)
    for _ in range(2):
        said = result(ask["id"], "failed", "Cluster unreachable")
        assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
    assert result(ask["id"], "done").returncode == 70


def test_python_says_it_too(server):
    client = okcancel.Client(server.url, TOKEN)
    ask = client.create(definition={"title": "Deploy?"}, result_within="1h")
    server.request("POST", ask.link.removeprefix(server.url), json.dumps({"outcome": "ok"}), JSON)
    assert client.finish(ask.id, "failed", "Cluster unreachable").result["text"] == "Cluster unreachable"
    assert client.wait(ask.id).result["status"] == "failed"
    with pytest.raises(okcancel.Refused):
        client.finish(ask.id, "done")
