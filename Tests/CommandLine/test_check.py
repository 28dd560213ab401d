"""`okcancel check` for editors, continuous integration and pre-commit."""

import json
import re
import subprocess
import urllib.parse

import pytest
from sarif_pydantic import Sarif

from Support.command import BINARY, ROOT, run

FAULTY = """title: Sign up
fields:
  - name: "né"
  - name: email
    kind: emial
    label: {a: b}
    rules:
      - pattern: '(?=a)b'
      - sameAs: phone
"""
# The line, the column, what is there, and what kind of error that is.
FOUND = [
    (3, 11, '"né"', "field-name"),
    (5, 11, "emial", "no-such-word"),
    (6, 12, "{", "not-a-text"),
    (8, 18, "'(?=a)b'", "pattern-lookaround"),
    (9, 9, "sameAs", "rule-on-no-field"),
]


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "sign-up.yaml"
    path.write_text(FAULTY)
    return path


@pytest.fixture
def doubtful(tmp_path):
    """A definition that is warned of."""
    path = tmp_path / "p.yaml"
    path.write_text("title: T\nfields: [{name: a, rules: [{predicate: not-taken}]}]\n")
    return path


def places(found):
    """What is at the places in the text, as a tool would mark it."""
    return [(line, column, FAULTY.splitlines()[line - 1][column - 1:end - 1]) for line, column, end in found]


def test_check_in_json_has_the_facts_of_each_fault(faulty):
    result = run("check", "--format", "json", faulty, "nowhere.yaml")
    assert result.returncode == 65
    *faults, missing = json.loads(result.stdout)
    assert places((fault["line"], fault["column"], fault["endColumn"]) for fault in faults) == [each[:3] for each in FOUND]
    assert [fault["rule"] for fault in faults] == [each[3] for each in FOUND]
    text = run("check", faulty).stdout.splitlines()
    assert text == ["{file}:{line}:{column}: {what}; {remedy}".format(**fault) for fault in faults]
    assert missing == {"file": "nowhere.yaml", "what": "there is no such file", "remedy": "check the path", "rule": "unreadable-file",
                       "level": "error"}
    assert run("check", "--format", "json", "Examples/email.yaml").stdout == "[]\n"


def test_a_place_ends_where_its_word_ends(tmp_path):
    """Each line is the place of a fault, and then what is marked there."""
    for line, word in [
            ("context: # comment", " "), ("context:", ""), ("ok: {a: b}", "{"), ("ok: [a, b]", "["), ("title: 3 # comment", "3"),
            ("title: 12", "12"), ('"x y": 1', '"x y"'), ("'x y': 1", "'x y'"), ("xé z: 1", "xé z"), ("{xy: 1}", "xy"), ("x, y: 1", "x")]:
        path = tmp_path / "prompt.yaml"
        path.write_text(f"{line}\n")
        faults = [fault for fault in json.loads(run("check", "--format", "json", path).stdout) if "endColumn" in fault]
        assert word in [line[fault["column"] - 1:fault["endColumn"] - 1] for fault in faults], (line, faults)


def test_check_gives_github_a_command_for_each_fault(tmp_path):
    folder = tmp_path / "50%,a:b"
    folder.mkdir()
    path = folder / "p.yaml"
    path.write_text('title: T\n"x\\r\\n::error::forged": 1\n')
    result = run("check", "--format", "github", path)
    assert result.returncode == 65 and result.stdout.count("\n") == 1
    file = str(path).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    assert result.stdout.startswith(f"::error file={file},line=2,col=1,endColumn=23,title=no-such-key::a prompt has no key `x")
    assert "\r" not in result.stdout and result.stdout.count("\n::") == 0
    assert run("check", "--format", "github", "Examples/email.yaml").stdout == ""


