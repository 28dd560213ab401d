"""`Documentation/cli.md` names what the command has: every command, option and exit code, and no other."""

import json
import re

import pytest

from Support.command import ROOT, TOKEN, run

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


def test_options_of_several_commands_belong_to_several():
    rows = re.findall(r"(?m)^\| (`--[^|]*) \|", section("Options of several commands"))
    for option in named(" ".join(rows)) - COMMON:
        assert sum(option in options(command) for command in COMMANDS) > 1


def said(command):
    """What the help says about each option, with its default."""
    arguments = [each for each in COMMANDS[command]["arguments"] if each["kind"] != "positional"]
    return {each["preferredName"]["name"]: each.get("abstract", "") for each in arguments}


@pytest.mark.parametrize("command", ["serve", "mcp", "hook", "backup"])
def test_defaults_are_the_command_s(command):
    for names, default in re.findall(r"(?m)^\| (`--[^|]*) \|[^|]*\| ([^|]+) \|$", section(command)):
        values = default.replace("`", "").split(", ")
        for name, value in zip(named_in_order(names), values * (2 if values == ["none"] else 1)):
            if value == "see there":
                assert [option for option, _, _ in LIMITS].count(name) > 1, name
            elif value not in ("none", "its own", "the request's host"):
                assert f"(default: {value.replace('any free port', 'any free one')})" in said(command)[name], name


def test_defaults_in_the_text_are_the_command_s():
    for command in ("answers", "asks"):
        assert "(default: http://127.0.0.1:8080)" in said(command)["server"]
    assert "Also `--server` (default `http://127.0.0.1:8080`)" in section("answers")
    [folder] = [each for each in COMMANDS["serve"]["arguments"] if each["kind"] == "positional"]
    assert f"(default `{folder['defaultValue']}`)" in section("serve")


LIMITS = re.findall(
    r"(?m)^\| `--([\w-]+)(?: (\w+)=…)?` \| [^|]+ \| ([^|]+) \|$", (ROOT / "Documentation/limits.md").read_text("utf-8"))


def test_limits_are_the_command_s_defaults():
    rates = {action: default for option, action, default in LIMITS if option == "rate-limit"}
    assert rates == dict(re.findall(r"(\w+)=(\d+/[smh])", said("serve")["rate-limit"].split("(default:")[1]))
    for option, action, default in LIMITS:
        assert action or f"(default: {default})" in said("serve")[option]


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
    assert without == {"from", "to", "key", "optional", "prompt", "database", "port", "host", "timeout", "install"}
    assert run("copy", OKCANCEL_FROM="a.sqlite", OKCANCEL_TO="postgresql://a/b").returncode == 64
    kept = run("asks", OKCANCEL_PROMPT="No Name", OKCANCEL_API_TOKEN="x", OKCANCEL_SERVER="http://127.0.0.1:1")
    assert kept.returncode == 69
    named_by_key = run("ask", "--title", "T", OKCANCEL_KEY="a b", OKCANCEL_SERVER="http://127.0.0.1:1", OKCANCEL_API_TOKEN="x")
    assert named_by_key.returncode == 69


def test_variables_that_nothing_reads_are_warned_about():
    names = {option for command in COMMANDS for option in options(command)} - {"log-level", "log-format"} | COMMON
    flags = {each["preferredName"]["name"] for command in COMMANDS.values() for each in command["arguments"] if each["kind"] == "flag"}
    variables = {"OKCANCEL_" + name.upper().replace("-", "_"): "false" if name in flags else "1" for name in names}
    warned = re.findall(r"there is no variable OKCANCEL_(\w+); nothing reads it", run("serve", **variables).stderr)
    assert sorted(warned) == ["FROM", "HELP", "INSTALL", "OPTIONAL", "TO", "VERSION"]


@pytest.mark.parametrize("value, code, said", [
    ("true", 0, '{"isValid":true}'), ("false", 0, "email: valid"), ("yes", 64, "OKCANCEL_JSON cannot be “yes”; give true or false")])
def test_a_flag_s_variable_is_true_or_false(value, code, said):
    judged = run("validate", ROOT / "Examples/email.yaml", "email=ann@example.com", OKCANCEL_JSON=value)
    assert judged.returncode == code and said in judged.stdout + judged.stderr
    assert run("validate", "--help", OKCANCEL_JSON=value).returncode == 0


@pytest.mark.parametrize("command", ["serve", "check"])
def test_commands_that_speak_to_nobody_name_no_person(command):
    # The zone of whoever answers may be named.
    assert "person" not in re.sub(r"(?s)--time-zone.*?\n  -", "", run(command, "--help").stdout)


@pytest.mark.parametrize(("command", "flag"), [
    (command, argument["preferredName"]["name"]) for command in COMMANDS for argument in COMMANDS[command]["arguments"]
    if argument["kind"] == "flag" and argument["preferredName"]["name"] not in COMMON | {"optional"}])
def test_every_flag_has_a_variable_that_is_true_or_false(command, flag):
    variable = f"OKCANCEL_{flag.upper().replace('-', '_')}"
    words = {
        "ask": ["--title", "T"], "serve": ["Examples"], "validate": ["Examples/email.yaml", "email=a"], "check": ["Examples"],
        "answers": ["email"], "hook": ["--install", "claude"]}
    result = run(
        command, *words.get(command, []), OKCANCEL_API_TOKEN=TOKEN, OKCANCEL_SERVER="http://127.0.0.1:1", **{variable: "maybe"})
    assert (result.returncode, result.stdout) == (64, "")
    assert f"{variable} cannot be “maybe”; give true or false" in result.stderr
