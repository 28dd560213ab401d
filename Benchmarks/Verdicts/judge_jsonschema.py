"""jsonschema-rs; JSON read by orjson, the quickest reader that Python has."""

import jsonschema_rs
import orjson

from form import EMAIL, INVALID, VALID, measure

judge = jsonschema_rs.validator_for({
    "type": "object",
    "properties": {
        "email": {"type": "string", "minLength": 1, "pattern": EMAIL},
        "quantity": {"type": "integer", "minimum": 1, "maximum": 100},
        "name": {"type": "string", "minLength": 1, "maxLength": 60},
    },
    "required": ["email", "quantity", "name"],
    "additionalProperties": False,
})


def verdict(values) -> list | None:
    """None, or each field's fault."""
    if judge.is_valid(values):
        return None
    return [error.message for error in judge.iter_errors(values)]


assert verdict(orjson.loads(VALID)) is None and len(verdict(orjson.loads(INVALID))) >= 3
for name, text in (("valid", VALID), ("invalid", INVALID)):
    values = orjson.loads(text)
    measure(f"{name}, parsed", lambda: verdict(values))
    measure(f"{name}, from text", lambda: verdict(orjson.loads(text)))
