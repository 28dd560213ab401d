"""Templates and static files are inside the executable; only the two options put others in their place."""

import re
import resource
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from asking import Asking
from Support.client import Client
from Support.command import BINARY, ROOT, run
from Support.server import Server

PUBLIC = {path.relative_to(ROOT / "Public"): path for path in (ROOT / "Public").rglob("*.*") if path.is_file()}


def is_ours(body, file):
    """Whether these bytes are a file of ours: scripts and style sheets come without comments and white space."""
    source = file.read_bytes()
    if file.suffix not in (".js", ".css"):
        return body == source
    if file.name == "dialog.js":
        # With the modules that every dialog needs in it.
        source = b"".join((file.parent / name).read_bytes() for name in ("judge.js", "dialog-state.js", "dialog-field.js")) + source
        source = re.sub(rb"(?m)^export |^import \{.*\n", b"", source)
    return len(body) < len(source) and tokens(body, file) == tokens(source, file)


def tokens(code, file):
    """The code without comments and white space: of a script, as another program prints it."""
    if file.suffix == ".css":
        code = re.sub(rb"(?s)/\*.*?\*/", b"", code)
    else:
        code = subprocess.run(["esbuild", "--minify-whitespace"], input=code, capture_output=True, check=True).stdout
    return b"".join(code.split()).replace(b";}", b"}")


def test_templates_are_copied_and_none_is_replaced(tmp_path):
    ours = sorted(path.name for path in (ROOT / "Templates").iterdir())
    said = run("templates", tmp_path / "all")
    assert said.stdout.splitlines() == [f"{tmp_path}/all/{name}" for name in ours]
    for name in ours:
        assert (tmp_path / "all" / name).read_bytes() == (ROOT / "Templates" / name).read_bytes()
    assert run("templates", tmp_path / "one", "dialog").stdout == f"{tmp_path}/one/dialog.mustache\n"
    (tmp_path / "one/dialog.mustache").write_text("mine")
    again = run("templates", tmp_path / "one", "dialog")
    assert (again.returncode, again.stderr) == (
        70, f"okcancel: {tmp_path}/one has one of these files already; name another folder\n")
    assert (tmp_path / "one/dialog.mustache").read_text() == "mine"
    unknown = run("templates", tmp_path, "dialogue")
    assert (unknown.returncode, unknown.stderr) == (
        64, "okcancel: there is no template `dialogue`; did you mean `dialog`?\n")


def test_no_half_a_template_stays_behind(tmp_path):
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)), "restore_signals": False}
    ended = run("templates", tmp_path, "dialog", options=full)
    assert ended.returncode == 70 and list(tmp_path.iterdir()) == [], ended.stderr


PROMPT = ("--title", "Your email", "--field", "email:email")


def spoil(folder):
    """Templates that draw nothing and scripts that send what is typed elsewhere, under the names of ours."""
    for kind in ("Templates", "Public"):
        shutil.copytree(ROOT / kind, folder / kind)
    for path in (folder / "Templates").iterdir():
        path.write_text("{{#spoilt}}")
    for path in (folder / "Public").rglob("*.js"):
        path.write_text("spoilt")


@pytest.fixture
def alone(tmp_path):
    """The command in a folder of its own, with spoilt folders where an installation would keep its own."""
    (tmp_path / "bin").mkdir()
    spoil(tmp_path / "share" / "okcancel")
    return Path(shutil.copy(BINARY, tmp_path / "bin"))


@pytest.fixture
def spoilt(tmp_path):
    """A working directory with spoilt folders, and one prompt."""
    folder = tmp_path / "work"
    spoil(folder)
    (folder / "prompts").mkdir()
    shutil.copy(ROOT / "Examples" / "email.yaml", folder / "prompts")
    return folder


def test_the_command_by_itself_serves_its_own_files(alone, spoilt):
    with Server("prompts", program=alone, options={"cwd": spoilt}) as server:
        for path, file in PUBLIC.items():
            answer = server.exchange("GET", f"/{path}")
            assert answer.status == 200 and is_ours(answer.body, file), path
            assert answer.headers["ETag"] and "nosniff" in answer.headers["X-Content-Type-Options"]
        status, page = server.request("GET", "/prompts/email")
        assert status == 200 and "What’s your email address?" in page and "spoilt" not in page


def test_a_question_of_the_command_by_itself_has_its_own_files(alone, spoilt):
    ask = Asking(*PROMPT, program=(alone, "ask"), cwd=spoilt)
    person = Client(ask.link, None)
    assert is_ours(person.exchange("GET", "/dialog.js").body, ROOT / "Public" / "dialog.js")
    assert "<form" in person.request("GET", urlsplit(ask.link).path)[1]
    assert ask.answer("email=ann%40example.com")[0] == 200
    assert ask.ended() == (0, "ann@example.com\n", "")


def test_folders_replace_file_by_file(tmp_path):
    templates, public = tmp_path / "t", tmp_path / "p"
    (public / "embed").mkdir(parents=True)
    templates.mkdir()
    (templates / "error.mustache").write_text("<p>Ours: {{detail}}</p>")
    (public / "dialog.js").write_text("// ours")
    (public / "embed" / "own.css").write_text("p {}")
    with Server("--templates", templates, "--public", public) as server:
        assert server.request("GET", "/nowhere", headers={"Accept": "text/html"})[1].startswith("<p>Ours: ")
        assert "<form" in server.request("GET", "/prompts/email")[1]
        assert server.request("GET", "/dialog.js") == (200, "// ours")
        assert server.request("GET", "/embed/own.css") == (200, "p {}")
        assert is_ours(server.exchange("GET", "/rules.js").body, ROOT / "Public" / "rules.js")
