"""The corpus in every language: what the server says of a case, node and three browsers say in the same words."""

import contextlib
import json
import subprocess
from pathlib import Path

import pytest

from Fuzz import browser
from Support.client import JSON
from Support.command import BINARY, ROOT
from Support.corpus import expanded, groups
from Support.server import Server

# English is what the others are translated from.
LANGUAGES = ["en", *sorted({file.stem for file in (ROOT / "Sources/Prompts/Languages").glob("*.json")} - {"en"})]
# Of each group: more would only say the same again.
CASES = 1


def prompts():
    """A definition for each group of the corpus, translated into every other language, and its cases that fail."""
    for number, (_, _, group) in enumerate(groups()):
        field = group.get("field", group["fields"][0]["name"])
        failing = [case for case in group["cases"] if not case.get("valid", True)][:CASES]
        values = [
            {name: expanded(written) for name, written in (case["values"] if "values" in case else {field: case["text"]}).items()}
            for case in failing]
        definition = {
            "title": "T", "language": "en", "fields": group["fields"], "translations": {tag: {} for tag in LANGUAGES[1:]}}
        yield f"p{number}", definition, field, values


def rules_of(value):
    """Every map in fields that may be a predicate."""
    if isinstance(value, dict):
        if value.get("rule") == "predicate":
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from rules_of(each)


def sendable(values):
    """Half a surrogate pair cannot be written as UTF-8."""
    return all("\ud800" > character or character > "\udfff" for character in json.dumps(values, ensure_ascii=False))


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Each case in each language: the line for the judge, and what the server says."""
    folder = tmp_path_factory.mktemp("prompts")
    kept = []
    for name, definition, field, values in prompts():
        if any(rule.get("name") not in (None, "integer") for rule in rules_of(definition["fields"])):
            continue
        (folder / f"{name}.json").write_text(json.dumps(definition), "utf-8")
        kept.append((name, field, [each for each in values if sendable(each)]))
    # What only a page can have, a definition refuses.
    checked = subprocess.run([BINARY, "check", *folder.glob("*.json")], capture_output=True, text=True)
    faulty = {line.split(":")[0] for line in checked.stdout.splitlines() if ": warning: " not in line}
    for path in faulty:
        Path(path).unlink()
    kept = [each for each in kept if str(folder / f"{each[0]}.json") not in faulty]
    assert len(kept) > 50
    cases = []
    with Server(folder, "--log-level", "error") as server, contextlib.closing(server.connection()) as kept_alive:
        def call(*request):
            return json.loads(server.exchange(*request, connection=kept_alive).body)

        for place, tag in enumerate(LANGUAGES):
            # All groups in English, and a third of them in each other language.
            for name, field, values in kept if tag == "en" else kept[place % 3::3]:
                rules = call("GET", f"/prompts/{name}/rules?lang={tag}")
                assert rules["language"] == tag
                for each in values:
                    said = call("POST", f"/validate/{name}?lang={tag}&only={field}", json.dumps(each), JSON)
                    line = json.dumps({"rules": rules, "field": field, "values": each})
                    cases.append(((tag, name, json.dumps(each)), line, said["fields"][field]))
    assert len(cases) > 500
    return cases


def compare(asked, lines):
    differing, judged = [], 0
    for (where, _, said), line in zip(asked, lines, strict=True):
        verdict = json.loads(line)
        if verdict.get("pending"):
            continue
        judged += 1
        if verdict != said:
            differing.append((where[:2], said, verdict))
    assert not differing, differing[:5]
    assert judged > 0.8 * len(asked), "the rest was left to the server"


def test_node_says_what_the_server_says(asked):
    result = subprocess.run(
        ["node", ROOT / "Tests/Fuzz/judge.mjs"], input="\n".join(line for _, line, _ in asked) + "\n", capture_output=True,
        text=True, check=True)
    compare(asked, result.stdout.splitlines())


@pytest.mark.parametrize("engine", ["chromium", "firefox", "webkit"])
def test_a_browser_says_what_the_server_says(asked, engine):
    with browser.judging_in(engine) as judge:
        compare(asked, judge([line for _, line, _ in asked]))


def test_nothing_is_left_in_english(asked):
    english = {(name, values): said["message"] for (tag, name, values), _, said in asked if tag == "en"}
    for (tag, name, values), _, said in asked:
        assert said["message"], (tag, name)
        assert tag == "en" or said["message"] != english[name, values], (tag, name, said)
