"""Secrets are looked for where none may be: in everything that a server wrote, after a crash too."""

import base64
import json
import os
import urllib.parse

import pytest

from Support.client import FORM, JSON
from Support.server import Server

# Nobody listens there: each callback fails, and says so in the log.
HOOK = "http://127.0.0.1:9/hook"
DEFINITION = {
    "title": "Sign in", "fields": [
        {"name": "user"},
        {"name": "password", "kind": "password", "rules": [{"length": {"min": 12}}]}]}


def spellings(secret):
    """A text as it may be written: as it is, percent-encoded, in hexadecimal, in Base64 at any offset."""
    raw = secret.encode()
    yield raw
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    yield urllib.parse.quote(secret, safe="").encode()
    yield secret.encode("utf-16-le")
    for offset in range(3):
        # Whole groups of three bytes look the same in whatever stands before and after them.
        whole = raw[offset:][: (len(raw) - offset) // 3 * 3]
        yield base64.b64encode(whole)
        yield base64.urlsafe_b64encode(whole)


def canary(name):
    return f"canary-{name}-{os.urandom(8).hex()}"


class Run:
    """A server under way, every secret that it was given, and everything that it said."""

    def __init__(self, *words):
        self.secrets = {
            "API token": canary("api-token"),
            "webhook secret": base64.b64encode(canary("webhook-secret").encode()).decode(),
            "key": base64.b64encode(os.urandom(32)).decode(),
        }
        self.said = []
        self.server = Server(
            "--keep", "30", "--allow-callback", HOOK, *words, token=self.secrets["API token"],
            OKCANCEL_WEBHOOK_SECRET="whsec_" + self.secrets["webhook secret"], OKCANCEL_KEY=self.secrets["key"])

    def request(self, method, path, body=None, headers={}, token=False, keeps=True):
        answer = self.server.exchange(method, path, body, headers | (self.server.authorized if token else {}))
        if keeps:
            self.said.append((f"{method} answer, {answer.status}", str(answer.headers).encode() + answer.body))
        return answer.status, answer.body

    def ask(self, name):
        """An ask; its link's token is one more secret, which only this answer may hold."""
        status, text = self.request(
            "POST", "/asks", json.dumps({"definition": DEFINITION, "callback": HOOK}), JSON | {"Idempotency-Key": name}, token=True, keeps=False)
        assert status == 201
        ask = json.loads(text)
        self.secrets[f"link token of {name}"] = ask["link"].rsplit("/", 1)[1]
        return ask["id"], "/a/" + self.secrets[f"link token of {name}"]

    def wrote(self):
        """Every file of the server, and its output. The key file is the operator's to protect."""
        yield from self.said
        yield "standard output", (self.server.line + self.server.process.stdout.read()).encode()
        yield "log", self.server.log.text.encode()
        for path in sorted(self.server.folder.iterdir()):
            yield path.name, path.read_bytes()


@pytest.mark.parametrize("log_format", ["text", "json"])
@pytest.mark.parametrize("ends_by", ["kill", "stop"])
def test_no_secret_is_in_what_a_server_writes(log_format, ends_by):
    """Promise 4.5 | After a real run, no secret is in the logs, database, metrics, pages or errors."""
    run = Run("--log-level", "debug", "--log-format", log_format)
    password = lambda name: run.secrets.setdefault(f"password {name}", canary("password"))
    form = lambda **fields: urllib.parse.urlencode(fields)

    # A standing prompt: judged, refused, kept; as a form, as JSON, for a browser.
    for headers in (FORM, FORM | {"Accept": "text/html"}):
        run.request("POST", "/validate/login", form(user="ann", password=password("judged")), headers)
        run.request("POST", "/prompts/login", form(user="", password=password("refused")), headers)
        # Its answer gives the values back to who sent them.
        run.request("POST", "/prompts/login", form(user="ann", password=password("kept")), headers | {"Idempotency-Key": password("key")}, keeps=False)
    run.request("POST", "/validate", json.dumps({"rules": ["email"], "value": password("loose")}), JSON)
    run.request("POST", "/prompts/login", json.dumps({"outcome": "ok", "values": {"password": [password("listed")]}}), JSON)
    run.request("POST", "/prompts/login", json.dumps({"outcome": "ok", "values": {"password": password("broken")}})[:-1], JSON)
    run.request("POST", "/prompts/login", "password=" + password("form broken") + "&x=%zz", FORM)

    # Asks: looked at, refused, answered, answered again, withdrawn, open at the end.
    first, link = run.ask("answered")
    second, other = run.ask("withdrawn")
    run.ask("open")
    run.request("GET", link + "/rules")
    run.request("POST", link + "/validate", form(user="ann", password=password("link judged")), FORM)
    short = run.request("POST", link, json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "short"}}), JSON)
    assert short[0] == 422
    for _ in range(2):
        answer = form(user="ann", password=password("answered"))
        assert run.request("POST", link, answer, FORM | {"Idempotency-Key": password("link key")}, keeps=False)[0] == 200
    assert run.request("POST", link, form(user="ann", password=password("too late")), FORM)[0] == 409
    run.request("GET", link, headers={"Accept": "text/html"})
    # Mistyped links, a token in a wrong place, a wrong API token.
    for path in (link + "x", link[:-1], link + "/nowhere", "/A" + link[2:], "/" + link[3:], "/prompts/" + link[3:], link + "%0a"):
        # That there is no such prompt is told by its name.
        run.request("GET", path, keeps=not path.startswith("/prompts/"))
    run.request("GET", f"/metrics?token={run.secrets['API token']}")
    run.request("GET", "/asks/" + first, headers={"Authorization": "Basic " + base64.b64encode(b"x:" + run.secrets["API token"].encode()).decode()})
    run.request("DELETE", "/asks/" + second, token=True)
    run.request("POST", other, form(user="ann", password=password("withdrawn")), FORM)
    # Who asks for the outcome gets it; nobody else does.
    assert password("answered").encode() in run.request("GET", "/asks/" + first, token=True, keeps=False)[1]
    status, metrics = run.request("GET", "/metrics", token=True)
    assert status == 200 and b"okcancel_asks_open 1" in metrics
    run.request("GET", "/readyz")

    getattr(run.server, ends_by)()
    found, sizes = [], {}
    for name, content in run.wrote():
        sizes[name] = len(content)
        for secret, text in run.secrets.items():
            if any(spelling in content for spelling in spellings(text)):
                found.append(f"{secret} in {name}")
    run.server.__exit__()
    assert found == []
    # The search went through something: the database, its log, the server's.
    assert sizes["a.sqlite"] > 0 and sizes["log"] > 3000
    if ends_by == "kill":
        assert sizes["a.sqlite-wal"] > 0


def test_the_search_finds_what_is_there():
    """A canary in a field that is no password is kept as it was typed, and found."""
    run = Run()
    text = canary("comment")
    run.request("POST", "/asks", json.dumps({"prompt": "email", "metadata": {"note": text}}), JSON, token=True)
    run.server.kill()
    places = {name for name, content in run.wrote() if any(spelling in content for spelling in spellings(text))}
    run.server.__exit__()
    assert "a.sqlite-wal" in places
    assert list(spellings(text))[1] == text.encode().hex().encode()
