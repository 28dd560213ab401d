"""The `okcancel` command: OKCANCEL_BIN's, or that of the debug build."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build" / "debug" / "okcancel"))

# An API token for tests: as long as the server wants it to be.
TOKEN = "token-of-the-tests-0123456789"


def clean(environment):
    """This environment without the command's own variables, but for those given."""
    return {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")} | environment


def run(*words, options={}, **environment):
    """Runs the command in the project's folder to its end; `options` are those of `subprocess.run`."""
    return subprocess.run(
        [BINARY, *map(str, words)], env=clean(environment), capture_output=True, text=True, timeout=60,
        **{"cwd": ROOT} | options)
