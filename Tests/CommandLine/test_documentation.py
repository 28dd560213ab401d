"""The examples of `Documentation/asking.md`, run as they stand."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import requests

from test_command_line import BINARY, ROOT, Asking, Serving, clean

PAGE = (ROOT / "Documentation" / "asking.md").read_text("utf-8")


def example(language, containing):
    return next(code for code in re.findall(rf"```{language}\n(.*?)```", PAGE, re.S) if containing in code)


class Example(Asking):
    """An example under way; the link stands in one of its streams."""

    def __init__(self, words, link_stream, **environment):
        self.process = subprocess.Popen(
            words, cwd=ROOT, env=clean(environment), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.link = getattr(self.process, link_stream).readline().split()[-1]


def test_shell(tmp_path):
    (tmp_path / "okcancel").symlink_to(Path(BINARY).resolve())
    path = f"{tmp_path}:/usr/bin:/bin"
    shell = Example(["sh", "-c", example("sh", "Welcome")], "stderr", PATH=path)
    assert shell.answer("email=ann%40example.com")[0] == 200
    assert shell.ended() == (0, "Welcome, ann@example.com\n", "")
    cancelled = Example(["sh", "-c", example("sh", "Welcome")], "stderr", PATH=path)
    assert cancelled.answer("outcome=cancel")[0] == 200
    assert cancelled.ended() == (1, "", "")
    rules = Example(["sh", "-c", example("sh", "How many?")], "stderr", PATH=path)
    assert rules.answer("n=13")[0] == 422
    assert rules.answer("n=12")[0] == 200
    assert rules.ended() == (0, '{"outcome":"ok","values":{"n":12}}\n', "")


def test_python():
    with Serving("Examples", OKCANCEL_API_TOKEN="secret") as server:
        code = example("python", "requests").replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        program = Example([sys.executable, "-c", code], "stdout")
        assert program.answer("email=ann%40example.com")[0] == 200
        assert program.ended() == (0, "The address is ann@example.com\n", "")


def test_events_and_callback():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
    receiver = subprocess.Popen(
        [sys.executable, "-c", example("python", "standardwebhooks").replace("9000", str(port))],
        env=clean({"OKCANCEL_WEBHOOK_SECRET": secret}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        flags = re.search(r"okcancel serve Examples (.*)", example("sh", "--allow-callback"))[1].replace("9000", str(port))
        with Serving("Examples", *flags.split(), OKCANCEL_API_TOKEN="secret", OKCANCEL_WEBHOOK_SECRET=secret) as server:
            url = f"http://127.0.0.1:{server.port}"
            callback = re.search(r'"callback": "(.*?)"', PAGE)[1].replace("9000", str(port))
            ask = requests.post(
                f"{url}/asks", json={"prompt": "email", "callback": callback}, headers={"Authorization": "Bearer secret"},
                timeout=30).json()
            events = subprocess.Popen(
                ["sh", "-c", example("sh", "--no-buffer").replace("http://127.0.0.1:8080", url)],
                env=clean({"ID": ask["id"]}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            assert events.stdout.readline() == "event: open\n"
            assert requests.post(ask["link"], {"email": "ann@example.com"}, timeout=30).status_code == 200
            # A receiver that was slower to start than all this gets the second attempt.
            assert receiver.stdout.readline() == "ok {'email': 'ann@example.com'}\n"
            closed = events.communicate(timeout=30)[0]
            assert "event: closed\n" in closed
            assert json.loads(closed.rsplit("data: ", 1)[1])["values"] == {"email": "ann@example.com"}
    finally:
        receiver.kill()
        receiver.communicate()
