"""The `okcancel` command as a shell sees it: output, exit codes, signals."""

import json
import os
import re
import shlex
import signal
import socket
import threading

import pytest

from asking import Asking, look_with
from Support.client import FORM, JSON
from Support.command import ROOT, TOKEN, run, script
from Support.documentation import Page
from Support.listener import Exchange, Listener
from Support.server import Server, free_port

EMAIL = "Examples/email.yaml"
README, DEFINITIONS = Page("../README.md"), Page("definitions.md")


# serve


def test_the_readme_tells_the_truth_about_curl():
    with Server() as server:
        wrong = server.request("POST", "/validate/email", "email=bob@gmail", FORM)[1]
        right = server.request("POST", "/validate/email", "email=alice@example.com", FORM)[1]
    assert right in README.text
    assert re.sub(r'"fields":.*\}', '"fields":{…}}', wrong) in README.text


def test_sighup_reads_the_prompts_again_and_keeps_the_old_ones_on_a_fault(tmp_path):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: One\n")
    with Server(tmp_path) as server:
        title = lambda: json.loads(server.request("GET", "/", headers={"Accept": "application/json"})[1])[0]["title"]
        assert title() == "One"
        prompt.write_text("title: Two\n")
        server.process.send_signal(signal.SIGHUP)
        server.log.wait_for("reloaded 1 prompt")
        assert title() == "Two"
        prompt.write_text("titel: Three\n")
        server.process.send_signal(signal.SIGHUP)
        assert "did you mean `title`?" in server.log.wait_for("name.yaml:1:1")
        server.log.wait_for("the old prompts stay")
        assert title() == "Two"


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_is_hidden_in_the_log(tmp_path, form):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: One\n")
    with Server(tmp_path, "--log-format", form) as server:
        prompt.write_text("ti\u202etle\U000e0041: Two\n")
        server.process.send_signal(signal.SIGHUP)
        assert "ti⟨U+202E⟩tle⟨U+E0041⟩" in server.log.wait_for("name.yaml:1:1")


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_sigterm_finishes_what_runs_and_exits_0(tmp_path, signal_number):
    """A request waits for a program; the server is told to stop meanwhile, and still answers it."""
    # The program itself tells it: it has two seconds, however late this test runs.
    with Server(*look_with(tmp_path, f"kill -{signal_number.value} $PPID\nsleep 0.3")) as server:
        told = server.request("POST", "/validate/ask", '{"a":"x"}', JSON)
        server.log.wait_for("stopping")
        assert server.ended() == 0
    assert told == (200, '{"isValid":true,"fields":{"a":{"isValid":true}}}')


def test_no_submitted_value_reaches_the_log():
    """Promise 4.9 | The log contains no submitted values and no link tokens, and nobody can forge a line in it.
    ASVS 16.2.5 | secrets not logged | paths without tokens, no values
    """
    with Server() as server:
        server.request("POST", "/prompts/login", "outcome=ok&user=canary-one&password=canary-two", FORM)
        server.request("POST", "/validate/email?only=email", '{"email":"canary-three"}', JSON)
        server.stop()
        output = server.process.stdout.read() + server.log.text
    assert "/prompts/login" in output
    assert "canary" not in output


@pytest.mark.parametrize("more", [[], ["--check"]])
@pytest.mark.parametrize("words, code, says", [
    (["{bad}"], 65, r"bad\.yaml:1:1: .*did you mean `title`\?"), (["{bad}/nowhere"], 64, "nowhere"),
    (["Examples", "--identity", "authelia", "--sign-in", "https://auth.example.com/"], 64, r"--sign-in cannot be .* with \{url\}"),
    (["Examples", "--identity-jwt", "X-A", "--identity-issuer", "i", "--identity-audience", "a", "--identity-jwks", "/nowhere"], 70,
     r"--identity-jwks\) in /nowhere cannot be read: No such file or directory; check its path and rights"),
    (["Examples", "--port", "x"], 64, "--port cannot be"), (["Examples", "--templates", "/nowhere"], 64, "--templates cannot be “/nowhere”; there is no such folder"),
    (["Examples", "--public", "README.md"], 64, "--public cannot be “README.md”; there is no such folder"),
    (["Examples", "--host", "999.1.1.1"], 70, r"999\.1\.1\.1"), (["Examples", "--host", "192.0.2.1"], 70, "this machine does not have that address"),
    (["Tests/Browser/Prompts"], 65, r"Prompts/\w+\.yaml:\d+:\d+: the predicate `.+` is not registered; .*--predicate"),
])
def test_serve_and_its_check_say_what_keeps_a_server_from_starting(tmp_path, words, code, says, more):
    (tmp_path / "bad.yaml").write_text("titel: T\n")
    refused = run("serve", *[word.format(bad=tmp_path) for word in words], "--database", tmp_path / "a.sqlite", *more)
    assert (refused.returncode, refused.stdout) == (code, "")
    assert re.search(says, refused.stderr), refused.stderr


