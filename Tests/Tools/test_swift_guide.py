"""The Swift guide by its own word: a package beside this one, as Documentation/swift.md makes it, with all of its code."""

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

from Support.command import DEBUG, ROOT

GUIDE = (ROOT / "Documentation/swift.md").read_text("utf-8")
PROGRAMS = "Five programs"
GUESSES = (ROOT / "Tests/Tools/swift-guesses.txt").read_text("utf-8").splitlines()
# What some blocks use without saying what it is.
AROUND = """
import Foundation
import OKCancel
struct Users: Sendable { func contains(_ name: String) async throws -> Bool { name == "ada" } }
let users = Users()
let (token, person, diff, text) = ("token", "ada", "-old", "title: T")
@Sendable func send(_ link: URL, to person: String) async throws {}
"""


def blocks(section=""):
    """The Swift of a section, or of all sections but that of the programs."""
    for heading, body in re.findall(r"(?ms)^#+ ([^\n]*)\n(.*?)(?=^#+ |\Z)", re.sub(r"(?m)^# .*", "", GUIDE)):
        if (heading == section) if section else heading != PROGRAMS:
            yield from re.findall(r"(?ms)^```swift\n(.*?)^```", body)


def indented(code, around):
    return f"{around} {{\n{code}}}\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The built program, away from this folder, and what the build said."""
    package = tmp_path_factory.mktemp("guide") / "App"
    sources = package / "Sources/App"
    sources.mkdir(parents=True)
    manifest = re.search(r"(?ms)^```swift\n(// swift-tools-version.*?)^```", GUIDE)[1]
    readme = (ROOT / "README.md").read_text("utf-8")
    beside = '.package(path: "../okcancel")'
    assert beside in manifest and beside in readme
    # Whatever the folder of this checkout is called. What the tests have built already is taken from `.build`.
    (package / "Package.swift").write_text(
        manifest.replace(beside, f'.package(name: "okcancel", path: {json.dumps(str(ROOT))})'), "utf-8")
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", package)
    readme = re.findall(r"(?ms)^```swift\n(.*?)^```", readme)
    lines = [code.replace("import OKCancel\n", "") for code in [*blocks(), *readme]]
    needs = {"server": "let server = try OKCancelServer()", "prompt": 'let prompt = Prompt(title: "T")',
             "client": 'let client = Client(url: "http://127.0.0.1", token: token)'}
    functions = []
    for number, code in enumerate(lines):
        given = [line for name, line in needs.items()
                 if re.search(rf"\b{name}[.,)]", code) and not re.search(rf"\blet {name}\b", code)]
        # At the top of a file nobody minds an unused value.
        used = "_ = ({})\n".format(", ".join(re.findall(r"(?m)^let (\w+)", code)))
        functions.append(indented("\n".join([*given, code + used]), f"func part{number}() async throws"))
    (sources / "Parts.swift").write_text(AROUND + "\n".join(functions), "utf-8")
    guesses = [row.partition("|") for row in GUESSES if not row.startswith("#")]
    assert len(guesses) > 70
    (sources / "Guesses.swift").write_text("import Foundation\nimport OKCancel\n" + "".join(
        f"/* {name} */ func guess{number}() async throws {{ {code} }}\n"
        for number, (name, _, code) in enumerate(guesses)), "utf-8")
    programs = "".join(indented(code, "do") for code in blocks(PROGRAMS))
    (sources / "main.swift").write_text(
        f"import OKCancel\nlet server = try OKCancelServer()\ntry await part0()\n{programs}await server.drain()\n", "utf-8")
    built = subprocess.run(
        ["swift", "build", "--package-path", package, "--scratch-path", ROOT / ".build", "--product", "App"],
        capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    elsewhere = shutil.move(DEBUG / "App", tmp_path_factory.mktemp("elsewhere") / "App")
    return elsewhere, built.stdout + built.stderr


def answer(link, **fields):
    """Sends an answer; the status."""
    try:
        with urllib.request.urlopen(link, urllib.parse.urlencode(fields).encode()) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_new_package_builds_without_warnings(program):
    _, said = program
    assert not re.search(r"/App/\S+: warning|App.*warning:", said), said


def test_the_five_programs_do_what_they_say(program):
    running = subprocess.Popen([program[0]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        def link():
            for line in running.stderr:
                if line.startswith("Answer at "):
                    return line.removeprefix("Answer at ").strip()
            return None

        first = link()
        # Templates are in the program.
        assert b"<form" in urllib.request.urlopen(first).read()
        assert answer(first, value="ann@example.com") == 200
        nickname = link()
        assert answer(nickname, value="ada lovelace") == 422
        assert answer(nickname, value="ada") == 200
        assert answer(link(), action="archive") == 200
        assert answer(link(), email="ann@example.com", password="12345678") == 200
        account = link()
        assert answer(account, name="ann@example.com", password="12345678", again="12345678") == 422
        assert answer(account, name="Ann", password="12345678", again="1234567") == 422
        assert answer(account, name="Ann", password="12345678", again="12345678") == 200
        output, errors = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0, errors
    assert output.splitlines() == [
        "false", "Enter an email address", "Geben Sie eine ganze Zahl ein, zum Beispiel 42", "true 3",
        "Enter a number from 1 to 5",
        "ann@example.com", "false No spaces, please", "ada", "archived", "signed in as ann@example.com", "Ann"]
