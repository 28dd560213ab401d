"""Every pair of keywords that a property or an object can have, judged by us and by other validators.

What one keyword says must not be lost because another stands beside it, in one schema or in two that `allOf`, `$ref` or
`anyOf` joins. Each answer must be valid for jsonschema-rs, Python's jsonschema and Ajv; what we cannot ask for is refused.
"""

import itertools
from fractions import Fraction

import jsonschema
import jsonschema_rs
from Schema import pairs
from Schema.validators import ajv

DIALECTS = {
    "http://json-schema.org/draft-07/schema#": (jsonschema_rs.Draft7Validator, jsonschema.Draft7Validator),
    "https://json-schema.org/draft/2020-12/schema": (jsonschema_rs.Draft202012Validator, jsonschema.Draft202012Validator),
}

TEXTS = ["", "a", "red", "Blue", "2024-02-29", "2024-13-45", "a@b.de", "123e4567-e89b-12d3-a456-426614174000", "192.0.2.1", "http://a.b/"]
NUMBERS = [0, 1, 2, 3, 0.5, 1.5, 7, 10, 100, -5, 1e16, 9007199254740993]
TYPES = ["string", "integer", "number", "boolean", "array", "null", ["string", "null"], ["integer", "null"], ["array", "null"], ["boolean", "null"]]


def some(values, least=1, most=4):
    return lambda chance: chance.sample(values, chance.randint(least, min(most, len(values))))


def one(*values):
    return lambda chance: chance.choice(values)


def constants(chance):
    return [{"const": value} for value in chance.sample(chance.choice([TEXTS, NUMBERS]), chance.randint(1, 3))]


def alternatives(chance):
    """Of `anyOf` or `oneOf`: constants, a schema and null, or one schema."""
    inner = {key: PROPERTY[key](chance) for key in chance.sample(sorted(PROPERTY.keys() - {"anyOf", "oneOf", "allOf"}), 2)}
    return chance.choice([
        constants, lambda _: [inner, {"type": "null"}], lambda _: [inner], lambda _: [inner, {}],
        lambda _: [{"type": ["string", "null"]}, {"type": "null"}], lambda _: [{"anyOf": [inner, {"type": "null"}]}, {"type": "null"}],
    ])(chance)


