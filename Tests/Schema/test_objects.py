"""Objects in objects and values of one kind or another: what is answered is valid by the schema.

The parts are those of `pairs.py`, put into objects and unions.
"""

import collections
import os
import random
import unicodedata

import jsonschema_rs
from Schema import pairs
from Schema.loose import loosened
from Schema.test_schema_in import JUDGE, ours


def inside(schema, values, chance):
    """Two of the objects, one in the other and beside it."""
    part = {key: value for key, value in schema.items() if key not in ("$schema", "title", "$defs")}
    outer = {
        "type": "object", "properties": {"in-side": part, "a": {"type": "string"}, "deep": {"type": "object", "properties": {"er": part}, "required": ["er"]}},
        "required": chance.sample(["in-side", "a", "deep"], chance.randint(0, 3))}
    if "$defs" in schema:
        outer["$defs"] = schema["$defs"]
    if chance.random() < 0.5:
        outer["additionalProperties"] = False
    if chance.random() < 0.3:
        outer["properties"]["in-side"] = {"anyOf": [part, {"type": "null"}]}

    def value():
        whole = {"in-side": chance.choice(values), "a": chance.choice(["x", "", 1]), "deep": {"er": chance.choice(values)}}
        for name in list(whole):
            if chance.random() < 0.15:
                del whole[name]
            elif name != "a" and chance.random() < 0.1:
                whole[name] = chance.choice([None, {}])
        return whole

    return outer, [value() for _ in values]


def apart(one, other, chance):
    """Two of the objects, of which a constant tells which is meant."""
    variants = []
    for kind, (schema, _) in zip(("x", "y"), (one, other), strict=True):
        variant = {key: value for key, value in schema.items() if key in ("type", "properties", "required", "additionalProperties")}
        tag = {"const": kind} if chance.random() < 0.7 else {"enum": [kind, kind * 2], "type": "string"}
        variants.append(variant | {
            "properties": variant["properties"] | {"tag": tag}, "required": variant.get("required", []) + ["tag"] * (chance.random() < 0.9)})
    defs = one[0].get("$defs", {}) | other[0].get("$defs", {})
    schema = {chance.choice(["oneOf", "anyOf"]): variants}
    values = [value | {"tag": chance.choice(["x", "y", "xx", "z"])} for value in chance.sample(one[1] + other[1], 30) if isinstance(value, dict)]
    if chance.random() < 0.5:
        return {"type": "object", "$defs": defs} | schema, values
    if chance.random() < 0.4:
        schema, values = {"anyOf": [schema, {"type": "null"}]}, [*values, None]
    return {"type": "object", "$defs": defs, "properties": {"u": schema}, "required": ["u"] * chance.randint(0, 1)}, [{"u": value} for value in values]


def union(one, other, chance):
    """A property that may be as in one object or in the other."""
    parts = [chance.choice(list(schema["properties"].values())) for schema, _ in (one, other)]
    either = {chance.choice(["anyOf", "oneOf"]): parts}
    how = chance.randint(0, 5)
    if how == 0:
        either = {"anyOf": [either, {"type": "null"}]}
    elif how == 1:
        either |= {"enum": ["a", "1", 1, True, "ada@example.com"]}
    elif how == 2:
        either |= {"minLength": 2, "maximum": 5}
    elif how == 3:
        either = {"anyOf": [either | {"maxLength": 3}, {"type": "boolean"}]}
    schema = {"type": "object", "properties": {"u": either}, "required": ["u"] * chance.randint(0, 1)}
    if "$ref" in str(parts):
        return None
    found = [value for _, values in (one, other) for each in values if isinstance(each, dict) for value in each.values()]
    found += ["1", "true", 1, "a", "1.5", -2, False, "ada@example.com", "2024-02-29", None]
    return schema, [{"u": value} for value in chance.sample(found, min(len(found), 30))]


