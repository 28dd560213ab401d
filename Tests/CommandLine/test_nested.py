"""Objects in objects, lists and unions mean the same to programs: over HTTP, on the command line, as CSV and to agents."""

import csv
import io
import json
from urllib.parse import urlsplit

import pytest
from asking import Asking
from test_hook import FIXTURES, Hook

from Support.client import FORM as FORM_TYPE
from Support.client import JSON, answer, page
from Support.command import TOKEN, run
from Support.nested import ANSWER, FORM, INVALID, POINTERS, SCHEMA, TEXTS, VALUES
from Support.server import Server

# How one gives the initial values by the names of fields, and what the page then holds.
OPTIONS = ["first_name=Eve", "tags=big", "tags=x", "sizes=1", "amount=true", "city=Rome", "zip=0001", "gift=true", "to=Ada", "from=Eve", "by=card", "number=1234", "ref=R1"]
HELD = {"first_name": "Eve", "tags": ["big", "x"], "sizes": ["1"], "amount": "true", "city": "Rome", "zip": "0001", "gift": "true", "to": "Ada", "from": "Eve",
        "by": "card", "number": "1234", "ref": "R1", "ref2": "5"}

# What `ask` prints of the answer.
SHELL = """first_name='Ada'
tags='["red","blue"]'
sizes='[7,42]'
amount='12'
city='London'
unset zip
gift='true'
to='Bob'
unset from
by='bank'
unset number
unset ref
ref2='17'
iban='DE12'
"""
PRINTED = {
    "shell": SHELL,
    "bash": SHELL.replace("""'["red","blue"]'""", "('red' 'blue')").replace("'[7,42]'", "('7' '42')"),
    "null": 'first_name=Ada\0tags=["red","blue"]\0sizes=[7,42]\0amount=12\0city=London\0gift=true\0to=Bob\0by=bank\0ref2=17\0iban=DE12\0',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "order.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    return folder


@pytest.fixture(scope="module")
def server(folder):
    with Server(folder, "--log-level", "error") as server:
        yield server


def held(link):
    """What the fields behind a link hold at first, if anything."""
    fields = json.loads(page(link, "application/json"))["fields"]
    return {field["name"]: field["value"] for field in fields if field.get("value") not in (None, "", [], "false")}


def test_values_and_answers_have_one_shape_over_http(server):
    ask = server.call("POST", "/asks", {"schema": SCHEMA, "values": VALUES})
    path = urlsplit(ask["link"]).path
    assert held(ask["link"]) == HELD
    status, text = server.request("POST", path, json.dumps({"outcome": "ok", "values": INVALID}), JSON)
    assert (status, [error["pointer"] for error in json.loads(text)["errors"]]) == (422, POINTERS)
    assert list(json.loads(server.request("POST", path + "/validate", json.dumps(VALUES), JSON)[1])["fields"]) == [
        name for name in TEXTS if name not in ("ref2", "iban")]
    status, text = server.request("POST", path, json.dumps({"outcome": "ok", "values": ANSWER}), JSON)
    assert (status, json.loads(text)["values"]) == (200, ANSWER)
    for wrong, pointer in ({"city": "Rome"}, "city"), ({"address": "Rome"}, "address"), ({"address": {"town": "x"}}, "address/town"), ({"tags": [["a"]]}, "tags/0"):
        status, text = server.request("POST", "/asks", json.dumps({"schema": SCHEMA, "values": wrong}), JSON | server.authorized)
        assert (status, [error["pointer"] for error in json.loads(text)["errors"]]) == (400, [f"#/values/{pointer}"])


@pytest.mark.parametrize("source", ["a file", "the server's prompt"])
@pytest.mark.parametrize("form", PRINTED | {"json": None})
def test_the_command_line_has_the_names_of_fields(folder, server, source, form):
    words = ["--schema", folder / "order.schema.json"] if source == "a file" else ["--prompt", "order", "--server", server.url]
    asking = Asking(*words, *(word for option in OPTIONS for word in ("--value", option)), "--format", form, OKCANCEL_API_TOKEN=TOKEN)
    assert held(asking.link) == HELD
    answer(asking.link, FORM)
    code, output, _ = asking.ended()
    if form == "json":
        output = json.loads(output)["values"]
    assert (code, output) == (0, PRINTED[form] if form in PRINTED else ANSWER)


def test_validate_takes_the_names_of_fields(folder):
    texts = [f"{name}={line}" for name, text in TEXTS.items() for line in text.split("\n") if line]
    result = run("validate", folder / "order.schema.json", *texts)
    assert (result.returncode, json.loads(result.stdout)["isValid"]) == (0, True)
    result = run("validate", folder / "order.schema.json", *texts, "tags=purple")
    assert (result.returncode, json.loads(result.stdout)["fields"]["tags"]["message"]) == (1, "Line 3: Enter at most 5 characters")


def test_an_answer_is_a_row_of_the_fields(server):
    assert server.request("POST", "/prompts/order", FORM, FORM_TYPE)[0] == 200
    result = run("answers", "order", "--server", server.url, "--format", "csv", OKCANCEL_API_TOKEN=TOKEN)
    header, *_, row = csv.reader(io.StringIO(result.stdout))
    cells = dict(zip(header, row, strict=True))
    # Two fields stand in the place of `ref`, which has one column.
    texts = TEXTS | {"tags": "red; blue", "sizes": "7; 42", "ref": TEXTS["ref2"]}
    del texts["ref2"]
    assert {name: cells[name] for name in texts} == texts and "ref2" not in cells
    lines = run("answers", "order", "--server", server.url, OKCANCEL_API_TOKEN=TOKEN).stdout.splitlines()
    assert json.loads(lines[-1])["values"] == ANSWER


@pytest.mark.parametrize("is_remote", [True, False])
def test_a_form_of_another_server_goes_through_an_agents_hook(server, is_remote):
    event = FIXTURES["Claude Code, the form of an MCP server"]["event"] | {"requested_schema": SCHEMA | {"x-okcancel": {"ok": "Order"}}}
    hook = Hook(event, server if is_remote else None)
    assert ">Order<" in page(hook.link)
    answer(hook.link, FORM)
    assert hook.decision() == {"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept", "content": ANSWER}}
