"""An initial date and time comes back as it was put in, whoever gave it, though a browser's control writes it in its own way."""

import json
from urllib.parse import urlsplit

import pytest
from asking import Asking

from Support.client import FORM, JSON, page
from Support.server import Server

PROMPT = {"title": "When?", "fields": [{"name": "at", "kind": "dateTime"}]}
# As it is given, and as a browser's form sends it.
TIMES = [("2025-01-31 09:30", "2025-01-31T09:30"), ("2025-01-31T09:30:00", "2025-01-31T09:30"),
         ("2025-01-31 09:30:05.500", "2025-01-31T09:30:05.5")]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    for number, (given, _) in enumerate(TIMES):
        prompt = PROMPT | {"fields": [PROMPT["fields"][0] | {"value": given}]}
        (folder / f"given-{number}.json").write_text(json.dumps(prompt))
    (folder / "when.json").write_text(json.dumps(PROMPT))
    with Server(folder, "--log-level", "error") as server:
        yield server


def send(server, path, sent):
    return server.request("POST", path, f"outcome=ok&at={sent}", FORM)


@pytest.mark.parametrize("number", range(len(TIMES)))
def test_of_a_definition(server, number):
    given, sent = TIMES[number]
    for path in f"/prompts/given-{number}", urlsplit(server.ask(f"given-{number}")["link"]).path:
        status, text = send(server, path, sent)
        assert (status, json.loads(text)["values"]) == (200, {"at": given})
    # Another time is another value, and a program's own way to write it stays.
    assert json.loads(send(server, f"/prompts/given-{number}", "2025-01-31T09:31")[1])["values"] == {"at": "2025-01-31T09:31"}
    body = json.dumps({"outcome": "ok", "values": {"at": sent}})
    assert json.loads(server.request("POST", f"/prompts/given-{number}", body, JSON)[1])["values"] == {"at": sent}


@pytest.mark.parametrize("given, sent", TIMES)
def test_of_an_ask(server, given, sent):
    for question in {"prompt": "when"}, {"definition": PROMPT}:
        ask = server.call("POST", "/asks", question | {"values": {"at": given}})
        path = urlsplit(ask["link"]).path
        assert f'value="{given.replace(" ", "T")}"' in page(ask["link"])
        assert send(server, path, "")[0] == 422
        assert send(server, path, sent)[0] == 200
        ended = server.call("GET", f"/asks/{ask['id']}")
        assert ended["values"] == {"at": given}


@pytest.mark.parametrize("given, sent", TIMES)
def test_of_the_command(server, given, sent, tmp_path):
    (tmp_path / "when.json").write_text(json.dumps(PROMPT))
    for words in ["--prompt", "when", "--server", server.url], ["--prompt", tmp_path / "when.json"]:
        asking = Asking(*words, "--value", f"at={given}", "--format", "json", OKCANCEL_API_TOKEN=server.token)
        assert asking.answer(f"outcome=ok&at={sent}")[0] == 200
        assert json.loads(asking.ended()[1])["values"] == {"at": given}


@pytest.mark.parametrize("given, sent", TIMES)
def test_of_an_agent(server, given, sent):
    def call(tool, **arguments):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        return server.call("POST", "/mcp", message)["result"]["structuredContent"]

    opened = call("ask_person", prompt="when", values={"at": given}, wait=0)
    assert send(server, urlsplit(opened["link"]).path, sent)[0] == 200
    assert call("ask_outcome", id=opened["id"])["values"] == {"at": given}
