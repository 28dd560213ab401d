"""`okcancel ask --no-wait`: a program that asks, leaves, and takes the question up again."""

import itertools
import json
import os
import re
import signal
import subprocess
import threading
from urllib.parse import urlsplit

import pytest
from dialog_screen import DialogScreen

from Support.client import answer
from Support.command import BINARY, TOKEN, clean, run
from Support.server import Server

ASKING = ["--title", "Name?", "--field", "name"]


@pytest.fixture(scope="module")
def server():
    with Server(OKCANCEL_LOG_LEVEL="warning") as server:
        yield server


def asked(server, *words, **more):
    return run("ask", *ASKING, "--server", server.url, *words, OKCANCEL_API_TOKEN=TOKEN, **more)


def asks(server):
    return [json.loads(line) for line in run(
        "asks", "--server", server.url, OKCANCEL_API_TOKEN=TOKEN).stdout.splitlines()]


def test_ask_without_waiting_prints_id_and_link_and_leaves_the_question_open(server):
    left = asked(server, "--no-wait")
    assert (left.returncode, left.stderr) == (0, f"Answer at {json.loads(left.stdout)['link']}\n")
    assert re.fullmatch(r'\{"id":"[^"]+","link":"http://[^"]+/a/[^"]+"\}\n', left.stdout)
    assert server.call("GET", f"/asks/{json.loads(left.stdout)['id']}")["status"] == "open"
    answer(json.loads(left.stdout)["link"], "name=ann")
    # Without a key it is another question each time.
    assert json.loads(asked(server, "--no-wait").stdout)["id"] != json.loads(left.stdout)["id"]


def test_the_same_command_with_a_key_takes_the_question_up_again(server):
    key = ["--key", "taken-up"]
    first = json.loads(asked(server, *key, "--no-wait").stdout)
    assert json.loads(asked(server, *key, "--no-wait").stdout) == first
    waiting = []
    waiter = threading.Thread(target=lambda: waiting.append(asked(server, *key)))
    waiter.start()
    answer(first["link"], "name=ann")
    waiter.join(60)
    assert (waiting[0].returncode, waiting[0].stdout) == (0, "ann\n")
    ended = asked(server, *key, "--no-wait")
    assert (ended.returncode, json.loads(ended.stdout)) == (0, {"id": first["id"]})
    assert ended.stderr == "okcancel: this question has ended; leave out --no-wait to see how\n"
    # The time to answer belongs to the question.
    other = asked(server, *key, "--timeout", "60")
    assert (other.returncode, "another question" in other.stderr) == (70, True)


def test_timeout_is_how_long_a_question_without_waiting_stays_open(server):
    key = ["--key", "in-time", "--timeout", "1"]
    assert asked(server, *key, "--no-wait").returncode == 0
    late = asked(server, *key)
    assert (late.returncode, late.stdout, late.stderr.splitlines()[-1]) == (5, "", "okcancel: no answer: expired")


def test_the_command_that_is_to_tell_somebody_has_the_link_before_ask_ends(server, tmp_path):
    left = asked(server, "--no-wait", "--notify-command", f"sleep 1; cat > {tmp_path}/told")
    assert (left.returncode, (tmp_path / "told").read_text()) == (0, json.loads(left.stdout)["link"] + "\n")
    failed = asked(server, "--no-wait", "--quiet", "--notify-command", "exit 3")
    assert failed.returncode == 0 and "nobody was told" in failed.stderr


def test_texts_keep_their_lines_and_option_values_every_character(server):
    lines = "one\n\t“two” \\ 'three'\u2028\u0085\ufeff\U000e0041"
    left = run(
        "ask", "--title", "a\nb", "--message", lines.replace("\n", "\r\n"), "--field", "c:choice", "--option", "x\ty", "--option", "#",
        "--help-text", lines, "--rule", "nonEmpty", "--message-for", lines, "--server", server.url, "--no-wait", OKCANCEL_API_TOKEN=TOKEN)
    assert left.returncode == 0, left.stderr
    path = urlsplit(json.loads(left.stdout)["link"]).path
    shown = json.loads(server.request("GET", path, headers={"Accept": "application/json"})[1])
    [field] = shown["fields"]
    assert (shown["title"], shown["message"], field["help"]) == ("a b", lines, lines)
    assert field["rules"][0]["message"] == "one\n\t“two” \\ 'three'⟨U+2028⟩⟨U+0085⟩⟨U+FEFF⟩⟨U+E0041⟩"
    assert field["options"] == [{"value": "x\ty", "title": "x y"}, {"value": "#", "title": "#"}]
    refused = run("ask", "--title", "T", "--field", "c:choice", "--option", "x\ny")
    assert (refused.returncode, refused.stderr) == (65, "okcancel: `value` has more than one line; write it on one line\n")


PRINTED = {
    (): r'\{"id":"\S+","link":"\S+"\}\n', ("--json",): r'\{"id":"\S+","link":"\S+"\}\n',
    ("--format", "json"): r'\{"id":"\S+","link":"\S+"\}\n', ("--format", "null"): "id=[^\0]+\0link=[^\0]+\0",
    ("--format", "shell"): r"id='\S+'\nlink='\S+'\n", ("--format", "bash"): r"id='\S+'\nlink='\S+'\n",
    ("--format", "shell", "--prefix", "my_"): r"my_id='\S+'\nmy_link='\S+'\n",
}
OTHERS = [(), ("--quiet",), ("--qr",), ("--timeout", "9"), ("--key", "{}"), ("--metadata", "a=b"), ("--language", "de"),
          ("--value", "name=ann")]


@pytest.mark.parametrize("format, one, other", [
    *((format, other, ()) for format in PRINTED for other in OTHERS), *(((), *pair) for pair in itertools.combinations(OTHERS[1:], 2))])
def test_every_pair_of_options_without_waiting_is_taken_or_refused(server, format, one, other):
    words = [word.format(f"{format}{one}{other}".replace(" ", "")) for word in one + other]
    left = asked(server, *format, *words, "--no-wait")
    assert left.returncode == 0 and re.fullmatch(PRINTED[format], left.stdout), left
    assert re.fullmatch(r"\S+\n" if "--quiet" in words else r"Answer at \S+\n", left.stderr)


def test_a_terminal_shows_the_code_and_nothing_waits(server):
    terminal = DialogScreen(
        "ask", *ASKING, "--server", server.url, "--no-wait", "--qr", "--quiet", columns=100, OKCANCEL_API_TOKEN=TOKEN)
    code, printed = terminal.ended()
    assert (code, sorted(json.loads(printed))) == (0, ["id", "link"])
    assert "█" in terminal.seen.decode() and "Waiting" not in terminal.seen.decode()


@pytest.mark.parametrize("key", [[], ["--key", "unprinted"]])
@pytest.mark.parametrize("is_closed", [True, False])
def test_a_question_that_cannot_be_told_is_not_left_open(server, key, is_closed):
    before = len(asks(server))
    reader, writer = os.pipe()
    os.close(reader)
    words = [BINARY, "ask", *ASKING, "--server", server.url, "--no-wait", *key]
    with os.fdopen(writer, "wb") as pipe:
        result = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "", *words] if is_closed else words, stdout=pipe, stderr=subprocess.PIPE,
            env=clean({"OKCANCEL_API_TOKEN": TOKEN}), text=True, timeout=60)
    new = asks(server)[before:]
    if is_closed:
        assert (result.returncode, "standard output cannot be written" in result.stderr, new) == (70, True, [])
    else:
        assert result.returncode == -signal.SIGPIPE
        assert [ask.get("outcome") for ask in new] == [None if key else "withdrawn"]
