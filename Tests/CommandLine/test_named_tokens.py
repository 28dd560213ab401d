"""API tokens with names and scopes, in the one variable that servers and programs read."""

import csv
import io
import sys

import pytest
from asking import Asking
from dialog_screen import DialogScreen

from Support.client import FORM
from Support.command import ROOT, run
from Support.server import Server

sys.path.insert(0, str(ROOT / "Packaging/python"))
import okcancel  # noqa: E402

BOT, METER = "release-bot-token-of-22-", "prometheus-token-of-22-c"
TOKENS = f"release-bot:ask+answers={BOT},prometheus:metrics={METER},release-bot={BOT}2"


@pytest.fixture(scope="module")
def server():
    with Server("Examples", token=TOKENS) as server:
        yield server


@pytest.mark.parametrize("tokens, said", [
    (f"a:metric={BOT}", "the token “a” has the scope “metric”, which there is not; the scopes are ask, answers, metrics, vouch"),
    (f"a={BOT},b={BOT}", "two entries have the same token and another name or scope"),
    ("a=short", "a token of 7 characters can be guessed"),
])
def test_a_server_does_not_start_with_what_it_cannot_use(tokens, said):
    wrong = run("serve", "Examples", "--check", OKCANCEL_API_TOKEN=tokens)
    assert wrong.returncode == 64
    assert said in wrong.stderr and BOT not in wrong.stderr


def test_each_program_may_do_what_its_token_says(server):
    def status(path, token):
        return server.request("GET", path, headers={"Authorization": f"Bearer {token}"})[0]

    assert [status(path, BOT) for path in ("/asks", "/prompts/email/answers", "/metrics")] == [200, 200, 403]
    assert [status(path, METER) for path in ("/asks", "/prompts/email/answers", "/metrics")] == [403, 403, 200]
    assert status("/asks", TOKENS.split(",")[0]) == 401


def test_commands_and_the_python_client_send_the_first(server, monkeypatch):
    asking = Asking("--title", "T", "--server", server.url, OKCANCEL_API_TOKEN=TOKENS)
    page = server.request("GET", "/a/" + asking.link.rsplit("/", 1)[1])[1]
    assert 'id="asker"' in page and "release-bot" in page
    assert asking.answer("outcome=ok")[0] == 200
    assert asking.ended()[0] == 0
    for words in (["asks"], ["answers", "email", "--asks"]):
        listed = run(*words, "--server", server.url, OKCANCEL_API_TOKEN=TOKENS)
        assert listed.returncode == 0, listed.stderr
    table = run("asks", "--format", "csv", "--server", server.url, OKCANCEL_API_TOKEN=TOKENS).stdout
    assert {row["askedBy"] for row in csv.DictReader(io.StringIO(table))} == {"release-bot"}
    monkeypatch.setenv("OKCANCEL_API_TOKEN", TOKENS)
    client = okcancel.Client(server.url)
    assert client.token == BOT
    ask = client.create("T")
    assert server.request("POST", "/a/" + ask.link.rsplit("/", 1)[1], "outcome=ok", FORM)[0] == 200
    assert client.wait(ask.id)


def test_a_missing_scope_is_said(server):
    refused = run("ask", "--title", "T", "--server", server.url, OKCANCEL_API_TOKEN=f"prometheus:metrics={METER}")
    assert refused.returncode == 70
    assert "This API token does not have the scope `ask`" in refused.stderr


def test_a_terminal_says_who_asks(server):
    client = okcancel.Client(server.url, BOT)
    ask = client.create("Deploy?")
    dialog = DialogScreen("answer", ask.link)
    dialog.until("Asked by release-bot")
    dialog.type("\x03")
    assert dialog.ended()[0] == 1
