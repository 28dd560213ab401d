"""Schemas and values at random, judged by us and by the caller's validator.

hypothesis makes schemas of the sort that a dialog can ask for, hypothesis-jsonschema makes values of each, some of them
altered so that they are valid no more. `VerdictJudge` says what the server's code answers to each; jsonschema-rs says
whether the values, the answer, and the schema of our prompt are right.

    make schemas N=20000 SEED=1     # 50 values of each
"""

import argparse
import collections
import json
import math
import random
import subprocess
import sys
import warnings

import jsonschema_rs
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

warnings.filterwarnings("ignore")

PATTERNS = [
    "^[a-z]+$", "[0-9]", "^A", "z$", "^(a|b)*$", "^$", "a|^b", "^a$|^b$", r"^\d{1,3}$", r"\w", "^[^@ ]+@[^@ ]+$", "^.{2,5}$",
    r"^(?=.*[a-z])(?!.*q)\S+$", r"^\$[0-9]+(\.[0-9]{2})?$", "é", r"^[A-Z]{2}-\d+$", "^(?!-)[a-z-]*$", r"\bword\b",
]
WORDS = ["a", "b", "red", "green", "Blue", "two words", "é", "1", "true", "null", "-0", "😀"]

small = st.integers(-50, 50)
bound = st.one_of(small, st.integers(-(2**55), 2**55), st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), st.sampled_from([1e16, 1e23, 0.1, 0, -0.0]))


def some(**keywords):
    """An object with any of these keywords."""
    return st.fixed_dictionaries({}, optional=keywords)


@st.composite
def numbers(draw, integer):
    schema = {"type": "integer" if integer else "number"}
    schema |= draw(some(
        multipleOf=st.sampled_from([1, 2, 3, 7, 10] if integer else [0.1, 0.01, 0.5, 2, 3, 2.5]),
    )) if draw(st.integers(0, 3)) == 0 else {}
    low, high = sorted(draw(st.tuples(bound, bound)))
    for name, value in (("inimum", low), ("aximum", high)):
        how = draw(st.sampled_from(["", "", "plain", "exclusive"]))
        if how == "plain":
            schema["m" + name] = value
        elif how:
            schema["exclusiveM" + name] = value
    return schema


@st.composite
def texts(draw):
    schema = {"type": "string"}
    schema |= draw(some(minLength=st.integers(0, 4), maxLength=st.one_of(st.integers(4, 30), st.integers(250, 3000))))
    how = draw(st.integers(0, 5))
    if how == 0:
        schema["pattern"] = draw(st.sampled_from(PATTERNS))
        schema.pop("minLength", None)
        schema.pop("maxLength", None)
    elif how == 1:
        schema = {"type": "string", "format": draw(st.sampled_from(["email", "uri", "date", "uuid", "ipv4"]))}
    elif how == 2 and draw(st.booleans()):
        schema["contentMediaType"] = "text/plain"
    return schema


def listed(values):
    return st.lists(values, min_size=1, max_size=6, unique=True)


@st.composite
def choices(draw):
    values = draw(st.one_of(listed(st.sampled_from(WORDS)), listed(small), listed(st.sampled_from([0.5, 1.25, 1e3, 7]))))
    return draw(st.sampled_from([
        {"enum": values}, {"const": values[0]}, {"oneOf": [{"const": value, "title": f"The {value}"} for value in values]},
        {"anyOf": [{"const": value, "type": "string" if isinstance(value, str) else "number"} for value in values]},
    ]))


@st.composite
def lists(draw):
    words = draw(listed(st.sampled_from(WORDS)))
    schema = {"type": "array", "items": {"type": "string", "enum": words}}
    if draw(st.booleans()):
        schema["uniqueItems"] = True
    least = draw(st.integers(0, len(words)))
    schema |= draw(some(minItems=st.just(least), maxItems=st.integers(least, 8)))
    return schema


