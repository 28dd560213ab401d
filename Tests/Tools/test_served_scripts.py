"""The scripts and style sheets that are served without comments and spaces mean what their sources mean; other files are
served as they are."""

import re
import subprocess

import pytest

from Support.command import ROOT
from Support.server import Server

PUBLIC = ROOT / "Public"
# dialog.js is served with the modules that every dialog needs in it.
BUNDLED = ["judge.js", "dialog-state.js", "dialog-field.js", "dialog.js"]
# They have a style sheet in a text of several lines.
OTHER = {"embed/modal.js", "dialog-reading.js"}


def parsed(code):
    """The code as another program prints it, so that only its tokens count."""
    return subprocess.run(["esbuild", "--minify-whitespace"], input=code, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def folder(server):
    return re.search(rb'"(/files/[^"]+/)dialog\.js"', server.exchange("GET", "/prompts/email").body)[1].decode()


@pytest.mark.parametrize("path", sorted({str(path.relative_to(PUBLIC)) for path in PUBLIC.rglob("*.js")} - OTHER))
def test_a_served_script_has_the_tokens_of_its_source(server, folder, path):
    served = server.exchange("GET", folder + path).body
    source = b"".join((PUBLIC / part).read_bytes() for part in (BUNDLED if path == "dialog.js" else [path]))
    if path == "dialog.js":
        source = re.sub(rb"(?m)^export |^import \{.*\n", b"", source)
    assert len(served) < len(source) and parsed(served) == parsed(source)


def rules(path, text):
    """A style sheet without comments and spaces; another file as it is."""
    return b"".join(re.sub(rb"(?s)/\*.*?\*/", b"", text).split()).replace(b";}", b"}") if path.endswith(".css") else text


@pytest.mark.parametrize("path", sorted(str(path.relative_to(PUBLIC)) for path in PUBLIC.rglob("*.*") if path.suffix != ".js"))
def test_a_served_style_sheet_has_the_rules_of_its_source_and_another_file_is_as_it_was(server, path):
    assert rules(path, server.exchange("GET", f"/{path}").body) == rules(path, (PUBLIC / path).read_bytes())
