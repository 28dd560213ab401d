"""On a terminal: what comes from outside controls nothing, and a link can be clicked and scanned."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from urllib.parse import quote

import pytest
from dialog_screen import scanned

from Support.client import answer
from Support.command import BINARY, ROOT, TOKEN, clean, run
from Support.deceptions import DECEPTION, SEEN
from Support.listener import Exchange, Listener
from Support.server import Server

# ESC, a C1 of eight bits, both turned around, and one that hides.
EVIL = "a\x1b]0;owned\x07\x1b[2J\u009b31m\u202eb\u2066\u200b"
# What the command itself may say to a terminal: lines, links, colours of the code, its own line's end.
OWN = re.compile(r"\r?\n|\x1b\]8;;(http[!-~]*)?\x1b\\|\x1b\[38;5;16;48;5;231m|\x1b\[0m|\r\x1b\[2K")


class OnTerminal:
    """The command with all three streams on a terminal of this size."""

    def __init__(self, *words, columns=100, cwd=ROOT, **environment):
        self.inside, outside = pty.openpty()
        fcntl.ioctl(outside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            [BINARY, *map(str, words)], cwd=cwd, env=clean({"TERM": "xterm-256color"} | environment),
            stdin=outside, stdout=outside, stderr=outside, start_new_session=True)
        os.close(outside)
        self.seen = b""

    def read(self):
        try:
            part = os.read(self.inside, 65536)
        except OSError:  # the other side has closed
            part = b""
        self.seen += part
        return part

    def until(self, pattern):
        while not (found := re.search(pattern, self.seen.decode("utf-8", "ignore"), re.DOTALL)):
            assert self.read(), self.seen.decode()
        return found

    def ended(self):
        """The exit code and all that was shown."""
        while self.read():
            pass
        os.close(self.inside)
        return self.process.wait(60), self.seen.decode()

    def link(self):
        return self.until(r"\x1b\]8;;(http[^\x1b]+)\x1b\\\1\x1b\]8;;\x1b\\")[1]


def controls(text):
    """What is left to obey a terminal, beside the command's own."""
    return [char for char in OWN.sub("", text) if ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2066\u200b"]


def test_a_definitions_faults_cannot_control_the_terminal(tmp_path):
    """Promise 3.23 | No control sequence of a definition, an answer or another server reaches the terminal of
    `okcancel`.
    """
    bad = tmp_path / "bad\x1b[2J.yaml"
    bad.write_text(json.dumps({"title": "T", "fields": [{"name": EVIL, "kind": EVIL, "rules": [{"pattern": f"({EVIL}"}]}], EVIL: 1}))
    for words in (["check", bad], ["check", "--format", "json", bad], ["check", "--format", "github", bad],
                  ["check", "--format", "sarif", bad], ["validate", bad], ["ask", "--prompt", bad], ["serve", tmp_path]):
        code, text = OnTerminal(*words, OKCANCEL_PORT="0").ended()
        assert code == 65 and controls(text) == [], text
        assert "⟨U+001B⟩" in text or "u001b" in text


def test_a_refused_value_cannot_control_the_terminal():
    for words in (["validate", "Examples/email.yaml", EVIL], ["validate", "Examples/email.yaml", EVIL + "=1"],
                  ["ask", "--title", "T", "--timeout", EVIL], ["ask", "--title", "T", "--server", EVIL],
                  ["ask", "--title", "T", "--field", EVIL], ["ask", "--title", "T", "--field", "a", "--rule", EVIL],
                  ["serve", "--host", EVIL, "--watch"], ["answers", EVIL], [EVIL], ["validate", "Examples/email.yaml", "--" + EVIL],
                  ["serve", "--port=" + EVIL], ["ask", "--open=" + EVIL]):
        code, text = OnTerminal(*words, OKCANCEL_API_TOKEN=TOKEN).ended()
        # What is wrong with a field or a rule is a fault of the definition that they make.
        assert code == (65 if {"--field", "--rule"} & set(words) else 64) and controls(text) == [], (words, text)


@pytest.mark.parametrize("words", [[], ["--json"], ["--format", "shell"]])
def test_an_answer_cannot_control_the_terminal(words):
    """Promise 3.23"""
    asking = OnTerminal("ask", "--title", "T", "--field", "note:multiline", *words)
    answer(asking.link(), "note=a%C2%9B31mb%E2%80%AE%0Ac")
    code, text = asking.ended()
    assert code == 0 and controls(text) == [] and "⟨U+009B⟩31mb⟨U+202E⟩" in text


def test_what_cannot_be_seen_is_written_out():
    """Promise 2.18"""
    asking = OnTerminal("ask", "--title", "T", "--field", "note")
    answer(asking.link(), "note=" + quote(DECEPTION))
    code, text = asking.ended()
    assert code == 0 and SEEN in text


class EvilServer(Exchange):
    """Another server: it says what it likes."""

    def reply(self, status, body):
        self.answer(status, json.dumps(body, ensure_ascii=False).encode())

    def do_GET(self):
        if self.path.startswith("/prompts/refused"):
            return self.reply(404, {"detail": EVIL})
        if self.path.startswith("/prompts"):
            names = ["a;touch owned", "b"] if "names" in self.path else ["a"]
            return self.reply(200, {"fields": [{"name": name} for name in names]})
        self.reply(200, {"status": "closed", "outcome": "action", "action": EVIL, "values": {"a": EVIL, EVIL: EVIL}})

    def do_POST(self):
        is_plain = json.loads(self.read())["prompt"] != "link"
        self.reply(201, {"id": "i", "link": "http://x/" if is_plain else f"http://x/\x1b]0;owned\x07{EVIL}"})


@pytest.fixture(scope="module")
def evil():
    with Listener(EvilServer) as server:
        yield server.url


def test_a_servers_words_cannot_control_the_terminal(evil):
    """Promise 3.23"""
    def asked(*words):
        code, text = OnTerminal("ask", "--server", evil, *words, OKCANCEL_API_TOKEN=TOKEN).ended()
        assert controls(text) == [], text
        return code, text

    code, text = asked("--prompt", "refused")
    assert code == 70 and "(404): a⟨U+001B⟩]0;owned" in text
    code, text = asked("--prompt", "link", "--qr")
    assert code == 70 and "“http://x/⟨U+001B⟩]0;owned" in text and "is no URL" in text and "\x1b]8" not in text
    assert asked("--prompt", "plain")[0] == 3
    # Names of fields that no definition has do not become words of a script.
    for form in ("shell", "bash", "null"):
        code, text = asked("--prompt", "names", "--format", form)
        assert code == 70 and "the server has a field called “a;touch owned”" in text


def test_the_line_of_waiting_comes_and_goes():
    asking = OnTerminal("ask", "--title", "Your\u202e \x1b[2Jname?", "--field", "name", "--timeout", "7000")
    link = asking.link()
    # All of it: a terminal gives a part of a line when that has come.
    line = asking.until(r"\r\x1b\[2K(Waiting[^\r]*withdraws it)")[1]
    assert line == "Waiting for an answer to “Your⟨U+202E⟩  [2Jname?”, 117 min left; Ctrl-C withdraws it"
    answer(link, "name=Ada")
    code, text = asking.ended()
    assert code == 0 and text.endswith("\r\x1b[2KAda\r\n") and controls(text) == []


def test_ctrl_c_withdraws_and_leaves_no_line():
    with Server() as server:
        asking = OnTerminal("ask", "--prompt", "email", "--server", server.url, OKCANCEL_API_TOKEN=TOKEN)
        link = asking.link()
        asking.until("Waiting for an answer to “email”, 24 h left")
        asking.process.send_signal(signal.SIGINT)
        code, text = asking.ended()
        assert code == 5 and text.endswith("\r\x1b[2Kokcancel: no answer: withdrawn\r\n")
        answer(link, "email=a%40b.c", 409)


def test_a_narrow_terminal_breaks_no_line():
    asking = OnTerminal("ask", "--title", "名前を入力してください" * 4, "--field", "name", columns=40)
    link = asking.link()
    line = asking.until(r"\r\x1b\[2K(Waiting[^\r]*)\r")[1]
    assert sum(1 if ord(char) < 0x1100 else 2 for char in line) <= 39
    answer(link, "outcome=cancel")
    assert asking.ended()[0] == 1


def test_quiet_says_the_link_and_nothing_more():
    asking = OnTerminal("ask", "--title", "T", "--field", "a", "--quiet")
    link = asking.link()
    answer(link, "a=1")
    assert asking.ended() == (0, f"\x1b]8;;{link}\x1b\\{link}\x1b]8;;\x1b\\\r\n1\r\n")
    quiet = run("ask", "--title", "T", "--quiet", "--timeout", "1")
    assert quiet.returncode == 5 and re.fullmatch(r"http://\S+\n", quiet.stderr)


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {}])
def test_a_link_outside_a_terminal_has_nothing_to_click(environment, tmp_path):
    words = ["ask", "--title", "T", "--qr", "--timeout", "1"]
    text = OnTerminal(*words, **environment).ended()[1] if environment else run(*words).stderr
    assert "\x1b" not in text and "Waiting" not in text and "█" not in text
    assert re.match(r"Answer at http://\S+\r?\n", text)


# Of different sizes.
@pytest.mark.parametrize("length", [0, 1, 9, 20, 40, 60, 80])
def test_a_phone_reads_the_link(length, tmp_path):
    base = "http://" + "".join("a" * 39 + "." if place % 40 == 39 else "" for place in range(length)) + "a" * (length % 40) + "b"
    with Server("--base-url", base, "--allow-host", "127.0.0.1") as server:
        asking = OnTerminal("ask", "--prompt", "email", "--server", server.url, "--qr", OKCANCEL_API_TOKEN=TOKEN)
        link = asking.link()
        asking.until("Waiting")
        asking.process.send_signal(signal.SIGINT)
        code, text = asking.ended()
    assert code == 5 and link.startswith(base + "/a/") and controls(text) == []
    assert scanned(text, tmp_path) == link


def test_what_has_no_room_for_a_code_says_so():
    with Server("--base-url", "http://b") as server:
        asking = OnTerminal("ask", "--prompt", "email", "--server", server.url, "--qr", columns=30, OKCANCEL_API_TOKEN=TOKEN)
        asking.until("needs a terminal of 37 columns")
        asking.process.send_signal(signal.SIGINT)
        assert asking.ended()[0] == 5
