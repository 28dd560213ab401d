"""The examples of `Documentation/asking.md` and `callbacks.md`, run as they stand."""

import json
import re
import subprocess
import sys

import requests

from asking import Asking
from Support.client import FORM
from Support.command import ROOT, clean, on_path
from Support.documentation import Page
from Support.server import Server, free_port

PAGE, CALLBACKS = Page("asking.md"), Page("callbacks.md")


REASON = "outcome=cancel&okcancel-reason=Not+before+Monday"


def test_approve_or_reject_with_a_reason(tmp_path):
    path = on_path(tmp_path, git="printf -- '-a\\n+b\\n'", deploy="echo deployed")
    code = PAGE.example("sh", "--reason required")
    for form, printed, said in (("outcome=ok", "deployed\n", ""), (REASON, "", "Not before Monday\n")):
        script = Asking(code, program=["sh", "-c"], cwd=tmp_path, PATH=path)
        assert script.answer("outcome=cancel")[0] == 422
        assert script.answer(form)[0] == 200
        assert script.ended() == (0, printed, said)
    with Server() as server:
        known = {"SERVER": server.url, "OKCANCEL_URL": server.url, "OKCANCEL_API_TOKEN": server.token}
        made = subprocess.run(
            ["sh", "-c", PAGE.example("sh", "ask.json")], env=clean({**known, "PATH": path}), cwd=tmp_path,
            capture_output=True, text=True, timeout=60)
        ask = json.loads(made.stdout)
        assert "+replicas: 3" in requests.get(ask["link"], timeout=60).text
        assert requests.post(ask["link"], json={"outcome": "cancel", "reason": "Not before Monday"}, timeout=60).status_code == 200
        closed = server.call("GET", f"/asks/{ask['id']}")
        assert (closed["status"], closed["outcome"], closed["reason"]) == ("closed", "cancel", "Not before Monday")
        program = Asking(
            PAGE.example("python", "import okcancel"), program=[sys.executable, "-c"], stream="stdout", PATH=path,
            PYTHONPATH=str(ROOT / "Packaging/python"), **known)
        assert program.answer(REASON)[0] == 200
        assert program.ended()[:2] == (0, "Rejected: Not before Monday\n")


def test_the_shell_example_gets_an_answer(tmp_path):
    path = on_path(tmp_path)
    shell = Asking(PAGE.example("sh", "Welcome"), program=["sh", "-c"], PATH=path)
    assert shell.answer("email=ann%40example.com")[0] == 200
    assert shell.ended() == (0, "Welcome, ann@example.com\n", "")
    cancelled = Asking(PAGE.example("sh", "Welcome"), program=["sh", "-c"], PATH=path)
    assert cancelled.answer("outcome=cancel")[0] == 200
    assert cancelled.ended() == (1, "", "")
    rules = Asking(PAGE.example("sh", "How many?"), program=["sh", "-c"], PATH=path)
    status, text = rules.answer("n=13")
    assert (status, "At most a dozen" in text) == (422, True)
    assert rules.answer("n=12")[0] == 200
    assert rules.ended() == (0, '{"outcome":"ok","values":{"n":12,"note":null},"by":{"via":"link"}}\n', "")


def test_a_question_is_asked_now_and_waited_for_later(tmp_path):
    with Server() as server:
        script = Asking(
            PAGE.example("sh", "--no-wait"), program=["sh", "-c"], PATH=on_path(tmp_path, make=""),
            OKCANCEL_SERVER=server.url, OKCANCEL_API_TOKEN=server.token)
        assert json.loads(script.process.stdout.readline())["link"] == script.link
        assert script.answer("region=fra")[0] == 200
        assert script.ended()[:2] == (0, "Going to fra\n")


def test_the_python_example_gets_an_answer_over_a_restart_of_the_server(tmp_path):
    port = free_port()
    serving = dict(database=tmp_path / "a.sqlite", OKCANCEL_PORT=str(port))
    with Server(**serving) as server:
        code = PAGE.example("python", "requests").replace("127.0.0.1:8080", f"127.0.0.1:{port}")
        program = Asking(code, program=[sys.executable, "-c"], stream="stdout", OKCANCEL_API_TOKEN=server.token)
        server.kill()
    with Server(**serving) as server:
        assert program.answer("email=ann%40example.com")[0] == 200
        assert program.ended() == (0, "The address is ann@example.com\n", "")


def test_the_examples_of_events_and_callbacks_hear_of_an_answer():
    port = free_port()
    secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
    receiver = subprocess.Popen(
        [sys.executable, "-c", CALLBACKS.example("python", "standardwebhooks").replace("9000", str(port))],
        env=clean({"OKCANCEL_WEBHOOK_SECRET": secret}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        flags = re.search(r"okcancel serve Examples (.*)", CALLBACKS.example("sh", "--allow-callback"))[1].replace("9000", str(port))
        with Server(*flags.split(), OKCANCEL_WEBHOOK_SECRET=secret) as server:
            ask = server.ask(callback=re.search(r'"callback": "(.*?)"', CALLBACKS.text)[1].replace("9000", str(port)))
            events = subprocess.Popen(
                ["sh", "-c", PAGE.example("sh", "--no-buffer").replace("http://127.0.0.1:8080", server.url)],
                env=clean({"ID": ask["id"], "OKCANCEL_API_TOKEN": server.token}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            assert events.stdout.readline() == "event: open\n"
            assert requests.post(ask["link"], {"email": "ann@example.com"}, timeout=60).status_code == 200
            # A receiver that was slower to start than all this gets the second attempt.
            assert receiver.stdout.readline() == "ok {'email': 'ann@example.com'}\n"
            closed = events.communicate(timeout=60)[0]
            assert "event: closed\n" in closed
            assert json.loads(closed.rsplit("data: ", 1)[1])["values"] == {"email": "ann@example.com"}
    finally:
        receiver.kill()
        receiver.communicate()


def test_the_example_of_a_plain_question_asks(tmp_path):
    path = on_path(tmp_path, deploy="echo deployed")
    for outcome, printed in (("ok", "deployed\n"), ("cancel", "")):
        condition, command = PAGE.example("sh", "Deploy?").splitlines()
        question = Asking(condition, program=["sh", "-c"], cwd=tmp_path, PATH=path)
        assert question.answer(f"outcome={outcome}")[0] == 200
        assert question.ended() == (0, printed, "")
        question = Asking(command, program=["sh", "-c"], cwd=tmp_path, PATH=path)
        assert question.answer(f"outcome={outcome}")[0] == 200
        assert question.ended()[:2] == (0 if printed else 1, printed)


def test_the_loop_reads_every_page():
    with Server("--rate-limit", "submit=off") as server:
        kept = server.connection()
        for number in range(1_002):
            assert server.exchange("POST", "/prompts/email", f"email=a{number}%40b.c", FORM, kept).status == 200
        read = subprocess.run(
            ["bash", "-c", PAGE.example("sh", "while [")], env=clean({"SERVER": server.url, "OKCANCEL_API_TOKEN": server.token}),
            capture_output=True, text=True, timeout=60)
        assert [json.loads(line)["values"]["email"] for line in read.stdout.splitlines()] == [f"a{n}@b.c" for n in range(1_002)]
        first = server.request("GET", "/prompts/email/answers", headers=server.authorized)[1]
        assert len(first.splitlines()) == 1_000
