"""The example of Documentation/theming.md, followed word by word."""

import re
import shutil
import subprocess
import urllib.request

import pytest
from conftest import Dialog, direct, prompts_folder, serving
from Support.command import BINARY, ROOT
from Support.documentation import Page

GUIDE = Page("theming.md")


@pytest.fixture(scope="module")
def themed(tmp_path_factory):
    """The URL of a server with the guide's theme."""
    place = tmp_path_factory.mktemp("theme")
    copy, serve = GUIDE.example("sh", "okcancel templates").splitlines()
    subprocess.run([BINARY, *copy.split()[1:]], cwd=place, check=True)
    assert serve == "okcancel serve Examples --templates my-theme/Templates --public my-theme/Public"
    theme = place / "my-theme"
    (theme / "Public").mkdir()
    (theme / "Public/logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20H0z"/></svg>')
    (theme / "Public/theme.css").write_text(GUIDE.example("css"))
    shutil.copy("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", theme / "Public/own.ttf")
    (theme / "Public/own.js").write_text(GUIDE.example("js"))
    dialog = theme / "Templates/dialog.mustache"
    module = '<script type="module" src="{{files}}dialog.js"></script>\n'
    assert module in dialog.read_text()
    dialog.write_text(dialog.read_text().replace(module, module + '<script type="module" src="/own.js"></script>\n'))
    folder = prompts_folder(tmp_path_factory.mktemp("prompts"))
    with serving(folder, "--templates", theme / "Templates", "--public", theme / "Public") as server:
        yield server.url


def test_a_style_sheet_of_ones_own_is_linked_and_ours_are_inside(tmp_path, tmp_path_factory):
    (tmp_path / "okcancel.css").write_text(":root { --accent: #123456 }")
    with serving(prompts_folder(tmp_path_factory.mktemp("prompts")), "--public", tmp_path) as server:
        page = urllib.request.urlopen(f"{server.url}/prompts/kinds").read().decode()
    assert re.findall(r'<link rel="stylesheet" href="/files/[^/]*/([^"]*)"', page) == ["okcancel.css"]
    # Those of the page's controls and extras.
    assert page.count("<style>") == 2 and "#123456" not in page


@pytest.fixture
def dialog(browser, themed):
    return Dialog(browser, direct(themed))


def test_the_theme_shows(dialog):
    dialog.open("email")
    dialog.insert("email", "alice@example.org")
    dialog.wait(lambda: dialog.js("return getComputedStyle(arguments[0]).color", dialog.ok) == "rgb(251, 251, 253)")
    assert dialog.js("return getComputedStyle(arguments[0]).borderRadius", dialog.ok) == "8px"
    assert dialog.js("return document.querySelector('.card').offsetWidth") == 24 * 16


def test_the_logo_is_above_the_title(dialog):
    dialog.open("email")
    assert dialog.js("const {naturalWidth, alt, nextElementSibling} = document.querySelector('header > .logo');"
                     "return [naturalWidth, alt, nextElementSibling.id]") == [40, "", "title"]


def test_a_font_of_ones_own_loads(dialog):
    dialog.open("email")
    assert dialog.js("return new FontFace('Own', 'url(/own.ttf)').load().then(({status}) => status, String)") == "loaded"


def test_the_page_has_its_say(dialog):
    dialog.open("email")
    dialog.wait(lambda: dialog.js("return document.getElementById('dialog').delegates.length === 1"))
    # A test before may have moved the focus out of the page, where nothing blurs.
    dialog.field("email").click()
    dialog.insert("email", "a@b")
    dialog.insert("email", ".com")
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message("email"))
    assert dialog.message("email") == "Use an address that ends in .org"
    dialog.insert("email", " ")
    assert dialog.text("email") == "a@b.com"


def test_the_page_has_its_say_while_the_dialog_still_loads(dialog):
    dialog.open("quantity")
    dialog.wait(lambda: dialog.js("return document.getElementById('dialog').delegates.length === 1"))
    dialog.js("document.getElementById('form').requestSubmit()")
    dialog.wait(lambda: dialog.message("quantity") == "Use an address that ends in .org")


def test_every_property_is_in_the_guide():
    declared = set(re.findall(r"^  (--[a-z]+):", (ROOT / "Public/okcancel.css").read_text(), re.MULTILINE))
    rows = re.findall(r"^\| (`--.*?) \|", GUIDE.text, re.MULTILINE)
    assert declared == {name for row in rows for name in re.findall(r"`(--[a-z]+)`", row)}
