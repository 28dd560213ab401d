"""What a person means is the same at every door: numbers, lists, objects and moments, as answers, first values and verdicts.

Each row of a table is tried at each door that takes it. What each text means by itself is for the conformance corpus.
"""

import csv
import io
import json
from urllib.parse import urlencode, urlsplit

import pytest
from asking import Asking
from test_hook import FIXTURES, Hook

from Support.client import FORM, JSON, answer, page
from Support.command import TOKEN, run
from Support.nested import ANSWER, INVALID, POINTERS, SCHEMA, TEXTS, VALUES
from Support.nested import FORM as NESTED_FORM
from Support.server import Server

NUMBERS = [("1,5", 1.5), ("\uff11\uff12", 12), ("\u0663\u066b\u0665", 3.5), ("\u22125", -5), ("+5", 5), ("5.", 5)]
AMBIGUOUS = "1,234"
RULES = [{"range": {"min": -5, "max": 12}}]
LINES, LISTS = {"n": "1\r\n\r\n 2 \r\n", "t": "ab\nc d"}, {"n": [1, 2], "t": ["ab", "c d"]}
# As a moment is given, and as a browser's form sends it.
TIMES = [("2025-01-31 09:30", "2025-01-31T09:30"), ("2025-01-31T09:30:00", "2025-01-31T09:30"),
         ("2025-01-31 09:30:05.500", "2025-01-31T09:30:05.5")]
WHEN = {"title": "When?", "fields": [{"name": "at", "kind": "dateTime"}]}

PROMPTS = {
    "amount": {"title": "T", "fields": [{"name": "n", "kind": "number", "rules": RULES}]},
    "list": {"title": "T", "fields": [
        {"name": "n", "kind": "list", "value": [1], "items": ["integer", {"range": {"max": 9}}], "rules": [{"count": {"unique": True}}]},
        {"name": "t", "kind": "list", "optional": True, "items": [{"length": {"max": 3}}]}]},
    "when": WHEN,
    **{f"given-{number}": {"title": "When?", "fields": [WHEN["fields"][0] | {"value": given}]} for number, (given, _) in enumerate(TIMES)},
}
SCHEMAS = {
    "read": {"title": "T", "type": "object", "required": ["n"], "properties": {
        "n": {"type": "array", "items": {"type": "integer", "maximum": 9}, "uniqueItems": True},
        "t": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1}}},
    "order": SCHEMA,
}
# Whatever a program sends with its question instead of a prompt's name.
INLINE = {
    "amount": {"title": "T", "schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": -5, "maximum": 12}}}},
    "list": {"definition": PROMPTS["list"]}, **{name: {"schema": schema} for name, schema in SCHEMAS.items()}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    for name, prompt in PROMPTS.items():
        (folder / f"{name}.json").write_text(json.dumps(prompt))
    for name, schema in SCHEMAS.items():
        (folder / f"{name}.schema.json").write_text(json.dumps(schema))
    return folder


@pytest.fixture(scope="module")
def server(folder):
    with Server(folder, "--log-level", "error", "--rate-limit", "submit=off", "--rate-limit", "validate=off") as server:
        yield server


def file(server, name):
    """The words for a command that asks this prompt by itself."""
    folder = server.process.args[2]
    return ["--schema", f"{folder}/{name}.schema.json"] if name in SCHEMAS else ["--prompt", f"{folder}/{name}.json"]


def at_link(server, asked, sent, kind=JSON):
    """Answers a new ask at its link; the ask once it has ended, or why it has not."""
    made = server.request("POST", "/asks", json.dumps(asked), JSON | server.authorized)
    if made[0] != 201:
        return made
    ask = json.loads(made[1])
    body = json.dumps({"outcome": "ok", "values": sent}) if kind == JSON else urlencode(sent)
    told = server.request("POST", urlsplit(ask["link"]).path, body, kind)
    if told[0] != 200:
        return told
    ended = server.call("GET", f"/asks/{ask['id']}")
    assert json.loads(told[1])["values"] == ended["values"]
    return 200, json.dumps(ended)


def agent(server, sent, **arguments):
    """What an agent is told of its question after a person has answered."""
    def call(tool, **arguments):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        return server.call("POST", "/mcp", message)["result"]["structuredContent"]

    opened = call("ask_person", wait=0, **arguments)
    answer(opened["link"], urlencode(sent))
    return 200, json.dumps(call("ask_outcome", id=opened["id"]))


