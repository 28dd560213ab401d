"""A failing test says how to run it by itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from Support import alone
from Support.command import ROOT

SWIFT = """◇ Test run started.
◇ Test "It begins (at) the "first" 1.5 step" started.
✘ Test "It begins (at) the "first" 1.5 step" recorded an issue with 1 argument n → 2 at A.swift:3:81: Expectation failed
✘ Test "It begins (at) the "first" 1.5 step" with 2 test cases failed after 0.001 seconds with 1 issue.
◇ Test "It's drawn" started.
✔ Test "It's drawn" passed after 0.001 seconds.
◇ Test plain() started.
✘ Test plain() failed after 0.001 seconds with 1 issue.
"""


def test_swift():
    assert list(dict.fromkeys(alone.commands(SWIFT + "✘ Test run with 3 tests in 1 suite failed after 0.2 seconds.\n"))) == [
        "swift test --no-parallel --filter 'It begins .at. the .first. 1.5 step'",
        "swift test --no-parallel --filter 'plain'"]


def test_swift_that_crashes():
    output = SWIFT + '◇ Test "a crash" started.\n'
    assert list(alone.commands(output))[-1] == "swift test --no-parallel --filter 'a crash'"


def test_node(tmp_path):
    file = tmp_path / "a.test.mjs"
    file.write_text("""import test from "node:test";
test("it's (wrong)", () => { throw new Error("no"); });
test("another", () => {});
""")
    command = [sys.executable, ROOT / "Tests/Support/alone.py", "node", "--test", "a.test.mjs"]
    # With the node that the Makefile finds first: others report in another format.
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert run.returncode == 1
    last = run.stdout.splitlines()[-2:]
    assert last == ["To run only what failed:", "  node --test --test-name-pattern 'it.s .wrong.' a.test.mjs"]
    again = subprocess.run(last[1], shell=True, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert "wrong" in again.stdout and "another" not in again.stdout


@pytest.mark.parametrize("passes", [True, False])
def test_pytest(tmp_path, passes):
    for name in ("conftest.py", "pytest.ini", "Support"):
        (tmp_path / name).symlink_to(ROOT / "Tests" / name)
    (tmp_path / "test_a.py").write_text(f"def test_it():\n    assert {passes}\n")
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "test_a.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ("  .venv/bin/python -m pytest Tests/test_a.py::test_it" in run.stdout.splitlines()) != passes
