"""API tokens with names and scopes, in the one variable that servers and programs read."""

import csv
import io

import okcancel
import pytest
from asking import Asking
from dialog_screen import DialogScreen

from Support.client import FORM
from Support.command import run
from Support.server import Server

BOT, METER = "release-bot-token-of-22-", "prometheus-token-of-22-c"
TOKENS = f"release-bot:ask+answers={BOT},prometheus:metrics={METER},release-bot={BOT}2"


@pytest.fixture(scope="module")
def server():
    with Server("Examples", token=TOKENS) as server:
        yield server


def test_commands_and_the_python_client_send_the_first(server, monkeypatch):
    asking = Asking("--title", "T", "--server", server.url, OKCANCEL_API_TOKEN=TOKENS)
    page = asking.page()
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
