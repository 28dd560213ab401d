"""Running the server: settings, logs, limits, metrics, the service manager, a proxy in front."""

import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import urljoin

import okcancel
import pytest

from asking import Asking, look_with
from Support.client import FORM, JSON, Client, talk, until_closed
from Support.command import BINARY, ROOT, TOKEN, run
from Support.documentation import Page
from Support.program import Caddy, Nginx
from Support.server import Server, free_port
from Support.waiting import wait_until

EMAIL = "Examples/email.yaml"
METRICS, PROXY = Page("observability.md"), Page("proxy.md")
LOG_LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info request bytes=\d+ client=\d+\.\d+\.\d+\.\d+ id=[0-9a-f]{16} "
    r"method=[A-Z]+ ms=\d+\.\d+ path=/[^ ]* status=\d{3}")


# logs


def test_the_log_is_a_line_a_request_in_text():
    with Server() as server:
        server.request("GET", "/prompts/email?secret=query")
        server.stop()
    line = next(line for line in server.log.lines if "/prompts/email" in line)
    assert LOG_LINE.fullmatch(line), line
    assert line.endswith("path=/prompts/email status=200")


def test_no_line_is_lost_or_broken_while_nobody_reads_the_log(tmp_path):
    clients, requests, filling = 8, 1000, "-x" * 100
    command = [BINARY, "serve", "Examples", "--port", "0", "--threads", "4"]
    environment = {**os.environ, "OKCANCEL_DATABASE": str(tmp_path / "a.sqlite"), "OKCANCEL_API_TOKEN": TOKEN}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1].strip().strip("/"))
        answered = [0] * clients

        def send(client):
            kept = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            for number in range(requests):
                kept.request("GET", f"/{client}/{number}/{filling}")
                assert kept.getresponse().read()
                answered[client] += 1

        threads = [threading.Thread(target=send, args=[client]) for client in range(clients)]
        for thread in threads:
            thread.start()
        # Nothing says from outside that a server waits for its log's reader. If this looks too early, less is asserted.
        before = 0
        while not before or sum(answered) > before:
            before = sum(answered)
            time.sleep(1)
        # What the pipe holds, and the request that waits of each client.
        assert before * len(filling) < (64 << 10) + clients * len(filling)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stderr))
        reader.start()
        for thread in threads:
            thread.join()
        process.terminate()
        process.wait(60)
        reader.join()
    finally:
        process.kill()
        process.wait()
    logged = [line.split(" path=")[1].split("/")[1:3] for line in lines if " info request " in line]
    assert all(LOG_LINE.fullmatch(line.rstrip("\n")) for line in lines if " info request " in line)
    for client in range(clients):
        assert [number for name, number in logged if name == str(client)] == [str(n) for n in range(requests)]


def test_the_log_is_json_where_it_is_asked_for():
    """ASVS 16.2.1, 16.2.4 | who, what, when, in a common format | a line per request, as text or JSON, with an id"""
    with Server("--log-format", "json", token=None) as server:
        status, _ = server.request("GET", "/nowhere")
        assert status == 404
        server.stop()
    assert json.loads(server.line)["message"].startswith("OKCancel serves ")
    entries = [json.loads(line) for line in server.log.lines]
    assert any(entry["message"].startswith("The API token for this run is ") for entry in entries)
    request = next(entry for entry in entries if entry["message"] == "request")
    assert request["level"] == "info" and request["status"] == 404 and request["path"] == "/nowhere"
    assert isinstance(request["bytes"], int) and isinstance(request["ms"], float)
    assert any({"message": "stopping", "level": "info"}.items() <= entry.items() for entry in entries)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_nothing_in_a_request_forges_a_line(log_format):
    """ASVS 16.4.1 | no log injection | visible ASCII on one line"""
    with Server("--log-format", log_format) as server:
        for path in ("/%0A2026-11-21T00:00:00Z%20info%20forged", "/x%20status=200", "/%1B[2J", "/%E2%80%AE", "/\x22"):
            with contextlib.suppress(http.client.HTTPException):
                server.request("GET", path)
        talk(server.port, b"GET /a\nforged HTTP/1.1\r\nHost: x\r\n\r\n")
        server.stop()
    for line in server.log.lines:
        assert "\x1b" not in line and "\u202e" not in line
        assert not line.startswith("2026-11-21T00:00:00Z")
    if log_format == "text":
        assert all(line.count(" status=") <= 1 for line in server.log.lines)


