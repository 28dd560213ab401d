"""`Documentation/cli.md` names what the command has: every command, option and exit code, and no other."""

import json
import re

import pytest

from Support.command import ROOT, run

PAGE = (ROOT / "Documentation/cli.md").read_text("utf-8")
COMMANDS = {
    each["commandName"]: each for each in json.loads(run("--experimental-dump-help").stdout)["command"]["subcommands"]
    if each["commandName"] != "help"}
COMMON = {"version", "help"}


def section(title):
    return re.search(rf"(?ms)^## {title}\n(.*?)(?=^## |\Z)", PAGE)[1]


def options(command):
    return {
        argument["preferredName"]["name"] for argument in COMMANDS[command]["arguments"]
        if argument["shouldDisplay"] and argument["kind"] != "positional"} - COMMON


def named_in_order(text):
    return re.findall(r"--([a-z-]+)", text)


def named(text):
    return set(named_in_order(text))


def test_every_command_has_a_row_and_a_section_in_the_command_s_order():
    assert re.findall(r"(?m)^\| \[`(\w+)`\]\(#\w+\) \|", PAGE) == list(COMMANDS)
    assert re.findall(r"(?m)^## ([a-z]+)$", PAGE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_named(command):
    text = section(command)
    assert options(command) - named(text) == set()
    # What is named beside them are other commands' options or values of its own.
    assert named(text) - options(command) <= {"json"} | named(section("Options of several commands"))


def test_options_of_several_commands_are():
    rows = re.findall(r"(?m)^\| (`--[^|]*) \|", section("Options of several commands"))
    for option in named(" ".join(rows)) - COMMON:
        assert sum(option in options(command) for command in COMMANDS) > 1


def test_the_defaults_of_serve_are_its_own():
    help = {each["preferredName"]["name"]: each.get("abstract", "") for each in COMMANDS["serve"]["arguments"] if "preferredName" in each}
    for names, default in re.findall(r"(?m)^\| (`--[^|]*) \|[^|]*\| ([^|]+) \|$", section("serve")):
        for name, value in zip(named_in_order(names), default.replace("`", "").split(", ")):
            if value not in ("none", "see there", "its own", "the request's host"):
                assert f"(default: {value})" in help[name], name


def test_exit_codes_are_those_that_the_help_tells():
    rows = dict(re.findall(r"(?m)^\| (\d+) \|.*\| (.*) \|$", PAGE))
    every = set(COMMANDS)
    told = {int(code): every if commands == "all" else set(re.findall(r"`(\w+)`", commands)) for code, commands in rows.items()}
    for command, each in COMMANDS.items():
        said = re.search(r"Exit codes: ([^.]*)\.", " ".join(each.get("discussion", "").split()))
        if said:
            assert {code for code, commands in told.items() if command in commands} == set(map(int, re.findall(r"\b\d+\b", said[1])))


def test_variables_are_as_the_page_says():
    without = set(re.findall(r"`--([a-z]+)`", re.search(r"have no variable:\s(.*?)\. `ask`", PAGE, re.S)[1]))
    assert without == {"from", "to", "key", "prompt"}
    assert run("copy", OKCANCEL_FROM="a.sqlite", OKCANCEL_TO="postgresql://a/b").returncode == 64
    kept = run("asks", OKCANCEL_PROMPT="No Name", OKCANCEL_API_TOKEN="x", OKCANCEL_SERVER="http://127.0.0.1:1")
    assert kept.returncode == 69
    named_by_key = run("ask", "--title", "T", OKCANCEL_KEY="a b", OKCANCEL_SERVER="http://127.0.0.1:1", OKCANCEL_API_TOKEN="x")
    assert named_by_key.returncode == 69


@pytest.mark.parametrize("command", ["serve", "check"])
def test_commands_that_speak_to_nobody_name_no_person(command):
    assert "person" not in run(command, "--help").stdout