def test_the_check_of_a_server_finds_no_fault_in_a_port_that_is_in_use_and_warns_of_a_language_without_texts(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for language, said in (("is", "OKCancel has no texts of its own in `is`"), ("de-AT", "")):
            checked = run("serve", "Examples", "--check", "--port", taken.getsockname()[1], "--language", language)
            assert (checked.returncode, checked.stdout, said in checked.stderr) == (0, "", True)
            assert bool(said) == bool(checked.stderr), checked.stderr


def test_serve_says_that_its_port_is_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = run("serve", "Examples", "--port", taken.getsockname()[1], "--database", tmp_path / "a.sqlite")
    assert busy.returncode == 70 and "in use" in busy.stderr


def asking_predicate(folder, name="not-taken"):
    """A definition that asks the predicate, and a program that accepts only “free”."""
    definition = folder / "user.yaml"
    definition.write_text(f"title: Name\nfields:\n  - name: user\n    rules:\n      - predicate: {name}\n")
    return definition, script(folder / "check", 'read text\ntest "$text" = free && exit 0\necho Taken\nexit 1')


def test_check_warns_of_predicates_and_holds_them_against_those_given(tmp_path):
    definition, program = asking_predicate(tmp_path)
    warned = run("check", definition)
    assert (warned.returncode, warned.stdout) == (
        0, f"{definition}:5:20: warning: the predicate `not-taken` is not registered; "
           "register it with --predicate not-taken=PROGRAM, or in Swift\n")
    known = run("check", definition, "--predicate", f"not-taken={program}")
    assert (known.returncode, known.stdout) == (0, "")
    mistyped = run("check", definition, "--predicate", f"not-takn={program}")
    assert mistyped.returncode == 65
    assert f"{definition}:5:20: the predicate `not-taken` is not registered; did you mean `not-takn`?" in mistyped.stdout


def test_ask_and_validate_take_predicates(tmp_path):
    definition, program = asking_predicate(tmp_path)
    given = ["--predicate", f"not-taken={program}"]
    for words, code, says in [
        (["validate", definition, "user=free", *given], 0, "user: valid"),
        (["validate", definition, "user=x", *given], 1, "user: Taken"),
        (["validate", definition, "user=x"], 65, "user.yaml:5:20: the predicate `not-taken` is not registered"),
        (["ask", "--prompt", definition], 65, "user.yaml:5:20: the predicate `not-taken` is not registered"),
        (["ask", "--field", "user", "--rule", "predicate: not-taken"], 65, "register it with --predicate not-taken=PROGRAM"),
        (["ask", "--prompt", "user", "--server", "http://127.0.0.1:1", *given], 64, "give it to “okcancel serve” there"),
    ]:
        result = run(*words)
        assert result.returncode == code and says in result.stdout + result.stderr, result
    asking = Asking("--field", "user", "--rule", "predicate: not-taken", *given)
    assert asking.answer("outcome=ok&user=x")[0] == 422
    assert asking.answer("outcome=ok&user=free")[0] == 200
    assert asking.ended()[:2] == (0, "free\n")


def test_a_predicate_that_fails_is_counted_and_logged_once_a_minute_without_the_text(tmp_path):
    _, program = asking_predicate(tmp_path)
    script(program, 'echo "no table for $(cat)" >&2\nexit 2')
    with Server(tmp_path, "--predicate", f"not-taken={program}") as server:
        for _ in range(3):
            assert "could not be checked" in server.request("POST", "/validate/user", '{"user":"canary"}', JSON)[1]
        line = server.log.wait_for("could not check a value")
        assert f"the predicate “not-taken” could not check a value: “{program}” exited with 2 after" in line
        assert line.rstrip().endswith("ms: no table for …")
        metrics = server.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})[1]
        assert 'okcancel_predicate_failures_total{predicate="not-taken"} 3' in metrics
        server.stop()
        assert server.log.text.count("could not check a value") == 1 and "canary" not in server.log.text


@pytest.mark.parametrize("option", ["--message", "--title", "--ok"])
def test_a_value_that_begins_with_a_dash_is_told_how_to_be_given(option):
    result = run("ask", "--title", "T", option, "- first")
    assert result.returncode == 64
    assert result.stderr.endswith(f"okcancel: a value that begins with - stands after an equals sign: {option}='- first'\n")
    assert Asking("--title", "T", f"{option}=- first").answer("outcome=ok")[0] == 200


@pytest.mark.parametrize("command, words, says", [
    ("ask", ["--server", "http://127.0.0.1:1", "--templates", "Templates"], "--templates has no effect with --server"),
    ("ask", ["--server", "http://127.0.0.1:1", "--public", "Public"], "--public has no effect with --server"),
    ("ask", ["--server", "http://127.0.0.1:1", "--predicate", "a=/bin/true"], "--predicate has no effect with --server"),
    ("ask", ["--cacert", "README.md"], "--cacert needs --server"),
    ("ask", ["--terminal", "--notify-command", "true"], "--terminal asks here and shows no link"),
    ("mcp", ["--server", "http://127.0.0.1:1", "--templates", "Templates"], "--templates has no effect with --server"),
    ("mcp", ["--cacert", "README.md"], "--cacert needs --server"),
])
def test_an_option_that_nothing_would_heed_is_an_error(command, words, says):
    result = run(command, *(["--title", "T"] if command == "ask" else []), *words, OKCANCEL_API_TOKEN=TOKEN)
    assert (result.returncode, result.stdout) == (64, "") and says in result.stderr


