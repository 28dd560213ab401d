"""Writes `Documentation/security-tests.md` from what tests say of themselves: `python Tests/Tools/security_tests.py`.

A test that holds a promise says so in its comment (in Python: its docstring), and so does a run of `Tests/long`:

    Promise 2.4 | The server refuses a request with two tokens.
    ASVS 1.2.5 | no command injection | no shell; the text goes to standard input

A third column after a promise, or a fourth after an item, names a `make` target. The number alone adds a test to a promise
or an item that another test states.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "Documentation/security-tests.md"
TAG = re.compile(r"(Promise|ASVS) (\d[\d., to()]*)(?:\| (.*))?$")

INTRODUCTION = """\
# Security: every promise and its test

The appendix of [Security](security.md). Every promise names the tests that hold it, as `file: test` under `Tests/`, or
the `make` target that runs them. The tests say so themselves; `Tests/Tools/security_tests.py` writes this page, and
`make test` fails if it differs.
"""
SECTIONS = [
    "Only valid values get out, and no acknowledged answer is lost", "Nobody gets in", "No input does harm", "Secrets stay secret"]
ASVS = """
## OWASP ASVS 5.0, levels 1 and 2

The numbers are from version 5.0.0; (3) marks level 3 requirements. The table leaves out what OKCancel does not have:
file uploads (5), accounts (6), sessions (7), self-contained tokens (9), OAuth (10), WebRTC (17), and in the other
chapters GraphQL, WebSocket, LDAP, XPath, XML, LaTeX, mail, JNDI and memcache.
[Security](security.md#what-the-operator-does) lists what the operator has to do.

| item | requires | here | test |
|---|---|---|---|
"""


def comments():
    """All comments of tests, each with the test's name, and those of `Tests/long`, with none."""
    for path in sorted((ROOT / "Tests").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
                yield path, node.name, ast.get_docstring(node) or ""
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        comment = []
        for line in path.read_text("utf-8").splitlines():
            if found := re.match(r"\s*/// ?(.*)", line):
                comment.append(found[1])
            elif found := re.search(r"\bfunc (?:`(.+?)`|(\w+))", line):
                yield path, found[1] or found[2], "\n".join(comment)
                comment = []
            elif re.search(r"\b(?:struct|class|enum|extension) ", line):
                comment = []
    path = ROOT / "Tests/long"
    for comment in re.findall(r"(?m)(?:^ *# .*\n)+", path.read_text("utf-8")):
        yield path, None, re.sub(r"(?m)^ *# ", "", comment)


def tags(comment):
    """The tags in a comment: the kind, the number, and the columns, if any."""
    tag = ""
    for line in [*comment.splitlines(), ""]:
        if tag and (not line.strip() or TAG.match(line)):
            kind, number, columns = TAG.match(tag).groups()
            yield kind, number.strip(), columns and columns.split(" | ")
            tag = ""
        tag = f"{tag} {line.strip()}" if tag else line if TAG.match(line) else ""


def rows():
    """The columns of each promise and item, by its kind and number, and then the tests that hold it."""
    stated, holding, targets = {}, {}, {}
    for path, test, comment in comments():
        for kind, number, columns in tags(comment):
            key, count = (kind, number), {"Promise": 1, "ASVS": 2}[kind]
            name = [f"`{path.relative_to(ROOT / 'Tests')}: {test}`"] if test else []
            if columns:
                assert key not in stated, f"{kind} {number} is stated twice: {path}"
                stated[key] = columns[:count]
                targets[key] = columns[count:]
                # The test that states it comes first.
                holding[key] = name + holding.get(key, [])
            else:
                holding[key] = holding.get(key, []) + name
    assert holding.keys() == stated.keys(), f"these are not stated: {holding.keys() - stated.keys()}"
    return {key: [*stated[key], ", ".join(holding[key] + targets[key])] for key in stated}


def page():
    found = rows()

    def table(kind, section=""):
        keys = [number for each, number in found if each == kind and number.startswith(section)]
        for number in sorted(keys, key=lambda number: [int(digits) for digits in re.findall(r"\d+", number)]):
            yield "| " + " | ".join(([number] if kind == "ASVS" else []) + found[kind, number]) + " |\n"

    text = INTRODUCTION
    for number, title in enumerate(SECTIONS, 1):
        text += f"\n## {title}\n\n| promise | test |\n|---|---|\n" + "".join(table("Promise", f"{number}."))
    return text + ASVS + "".join(table("ASVS"))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit()