PROPERTY = {
    "type": one(*TYPES),
    "enum": lambda chance: some(chance.choice([TEXTS, NUMBERS, [True, False, None], [*TEXTS[1:], None], [*NUMBERS, None]]))(chance),
    "const": one(*TEXTS, *NUMBERS, True, False, None),
    "minLength": one(0, 1, 3, 5.0, 300), "maxLength": one(0, 2, 4, 10, 300, 4000),
    "pattern": one("^[a-z]+$", "[0-9]", "^[^@ ]+@", r"^(?=.*[a-z])(?!.*q)\S+$", r"^\d+$", "^.{2,5}$", "b"),
    "format": one("email", "uri", "date", "uuid", "ipv4", "password", "date-time", "time", "hostname", "int32", "int64", "double"),
    "contentMediaType": one("text/plain", "text/plain; charset=utf-8", "text/plainer", "image/png", "application/json"),
    "contentEncoding": one("base64"),
    "minimum": one(0, 1, 2.5, -3, 9007199254740993), "maximum": one(0, 5, 9.5, 100, 9007199254740993, 1e23),
    "exclusiveMinimum": one(0, 1, 2.5, -0.1, 9007199254740991), "exclusiveMaximum": one(0, 5, 9.5, 100, 9007199254740991, 1e23),
    "multipleOf": one(1, 2, 5, 0.5, 0.01, 0.1, 3),
    "items": lambda chance: {"enum": chance.sample(TEXTS[1:], chance.randint(1, 4))} | chance.choice([{}, {"type": "string"}, {"minLength": 2}, {"format": "date"}]),
    "minItems": one(0, 1, 2), "maxItems": one(0, 1, 3), "uniqueItems": one(True, False),
    "contains": one({"const": "a"}, {"const": "red"}), "minContains": one(2), "maxContains": one(1),
    "prefixItems": one([{"const": "a"}]), "additionalItems": one(False), "unevaluatedItems": one(False),
    "anyOf": alternatives, "oneOf": alternatives,
    "allOf": lambda chance: [{key: PROPERTY[key](chance)} for key in chance.sample(sorted(PROPERTY.keys() - {"allOf"}), 2)],
    "$ref": one("#/definitions/Text", "#/definitions/Count", "#/definitions/Day", "#/definitions/Colors", "#/definitions/Maybe"),
    "not": one({"const": "a"}, {"type": "null"}, {}), "if": one({"const": "a"}), "then": one(False), "else": one(False),
    "dependentRequired": one({"a": ["b"]}), "properties": one({"x": {}}), "required": one(["x"]),
    "readOnly": one(False, True), "writeOnly": one(True), "deprecated": one(True), "default": one("a", 1, True, None),
    "title": one("A title"), "examples": one(["red"], [1]), "$comment": one("Why"), "$id": one("other"), "$anchor": one("here"),
    "nullable": one(True), "example": one("a"),
    "x-okcancel": one({"kind": "multiline"}, {"kind": "search"}, {"kind": "slider"}, {"kind": "date"}, {"kind": "dateTime", "timeZone": "UTC"}, {"timeZone": "UTC"}, {"trim": True}, {"rules": [{"length": {"max": 3}}]}),
}
DEFINITIONS = {
    "Text": {"type": "string", "maxLength": 10}, "Count": {"type": "integer", "minimum": 1}, "Day": {"type": "string", "format": "date"},
    "Colors": {"type": "array", "items": {"enum": ["a", "red", "Blue"]}, "minItems": 1}, "Maybe": {"type": ["string", "null"], "minLength": 1},
}
# What says which type a property has, where neither of the two keywords does.
TYPE_OF = {
    "minimum": "number", "maximum": "integer", "exclusiveMinimum": "integer", "exclusiveMaximum": "number", "multipleOf": "number",
    "minItems": "array", "maxItems": "array", "uniqueItems": "array", "contains": "array", "minContains": "array", "items": "array",
    "prefixItems": "array", "additionalItems": "array", "unevaluatedItems": "array", "maxContains": "array",
}
DECIDES = {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"}


def joined(first, second, chance):
    """Two keywords, each a schema of its own, as one property."""
    both = first | second if not first.keys() & second.keys() else None
    return chance.choice([
        both or {"allOf": [first, second]}, both or {"allOf": [second, first]}, {"allOf": [first, second]}, first | {"allOf": [second]} if "allOf" not in first else both,
        {"anyOf": [both or first, {"type": "null"}]}, {"anyOf": [{"allOf": [first, second]}, {"type": "null"}]},
        {"oneOf": [both or second, {"type": "null"}]}, {"$ref": "#/definitions/Both"}, {"allOf": [{"$ref": "#/definitions/Both"}]},
    ]), both or {"allOf": [first, second]}


def of_properties(dialect, chance, rounds):
    """Schemas of an object whose property has two keywords."""
    for first, second in itertools.combinations_with_replacement(PROPERTY, 2):
        for _ in range(rounds):
            parts = [{key: PROPERTY[key](chance)} for key in (first, second)]
            kind = TYPE_OF.get(first) or TYPE_OF.get(second) or "string"
            if not {first, second} & DECIDES or chance.random() < 0.2:
                chance.choice(parts).setdefault("type", chance.choice([kind, kind, [kind, "null"]]))
            if kind == "array" and chance.random() < 0.8:
                chance.choice(parts).setdefault("items", {"type": "string", "enum": ["a", "red", "Blue", "2024-02-29"]})
            schema, both = joined(*parts, chance)
            yield {
                "$schema": dialect, "type": "object", "properties": {"a": schema}, "required": chance.choice([[], ["a"]]),
                "definitions": DEFINITIONS | {"Both": both},
            }


OTHERS = {"a": {"type": "string"}, "b": {"type": "boolean"}, "c": {"enum": ["x", "y"]}, "d": {"type": "integer"}}
OBJECT = {
    "properties": lambda chance: {name: OTHERS[name] for name in chance.sample(sorted(OTHERS), chance.randint(1, 4))},
    "required": some(sorted(OTHERS), 0, 3), "additionalProperties": one(False, True, {"type": "string"}),
    "unevaluatedProperties": one(False, True, {"type": "string"}), "type": one("object", ["object", "null"]),
    "if": one({"properties": {"c": {"const": "x"}}, "required": ["c"]}, {"properties": {"b": {"const": True}}}, {"properties": {"c": {"enum": ["y"]}}}),
    "then": one({"required": ["a"]}, {"properties": {"e": {"type": "string", "minLength": 1}}, "required": ["e"]}, {"properties": {"d": False}}),
    "else": one({"properties": {"a": False}}, {"properties": {"d": False}}, {"required": ["d"]}),
    "allOf": lambda chance: [{key: OBJECT[key](chance)} for key in chance.sample(sorted(OBJECT.keys() - {"allOf"}), 2)],
    "$ref": one("#/definitions/Closed", "#/definitions/Open"),
    "anyOf": one([{"required": ["a"]}, {"required": ["b"]}]), "oneOf": one([{"required": ["a"]}]), "not": one({"required": ["a"]}),
    "minProperties": one(2), "maxProperties": one(1), "patternProperties": one({"^a": {"minLength": 2}}),
    "propertyNames": one({"pattern": "^[ab]"}), "dependentRequired": one({"a": ["d"]}), "dependencies": one({"a": ["d"]}),
    "dependentSchemas": one({"a": {"required": ["d"]}}), "const": one({}), "enum": one([{}]), "description": one("What for?"),
}
OBJECT_DEFINITIONS = {
    "Closed": {"properties": {"a": {"type": "string", "maxLength": 3}}, "additionalProperties": False},
    "Open": {"properties": {"a": {"type": "string", "maxLength": 3}}, "required": ["a"]},
}


def of_objects(dialect, chance, rounds):
    for first, second in itertools.combinations_with_replacement(OBJECT, 2):
        for _ in range(rounds):
            parts = [{key: OBJECT[key](chance)} for key in (first, second)]
            schema = {"allOf": parts} if first == second or chance.random() < 0.3 else parts[0] | parts[1]
            if chance.random() < 0.8:
                schema.setdefault("properties", OTHERS)
            yield {"$schema": dialect, "definitions": OBJECT_DEFINITIONS} | schema


ONE = [*TEXTS, *pairs.LOOKALIKES[:30], *NUMBERS, "true", "false", True, False, None, "1", "19.99", 0.3, 2.5, "9007199254740992", "9007199254740994",
       "99999999999999991611392", "2024-02-29T10:00", "192.0.2.1\n", [], ["a"], ["red", "a"], ["a", "a"], ["a", "red", "Blue"], ["2024-02-29"]]


def values_for(schema, chance, count):
    names = ["a"] if "a" in schema.get("properties", {}) and len(schema["properties"]) == 1 else ["a", "b", "c", "d", "e"]
    if names == ["a"]:
        return [{}, *({"a": value} for value in ONE)]
    usual = {"a": ["", "ab", "abcd"], "b": [True, False], "c": ["x", "y"], "d": [0, 7], "e": ["", "e"]}
    return [{name: chance.choice(usual[name]) for name in names if chance.random() < 0.6} for _ in range(count)]


def without_steps(schema):
    """The same without steps that no double is, which validators divide by as they like."""
    if isinstance(schema, dict):
        return {key: without_steps(part) for key, part in schema.items() if key != "multipleOf" or Fraction(part).limit_denominator(1024) == Fraction(part)}
    return [without_steps(part) for part in schema] if isinstance(schema, list) else schema


def of_ajv(questions):
    return ajv(
        [(without_steps(schema), answers) for schema, answers in questions], format="full", unknownFormats="ignore", nullable=False)


def judged(judge, dialect, schemas, chance, count=30):
    """Each answer that a validator refuses, as (validator, schema, value, answer), and how many schemas and answers there were."""
    rust, python = DIALECTS[dialect]
    questions = [(schema, values_for(schema, chance, count)) for schema in schemas]
    wrong, taken, answered = [], [], 0
    for (schema, values), ours in zip(questions, pairs.said(judge, questions), strict=True):
        if "refused" in ours:
            continue
        answers = [(value, answer) for value, answer in zip(values, ours["answers"], strict=True) if answer is not None]
        answered += len(answers)
        try:
            exact = rust(schema, validate_formats=True)
        except Exception as error:  # noqa: BLE001 we take a schema that is none
            wrong.append(("jsonschema-rs takes no such schema", schema, str(error)[:200], None))
            continue
        binary = python(without_steps(schema), format_checker=python.FORMAT_CHECKER)
        for value, answer in answers:
            if not exact.is_valid(answer):
                wrong.append(("jsonschema-rs", schema, value, answer))
            if not binary.is_valid(answer):
                wrong.append(("Python's jsonschema", schema, value, answer))
        taken.append((schema, answers))
    # Debian's Ajv knows draft-07 only.
    if "draft-07" in dialect:
        for (schema, answers), verdicts in zip(taken, of_ajv([(schema, [answer for _, answer in answers]) for schema, answers in taken]), strict=True):
            if isinstance(verdicts, str):
                wrong.append(("Ajv takes no such schema", schema, verdicts, None))
            else:
                wrong += [("Ajv", schema, *pair) for pair, is_valid in zip(answers, verdicts, strict=True) if not is_valid]
    return wrong, len(taken), answered
