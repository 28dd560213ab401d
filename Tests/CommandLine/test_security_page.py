"""`Documentation/security-tests.md` says what the tests say; and the promises that are shown by reading the source."""

import re

from Tools.security_tests import PAGE, page, rows

from Support.client import JSON
from Support.command import ROOT
from Support.server import Server


def test_the_page_says_what_the_tests_say():
    assert PAGE.read_text("utf-8") == page(), "write it anew: python Tests/Tools/security_tests.py"


def test_every_target_that_is_named_exists():
    targets = re.findall(r"`make ([a-z-]+)`", page())
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets
    for target in targets:
        assert re.search(rf"(?m)^{target}:", makefile), target


def test_every_promise_names_a_test():
    assert len([row for row in rows().values() if row[-1]]) == len(rows()) > 25 + 40


# What is put into SQL is a constant of the source: names of tables and columns, conditions, a setting, or numbers.
CONSTANTS = {
    "PostgreSQLSession.usage", "Self.applicationID", "Self.version", "dialect.placeholder(1)", "destination.dialect.placeholder(1)",
    "session.dialect.placeholder(1)", "dialect.placeholders(2, from: 1)", 'lines.joined(separator: ",\\n  ")',
    'columns.joined(separator: ", ")', "condition", 'condition == nil ? "" : dialect.locking', 'condition ?? "true"',
    "database", "SQLDialect.postgreSQL.definition(of: column)",
    "SQLDialect.sqlite.definition(of: column)", "lacked", "limit", "name", 'names.joined(separator: ", ")',
    "dialect.placeholders(table.key.count, from: 1)",
    "session.dialect.placeholders(table.key.count, from: 2)", 'places.joined(separator: ", ")',
    "position", "setting", "table", "table.keys", "table.name"}


def test_sql_takes_values_as_arguments():
    """Promise 2.24 | SQL statements take values only as arguments.
    ASVS 1.2.4 | parameters in queries | values only as arguments
    """
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
    """Promise 4.13
    ASVS 14.3.3 | nothing private in browser storage | nothing at all
    """
    modules = list((ROOT / "Public").rglob("*.js"))
    assert modules
    for module in modules:
        assert not re.search(r"localStorage|sessionStorage|indexedDB|\.cookie|caches\.", module.read_text("utf-8")), module


def test_no_answer_sets_a_cookie():
    """Promise 4.13 | The server sets no cookies, and pages store nothing in the browser.
    ASVS 3.3.1 to 3.3.4 | safe cookies | none
    """
    with Server() as server:
        for method, path, body in [
                ("GET", "/", None), ("GET", "/prompts/login", None), ("POST", "/prompts/email", '{"outcome":"cancel"}'),
                ("POST", "/validate/email", '{"email":"a"}'), ("POST", "/asks", '{"prompt":"email"}'),
                ("GET", "/none", None), ("GET", "/dialog.js", None)]:
            answer = server.exchange(method, path, body, server.authorized | JSON)
            assert answer.status in (200, 201, 404)
            assert answer.headers["Set-Cookie"] is None
