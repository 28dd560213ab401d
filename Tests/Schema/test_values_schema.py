"""`GET /prompts/{name}/schema` against the conformance corpus.

Every group of the corpus becomes a prompt of a real server. On every case the field's schema must
say what the verdict says; where some of its rules are listed under `x-okcancel` it must at least
never be stricter, nor pass over a failure of a rule that it does say. The same holds of numbers, true
and false, and null in the place of their texts, and the values of every answer meet the schema.

Every validator of `validators.py` must load every schema and say the same.
"""

import json
import random
import re
from pathlib import Path

import jsonschema
import pytest
from Schema.validators import ECMAScript as Validator
from Schema.validators import verdicts
from Support import corpus
from Support.client import JSON
from Support.command import run
from Support.server import Server

# Groups that are no definitions, with the reason: the corpus also judges what a file may not say.
NOT_DEFINITIONS = 60


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
        if "when" in field:
            field["when"] = [{**condition, "message": "Only then"} for condition in field["when"]]
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


def test_the_schemas_of_values_are_schemas(schemas):
    for schema in schemas.values():
        # Patterns are ECMAScript, which `re` reads otherwise; `regress` compiles them below.
        jsonschema.Draft202012Validator.check_schema(schema, format_checker=jsonschema.FormatChecker(formats=[]))


def names_of(rules):
    """Every rule's name, those inside other rules included."""
    return {name for rule in rules for name in {rule["rule"]} | names_of(rule.get("rules", []))}


def is_too_long(case, field):
    """Whether the rule `text` refuses how many bytes there are."""
    texts = json.dumps(corpus.expanded(list((case.get("values") or {field: case["text"]}).values())), ensure_ascii=False)
    return case.get("rule") == "text" and len(texts.encode("utf-8", "surrogatepass")) > 16_384


def test_the_schemas_of_values_say_what_the_verdict_says(schemas):
    judged = exact = 0
    questions, cases = [], []
    for name, group in groups():
        if name not in schemas:
            continue
        field = group.get("field", group["fields"][0]["name"])
        for case in group["cases"]:
            value = case["text"] if "text" in case else case["values"].get(field)
            if value is None or "applies" in case:
                continue
            value = corpus.expanded(value)
            if isinstance(value, str) and any(each.get("kind") == "list" and each["name"] == field for each in group.get("fields", [])):
                # As text it is lines, of which JSON Schema says nothing.
                value = [line for line in value.split("\n") if line.strip()]
            if is_too_long(case, field):
                continue  # JSON Schema counts no bytes
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                continue  # half a surrogate pair, which validators in Rust cannot hold
            cases.append((name, group, field, case, value))
    for name in schemas:
        own = [case for case in cases if case[0] == name]
        if own:
            questions.append((schemas[name]["properties"][own[0][2]], [case[4] for case in own], own))
    for said, (_, _, own) in zip(verdicts([question[:2] for question in questions]), questions, strict=True):
        for validator, answers in said.items():
            for says, (name, group, field, case, value) in zip(answers, own, strict=True):
                unsaid = schemas[name].get("x-okcancel", {}).get(field, {"rules": []})["rules"]
                where = f"{validator}, {name}: {str(value)[:80]!r} of {json.dumps(group['fields'])[:300]}"
                judged += 1
                if not unsaid:
                    exact += 1
                    assert says == case["valid"], where
                elif case["valid"]:
                    assert says, f"stricter: {where}"
                elif case["rule"] not in names_of(unsaid):
                    assert not says, f"laxer: {where}"
    assert judged > 20_000
    assert exact > 13_000


