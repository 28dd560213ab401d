"""A database that an earlier version wrote: what was kept is still read, though a new definition like it has faults.

`Kept/impossible-values.db` was written before `trim` was true by default for some kinds, and before a value of `oneOf` that no text can
be was a fault: two asks with a definition of their own, one of them answered, an ask of the prompt `email`, and an answer
to that prompt.
"""

import json

import pytest

from durable import copied
from Support.client import JSON
from Support.server import Server

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
OPEN, CLOSED, NAMED = "0j1d8ef98d0zhp8df1mwj64jjs", "0dwnrcsag0grwxgegynfzts90s", "2grb3dcqeq1b95zpxa3sk1e10k"
OPEN_LINK, NAMED_LINK = "/a/5f2z25j941scwh44ngfb5172xm", "/a/72ansb6yaygabpk54xf3rj817d"


@pytest.fixture
def server(tmp_path):
    with Server(database=copied("impossible-values.db", tmp_path / "kept.sqlite"), OKCANCEL_KEY=KEY) as server:
        yield server


def post(server, path, body):
    status, text = server.request("POST", path, json.dumps(body), JSON)
    return status, json.loads(text)


def test_an_open_ask_is_read_and_answered(server):
    definition = json.loads(server.request("GET", OPEN_LINK, headers={"Accept": "application/json"})[1])
    assert definition["fields"][0]["rules"][0]["values"] == ["one", "one\ntwo", "nul\0", "return\r"]
    status, verdicts = post(server, OPEN_LINK + "/validate", {"line": "two", "trimmed": " plain "})
    assert status == 200
    assert verdicts["fields"]["line"] == {"isValid": False, "rule": "oneOf", "message": "Enter one"}
    assert verdicts["fields"]["trimmed"] == {"isValid": True}
    values = {"line": "one", "trimmed": "plain", "email": "a@b.c", "color": "blue"}
    assert post(server, OPEN_LINK, {"outcome": "ok", "values": values})[0] == 200
    assert server.call("GET", f"/asks/{OPEN}")["values"] == values | {"link": None}


def test_a_new_ask_with_that_definition_is_refused(server):
    definition = json.loads(server.request("GET", OPEN_LINK, headers={"Accept": "application/json"})[1])
    status, text = server.request("POST", "/asks", json.dumps({"definition": definition}), JSON | server.authorized)
    pointers = [error["pointer"] for error in json.loads(text)["errors"]]
    assert status == 400
    assert pointers == [
        "#/definition/fields/0/rules/0", "#/definition/fields/1/rules/0", "#/definition/fields/4/rules/0",
        "#/definition/fields/4/options"]


def test_an_ask_keeps_the_definition_that_it_was_made_with(server):
    status, problem = post(server, NAMED_LINK, {"outcome": "ok", "values": {"email": "name@example.com "}})
    assert (status, problem["errors"][0]["rule"]) == (422, "email")
    assert post(server, NAMED_LINK, {"outcome": "ok", "values": {"email": "name@example.com"}})[0] == 200
    assert server.call("GET", f"/asks/{NAMED}")["values"] == {"email": "name@example.com"}


def test_outcomes_and_answers_are_read(server):
    closed = server.call("GET", f"/asks/{CLOSED}")
    assert closed["values"] == {"line": "one", "trimmed": "plain", "email": "a@b.c", "link": None, "color": "blue"}
    assert [answer["values"] for answer in server.answers()] == [{"email": "kept@example.com"}]
