"""A JSON Schema becomes a prompt, and every answer is valid by it.

`pairs.py` judges random schemas and values beside jsonschema-rs; OKCANCEL_SCHEMAS says how many, of 50 values each. What
other libraries print is in `real.jsonl`, and with look-ahead in `Printed`.
"""

import collections
import datetime
import decimal
import enum
import json
import os
import random
import re
import typing
import zoneinfo
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema_rs
import pytest
from pydantic import BaseModel, Field
from Schema import pairs
from Schema.validators import ajv
from Support.client import JSON
from Support.command import DEBUG, run
from Support.documentation import Page
from Support.server import Server

HERE = Path(__file__).resolve().parent
JUDGE = DEBUG / "VerdictJudge"


def ours(schema, *values):
    return pairs.said(JUDGE, [(schema, list(values))])[0]


def test_no_answer_is_invalid_by_the_schema():
    tally, wrong = collections.Counter(), collections.defaultdict(list)
    count = int(os.environ.get("OKCANCEL_SCHEMAS", "80"))
    for start in range(0, count, 500):
        pairs.judge(JUDGE, pairs.random_pairs(min(500, count - start), 50, 20_251_122 + start), tally, wrong)
    print(*(f"{number:,} {what}" for what, number in tally.items()), sep=", ")
    taken = tally["schemas"] - tally["schemas refused"]
    assert taken > 0.7 * count and tally["schemas with conditions"] - tally["schemas with conditions refused"] > 0.1 * count
    assert tally["values"] > 40 * taken and tally["answers"] > 20 * taken
    for what in ("answers refused", "answers refused by our schema", "not kept", "round trip stricter", "round trip laxer"):
        assert not wrong[what], (what, wrong[what][:3])
    # A schema's values are alike: when one is refused, such as a line break or 10**30, half of them may be. In a few schemas,
    # two of these are more than the share that `make schemas` holds over many.
    few = 3 * 50
    assert tally["values refused"] <= 0.01 * tally["values that the validator takes"] + few, wrong["values refused"][:3]


