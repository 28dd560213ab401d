"""The pages for readers: links lead somewhere, and no page is longer than its readers' patience."""

import json
import re

import pytest

from Support.command import ROOT

PAGES = sorted([
    *ROOT.glob("*.md"), *(ROOT / "Documentation").glob("*.md"), *(ROOT / "Packaging").rglob("*.md"),
    *(ROOT / "Tests").glob("*/README.md"), *(ROOT / "Sources").rglob("*.md")])
LONGEST = {
    "README.md": 520, "Documentation/operating.md": 2000, "Documentation/security.md": 2000,
    "Documentation/asking.md": 2000, "Documentation/performance.md": 2000}
name = lambda path: str(path.relative_to(ROOT))


def prose(path):
    """Without blocks of code, whose # and [] are no Markdown."""
    return re.sub(r"(?ms)^ *```.*?^ *```", "", path.read_text("utf-8"))


def anchors(path):
    """As GitHub makes them of headings."""
    heads = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head) for head in re.findall(r"(?m)^#+ (.*)$", prose(path))]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


@pytest.mark.parametrize("page", LONGEST)
def test_a_page_is_not_too_long(page):
    assert len((ROOT / page).read_text("utf-8").split()) <= LONGEST[page]


def test_the_index_names_every_page():
    index = ROOT / "Documentation/README.md"
    named = set(re.findall(r"\]\(([\w-]+\.md)\)", prose(index)))
    assert named == {path.name for path in index.parent.glob("*.md")} - {index.name}


def test_the_results_are_all_that_the_performance_page_says():
    text = (ROOT / "Documentation/performance.md").read_text("utf-8")
    before, _, rest = text.partition("<!-- results of make bench -->")
    assert rest.endswith("<!-- end of results -->\n")
    assert not re.search(r"\d", before), "a number that the tables do not generate"


def test_the_packages_to_build_with_are_the_makefile_s():
    packages = re.search(r"(?m)^BUILD_PACKAGES = (.*)", (ROOT / "Makefile").read_text("utf-8"))[1].split()
    listed = re.search(r"apt install (lib.*?-dev.*?)\n```", (ROOT / "Documentation/swift.md").read_text("utf-8"), re.S)[1]
    assert listed.replace("\\\n", " ").split() == packages
    assert len(packages) == 12 and "twelve Debian packages" in (ROOT / "README.md").read_text("utf-8")


def test_translators_read_what_each_key_of_a_page_means():
    _, _, table = (ROOT / "Documentation/languages.md").read_text("utf-8").partition("| key of `page` |")
    explained = set(re.findall(r"`(\w+)`", table))
    keys = set(json.loads((ROOT / "Sources/Prompts/Languages/en.json").read_text("utf-8"))["page"])
    assert keys - explained == set()