DIALECTS = {"http://json-schema.org/draft-07/schema#": jsonschema_rs.Draft7Validator, "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator}


def of_kinds(count, seed):
    """Schemas of some kinds with values, and for some what they are narrowed to."""
    chance = random.Random(seed)
    flat = list(pairs.random_pairs(count, 30, seed))
    for one, other in zip(flat, flat[1:] + flat[:1]):
        loose, narrow = loosened(one[0], chance)
        yield "loose", loose, narrow, one[1]
        yield "nested", *inside(chance.choice([one[0], loose]), one[1], chance)
        for kind, each in (("objects", apart(one, other, chance)), ("plain", union(one, other, chance))):
            if each:
                yield kind, *each


def made(count, seed):
    for number, (kind, schema, *narrow, values) in enumerate(of_kinds(count, seed)):
        dialect = list(DIALECTS)[number % 2]
        yield kind, dialect, schema | {"$schema": dialect}, narrow[0] if narrow else schema, values


def test_no_answer_is_invalid_by_a_schema_of_objects_and_unions():
    """OKCANCEL_SCHEMAS says of how many objects they are made: of each one, some four schemas."""
    tally, wrong = collections.Counter(), []
    count = int(os.environ.get("OKCANCEL_SCHEMAS", "80"))
    for start in range(0, count, 500):
        questions = list(made(min(500, count - start), 20_261_126 + start))
        answers = pairs.said(JUDGE, [(schema, values) for _, _, schema, _, values in questions])
        for (kind, dialect, schema, narrow, values), said in zip(questions, answers, strict=True):
            judge(kind, DIALECTS[dialect], schema, narrow, values, said, tally, wrong)
    print(dict(tally))
    assert not wrong, (len(wrong), wrong[:3])
    # Objects share names of properties, which mean something else in each.
    assert tally["objects schemas refused"] < 0.25 * tally["objects"], tally
    for kind in ("loose", "nested", "objects", "plain"):
        assert tally[f"{kind} schemas refused"] < 0.8 * tally[kind] and tally[f"{kind} answers"] > tally[kind], tally
    # What is left is a number or a text, which is asked for as a number, and properties that only another object names.
    assert sum(tally[f"{kind} refused"] for kind in ("loose", "nested", "objects", "plain")) < 0.02 * sum(
        tally[f"{kind} taken by the validator"] for kind in ("loose", "nested", "objects", "plain")), tally


def never(value):
    """Whether the page names a reason why nobody enters this: twice the same option, control characters, too many digits, an odd address."""
    if isinstance(value, dict):
        return any(map(never, value.values()))
    if isinstance(value, list):
        return len(set(map(str, value))) < len(value) or any(map(never, value))
    if isinstance(value, str):
        return bool({"@", ":"} & set(value)) or any(unicodedata.category(letter) == "Cc" for letter in value)
    return isinstance(value, (int, float)) and (abs(value) >= 1e15 or 0 < abs(value) < 1e-14)


def judge(kind, validator, schema, narrow, values, said, tally, wrong):
    tally[kind] += 1
    if "refused" in said:
        tally[f"{kind} schemas refused"] += 1
        return
    assert said["kept"], schema
    theirs, again, narrowed = validator(schema, validate_formats=True), pairs.valid(said["schema"]), pairs.valid(narrow)
    for value, answer in zip(values, said["answers"], strict=True):
        takes = theirs.is_valid(value)
        tally[f"{kind} taken by the validator"] += takes
        tally[f"{kind} of them answered"] += takes and answer is not None
        if answer is None:
            if takes:
                why = "of another type" if not narrowed.is_valid(value) else "under conditions" if "'if'" in str(schema) else "never entered" if never(value) else "refused"
                tally[f"{kind} {why}"] += 1
            continue
        tally[f"{kind} answers"] += 1
        if not theirs.is_valid(answer):
            wrong.append(("invalid", schema, value, answer))
        if not again.is_valid(answer):
            wrong.append(("refused by our schema", schema, value, answer, said["schema"]))


def test_faults_name_both_of_what_nothing_tells_apart():
    for union in ([{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"b": {"type": "string"}}}],
                  [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]):
        assert "refused" in ours({"type": "object", "properties": {"u": {"anyOf": union}}})
