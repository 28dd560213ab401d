"""The `okcancel` command as a shell sees it: output, exit codes, signals."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.parse
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build" / "debug" / "okcancel"))
EMAIL = "Examples/email.yaml"


def clean(environment):
    """This environment without the command's own variables, but for those given."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")} | environment


def run(*words, **environment):
    """Runs the command in the project's folder."""
    return subprocess.run(
        [BINARY, *map(str, words)], cwd=ROOT, env=clean(environment), capture_output=True, text=True, timeout=30)


class Serving:
    """A server started by the command; `with` stops it."""

    def __init__(self, *words, **environment):
        self.folder = tempfile.TemporaryDirectory()
        environment.setdefault("OKCANCEL_DATABASE", str(Path(self.folder.name) / "a.sqlite"))
        self.process = subprocess.Popen(
            [BINARY, "serve", *map(str, words), "--port", "0"],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean(environment),
        )
        self.line = self.process.stdout.readline().strip()
        self.port = int(re.search(r":(\d+)/", self.line)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def request(self, method, path, body=None, headers={}, connection=None):
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def wait_for_log(self, words):
        for line in self.process.stderr:
            if words in line:
                return line
        raise AssertionError(f"the log ended without “{words}”")


# serve


def test_serve_prints_where_it_is():
    with Serving("Examples") as server:
        assert re.fullmatch(r"OKCancel serves 7 prompts at http://127\.0\.0\.1:\d+/", server.line)


def test_the_readme_tells_the_truth_about_curl():
    with Serving("Examples") as server:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        wrong = server.request("POST", "/validate/email", "email=bob@gmail", form)[1]
        right = server.request("POST", "/validate/email", "email=alice@example.com", form)[1]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert right in readme
    assert re.sub(r'"fields":.*\}', '"fields":{…}}', wrong) in readme


def test_sighup_reads_the_prompts_again_and_keeps_the_old_ones_on_a_fault(tmp_path):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: One\n")
    with Serving(tmp_path) as server:
        title = lambda: json.loads(server.request("GET", "/", headers={"Accept": "application/json"})[1])[0]["title"]
        assert title() == "One"
        prompt.write_text("title: Two\n")
        server.process.send_signal(signal.SIGHUP)
        server.wait_for_log("reloaded 1 prompt")
        assert title() == "Two"
        prompt.write_text("titel: Three\n")
        server.process.send_signal(signal.SIGHUP)
        assert "did you mean `title`?" in server.wait_for_log("name.yaml:1:1")
        server.wait_for_log("the old prompts stay")
        assert title() == "Two"


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_sigterm_finishes_what_runs_and_exits_0(tmp_path, signal_number):
    """A request waits for a program; the server is told to stop meanwhile, and still answers it."""
    started, go = tmp_path / "started", tmp_path / "go"
    os.mkfifo(started)
    os.mkfifo(go)
    program = tmp_path / "slow"
    program.write_text(f"#!/bin/sh\necho > {started}\ncat {go}\nexit 0\n")
    program.chmod(0o700)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "ask.yaml").write_text("title: Ask\nfields: [{name: a, rules: [{predicate: slow}]}]\n")
    with Serving(tmp_path / "prompts", "--predicate", f"slow={program}") as server:
        answers = []
        ask = threading.Thread(
            target=lambda: answers.append(server.request("POST", "/validate/ask", '{"a":"x"}', {"Content-Type": "application/json"})))
        ask.start()
        started.read_text()
        server.process.send_signal(signal_number)
        server.wait_for_log("stopping")
        go.write_text("")
        ask.join(10)
        assert server.process.wait(15) == 0
    assert answers == [(200, '{"isValid":true,"fields":{"a":{"isValid":true}}}')]


def test_no_submitted_value_reaches_the_log():
    with Serving("Examples") as server:
        server.request("POST", "/prompts/login", "outcome=ok&user=canary-one&password=canary-two", {"Content-Type": "application/x-www-form-urlencoded"})
        server.request("POST", "/validate/email?only=email", '{"email":"canary-three"}', {"Content-Type": "application/json"})
        server.process.terminate()
        output = "".join(server.process.communicate())
    assert "/prompts/login" in output
    assert "canary" not in output


def test_serve_says_what_keeps_it_from_starting(tmp_path):
    (tmp_path / "bad.yaml").write_text("fields: []\n")
    database = ["--database", tmp_path / "a.sqlite"]
    fault = run("serve", tmp_path, *database)
    assert (fault.returncode, fault.stdout) == (65, "")
    assert "bad.yaml:1:1" in fault.stderr
    assert run("serve", tmp_path / "nowhere", *database).returncode == 65
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        busy = run("serve", "Examples", "--port", taken.getsockname()[1], *database)
    assert busy.returncode == 70
    assert "in use" in busy.stderr
    assert run("serve", "Examples", "--templates", tmp_path / "none", *database).returncode == 70
    unknown = run("serve", "Tests/Browser/Prompts", *database)
    assert unknown.returncode == 70
    assert "--predicate" in unknown.stderr