FORMATS = {
    "email": ["a@b.de", "ada.king@example.com", "x+y@a-b.c-d.org", "A1!#$%&'*+/=?^_`{|}~-@ex.com", "a@1.2.3.4", "ada@sub.example.co.uk"],
    "uri": [
        "http://a.b/c?d=e&f#g", "https://example.com:8080/x/y;z=1/%20", "http://[2001:db8::1]:80/", "HTTPS://EXAMPLE.com", "http://1.2.3.4/",
        "http://x_y.de/~a", "http://localhost", "http://a//b//", "http://a#b",
    ],
    "date": ["2024-02-29", "0001-01-01", "9999-12-31"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000"],
    "ipv4": ["192.0.2.1", "1.22.255.0"],
    "ipv6": ["2001:db8::1", "::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
    "hostname": ["a", "www.example.com", "A-1.b", "1.2.3.4"],
    "uri-reference": ["/a/b?c=d#e", "http://[::1]:80/", "mailto:a@b.de", "../x", "?q", "//h:1/p"],
    "json-pointer": ["", "/a/b~0c", "/~1/0"],
    "regex": ["[a-z]+", "a{1,2}|b", "(?:x)?y*", "^a\\.b$"],
}
JSONSCHEMA_RS_ONLY = {
    "duration": ["P1Y2M3DT4H5M6S", "P3W", "PT36H", "P10D"],
    "idn-hostname": ["bücher.example", "例え.jp", "привет.рф", "한국.kr"],
    "iri": ["http://a.b/c?d=e&f#g"], "iri-reference": ["/a/b?c=d#e"], "idn-email": ["ada@example.com"],
}


@pytest.mark.parametrize("name", FORMATS | JSONSCHEMA_RS_ONLY)
def test_formats_take_only_what_validators_take(name):
    """jsonschema-rs, and Ajv with the formats that ajv-formats has too."""
    chance = random.Random(name)

    def mistyped(text):
        letters = list(text)
        for _ in range(chance.randint(0, 3)):
            place = chance.randrange(len(letters) + 1)
            letters[place : place + chance.randint(0, 1)] = chance.choices("abcXYZ019.-_@:/?#[]!$&'()*+,;=% éxn-あ", k=chance.randint(0, 1))
        return "".join(letters)

    schema = {"type": "object", "properties": {"a": {"type": "string", "format": name}}, "required": ["a"]}
    texts = FORMATS.get(name) or JSONSCHEMA_RS_ONLY[name]
    values = [{"a": mistyped(chance.choice(texts))} for _ in range(4000)]
    answers = [answer for answer in ours(schema, *values)["answers"] if answer]
    assert len(answers) > 1000
    theirs = pairs.valid(schema)
    assert [answer for answer in answers if not theirs.is_valid(answer)] == []
    if name not in FORMATS:
        return
    (verdicts,) = ajv([(schema, answers)], format="full")
    assert [answer for answer, isValid in zip(answers, verdicts, strict=True) if not isValid] == []


class Color(enum.Enum):
    red = "red"
    blue = "blue"


class Level(enum.IntEnum):
    low = 1
    high = 2


def test_the_page_names_the_keys_of_x_okcancel():
    told = re.search(r"In a property: (.*?) In the object: (.*?)\n\n", Page("schemas.md").text, re.S)
    own, wrong = {"type": "object", "properties": {"a": {"type": "string"}}}, {"x-okcancel": {"nothing": 1}}
    for text, schema in [(told[1], own | {"properties": {"a": {"type": "string"} | wrong}}), (told[2], own | wrong)]:
        (fault,) = ours(schema)["refused"]
        assert set(re.findall(r"`(\w+)`", text)) == set(re.findall(r"`(\w+)`", fault.split("use one of")[1]))


def test_a_moment_has_the_offset_that_its_format_wants():
    moment = {"type": "string", "format": "date-time", "x-okcancel": {"timeZone": "Europe/Berlin"}}
    schema = {"title": "T", "type": "object", "properties": {"at": moment, "by": moment}, "required": ["at"]}
    values = [{"at": "2026-03-29T03:30"}, {"at": "2026-03-29T02:30"}, {"at": "2026-10-25T02:30"}, {"at": "2026-10-25T02:30+01:00", "by": "9999-12-31T23:59:59.5"}]
    said = ours(schema, *values)
    assert said["answers"] == [
        {"at": "2026-03-29T03:30:00+02:00"}, None, {"at": "2026-10-25T02:30:00+02:00"},
        {"at": "2026-10-25T02:30:00+01:00", "by": "9999-12-31T23:59:59.500+01:00"}]
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    for answer in filter(None, said["answers"]):
        validator.validate(answer)
        for text in answer.values():
            assert datetime.datetime.fromisoformat(text).utcoffset() == datetime.datetime.fromisoformat(text[:16]).replace(
                tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"), fold=int(text.endswith("01:00"))).utcoffset()
    # Our own schema says the same, and is the same prompt again.
    assert said["schema"]["properties"]["at"]["x-okcancel"] == {"timeZone": "Europe/Berlin"}
    again = {key: value for key, value in said["schema"].items() if key in ("title", "type", "required")}
    again["properties"] = {
        name: {key: value for key, value in each.items() if key in ("type", "x-okcancel")} | {"format": each["allOf"][0]["format"]}
        for name, each in said["schema"]["properties"].items()}
    assert ours(again, *values)["answers"] == said["answers"]


class Refund(BaseModel):
    """A customer asks for their money back."""

    kind: typing.Literal["refund"] = "refund"
    order: str = Field(title="Order number", pattern=r"^\d{4}$", examples=["1234"])
    amount: decimal.Decimal = Field(gt=0, le=100)
    reason: Color
    level: Level = Level.low
    until: datetime.date | None = None
    notify: bool = True
    channels: set[typing.Literal["mail", "sms"]] = set()
    big: int = 0


ANSWER = {"order": "1234", "amount": "9.50", "reason": "red", "level": "2", "notify": "true", "channels": ["sms"], "big": "9007199254740993"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "refund.schema.json").write_text(json.dumps(Refund.model_json_schema()), "utf-8")
    with Server(folder, "--log-level", "error") as server:
        yield server


def refused(server, path, body):
    status, problem = server.request("POST", path, json.dumps(body), JSON | server.authorized)
    return status, json.loads(problem).get("errors", [])


def test_an_ask_returns_what_the_model_reads(server):
    ask = server.call("POST", "/asks", {"schema": Refund.model_json_schema(), "title": "Refund?"})
    link = urlsplit(ask["link"]).path
    status, errors = refused(server, link, {"outcome": "ok", "values": ANSWER | {"amount": "0"}})
    assert (status, errors[0]["message"]) == (422, "Enter a number greater than 0")
    answered = server.call("POST", link, {"outcome": "ok", "values": ANSWER})
    closed = server.call("GET", f"/asks/{ask['id']}")
    assert closed["values"] == answered["values"] == {
        "order": "1234", "amount": 9.5, "reason": "red", "level": 2, "notify": True, "channels": ["sms"], "big": 9007199254740993,
    }
    refund = Refund.model_validate(closed["values"])
    assert (refund.big, refund.until, refund.level) == (9007199254740993, None, Level.high)
    jsonschema_rs.Draft202012Validator(Refund.model_json_schema()).validate(closed["values"])


def test_a_file_is_a_prompt_on_offer(server):
    refund = server.call("GET", "/prompts/refund", headers={"Accept": "application/json"})
    assert (refund["title"], refund["message"]) == ("Refund", "A customer asks for their money back.")
    answered = server.call("POST", "/prompts/refund", {"outcome": "ok", "values": ANSWER | {"amount": 2}})
    schema = server.call("GET", "/prompts/refund/schema")
    for values in (answered["values"], answered["values"] | {"until": None}, answered["values"] | {"amount": 0.01}):
        assert jsonschema_rs.is_valid(schema, values)
    for values in ({}, answered["values"] | {"amount": "2"}, answered["values"] | {"level": "2"}, answered["values"] | {"level": 3}):
        assert not jsonschema_rs.is_valid(schema, values), values


def test_faults_have_pointers(server):
    schema = {"type": "object", "properties": {"a": {"type": "object"}, "b": {"type": "string", "format": "time"}}}
    status, errors = refused(server, "/asks", {"schema": schema, "title": "T"})
    assert status == 400
    assert [error["pointer"] for error in errors] == ["#/schema/properties/a/type", "#/schema/properties/b/format"]
    _, (error, *_) = refused(server, "/asks", {"schema": schema | {"properties": {}}})
    assert error["message"].startswith("this schema has no `title`")
    for both in ({"prompt": "refund", "title": "T"}, {"schema": schema, "definition": {"title": "T"}}):
        assert refused(server, "/asks", both)[0] == 400


@pytest.mark.parametrize("word", [
    "scope", "$default", "alias", "visible", "section", "values_display", "widget", "enumDescriptions", "deprecationMessage", "label", "tooltip", "hidden"])
def test_a_word_of_another_tool_is_ignored_with_a_warning(server, word):
    ask = server.call("POST", "/asks", {"schema": {"type": "object", "properties": {"a": {"type": "string", word: True}}}, "title": "T"})
    (warning,) = ask["warnings"]
    assert f"`{word}`" in warning["message"] and warning["pointer"] == f"#/schema/properties/a/{word}"


TAGGED = [{"type": "object", "properties": {"k": {"const": "x", "description": "The tag"}, "x": {"type": "string"}}}, {"type": "object", "properties": {"k": {"const": "y"}, "y": {"type": "string"}}}]


@pytest.mark.parametrize("name, rest", [
    ("items' title", {"type": "array", "items": {"title": "Item", "type": "string"}}),
    ("items' default", {"type": "array", "items": {"type": "string", "default": "x"}}),
    ("texts of alternatives", {"anyOf": [{"type": "string", "title": "Text"}, {"type": "integer", "description": "Number"}]}),
    ("a doubled allOf", {"type": "string", "description": "One", "allOf": [{"description": "Two"}]}),
    ("a title of null", {"anyOf": [{"type": "string", "title": "Text"}, {"type": "null", "title": "Nothing"}]}),
    ("a reference's", {"$ref": "#/$defs/D", "description": "Mine"}),
    ("a tag's", {"oneOf": TAGGED})], ids=lambda value: value if isinstance(value, str) else "")
def test_a_text_that_nobody_sees_is_named_at_every_door(server, tmp_path, name, rest):
    schema = {"type": "object", "title": "T", "$defs": {"D": {"type": "string", "description": "Theirs"}}, "properties": {"a": rest}}
    ask = server.call("POST", "/asks", {"schema": schema})
    assert ask["warnings"], name
    told = [f"at {warning['pointer'][2:]}: {warning['message']}" for warning in ask["warnings"]]
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_person", "arguments": {"schema": schema, "wait": 0}}}
    assert server.call("POST", "/mcp", call)["result"]["structuredContent"]["warnings"] == told
    file = tmp_path / "a.schema.json"
    file.write_text(json.dumps(schema), "utf-8")
    checked = run("check", file).stdout.splitlines()
    assert [line.split("warning: ")[1] for line in checked] == [warning["message"] for warning in ask["warnings"]]


def test_check_names_line_and_column(tmp_path):
    file = tmp_path / "a.schema.json"
    file.write_text('{\n  "title": "T",\n  "properties": {\n    "a": {"type": "txt"}\n  }\n}\n', "utf-8")
    checked = run("check", file)
    assert checked.returncode == 65
    assert checked.stdout.startswith(f"{file}:4:19: there is no type `txt`"), checked.stdout
    for name, words in (("a.schema.json", ["check"]), ("schema.yaml", ["ask", "--schema"])):
        other = tmp_path / name
        other.write_text("\ntitle: T\nproperties: {}\n", "utf-8")
        refused = run(*words, other)
        said = f"{other}:2:1: this is not JSON, as a JSON Schema has to be; begin it with `{{`, and put keys and strings in double quotes\n"
        assert (refused.returncode, refused.stdout + refused.stderr) == (65, said)


def test_zod_refuses_what_its_look_aheads_refuse():
    schema = json.loads((HERE / "Printed/zod.json").read_text("utf-8"))
    email = {"type": "object", "properties": {"email": schema["properties"]["email"]}, "required": ["email"]}
    wrong = [".a@b.de", "a..b@c.de", "a@b", "a.@b.de", "a@b.c", "!a@b.de"]
    right = ["a.b@c.de", "A-+_'a@b-c.d.ef"]
    assert ours(email, *({"email": one} for one in wrong))["answers"] == [None] * len(wrong)
    assert ours(email, *({"email": one} for one in right))["answers"] == [{"email": one} for one in right]
