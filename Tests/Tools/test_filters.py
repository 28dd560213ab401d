"""`swift test` passes if nothing matches its filter: what the documentation names must exist."""

import re

import pytest

from Support.command import ROOT

PAGES = [ROOT / "CONTRIBUTING.md", ROOT / "Tests/check", ROOT / "Tests/long", *(ROOT / "Documentation").glob("*.md")]
NAMED = sorted({
    (page.name, name) for page in PAGES
    for line in re.findall(r"swift test(?:.*\\\n)*.*|tests=.*", page.read_text("utf-8"))
    for name in re.findall(r"--(?:filter|skip) '?([\w ,]+\w)", line)})


def names():
    """What a filter is held against: modules, names of files, suites and tests."""
    for file in (ROOT / "Tests").rglob("*.swift"):
        text = file.read_text("utf-8")
        if "@Test" in text:
            yield file.relative_to(ROOT / "Tests").parts[0]
            yield file.name
            yield from re.findall(r"(?:struct|class|func) (`.*?`|\w+)", text)


@pytest.mark.parametrize("page, name", NAMED)
def test_a_filter_finds_tests(page, name):
    assert any(name in each for each in names()), f"{page}: swift test --filter {name} would run nothing"


def test_the_pages_name_some_filters():
    assert {"CONTRIBUTING.md", "check", "long", "languages.md"} <= {page for page, _ in NAMED}
