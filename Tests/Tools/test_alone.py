"""A failing test says how to run it by itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from Support import alone
from Support.command import ROOT, TOKEN, clean

SWIFT = """◇ Test run started.
◇ Test "It begins (at) the "first" 1.5 step" started.
✘ Test "It begins (at) the "first" 1.5 step" recorded an issue with 1 argument n → 2 at A.swift:3:81: Expectation failed
✘ Test "It begins (at) the "first" 1.5 step" with 2 test cases failed after 0.001 seconds with 1 issue.
◇ Test "It's drawn" started.
✔ Test "It's drawn" passed after 0.001 seconds.
◇ Test plain() started.
✘ Test plain() failed after 0.001 seconds with 1 issue.
"""


def test_a_failed_test_of_swift_is_a_command():
    assert list(dict.fromkeys(alone.commands(SWIFT + "✘ Test run with 3 tests in 1 suite failed after 0.2 seconds.\n"))) == [
        "swift test --no-parallel --filter 'It begins .at. the .first. 1.5 step'",
        "swift test --no-parallel --filter 'plain'"]


def test_a_test_of_swift_that_crashes_is_a_command():
    output = SWIFT + '◇ Test "a crash" started.\n'
    assert list(alone.commands(output))[-1] == "swift test --no-parallel --filter 'a crash'"


def test_a_failed_test_of_node_is_a_command(tmp_path):
    file = tmp_path / "a.test.mjs"
    file.write_text("""import test from "node:test";
test("it's (wrong)", () => { throw new Error("no"); });
test("another", () => {});
""")
    command = [sys.executable, ROOT / "Tests/Support/alone.py", "node", "--test", "a.test.mjs"]
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    last = run.stdout.splitlines()[-2:]
    assert last == ["To run only what failed:", "  .venv/bin/node --test --test-name-pattern 'it.s .wrong.' a.test.mjs"]
    again = subprocess.run(last[1], shell=True, cwd=tmp_path, env={"PATH": os.defpath}, capture_output=True, text=True)
    assert "wrong" in again.stdout and "another" not in again.stdout


@pytest.mark.parametrize("passes", [True, False])
def test_a_failed_test_of_pytest_is_a_command(tmp_path, passes):
    for name in ("conftest.py", "pytest.ini", "Support"):
        (tmp_path / name).symlink_to(ROOT / "Tests" / name)
    (tmp_path / "test_a.py").write_text(f"def test_it():\n    assert {passes}\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_a.py"], cwd=tmp_path, capture_output=True, text=True,
        env=clean({"OKCANCEL_BIN": "okc", "OKCANCEL_RACES": "3", "OKCANCEL_API_TOKEN": TOKEN, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}))
    line = "  OKCANCEL_BIN=okc OKCANCEL_RACES=3 .venv/bin/python -m pytest Tests/test_a.py::test_it"
    assert (line in run.stdout.splitlines()) != passes


@pytest.mark.parametrize("command", [
    "swift test --no-parallel --filter 'a test'",
    ".venv/bin/node --test --test-name-pattern 'a test' Tests/JavaScript/a.test.mjs",
    "OKCANCEL_RACES=3 .venv/agents-1/bin/python -m pytest 'Tests/a.py::test_it[1]'",
    ".venv/bin/python Tests/Fuzz/fuzz.py --judge .build/debug/VerdictJudge --seed 1 --count 20000",
    ".build/debug/DoorFuzz --seed 1 --door yaml --from 7 --count 1",
])
def test_what_several_targets_printed_comes_once_more_at_the_end(command):
    # Another target's dots may stand in the same line.
    output = f"..s  {command}\n.....\nmake[1]: *** [Makefile:60: test-python] Error 1\n"
    assert list(alone.commands(output)) == [command]