def test_a_token_of_white_space_is_none():
    with Server(token=" ") as server:
        token = re.search(r"token for this run is (\S+)", server.log.wait_for("The API token"))[1]
        assert server.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})[0] == 200


def test_a_mistyped_command_is_told_which_was_meant():
    result = run("sevre", "Examples")
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr == "okcancel: there is no command `sevre`; did you mean `serve`?\n"
    for words, says in (
        (["help", "ask2"], "okcancel: there is no command `ask2`; did you mean `ask`?\n"),
        (["help", "ask", "me"], "okcancel: there is no command `me`; remove it\n"),
        (["--verison"], "Error: Unknown option '--verison'. Did you mean '--version'?\n"),
        (["ask", "--hlep"], "Error: Unknown option '--hlep'. Did you mean '--help'?\n"),
        (["ask", "--tittle"], "Error: Unknown option '--tittle'. Did you mean '--title'?\n"),
        (["ask", "--xyzzy"], "Error: Unknown option '--xyzzy'\n"),
    ):
        mistyped = run(*words)
        assert (mistyped.returncode, mistyped.stdout, mistyped.stderr.split("Usage:")[0]) == (64, "", says)
    for words in (["help", "ask"], ["help", "help"], ["help"], ["help", "ask", "--help"]):
        assert run(*words).returncode == 0
    assert run("help", "serve").stdout == run("serve", "--help").stdout


# check


def test_the_page_tells_the_truth_about_definitions(tmp_path):
    assert DEFINITIONS.example("yaml") == re.sub(r"(?m)^#.*\n| +#.*$", "", (ROOT / EMAIL).read_text("utf-8"))
    path = tmp_path / "signup.yaml"
    path.write_text(
        "title: Sign up\nfields:\n  - name: name\n  - name: email\n    kind: emial\n    rules:\n      - pattern: '(?=a)b'\n")
    told = run("check", path).stdout
    assert told and told.replace(f"{tmp_path}/", "") in DEFINITIONS.text


def test_check_waits_for_nobody(tmp_path):
    """A FIFO without a writer never ends, nor does a device."""
    fifo, device, place, folder = [tmp_path / f"{name}.yaml" for name in ("fifo", "device", "socket", "folder")]
    os.mkfifo(fifo)
    device.symlink_to("/dev/zero")
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        result = run("check", fifo, device, place, folder)
    assert (result.returncode, result.stdout.splitlines()) == (65, [
        f"{fifo}: this is a FIFO; name an ordinary file", f"{device}: this is a device; name an ordinary file",
        f"{place}: this is a socket; name an ordinary file",
        f"{folder}: this is a folder; name the files in it"])
    for words in (["validate", fifo], ["ask", "--prompt", fifo], ["serve", tmp_path]):
        refused = run(*words, OKCANCEL_PORT="0")
        assert refused.returncode == 65 and "this is a FIFO" in refused.stdout + refused.stderr


# validate


@pytest.mark.parametrize(
    "words, code, output",
    [
        ([EMAIL, "email=alice@example.com"], 0, "email: valid\n"),
        ([EMAIL, "email=bob@gmail"], 1, "email: That does not look like an email address\n"),
        ([EMAIL], 1, "email: Enter your email address\n"),
        ([EMAIL, "--json", "email=a@b.c"], 0, '{"isValid":true,"fields":{"email":{"isValid":true}}}\n'),
        (["Examples/quantity.yaml", "quantity=2147483646"], 0, "quantity: valid\n"),
        (["Examples/quantity.yaml", "quantity=2147483647"], 1, None),
        ([EMAIL, "email=name@example.com "], 0, "email: valid\n"),
        ([EMAIL, "email=\u0301"], 1, "email: Enter an email address, like name@example.com\n"),
        (["Examples/feedback.yaml", "rating=happy", "comment=" + "a" * 16_386], 1,
         '{"isValid":false,"message":"Shorten this by 2 characters","fields":{"rating":{"isValid":true},"comment":'
         '{"isValid":false,"rule":"text","message":"Shorten this by 2 characters"},"email":{"isValid":true}}}\n'),
        ([EMAIL, "email"], 64, ""),
        ([EMAIL, "mail=a"], 64, ""),
        ([EMAIL, "email=a", "email=b"], 64, ""),
        (["nowhere.yaml"], 64, ""),
        ([], 64, ""),
    ],
)
def test_validate_prints_the_verdict_and_exits_by_it(words, code, output):
    result = run("validate", *words)
    assert result.returncode == code, result.stderr
    assert output is None or result.stdout == output