EXAMPLES = Path(__file__).resolve().parents[2] / "Examples"
PROFILE = {"displayName": "Ada", "handle": "ada-l", "passphrase": "correct horse", "passphraseAgain": "correct horse"}
WINDOW = {"start": "2025-03-01T22:00", "end": "2025-03-02 04:00", "rack": "A1", "ticket": "OPS-1234"}
DEPLOY = {"regions": ["us-east"], "share": "15", "confirmation": "deploy"}
ORDER = {"name": "Ada", "kind": "company", "company": "ACME", "delivery": "collect", "branch": "Oslo"}
ANSWERS = {
    "delivery": [
        ORDER, ORDER | {"call": "true", "phone": "+49 30 123456"}, ORDER | {"call": False}, ORDER | {"call": True},
        {"name": "Ada", "kind": "person", "delivery": "ship", "address": "Here"}, ORDER | {"delivery": "ship"},
        {"name": "Ada", "kind": "company", "delivery": "ship", "address": "Here"}, {"name": "Ada", "kind": "person"},
    ],
    "deploy": [
        DEPLOY, DEPLOY | {"share": 15, "notify": True}, DEPLOY | {"regions": []}, DEPLOY | {"regions": ["mars"]},
        DEPLOY | {"share": "7"}, DEPLOY | {"share": 101}, DEPLOY | {"confirmation": "deploy\n"}, DEPLOY | {"notify": "yes"},
    ],
    "email": [
        {"email": "ada@example.com"}, {"email": "ada@localhost"}, {"email": "ada"}, {"email": "ada@example.com\n"}, {"email": ""},
    ],
    "feedback": [
        {"rating": "happy"}, {"rating": "happy", "comment": "Thank you.\r\nAda\n", "email": "a@b.c"}, {"rating": "so"},
        {"rating": "happy", "comment": "short"}, {"rating": "happy", "comment": "a vertical tab \v"}, {"rating": "happy", "email": "a"},
    ],
    "login": [
        {"user": " ada\n", "password": " secret "}, {"user": "\u3000", "password": "secret"}, {"user": "ada", "password": ""},
        {"user": "a\nb", "password": "secret"},
    ],
    "maintenance-window": [
        WINDOW, WINDOW | {"ticket": "none"}, WINDOW | {"ticket": "OPS-0"}, WINDOW | {"ticket": "none\n"}, WINDOW | {"rack": "C1"},
        WINDOW | {"start": "2025-02-29T22:00"}, WINDOW | {"start": "0000-01-01T00:00"}, WINDOW | {"end": "2025-01-01T00:00"},
    ],
    "profile": [
        PROFILE, PROFILE | {"displayName": "  Ada King  "}, PROFILE | {"displayName": " \t "}, PROFILE | {"displayName": "é" * 60},
        PROFILE | {"displayName": "a" * 61}, PROFILE | {"displayName": " " + "a b" * 20 + " "}, PROFILE | {"handle": "Ada"},
        PROFILE | {"handle": "root"}, PROFILE | {"handle": "ada\n"}, PROFILE | {"phone": "+49 30 123456"}, PROFILE | {"phone": "no"},
        PROFILE | {"dateOfBirth": "2000-02-29", "website": "https://example.com"}, PROFILE | {"dateOfBirth": "2001-02-29"},
        PROFILE | {"passphraseAgain": "another one, too"}, PROFILE | {"website": "example.com"},
    ],
    "quantity": [{"quantity": " 10 "}, {"quantity": 10}, {"quantity": "-1"}, {"quantity": "ten"}, {"quantity": "2147483647"}],
}


def test_the_examples_load_everywhere_and_keep_their_rules():
    """What the server takes, every validator takes; what it refuses they refuse, unless the rule is under `x-okcancel`."""
    assert sorted(ANSWERS) == sorted(path.stem for path in EXAMPLES.glob("*.yaml"))
    questions = []
    with Server(EXAMPLES, "--log-level", "error", "--predicate", "not-taken=/bin/true") as server:
        for name, answers in ANSWERS.items():
            schema = json.loads(server.request("GET", f"/prompts/{name}/schema")[1])
            said = {field: names_of(unsaid["rules"]) for field, unsaid in schema.get("x-okcancel", {}).items()}
            allowed = []
            for values in answers:
                status, body = server.request("POST", f"/prompts/{name}", json.dumps({"outcome": "ok", "values": values}), JSON)
                assert status in (200, 422), body
                errors = json.loads(body).get("errors", [])
                allowed.append(None if status == 200 else all(e["rule"] in said.get(e["field"], ()) for e in errors))
            questions.append((schema, answers, allowed))
    for said, (schema, answers, allowed) in zip(verdicts([question[:2] for question in questions]), questions, strict=True):
        for validator, valid in said.items():
            for isValid, values, may in zip(valid, answers, allowed, strict=True):
                where = f"{validator}, {schema['$id']}: {values}"
                assert isValid or may is not None, f"stricter: {where}"
                assert may is None or may or not isValid, f"laxer: {where}"


