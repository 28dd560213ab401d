"""`GET /prompts/{name}/schema` against the conformance corpus.

Every group of the corpus becomes a prompt of a real server. On every case the field's schema must
say what the verdict says; where some of its rules are listed under `x-okcancel` it must at least
never be stricter, nor pass over a failure of a rule that it does say.

Patterns are run by `regress`, an ECMAScript engine, since JSON Schema's patterns are ECMAScript's.
"""

import functools
import json
from pathlib import Path

import jsonschema
import pytest
import regress

from Support import corpus
from Support.command import run
from Support.server import Server

# Groups that are no definitions, with the reason: the corpus also judges what a file may not say.
NOT_DEFINITIONS = 60


compiled = functools.cache(lambda pattern: regress.Regex(pattern, "u"))


def ecmascript(validator, pattern, instance, schema):
    if isinstance(instance, str) and compiled(pattern).find(instance) is None:
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": ecmascript})


def groups():
    for file, number, group in corpus.groups():
        yield f"{file.stem.lower()}-{number}", group


def definition(group):
    """A definition of the group's fields; the lists behind choices are in their implied rule."""
    fields = []
    for field in group["fields"]:
        field = dict(field)
        if field["kind"] in ("choice", "choices"):
            rule = next((rule for rule in field["rules"] if rule["rule"] == "oneOf"), None)
            field["options"] = rule["values"] if rule else []
        fields.append(field)
    return {"title": "Corpus", "fields": fields}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory):
    """The schemas of all groups that are definitions, from a real server."""
    folder = tmp_path_factory.mktemp("prompts")
    names = []
    for name, group in groups():
        names.append(name)
        (folder / f"{name}.json").write_text(json.dumps(definition(group)), "utf-8")
    check = run("check", *folder.iterdir())
    assert check.returncode in (0, 65), check.stderr
    for path in {line.split(":")[0] for line in check.stdout.splitlines()}:
        names.remove(Path(path).stem)
        Path(path).unlink()
    with Server(folder, "--log-level", "error", "--predicate", "not-registered=/bin/false") as server:
        return {name: json.loads(server.request("GET", f"/prompts/{name}/schema")[1]) for name in names}


def test_most_groups_are_definitions(schemas):
    assert len(list(groups())) - len(schemas) <= NOT_DEFINITIONS


def test_are_schemas(schemas):
    for schema in schemas.values():
        # Patterns are ECMAScript, which `re` reads otherwise; `regress` compiles them below.
        jsonschema.Draft202012Validator.check_schema(schema, format_checker=jsonschema.FormatChecker(formats=[]))


def names_of(rules):
    """Every rule's name, those inside other rules included."""
    return {name for rule in rules for name in {rule["rule"]} | names_of(rule.get("rules", []))}


def test_say_what_the_verdict_says(schemas):
    judged = exact = 0
    for name, group in groups():
        if name not in schemas:
            continue
        judged_field = group.get("field", group["fields"][0]["name"])
        schema = schemas[name]["properties"][judged_field]
        unsaid = schemas[name].get("x-okcancel", {}).get(judged_field)
        validator = Validator(schema)
        for case in group["cases"]:
            value = case["text"] if "text" in case else case["values"].get(judged_field)
            if value is None:
                continue
            value = corpus.expanded(value)
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                continue  # half a surrogate pair, which validators in Rust cannot hold
            says = validator.is_valid(value)
            where = f"{name}: {str(value)[:80]!r} of {json.dumps(group['fields'])[:300]}"
            judged += 1
            if unsaid is None:
                exact += 1
                assert says == case["valid"], where
            elif case["valid"]:
                assert says, f"stricter: {where}"
            elif case["rule"] not in names_of(unsaid["rules"]) and not unsaid.get("trim"):
                assert not says, f"laxer: {where}"
    assert judged > 4000
    assert exact > 2000


def test_required_is_what_cannot_be_left_out(schemas):
    for name, group in groups():
        if name not in schemas or len(group["fields"]) > 1:
            continue
        field = group["fields"][0]["name"]
        empty = next((case for case in group["cases"] if case.get("text") == "" or case.get("values") == {}), None)
        if field in schemas[name]["required"] and empty:
            assert not empty["valid"], name