def test_check_in_sarif_is_valid_and_whole(faulty):
    result = run("check", "--format", "sarif", faulty)
    assert result.returncode == 65
    log = json.loads(result.stdout)
    model = Sarif.model_validate_json(result.stdout)
    assert json.loads(model.model_dump_json(by_alias=True, exclude_none=True)) == log
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    [one] = log["runs"]
    assert one["columnKind"] == "unicodeCodePoints" and one["tool"]["driver"]["name"] == "okcancel"
    assert {each["ruleId"] for each in one["results"]} == {each["id"] for each in one["tool"]["driver"]["rules"]}
    spots = [each["locations"][0]["physicalLocation"] for each in one["results"]]
    assert {urllib.parse.unquote(spot["artifactLocation"]["uri"]) for spot in spots} == {f"file://{faulty}"}
    regions = [spot["region"] for spot in spots]
    assert places((region["startLine"], region["startColumn"], region["endColumn"]) for region in regions) == [
        each[:3] for each in FOUND]
    assert all(each["level"] == "error" and "; " in each["message"]["text"] for each in one["results"])
    assert json.loads(run("check", "--format", "sarif", "Examples/email.yaml").stdout)["runs"][0]["results"] == []


@pytest.mark.parametrize(
    "text, code, said",
    [
        (FAULTY, 65, "stdin:3:11: "),
        ("title: T\n", 0, ""),
        ('\n{"title": "T", "fields": [{"name": "a", "kind": "emial"}]}', 65, "stdin:2:49: `kind` cannot be `emial`; did you mean `email`?\n"),
        ("", 65, "stdin:1:1: "),
        ("#" * (1 << 20) + "#", 65, "stdin:1:1: the file is larger than 1 MiB"),
    ])
def test_check_reads_standard_input(text, code, said):
    result = run("check", "-", options={"input": text})
    assert result.returncode == code and result.stdout.startswith(said), result


def test_a_warning_is_no_error(doubtful):
    result = run("check", "--format", "json", doubtful)
    [warning] = json.loads(result.stdout)
    assert result.returncode == 0 and (warning["level"], warning["line"]) == ("warning", 2)
    assert run("check", "--format", "github", doubtful).stdout.startswith("::warning file=")
    log = json.loads(run("check", "--format", "sarif", doubtful).stdout)
    assert [each["level"] for each in log["runs"][0]["results"]] == ["warning"]


def test_a_warning_is_an_error_if_it_is_strict(doubtful):
    result = run("check", "--strict", "--format", "json", doubtful)
    [error] = json.loads(result.stdout)
    assert result.returncode == 65 and (error["level"], error["line"]) == ("error", 2)
    text = run("check", "--strict", doubtful)
    assert text.returncode == 65 and ": warning: " not in text.stdout and f"{doubtful}:2:" in text.stdout
    assert run("check", "--strict", "Examples/email.yaml").returncode == 0


def test_the_hook_runs_the_command():
    hook = ROOT / ".pre-commit-hooks.yaml"
    assert hook.resolve() == (ROOT / "Packaging/pre-commit-hooks.yaml").resolve()
    command, *words = re.search("(?m)^  entry: (.+)$", hook.read_text())[1].split()
    assert command == "okcancel"
    assert subprocess.run([BINARY, *words, ROOT / "Examples/email.yaml"]).returncode == 0


@pytest.mark.parametrize("file, texts, place", [
    ("a.en.yaml", "title: B\n", "a.en.yaml:1:1"), ("a.yaml", "title: A\ntranslations:\n  en: {title: B}\n", "a.yaml:3:3")])
def test_every_command_says_where_a_prompt_is_translated_into_its_own_language(tmp_path, file, texts, place):
    """Also if that is the language of prompts that name none: --language, else English."""
    path = tmp_path / "a.yaml"
    path.write_text("title: A\n")
    (tmp_path / file).write_text(texts)
    told = f"{tmp_path}/{place}: `en` is the prompt's own language; remove the "
    for words in (["check", path], ["validate", path], ["ask", "--prompt", path], ["serve", tmp_path], ["mcp", tmp_path]):
        refused = run(*words, OKCANCEL_PORT="0")
        assert (refused.returncode, told in refused.stdout + refused.stderr) == (65, True), words
    for words in (["check", path], ["serve", tmp_path, "--check"]):
        assert run(*words, "--language", "de").returncode == 0
