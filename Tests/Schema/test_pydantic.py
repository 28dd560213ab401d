"""The types of pydantic's fields: each is asked for, and pydantic reads what a person answers, or the refusal is one we know."""

import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import itertools
import pathlib
import re
import typing
import uuid

import jsonschema_rs
import pydantic
import pytest
import typing_extensions
from pydantic import BaseModel, Field, RootModel, StringConstraints, create_model, networks
from Schema import pairs
from Schema.test_schema_in import JUDGE, Color, Level


class Mixed(enum.Enum):
    one = 1
    any = "any"


class Address(BaseModel):
    city: str
    zip: str | None = None


class Order(BaseModel):
    address: Address


class Alias(BaseModel):
    first_name: str = Field(alias="first-name")


class Cat(BaseModel):
    kind: typing.Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: typing.Literal["dog"] = "dog"
    name: str


class Mail(BaseModel):
    """By post."""

    kind: typing.Literal["mail"]
    to: str = Field(min_length=3, description="Street and town")
    copies: int


class Call(BaseModel):
    kind: typing.Literal["call"] = "call"
    to: list[str] = []
    copies: int = 5


class Meet(BaseModel):
    kind: typing.Literal["meet", "dine"]
    to: typing.Literal["home", "office"]
    copies: Color | None = None
    inner: Address | None = None


class Chat(BaseModel):
    kind: typing.Literal["chat"]
    inner: Address


Message = typing.Annotated[Mail | Call | Meet | Chat, Field(discriminator="kind")]


class Typed(typing_extensions.TypedDict):
    x: int


@dataclasses.dataclass
class Data:
    x: int = 0


Pet = typing.Annotated[Cat | Dog, Field(discriminator="kind")]
CAT = {"kind": "cat", "lives": "9"}
# Each with a text that somebody may enter.
TAKEN = [
    (str, "a"), (int, "5"), (float, "1.5"), (bool, "true"), (bytes, "a"), (decimal.Decimal, "1.50"), (datetime.date, "2026-02-28"), (datetime.timedelta, "P1DT2H"),
    (uuid.UUID, "123e4567-e89b-12d3-a456-426614174000"), (pydantic.UUID4, "123e4567-e89b-42d3-a456-426614174000"),
    (ipaddress.IPv4Address, "192.0.2.1"), (ipaddress.IPv6Address, "::1"), (ipaddress.IPv4Network, "192.0.2.0/24"), (networks.IPvAnyAddress, "::1"),
    (Color, "red"), (Level, "2"), (Mixed, "1"), (Mixed, "any"), (typing.Literal["a", "b"], "b"), (typing.Literal["a"], "a"), (typing.Literal[1, 2], "2"), (typing.Literal[1, "a"], "1"),
    (pydantic.EmailStr, "ada@example.com"), (pydantic.NameEmail, "Ada <ada@example.com>"), (pydantic.HttpUrl, "https://example.com/"), (pydantic.AnyUrl, "http://example.com/"),
    (pydantic.AnyHttpUrl, "https://example.com/"), (pydantic.SecretStr, "s3cret"), (pydantic.SecretBytes, "s3cret"),
    (pydantic.PositiveInt, "1"), (pydantic.NegativeInt, "-1"), (pydantic.NonNegativeInt, "0"), (pydantic.NonPositiveInt, "0"), (pydantic.PositiveFloat, "0.1"),
    (pydantic.NonNegativeFloat, "0"), (pydantic.FiniteFloat, "1e3"), (pydantic.StrictStr, "a"), (pydantic.StrictInt, "7"), (pydantic.StrictBool, "false"),
    (str | None, ""), (int | None, "3"), (Color | None, "blue"), (datetime.date | None, ""), (int | str, "12"), (str | int, "a"), (int | bool, "true"), (typing.Literal["auto"] | int, "auto"),
    (typing.Annotated[str, Field(min_length=2, max_length=9)], "ab"), (typing.Annotated[str, Field(pattern="^[A-Z]+$")], "AB"), (typing.Annotated[int, Field(ge=0, lt=10)], "9"),
    (typing.Annotated[int, Field(multiple_of=5)], "15"), (typing.Annotated[float, Field(gt=0)], "0.5"), (typing.Annotated[str, StringConstraints(strip_whitespace=True)], "a"),
    (typing.Annotated[decimal.Decimal, Field(max_digits=6, decimal_places=2)], "12.34"),
    (Address, {"city": "London"}), (Address | None, {"city": "Paris"}), (Order, {"address": {"city": "Oslo"}}), (Typed, {"x": "1"}), (Data, {"x": "1"}), (Alias, {"first-name": "Ada"}),
    (Pet, CAT), (Pet | None, CAT), (Cat | Dog, {"kind": "dog", "name": "Rex"}),
    (Message, {"kind": "mail", "to": "Rome", "copies": "2"}), (Message, {"kind": "call", "to": ["a", "b"]}), (Message, {"kind": "call", "to": [], "copies": "7"}),
    (Message, {"kind": "dine", "to": "home", "copies": "red"}), (Message, {"inner": {"city": "Rome"}, "to": "office", "kind": "meet"}), (Message | None, {"kind": "chat", "inner": {"city": "Rome"}}),
    (Mail | Call | Meet, {"kind": "mail", "to": "Rome", "copies": "2"}), (Call | Mail, {"kind": "call", "to": ["a"], "copies": "1"}),
    (list[typing.Literal["a", "b"]], ["a"]), (set[Color], ["red"]), (list[str], ["a", "b"]), (list[int], ["1", "2"]), (set[str], ["a"]), (frozenset[str], ["a"]), (list, ["a"]),
    (tuple[str, ...], ["a", "b"]), (typing.Annotated[list[str], Field(min_length=1, max_length=3)], ["a"]), (list[pydantic.EmailStr], ["ada@example.com"]), (list[uuid.UUID], ["123e4567-e89b-12d3-a456-426614174000"]),
    (pathlib.Path, "/tmp/a"), (re.Pattern, "^a+$"), (pydantic.Base64Str, "YWJj"), (pydantic.ByteSize, "1024"), (pydantic.PastDate, "2000-01-01"), (pydantic.FutureDate, "9000-01-01"), (typing.Any, "a"),
]
REFUSED = [
    # An offset is missing, unless the server has a `--time-zone`.
    (datetime.datetime, "refused-format: date-time"), (pydantic.AwareDatetime, "date-time"), (datetime.time, "`time` needs an offset"),
    (list[Address], "a list of objects"), (dict[str, str], "names no properties"), (list[Level], "from strings"), (typing.Annotated[tuple[int, str], Field()], "`prefixItems`"), (tuple[int, str], "`prefixItems`"), (str | list[str], "nothing tells which"), (pydantic.Json, "only plain text"),
]


