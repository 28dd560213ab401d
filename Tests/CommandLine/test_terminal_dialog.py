"""A question that is asked and answered in a terminal: `okcancel ask --terminal` and `okcancel answer LINK`."""

import json
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from dialog_screen import BACKTAB, DOWN, ENTER, ESCAPE, TAB, DialogScreen

from Support.client import answer
from Support.command import BINARY, TOKEN, clean, run
from Support.nested import ANSWER, SCHEMA
from Support.server import Server

SCREENS = Path(__file__).parent / "screens"

EVERY_KIND = """
title: {title}
message: |
  {message}

  -> x
fields:
  - {{name: mail, label: "{label} 1", kind: email, help: "{help}", value: a@example.com}}
  - section: "{label} 2"
  - {{name: plan, label: "{label} 3", kind: choice, options: [{{value: s, title: "{help}"}}, l]}}
  - {{name: firm, label: "{label} 4", required: true, when: {{field: plan, oneOf: [l]}}}}
  - {{name: "on", label: "{label} 5", kind: boolean}}
  - {{name: many, label: "{label} 6", kind: choices, options: [a, b, c], rules: [{{count: {{max: 2}}}}]}}
  - {{name: size, label: "{label} 7", kind: slider, unit: kg, rules: [{{range: {{min: 0, max: 10}}}}]}}
  - {{name: day, label: "{label} 8", kind: date, optional: true}}
  - {{name: secret, label: "{label} 9", kind: password, rules: [{{length: {{min: 2}}}}]}}
  - {{name: note, label: "{label} 10", kind: multiline, optional: true}}
context:
  - diff: "--- a\\n+++ b\\n-old\\n+new\\n"
  - table: {{columns: [k, "{label}"], rows: [["1", "{help}"], ["{help}", "2"]]}}
"""

TEXTS = {
    "en": {"title": "An order", "message": "Everything that we ask, in one dialog", "label": "Field", "help": "A hint"},
    "ar": {"title": "طلب", "message": "كل ما نسأل عنه", "label": "حقل", "help": "تلميح"},
    "ja": {"title": "ご注文", "message": "すべての質問をひとつのダイアログで", "label": "項目", "help": "ヒント"},
}

# Languages where lines are broken; what a wide terminal shows is the same in each.
SHOWN = [("en", 80), *((language, 30) for language in TEXTS)]

VALUES = {"mail": "b@example.com", "plan": "l", "firm": "acme", "on": True, "many": ["a", "c"], "size": 5, "day": None,
          "secret": "ab", "note": "x\ny"}