# ask and answers


def ok(values):
    return '{"outcome":"ok","values":' + values + ',"by":{"via":"link"}}\n'


@pytest.mark.parametrize("words, refused, body, ended", [
    ("--title Sure?", [], "outcome=cancel", (1, "", "")),
    ("--title Sure?", [], "outcome=ok", (0, "", "")),
    ("--prompt Examples/login.yaml", [], "outcome=action&action=forgot", (3, "", "forgot\n")),
    ("--title 'Your email' --field email:email", ["email=bob"], "email=bob%40example.com", (0, "bob@example.com\n", "")),
    ("--field n:number", [], "n=1%2C5", (0, "1.5\n", "")),
    ("--field a --field b:integer", [], "a=x&b=007", (0, ok('{"a":"x","b":7}'), "")),
    ("--field n --rule 'length: {max: 3}' --json", [], "n=abc", (0, ok('{"n":"abc"}'), "")),
    # A rule and an option belong to the field before them.
    ("--field a --field=b --rule nonEmpty --rule='length: {max: 3}' --field c:integer --rule 'range: {min: 1}'",
     ["a=&b=&c=1", "a=&b=four&c=1", "a=four&b=two&c=0"], "a=&b=two&c=1", (0, ok('{"a":"","b":"two","c":1}'), "")),
    ("--field region:choice --option fra=Frankfurt --option \"it's: odd\" --field note --json",
     ["region=Frankfurt&note=x"], "region=it's%3A+odd&note=x", (0, ok('{"region":"it\'s: odd","note":"x"}'), "")),
])
def test_ask_ends_as_the_person_does(words, refused, body, ended):
    ask = Asking(*shlex.split(words))
    assert [ask.answer(wrong)[0] for wrong in refused] == [422] * len(refused)
    assert ask.answer(body)[0] == 200
    assert ask.ended() == ended


@pytest.mark.parametrize("through", [False, True])
def test_a_link_is_opened_by_a_page_that_only_this_user_sees(tmp_path, through):
    """A browser's arguments are in the list of processes, which every user of the machine reads.

    Promise 4.7 | A link that `ask --open` opens appears in no process list, and only this user can read its file.
    """
    seen = tmp_path / "seen"
    os.mkfifo(seen)
    script(tmp_path / "xdg-open", f'{{ echo "$1"; env | grep -c OKCANCEL_API; stat -c %a "$1"; cat "$1"; }} > {seen}')
    with Server() as server:
        words = ["--prompt", "email", "--server", server.url] if through else ["--title", "Sure?"]
        ask = Asking(*words, "--open", PATH=f"{tmp_path}:{os.environ['PATH']}", TMPDIR=str(tmp_path),
                     OKCANCEL_API_TOKEN=TOKEN)
        path, inherited, mode, shown = seen.read_text().split("\n", 3)
        assert path.startswith(f"{tmp_path}/okcancel-") and "/a/" not in path and (inherited, mode) == ("0", "600")
        assert f'http-equiv="refresh" content="0; url={ask.link}"' in shown
        assert ask.answer("email=a%40b.c" if through else "outcome=ok")[0] == 200
        assert ask.ended()[0] == 0
    assert not os.path.exists(path)


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_withdraws_the_question(signal_number):
    ask = Asking("--title", "Sure?")
    ask.process.send_signal(signal_number)
    assert ask.ended() == (5, "", "okcancel: no answer: withdrawn\n")


def test_ask_gives_up_in_time():
    assert Asking("--title", "Sure?", "--timeout", "1").ended() == (5, "", "okcancel: no answer: expired\n")


def test_ask_gets_its_answer_through_a_server(tmp_path):
    with Server() as server:
        url = server.url
        ask = Asking("--prompt", "email", "--server", url, OKCANCEL_API_TOKEN=TOKEN)
        assert ask.link.startswith(url + "/a/")
        assert ask.answer("email=bob%40example.com")[0] == 200
        assert ask.ended() == (0, "bob@example.com\n", "")
        withdrawn = Asking("--prompt", "email", "--server", url, OKCANCEL_API_TOKEN=TOKEN)
        withdrawn.process.send_signal(signal.SIGINT)
        assert withdrawn.ended()[0] == 5
        assert withdrawn.answer("email=bob%40example.com")[0] == 409
        refused = run("ask", "--prompt", "email", "--server", url, OKCANCEL_API_TOKEN="other")
        assert refused.returncode == 70
        assert "401" in refused.stderr and "OKCANCEL_API_TOKEN" in refused.stderr
        server.request("POST", "/prompts/email", "email=%3Dann%40example.com", FORM)
        table = run("answers", "email", "--server", url, "--format", "csv", OKCANCEL_API_TOKEN=TOKEN).stdout.splitlines()
        assert table[0] == "cursor,answeredAt,outcome,action,reason,by.id,by.name,by.via,subject,email"
        assert table[1].endswith(",ok,,,,,link,,'=ann@example.com")
        assert json.loads(run("answers", "email", "--server", url, OKCANCEL_API_TOKEN=TOKEN).stdout)["values"] == {"email": "=ann@example.com"}


