"""A JSON Schema becomes a prompt, and every answer is valid by it.

`pairs.py` judges random schemas and values beside jsonschema-rs; OKCANCEL_SCHEMAS says how many, of 50 values each. What
pydantic prints is printed here; what zod, TypeBox and OpenAPI 3.0 print is in `Printed`.
"""

import collections
import datetime
import decimal
import enum
import ipaddress
import json
import os
import random
import re
import typing
import uuid
import zoneinfo
from pathlib import Path

import jsonschema_rs
import pydantic
import pytest
from pydantic import BaseModel, Field, create_model
from Schema import pairs
from Schema.validators import ajv_formats
from Support.client import JSON
from Support.command import run
from Support.documentation import Page
from Support.server import Server

HERE = Path(__file__).resolve().parent
JUDGE = Path(os.environ.get("OKCANCEL_BIN", HERE.parent.parent / ".build/debug/okcancel")).with_name("VerdictJudge")


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
    assert [answer for answer, isValid in zip(answers, ajv_formats(schema, answers), strict=True) if not isValid] == []


class Color(enum.Enum):
    red = "red"
    blue = "blue"


class Level(enum.IntEnum):
    low = 1
    high = 2


TYPES = [
    str, str, int, float, bool, datetime.date, datetime.timedelta, decimal.Decimal, uuid.UUID, ipaddress.IPv4Address, ipaddress.IPv6Address, Color, Level,
    pydantic.EmailStr, pydantic.HttpUrl, pydantic.AnyUrl, pydantic.SecretStr, pydantic.PositiveInt, pydantic.NonNegativeFloat,
    typing.Literal["a", "b"], typing.Literal["a"], typing.Literal[1, 2], list[typing.Literal["a", "b"]], set[Color],
    typing.Annotated[str, Field(min_length=2, max_length=40)], typing.Annotated[str, Field(pattern=r"^[A-Z]{3}-\d+$")],
    typing.Annotated[int, Field(ge=0, lt=100, multiple_of=5)], typing.Annotated[float, Field(gt=0, le=1)],
    typing.Annotated[str, Field(max_length=4000, description="In your own words", examples=["Because"])],
    # A list of free texts, a moment with an offset, bytes: what is refused.
    list[str], datetime.datetime, bytes,
]


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
    assert "refused" in ours(schema | {"properties": {"at": moment | {"x-okcancel": {"timeZone": "../../etc/passwd"}}}})
    assert "refused" in ours(schema | {"properties": {"at": {"type": "string", "format": "date-time"}}})


def flat_models(count):
    """Models as people write them: most fields of the plain types, seldom one that no dialog can ask for."""
    chance = random.Random(7)
    for number in range(count):
        fields = {}
        for name in random.Random(number).sample(["name", "email", "age", "since", "why", "mode", "flag", "price"], chance.randint(1, 6)):
            kind = chance.choice(TYPES[:-3]) if chance.random() < 0.99 else chance.choice(TYPES[-3:])
            how = chance.randint(0, 3)
            fields[name] = (kind, ...) if how < 2 else (kind | None, None) if how == 2 else (typing.Optional[kind], ...)
        yield create_model(f"Model{number}", **fields)


def test_what_pydantic_prints_of_flat_models_is_taken():
    models = list(flat_models(300))
    said = pairs.said(JUDGE, [(model.model_json_schema(), []) for model in models])
    refused = [(model.model_json_schema(), one["refused"]) for model, one in zip(models, said) if "refused" in one]
    assert len(refused) <= 0.1 * len(models), refused[:3]
    for _, why in refused:
        assert all("date-time" in one or "/items" in one or "binary" in one for one in why), why


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
    with Server(folder, "--log-level", "error", token="t" * 22) as server:
        yield server


def request(server, method, path, body=None):
    headers = JSON | {"Accept": "application/json", "Authorization": "Bearer " + "t" * 22}
    status, answer = server.request(method, path, None if body is None else json.dumps(body), headers)[:2]
    return status, json.loads(answer)


def test_an_ask_returns_what_the_model_reads(server):
    status, ask = request(server, "POST", "/asks", {"schema": Refund.model_json_schema(), "title": "Refund?"})
    assert status == 201, ask
    link = "/" + ask["link"].split("/", 3)[3]
    status, refused = request(server, "POST", link, {"outcome": "ok", "values": ANSWER | {"amount": "0"}})
    assert (status, refused["errors"][0]["message"]) == (422, "Enter a number greater than 0")
    status, answered = request(server, "POST", link, {"outcome": "ok", "values": ANSWER})
    assert status == 200, answered
    status, closed = request(server, "GET", f"/asks/{ask['id']}")
    assert closed["values"] == answered["values"] == {
        "order": "1234", "amount": 9.5, "reason": "red", "level": 2, "notify": True, "channels": ["sms"], "big": 9007199254740993,
    }
    refund = Refund.model_validate(closed["values"])
    assert (refund.big, refund.until, refund.level) == (9007199254740993, None, Level.high)
    jsonschema_rs.Draft202012Validator(Refund.model_json_schema()).validate(closed["values"])