def test_a_long_method_is_not_in_the_log():
    with Server() as server:
        talk(server.port, b"A" * 5000 + b" /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        server.stop()
    [line] = [line for line in server.log.lines if "path=/long" in line]
    assert " method=… " in line


@pytest.mark.parametrize("options, variables, names, warns", [
    ([], {"OKCANCEL_ALLOW_HOST": "a.example, b.example"}, {"b.example": 200, "c.example": 421}, False),
    (["--base-url", "https://ask.example.com/x"], {}, {"ask.example.com": 200, "c.example": 421}, False),
    (["--trust-proxy", "192.0.2.1"], {}, {"c.example": 200}, True),
    (["--trust-proxy", "192.0.2.1", "--allow-host", "a.example"], {}, {"a.example": 200, "c.example": 421}, False),
])
def test_a_server_answers_to_its_own_names(options, variables, names, warns):
    """Promise 2.13"""
    with Server(*options, **variables) as server:
        assert {name: server.request("GET", "/prompts/email", headers={"Host": name})[0] for name in names} == names
        server.stop()
    assert any("answers to every name" in line for line in server.log.lines) == warns


# settings


@pytest.mark.parametrize("words, environment, says", [
    ("serve --port http", {}, "--port cannot be “http”; give a whole number from 0 to 65535"),
    ("serve", {"OKCANCEL_PORT": "99999"}, "OKCANCEL_PORT cannot be “99999”; give a whole number from 0 to 65535"),
    ("serve --prot 1", {}, "--prot"),
    ("serve --log-format xml", {}, "--log-format cannot be “xml”; give one of text, json"),
    ("serve", {"OKCANCEL_LOG_FORMAT": "xml"}, "OKCANCEL_LOG_FORMAT cannot be “xml”"),
    ("serve --log-level loud", {}, "--log-level cannot be “loud”; give one of debug, info, warning, error"),
    ("serve --trust-proxy 10.0.0.1/8", {}, "--trust-proxy cannot be “10.0.0.1/8”"),
    ("serve", {"OKCANCEL_TRUST_PROXY": "10.0.0.0/8,proxy"}, "OKCANCEL_TRUST_PROXY cannot be “proxy”"),
    ("serve", {"OKCANCEL_TRUST_PROXY": "127.0.0.1,\u0301"}, "OKCANCEL_TRUST_PROXY cannot be “\u0301”"),
    ("serve --rate-limit submit", {},
     "--rate-limit cannot be “submit”; give one of validate, submit, create, open, work, token and a rate"),
    ("serve --rate-limit submit=60/d", {}, "--rate-limit cannot be “submit=60/d”"),
    ("serve --rate-limit submit=0/m", {}, "a rate of 1 to 1000000 per s, m or h"),
    ("notify --test y", {}, "there is no channel `y`; give --channel y=URL, or its URL in OKCANCEL_CHANNEL_Y"),
    ("ask --title T --time-zone Mars/X", {}, "--time-zone cannot be “Mars/X”"),
    ("ask --title T", {"OKCANCEL_TIME_ZONE": "Mars/X"}, "OKCANCEL_TIME_ZONE cannot be “Mars/X”"),
    ("serve --rate-limit submit=\u0301", {}, "--rate-limit cannot be “submit=\u0301”"),
    ("serve --rate-limit look=60/m", {}, "--rate-limit cannot be “look=60/m”"),
    ("serve --rate-limit submit=60/m --rate-limit submit=off", {}, "given twice"),
    ("serve", {"OKCANCEL_API_TOKEN": "a"},
     "OKCANCEL_API_TOKEN cannot be used: a token of 1 character can be guessed; give at least 22"),
    ("serve", {"OKCANCEL_API_TOKEN": f"{TOKEN},0123456789abcdef01234"}, "a token of 21 characters can be guessed"),
    ("serve", {"OKCANCEL_API_TOKEN": ","}, "OKCANCEL_API_TOKEN cannot be used: there is an empty token; put one comma"),
    ("serve", {"OKCANCEL_API_TOKEN": f"{TOKEN},"}, "there is an empty token"),
    ("serve --insecure-token", {"OKCANCEL_API_TOKEN": "a,,b"}, "there is an empty token"),
    ("serve", {"OKCANCEL_API_TOKEN": "a:metric=canary-0123456789-canary"}, "the token “a” has the scope “metric”, which there is not"),
    *((command, {"OKCANCEL_API_TOKEN": f"{TOKEN}\n"}, "OKCANCEL_API_TOKEN cannot be used: a token has a line break")
      for command in ("serve", "asks", "ask --title T --server http://127.0.0.1:9", "mcp --server http://127.0.0.1:9")),
    ("serve", {"OKCANCEL_KEEP": "0"}, "OKCANCEL_KEEP cannot be “0”"),
    ("serve --keep 2w", {}, "--keep cannot be “2w”; give a whole number of days from 1 to 36500"),
    ("serve", {"OKCANCEL_THREADS": "many"}, "OKCANCEL_THREADS cannot be “many”"),
    ("serve", {"OKCANCEL_BASE_URL": "ask.example.com"}, "OKCANCEL_BASE_URL cannot be “ask.example.com”"),
    ("serve --allow-host https://a.example", {},
     "--allow-host cannot be “https://a.example”; give a name without scheme and port"),
    ("serve --allow-host bücher.example", {}, "--allow-host cannot be “bücher.example”; give a name without scheme and port, like ask.example.com; one with letters outside ASCII as xn--…"),
    ("serve --allow-host a.example:\u0301", {}, "--allow-host cannot be"),
    ("serve --base-url https://bücher.example", {},
     "--base-url cannot be “https://bücher.example”; give scheme and host, like https://ask.example.com; a name with letters outside ASCII as xn--…"),
    ("serve --base-url https://ask。example", {}, "--base-url cannot be"),
    ("serve --allow-origin https://bücher.example", {}, "; a name with letters outside ASCII as xn--…"),
    ("serve --allow-origin tools.example.com", {}, "--allow-origin cannot be “tools.example.com”"),
    *((f"serve --identity-header {name} --trust-proxy 127.0.0.1", {},
       f"--identity-header cannot be “{name}”; it has a meaning of its own; give a header that only the proxy sets, like Remote-User")
      for name in ("Host", "cookie", "Origin", "Content-Type", "X-Forwarded-For", "Sec-Fetch-Site", "Accept", "Forwarded")),
    ("serve --identity-jwt Authorization", {}, "--identity-jwt cannot be “Authorization”; it has a meaning of its own"),
    ("serve --identity-header X-U --identity-groups connection --trust-proxy 127.0.0.1", {}, "--identity-groups cannot be “connection”"),
    ("serve --identity-header X-U --identity-name x-u --trust-proxy 127.0.0.1", {},
     "--identity-name cannot be “x-u”; --identity-header names it as well; give another header, or leave this option out"),
    ("serve --identity-header X-U --identity-email X-G --trust-proxy 127.0.0.1", {"OKCANCEL_IDENTITY_GROUPS": "X-G"},
     "OKCANCEL_IDENTITY_GROUPS cannot be “X-G”; --identity-email names it as well"),
    *((f"serve --identity {preset}", {}, f"--identity cannot be “{preset}”; give one of authelia,")
      for preset in ("cloudflare:a.b/c:aud", "cloudflare:Team:aud", "pomerium:a/b", "pomerium:https://a", "pomerium:a:b")),
    ("serve --allow-callback a.example/hooks", {},
     "--allow-callback cannot be “a.example/hooks”; it does not begin with https://"),
    ("serve --allow-callback https://a.example/?x", {}, "it has a “?”; a prefix ends with its path"),
    ("serve", {"OKCANCEL_ALLOW_CALLBACK": "https://u@a.example"}, "OKCANCEL_ALLOW_CALLBACK cannot be"),
    ("serve", {"OKCANCEL_WEBHOOK_SECRET": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3,canary-secret"},
     "OKCANCEL_WEBHOOK_SECRET has a part that is not a secret"),
    ("serve --predicate check", {}, "--predicate cannot be “check”; give NAME=PROGRAM"),
    ("serve --predicate =./check", {}, "--predicate cannot be “=./check”; give NAME=PROGRAM"),
    ("serve --predicate check=\u0301", {}, "there is no program “\u0301”"),
    ("serve --predicate a=/nowhere", {}, "there is no program “/nowhere” that this user may run; check its path and rights"),
    ("serve --predicate a=README.md", {}, "there is no program “README.md”"),
    ("serve --predicate a=./README.md", {}, "there is no program “./README.md”"),
    ("serve --predicate a=/tmp", {}, "there is no program “/tmp”"),
    ("ask --title T", {"OKCANCEL_JSON": "yes"}, "OKCANCEL_JSON"),
    ("ask --title T", {"OKCANCEL_OPEN": "1"}, "OKCANCEL_OPEN"),
    ("ask --title T", {"OKCANCEL_TIMEOUT": "soon"}, "OKCANCEL_TIMEOUT"),
    (f"validate {EMAIL} email=a@b.c", {"OKCANCEL_JSON": "maybe"}, "OKCANCEL_JSON"),
    ("answers email", {"OKCANCEL_FORMAT": "xml", "OKCANCEL_API_TOKEN": TOKEN}, "OKCANCEL_FORMAT"),
    (f"check --format xml {EMAIL}", {}, "give one of text, json, github, sarif"),
    ("ask --title T --format csv", {}, "--format cannot be “csv”; give one of json, shell, bash, null"),
    ("ask --title T --json --format shell", {}, "--json and --format shell are two formats; keep one"),
    ("ask --title T", {"OKCANCEL_JSON": "true", "OKCANCEL_FORMAT": "shell"}, "two formats; keep one"),
    (f"validate {EMAIL} --json", {"OKCANCEL_FORMAT": "bogus"}, "OKCANCEL_FORMAT cannot be “bogus”"),
    (f"validate {EMAIL}", {"OKCANCEL_PREFIX": "a;b"}, "OKCANCEL_PREFIX cannot be “a;b”"),
    ("ask --title T", {"OKCANCEL_TERMINAL": "true", "OKCANCEL_NOTIFY_COMMAND": "cat"}, "--terminal asks here"),
    ("ask --title T", {"OKCANCEL_TITLE": "caf\udce9"}, "the value of OKCANCEL_TITLE is not UTF-8; convert it"),
    ("ask --title caf\udce9", {}, "the argument “caf\ufffd” is not UTF-8; convert it"),
    (f"validate {EMAIL} email=caf\udce9", {}, "the argument “email=caf\ufffd” is not UTF-8; convert it"),
    ("check caf\udce9.yaml", {}, "the argument “caf\ufffd.yaml” is not UTF-8; convert it"),
    ("hook --install claude --timeout 0", {}, "--timeout"),
    ("ask --title T --prefix a_", {}, "--prefix begins the names of variables; add --format shell, bash or null"),
    ("ask --title T --format shell --prefix a;b", {}, "--prefix cannot be “a;b”; begin with a letter or `_`"),
    (f"validate {EMAIL} --format csv", {}, "--format cannot be “csv”; give one of json, shell, bash, null"),
    (f"validate {EMAIL} --json --format shell", {}, "--json and --format shell are two formats; keep one"),
    (f"validate {EMAIL} --prefix a_", {}, "--prefix begins the names of variables; add --format shell, bash or null"),
    (f"validate {EMAIL} --format shell --prefix a;b", {}, "--prefix cannot be “a;b”; begin with a letter or `_`"),
    (f"validate {EMAIL} --language german!", {}, "--language cannot be “german!”; give a language tag"),
    ("answers note --raw", {"OKCANCEL_API_TOKEN": TOKEN}, "okcancel: --raw is about CSV; add --format csv\n"),
    ("answers note --bom", {"OKCANCEL_API_TOKEN": TOKEN}, "okcancel: --bom is about CSV; add --format csv\n"),
    ("serve", {"OKCANCEL_DATABASE": "postgresql://ann:canary@[::1/asks", "OKCANCEL_BASE_URL": "http://127.0.0.1",
               "OKCANCEL_KEY": "A" * 43 + "=", "OKCANCEL_API_TOKEN": TOKEN}, "write postgresql://user@host:port/database"),
])
def test_a_wrong_setting_is_an_error(words, environment, says):
    """Promise 2.2 | Nobody can guess an API token: the server does not start with a short one, limits wrong ones to ten
    a minute per client, and counts them.
    """
    result = run(*words.split(), **environment)
    assert (result.returncode, result.stdout) == (64, "")
    assert says in result.stderr and "canary" not in result.stderr


def options_of(command):
    """The options that a command's help names, without those that every command has."""
    text = run(command, "--help").stdout
    return sorted(set(re.findall(r"^  --([a-z-]+)", text, re.M)) - {"help", "version"})


def test_every_option_is_a_variable():
    """A value that no option takes is refused, wherever an option refuses any."""
    free = {"public", "answers", "templates", "database", "predicate", "webhook-secret"}
    for option in options_of("serve"):
        if option in free or option.startswith("tls-") or option in ("host", "unix"):
            continue
        variable = "OKCANCEL_" + option.upper().replace("-", "_")
        result = run("serve", "Examples", **{variable: "~ no such value"})
        assert result.returncode == 64, option
        assert variable in result.stderr, option


def test_all_that_is_wrong_with_settings_is_told_in_one_start():
    wrong = ["check", "connections", "hsts", "keep", "log-format", "rate-limit", "trust-proxy", "watch"]
    variables = {"OKCANCEL_" + option.upper().replace("-", "_"): "~" for option in wrong}
    result = run("serve", "Examples", "--port", "http", "--tls-cert", "a.pem", **variables, OKCANCEL_API_TOKEN="short")
    assert (result.returncode, result.stdout) == (64, "")
    lines = result.stderr.splitlines()
    for name in [*variables, "--port", "--tls-cert", "OKCANCEL_API_TOKEN"]:
        assert sum(line.startswith(f"okcancel: {name} cannot be ") for line in lines) == 1, result.stderr
    assert len(lines) == len(wrong) + 3
    result = run("serve", "Examples", OKCANCEL_DATABASE="postgresql://a@b/c", OKCANCEL_KEY="short", OKCANCEL_ALLOW_CALLBACK="x")
    assert [name for name in ("OKCANCEL_KEY", "OKCANCEL_API_TOKEN", "--base-url", "OKCANCEL_ALLOW_CALLBACK") if name not in result.stderr] == []
    for command in (["ask", "--title", "T", "--server", "x"], ["validate", EMAIL], ["check", EMAIL], ["asks", "--status", "x"]):
        result = run(*command, "--format", "xml", OKCANCEL_LANGUAGE="~", OKCANCEL_PREDICATE="~", OKCANCEL_CACERT="~")
        assert result.returncode == 64 and len(result.stderr.splitlines()) >= 3, result.stderr


AUTH = ["--sign-in", "https://auth.example.com/?rd={url}"]
JWT = ["--identity-jwt", "X-A", "--identity-audience", "a"]


@pytest.mark.parametrize("words, says", [
    ([*JWT, "--identity-issuer", "i", "--identity-jwks", "http://a.example/x"], "--identity-jwks cannot be"),
    ([*JWT, "--identity-issuer", "i", "--identity-jwks", ""], "--identity-jwks cannot be “”; give the path of a file, or a URL"),
    ([*JWT, "--identity-issuer", "", "--identity-jwks", "/x"], "--identity-issuer cannot be"),
    ([*JWT, "--identity-issuer", "i", "--identity-jwks", "/x", "--sign-in", "nowhere"], "--sign-in cannot be"),
    ([*JWT, "--identity-issuer", "i", *AUTH], "--identity-jwt needs --identity-issuer,"),
    (["--identity", "authelya", *AUTH], "--identity cannot be"),
    (["--identity-header", "bad name", *AUTH], "--identity-header cannot be"),
    (["--identity", "authelia", "--trust-proxy", "nope"], "--trust-proxy cannot be"),
    (["--identity", "authelia"], "--identity needs --trust-proxy"),
    (AUTH, "--sign-in needs --identity"),
    (["--database", "postgresql://a@b/c", "--base-url", "nowhere"], "--base-url cannot be"),
    (["--database", "postgresql://a@b/c", "--base-url", "http://a.example", "--allow-callback", "https://b.example/"], "OKCANCEL_WEBHOOK_SECRET has a part"),
])
def test_one_wrong_option_is_told_once(words, says):
    settings = {"OKCANCEL_KEY": "A" * 43 + "=", "OKCANCEL_API_TOKEN": TOKEN} if "--database" in words else {}
    if "--allow-callback" in words:
        settings["OKCANCEL_WEBHOOK_SECRET"] = "canary"
    result = run("serve", "Examples", *words, **settings)
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr.startswith("okcancel: " + says) and result.stderr.count("\n") == 1, result.stderr


def test_ask_takes_variables_too():
    settings = {"OKCANCEL_TITLE": "How many?", "OKCANCEL_FIELD": "n", "OKCANCEL_RULE": "nonEmpty\nlength: {min: 1, max: 3}"}
    ask = Asking(OKCANCEL_JSON="true", **settings)
    assert ask.answer("n=1234")[0] == 422
    assert ask.answer("n=12")[0] == 200
    assert ask.ended() == (0, '{"outcome":"ok","values":{"n":"12"},"by":{"via":"link"}}\n', "")
    # An option on the command line is the whole question.
    plain = Asking("--title", "Sure?", **settings)
    assert plain.answer("outcome=ok")[0] == 200
    assert plain.ended() == (0, "", "")


FIXED = [
    (command, option, words.split()) for command, option, words in [
        ("ask", "format", "json shell bash null"), ("validate", "format", "json shell bash null"),
        ("check", "format", "text json github sarif"), ("answers", "format", "json csv"), ("asks", "format", "json csv"),
        ("asks", "status", "open closed"), ("serve", "hsts", "on off"), ("serve", "log-format", "text json"),
        ("serve", "log-level", "debug info warning error")]]


def completed(script, words):
    """What bash completes the last of the words to."""
    code = f"""source {script}; COMP_WORDS=({" ".join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}
COMP_LINE="{" ".join(words)}"; COMP_POINT=${{#COMP_LINE}}
_okcancel okcancel "${{COMP_WORDS[-1]}}" "${{COMP_WORDS[-2]}}"; echo "${{COMPREPLY[@]}}" """
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_shells_complete_every_option_that_has_fixed_values(tmp_path):
    scripts = {shell: tmp_path / f"okcancel.{shell}" for shell in ("bash", "zsh", "fish")}
    for shell, script in scripts.items():
        script.write_text(run("--generate-completion-script", shell).stdout, "utf-8")
    for command, option, words in FIXED:
        assert completed(scripts["bash"], ["okcancel", command, f"--{option}", ""]) == words, (command, option)
        for shell in ("zsh", "fish"):
            assert "'" + {"zsh": "' '", "fish": " "}[shell].join(words) + "'" in scripts[shell].read_text("utf-8"), (shell, option)


# limits


def test_a_proxy_that_is_not_trusted_is_named_once():
    with Server("--rate-limit", "submit=1/h") as server:
        for _ in range(4):
            server.request("POST", "/prompts/email", "outcome=cancel", FORM | {"X-Forwarded-For": "192.0.2.1"})
        server.stop()
    assert len([line for line in server.log.lines if "--trust-proxy" in line]) == 1


def test_guesses_at_the_token_are_few_and_counted():
    """Those of this machine too; the right token passes all the while.

    Promise 2.2
    """
    with Server("--rate-limit", "token=10/h") as server:
        def ask(**headers):
            return server.exchange("GET", "/metrics", headers=headers)

        # No token, or one of another scheme, is no guess.
        for headers in [{}, {"Authorization": "Bearer"}, {"Authorization": "Basic YTpi"}] * 10:
            assert ask(**headers).status == 401
        def guesses(count):
            return [ask(Authorization=f"Bearer {number:022}").status for number in range(count)]

        assert guesses(10) == [401] * 10
        refused = ask(Authorization="Bearer another")
        assert (refused.status, refused.headers["Retry-After"]) == (429, "360")
        assert "wrong API tokens" in json.loads(refused.body)["detail"]
        assert server.request("POST", "/asks", '{"prompt":"email"}', JSON | {"Authorization": "Bearer x"})[0] == 429
        passed = ask(**server.authorized)
        assert passed.status == 200 and b"okcancel_token_failures_total 12\n" in passed.body
    # Ten a minute, unless told otherwise.
    with Server() as server:
        assert guesses(10) == [401] * 10
        wait_until(lambda: ask(Authorization="Bearer another").status == 429)
        assert int(ask(Authorization="Bearer another").headers["Retry-After"] or 1) <= 6


def test_a_token_that_is_sent_twice_is_refused():
    """Promise 2.5 | The server refuses a request with two tokens."""
    with Server() as server:
        for path in ("/metrics", "/prompts/email/answers", "/asks/0123456789abcdefghjkmnpqrs"):
            said = talk(server.port, (
                f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {server.token}\r\n"
                f"Authorization: Bearer {server.token}\r\n\r\n").encode())
            assert said.startswith(b"HTTP/1.1 400 ") and b"appears twice" in said


def test_a_short_token_is_taken_where_that_is_wanted():
    with Server("--insecure-token", token="a") as server:
        assert server.request("GET", "/metrics", headers=server.authorized)[0] == 200


# metrics


def test_promtool_finds_nothing_to_say():
    with Server() as server:
        server.request("GET", "/")
        server.request("POST", "/validate/email", "email=bob", FORM)
        server.ask()
        server.request("GET", "/nowhere")
        assert server.request("GET", "/metrics")[0] == 401
        status, text = server.request("GET", "/metrics", headers=server.authorized)
    assert status == 200
    assert "okcancel_asks_open 1\n" in text
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_the_alerts_are_rules_about_metrics_that_exist(tmp_path):
    """promtool reads them, and tries two of them on series."""
    rules = ROOT / "Packaging/alerts.yaml"
    checked = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    expressions = re.findall(r"expr: (.*)", rules.read_text("utf-8"))
    assert {name for each in expressions for name in re.findall(r"okcancel_\w+", each)} < set(re.findall(r"`(okcancel_\w+)`", METRICS.text))
    (tmp_path / "tests.yaml").write_text(f"""
rule_files: [{rules}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {{series: 'okcancel_store_healthy{{job="okcancel", instance="a"}}', values: '1 1 0 0 0 0'}}
      - {{series: 'okcancel_http_requests_total{{job="okcancel", instance="a", status="503"}}', values: '0+60x20'}}
    alert_rule_test:
      - {{eval_time: 1m, alertname: OKCancelStoreUnhealthy, exp_alerts: []}}
      - eval_time: 5m
        alertname: OKCancelStoreUnhealthy
        exp_alerts:
          - exp_labels: {{severity: critical, job: okcancel, instance: a}}
            exp_annotations: {{summary: "a cannot store answers; /readyz and the log say why"}}
      - eval_time: 15m
        alertname: OKCancelServerErrors
        exp_alerts:
          - exp_labels: {{severity: warning, instance: a}}
            exp_annotations: {{summary: "a responds with 5xx 1 times a second"}}
""")
    tried = subprocess.run(["promtool", "test", "rules", tmp_path / "tests.yaml"], capture_output=True, text=True, timeout=60)
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_the_page_names_every_metric():
    with Server("Examples", "--predicate", "check=true") as server:
        # On one connection a request is over, and counted, before the next one begins.
        connection = server.connection()
        server.request("GET", "/healthz", connection=connection)
        text = server.request("GET", "/metrics", headers=server.authorized, connection=connection)[1]
    assert set(re.findall(r"^# TYPE (okcancel_\w+)", text, re.M)) == set(re.findall(r"`(okcancel_\w+)`", METRICS.text))


def test_the_page_s_limits_can_be_set():
    words = Page("operating.md").example("sh", under="Limits").split()
    assert words[:2] == ["okcancel", "serve"]
    with Server(*words[2:]) as server:
        assert server.request("GET", "/readyz")[0] == 200


def test_the_page_s_log_line_is_one():
    assert LOG_LINE.fullmatch(re.search(r"## Logs.*?```\n(.*?)\n```", METRICS.text, re.S)[1])


# the service manager


class Manager:
    """Listens as systemd does, at a path or at an abstract name."""

    def __init__(self, folder, is_abstract):
        name = f"okcancel-{os.getpid()}-{os.urandom(4).hex()}"
        self.variable = f"@{name}" if is_abstract else str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(60)
        self.socket.bind(f"\0{name}" if is_abstract else self.variable)

    def told(self):
        """The next message but the watchdog's, as a dictionary."""
        while True:
            message = dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())
            if message != {"WATCHDOG": "1"}:
                return message


@pytest.mark.parametrize("is_abstract", [False, True])
def test_the_service_manager_is_told_how_the_server_stands(tmp_path, is_abstract):
    manager = Manager(tmp_path, is_abstract)
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "name.yaml").write_text("title: Name\n")
    with Server(prompts, NOTIFY_SOCKET=manager.variable) as server:
        ready = manager.told()
        assert ready["READY"] == "1" and ready["STATUS"] == server.line
        server.process.send_signal(signal.SIGHUP)
        reloading = manager.told()
        assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) > 0
        assert manager.told() == ready
        (prompts / "name.yaml").write_text("titel: Name\n")
        server.process.send_signal(signal.SIGHUP)
        assert manager.told()["RELOADING"] == "1"
        faulty = manager.told()
        assert faulty["READY"] == "1" and "the old prompts stay" in faulty["STATUS"]
        server.process.terminate()
        assert manager.told()["STOPPING"] == "1"
        assert server.ended() == 0