def test_ask_waits_as_long_as_its_timeout_for_a_server_that_went(tmp_path):
    place = {"database": tmp_path / "kept.sqlite", "OKCANCEL_PORT": str(free_port())}
    with Server(**place) as first:
        asking = ["--prompt", "email", "--server", first.url]
        ask = Asking(*asking, OKCANCEL_API_TOKEN=TOKEN)
        first.kill()
    # It tries again at longer and longer intervals: eight tries take more than ten seconds.
    with socket.create_server(("127.0.0.1", int(place["OKCANCEL_PORT"]))) as port:
        for _ in range(8):
            port.accept()[0].close()
    with Server(**place) as second:
        assert ask.answer("email=bob%40example.com")[0] == 200
        code, output, said = ask.ended()
        assert (code, output, said.count("; trying again until it responds or the time is up")) == (0, "bob@example.com\n", 1)
        left = Asking(*asking, "--timeout", 3, OKCANCEL_API_TOKEN=TOKEN)
        second.kill()
    code, output, said = left.ended()
    assert (code, output) == (69, "")
    away, last = said.splitlines()
    assert away.startswith("okcancel: the server cannot be reached: ")
    assert away.endswith("; trying again until it responds or the time is up")
    assert last.endswith("; start it, or name another with --server")


def test_a_script_takes_up_its_question_again_by_its_key():
    with Server() as server:
        asking = ["--prompt", "email", "--server", server.url, "--key", "order-7"]

        def ask():
            return Asking(*asking, OKCANCEL_API_TOKEN=TOKEN)

        first = ask()
        first.process.kill()
        second = ask()
        # What ends a session or a service does not end the question either.
        second.process.terminate()
        assert second.ended()[0] == -signal.SIGTERM
        third = ask()
        assert first.link == second.link == third.link
        other = run("ask", "--title", "Other?", *asking[2:], OKCANCEL_API_TOKEN=TOKEN)
        assert (other.returncode, other.stderr) == (
            70, "okcancel: this --key was used for another question; use another key, or the options of that question\n")
        assert third.answer("email=bob%40example.com")[0] == 200
        assert third.ended() == (0, "bob@example.com\n", "")
        # The answer is kept for it, too.
        again = run("ask", *asking, OKCANCEL_API_TOKEN=TOKEN)
        assert (again.returncode, again.stdout, again.stderr) == (0, "bob@example.com\n", "")
        asking[-1] = "order-8"
        taken_back = ask()
        taken_back.process.send_signal(signal.SIGINT)
        assert taken_back.ended()[0] == 5
        assert taken_back.answer("email=bob%40example.com")[0] == 409


def test_ask_has_titles_of_buttons_first_values_and_what_to_decide_on(tmp_path):
    (tmp_path / "deploy.sh").write_text("make deploy\n")
    (tmp_path / "change").write_text("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n")
    (tmp_path / "note.txt").write_text("Read <this>.\n")
    (tmp_path / "PLAN.MD").write_text("Move *orders*.\n")
    words = ["--ok", "Deploy", "--cancel", "Not now", "--value", "note=a=b", "--value", "tags=s", "--value", "tags=l"]
    words += [word for name in ("change", "deploy.sh", "note.txt", "PLAN.MD") for word in ("--context", tmp_path / name)]
    fields = ["--field", "note", "--field", "tags:choices", "--option", "s", "--option", "m", "--option", "l"]
    asking = Asking("--title", "Deploy?", *fields, *words, "--json")
    shown = asking.page()
    assert ">Deploy</span></button>" in shown and ">Not now</span></button>" in shown and 'value="a=b"' in shown
    assert shown.count(" checked") == 2
    assert shown.index("-old") < shown.index("make deploy") < shown.index("Read &lt;this&gt;.") < shown.index("Move <em>orders</em>.")
    assert asking.answer("outcome=cancel")[0] == 200
    assert asking.ended()[:2] == (1, '{"outcome":"cancel","by":{"via":"link"}}\n')
    # A file is a whole prompt, but for what this person is asked with.
    (tmp_path / "p.yaml").write_text("title: T\nfields: [{name: a}]\n")
    asking = Asking("--prompt", tmp_path / "p.yaml", "--value", "a=first")
    assert 'value="first"' in asking.page()
    asking.process.kill()


def hunk(number, lines=100):
    return f"@@ -{number} +{number} @@\n" + "".join(f"+line {number}.{line}\n" for line in range(lines))


