"""What a script reads of `ask` and `validate` cannot be forged by a person, a program or a server."""

import json
import os
import random
import subprocess
import urllib.parse

import pytest

from asking import Asking
from Support.client import JSON
from Support.command import TOKEN, run
from Support.server import Server

FORGED = "x\nregion=evil"
WORDS = ["--title", "T", "--field", "note:multiline", "--field", "region"]
SHELLS = {"dash": ["dash"], "bash": ["bash"], "zsh": ["zsh", "-f"], "zsh with quotes of its own": ["zsh", "-f", "-o", "rcquotes"]}
COUNT = int(os.environ.get("OKCANCEL_VALUES", 2_500))


def form(**values):
    return urllib.parse.urlencode(values)


def said(words, body, code=0):
    ask = Asking(*words)
    assert ask.answer(body)[0] == 200
    ended = ask.ended()
    assert ended[0] == code, ended
    return ended[1]


def evaluated(shell, script, *names, before="", locale="C.UTF-8"):
    """The variables as the shell has them after `eval`, byte by byte; None for one that is not set."""
    reads = "".join(
        f'if [ "${{{name}+set}}" ]; then printf "=%s\\0" "${name}"; else printf "\\0"; fi\n' for name in names)
    shown = subprocess.run(
        [*SHELLS[shell], "-c", f'{before}\neval "$SCRIPT"\n{reads}'], env=os.environ | {"SCRIPT": script, "LC_ALL": locale},
        capture_output=True)
    assert shown.stderr == b""
    return [value[1:] if value else None for value in shown.stdout.split(b"\0")[:-1]]


def test_several_fields_are_json_without_a_format():
    assert json.loads(said(WORDS, form(note=FORGED, region="good"))) == {
        "outcome": "ok", "values": {"note": FORGED, "region": "good"}, "by": {"via": "link"}}


def test_one_field_is_its_value_as_it_is():
    assert said(["--title", "T", "--field", "note:multiline"], form(note=FORGED)) == FORGED + "\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_no_answer_forges_another_in_a_shell(shell):
    note = FORGED + "é'字\u00a0'\U0001f600\\'"
    script = said([*WORDS, "--format", "shell"], form(note=note, region="good"))
    for locale in ("C.UTF-8", "C"):
        assert evaluated(shell, script, "note", "region", locale=locale) == [note.encode(), b"good"]


def test_no_answer_forges_another_between_nuls():
    assert said([*WORDS, "--format", "null"], form(note=FORGED, region="good")) == f"note={FORGED}\0region=good\0"


KINDS = """title: T
fields:
  - {name: count, kind: integer}
  - {name: sure, kind: boolean}
  - {name: colours, kind: choices, options: [a b, "it's", '$(c)']}
  - {name: nick, optional: true}
"""


@pytest.fixture
def kinds(tmp_path):
    path = tmp_path / "kinds.yaml"
    path.write_text(KINDS)
    return str(path)


ANSWER = "count=7&sure=true&colours=a+b&colours=it%27s&nick="


def test_each_kind_is_written_in_each_format(kinds):
    words = ["--prompt", kinds, "--format"]
    assert json.loads(said([*words, "json"], ANSWER))["values"] == {
        "count": 7, "sure": True, "colours": ["a b", "it's"], "nick": None}
    shell = said([*words, "shell"], ANSWER)
    for name in SHELLS:
        assert evaluated(name, shell, "count", "sure", "colours", "nick", before="nick=old") == [
            b"7", b"true", b'["a b","it\'s"]', None]
    bash = said([*words, "bash", "--prefix", "it_"], ANSWER)
    for name in ("bash", "zsh"):
        assert evaluated(name, bash + 'one="${it_colours[@]:0:1}" two="${it_colours[@]:1:1}"', "it_count", "one", "two", "it_nick") == [
            b"7", b"a b", b"it's", None]
    assert said([*words, "null"], ANSWER) == 'count=7\0sure=true\0colours=["a b","it\'s"]\0'