def test_the_watchdog_is_fed(tmp_path):
    manager = Manager(tmp_path, False)
    with Server(NOTIFY_SOCKET=manager.variable, WATCHDOG_USEC="100000"):
        assert b"READY=1" in manager.socket.recv(4096)
        for _ in range(3):
            assert manager.socket.recv(4096) == b"WATCHDOG=1"


def test_a_manager_that_does_not_listen_keeps_nobody_from_starting(tmp_path):
    with Server(NOTIFY_SOCKET=str(tmp_path / "nobody")) as server:
        assert "service manager" in server.log.wait_for("cannot be told")
        assert server.request("GET", "/healthz")[0] == 200


SECRETS = {
    "OKCANCEL_API_TOKEN": "canary-token-0123456789", "OKCANCEL_KEY": "Y2FuYXJ5LWNhbmFyeS1jYW5hcnktY2FuYXJ5LWNhbmE=",
    "OKCANCEL_WEBHOOK_SECRET": "whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnktY2FuYXJ5"}
SPY = """for file in environ mem; do
  (: < /proc/$PPID/$file) 2> /dev/null && echo "EXPOSED $file" && exit 1
done
tr '\\0' ' ' < /proc/self/environ
exit 1"""


def nobody(folder):
    """What runs a program as a user without rights, for whom this folder is: root may read everything."""
    if os.geteuid() != 0:
        return ()
    for place in [folder, *folder.rglob("*")]:
        os.chown(place, 65534, 65534)
    for above in list(folder.parents)[:2]:
        above.chmod(above.stat().st_mode | 0o011)
    return ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def test_a_predicate_reads_no_secret_of_the_server_that_runs_it(tmp_path):
    """Neither its first variables nor its memory.

    Promise 4.6
    """
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    words = [*look_with(prompts, SPY), "--allow-callback", "https://example.com/"]
    binary = Path(shutil.copy(BINARY, tmp_path))
    with Server(*words, program=binary, database=tmp_path / "a.sqlite", before=nobody(tmp_path), token=None,
                options={"cwd": tmp_path}, NOTIFY_SOCKET="/nowhere", **SECRETS) as server:
        token = {"Authorization": f"Bearer {SECRETS['OKCANCEL_API_TOKEN']}"}
        said = server.request("POST", "/validate/ask", '{"a":"x"}', JSON)[1]
        assert "PATH=" in said and "EXPOSED" not in said
        assert "NOTIFY_SOCKET" not in said
        assert not any(secret in said for secret in SECRETS.values())
        # Wiped, not only forgotten: root reads what is left.
        first = Path(f"/proc/{server.process.pid}/environ")
        if os.geteuid() == 0:
            left = first.read_bytes()
            assert b"PATH=" in left and not any(value.encode() in left for value in SECRETS.values())
        assert first.stat().st_uid == 0
        status, metrics = server.request("GET", "/metrics", headers=token)
        # What it needs to know of itself it still reads.
        assert status == 200 and int(re.search(r"process_open_fds (\d+)", metrics)[1]) > 5
        assert server.request("GET", "/metrics", headers=token)[0] == 200
        assert not (tmp_path / "a.sqlite.key").exists()