@pytest.mark.parametrize("hunks, shown, missing", [
    ([hunk(1), hunk(2)], ["line 2.99"], None),
    ([hunk(1), hunk(2, 2000)], ["line 1.99"], 2001),      # after a whole hunk
    ([hunk(1, 2000)], ["line 1.5"], None),                 # or else after a line
])
def test_ask_cuts_a_long_diff_and_says_what_is_missing(hunks, shown, missing, tmp_path):
    (tmp_path / "change.diff").write_text("--- a/x\n+++ b/x\n" + "".join(hunks))
    (tmp_path / "note.txt").write_text("n" * 1000)
    asking = Asking("--title", "T", "--context", tmp_path / "change.diff", "--context", tmp_path / "note.txt")
    text = asking.page()
    asking.process.kill()
    assert all(line in text for line in shown) and "n" * 1000 in text
    cut = re.findall(r"… (\d+) more lines in change.diff, which is too long to be shown whole", text)
    if len(hunks[-1]) < 8000:
        assert not cut
    else:
        assert len(cut) == 1 and (missing is None or int(cut[0]) - 1 == missing)
        assert "line 2.0" not in text


def test_ask_gives_values_context_and_metadata_to_a_server_too(tmp_path):
    (tmp_path / "note.txt").write_text("Read this.\n")
    (tmp_path / "tags.yaml").write_text("title: T\nfields: [{name: a}, {name: tags, kind: choices, options: [s, l]}]\n")
    with Server(tmp_path) as server:
        words = ["--server", server.url, "--metadata", "order=7", "--metadata", "by=a=b", "--context", tmp_path / "note.txt"]
        for what in (["--prompt", "tags", "--value", "tags=s"], ["--title", "T", "--field", "a"]):
            asking = Asking(*what, *words, "--value", "a=first", OKCANCEL_API_TOKEN=TOKEN)
            shown = asking.page()
            assert 'value="first"' in shown and "Read this." in shown
            assert shown.count(" checked") == what.count("tags=s")
            assert asking.answer("outcome=cancel")[0] == 200
            assert asking.ended()[0] == 1
        asks = server.request("GET", "/asks", headers=server.authorized)[1].splitlines()
        assert [json.loads(ask)["metadata"] for ask in asks] == [{"order": "7", "by": "a=b"}] * 2


def test_context_may_be_the_output_of_a_command(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("Read this.\n",))
    writer.start()
    asking = Asking("--title", "T", "--context", tmp_path / "pipe")
    assert "Read this." in asking.page()
    writer.join()
    assert asking.answer("outcome=cancel")[0] == 200
    asking.ended()
    # A diff without a difference.
    (tmp_path / "empty.diff").write_text("")
    asking = Asking("--title", "T", "--context", tmp_path / "empty.diff")
    assert asking.answer("outcome=cancel")[0] == 200
    asking.ended()
    nothing = run("ask", "--title", "T", "--context", tmp_path / "none")
    assert nothing.returncode == 64 and "does not exist" in nothing.stderr


def test_what_check_warns_of_is_said_to_whoever_asks(tmp_path):
    schema = {"type": "object", "title": "T", "properties": {"name": {"type": "string", "format": "iban", "ui:widget": "x"}}}
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps(schema))
    checked = run("check", path).stdout.splitlines()
    assert len(checked) == 2
    with Server() as server:
        body = json.dumps({"schema": schema}).encode()
        headers = JSON | server.authorized | {"Idempotency-Key": "k"}
        made = [json.loads(server.exchange("POST", "/asks", body, headers).body) for _ in range(2)]
        warnings = made[0]["warnings"]
        assert made[1]["warnings"] == warnings and len(warnings) == 2
        assert {warning["pointer"] for warning in warnings} == {
            "#/schema/properties/name/ui:widget", "#/schema/properties/name/format"}
        for line, warning in zip(checked, warnings):
            assert line.endswith(warning["message"])
        assert "warnings" not in server.ask() and "warnings" not in server.call("GET", f"/asks/{made[0]['id']}")
        words = ["ask", "--schema", path, "--timeout", "1"]
        assert run(*words).stderr.splitlines()[:2] == checked
        assert "ui:widget" not in run(*words, "--quiet").stderr


@pytest.mark.parametrize("words, environment", [
    ("--json", {"OKCANCEL_FORMAT": "shell"}), ("--format shell", {"OKCANCEL_JSON": "true"}), ("", {"OKCANCEL_PREFIX": "a_"}),
    ("--json", {"OKCANCEL_PREFIX": "a_"}),
])
def test_what_is_typed_wins_over_a_variable(words, environment):
    typed = run("validate", "Examples/email.yaml", "email=a@b.c", *words.split())
    assert typed.returncode == 0 and typed.stdout
    varied = run("validate", "Examples/email.yaml", "email=a@b.c", *words.split(), **environment)
    assert (varied.returncode, varied.stdout) == (0, typed.stdout)


NOBODY = "okcancel: {} needs --server: the server that this command starts does not know who opens the link\n"
NO_FILE = "okcancel: there is no file {0}; give a definition file, like --prompt Examples/{0}.yaml, or with --server the prompt of a server\n"