def test_a_file_is_a_prompt_on_offer(server):
    status, refund = request(server, "GET", "/prompts/refund")
    assert (status, refund["title"], refund["message"]) == (200, "Refund", "A customer asks for their money back.")
    status, answered = request(server, "POST", "/prompts/refund", {"outcome": "ok", "values": ANSWER | {"amount": 2}})
    assert status == 200, answered
    status, schema = request(server, "GET", "/prompts/refund/schema")
    for values in (answered["values"], answered["values"] | {"until": None}, answered["values"] | {"amount": 0.01}):
        assert jsonschema_rs.is_valid(schema, values)
    for values in ({}, answered["values"] | {"amount": "2"}, answered["values"] | {"level": "2"}, answered["values"] | {"level": 3}):
        assert not jsonschema_rs.is_valid(schema, values), values


def test_faults_have_pointers(server):
    schema = {"type": "object", "properties": {"a": {"type": "object"}, "b": {"type": "string", "format": "time"}}}
    status, problem = request(server, "POST", "/asks", {"schema": schema, "title": "T"})
    assert status == 400
    assert [error["pointer"] for error in problem["errors"]] == ["#/schema/properties/a/type", "#/schema/properties/b/format"]
    assert request(server, "POST", "/asks", {"schema": schema | {"properties": {}}})[1]["errors"][0]["message"].startswith("this schema has no `title`")
    assert request(server, "POST", "/asks", {"prompt": "refund", "title": "T"})[0] == 400
    assert request(server, "POST", "/asks", {"schema": schema, "definition": {"title": "T"}})[0] == 400


def test_check_names_line_and_column(tmp_path):
    file = tmp_path / "a.schema.json"
    file.write_text('{\n  "title": "T",\n  "properties": {\n    "a": {"type": "txt"}\n  }\n}\n', "utf-8")
    checked = run("check", file)
    assert checked.returncode == 65
    assert checked.stdout.startswith(f"{file}:4:19: there is no type `txt`"), checked.stdout
    other = tmp_path / "a.yaml"
    other.write_text("title: T\n", "utf-8")
    served = run("serve", tmp_path)
    assert "defines the prompt `a` too" in served.stderr + served.stdout


@pytest.mark.parametrize(
    "name, values, answer",
    [
        (
            "zod",
            {
                "email": "ada@example.com", "name": "Ada", "ticket": "123e4567-e89b-12d3-a456-426614174000", "day": "2024-02-29", "seats": "2",
                "discount": "0.1", "size": "M", "kind": "booking", "plan": "paid", "note": "", "code": "A-7", "meals": [], "agreed": "true",
            },
            {"seats": 2, "discount": 0.1, "note": None, "meals": [], "agreed": True},
        ),
        (
            "typebox",
            {"service": "api", "replicas": 3, "share": "0.15", "reason": "why", "window": "", "regions": ["us"], "owner": "", "dryRun": False},
            {"replicas": 3, "share": 0.15, "owner": None, "dryRun": False},
        ),
        ("openapi", {"name": "Ada", "nickname": "", "age": "36", "tier": "gold", "secret": "", "since": ""}, {"age": 36}),
    ],
)
def test_schemas_that_other_libraries_print_are_taken(name, values, answer):
    schema = json.loads((HERE / "Printed" / f"{name}.json").read_text("utf-8"))
    said = ours(schema, values)
    assert "refused" not in said, said
    expected = {key: value for key, value in values.items() if value != "" or key in answer} | answer
    assert said["answers"] == [expected]
    if name != "openapi":  # whose spellings no validator of a later draft knows
        assert jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(said["answers"][0])


def test_zod_refuses_what_its_look_aheads_refuse():
    schema = json.loads((HERE / "Printed/zod.json").read_text("utf-8"))
    email = {"type": "object", "properties": {"email": schema["properties"]["email"]}, "required": ["email"]}
    wrong = [".a@b.de", "a..b@c.de", "a@b", "a.@b.de", "a@b.c", "!a@b.de"]
    right = ["a.b@c.de", "A-+_'a@b-c.d.ef"]
    assert ours(email, *({"email": one} for one in wrong))["answers"] == [None] * len(wrong)
    assert ours(email, *({"email": one} for one in right))["answers"] == [{"email": one} for one in right]