def test_programs_of_predicates_wait_for_each_other(tmp_path):
    """Whatever waits gets its verdict: each program has its two seconds from its own start. Together they take longer.

    Promise 3.10 | Predicate programs queue: only two per core run at once, so they do not make each other late.
    """
    count = 24 * len(os.sched_getaffinity(0))
    running, counts = tmp_path / "running", tmp_path / "counts"
    running.mkdir()
    words = look_with(tmp_path, f": > {running}/$$; set -- {running}/*; echo $# >> {counts}; sleep 0.2; rm {running}/$$")
    body = b'{"a":"x"}'
    request = (b"POST /validate/ask HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
               b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    with Server(*words) as server:
        clients = [socket.create_connection(("127.0.0.1", server.port), timeout=120) for _ in range(count)]
        for client in clients:
            client.sendall(request)
        answers = [until_closed(client) for client in clients]
        for client in clients:
            client.close()
    assert sum(b'"isValid":true' in answer for answer in answers) == count
    seen = [int(line) for line in counts.read_text().split()]
    assert len(seen) == count and max(seen) <= 2 * len(os.sched_getaffinity(0))


def test_the_unit_is_sound(tmp_path):
    """systemd reads every line of the unit, and rates what it still exposes."""
    unit = (ROOT / "Packaging" / "okcancel.service").read_text("utf-8")
    path = tmp_path / "okcancel.service"
    path.write_text(unit.replace("/usr/local/bin/okcancel", "/bin/true"))
    listening = shutil.copy(ROOT / "Packaging" / "okcancel.socket", tmp_path)
    verified = subprocess.run(["systemd-analyze", "verify", path, listening], capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", path], capture_output=True, text=True, timeout=60)
    assert rated.returncode == 0, rated.stdout[-500:]


def test_the_image_is_built_with_all_that_the_build_needs(tmp_path):
    """And with nothing else: a change of a test makes no new image."""
    build = (ROOT / "Dockerfile").read_text("utf-8").split("\nFROM ")[1]
    copied = " ".join(re.findall(r"^COPY (.*) \./?\S*$", build, re.M)).split()
    assert copied == [
        "Package.swift", "Package.resolved*", "Makefile", "Packaging", "debian", "Plugins", "Sources", "Templates", "Public", "Examples"]
    for pattern in copied:
        # The versions are only there after a build.
        for path in ROOT.glob(pattern):
            shutil.copy(path, tmp_path) if path.suffix else (tmp_path / path.name).symlink_to(path)
    described = subprocess.run(
        ["swift", "package", "--package-path", tmp_path, "--scratch-path", tmp_path / "build", "dump-package"],
        capture_output=True, text=True, timeout=300)
    targets = {target["name"] for target in json.loads(described.stdout)["targets"]}
    # SwiftPM wants the folder of every target that the manifest names, also of those that are not built.
    assert {"OKCancel", "OKCancelCLI"} <= targets
    assert targets <= {folder.name for place in ("Plugins", "Sources") for folder in (ROOT / place).iterdir()}
    dry = subprocess.run(["make", "--directory", tmp_path, "--dry-run", "deb"], capture_output=True, text=True, timeout=60)
    assert dry.returncode == 0, dry.stderr



# behind a proxy


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_page_s_nginx_passes_everything_on_and_logs_no_token(tmp_path):
    """The configuration of the documentation, but for names and TLS, in a real nginx."""
    with Server("--trust-proxy", "127.0.0.1") as server:
        site = PROXY.example("nginx").replace("/var/log/nginx", str(tmp_path))
        with Nginx(tmp_path, site, {"127.0.0.1:8080": f"127.0.0.1:{server.port}"}) as nginx:
            proxy, host = Client(f"http://127.0.0.1:{nginx.port}", server.token), {"Host": "ask.example.com"}
            link = proxy.call("POST", "/asks", {"prompt": "email"}, host)["link"]
            assert link.startswith("https://ask.example.com/a/")
            status, page = proxy.request("GET", "/" + link.split("/", 3)[3], headers=host)
            assert status == 200 and "<form" in page
            # A page of the same site may post, though the server itself has another name.
            origin = {"Origin": "https://ask.example.com"}
            assert proxy.request("POST", "/validate/email", "email=bob", FORM | host | origin)[0] == 200
            token = link.rpartition("/")[2]
            for path in (f"/a/{token}/rules", f"/a/{token}?lang=de", f"/a/{token}x"):
                proxy.request("GET", path, headers=host)
        server.stop()
        assert "client=127.0.0.1" in server.log.text
    logged = (tmp_path / "okcancel.log").read_text()
    assert token not in logged and logged.count('"GET /a/-"') == 3
    assert '"GET /a/-/rules" 200' in logged and '"POST /validate/email" 200' in logged


@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed")
def test_the_page_s_caddy_passes_everything_on_and_logs_no_token(tmp_path):
    with Server("--trust-proxy", "127.0.0.1") as server:
        with Caddy(tmp_path, PROXY.example("caddy"), {"127.0.0.1:8080": f"127.0.0.1:{server.port}"}) as caddy:
            name = f"ask.example.com:{caddy.port}"
            proxy, host = Client(f"http://127.0.0.1:{caddy.port}", server.token), {"Host": name}
            link = proxy.call("POST", "/asks", {"prompt": "email"}, host)["link"]
            assert link.startswith(f"http://{name}/a/")
            token = link.rpartition("/")[2]
            for path in (f"/a/{token}", f"/a/{token}/rules?lang=de", "/prompts/email"):
                assert proxy.request("GET", path, headers=host)[0] == 200
            referring = FORM | host | {"Accept": "text/html", "Referer": link}
            assert proxy.exchange("POST", f"/a/{token}", "email=ann%40b.c", referring).headers["Location"].startswith(f"/a/{token}/done")
            forged = {"X-Forwarded-For": "192.0.2.1", "X-Request-Id": "forged"}
            identifier = proxy.exchange("GET", "/nowhere", headers=host | forged).headers["X-Request-Id"]
            assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identifier)
        server.stop()
    logged = (tmp_path / "access.log").read_text()
    assert token not in logged and all(f'"uri":"{uri}' in logged for uri in ('/a/-"', '/a/-/rules?lang=de"', '/prompts/email"'))
    # Caddy drops what its own client claims.
    assert any(f"id={identifier}" in line and "client=127.0.0.1" in line for line in server.log.lines)


def page_s_nginx_under_a_path(folder, server, port, leaves_out):
    token, location = re.findall(r"^  ~.*|^  location.*\n.*8080;", PROXY.example("nginx", under="Under a path"), re.M)
    site = re.sub(r"  ~\^/a/.*", lambda _: token, PROXY.example("nginx"))
    site = re.sub(r"  location .*\n.*8080;", lambda _: location, site).replace("/var/log/nginx", str(folder))
    real = f"127.0.0.1:{server.port}" + ("/" if leaves_out else "")
    return Nginx(folder, site, {"127.0.0.1:8080": real}, port)


def page_s_caddy_under_a_path(folder, server, port, leaves_out):
    token, *handle = PROXY.example("caddy", under="Under a path").splitlines(keepends=True)
    site = re.sub(r"\treverse_proxy(?s:.*)\n\t}\n", lambda _: "".join(handle), PROXY.example("caddy"))
    site = re.sub(r"\t+request>uri.*\n", lambda _: token, site)
    site = site.replace("handle /", "handle_path /" if leaves_out else "handle /")
    return Caddy(folder, site, {"127.0.0.1:8080": f"127.0.0.1:{server.port}"}, port, name="localhost")


@pytest.mark.parametrize("leaves_out", [False, True])
@pytest.mark.parametrize("program", ["nginx", "caddy"])
def test_the_page_s_proxies_serve_everything_under_a_path(tmp_path, program, leaves_out):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    port, under = free_port(), "/ask"
    proxied = page_s_nginx_under_a_path if program == "nginx" else page_s_caddy_under_a_path
    base = f"http{'s' if program == 'nginx' else ''}://localhost:{port}/ask"
    with Server("--trust-proxy", "127.0.0.1", "--base-url", base) as server, proxied(tmp_path, server, port, leaves_out):
        outside = Client(f"http://localhost:{port}", server.token)
        def get(path, **headers):
            assert path.startswith("/ask/"), path
            answer = outside.exchange("GET", path, headers=headers)
            assert answer.status == 200, (path, answer.status)
            return answer.body.decode()
        made = outside.exchange("POST", "/ask/asks", b'{"prompt":"email"}', JSON | outside.authorized)
        ask = json.loads(made.body)
        assert ask["link"].startswith(f"{base}/a/") and get(made.headers["Location"], **outside.authorized)
        link = ask["link"].removeprefix(base.removesuffix("/ask"))
        # Every address that a page has leads to this server, and so does what its scripts import.
        for path in (link, "/ask/prompts/login", "/ask/"):
            page = get(path, Accept="text/html")
            addresses = re.findall(r'\b(?:href|src|action|data-validate)="(?!data:)([^"#?]+)', page)
            assert addresses and all(address.startswith("/ask/") for address in addresses), addresses
            for script in re.findall(r'(?:href|src)="([^"]+)"', page):
                if script.endswith(".js"):
                    for imported in re.findall(r'(?:from|import\()\s*"([^"]+)"', get(script)):
                        get(urljoin(script, imported))
                elif script.startswith("/ask/"):
                    get(script)
        for prompt in json.loads(get("/ask/", Accept="application/json")):
            get(prompt["href"] + "/rules")
        assert json.loads(get("/ask/openapi.json"))["servers"][0]["url"] == under
        assert json.loads(get("/ask/prompts/email/schema"))["$id"] == "/ask/prompts/email/schema"
        # A form's answer and its last page, as a browser without scripts.
        answered = outside.exchange("POST", link, "outcome=ok&email=ann%40example.com", FORM | {"Accept": "text/html", "Origin": base[:-4]})
        assert answered.status == 303 and answered.headers["Location"].startswith(f"{link}/done?")
        get(answered.headers["Location"], Accept="text/html")
        for _ in range(2):
            outside.exchange("POST", "/ask/prompts/email", "email=ann%40example.com", FORM)
        listed = outside.exchange("GET", "/ask/prompts/email/answers?limit=1", headers=outside.authorized)
        following = re.fullmatch('<(.*)>; rel="next"', listed.headers["Link"])[1]
        assert get(following, **outside.authorized)
        # Programs.
        assert run("asks", "--server", f"http://localhost:{port}/ask", OKCANCEL_API_TOKEN=server.token).stdout.count("\n") == 1
        asking = Asking("--prompt", "email", "--server", f"http://localhost:{port}/ask/", OKCANCEL_API_TOKEN=server.token)
        path = asking.link.removeprefix(base.removesuffix("/ask"))
        assert outside.request("POST", path, "email=bob%40example.com", FORM)[0] == 200
        assert asking.ended()[:2] == (0, "bob@example.com\n")
        client = okcancel.Client(f"http://localhost:{port}/ask", server.token)
        assert client.withdraw(client.create("T").id).outcome == "withdrawn"
        # The server's own address has both as well.
        assert [server.request("GET", path)[0] for path in ("/prompts/email", "/ask/prompts/email", "/asks/prompts/email")] == [200, 200, 404]
    logged = (tmp_path / ("okcancel.log" if program == "nginx" else "access.log")).read_text()
    assert link.rpartition("/")[2] not in logged and "/ask/a/-" in logged


@pytest.mark.parametrize("path, told", [
    ("/a", "cannot begin with /a,"), ("/prompts/x", "cannot begin with /prompts,"), ("/embed", "cannot begin with /embed,"),
    ("/files", "cannot begin with /files,"), ("/healthz", "cannot begin with /healthz,"),
    ("/ask/..", "may only have"), ("/ä", "may only have"), ("/a%2Fb", "may only have"),
    ("//ask", "two slashes"), ("/ask//x", "two slashes"),
])
def test_a_path_that_could_be_the_server_s_own_is_refused(path, told, tmp_path):
    for words in (["--check"], [tmp_path / "none", "--database", tmp_path / "a.sqlite", "--keep", "never"]):
        refused = run("serve", *words, "--port", "0", "--base-url", f"https://example.com{path}")
        assert refused.returncode == 64 and told in refused.stderr, refused.stderr
    # With what else is wrong, and before anything is opened.
    assert "--keep" in refused.stderr and not list(tmp_path.iterdir())


@pytest.mark.parametrize("variable, told", [
    ("OKCANCEL_PROT", "there is no variable OKCANCEL_PROT; did you mean OKCANCEL_PORT?"),
    ("OKCANCEL_API_TOKENS", "there is no variable OKCANCEL_API_TOKENS; did you mean OKCANCEL_API_TOKEN?"),
    ("OKCANCEL_COLOUR_OF_THE_SKY", "there is no variable OKCANCEL_COLOUR_OF_THE_SKY; nothing reads it"),
])
def test_a_variable_that_no_option_has_is_a_warning(variable, told):
    with Server(**{variable: "8080", "OKCANCEL_KEEP": "30", "OKCANCEL_TITLE": "x"}) as server:
        server.log.wait_for(told)
        assert server.log.text.count("there is no variable") == 1