CONDITIONAL = [
    {"name": "kind", "kind": "choice", "options": ["a", "b", "c"]},
    {"name": "on", "kind": "boolean", "when": {"field": "kind", "oneOf": ["a", "b"]}},
    {"name": "many", "kind": "choices", "options": ["x", "y"], "when": {"field": "on", "oneOf": ["true"]}},
    {"name": "own", "rules": ["nonEmpty"], "when": [{"field": "many", "oneOf": ["x"]}, {"field": "kind", "oneOf": ["a"]}]},
    {"name": "off", "rules": ["nonEmpty"], "when": {"field": "on", "oneOf": ["false"]}},
    {"name": "free", "trim": True, "optional": True},
    {"name": "late", "rules": ["nonEmpty"],
     "when": {"field": "free", "not": {"oneOf": ["no", "never"]}, "message": "Unless it says no"}},
    {"name": "count", "kind": "integer", "optional": True},
    {"name": "unsaid", "rules": ["nonEmpty"], "when": {"field": "count", "range": {"min": 2}, "message": "Of two or more"}},
    {"name": "after", "optional": True, "when": {"field": "unsaid", "oneOf": ["x"]}},
]
PARTS = {
    "kind": ["a", "b", "c"], "on": ["true", True, False, None], "many": [["x"], ["y", "x"], ["y"], []], "own": ["o"], "off": ["o"],
    "free": ["", " no ", "yes", None], "late": ["l"],
}


def test_the_schemas_of_values_say_conditions(tmp_path):
    """Without what does not apply, the schema says what the verdict says; with it, it refuses, though the server drops it."""
    (tmp_path / "form.json").write_text(json.dumps({"title": "Form", "fields": CONDITIONAL}), "utf-8")
    chosen = random.Random(1)
    documents, expected = [], []
    with Server(tmp_path, "--log-level", "error") as server:
        schema = json.loads(server.request("GET", "/prompts/form/schema")[1])
        for _ in range(400):
            sent = {name: chosen.choice(values) for name, values in PARTS.items() if chosen.random() < 0.7}
            verdict = json.loads(server.request("POST", "/validate/form", json.dumps(sent), JSON)[1])
            assert verdict["fields"].keys() >= {"kind", "free", "count"}
            dropped = [name for name in sent if name not in verdict["fields"]]
            kept = {name: value for name, value in sent.items() if name not in dropped}
            documents += [kept, sent]
            expected += [verdict["isValid"], verdict["isValid"] and not dropped]
            status, body = server.request("POST", "/prompts/form", json.dumps({"outcome": "ok", "values": sent}), JSON)
            assert (status == 200) == verdict["isValid"]
            if status == 200:
                answer = json.loads(body)["values"]
                assert answer.keys() == verdict["fields"].keys()
                documents.append(answer)
                expected.append(True)
    assert min(expected.count(True), expected.count(False)) > 100
    assert {name: "when" in each for name, each in schema["x-okcancel"].items()} == {
        "free": False, "count": False, "unsaid": True, "after": True}
    for said in verdicts([(schema, documents)]):
        for validator, answers in said.items():
            for isValid, document, wanted in zip(answers, documents, expected, strict=True):
                assert isValid == wanted, (validator, document)


TRIMMED = [
    r"[a-z .]*", r".+@.+\..+", r"\s*a?\s*b", r"(?: a|b )?c?", r"a| b|", r"[^]{2,3}", r"( ?a ?){2}", r"\S.*", r"[^\d\s]+", r"Ä|\$",
    r"a?b?c? ?", r"(a|b c)*", r"[\u{1F600}-\u{1F64F}]+", r"[^\u{D7FF}]",
]
TEXTS = [
    "", " ", "a", " a", "a ", " a\u3000", "b", " b", "a b", "\u2028a@b.c ", "a @ b . c", "@.", " c", "b c", " b c", "b  c", "aa", " a a ",
    "a  a", "abc", "abcd", "\ta\tb\t", "\u00c4", "$\n", "b\n", "\r\nb", "a\nb", "x1", "7", "\ufeff\ufeff", "x\v", "x\vy", "\u200ba",
    "\U0001f600", " \U0001f600\U0001f600", "\ud7ff", "\x85",
]


def test_trimmed_texts_keep_their_patterns(tmp_path):
    fields = [
        {"name": f"f{number}", "trim": True, "optional": True, "rules": [{"length": {"max": 200}}, {"pattern": pattern}]}
        for number, pattern in enumerate(TRIMMED)
    ]
    (tmp_path / "form.json").write_text(json.dumps({"title": "Form", "fields": fields}), "utf-8")
    with Server(tmp_path, "--log-level", "error") as server:
        schema = json.loads(server.request("GET", "/prompts/form/schema")[1])
        expected = []
        for text in TEXTS:
            body = json.dumps({field["name"]: text for field in fields})
            verdict = json.loads(server.request("POST", "/validate/form", body, JSON)[1])
            expected.append([verdict["fields"][field["name"]]["isValid"] for field in fields])
    assert {name: unsaid["rules"] for name, unsaid in schema["x-okcancel"].items() if unsaid["rules"]} == {}
    questions = [(schema["properties"][field["name"]], TEXTS) for field in fields]
    for number, said in enumerate(verdicts(questions)):
        for validator, answers in said.items():
            for text, says, verdicts_of_server in zip(TEXTS, answers, expected, strict=True):
                assert says == verdicts_of_server[number], (validator, TRIMMED[number], text)


