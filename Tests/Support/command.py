"""The `okcancel` command under test: what `make build` makes, with Swift's libraries inside, as people install it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# OKCANCEL_BIN names another, from this project's folder.
BINARY = str(ROOT / os.environ.get("OKCANCEL_BIN", ".build/release/okcancel"))
# For the few that look inside: symbols, the fuzzers, the library.
DEBUG = ROOT / ".build/debug"

# An API token for tests: as long as the server wants it to be.
TOKEN = "token-of-the-tests-0123456789"


def clean(environment):
    """This environment without the command's own variables, but for those given."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")} | environment


def script(path, text):
    """Makes a program of these lines for the shell; its path."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def on_path(folder, **programs):
    """A PATH with the command and these programs, each the lines of its script."""
    (folder / "okcancel").symlink_to(Path(BINARY).resolve())
    for name, text in programs.items():
        script(folder / name, text)
    return f"{folder}:/usr/bin:/bin"


def handed(descriptor, count=1):
    """What runs a program as a service manager does: this is its descriptor 3, and the variables say so."""
    code = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ |= {'LISTEN_PID': str(os.getpid()), "
        "'LISTEN_FDS': sys.argv[2]}; os.execv(sys.argv[3], sys.argv[3:])")
    return [sys.executable, "-c", code, str(descriptor), str(count)]


def run(*words, options={}, **environment):
    """Runs the command in the project's folder to its end; `options` are those of `subprocess.run`."""
    return subprocess.run(
        [BINARY, *map(str, words)], env=clean(environment), capture_output=True, text=True, timeout=60,
        **{"cwd": ROOT} | options)