def command(sent, *words):
    asking = Asking(*words, "--format", "json", OKCANCEL_API_TOKEN=TOKEN)
    status, text = asking.answer(urlencode({"outcome": "ok"} | sent))
    if status != 200:
        asking.process.terminate()
    output = asking.ended()[1]
    return (200, output) if status == 200 else (status, text)


# Each takes what a person writes.
PEOPLE = {
    "form": lambda server, name, sent: server.request("POST", f"/prompts/{name}", urlencode({"outcome": "ok"} | sent), FORM),
    "link": lambda server, name, sent: at_link(server, {"prompt": name}, sent, FORM),
    "agent": lambda server, name, sent: agent(server, sent, prompt=name),
    "command": lambda server, name, sent: command(sent, *file(server, name)),
    "command of a server": lambda server, name, sent: command(sent, "--prompt", name, "--server", server.url),
}
# Each takes what a program sends.
PROGRAMS = {
    "prompt": lambda server, name, sent: server.request("POST", f"/prompts/{name}", json.dumps({"outcome": "ok", "values": sent}), JSON),
    "ask": lambda server, name, sent: at_link(server, {"prompt": name}, sent),
    "inline": lambda server, name, sent: at_link(server, INLINE[name], sent),
}


@pytest.mark.parametrize("door", PEOPLE)
@pytest.mark.parametrize("name, sent, values", [
    *(("amount", {"n": text}, {"n": number}) for text, number in NUMBERS),
    ("list", LINES, LISTS), ("read", LINES, LISTS), ("order", TEXTS, ANSWER),
])
def test_what_people_write_is_the_value_at_every_door(server, door, name, sent, values):
    status, text = PEOPLE[door](server, name, sent)
    assert (status, json.loads(text)["values"]) == (200, values)


@pytest.mark.parametrize("door", PROGRAMS)
@pytest.mark.parametrize("name, sent, values", [
    *(("amount", {"n": text}, {"n": number}) for text, number in NUMBERS),
    *((name, sent, LISTS) for name in ("list", "read") for sent in (LINES, LISTS)), ("order", ANSWER, ANSWER),
])
def test_what_programs_send_is_the_value_at_every_door(server, door, name, sent, values):
    status, text = PROGRAMS[door](server, name, sent)
    assert (status, json.loads(text)["values"]) == (200, values)


LINE_3 = "Line 3: Enter a whole number, like 42"


@pytest.mark.parametrize("door", PROGRAMS)
@pytest.mark.parametrize("name, sent, status, said", [
    ("amount", {"n": AMBIGUOUS}, 422, ["1234", "1.234"]),
    *((name, {"n": value}, *told) for name in ("list", "read") for value, *told in [
        ("1\n\n1.5", 422, [LINE_3]), ([1, 2, 1.5], 422, [LINE_3]), (["a\nb"], 422, []), ([[1]], 400, []), ([1, 1], 422, [])]),
    ("order", INVALID, 422, POINTERS), *(("order", values, 400, [f"#/values/{pointer}"]) for values, pointer in [
        ({"city": "Rome"}, "city"), ({"address": "Rome"}, "address"), ({"address": {"town": "x"}}, "address/town"), ({"tags": [["a"]]}, "tags/0")]),
])
def test_what_is_no_value_is_none_at_any_door(server, door, name, sent, status, said):
    told, text = PROGRAMS[door](server, name, sent)
    assert told == status
    errors = json.loads(text)["errors"]
    if name == "order":
        assert [error["pointer"] for error in errors] == said
    else:
        assert all(words in errors[0]["message"] for words in said), errors


@pytest.mark.parametrize("door", ["form", "link", "command", "command of a server"])
def test_an_ambiguous_number_is_none_of_a_person_either(server, door):
    status, text = PEOPLE[door](server, "amount", {"n": AMBIGUOUS})
    assert status == 422 and "1234" in text and "1.234" in text


# First values


GIVEN = [*(("amount", "n", text, text, number) for text, number in NUMBERS), *(("when", "at", given, sent, given) for given, sent in TIMES)]
# What each does with a first value, and what the form then sends.
FIRST = {
    "ask": lambda server, name, given, sent: at_link(server, {"prompt": name, "values": given}, sent, FORM),
    "inline": lambda server, name, given, sent: at_link(server, {"definition": PROMPTS[name], "values": given}, sent, FORM),
    "agent": lambda server, name, given, sent: agent(server, sent, prompt=name, values=given),
    "command": lambda server, name, given, sent: command(sent, *file(server, name), *options(given)),
    "command of a server": lambda server, name, given, sent: command(sent, "--prompt", name, "--server", server.url, *options(given)),
}


