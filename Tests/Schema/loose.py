"""Schemas that say the same in roundabout ways, or do not say of which type a property is.

`loosened` changes some properties of an object's schema. Beside it stands what we narrow it to: the same with the types that
a dialog asks for, so that a value that only the first takes is known to be of another type.
"""

KEYWORDS = {"string": {"minLength", "maxLength", "pattern", "format"}, "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}}
# What says nothing of other types.
WITHOUT_EFFECT = {
    "string": [{"minimum": 5}, {"maxItems": 0}, {"required": ["z"]}, {"multipleOf": 7}],
    "number": [{"minLength": 3}, {"pattern": "^z"}, {"uniqueItems": True}, {"maxProperties": 0}],
    "array": [{"maximum": 2}, {"format": "date"}, {"properties": {"z": False}}],
    "boolean": [{"minLength": 9}, {"maximum": 0}],
}
EXCLUDED = {
    "string": [{"type": "integer"}, {"const": "a"}, {"enum": ["red", 1, ""]}, {"pattern": "^[aA]"}, {"maxLength": 2}, {"minLength": 3, "pattern": "z"}, {"minimum": 2}, {"type": "string", "pattern": "[0-9]"}, {"anyOf": [{"type": "number"}, {"type": "null"}]}],
    "number": [{"type": "string"}, {"const": 7}, {"enum": [1, 2.0, "1", 3]}, {"minLength": 1}, {"type": ["null", "array"]}, {"type": "integer"}],
    "array": [{"type": "object"}, {"const": "a"}],
    "boolean": [{"const": True}, {"type": "null"}],
}


def loosened(schema, chance):
    """The schema changed, and what it is narrowed to."""
    properties = {name: changed(part, chance) for name, part in schema["properties"].items()}
    return tuple(schema | {"properties": {name: both[index] for name, both in properties.items()}} for index in (0, 1))


def changed(part, chance):
    kind = "number" if part.get("type") == "integer" else part.get("type")
    if str(kind) not in EXCLUDED:
        return part, part
    whole = part
    for _ in range(chance.randint(0, 2)):
        whole = chance.choice([add, exclude, choose, wrap])(whole, kind, chance)
    bare = {key: value for key, value in whole.items() if key != "type"}
    if chance.random() < 0.5 and (first := next((key for key in bare if key in set().union(*KEYWORDS.values())), None)) and first in KEYWORDS.get(kind, ()):
        return bare, bare | {"type": kind}
    if kind == "array" and "items" in whole:
        items = whole["items"]
        loose = chance.choice([whole, {key: value for key, value in whole.items() if key != "type"}, whole | {"items": {key: value for key, value in items.items() if key != "type"}}])
        return loose, whole
    return whole, whole


def add(part, kind, chance):
    return part | {key: value for key, value in chance.choice(WITHOUT_EFFECT[kind]).items() if key not in part}


def exclude(part, kind, chance):
    return part | {"not": chance.choice(EXCLUDED[kind])} if "not" not in part else part


def choose(part, kind, chance):
    """Other rules as alternatives, some of which say nothing of this type."""
    if "anyOf" in part or "oneOf" in part or kind == "array":
        return part
    rules = [{"minLength": 2}, {"pattern": "^[a-z]"}, {"maximum": 3}, {"minimum": 2}, {"type": kind}, {"const": "a"}, {"const": 1}, False, {"type": "null"}, {"type": "array"}, {"not": {"type": "number"}}]
    return part | {chance.choice(["anyOf", "anyOf", "oneOf"]): chance.sample(rules, chance.randint(1, 3))}


def wrap(part, kind, chance):
    return chance.choice([
        {"allOf": [part, True]}, {"anyOf": [part, False]}, {"oneOf": [False, part]}, {"anyOf": [part, {"type": "null"}]}, {"oneOf": [part, {"type": "null"}]},
        {"anyOf": [part, {"minLength": 2}]}, {"oneOf": [part, {"type": "boolean"}]}, {"allOf": [part, {"not": {"type": "null"}}]},
    ]) | {"type": part["type"]} if "type" in part else part