def compare(name, screens):
    """Compares screens with those that are kept. With UPDATE_SCREENS set, it keeps them."""
    path, text = SCREENS / f"{name}.txt", "\n-----\n".join(screens) + "\n"
    if os.environ.get("UPDATE_SCREENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


def every_kind(tmp_path, language):
    path = tmp_path / "order.yaml"
    path.write_text(EVERY_KIND.format(**TEXTS[language]))
    return path


def focused(number):
    return lambda text: any(line.startswith("›") and f" {number}" in line for line in text.splitlines())


@pytest.mark.parametrize("language, columns", SHOWN)
def test_every_kind_is_asked_on_a_screen(tmp_path, language, columns):
    dialog = DialogScreen(
        "ask", "--prompt", every_kind(tmp_path, language), "--language", language, "--terminal", columns=columns, rows=60)
    dialog.until(focused(1))
    screens = [dialog.settled()]
    for keys, condition, *kept in [
        ("\x15b@x y" + ENTER, "✗", True), ("\x15b@example.com" + ENTER, focused(3)), (ENTER, "✗"), (DOWN, "(•) 2"),
        (ENTER, focused(4)), (ENTER, "✗"), ("acme" + ENTER, focused(5)), ("1" + ENTER, focused(6)),
        ("a b c " + ENTER, "✗", True), (" ", "[ ] 3"), (ENTER, focused(7)), ("11" + ENTER, "✗"),
        ("\x155" + ENTER, focused(8)), ("31.1.2025" + ENTER, "✗"), ("\x15" + ENTER, focused(9)), ("a" + ENTER, "✗"),
        ("b" + ENTER, focused(10)), ("x" + ENTER + "y", "│ y", True), ("\x04", "› ["),
    ]:
        dialog.press(keys, condition)
        if kept:
            screens.append(dialog.settled())
    dialog.type(ENTER)
    code, output = dialog.ended()
    screens.append(dialog.text())
    assert (code, json.loads(output)) == (0, {"outcome": "ok", "values": VALUES | {"many": ["a", "b"]}, "changed": ["/mail"], "by": {"via": "terminal"}})
    assert dialog.is_restored()
    assert "ab" not in dialog.seen.decode().replace("table", "")
    compare(f"{language}-{columns}", screens)


@pytest.mark.parametrize("language, columns", SHOWN)
def test_every_kind_is_asked_in_plain_lines(tmp_path, language, columns):
    dialog = DialogScreen(
        "ask", "--prompt", every_kind(tmp_path, language), "--language", language, "--terminal", columns=columns, rows=90,
        TERM="dumb")
    def questions(number):
        return dialog.seen.count(f"{TEXTS[language]['label']} {number}".encode())

    dialog.until(lambda _: questions(1))
    for line, number in [
        ("b@x y", 1), ("b@example.com", 3), ("9", 3), ("2", 4), ("", 4), ("acme", 5), ("1", 6), ("1,2,3", 6), ("1 3", 7),
        ("11", 7), ("5", 8), ("31.1.2025", 8), ("-", 9), ("a", 9), ("ab", 10),
    ]:
        before = questions(number)
        dialog.type(line + "\n")
        dialog.until(lambda _: questions(number) > before)
    dialog.type("x\ny\n")
    dialog.type("\x04")
    dialog.until(lambda _: b"[2]: " in dialog.seen)
    dialog.type("\n")
    code, output = dialog.ended()
    assert (code, json.loads(output)) == (0, {"outcome": "ok", "values": VALUES, "changed": ["/mail"], "by": {"via": "terminal"}})
    assert dialog.is_restored()
    assert b"\x1b" not in dialog.seen
    compare(f"{language}-{columns}-dumb", [dialog.text()])


# What a person types in each field of `Support.nested`, on a screen and in plain lines, and what the next field is.
KEYS = [
    ("First name", "Ada" + ENTER, "Ada\n"), ("Tags", "red" + ENTER + ENTER + "blue\x04", "red\n\nblue\n\x04"),
    ("Sizes", "7" + ENTER + "42\x04", "7\n42\n\x04"), ("Amount", "12" + ENTER, "12\n"), ("City", "London" + ENTER, "London\n"),
    ("Zip", ENTER, "\n"), ("A gift", "1" + ENTER, "Yes\n"), ("To", "Bob" + ENTER, "Bob\n"), ("From", ENTER, "\n"),
    ("By", "2" + ENTER, "By bank\n"), ("Ref", "\x7f17" + ENTER, "17\n"), ("Iban", "DE12" + ENTER, "DE12\n"), ("OK", ENTER, "\n"),
]


@pytest.mark.parametrize("door", ["ask", "answer"])
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_objects_lists_and_unions_are_asked(tmp_path, server, term, door):
    (tmp_path / "order.json").write_text(json.dumps(SCHEMA))
    ask = server.call("POST", "/asks", {"schema": SCHEMA})
    words = {"ask": ["ask", "--schema", "order.json", "--terminal", "--json"], "answer": ["answer", ask["link"]]}[door]
    dialog = DialogScreen(*words, cwd=tmp_path, rows=60, TERM=term)
    def asks_for(label):
        """Whether the person is at this field, or button."""
        if term == "xterm":
            return any(re.match(rf"› (\[ )?{label}\b", line) for line in dialog.text().splitlines())
        return re.search(rf"\b{label}\b.*: $", dialog.seen.decode().rpartition("\n")[2])

    for label, keys, lines in KEYS:
        dialog.until(lambda _: asks_for(label))
        dialog.type(lines if term == "dumb" else keys)
    code, output = dialog.ended()
    assert code == 0, dialog.text()
    if door == "ask":
        assert json.loads(output)["values"] == ANSWER
    else:
        # A link needs no token.
        assert (output, server.call("GET", f"/asks/{ask['id']}")["values"]) == ("", ANSWER)


ONE = ("ask", "--title", "Your name", "--field", "name", "--rule", "nonEmpty")


def answers(dialog):
    """Gives the name and presses OK; a script gets the value alone."""
    dialog.press("Ada" + ENTER, "› [ OK ]")
    dialog.type(ENTER)
    assert dialog.ended() == (0, "Ada\n")


def test_only_here_it_needs_no_server(tmp_path):
    # A database would be made in a folder that is not there.
    dialog = DialogScreen(*ONE, "--terminal", "--json", TMPDIR=str(tmp_path / "none"))
    dialog.until("› Name")
    process = Path(f"/proc/{dialog.process.pid}")
    assert not [file for file in process.glob("fd/*") if os.readlink(file).startswith("socket:")]
    assert "libcurl" not in (process / "maps").read_text()
    dialog.press("Ada" + ENTER, "› [ OK ]")
    dialog.type(ENTER)
    assert dialog.ended() == (0, '{"outcome":"ok","values":{"name":"Ada"},"by":{"via":"terminal"}}\n')


def test_only_here_time_runs_out_too():
    dialog = DialogScreen(*ONE, "--terminal", "--timeout", 1)
    assert dialog.ended()[0] == 5
    assert "This question has expired." in dialog.text() and "okcancel: no answer: expired" in dialog.text()
    assert dialog.is_restored()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c_cancels(term):
    dialog = DialogScreen(*ONE, "--terminal", TERM=term)
    dialog.until("Name")
    # It always counts.
    dialog.send("\x03")
    assert dialog.ended() == (1, "")
    assert "No answer was sent." in dialog.text()
    assert dialog.is_restored()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c_leaves_a_dialog_without_cancel_unanswered(tmp_path, term):
    (tmp_path / "p.yaml").write_text("title: Stay?\ncancel: false\n")
    dialog = DialogScreen("ask", "--prompt", "./p.yaml", "--terminal", cwd=tmp_path, TERM=term)
    dialog.until("OK")
    dialog.send("\x03")
    assert dialog.ended()[0] == 5
    assert dialog.is_restored()


@pytest.mark.parametrize("key, code", [(ENTER, 1), ("\x03", 1), (TAB + ENTER, 0)])
def test_what_is_pressed_right_after_escape_counts(key, code):
    dialog = DialogScreen("ask", "--title", "Delete everything?", "--terminal")
    dialog.until("› [ OK ]")
    dialog.type(ESCAPE)
    time.sleep(0.05)
    dialog.type(key)
    assert dialog.ended()[0] == code


@pytest.mark.parametrize("name", ["a.diff", "a.txt", "a.sql"])
def test_a_context_of_nothing_is_seen_to_be(tmp_path, name):
    (tmp_path / name).touch()
    dialog = DialogScreen("ask", "--title", "T", "--terminal", "--context", name, cwd=tmp_path)
    dialog.until("∅")
    dialog.type("\x03")
    assert dialog.ended()[0] == 1


def test_an_arrow_key_in_two_parts_does_not_cancel():
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    dialog.press(ESCAPE, "› [ Cancel ]")
    dialog.press("[B", "› [ OK ]")
    dialog.press(BACKTAB + BACKTAB, "› Name")
    answers(dialog)


def test_ok_is_off_while_something_is_invalid_and_says_why():
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    dialog.press(TAB, "Name: Enter a value")
    dialog.press(ENTER, "› Name")
    answers(dialog)
    assert "Your answer was accepted." in dialog.text()


def test_what_does_not_fit_a_line_goes_on_in_the_next(tmp_path):
    long = " ".join(["long"] * 30)
    (tmp_path / "p.yaml").write_text(
        f"title: T\nfields:\n- {{name: a, kind: boolean, label: {long} label-end}}\n"
        f"- {{name: b, kind: choice, options: [{{value: x, title: {long} one-end, help: {long} help-end}}, {long} two-end]}}\n"
        f"ok: Delete {' '.join(['all'] * 15)} ok-end\n")
    dialog = DialogScreen("ask", "--prompt", "./p.yaml", "--terminal", cwd=tmp_path)
    dialog.until("label-end")
    dialog.press(TAB, "one-end")
    assert "help-end" in dialog.text() and "two-end" in dialog.text()
    dialog.until("ok-end")
    dialog.type("\x03")
    dialog.ended()


def test_where_much_depends_on_it_no_button_is_chosen_at_first(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "title: Delete?\nbuttons: [{title: Delete, role: ok, destructive: true}, {title: Keep, role: cancel}]\n")
    dialog = DialogScreen("ask", "--prompt", "./p.yaml", "--terminal", cwd=tmp_path)
    dialog.until("[ Keep ]")
    dialog.type(ENTER + " " + ENTER)
    dialog.press(TAB, "› [ Delete ]")
    dialog.press(TAB, "› [ Keep ]")
    dialog.type(ENTER)
    assert dialog.ended()[0] == 1


def test_in_plain_lines_a_button_is_named_where_much_depends_on_it(tmp_path):
    (tmp_path / "p.yaml").write_text("title: Merge?\ncontext: [{text: x}]\nok: Merge\n")
    dialog = DialogScreen("ask", "--prompt", "./p.yaml", "--terminal", cwd=tmp_path, TERM="dumb")
    dialog.until("2) Merge:")
    dialog.press("\n", "Choose one of the options")
    dialog.type("Me\n")
    assert dialog.ended()[0] == 0 and "→ Merge" in dialog.text()


@pytest.mark.parametrize("line, code", [("y", 0), ("n", 1), ("JA", 0), ("nein", 1), ("ok", 0), ("a", 1), ("1", 1)])
def test_in_plain_lines_yes_and_no_are_understood(line, code):
    dialog = DialogScreen("ask", "--title", "T", "--language", "de", "--terminal", TERM="dumb")
    dialog.until("2) OK [2]:")
    dialog.type(line + "\n")
    assert dialog.ended()[0] == code


# MARK: By accident


class Still:
    """A clock for a command, by these variables, that stands still until it goes on: however late this test or the command
    runs, no time has passed."""

    def __init__(self, library, file):
        self.variables, self.file = {"LD_PRELOAD": str(library), "TEST_STILL": str(file)}, file
        self.stop()

    def stop(self):
        self.file.touch()

    def go_on(self):
        self.file.unlink()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = tmp_path_factory.mktemp("still") / "still.so"
    subprocess.run(
        ["clang", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("still.c"), "-ldl", "-pthread"], check=True)
    return library


@pytest.fixture
def still(library, tmp_path):
    return Still(library, tmp_path / "still")


# What a terminal sends by itself.
SENT = ["\x1b[<35;40;12M", "\x1b[<64;40;12M", "\x1b[M !!", "\x1b[5M", "\x1b[I", "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
        "\x1bP>|xterm(380)\x1b\\", "\x1b_Gi=1;OK\x1b\\"]


@pytest.mark.parametrize("words", [(), ("--field", "a"), ("--field", "a:boolean"), ("--field", "a:choice", "--option", "1", "--option", "M")])
def test_what_a_terminal_sends_is_no_answer(words, still):
    """An Escape whose sequence goes on later would be the key."""
    still.go_on()
    dialog = DialogScreen(
        "ask", "--title", "Delete the production database?", "--ok", "Delete", *words, "--terminal", **still.variables)
    dialog.until("[ Delete ]")
    dialog.accept()
    before = dialog.settled()
    still.stop()
    for sequence in SENT:
        dialog.type(sequence)
        for byte in sequence.encode():
            dialog.type(bytes([byte]))
    # It has taken all of them once it takes what comes behind.
    dialog.accept()
    still.go_on()
    assert dialog.settled() == before
    dialog.type("\x03")
    assert dialog.ended()[0] == 1


@pytest.mark.parametrize("early", [ENTER, " ", "\n", "y" + ENTER, "\x1b[200~yes\n\x1b[201~"])
def test_what_is_typed_before_the_question_is_not_kept(early, still):
    dialog = DialogScreen("ask", "--title", "Deploy?", "--ok", "Deploy", "--terminal", **still.variables)
    dialog.send(early)
    dialog.until("› [ Deploy ]")
    # As soon as it is seen.
    dialog.send(early)
    dialog.until(lambda _: b"\a" in dialog.seen)
    still.go_on()
    dialog.accept()
    dialog.type(ENTER)
    assert dialog.ended()[0] == 0


def test_early_lines_do_not_count_either(still):
    dialog = DialogScreen("ask", "--title", "Deploy?", "--terminal", TERM="dumb", **still.variables)
    dialog.send("\n")
    dialog.until("[2]:")
    dialog.send("\n")
    dialog.until(lambda _: b"\a" in dialog.seen)
    still.go_on()
    dialog.type("n\n")
    assert dialog.ended()[0] == 1


def test_a_mouse_is_not_listened_to():
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    assert re.search(rb"\x1b\[\?9;1000;1001;1002;1003;1004;1007l", dialog.seen)
    dialog.type("\x03")
    dialog.ended()


def test_bytes_that_are_no_text_are_refused():
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    dialog.accept()
    rung = dialog.seen.count(b"\a")
    dialog.type(b"\xe9")
    dialog.until(lambda _: dialog.seen.count(b"\a") > rung)
    answers(dialog)


def test_a_long_diff_is_read_before_it_is_approved(tmp_path):
    (tmp_path / "a.diff").write_text("".join(f"+line {number}\n" for number in range(1, 121)))
    dialog = DialogScreen("ask", "--title", "Merge?", "--terminal", "--context", "a.diff", cwd=tmp_path, rows=24)
    first = dialog.until("lines 1–19 of 122")
    assert first.startswith("Merge?") and "[ OK ]" in first
    dialog.type(ENTER)
    dialog.press("\x1b[6~", "+line 30")
    dialog.press("\x1b[F", "+line 120")
    dialog.press(DOWN + "\x1b[H", "lines 1–19 of 122")
    assert dialog.text().startswith("Merge?")
    dialog.press(TAB + TAB, "› [ OK ]")
    dialog.type(ENTER)
    assert dialog.ended()[0] == 0


def test_without_a_terminal_it_is_wrong_usage():
    for words in (ONE + ("--terminal",), ("answer", "http://127.0.0.1:1/a/x")):
        ended = subprocess.run(
            [BINARY, *words], env=clean({}), capture_output=True, text=True, stdin=subprocess.DEVNULL,
            start_new_session=True)
        assert ended.returncode == 64 and "there is no terminal" in ended.stderr, ended.stderr
    dialog = DialogScreen(*ONE, "--terminal", "--open")
    assert dialog.ended()[0] == 64


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTRAP, signal.SIGSEGV])
def test_the_terminal_is_as_it_was_after_a_signal(number):
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    assert not dialog.is_restored()
    dialog.process.send_signal(number)
    code, _ = dialog.ended()
    assert code in (5, -number)
    assert dialog.is_restored()
    if number in (signal.SIGTRAP, signal.SIGSEGV):
        assert f"crashed ({number.name})".encode() in dialog.seen


