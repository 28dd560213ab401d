"""A number as people write it means the same at every door; the conformance corpus says what each means."""

import json
from urllib.parse import urlencode

import pytest
from asking import Asking

from Support.client import FORM, JSON
from Support.command import run
from Support.server import Server

NUMBERS = [("1,5", "1.5"), ("\uff11\uff12", "12"), ("\u0663\u066b\u0665", "3.5"), ("\u22125", "-5"), ("+5", "5"), ("5.", "5")]
AMBIGUOUS = "1,234"
RULES = [{"range": {"min": -5, "max": 12}}]


@pytest.fixture(scope="module")
def definition(tmp_path_factory):
    file = tmp_path_factory.mktemp("prompts") / "amount.json"
    file.write_text(json.dumps({"title": "T", "fields": [{"name": "n", "kind": "number", "rules": RULES}]}))
    return file


@pytest.fixture(scope="module")
def server(definition):
    with Server(definition.parent, "--log-level", "error") as server:
        yield server


def form(server, path, text):
    return server.request("POST", path, urlencode({"n": text}), FORM)


def answer(server, body, text):
    ask = server.call("POST", "/asks", body)
    path = "/a/" + ask["link"].rpartition("/")[2]
    found = server.request("POST", path, json.dumps({"outcome": "ok", "values": {"n": text}}), JSON)
    return found if found[0] != 200 else (200, json.dumps(server.call("GET", f"/asks/{ask['id']}")))


def initial(server, text):
    """What stands in a dialog is sent back as it was put in."""
    made = json.dumps({"prompt": "amount", "values": {"n": text}})
    status, body = server.request("POST", "/asks", made, JSON | server.authorized)
    return form(server, "/a/" + json.loads(body)["link"].rpartition("/")[2], text) if status == 201 else (status, body)


SCHEMA = {"type": "object", "properties": {"n": {"type": "number", "minimum": -5, "maximum": 12}}}
# Each gives the answer.
ANSWERING = {
    "form": lambda server, text: form(server, "/prompts/amount", text),
    "JSON": lambda server, text: server.request(
        "POST", "/prompts/amount", json.dumps({"outcome": "ok", "values": {"n": text}}), JSON),
    "ask": lambda server, text: answer(server, {"prompt": "amount"}, text),
    "schema": lambda server, text: answer(server, {"schema": SCHEMA, "title": "T"}, text),
    "initial": initial,
}
# Each gives a verdict.
JUDGING = {
    "form": lambda server, text: form(server, "/validate/amount", text),
    "JSON": lambda server, text: server.request("POST", "/validate/amount", json.dumps({"n": text}), JSON),
    "prompt": lambda server, text: server.request(
        "POST", "/validate", json.dumps({"prompt": "amount", "values": {"n": text}}), JSON),
    "rules": lambda server, text: server.request("POST", "/validate", json.dumps({"rules": ["number", *RULES], "value": text}), JSON),
}


@pytest.mark.parametrize("door", ANSWERING)
def test_an_answer_is_the_number_that_was_written_at_every_door(server, door):
    for text, number in NUMBERS:
        status, body = ANSWERING[door](server, text)
        assert status == 200 and json.loads(body)["values"] == {"n": json.loads(number)}, (text, body)
    status, body = ANSWERING[door](server, AMBIGUOUS)
    assert (status, AMBIGUOUS in body) == (400, True) if door == "initial" else status == 422 and "1234" in body and "1.234" in body


@pytest.mark.parametrize("door", JUDGING)
def test_a_verdict_is_on_the_number(server, door):
    for text, _ in NUMBERS:
        status, body = JUDGING[door](server, text)
        assert status == 200 and json.loads(body)["isValid"], (text, body)
    for text in (AMBIGUOUS, "12,5"):
        status, body = JUDGING[door](server, text)
        assert status == 200 and not json.loads(body)["isValid"], (text, body)


def test_the_command_reads_numbers_as_people_write_them(definition):
    for text, number in NUMBERS:
        found = run("validate", definition, f"n={text}", "--format", "shell")
        assert found.returncode == 0, (text, found.stdout, found.stderr)
        asking = Asking("--prompt", definition, "--value", f"n={text}")
        assert asking.answer(urlencode({"n": text}))[0] == 200
        assert asking.ended()[:2] == (0, f"{number}\n")
    assert run("validate", definition, f"n={AMBIGUOUS}").returncode == 1