@pytest.mark.parametrize("words, code, says", [
    ("", 64, ""),
    ("--title T --rule nonEmpty", 64, ""),
    ("--title T --rule nonEmpty --field a --field b", 64, ""),
    ("--title T --field 1st", 65, ""),
    ("--title T --field a:nokind", 65, ""),
    ("--title T --field a --rule nonEmty", 65, ""),
    ("--title T --field a --rule 'length: {max: 20'", 65, "--rule “length: {max: 20”: this `{…}` is not closed"),
    ("--title T --field a --rule 'length: {max: 2} c'", 65, "--rule “length: {max: 2} c”: this does not fit what stands"),
    ("--prompt nowhere.yaml", 64, "nowhere.yaml: there is no such file; check the path\n"),
    ("--title T --context nowhere.md", 64, "okcancel: --context: nowhere.md does not exist; check the path\n"),
    ("--title T --server https://127.0.0.1:1 --cacert nowhere.pem", 64, "okcancel: --cacert cannot be “nowhere.pem”; there is no such file\n"),
    ("--schema nowhere.json", 64, "nowhere.json: there is no such file; check the path\n"),
    ("--prompt Tests", 65, "Tests: this is a folder; name the files in it\n"),
    ("--prompt email", 64, NO_FILE.format("email")),
    ("--prompt release", 64, NO_FILE.format("release")),
    ("--title T --timeout soon", 64, ""),
    ("--title T --server 127.0.0.1:8080", 64, ""),
    ("--title T --server ftp://127.0.0.1", 64, ""),
    ("--title T --server http://127.0.0.1:1", 69, ""),
    ("--title T --key a", 64, ""),
    ("--title T --server http://127.0.0.1:1 --key 'a b'", 64, ""),
    ("--title T --metadata a=b", 64, ""),
    ("--title T --field a --value b=1", 64, ""),
    ("--title T --field a --value a", 64, ""),
    ("--title T --field a:choice --option x --field b --value b='x\ny'", 64, "okcancel: --value b: `b` has more than one line; write it on one line\n"),
    ("--title T --field a --value a=1 --value a=2", 64, ""),
    ("--title T --context nowhere.txt", 64, ""),
    ("--title T --context Tests", 64, "--context: Tests is a folder; name the files in it"),
    ("--title T --context Public/openapi.json", 64, ""),
    ("--prompt Examples/email.yaml --ok Go", 64, ""),
    ("--title T --for ada@example.com", 64, NOBODY.format("--for")),
    ("--title T --not-by group:x", 64, NOBODY.format("--not-by")),
    ("--title T --requested-by eve@example.com", 64, NOBODY.format("--requested-by")),
    ("--title T --no-wait", 64, "--no-wait needs --server; without it, the question ends with this command"),
    ("--title T --no-wait --server http://127.0.0.1:1 --open", 64, "--open cannot be used with --no-wait"),
    ("--title T --no-wait --server http://127.0.0.1:1", 69, "the server cannot be reached"),
    ("--title T --no-wait --server http://127.0.0.1:1 --json --format shell", 64, "two formats"),
    ("--option a --field b:choice --field c", 64, "--option belongs to the --field before it"),
    ("--title x --optional", 64, "--optional needs a --field before it"),
    ("--title x --help-text x", 64, "--help-text needs a --field before it"),
    ("--optional --field a --field b", 64, "--optional belongs to the --field before it"),
    ("--help-text x --field a --field b", 64, "--help-text belongs to the --field before it"),
    ("--field a --message-for x", 64, "--message-for needs a --rule before it"),
    ("--field a --rule nonEmpty --field b --message-for x", 64, "--message-for needs a --rule before it"),
    ("--field a --message-for x --rule nonEmpty --rule email", 64, "--message-for belongs to the --rule before it"),
    ("--prompt Examples/email.yaml --optional", 64, "leave --title, --message, --ok, --cancel, --field and its options out"),
    ("--schema x.json --message-for x", 64, "leave --prompt, --ok, --cancel, --field and its options out"),
])
def test_ask_says_what_it_cannot_ask(words, code, says):
    result = run("ask", *shlex.split(words), OKCANCEL_API_TOKEN=TOKEN)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr
    # A whole sentence, or a part of it.
    assert result.stderr == says if says.endswith("\n") else says in result.stderr


@pytest.fixture(scope="module")
def seats(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "seats.yaml").write_text(
        "title: Seats\nfields: [{name: n, kind: integer}, {name: row, kind: choice, options: [a, b]}]\n")
    with Server(folder) as server:
        yield server