def literal(kind, text):
    """What stands for a text in JSON; the text itself where nothing else does."""
    if text == "":
        return None
    if kind == "boolean" and text in ("true", "false"):
        return text == "true"
    if kind in ("integer", "number", "slider") and NUMBER.fullmatch(text):
        return json.loads(text)
    return text


NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,6})?")


def test_the_schemas_of_values_say_it_of_literals_too(schemas):
    judged = {bool: 0, int: 0, float: 0, type(None): 0}
    for name, group in groups():
        if name not in schemas or len(group["fields"]) > 1:
            continue
        field = group["fields"][0]
        unsaid = schemas[name].get("x-okcancel", {}).get(field["name"])
        validator = Validator(schemas[name]["properties"][field["name"]])
        for case in group["cases"]:
            if not isinstance(case.get("text"), str):
                continue
            value = literal(field["kind"], case["text"])
            # A boolean's empty text is no text of it, while null is false.
            if isinstance(value, str) or value is None and field["kind"] == "boolean":
                continue
            where = f"{name}: {value!r} of {json.dumps(field)[:300]}"
            judged[type(value)] += 1
            if case["valid"]:
                assert validator.is_valid(value), f"stricter: {where}"
            # To JSON Schema 5.0 is an integer.
            elif unsaid is None and not (isinstance(value, float) and value.is_integer()):
                assert not validator.is_valid(value), f"laxer: {where}"
    assert all(count > 5 for count in judged.values()), judged


FIELDS = [
    {"name": "count", "kind": "integer", "trim": False, "rules": [{"range": {"min": 1, "max": 9}}]},
    {"name": "share", "kind": "number", "optional": True},
    {"name": "volume", "kind": "slider", "rules": [{"range": {"min": 0, "max": 10}}, {"step": 0.5}]},
    {"name": "agreed", "kind": "boolean", "rules": [{"oneOf": ["true"]}]},
    {"name": "news", "kind": "boolean"},
    {"name": "note", "optional": True, "rules": [{"length": {"min": 2}}]},
    {"name": "name", "rules": ["nonEmpty"]},
    {"name": "tags", "kind": "choices", "options": ["a", "b"], "optional": True},
]
NEEDED = {"count": "3", "volume": "2.5", "agreed": "true", "name": "Ada"}
TAKEN = [
    {}, {"share": "0.25", "note": "no", "tags": ["a"], "news": "true"}, {"count": 3, "volume": 10, "agreed": True},
    {"share": None, "note": None, "tags": None, "news": False}, {"share": -1.5}, {"share": "9007199254740993"},
]
REFUSED = [{"count": 10}, {"count": "x"}, {"agreed": False}, {"volume": 10.5}, {"name": None}, {"count": None}]


def test_answers_meet_the_schema(tmp_path):
    """A program may check what it sends and what it gets with the same schema."""
    (tmp_path / "form.json").write_text(json.dumps({"title": "Form", "fields": FIELDS}), "utf-8")
    with Server(tmp_path, "--log-level", "error") as server:
        schema = json.loads(server.request("GET", "/prompts/form/schema")[1])
        validator = Validator(schema)
        for values in TAKEN:
            sent = NEEDED | values
            assert not list(validator.iter_errors(sent)), sent
            status, body = server.request("POST", "/prompts/form", json.dumps({"outcome": "ok", "values": sent}), JSON)
            assert status == 200, (sent, body)
            assert not list(validator.iter_errors(json.loads(body)["values"])), body
        for values in REFUSED:
            sent = NEEDED | values
            assert not validator.is_valid(sent), sent
            assert server.request("POST", "/prompts/form", json.dumps({"outcome": "ok", "values": sent}), JSON)[0] == 422


def test_required_names_what_cannot_be_left_out(schemas):
    for name, group in groups():
        if name not in schemas or len(group["fields"]) > 1:
            continue
        field = group["fields"][0]["name"]
        empty = next((case for case in group["cases"] if case.get("text") == "" or case.get("values") == {}), None)
        if field in schemas[name]["required"] and empty:
            assert not empty["valid"], name
