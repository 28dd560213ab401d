"""`serve --watch`: an author saves, and open pages follow."""

import pytest

from conftest import Dialog, direct
from Support.command import ROOT
from Support.server import Server

NAME = "title: {}\nfields: [{{name: name}}, {{name: secret, kind: password}}]\n"


@pytest.fixture
def author(tmp_path, browser):
    """A server that watches, and what an author has open and at hand."""
    prompts, templates, public = (tmp_path / name for name in ("prompts", "templates", "public"))
    for folder in (prompts, templates, public / "deep"):
        folder.mkdir(parents=True)
    (prompts / "name.yaml").write_text(NAME.format("One"))
    with Server(prompts, "--watch", "--templates", templates, "--public", public) as server:
        author = Author(browser, direct(server.url))
        author.log, author.prompts, author.templates, author.public = server.log, prompts, templates, public
        yield author
        browser.open("about:blank")


class Author(Dialog):
    @property
    def title(self):
        return self.js("return document.querySelector('h1').textContent")

    @property
    def faults(self):
        return self.js("return [...document.querySelectorAll('#faults li')].map(({textContent}) => textContent)")

    def sees(self, title):
        self.wait(lambda: self.title == title)


def renamed(path, text):
    """As vim, Emacs and most IDEs save: another file takes the name."""
    other = path.with_name(f".{path.name}.swp")
    other.write_text(text)
    other.rename(path)


def truncated(path, text):
    """As `>` and nano save, in parts."""
    with path.open("w") as file:
        for part in (text[:8], text[8:]):
            file.write(part)
            file.flush()


def moved_aside(path, text):
    """As some editors save: the old file becomes a backup first."""
    path.rename(path.with_name(path.name + "~"))
    path.write_text(text)


@pytest.mark.parametrize("save", [renamed, truncated, moved_aside])
def test_a_saved_prompt_shows_in_its_open_page(author, save):
    author.open("name")
    assert author.title == "One"
    save(author.prompts / "name.yaml", NAME.format("Two"))
    author.sees("Two")


def test_typed_text_stays_over_a_reload_but_for_passwords(author):
    author.open("name")
    author.insert("name", "Ada")
    author.insert("secret", "hush")
    renamed(author.prompts / "name.yaml", NAME.format("Two"))
    author.sees("Two")
    author.wait(lambda: author.text("name") == "Ada")
    assert author.text("secret") == ""


def test_a_file_saved_as_it_was_leaves_the_page_alone(author):
    author.open("name")
    author.js("window.isTheSame = true")
    renamed(author.prompts / "name.yaml", "# The same.\n" + NAME.format("One"))
    author.log.wait_for("reloaded 1 prompt")
    renamed(author.prompts / "other.yaml", "title: [\n")
    author.wait(lambda: author.faults)
    assert author.js("return window.isTheSame")


def test_every_fault_shows_with_its_line_until_it_is_mended(author):
    author.open("name")
    name, other = author.prompts / "name.yaml", author.prompts / "other.yaml"
    name.write_text("titel: <b>Two</b>\nfields: []\n")
    author.wait(lambda: len(author.faults) == 2)
    # In the page without the folder's own path, which the log has.
    shown = lambda path: f"{path.parent.name}/{path.name}"
    assert author.faults[0] == f"{shown(name)}:1:1: a prompt has no key `titel`; did you mean `title`?"
    assert author.find("#faults").text.startswith("Not served yet")
    assert author.title == "One"
    other.write_text("title: Other\nfields: [{name: a, kind: em\u202eail}]\n")
    author.wait(lambda: any(
        fault.startswith(f"{shown(other)}:2:") and "`em⟨U+202E⟩ail`; did you mean `email`?" in fault for fault in author.faults))
    # A page that is opened meanwhile shows them too, even one that there is not.
    author.go("/prompts/other")
    author.wait(lambda: len(author.faults) == 3)
    author.log.wait_for(f"{name}:1:1")
    name.write_text(NAME.format("Two"))
    other.write_text("title: Other\n")
    author.sees("Other")
    author.wait(lambda: author.faults == [])


def test_templates_and_files_are_live_too(author):
    author.open("name")
    broken = author.templates / "done.mustache"
    broken.write_text("{{#outcome}}")
    author.wait(lambda: author.faults and f"{author.templates.name}/{broken.name}:1:" in author.faults[0])
    assert str(author.templates) not in author.faults[0]
    broken.unlink()
    author.wait(lambda: author.faults == [])
    page = (ROOT / "Templates/page.mustache").read_text()
    link = '<link rel="stylesheet" href="{{files}}deep/own.css">\n'
    (author.templates / "page.mustache").write_text(page.replace("{{$head}}", link + "{{$head}}"))
    (author.public / "deep/own.css").write_text("h1 { color: rgb(1, 2, 3) }")
    color = "return getComputedStyle(document.querySelector('h1')).color"
    author.wait(lambda: author.js(color) == "rgb(1, 2, 3)")
    renamed(author.public / "deep/own.css", "h1 { color: rgb(4, 5, 6) }")
    author.wait(lambda: author.js(color) == "rgb(4, 5, 6)")


def test_new_and_deleted_prompts_count(author):
    author.go("/")
    names = "return [...document.querySelectorAll('.gallery code')].map(({textContent}) => textContent)"
    assert author.js(names) == ["name"]
    (author.prompts / "another.yaml").write_text("title: Another\n")
    author.wait(lambda: author.js(names) == ["another", "name"])
    (author.prompts / "name.yaml").unlink()
    author.wait(lambda: author.js(names) == ["another"])


def test_a_folder_that_is_replaced_is_watched_on(author):
    author.open("name")
    author.prompts.rename(author.prompts.with_name("old"))
    author.wait(lambda: author.faults)
    author.prompts.mkdir()
    (author.prompts / "name.yaml").write_text(NAME.format("Two"))
    author.sees("Two")
    renamed(author.prompts / "name.yaml", NAME.format("Three"))
    author.sees("Three")


def test_no_policy_is_broken(author):
    author.open("name")
    author.js("addEventListener('securitypolicyviolation', ({violatedDirective}) => window.broken = violatedDirective)")
    (author.prompts / "name.yaml").write_text("titel: Two\n")
    author.wait(lambda: author.faults)
    # Its style comes in a file of its own.
    author.wait(lambda: author.js("return getComputedStyle(document.getElementById('faults')).position") == "fixed")
    assert author.js("return window.broken ?? null") is None