def test_choices_are_an_array_by_themselves(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text('title: T\nfields: [{name: a, kind: choices, options: ["x", "y"]}]\n')
    assert said(["--prompt", str(path)], "a=x&a=y") == '["x","y"]\n'


@pytest.mark.parametrize("name", ["PATH", "IFS", "REGION", "status", "path", "BASH_ENV", "LD_PRELOAD"])
def test_a_shells_own_variable_is_never_set(name):
    """Promise 3.22"""
    refused = run("ask", "--title", "T", "--field", name, "--format", "shell")
    assert (refused.returncode, refused.stdout) == (64, "")
    assert f"the field “{name}” would set the variable {name}" in refused.stderr and "--prefix" in refused.stderr
    assert said(["--title", "T", "--field", name, "--format", "shell", "--prefix", "OK_"], f"{name}=x") == f"OK_{name}='x'\n"


def test_a_prompt_of_a_server_sets_no_variable_of_the_shell(tmp_path):
    (tmp_path / "p.yaml").write_text("title: T\nfields: [{name: a}, {name: IFS}]\n")
    with Server(tmp_path) as server:
        words = ["--prompt", "p", "--server", server.url, "--format", "bash"]
        refused = run("ask", *words, OKCANCEL_API_TOKEN=TOKEN)
        assert refused.returncode == 64 and "would set the variable IFS" in refused.stderr
        # What the two halves of a name make together counts.
        refused = run("ask", *words, "--prefix", "LD_", OKCANCEL_API_TOKEN=TOKEN)
        assert refused.returncode == 64 and "would set the variable LD_a" in refused.stderr


def test_validate_writes_verdicts_of_several_fields_as_json(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text('title: T\nfields: [{name: a, rules: [{nonEmpty: true, message: "Fill in\\nb: valid"}]}, {name: b}]\n')
    told = run("validate", path, "b=1")
    assert told.returncode == 1 and json.loads(told.stdout)["fields"]["a"]["message"] == "Fill in\nb: valid"
    script = run("validate", path, "b=1", "--format", "shell").stdout
    assert evaluated("dash", script, "a", "b") == [b"Fill in\nb: valid", b""]
    assert run("validate", path, "b=1", "--format", "null").stdout == "a=Fill in\nb: valid\0b=\0"


# Thousands of values


def value(random):
    """A text of every class of code points, and of what shells read otherwise."""
    pieces = [
        "\n", "\n\n", "\t", " ", "'", "''", '"', "\\", "\\\\", "$(touch /tmp/owned)", "`id`", "${IFS}", "$'x'", "!", "!!", "#", "~",
        "*", "?", "[a]", "{a,b}", "&&", ";", "|", "=", "-n", "%s", "\\n", "\\0", "\x7f", "\x80", "\x9b31m", "\u0301",
        "\u200b", "\u202e", "\u2028", "\ufeff", "\uffff", "\ue000", "\U0001f600", "\U000e0041", "\U0010ffff", "é", "字", "ا", "a", "Z", "0"]
    pieces += [chr(random.choice([random.randrange(0x20, 0xD800), random.randrange(0xE000, 0x110000)])) for _ in range(8)]
    return "".join(random.choice(pieces) for _ in range(random.randrange(0, 24)))


@pytest.mark.parametrize("form", ["shell", "null"])
def test_thousands_of_values_come_back_the_same(form, tmp_path):
    """Promise 3.22 | Whatever a person answers, a script that reads several values takes none for another, in dash, bash
    and zsh and between NULs, and sets no variable that a shell uses itself.
    """
    names = [f"f{n}" for n in range(50)]
    (tmp_path / "many.yaml").write_text(
        "title: T\nfields:\n" + "".join(f"  - {{name: {name}, kind: multiline}}\n" for name in names))
    chance = random.Random(21)
    with Server(tmp_path, "--log-level", "error") as server:
        for _ in range(COUNT // len(names)):
            values = [value(chance) for _ in names]
            ask = Asking("--prompt", "many", "--server", server.url, "--format", form, OKCANCEL_API_TOKEN=TOKEN)
            body = json.dumps({"outcome": "ok", "values": dict(zip(names, values))})
            status, text = server.request("POST", urllib.parse.urlsplit(ask.link).path, body, JSON)
            assert status == 200, text
            output, errors = ask.process.communicate(timeout=60)
            assert (ask.process.returncode, errors) == (0, "")
            wanted = [text.encode() for text in values]
            if form == "null":
                assert output.encode() == b"".join(f"{name}=".encode() + text + b"\0" for name, text in zip(names, wanted))
            else:
                for shell in SHELLS:
                    assert evaluated(shell, output, *names) == wanted, shell


def test_a_nul_is_refused():
    ask = Asking("--title", "T", "--field", "a", "--format", "null")
    assert ask.answer("a=x%00b=evil")[0] == 422
    assert ask.answer("a=x")[0] == 200
    assert ask.ended() == (0, "a=x\0", "")
