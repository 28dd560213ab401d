"""pydantic-core by itself: no model class, the schema that a TypedDict would have."""

import json

from form import EMAIL, INVALID, VALID, measure
from pydantic_core import SchemaValidator, ValidationError, core_schema as schema

judge = SchemaValidator(
    schema.typed_dict_schema({
        "email": schema.typed_dict_field(schema.str_schema(pattern=EMAIL, min_length=1)),
        "quantity": schema.typed_dict_field(schema.int_schema(ge=1, le=100)),
        "name": schema.typed_dict_field(schema.str_schema(min_length=1, max_length=60)),
    }, extra_behavior="forbid"))


def verdict(check, values) -> list | None:
    """None, or each field's fault."""
    try:
        check(values)
    except ValidationError as error:
        return error.errors(include_url=False, include_context=False, include_input=False)
    return None


assert verdict(judge.validate_json, VALID) is None and len(verdict(judge.validate_json, INVALID)) == 3
for name, text in (("valid", VALID), ("invalid", INVALID)):
    values = json.loads(text)
    measure(f"{name}, parsed", lambda: verdict(judge.validate_python, values))
    measure(f"{name}, from text", lambda: verdict(judge.validate_json, text))
