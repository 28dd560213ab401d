"""The table of the page about schemas, row by row."""

import json
import re

import pytest
from Schema.test_schema_in import ours
from Support.documentation import ROOT, Page

TEXT = Page("schemas.md").text
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in TEXT[TEXT.index("## Keyword by keyword"):TEXT.index("## Words of other tools")].splitlines() if line.startswith("| ")][1:]


def one(schema, *, required=True, **more):
    return {"type": "object", "properties": {"a": schema}, "required": ["a"] * required} | more


LATER = object()  # Checked by tests of its own, in this folder or beside the reader.
OBJECT = {"type": "object", "properties": {"b": {"type": "string", "minLength": 1}}, "required": ["b"]}
OPEN = {"type": "object", "properties": {"b": {"type": "string"}}}
TELL = [{"type": "object", "properties": {"k": {"const": word}, word: {"type": "string"}}, "required": ["k", word]} for word in ("x", "y")]
ZONE = {"type": "string", "format": "date-time", "x-okcancel": {"timeZone": "Europe/Berlin"}}

# For the beginning of each row: schemas, each with the kinds of its fields and what values become (None: no answer), or with
# a part of the error.
CLAIMS = {
    "`type: string`": [(one({"type": "string"}), ["text"], [({"a": "x"}, {"a": "x"})])],
    "`contentMediaType": [
        (one({"type": "string", "contentMediaType": "text/plain"}), ["multiline"], [({"a": "x\r\ny"}, {"a": "x\ny"})]),
        (one({"type": "string", "maxLength": 257}), ["multiline"], []), (one({"type": "string", "maxLength": 256}), ["text"], [])],
    "`minLength`": [(one({"type": "string", "pattern": "b"}), ["text"], [({"a": "abc"}, {"a": "abc"}), ({"a": "ac"}, None)]),
                    (one({"type": "string", "pattern": "^b$", "maxLength": 1}), ["text"], [({"a": "abc"}, None), ({"a": "b"}, {"a": "b"})])],
    "`format: email`": [(one({"type": "string", "format": "email"}), ["email"], [({"a": "x"}, None)]), (one({"type": "string", "format": "uri"}), ["url"], []),
                        (one({"type": "string", "format": "date"}), ["date"], []), (one({"type": "string", "format": "password"}), ["password"], []),
                        (one({"type": "string", "format": "ipv4"}), ["text"], [({"a": "1.2.3.4"}, {"a": "1.2.3.4"}), ({"a": "x"}, None)]),
                        (one({"type": "string", "format": "iri"}), ["url"], [({"a": "http://é.de"}, None)])],
    "`format: date-time` in": [(one(ZONE), ["dateTime"], [({"a": "2026-03-29T03:30"}, {"a": "2026-03-29T03:30:00+02:00"})])],
    "`format: date-time` without": [
        (one({"type": "string", "format": "date-time"}), "timeZone"), (one({"type": "array", "items": ZONE}), "of its own"),
        (one({"anyOf": [{"type": "integer"}, {"type": "string", "format": "date-time"}]}), "of its own"),
        (one({"type": "string", "x-okcancel": {"kind": "dateTime"}}), ["dateTime"], [({"a": "2026-03-29T03:30"}, {"a": "2026-03-29T03:30"})])],
    "`format: time`": [(one({"type": "string", "format": word}), word) for word in ("time", "uri-template", "relative-json-pointer", "byte", "iso-time")],
    "any other": [(one({"type": "string", "format": "color"}), ["text"], [({"a": "x"}, {"a": "x"})])],
    "`type: integer`": [(one({"type": "integer"}), ["integer"], [({"a": 2**60 + 1}, {"a": 2**60 + 1}), ({"a": 1.5}, None)]),
                        (one({"type": "number", "exclusiveMinimum": 1, "multipleOf": 0.5}), ["number"], [({"a": 1.5}, {"a": 1.5}), ({"a": 1}, None)])],
    "`format: int32`": [(one({"type": "integer", "format": "int32"}), ["integer"], [({"a": 2**31}, None)]),
                        (one({"type": "number", "format": "float"}), ["number"], [({"a": 1e300}, {"a": 1e300})])],
    "`type: boolean`": [(one({"type": "boolean"}, required=False), ["boolean"], [({}, {"a": False}), ({"a": True}, {"a": True})])],
    "`const: true`": [(one({"type": "boolean", "const": True}), ["boolean"], [({"a": False}, None), ({"a": True}, {"a": True})])],
    "a boolean with": [(one({"type": ["boolean", "null"]}), ["choice"], [({"a": None}, {"a": None}), ({"a": False}, {"a": False})])],
    "`enum`, or": [(one({"enum": [1, 2.5]}), ["choice"], [({"a": 2.5}, {"a": 2.5})]),
                   (one({"oneOf": [{"const": "x", "title": "X"}, {"const": "y"}]}), ["choice"], [({"a": "x"}, {"a": "x"}), ({"a": "z"}, None)])],
    "the empty": [(one({"enum": ["", "x"]}), "leave it out")],
    "`const`": [(one({"const": "x"}), ["choice"], [({"a": "x"}, {"a": "x"})])],
    "`type: array`": [(one({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}), ["list"], [({"a": "1\n\n2"}, {"a": [1, 2]}), ({"a": [1, 1]}, None)])],
    "`items` with": [(one({"type": "array", "items": {"enum": ["x", "y"]}}), ["choices"], [({"a": ["y"]}, {"a": ["y"]})])],
    "`items` that": [(one({"type": "array", "items": items}), "") for items in (OBJECT, {"type": "array"}, {"type": "boolean"}, {"type": ["string", "integer"]})],
    "`type: object`": [(one(OBJECT), ["text"], [({"a": {"b": "x"}}, {"a": {"b": "x"}}), ({"a": {}}, None)]),
                       (one(one(one(OBJECT))), ["text"], [({"a": {"a": {"a": {"b": "x"}}}}, {"a": {"a": {"a": {"b": "x"}}}})])],
    "an object that may": [(one(OBJECT | {"default": {"b": "x"}}, required=False), ["boolean", "text"], []), (one(OBJECT, required=False), ["boolean", "text"], [({}, {}), ({"a": {"b": "x"}}, {"a": {"b": "x"}})]),
                           (one({"anyOf": [OBJECT, {"type": "null"}]}), ["boolean", "text"], [({"a": None}, {"a": None})])],
    "an object that requires": [(one(OPEN), ["text"], [({}, {"a": {}})]), (one(OPEN, required=False), ["text"], [({}, {}), ({"a": {"b": "x"}}, {"a": {"b": "x"}})])],
    "an object without": [(one({"type": "object"}), ""), (one(one(one(one(OBJECT)))), "")],
    "`anyOf` or `oneOf` of objects": [
        (one({"oneOf": TELL}), ["choice", "text", "text"], [({"a": {"k": "x", "x": "1"}}, {"a": {"k": "x", "x": "1"}}), ({"a": {"k": "z"}}, None)]),
        ({"anyOf": TELL}, ["choice", "text", "text"], [({"k": "y", "y": "1"}, {"k": "y", "y": "1"})])],
    "several types": [
        (one({"type": ["integer", "string"]}), ["text"], [({"a": "7"}, {"a": 7}), ({"a": "7x"}, {"a": "7x"})]),
        (one({"anyOf": [{"type": "string"}, {"type": "integer"}]}), ["text"], [({"a": "7"}, {"a": "7"})]),
        (one({"oneOf": [{"type": "boolean"}, {"type": "number"}]}), ["text"], [({"a": "true"}, {"a": True}), ({"a": "x"}, None)])],
    "`anyOf` of a number": [(one({"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^\d+$"}]}), ["number"], [({"a": "1.5"}, {"a": 1.5})])],
    "`anyOf` of several": [(one({"type": "string", "anyOf": [{"pattern": "^a"}, {"maxLength": 1}]}), ["text"], [({"a": "b"}, {"a": "b"}), ({"a": "bb"}, None)])],
    "`anyOf`, `oneOf` of anything": [(one({"anyOf": [OBJECT, OPEN]}), ""), (one({"anyOf": [OBJECT, {"type": "string"}]}), "")],
    "no `type`": [(one({"minimum": 2}), ["number"], [({"a": 1}, None), ({"a": 2}, {"a": 2})]), (one({"pattern": "b"}), ["text"], [({"a": None}, None)]),
                  (one({"items": {"minLength": 2}}), ["list"], [({"a": ["xy"]}, {"a": ["xy"]})]), (one({"default": 5}), ["number"], []), (one({}), ["text"], [])],
    "`not` of types": [(one({"not": {"type": ["string", "null"]}}), ["number"], []), (one({"type": "string", "not": {"enum": ["x"]}}), ["text"], [({"a": "x"}, None), ({"a": "y"}, {"a": "y"})]),
                       (one({"type": "string", "not": {"pattern": "^a", "minLength": 2}}), ["text"], [({"a": "ab"}, None), ({"a": "a"}, {"a": "a"})])],
    "`true` as": [(one(True), ["text"], [({"a": "x"}, {"a": "x"})]), (one(False, required=False), [], [({}, {})])],
    "keywords that say": [(one({"type": "string", "minimum": 5}), ["text"], [({"a": "1"}, {"a": "1"})])],
    "`enum` of strings": [(one({"enum": ["x", 1, True]}), ["choice"], [({"a": "1"}, {"a": 1}), ({"a": "x"}, {"a": "x"}), ({"a": True}, {"a": True})])],
    "`type: array` without": [(one({"type": "array"}), ["list"], [({"a": ["x"]}, {"a": ["x"]})])],
    "`required` without": [(one({"type": "integer"}), ["integer"], [({}, None)])],
    "`required` with": [(one({"type": ["integer", "null"]}), ["integer"], [({}, {"a": None}), ({"a": 1}, {"a": 1})])],
    "not `required`": [(one({"type": "integer"}, required=False), ["integer"], [({}, {}), ({"a": 1}, {"a": 1})])],
    "`title`": [(one({"type": "string", "description": "x" * 4097}), "4097")],
    "`markdownDescription`": [(one({"type": "string", "markdownDescription": "x"}), ["text"], [])],
    "`default`": [(one({"type": "string", "default": "x"}, required=False), ["text"], [({"a": ""}, {})])],
    "`$ref` within": [(one({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"allOf": [{"type": "integer"}, {"minimum": 2}]}}}), ["integer"], [({"a": 1}, None), ({"a": 2}, {"a": 2})])],
    "`$ref` to": [(one({"$ref": "other.json"}), "`$defs`"), (one({"$ref": "#/properties/a"}), "write out")],
    "keywords beside": [(one({"$ref": "#/definitions/A", "maxLength": 3}, **{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"A": {"type": "string"}}}), "`allOf`")],
    "`if`": LATER,
    "`dependentRequired`": [
        ({"properties": {"a": {"type": "string"}, "b": {"type": "string", "minLength": 1}}, key: {"a": ["b"]}}, ["text", "text"],
         [({"a": "x"}, None), ({}, {}), ({"a": "x", "b": "y"}, {"a": "x", "b": "y"})]) for key in ("dependentRequired", "dependencies")],
    "`minProperties`": [(one({"type": "string"}, minProperties=1, maxProperties=1), ["text"], [({"a": "x"}, {"a": "x"})])],
    "`additionalProperties`, ": [(one({"type": "string"}, additionalProperties={"type": "integer"}), ["text"], [({"a": "x"}, {"a": "x"})])],
    "`additionalProperties: false`": [(one({"type": "string"}, allOf=[{"properties": {"b": {"type": "string"}}, "additionalProperties": False}]), "unevaluatedProperties")],
    "any other `not`": [(one({"type": "string"}, **{word: value}), word) for word, value in (("not", {}), ("patternProperties", {"b": {}}), ("minProperties", 2))],
    "look-around": [(one({"type": "string", "pattern": "a(?=b)"}), ""), (one({"type": "string", "pattern": r"(a)\1"}), ""),
                    (one({"type": "string", "pattern": "^(?=.*b)a"}), ["text"], [({"a": "ab"}, {"a": "ab"}), ({"a": "a"}, None)])],
    "names that": [({"type": "object", "properties": {"first-name": {"type": "string"}, "größe": {"type": "integer"}}, "required": ["first-name"]}, ["text", "integer"],
                    [({"first-name": "x", "größe": 1}, {"first-name": "x", "größe": 1})])],
    "the name `__": [(schema, "another name") for schema in ({"type": "object", "properties": {"__proto__": {"type": "string"}}}, *(
        one({"type": "object", "properties": {name: {"type": "string"}}}) for name in ("__proto__", "constructor", "prototype")))],
    "keywords that leave": [(one({"type": "integer", "minimum": 2, "maximum": 1}), "")],
    "`$id`": [(one({"type": "string", "$comment": "c", "deprecated": True, "writeOnly": True, "xml": {}, "x-other": 1}, **{"$id": "http://a/b"}), ["text"], [])],
    "`enumNames`": LATER,
    "[words": LATER,
    "any other word": [(one({"type": "string", "regex": "b"}), "`pattern`"), (one({"type": "string", "colour": "b"}), "x-colour")],
}