plain = st.one_of(texts(), texts(), numbers(True), numbers(False), st.just({"type": "boolean"}), choices(), lists())


@st.composite
def properties(draw):
    schema = draw(plain)
    how = draw(st.integers(0, 7))
    if how == 0 and "type" in schema and isinstance(schema["type"], str):
        schema = schema | {"type": [schema["type"], "null"]}
    elif how == 1:
        schema = {"anyOf": [schema, {"type": "null"}]}
    elif how == 2:
        schema = {"allOf": [schema], "description": "What for?"}
    return schema


@st.composite
def conditions(draw, schema):
    """The same object, with some of its properties only under conditions."""
    properties, required = schema["properties"], schema["required"]
    for name in draw(st.lists(st.sampled_from(["kind", "flag"]), min_size=1, unique=True)):
        properties[name] = draw(st.one_of(st.just({"type": "boolean"}), listed(st.sampled_from(WORDS)).map(lambda words: {"enum": words}), choices()))
        required += [name] if draw(st.integers(0, 2)) else []
    deciding = [name for name, part in properties.items() if constants(part)]
    rest = [name for name in properties if name not in deciding[:1] and name not in required]
    parts = []
    for name in draw(st.lists(st.sampled_from(rest), min_size=1, max_size=3, unique=True)) if deciding and rest else []:
        deciders = draw(st.lists(st.sampled_from([one for one in deciding if one != name] or deciding[:1]), min_size=1, max_size=2, unique=True))
        test, needed = {}, []
        for decider in deciders:
            values = draw(st.lists(st.sampled_from(constants(properties.get(decider) or {}) or ["none"]), min_size=1, max_size=2))
            test[decider] = {"const": values[0]} if len(values) == 1 and draw(st.booleans()) else {"enum": values}
            # Mostly as it must be, sometimes not.
            absent_is_false = properties.get(decider) == {"type": "boolean"} and False in values
            if (decider not in required and not absent_is_false) != (draw(st.integers(0, 19)) == 13):
                needed.append(decider)
        part = {"if": {"properties": test} | ({"required": needed} if needed or draw(st.booleans()) else {})}
        how = draw(st.sampled_from(["required", "exact", "exact", "optional", "defined"]))
        if how in ("required", "exact"):
            part["then"] = {"required": [name]}
        if how in ("exact", "optional"):
            part["else"] = {"properties": {name: False}}
        if how == "defined":
            part["then"] = {"properties": {name: properties.pop(name)}} | draw(st.sampled_from([{}, {"required": [name]}]))
            if "additionalProperties" in schema:
                del schema["additionalProperties"]
                schema["unevaluatedProperties"] = False
        parts.append(part)
    if not parts:
        return schema
    if len(parts) == 1 and draw(st.booleans()):
        return schema | parts[0]
    return schema | {"allOf": parts}


def constants(part):
    """The values of a property that a condition can name."""
    if part == {"type": "boolean"}:
        return [True, False]
    if "const" in part:
        return [part["const"]]
    return [one for one in part.get("enum", []) if one is not None] if "items" not in part else []


def all_properties(schema):
    """Those of the object and of what its conditions define."""
    parts = [part.get("then", {}).get("properties", {}) for part in [schema, *schema.get("allOf", [])]]
    return schema["properties"] | {name: one for part in parts for name, one in part.items()}


@st.composite
def objects(draw):
    names = draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5, unique=True))
    schema = {"type": "object", "properties": {name: draw(properties()) for name in names}}
    schema["required"] = draw(st.lists(st.sampled_from(names), unique=True))
    if draw(st.booleans()):
        schema["additionalProperties"] = False
    how = draw(st.integers(0, 4))
    if how < 2:
        schema = draw(conditions(schema))
    elif how == 2:
        # What pydantic does with a type that has a name.
        schema["$defs"] = {"Named": schema["properties"][names[0]]}
        schema["properties"][names[0]] = {"$ref": "#/$defs/Named"}
    return schema


