"""The manual pages, as `man` reads them."""

import re
import subprocess
import sys

import pytest

from Support.command import BINARY, ROOT, run

PAGES = ["okcancel"] + [
    f"okcancel-{name}"
    for name in ("answer", "answers", "ask", "asks", "backup", "check", "copy", "hook", "mcp", "notify", "rekey", "result", "serve", "templates", "validate")]


@pytest.fixture(scope="module")
def manual(tmp_path_factory):
    folder = tmp_path_factory.mktemp("man1")
    subprocess.run([sys.executable, ROOT / "Packaging/manual.py", BINARY, folder], check=True)
    return folder


def test_every_command_has_a_page(manual):
    assert sorted(path.stem for path in manual.iterdir()) == PAGES
    listed = run("--help").stdout.split("SUBCOMMANDS:")[1].split("See 'okcancel help")[0]
    assert sorted(f"okcancel-{name}" for name in re.findall(r"(?m)^  (\S+)", listed)) == PAGES[1:]


@pytest.mark.parametrize("page", PAGES)
def test_man_reads_it_without_a_warning(manual, page):
    """And it says all that `--help` says, apart from where its lines end."""
    shown = subprocess.run(
        ["man", "--warnings", "--local-file", manual / f"{page}.1"], capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""})
    assert (shown.returncode, shown.stderr) == (0, "")
    words = re.sub(r".\x08", "", shown.stdout).replace("‐\n", "").split()
    command = page.split("-")[1:]
    said = run(*command, "--help").stdout
    for option in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", said):
        assert any(word.rstrip(",") == option for word in words), option
    examples = [line.split() for line in said.splitlines() if re.match(r"  (\w+=\$\()?okcancel \w", line)]
    for example in examples:
        assert " ".join(example) in " ".join(words)
