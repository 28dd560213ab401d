"""The JSON Schema of prompt definitions says what the reader says.

`cases.json` is read twice: here by the schema, in DefinitionsTests by the reader. A case with
"schema": "cannot say it" is only refused by the reader.
"""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import referencing
import yaml

from Schema.validators import verdicts
from Support.nested import SCHEMA as SCHEMA_OF_ORDER
from Support.server import Server

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "Examples"
SCHEMA = json.loads((HERE.parent.parent / "Public/prompt.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CASES = json.loads((HERE / "cases.json").read_text("utf-8"))["cases"]


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2 as definitions are read: dates, `yes` and `off` are texts."""

    yaml_implicit_resolvers = {}


for tag, pattern, first in [
    ("null", r"null|~|", ["n", "~", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"[-+]?[0-9]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
]:
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), first)


def test_the_schema_of_definitions_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_of_definitions_explains_every_key():
    """An editor shows these sentences while one types."""
    field = SCHEMA["$defs"]["field"]["properties"]
    rule = SCHEMA["$defs"]["rule"]["else"]["else"]["properties"]
    button = SCHEMA["$defs"]["buttons"]["items"]["properties"]
    for properties in (SCHEMA["properties"], field, rule, button):
        for key, schema in properties.items():
            described = "description" in schema or "description" in SCHEMA["$defs"].get(schema.get("$ref", "")[8:], {})
            assert described, key


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_the_schema_of_definitions_accepts_the_example(path):
    VALIDATOR.validate(yaml.load(path.read_text("utf-8"), CoreLoader))


@pytest.mark.parametrize("text, isValid", [
    *((path.read_text("utf-8"), True) for path in sorted((HERE.parent / "Browser/Prompts").glob("trip.*.yaml"))),
    ("title: A\nok: null\nfields: {a: {label: A, options: {s: S}, messages: [A, [B, null]], when: [C], section: D}}", True),
    ("buttons: {later: Später}", True), ("title: [a]", False), ("titel: A", False), ("okWhenInvalid: disabled", False),
    ("fields: {email: {kind: text}}", False), ("fields: [email]", False),
])
def test_translation_files_have_a_schema_too(text, isValid):
    """The reader says the same of them in `TranslationTests.swift`."""
    name = "prompt.schema.json"
    registry = referencing.Registry().with_resource(name, referencing.Resource.from_contents(SCHEMA))
    schema = json.loads((HERE.parent.parent / "Public/translation.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, registry=registry)
    assert validator.is_valid(yaml.load(text, CoreLoader)) == isValid


def test_the_schema_of_definitions_says_what_the_reader_says():
    """In every validator."""
    (said,) = verdicts([(SCHEMA, [case["definition"] for case in CASES])])
    for validator, answers in said.items():
        for isValid, case in zip(answers, CASES, strict=True):
            assert isValid == (case["valid"] or "schema" in case), (validator, case["about"])


def test_the_api_document_says_the_same():
    """Its copy uses the keywords from which generators of requests can work."""
    components = json.loads((HERE.parent.parent / "Public/openapi.json").read_text("utf-8"))["components"]
    copy = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/Definition", "components": components})
    for case in CASES:
        assert copy.is_valid(case["definition"]) == VALIDATOR.is_valid(case["definition"]), case["about"]
    assert without_keywords_of_its_own(components["schemas"]["Definition"]) == without_keywords_of_its_own(SCHEMA)


def test_the_api_document_describes_the_rules_of_nested_prompts(tmp_path):
    components = json.loads((HERE.parent.parent / "Public/openapi.json").read_text("utf-8"))["components"]
    kept = {"type": "object", "properties": {"x": {"type": "string"}}}
    nested = SCHEMA_OF_ORDER | {"properties": SCHEMA_OF_ORDER["properties"] | {"kept": kept}, "required": ["kept"]}
    (tmp_path / "order.schema.json").write_text(json.dumps(nested), "utf-8")
    with Server(tmp_path, "--log-level", "error") as server:
        rules = json.loads(server.request("GET", "/prompts/order/rules")[1])
    assert rules["objects"] == ["/kept"] and {"at", "valueType", "omitEmpty"} <= set(rules["fields"][-1])
    jsonschema.Draft202012Validator({"$ref": "#/components/schemas/Rules", "components": components}).validate(rules)


def without_keywords_of_its_own(schema):
    """A schema without what the copy writes in other keywords, such as patterns; the cases hold those together."""
    if isinstance(schema, list):
        return [without_keywords_of_its_own(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {
        key: value for key, value in schema.items()
        if not (key == "pattern" and isinstance(value, str)) and (key, value) != ("not", {"pattern": "\\n"})}
    if schema.get("if") == {"required": ["buttons"]}:
        del schema["if"]
        schema["dependentSchemas"] = {"buttons": schema.pop("then")}
    if len(schema.get("allOf", [])) == 1:
        schema |= schema.pop("allOf")[0]
    if isinstance(reference := schema.get("$ref"), str):
        schema["$ref"] = reference.replace("#/components/schemas/Definition/", "#/")
        if schema["$ref"] in ("#/$defs/scalar", "#/$defs/lines"):
            del schema["$ref"]
            schema["type"] = ["string", "number", "boolean"] if reference.endswith("scalar") else "string"
    schema.get("$defs", {}).pop("lines", None)
    return {key: without_keywords_of_its_own(value) for key, value in schema.items()}
