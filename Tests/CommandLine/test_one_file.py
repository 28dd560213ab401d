"""Templates and static files are inside the executable; only the two options put others in their place.

That what is inside means what the sources mean is for Tools/test_served_scripts.py.
"""

import resource
import shutil
from pathlib import Path

import pytest

from asking import Asking
from Support.client import Client
from Support.command import BINARY, ROOT, run
from Support.server import Server

PUBLIC = [path.relative_to(ROOT / "Public") for path in (ROOT / "Public").rglob("*.*") if path.is_file()]


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


@pytest.fixture(scope="module")
def ours():
    """What the command serves in its own folder."""
    with Server("Examples") as server:
        yield lambda path: server.exchange("GET", f"/{path}").body


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


def test_the_command_by_itself_serves_its_own_files(alone, spoilt, ours):
    """Promise 2.6 | The server uses no files from the working directory; the executable contains its templates and
    scripts.
    """
    with Server("prompts", program=alone, options={"cwd": spoilt}) as server:
        for path in PUBLIC:
            answer = server.exchange("GET", f"/{path}")
            assert answer.status == 200 and answer.body == ours(path), path
            assert answer.headers["ETag"] and "nosniff" in answer.headers["X-Content-Type-Options"]
        status, page = server.request("GET", "/prompts/email")
        assert status == 200 and "What’s your email address?" in page and "spoilt" not in page


def test_a_question_of_the_command_by_itself_has_its_own_files(alone, spoilt, ours):
    ask = Asking(*PROMPT, program=(alone, "ask"), cwd=spoilt)
    assert Client(ask.link, None).exchange("GET", "/dialog.js").body == ours("dialog.js")
    assert "<form" in ask.page()
    assert ask.answer("email=ann%40example.com")[0] == 200
    assert ask.ended() == (0, "ann@example.com\n", "")


def test_folders_replace_file_by_file(tmp_path, ours):
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
        assert server.exchange("GET", "/rules.js").body == ours("rules.js")