@pytest.mark.parametrize("words, code, says", [
    ("--prompt seats --value n=many", 64, "okcancel: At values/n: "),
    ("--prompt seats --value row=c", 64, "okcancel: At values/row: there is no option `c`; did you mean `a`?\n"),
    ("--prompt seats --value m=1", 64, "the prompt has no field `m`"),
    ("--prompt seets", 64, "did you mean `seats`?"),
    ("--title T --for ada", 64, "“for” cannot be kept to"),
    ("--title T --not-by ask:x", 64, "“notBy” cannot be kept to"),
    ("--title T --not-by 'ada@example.com,bob@example.com'", 64, "--not-by cannot be “ada@example.com,bob@example.com”; "
     "it names several in one; write each by itself: `ada@example.com`, `bob@example.com`\n"),
    ("--title T --for Group:x", 64, "--for cannot be “Group:x”; it is spelt in another way; write `group:x`\n"),
    ("--title T --requested-by group:x", 64, "--requested-by cannot be “group:x”; it is no person; write the id of a person"),
    ("--title T --notify phone", 64, "“phone”, which is no channel of this server"),
    (f"--title T --metadata a={'x' * 5000}", 64, "“metadata” is longer than 4096 bytes"),
    ("--title T --field a --rule 'predicate: taken'", 65, "\n- at fields/0/rules/0/name: the predicate `taken` is not registered"),
])
def test_what_a_server_refuses_of_the_options_is_wrong_usage(seats, words, code, says):
    result = run("ask", *shlex.split(words), "--no-wait", "--server", seats.url, OKCANCEL_API_TOKEN=TOKEN)
    assert (result.returncode, result.stdout) == (code, ""), result.stderr
    assert says in result.stderr


def test_ask_through_a_server_wants_its_token():
    """ASVS 13.2.3 | no default credentials | if no token is set, the server generates one at startup"""
    with Server() as server:
        result = run("ask", "--prompt", "email", "--server", server.url)
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr == "okcancel: --server needs the server's API token; set OKCANCEL_API_TOKEN\n"


def test_a_result_wants_the_servers_token():
    result = run("result", "nothing", "done")
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr == "okcancel: reporting a result needs the server's API token; set OKCANCEL_API_TOKEN\n"


@pytest.mark.parametrize("rule, wrong, right", [
    ("notBlank", "", "a"),
    ("length: {min: 2}", "a", "ab"),
    ("{length: {min: 2}}", "a", "ab"),
    ('{"rule": "length", "min": 2}', "a", "ab"),
    ("pattern: '[a-z]+'", "1", "a"),
])
def test_ask_gives_a_field_what_stands_after_it(rule, wrong, right):
    asking = Asking(
        "--field", "note", "--optional", "--help-text", "It's for: us", "--field", "name", "--rule", "none",
        "--rule", rule, "--message-for", "That's not: a name", "--field", "last", "--json")
    assert "It’s for: us" in asking.page().replace("&#39;", "’").replace("'", "’")
    status, text = asking.answer(f"outcome=ok&note=&name={wrong}&last=")
    assert (status, "not: a name" in text) == (422, True)
    assert asking.answer(f"outcome=ok&note=&name={right}&last=")[0] == 200
    assert asking.ended()[:2] == (0, ok(f'{{"note":null,"name":"{right}","last":""}}'))


def test_options_of_the_only_field_and_rule_stand_anywhere():
    asking = Asking("--message-for", "Who?", "--rule", "nonEmpty", "--help-text", "You", "--field", "name")
    assert "Who?" in asking.answer("name=")[1]
    assert asking.answer("name=ann")[0] == 200
    assert asking.ended()[:2] == (0, "ann\n")
    # A variable means a field only as long as no option describes the question.
    asking = Asking("--field", "a", "--field", "b", "--json", OKCANCEL_HELP_TEXT="x", OKCANCEL_OPTIONAL="true")
    assert asking.answer("a=&b=")[0] == 200
    assert asking.ended()[1] == ok('{"a":"","b":""}')


def test_no_line_of_help_is_wider_than_a_terminal():
    """One that is would be broken twice."""
    lines = (ROOT / "Sources/OKCancelCLI/commands.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > 80 and not line.startswith("#")] == []


def test_a_database_that_is_not_there_is_told_in_one_line():
    """libpq's second line begins with a tab."""
    gone = run("rekey", "--database", "postgresql://ann@127.0.0.1:1/asks", OKCANCEL_KEY="A" * 43 + "=")
    assert gone.returncode == 70
    assert "postgresql://ann@127.0.0.1:1/asks cannot be reached (" in gone.stderr
    assert gone.stderr.count("\n") == 1 and "\t" not in gone.stderr


def test_the_plainest_question_stands_first_in_the_help_of_ask():
    assert run("ask", "--help").stdout.splitlines()[2].strip().startswith('okcancel ask --title "Deploy?"')


@pytest.mark.parametrize("status", [401, 409])
def test_a_remedy_names_no_option_that_the_command_lacks(status):
    class Refusing(Exchange):
        def do_POST(self):
            self.read()
            self.answer(status)

    event = {"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    with Listener(Refusing) as server:
        done = run(
            "hook", "--host", "claude", "--server", server.url, options={"input": json.dumps(event)}, OKCANCEL_API_TOKEN=TOKEN)
    assert done.returncode == 0 and f"({status})" in done.stderr
    assert set(re.findall(r"--[a-z-]+", done.stderr)) <= set(re.findall(r"--[a-z-]+", run("hook", "--help").stdout))