@pytest.mark.parametrize("term", ["xterm", "dumb"])
@pytest.mark.parametrize("way", ["key", "signal"])
def test_it_goes_on_after_a_stop(term, way):
    dialog = DialogScreen(*ONE, "--terminal", TERM=term)
    dialog.until("Name")
    dialog.settled()
    before = len(dialog.seen)
    if way == "key":
        dialog.send("\x1a")
    else:
        dialog.process.send_signal(signal.SIGTSTP)

    def goes_on(_):
        # A group of processes without a parent in the session is not stopped by SIGTSTP, and goes on at once.
        if Path(f"/proc/{dialog.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T":
            dialog.process.send_signal(signal.SIGCONT)
        # It takes the terminal again, or repeats the question that it was stopped at.
        return (b"Name" if term == "dumb" else b"\x1b[?2004h") in dialog.seen[before:]

    if (term, way) != ("dumb", "signal"):
        dialog.until(goes_on)
    dialog.until(lambda _: not dialog.is_restored())
    # It appears anew.
    dialog.accepts = False
    dialog.type("Ada" + ("\n" if term == "dumb" else ENTER))
    dialog.until("2) OK" if term == "dumb" else "› [ OK ]")
    dialog.type("\n" if term == "dumb" else ENTER)
    assert dialog.ended() == (0, "Ada\n")


def test_a_stop_gives_the_cursor_back(tmp_path):
    """A dialog at its buttons hides it."""
    go = tmp_path / "go"
    waiting = f"until [ -e {go} ]; do sleep 0.1; done"
    dialog = DialogScreen(
        "-mc", f"{BINARY} ask --terminal --title T; echo stopped >&2; {waiting}; fg >&2", program="/bin/bash")
    dialog.until("› [ OK ]")
    dialog.type("\x1a")
    # It is not drawn again before it goes on.
    assert dialog.until("stopped").count("[ OK ]") == 1
    assert not dialog.screen.cursor.hidden
    go.touch()
    dialog.until(lambda text: text.rfind("› [ OK ]") > text.find("stopped"))
    dialog.accepts = False
    dialog.type(ENTER)
    assert dialog.ended() == (0, "")


def test_in_the_background_it_waits_for_the_foreground():
    state = "case $(ps -o stat= -p $!) in T*) echo stopped >&2;; *) echo waits >&2;; esac"
    dialog = DialogScreen(
        "-mc", f"{BINARY} ask --terminal --title T --field name & sleep 1; {state}; fg >&2", program="/bin/bash")
    assert "Name" not in dialog.until("waits")
    dialog.until("› Name")
    dialog.type("Ada" + ENTER)
    dialog.until("› [ OK ]")
    dialog.type(ENTER)
    assert dialog.ended() == (0, "Ada\n")


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_the_reason_has_ok_and_back(tmp_path, term):
    (tmp_path / "p.yaml").write_text("title: Deploy?\nlanguage: de\ncancel: {title: Nein, reason: required}\n")
    dialog = DialogScreen("ask", "--prompt", tmp_path / "p.yaml", "--json", "--terminal", TERM=term)
    if term == "dumb":
        dialog.until("1) Nein")
        for line, then in (
                ("1\n", "⏎ Ctrl-D"), ("\x04", "Geben Sie einen Grund an"), ("nie\nmehr\n\x04", "1) Zurück  2) OK"), ("1\n", "1) Nein  2) OK"),
                ("Nein\n", "⏎ Ctrl-D"), ("nie\nmehr\n\x04", "1) Zurück  2) OK"), ("2\n", None)):
            dialog.accepts, before = False, len(dialog.seen)
            dialog.type(line)
            if then:
                dialog.until(lambda _: then.encode() in dialog.seen[before:])
    else:
        dialog.until("[ Nein ]")
        dialog.press(ESCAPE, "› [ Nein ]")
        assert "⏎ Ctrl-D" in dialog.press(ENTER, "[ Zurück ]", appears=True)
        dialog.press("\x04", "Geben Sie einen Grund an")
        dialog.press("nie" + ESCAPE, "› [ Zurück ]")
        dialog.press(ENTER, "› [ Nein ]", appears=True)
        dialog.press(ENTER, "[ Zurück ]", appears=True)
        dialog.press("nie" + ENTER + "mehr\x04", "› [ OK ]")
        dialog.type(ENTER)
    assert dialog.ended() == (1, '{"outcome":"cancel","reason":"nie\\nmehr","by":{"via":"terminal"}}\n')
    assert dialog.is_restored()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c_asks_why_and_then_leaves(term):
    dialog = DialogScreen("ask", "--title", "Deploy?", "--cancel", "Reject", "--reason", "required", "--terminal", "--quiet", TERM=term)
    dialog.until("Reject")
    dialog.press("\x03", "Why?", appears=True)
    dialog.type("\x03")
    assert dialog.ended()[0] == 5
    assert dialog.is_restored()


def test_it_ends_with_its_terminal():
    dialog = DialogScreen(*ONE, "--terminal")
    dialog.until("› Name")
    os.close(dialog.outside)
    os.close(dialog.inside)
    assert dialog.process.wait(60) in (5, -signal.SIGHUP)


def test_a_narrower_window_is_drawn_anew(tmp_path):
    dialog = DialogScreen("ask", "--prompt", every_kind(tmp_path, "en"), "--terminal", columns=100, rows=50)
    dialog.until("[ OK ]")
    dialog.screen.resize(50, 40)
    dialog.resize(40, 50)
    dialog.type("x")
    dialog.until("a@example.comx")
    dialog.type("\x0c")
    text = dialog.until(lambda text: text.startswith("An order"))
    assert text.count("Field 10") == 1


def test_more_fields_than_rows_scroll(tmp_path):
    fields = "".join(f"  - name: field{n}\n" for n in range(50))
    (tmp_path / "p.yaml").write_text("title: Many\nfields:\n" + fields)
    dialog = DialogScreen("ask", "--prompt", "./p.yaml", "--terminal", cwd=tmp_path, rows=12)
    dialog.until("› Field0")
    for number in range(50):
        dialog.press(f"v{number}" + ENTER, f"› Field{number + 1}" if number < 49 else "› [ OK ]")
    dialog.type(ENTER)
    code, output = dialog.ended()
    assert (code, json.loads(output)["values"]["field49"]) == (0, "v49")


EVIL = "a\x1b]0;owned\x07\x1b[2Jb\u202ec\u200b"


def test_nothing_from_outside_controls_the_terminal(tmp_path):
    definition = {"title": EVIL.replace("\x1b", "").replace("\x07", ""), "context": [{"code": "x\u009b31m"}],
                  "fields": [{"name": "a", "value": "x\u202ey"}]}
    (tmp_path / "p.json").write_text(json.dumps(definition))
    for term in ("xterm", "dumb"):
        dialog = DialogScreen("ask", "--prompt", "./p.json", "--terminal", cwd=tmp_path, TERM=term)
        dialog.until("⟨U+202E⟩c⟨U+200B⟩")
        dialog.until("x⟨U+202E⟩y")
        assert "\u202e" not in dialog.seen.decode()
        assert b"\xc2\x9b" not in dialog.seen
        dialog.type("\x03")
        dialog.ended()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_random_bytes_do_no_harm(tmp_path, term):
    random_bytes = random.Random(45).randbytes
    path = every_kind(tmp_path, "en")
    for _ in range(5):
        dialog = DialogScreen("ask", "--prompt", path, "--terminal", TERM=term)
        dialog.until("Field 1")
        for _ in range(40):
            # Not Ctrl-C and Ctrl-Z, which end it, nor what makes the terminal quote the next key or stop to write.
            dialog.type(random_bytes(50).translate(None, b"\x03\x1a\x16\x13"))
            while dialog.read(0.01):
                pass
            if dialog.process.poll() is not None:
                break
        if dialog.process.poll() is None:
            dialog.type("\x03" if term == "xterm" else "\n\x03")
        assert dialog.ended()[0] in (0, 1, 5)
        assert dialog.is_restored()


# MARK: By a link


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "name.yaml").write_text("title: Your name\nfields: [{name: name, rules: [nonEmpty]}]\n")
    with Server(folder) as server:
        yield server