def test_pydantic_reads_what_is_answered_for_each_type_of_field():
    models = [create_model("Model", a=(kind, ...)) for kind, _ in TAKEN]
    schemas = [model.model_json_schema() for model in models]
    said = pairs.said(JUDGE, [(schema, [{"a": text}]) for schema, (_, text) in zip(schemas, TAKEN, strict=True)])
    for model, schema, (kind, text), ours in zip(models, schemas, TAKEN, said, strict=True):
        assert "refused" not in ours, (kind, schema, ours)
        (answer,) = ours["answers"]
        assert answer is not None, (kind, text, ours)
        jsonschema_rs.validate(schema, answer)
        model.model_validate(answer)
    assert len({str(kind) for kind, _ in TAKEN}) > 70


class Root(RootModel[Message]):
    pass


@pytest.mark.parametrize("model", [create_model("Model", a=(Message, ...)), Root])
def test_each_object_of_a_union_has_its_own_fields(model):
    """No answer is wrong, whatever is sent for which object."""
    schema, parts = model.model_json_schema() | {"title": "T"}, {"to": ["Rome", "X", ["a"], "home", "garden"], "copies": ["1", "x", "red", None], "inner": [{"city": "Rome"}, None]}
    values = [
        {"kind": kind} | {name: value for name, value in zip(parts, chosen, strict=True) if value != "left out"}
        for kind in ("mail", "call", "meet", "dine", "chat", "none") for chosen in itertools.product(*([*each, "left out"] for each in parts.values()))]
    wrap = (lambda value: value) if model is Root else (lambda value: {"a": value})
    (ours,) = pairs.said(JUDGE, [(schema, [wrap(value) for value in values])])
    assert "refused" not in ours and ours["kept"], ours
    answers = [answer for answer in ours["answers"] if answer is not None]
    for answer in answers:
        jsonschema_rs.validate(schema, answer)
        jsonschema_rs.validate(ours["schema"], answer)
        model.model_validate(answer)
    kinds = collections.Counter((answer if model is Root else answer["a"])["kind"] for answer in answers)
    assert set(kinds) == {"mail", "call", "meet", "dine", "chat"} and len(values) == 540, kinds


@pytest.mark.parametrize("kind, why", REFUSED)
def test_other_types_are_refused_with_what_to_do(kind, why):
    (ours,) = pairs.said(JUDGE, [(create_model("Model", a=(kind, ...)).model_json_schema(), [])])
    assert any(why.split(": ")[-1] in fault for fault in ours["refused"]), ours