def test_the_words_of_other_tools_are_those_that_are_ignored():
    table = json.loads((ROOT / "Sources/Prompts/Reading/Schema/keywords.json").read_text("utf-8"))["ignored"]
    for tool, words in table.items():
        assert f"| {tool} | " + ", ".join(f"`{word}…`" if word.endswith(":") else f"`{word}`" for word in words.split()) + " |" in TEXT


def test_every_row_is_a_claim():
    assert len(ROWS) == len(CLAIMS)
    for (row, *_), beginning in zip(ROWS, CLAIMS, strict=True):
        assert row.startswith(beginning)


@pytest.mark.parametrize("row", [row for row in CLAIMS if CLAIMS[row] is not LATER])
def test_a_row_holds(row):
    (text,) = [" ".join(cells) for cells, beginning in zip(ROWS, CLAIMS, strict=True) if beginning == row]
    for schema, said, *values in CLAIMS[row]:
        if isinstance(said, str):
            faults = ours(schema).get("refused")
            assert faults and said in " ".join(faults) and "refused" in text, (schema, faults)
            continue
        judged = ours(schema, *[given for given, _ in values[0]])
        assert "refused" not in judged, judged
        fields = judged["schema"]["x-okcancel-definition"]["fields"]
        assert [field["kind"] for field in fields if "kind" in field] == said, json.dumps(fields)
        assert judged["answers"] == [answer for _, answer in values[0]], (schema, judged["answers"])