def options(given):
    return [word for name, text in given.items() for word in ("--value", f"{name}={text}")]


@pytest.mark.parametrize("door", FIRST)
@pytest.mark.parametrize("name, field, given, sent, value", GIVEN)
def test_a_first_value_comes_back_as_it_was_put_in(server, door, name, field, given, sent, value):
    status, text = FIRST[door](server, name, {field: given}, {field: sent})
    assert (status, json.loads(text)["values"]) == (200, {field: value})


@pytest.mark.parametrize("number, given, sent", [(number, *time) for number, time in enumerate(TIMES)])
def test_a_moment_of_a_definition_comes_back_too(server, number, given, sent):
    name = f"given-{number}"
    for door in ("form", "link"):
        status, text = PEOPLE[door](server, name, {"at": sent})
        assert (status, json.loads(text)["values"]) == (200, {"at": given})
    # Another time is another value, and a program's own way to write it stays.
    assert json.loads(PEOPLE["form"](server, name, {"at": "2025-01-31T09:31"})[1])["values"] == {"at": "2025-01-31T09:31"}
    assert json.loads(PROGRAMS["prompt"](server, name, {"at": sent})[1])["values"] == {"at": sent}
    ask = server.ask("when", values={"at": given})
    assert f'value="{given.replace(" ", "T")}"' in page(ask["link"])
    assert server.request("POST", urlsplit(ask["link"]).path, "outcome=ok&at=", FORM)[0] == 422


def test_what_cannot_be_a_first_value_is_refused(server):
    status, text = at_link(server, {"prompt": "amount", "values": {"n": AMBIGUOUS}}, {})
    assert (status, AMBIGUOUS in text) == (400, True)


def test_a_list_holds_its_first_lines(server):
    asking = Asking(*file(server, "list"), "--value", "t=x", "--value", "t=y", "--json")
    assert "x\ny</textarea>" in asking.page() and "1</textarea>" in asking.page()
    assert asking.answer(urlencode({"outcome": "ok", "n": "3\n4", "t": "x\ny"}))[0] == 200
    code, output, _ = asking.ended()
    assert code == 0 and json.loads(output)["values"] == {"n": [3, 4], "t": ["x", "y"]}


# How one gives the first values of the order by the names of its fields, and what the page then holds.
OPTIONS = ["first_name=Eve", "tags=big", "tags=x", "sizes=1", "amount=true", "city=Rome", "zip=0001", "gift=true", "to=Ada", "from=Eve", "by=card", "number=1234", "ref=R1"]
HELD = {"first_name": "Eve", "tags": ["big", "x"], "sizes": ["1"], "amount": "true", "city": "Rome", "zip": "0001", "gift": "true", "to": "Ada", "from": "Eve",
        "by": "card", "number": "1234", "ref": "R1", "ref2": "5"}
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


def held(link):
    """What the fields behind a link hold at first, if anything."""
    fields = json.loads(page(link, "application/json"))["fields"]
    return {field["name"]: field["value"] for field in fields if field.get("value") not in (None, "", [], "false")}


def test_first_values_of_objects_are_those_of_their_fields(server):
    ask = server.call("POST", "/asks", {"schema": SCHEMA, "values": VALUES})
    assert held(ask["link"]) == HELD
    verdict = server.request("POST", urlsplit(ask["link"]).path + "/validate", json.dumps(VALUES), JSON)[1]
    assert list(json.loads(verdict)["fields"]) == [name for name in TEXTS if name not in ("ref2", "iban")]


@pytest.mark.parametrize("source", ["a file", "the server's prompt"])
@pytest.mark.parametrize("form", PRINTED | {"json": None})
def test_the_command_line_has_the_names_of_fields(server, source, form):
    words = file(server, "order") if source == "a file" else ["--prompt", "order", "--server", server.url]
    asking = Asking(*words, *(word for option in OPTIONS for word in ("--value", option)), "--format", form, OKCANCEL_API_TOKEN=TOKEN)
    assert held(asking.link) == HELD
    answer(asking.link, NESTED_FORM)
    code, output, _ = asking.ended()
    if form == "json":
        output = json.loads(output)["values"]
    assert (code, output) == (0, PRINTED[form] if form in PRINTED else ANSWER)


# Verdicts


JUDGING = {
    "form": lambda server, text: server.request("POST", "/validate/amount", urlencode({"n": text}), FORM),
    "JSON": lambda server, text: server.request("POST", "/validate/amount", json.dumps({"n": text}), JSON),
    "prompt": lambda server, text: server.request("POST", "/validate", json.dumps({"prompt": "amount", "values": {"n": text}}), JSON),
    "rules": lambda server, text: server.request("POST", "/validate", json.dumps({"rules": ["number", *RULES], "value": text}), JSON),
}


