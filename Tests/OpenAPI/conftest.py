"""A real server of the examples, for a session."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build" / "debug" / "okcancel"))
TOKEN = "0123456789-for-tests"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Its address, without a slash at the end."""
    folder = tmp_path_factory.mktemp("server")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")}
    with open(folder / "log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [BINARY, "serve", "Examples", "--port", "0", "--database", str(folder / "a.sqlite")],
            cwd=ROOT, env=environment | {"OKCANCEL_API_TOKEN": TOKEN}, text=True, stdout=subprocess.PIPE, stderr=log)
        try:
            yield re.search(r"http://\S+(?=/)", process.stdout.readline())[0]
        finally:
            process.terminate()
            assert process.wait(20) == 0


@pytest.fixture(scope="session")
def token():
    """The header that shows the API token."""
    return {"Authorization": f"Bearer {TOKEN}"}
