"""`Documentation/first-steps.md`, followed word by word in a folder of its own; only the ports are others."""

import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from Support.client import FORM, Client
from Support.command import ROOT, clean, on_path
from Support.documentation import Page
from Support.program import Program
from Support.server import Server, free_port

PAGE = Page("first-steps.md")


class Steps:
    """The folder where the reader works, with the okcancel that step 1 builds on the path."""

    def __init__(self, folder, ports):
        self.folder, self.ports = folder, ports
        (folder / "bin").mkdir()
        (folder / "bin/python3").symlink_to(sys.executable)
        self.variables = clean({"PATH": on_path(folder / "bin")})

    def local(self, text):
        for port, own in self.ports.items():
            text = text.replace(f"localhost:{port}", f"localhost:{own}").replace(f'"127.0.0.1", {port}', f'"127.0.0.1", {own}')
        return text

    def run(self, command):
        return subprocess.run(
            ["bash", "-ec", self.local(command)], cwd=self.folder, env=self.variables, text=True, capture_output=True, timeout=60)

    def check(self, containing, **change):
        """Runs each command of a console and holds what it prints against the page."""
        lines = PAGE.example("console", containing).splitlines()
        for command, shown in zip(lines[::2], lines[1::2]):
            for old, new in change.items():
                command, shown = command.replace(old, new), shown.replace(old, new)
            yield command, self.run(command.removeprefix("$ ").replace("curl ", "curl -s ")).stdout.strip(), shown


@pytest.fixture
def steps(tmp_path):
    return Steps(tmp_path, {8080: free_port(), 8000: free_port()})


def test_the_first_steps_lead_to_a_verified_answer(steps):
    build = PAGE.example("sh", "make build")
    assert re.search(r"(?m)^build:", (ROOT / "Makefile").read_text("utf-8")) and ".build/release" in build
    written = steps.run(PAGE.example("sh", "mkdir Prompts"))
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    for _, printed, shown in steps.check("okcancel validate"):
        assert printed == shown

    serve = PAGE.example("sh", "okcancel serve")
    token, command = serve.splitlines()
    assert re.fullmatch(r"[0-9a-f]{32}", steps.run(token.split("=", 1)[1].removeprefix("$(").removesuffix(")")).stdout.strip())
    words = steps.local(command).removesuffix(" &").split()
    with Server(*words[2:], options={"cwd": steps.folder}, OKCANCEL_PORT=str(steps.ports[8080])) as server:
        steps.variables["OKCANCEL_API_TOKEN"] = server.token
        for _, printed, shown in steps.check("/validate/invite"):
            assert printed == shown

        (steps.folder / "index.html").write_text(steps.local(PAGE.example("html")))
        (steps.folder / "guests.py").write_text(steps.local(PAGE.example("python")))
        backend = steps.local(PAGE.example("sh", "guests.py")).removesuffix(" &\n").split()
        with Program(backend, steps.ports[8000], cwd=steps.folder, env=steps.variables, stderr=subprocess.DEVNULL):
            site = Client(f"http://localhost:{steps.ports[8000]}", None)
            assert "<ok-cancel" in site.request("GET", "/")[1]
            # The database, its key and the program are in the same folder, and stay there.
            for name in ("okcancel.sqlite", "okcancel.sqlite.key"):
                (steps.folder / name).touch()
            for path in ("okcancel.sqlite.key", "okcancel.sqlite", "guests.py", "", "./index.html", "%2e/okcancel.sqlite.key"):
                status, text = site.request("GET", f"/{path}")
                assert status == (404 if path else 200) and ("<ok-cancel" in text) == (not path), path
            lines = PAGE.example("console", "?receipt").splitlines()
            answered = steps.run(lines[0].removeprefix("$ ").replace("curl ", "curl -s ")).stdout.strip()
            own = re.search(r'"receipt":"(\w+)"', answered)[1]
            named = re.search(r'"receipt":"(\w+)"', lines[1])[1]
            assert answered == lines[1].replace(named, own)
            for command, shown in zip(lines[2::2], lines[3::2]):
                assert steps.run(command.removeprefix("$ ").replace(named, own).replace("curl ", "curl -s ")).stdout.strip() == shown
            # A receipt counts once.
            assert site.request("POST", "/guests", f"receipt={own}", FORM) == (403, "No verified answer.\n")

        ask = subprocess.Popen(
            ["bash", "-ec", steps.local(PAGE.example("sh", "SEATS")) + 'echo "$SEATS"'], cwd=steps.folder, env=steps.variables,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        link = ask.stderr.readline().split()[-1]
        assert Client(link, None).request("POST", urlsplit(link).path, "seats=3", FORM)[0] == 200
        assert ask.communicate(timeout=60)[0] == "3\n"
