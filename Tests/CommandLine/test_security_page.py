"""`Documentation/security-tests.md` names tests that exist; and the promises that are shown by reading the source."""

import re

from Support.client import JSON
from Support.command import ROOT
from Support.server import Server

PAGE = (ROOT / "Documentation" / "security-tests.md").read_text("utf-8")
NAMED = re.findall(r"`([\w/.-]+\.(?:swift|py|mjs)): ([^`]+)`", PAGE)
TARGETS = re.findall(r"`make ([a-z-]+)`", PAGE)


def test_every_test_that_is_named_exists():
    assert len(NAMED) > 80
    for file, test in NAMED:
        text = (ROOT / "Tests" / file).read_text("utf-8")
        definition = rf"(?m)(?:func (?:{re.escape(test)}|`{re.escape(test)}`)\(|^def {re.escape(test)}\(|test\(\"{re.escape(test)}\")"
        assert re.search(definition, text), f"{file} has no test “{test}”"


def test_every_target_that_is_named_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert TARGETS
    for target in TARGETS:
        assert re.search(rf"(?m)^{target}:", makefile), target


def test_every_promise_names_a_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    promises = [row for row in rows if row.count("|") == 3 and re.search(r"\.(?: \||$)", row)]
    assert len(promises) > 25
    for row in promises:
        assert "`make " in row or re.search(r"\.(?:swift|py|mjs): ", row), row


# What is put into SQL is a constant of the source: names of tables and columns, conditions, a setting, or numbers.
CONSTANTS = {
    "PostgreSQLSession.usage", "Self.applicationID", "Self.version", "column.definition",
    'columns.joined(separator: ", ")', "condition", 'condition == nil ? "" : " FOR UPDATE"', 'condition ?? "true"',
    "database", "inSQLite(column.definition)", "lacked", "limit", "name", 'names.joined(separator: ", ")',
    "placeholders(table.key.count, from: 1)", "placeholders(table.key.count, from: 2)", 'places.joined(separator: ", ")',
    "position", "setting", "table", "table.keys", "table.name"}


def test_sql_takes_values_as_arguments():
    literal = r'"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\\([^()]*(?:\([^()]*\)[^()]*)*\)|\\.)*"'
    statements = [
        found for path in (ROOT / "Sources" / "Asks").rglob("*.swift") for found in re.findall(literal, path.read_text("utf-8"))
        if re.match(r'"+\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|DROP|ALTER|WITH)\b', found)]
    assert len(statements) > 40
    put_in = {part for found in statements for part in re.findall(r"\\\(((?:[^()]|\([^()]*\))*)\)", found)}
    assert put_in == CONSTANTS


def test_sql_files_take_only_parts_of_their_own():
    for path in (ROOT / "Sources" / "Asks").rglob("*.sql"):
        text = path.read_text("utf-8")
        statements = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("--"))
        assert set(re.findall(r"\{(\w*)\}", statements)) <= set(re.findall(r"(?m)^-- part: (\w+)$", text)), path


def test_pages_store_nothing_in_the_browser():
    modules = list((ROOT / "Public").rglob("*.js"))
    assert modules
    for module in modules:
        assert not re.search(r"localStorage|sessionStorage|indexedDB|\.cookie|caches\.", module.read_text("utf-8")), module


def test_no_answer_sets_a_cookie():
    with Server() as server:
        for method, path, body in [
                ("GET", "/", None), ("GET", "/prompts/login", None), ("POST", "/prompts/email", '{"outcome":"cancel"}'),
                ("POST", "/validate/email", '{"email":"a"}'), ("POST", "/asks", '{"prompt":"email"}'),
                ("GET", "/none", None), ("GET", "/dialog.js", None)]:
            answer = server.exchange(method, path, body, server.authorized | JSON)
            assert answer.status in (200, 201, 404)
            assert answer.headers["Set-Cookie"] is None