LOOKALIKES = [
    "", " ", "a", "0", "1", "1.0", "-0", "01", "1e3", "0x10", "a..b@c.de", ".a@b.cd", "a@b", "ada@example.com", "a@b-.de", "a@xn--a.de",
    "ada@bücher.de", "http://a.b/c d", "http://a.b/[x]", "https://example.com/ä", "https://example.com/a?b=c#d", "http://[::1]:80/",
    "mailto:a@b.de", "2024-02-29", "2023-02-29", "0000-01-01", "123e4567-e89b-12d3-a456-426614174000",
    "urn:uuid:123e4567-e89b-12d3-a456-426614174000", "192.0.2.1", "192.0.2.01", "256.1.1.1", "true", "null", "a\nb", "a\r\nb", "a\u2028b",
    "word", " word ", "\u00a0", "é", "e\u0301", "x" * 300, "A1", "az", "aq1", "-", "-a", "$5.00", "AB-12",
]
ODD = [
    0, 1, -1, 0.5, 1.5, 1e16, 1e30, 0.1, 0.3, 19.99, 2**53 + 1, -(2**53) - 1, 2**63, 10**30, 50, -50, 9.999999999999999e22, True,
    False, None, [], ["a"], ["a", "a"], ["red", "a"], ["nothing"],
]


def altered(value, chance):
    """The object with one of its values changed, left out or added."""
    value = dict(value)
    if not value or chance.random() < 0.5:
        return value
    name = chance.choice(list(value))
    how = chance.random()
    if how < 0.15:
        del value[name]
    elif how < 0.6 and isinstance(value[name], str) or how < 0.3:
        value[name] = chance.choice(LOOKALIKES)
    elif how < 0.7 and isinstance(value[name], (int, float)) and not isinstance(value[name], bool):
        value[name] += chance.choice([1, -1, 0.5, 1e-9, 2**-40])
    else:
        value[name] = chance.choice(ODD)
    return value


def typable(value):
    """The same without what no field takes: control characters, and numbers with an exponent beyond 308."""
    if isinstance(value, str):
        return "".join("x" if ord(c) < 32 and c not in "\t\n" else c for c in value)
    if isinstance(value, list):
        return [typable(one) for one in value]
    return 0 if isinstance(value, float) and 0 < abs(value) < 1e-300 else value


def is_finite(value):
    return all(math.isfinite(one) for one in value.values() if isinstance(one, float))