@pytest.mark.parametrize("text, is_valid", [*((text, True) for text, _ in NUMBERS), (AMBIGUOUS, False), ("12,5", False)])
def test_a_verdict_is_on_the_number(server, folder, text, is_valid):
    for door, judge in JUDGING.items():
        status, body = judge(server, text)
        assert (status, json.loads(body)["isValid"]) == (200, is_valid), door
    assert run("validate", folder / "amount.json", f"n={text}", "--format", "shell").returncode == (0 if is_valid else 1)


NAMED = [f"{name}={line}" for name, text in TEXTS.items() for line in text.split("\n") if line]


@pytest.mark.parametrize("name, texts, field, message", [
    *(("list.json", texts, None, None) for texts in (
        ["n=1\n2"], ["n=1", "n=2"], ["n="], ["n=1", "t="], ["n=1", "t=ab\n\ncd"])),
    ("list.json", ["n=1\nx"], "n", "Line 2: "), ("list.json", ["n=1\n\n1"], "n", "Line 3: "),
    ("list.json", ["n=1", "n=2", "t=abcd"], "t", "Line 1: Enter at most 3 characters"),
    ("order.schema.json", NAMED, None, None), ("order.schema.json", [*NAMED, "tags=purple"], "tags", "Line 3: Enter at most 5 characters"),
])
def test_validate_takes_lines_and_the_names_of_fields(folder, name, texts, field, message):
    result = run("validate", folder / name, *texts)
    verdict = json.loads(result.stdout)
    assert (result.returncode, verdict["isValid"]) == ((0, True) if field is None else (1, False))
    assert field is None or verdict["fields"][field]["message"].startswith(message)


# Tables, hooks, time zones


@pytest.mark.parametrize("name, sent, cells", [
    ("list", LINES, {"n": "1; 2", "t": "ab; c d"}),
    # Two fields stand in the place of `ref`, which has one column.
    ("order", TEXTS, {name: text for name, text in TEXTS.items() if name != "ref2"} | {"tags": "red; blue", "sizes": "7; 42", "ref": TEXTS["ref2"]}),
])
def test_an_answer_is_a_row_of_the_fields(server, name, sent, cells):
    status, text = PEOPLE["form"](server, name, sent)
    assert status == 200
    result = run("answers", name, "--server", server.url, "--format", "csv", OKCANCEL_API_TOKEN=TOKEN)
    header, *_, row = csv.reader(io.StringIO(result.stdout))
    row = dict(zip(header, row, strict=True))
    assert {name: row[name] for name in cells} == cells and "ref2" not in row
    lines = run("answers", name, "--server", server.url, OKCANCEL_API_TOKEN=TOKEN).stdout.splitlines()
    assert json.loads(lines[-1])["values"] == json.loads(text)["values"]


@pytest.mark.parametrize("is_remote", [True, False])
def test_a_form_of_another_server_goes_through_an_agents_hook(server, is_remote):
    event = FIXTURES["Claude Code, the form of an MCP server"]["event"] | {"requested_schema": SCHEMA | {"x-okcancel": {"ok": "Order"}}}
    hook = Hook(event, server if is_remote else None)
    assert ">Order<" in page(hook.link)
    answer(hook.link, NESTED_FORM)
    assert hook.decision() == {"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept", "content": ANSWER}}


def test_moments_of_a_schema_are_in_the_time_zone_of_the_server(tmp_path):
    path, schema = tmp_path / "a.schema.json", {
        "title": "T", "type": "object", "required": ["at"], "properties": {"at": {"type": "string", "format": "date-time"}}}
    path.write_text(json.dumps(schema))
    assert run("check", path).returncode == 65
    assert run("check", path, "--time-zone", "Europe/Berlin").returncode == 0
    wrong = run("check", path, "--time-zone", "Europe/Nowhere")
    assert wrong.returncode == 64 and "--time-zone" in wrong.stderr
    for zone, moment in (("Europe/Berlin", "2026-03-29T03:30:00+02:00"), ("person", "2026-03-29T03:30:00+00:00")):
        with Server(tmp_path, "--time-zone", zone) as server:
            sent = {"at": "2026-03-29T03:30"}
            for status, text in (PROGRAMS["prompt"](server, "a", sent), at_link(server, {"schema": schema}, sent)):
                assert (status, json.loads(text)["values"]) == (200, {"at": moment})