def test_a_question_that_ends_meanwhile_says_so(server):
    ask = server.ask("name")
    dialog = DialogScreen("answer", ask["link"])
    dialog.press("Ada" + ENTER, "› [ OK ]")
    answer(ask["link"], "name=Bob")
    dialog.type(ENTER)
    assert dialog.ended()[0] == 5
    assert "This question has already been answered." in dialog.text()
    assert DialogScreen("answer", ask["link"]).ended()[0] == 5


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_somebody_else_may_be_first(server, term):
    dialog = DialogScreen(
        "ask", "--prompt", "name", "--server", server.url, "--key", term, "--terminal", OKCANCEL_API_TOKEN=TOKEN, TERM=term)
    dialog.until("Name")
    again = run("ask", "--prompt", "name", "--server", server.url, "--key", term, "--no-wait", OKCANCEL_API_TOKEN=TOKEN)
    answer(json.loads(again.stdout)["link"], "name=Bob")
    assert dialog.ended() == (0, "Bob\n")
    assert "This question has already been answered." in dialog.text()
    assert dialog.is_restored()


def test_a_terminal_without_a_browser_is_offered():
    nothing = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    dialog = DialogScreen(*ONE, **nothing)
    dialog.until("press t to answer here")
    dialog.send("t")
    dialog.until("› Name")
    answers(dialog)
    for environment in [{"DISPLAY": ":0"}, {"TERM": "dumb"}]:
        dialog = DialogScreen(*ONE, **nothing | environment)
        dialog.until("Answer at")
        time.sleep(0.5)
        dialog.send("t\x03")
        assert dialog.ended()[0] == 5
        assert "press t" not in dialog.seen.decode()