@pytest.mark.parametrize(
    "words, environment, says",
    [
        (["--port", "http"], {}, "--port cannot be “http”; give a whole number from 0 to 65535"),
        ([], {"OKCANCEL_PORT": "99999"}, "OKCANCEL_PORT cannot be “99999”; give a whole number from 0 to 65535"),
        (["--allow-origin", "tools.example.com"], {}, "--allow-origin cannot be “tools.example.com”"),
        (["--log-level", "loud"], {}, "--log-level cannot be “loud”; give one of debug, info, warning, error"),
        (["--predicate", "check"], {}, "--predicate cannot be “check”; give NAME=PROGRAM"),
        (["--prot", "1"], {}, "--prot"),
    ],
)
def test_a_wrong_setting_is_an_error_never_the_default(words, environment, says):
    result = run("serve", "Examples", *words, **environment)
    assert result.returncode == 64
    assert says in result.stderr


# check


def test_check_names_every_fault_with_its_line(tmp_path):
    path = tmp_path / "five.yaml"
    path.write_text(
        "title: 5\n"
        "fields:\n"
        "  - name: 1st\n"
        "  - name: email\n"
        "    kind: emial\n"
        "    rules:\n"
        "      - pattern: '(?=a)b'\n"
        "      - sameAs: phone\n"
    )
    result = run("check", EMAIL, path)
    assert result.returncode == 65
    lines = [re.match(re.escape(str(path)) + r":(\d+):(\d+): .+; .+", line) for line in result.stdout.splitlines()]
    assert all(lines), result.stdout
    assert [int(line[1]) for line in lines] == [1, 3, 5, 7, 8]


def test_check_is_silent_about_good_files():
    result = run("check", *sorted((ROOT / "Examples").glob("*.yaml")))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


# validate


@pytest.mark.parametrize(
    "words, code, output",
    [
        ([EMAIL, "email=alice@example.com"], 0, "email: valid\n"),
        ([EMAIL, "email=bob@gmail"], 1, "email: That does not look like an email address\n"),
        ([EMAIL], 1, "email: Enter your email address\n"),
        ([EMAIL, "--json", "email=a@b.c"], 0, '{"isValid":true,"fields":{"email":{"isValid":true}}}\n'),
        (["Examples/quantity.yaml", "quantity=2147483646"], 0, "quantity: valid\n"),
        (["Examples/quantity.yaml", "quantity=2147483647"], 1, None),
        ([EMAIL, "email"], 64, ""),
        ([EMAIL, "mail=a"], 64, ""),
        ([EMAIL, "email=a", "email=b"], 64, ""),
        (["nowhere.yaml"], 65, ""),
        ([], 64, ""),
    ],
)
def test_validate(words, code, output):
    result = run("validate", *words)
    assert result.returncode == code, result.stderr
    assert output is None or result.stdout == output


def test_help_teaches():
    for words in (["--help"], ["serve", "--help"], ["check", "--help"], ["validate", "--help"]):
        result = run(*words)
        assert result.returncode == 0
        assert "okcancel " in result.stdout


# ask and answers


