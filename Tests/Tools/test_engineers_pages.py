"""What the pages for engineers name is there."""

import platform
import re

import pytest

from Support.command import ROOT
from Tools.walk import lines, walk

PAGES = ["CONTRIBUTING.md", "Documentation/architecture.md"]
FILES = [path.relative_to(ROOT) for folder in ("Sources", "Templates", "Public", "Tests", "Documentation", "Benchmarks", "Examples", "Packaging", "Plugins", "debian")
         for path in [ROOT / folder, *(ROOT / folder).rglob("*")]]


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_engineers_pages_name_exists(page):
    named = re.findall(r"`([\w+./*-]*(?:/[\w+./*-]*|\.(?:swift|js|mjs|json|md|py)))`", (ROOT / page).read_text("utf-8"))
    assert len(named) > 5
    # A file may be named without its folder.
    missing = [name for name in named if not any(path.match(name.rstrip("/")) for path in FILES)]
    assert missing == []


@pytest.mark.skipif(platform.machine() != "x86_64", reason="walk.c knows the breakpoints of x86-64")
def test_a_verdict_runs_through_so_many_files():
    page = " ".join((ROOT / "Documentation/architecture.md").read_text("utf-8").split())
    told = re.search(r"runs through some (\d+) files, and comes back to a folder that it had left (\d+) times", page).groups()
    first, *run = lines("a verdict", walk(["a verdict"])["a verdict"])
    found = re.fullmatch(r"a verdict: (\d+) files, (\d+) changes", first).groups()
    # A file more or less leaves the picture as it is.
    assert all(abs(int(one) - int(other)) <= 5 for one, other in zip(told, found)), first
    # From its head to its line in the log.
    assert run[0].startswith("  MicroHTTP/") and "LogLines" in run[-1]


def test_a_module_imports_only_those_above_it_in_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    modules = re.findall(r"`Sources/(\w+)`", text)
    assert sorted(modules) == sorted(folder.name for folder in (ROOT / "Sources").iterdir())
    for place, module in enumerate(modules):
        for file in (ROOT / "Sources" / module).rglob("*.swift"):
            imported = set(re.findall(r"^\s*(?:\w+ )?import (?:\w+ )?(\w+)", file.read_text("utf-8"), re.M))
            below = [name for name in modules[place:] if name in imported and not re.match("C[A-Z]", name)]
            assert not below, f"{file} imports {below}"


def test_a_layer_names_no_type_of_a_higher_one():
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("| module | layers |")[2].partition("\n\n")[0]
    for module, layers in re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.M):
        order = [name or "" for name in re.findall(r"`(\w+)`(?! on)|all others", re.sub(r"\([^)]*\)", "", layers))]
        code, types = [""] * len(order), [set() for _ in order]
        for file in (ROOT / "Sources" / module).rglob("*.swift"):
            folder = file.relative_to(ROOT / "Sources" / module).parts[0]
            place = order.index(folder if folder in order else "")
            text = re.sub(r"//.*|\"(?:[^\"\\\n]|\\.)*\"", "", file.read_text("utf-8"))
            code[place] += text
            types[place] |= set(re.findall(r"^(?:[\w@]+ )*(?:struct|class|enum|protocol|actor|typealias) (\w+)", text, re.M))
        for place, text in enumerate(code):
            higher = set().union(*types[place + 1:]) - set().union(*types[:place + 1])
            assert higher & set(re.findall(r"\w+", text)) == set(), (module, order[place] or "all others")


def test_the_library_says_which_functions_it_replaces():
    page = (ROOT / "Sources/OKCancel/OKCancel.docc/OKCancel.md").read_text("utf-8")
    said = set(re.findall(r"^- ((?:`\w+`(?: and )?)+)", page, re.M))
    code = "".join(file.read_text("utf-8") for file in sorted((ROOT / "Sources/CMicroHTTPD").rglob("*.c")))
    replaced = {name for name in re.findall(r"^(?!static)[a-z]\w+ [\w *]*?\b(\w+)\([^;]*\{$", code, re.M) if not name.startswith("cmhd_")}
    assert set(re.findall(r"`(\w+)`", " ".join(said))) == replaced and len(replaced) == 4