def random_pairs(count, per_schema, number):
    """So many schemas, each with values."""
    chance = random.Random(number)
    found = []

    @seed(number)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.data())
    def make(data):
        schema = data.draw(objects())
        named = schema.get("$defs", {}).get("Named")
        shapes = {
            name: from_schema(named if "$ref" in part else part, codec="utf-8") for name, part in all_properties(schema).items()
        }
        if any(shapes[name].is_empty for name in schema["required"]):
            return  # nothing is valid
        shape = st.fixed_dictionaries(
            {name: shapes[name] for name in schema["required"]},
            optional={name: shapes[name] for name in shapes if name not in schema["required"] and not shapes[name].is_empty},
        )
        values = data.draw(st.lists(shape, min_size=4, max_size=max(4, per_schema // 4)))
        values = [{name: typable(one) for name, one in value.items()} for value in values]
        # More of them, by taking each property from another one.
        while len(values) < per_schema:
            one, other = chance.choice(values), chance.choice(values)
            values.append({name: chance.choice([one, other]).get(name, one.get(name)) for name in one})
        values = [altered(value, chance) for value in values]
        found.append((schema, [value for value in values if is_finite(value)]))

    try:
        make()
    except Exception as error:  # noqa: BLE001 a schema that hypothesis can make no value of ends its run
        print(f"hypothesis stopped: {error!r}"[:300], file=sys.stderr)
    return found


def valid(schema):
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def has_condition(schema):
    return any("if" in part for part in [schema, *schema.get("allOf", [])])


def loose(schema):
    """What a condition asks for and the caller's schema takes at any time. It is dropped if the condition is not met."""
    found = set()
    for part in [schema, *schema.get("allOf", [])]:
        then = part.get("then", {})
        found |= {*then.get("required", []), *then.get("properties", {})} - set(part.get("else", {}).get("properties", {}))
    return found


def has_stray(schema, value):
    """Whether a property that only a `then` defines, and that may be anything otherwise, has a value that it never has."""
    defined = {name: part for name, part in all_properties(schema).items() if name not in schema["properties"]}
    return any(name in value and not valid(part).is_valid(value[name]) for name, part in defined.items())


Tally = collections.Counter


def said(path, pairs):
    """What the server's code says of each schema and its values."""
    lines = "".join(json.dumps({"schema": schema, "values": values}) + "\n" for schema, values in pairs)
    done = subprocess.run([path], input=lines, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def judge(path, pairs, tally, wrong):
    for (schema, values), ours in zip(pairs, said(path, pairs), strict=True):
        tally["schemas"] += 1
        tally["schemas with conditions"] += has_condition(schema)
        if "refused" in ours:
            tally["schemas refused"] += 1
            tally["schemas with conditions refused"] += has_condition(schema)
            wrong["refusals"].append((schema, ours["refused"]))
            continue
        if not ours["kept"]:
            wrong["not kept"].append(schema)
        theirs, again = valid(schema), valid(ours["schema"])
        for value, answer in zip(values, ours["answers"], strict=True):
            tally["values"] += 1
            takes = theirs.is_valid(value)
            tally["values that the validator takes"] += takes
            if answer is not None:
                tally["answers"] += 1
                if not theirs.is_valid(answer):
                    wrong["answers refused"].append((schema, value, answer))
                if not again.is_valid(answer):
                    wrong["answers refused by our schema"].append((schema, value, answer))
            elif takes and any(isinstance(each, list) and len(each) > len(set(map(str, each))) for each in value.values()):
                # Nobody can choose an option twice.
                tally["values with an option twice"] += 1
            elif takes and has_stray(schema, value):
                tally["values with what is asked for only under a condition"] += 1
            elif takes:
                tally["values refused"] += 1
                wrong["values refused"].append((schema, value))
            if takes:
                tally["values that our schema takes"] += again.is_valid(value)
                if loose(schema).intersection(value) - set(value if answer is None else answer):
                    tally["values with what is asked for only under a condition"] += 1
                elif answer is not None and not again.is_valid(value):
                    wrong["round trip stricter"].append((schema, value, answer))
            elif again.is_valid(value):
                wrong["round trip laxer"].append((schema, value))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--judge", default=".build/debug/VerdictJudge")
    arguments.add_argument("--schemas", type=int, default=1000)
    arguments.add_argument("--values", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=0)
    options = arguments.parse_args()
    tally, wrong = Tally(), collections.defaultdict(list)
    for start in range(0, options.schemas, 500):
        count = min(500, options.schemas - start)
        judge(options.judge, random_pairs(count, options.values, options.seed * 1_000_003 + start), tally, wrong)
        print(f"{tally['values']:,} values, {len(wrong['answers refused'])} answers refused", file=sys.stderr, flush=True)
    for name, count in tally.items():
        print(f"{count:>10,} {name}")
    for name, cases in wrong.items():
        print(f"{len(cases):>10,} {name}")
        one_each = {json.dumps(case[0] if isinstance(case, tuple) else case): case for case in cases}
        for case in list(one_each.values())[: options.show]:
            print("          ", *(json.dumps(part, ensure_ascii=False)[:400] for part in (case if isinstance(case, tuple) else (case,))))
    refused = tally["values refused"] > 0.01 * tally["values that the validator takes"]
    sys.exit(refused or any(cases for name, cases in wrong.items() if name not in ("values refused", "refusals")))


if __name__ == "__main__":
    main()