class Asking:
    """`okcancel ask` under way, with the link that it printed."""

    def __init__(self, *words, **environment):
        self.process = subprocess.Popen(
            [BINARY, "ask", *map(str, words)], cwd=ROOT, env=clean(environment), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.link = self.process.stderr.readline().split()[-1]

    def answer(self, body):
        """What a form post to the link is answered with: status and text."""
        where = urllib.parse.urlsplit(self.link)
        connection = http.client.HTTPConnection(where.netloc, timeout=10)
        connection.request("POST", where.path, body, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def ended(self):
        """Exit code, standard output and what else was said."""
        output, said = self.process.communicate(timeout=30)
        return self.process.returncode, output, said


def test_ask_prints_the_value_alone():
    ask = Asking("--title", "Your email", "--field", "email:email")
    assert ask.answer("email=bob")[0] == 422
    assert ask.answer("email=bob%40example.com")[0] == 200
    assert ask.ended() == (0, "bob@example.com\n", "")


@pytest.mark.parametrize(
    "words, body, code, output, said",
    [
        (["--title", "Sure?"], "outcome=cancel", 1, "", ""),
        (["--title", "Sure?"], "outcome=ok", 0, "", ""),
        (["--prompt", "Examples/login.yaml"], "outcome=action&action=forgot", 3, "", "forgot\n"),
        (["--title", "T", "--field", "a", "--field", "b:integer"], "a=x&b=007", 0, "a=x\nb=7\n", ""),
        (["--title", "T", "--field", "n", "--rule", "length: {max: 3}", "--json"], "n=abc", 0, '{"outcome":"ok","values":{"n":"abc"}}\n', ""),
    ],
)
def test_ask_ends_as_the_person_does(words, body, code, output, said):
    ask = Asking(*words)
    assert ask.answer(body)[0] == 200
    assert ask.ended() == (code, output, said)


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_withdraws_the_question(signal_number):
    ask = Asking("--title", "Sure?")
    ask.process.send_signal(signal_number)
    assert ask.ended() == (5, "", "okcancel: no answer: withdrawn\n")


def test_ask_gives_up_in_time():
    assert Asking("--title", "Sure?", "--timeout", "1").ended() == (5, "", "okcancel: no answer: expired\n")


def test_ask_through_a_server_that_keeps_the_answer_for_it(tmp_path):
    with Serving("Examples", OKCANCEL_API_TOKEN="secret") as server:
        url = f"http://127.0.0.1:{server.port}"
        ask = Asking("--prompt", "email", "--server", url, OKCANCEL_API_TOKEN="secret")
        assert ask.link.startswith(url + "/a/")
        assert ask.answer("email=bob%40example.com")[0] == 200
        assert ask.ended() == (0, "bob@example.com\n", "")
        withdrawn = Asking("--prompt", "email", "--server", url, OKCANCEL_API_TOKEN="secret")
        withdrawn.process.send_signal(signal.SIGINT)
        assert withdrawn.ended()[0] == 5
        assert withdrawn.answer("email=bob%40example.com")[0] == 409
        refused = run("ask", "--prompt", "email", "--server", url, OKCANCEL_API_TOKEN="other")
        assert refused.returncode == 70
        assert "401" in refused.stderr
        server.request("POST", "/prompts/email", "email=%3Dann%40example.com", {"Content-Type": "application/x-www-form-urlencoded"})
        table = run("answers", "email", "--server", url, "--format", "csv", OKCANCEL_API_TOKEN="secret").stdout.splitlines()
        assert table[0] == "cursor,answeredAt,outcome,action,email"
        assert table[1].endswith(",ok,,'=ann@example.com")
        assert json.loads(run("answers", "email", "--server", url, OKCANCEL_API_TOKEN="secret").stdout)["values"] == {"email": "=ann@example.com"}


def test_an_answer_outlives_kill_9(tmp_path):
    database = tmp_path / "kept.sqlite"
    start = lambda: subprocess.Popen(
        [BINARY, "serve", "Examples", "--port", "0", "--database", database],
        cwd=ROOT, env=clean({"OKCANCEL_API_TOKEN": "secret"}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    headers = {"Content-Type": "application/json", "Authorization": "Bearer secret"}

    def request(process, method, path, body=None):
        if not hasattr(process, "port"):
            process.port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
        connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=10)
        connection.request(method, path, body, headers)
        return json.loads(connection.getresponse().read())

    first = start()
    ask = request(first, "POST", "/asks", '{"prompt":"email"}')
    path = urllib.parse.urlsplit(ask["link"]).path
    assert request(first, "POST", path, '{"outcome":"ok","values":{"email":"a@b.c"}}')["outcome"] == "ok"
    first.kill()
    first.wait()
    second = start()
    closed = request(second, "GET", f"/asks/{ask['id']}")
    second.kill()
    second.wait()
    assert closed["values"] == {"email": "a@b.c"}


def test_ask_waits_on_when_its_server_is_started_again(tmp_path):
    database = tmp_path / "kept.sqlite"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def serve():
        server = subprocess.Popen(
            [BINARY, "serve", "Examples", "--port", str(port), "--database", database], cwd=ROOT, text=True,
            env=clean({"OKCANCEL_API_TOKEN": "secret"}), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert server.stdout.readline()
        return server

    first = serve()
    ask = Asking("--prompt", "email", "--server", f"http://127.0.0.1:{port}", OKCANCEL_API_TOKEN="secret")
    first.kill()
    first.wait()
    second = serve()
    assert ask.answer("email=bob%40example.com")[0] == 200
    assert ask.ended() == (0, "bob@example.com\n", "")
    left = Asking("--prompt", "email", "--server", f"http://127.0.0.1:{port}", OKCANCEL_API_TOKEN="secret")
    second.kill()
    second.wait()
    code, output, said = left.ended()
    assert (code, output) == (69, "")
    assert "the server cannot be reached" in said


def test_ask_through_a_server_wants_its_token():
    with Serving("Examples", OKCANCEL_API_TOKEN="secret") as server:
        result = run("ask", "--prompt", "email", "--server", f"http://127.0.0.1:{server.port}")
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr == "okcancel: --server needs the server's API token; set OKCANCEL_API_TOKEN\n"


@pytest.mark.parametrize(
    "words, code",
    [
        ([], 64),
        (["--title", "T", "--rule", "nonEmpty"], 64),
        (["--title", "T", "--field", "1st"], 64),
        (["--title", "T", "--field", "a", "--rule", "nonEmty"], 64),
        (["--prompt", "nowhere.yaml"], 64),
        (["--title", "T", "--timeout", "soon"], 64),
        (["--title", "T", "--server", "http://127.0.0.1:1"], 69),
    ],
)
def test_ask_says_what_it_cannot_ask(words, code):
    result = run("ask", *words, OKCANCEL_API_TOKEN="secret")
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr
