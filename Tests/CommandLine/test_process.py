"""The command as a process: closed and full descriptors, signals, readers that leave, too few threads, orphans."""

import contextlib
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from asking import Asking, look_with
from Support.client import FORM, JSON
from Support.command import BINARY, ROOT, TOKEN, clean, run, script
from Support.server import Server
from Support.waiting import wait_until
from test_operation import SECRETS, Manager, nobody

EMAIL = "Examples/email.yaml"
FULL = "standard output cannot be written: No space left on device"
CLOSED = "standard output cannot be written: Bad file descriptor"


def shell(redirection, *words, options={}, **environment):
    """Runs the command under a shell that redirects it; exit code and standard error."""
    ended = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", BINARY, *map(str, words)], cwd=ROOT, env=clean(environment),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=60, **options)
    return ended.returncode, ended.stderr


# standard output and error


@pytest.mark.parametrize("words", [
    ["--help"], ["--version"], ["help", "ask"], ["--generate-completion-script", "bash"],
    ["validate", EMAIL, "email=ann@example.com"], ["check", "{faulty}"], ["check", "--format", "sarif", EMAIL],
    ["asks"], ["answers", "email"], ["answers", "email", "--format", "csv"], ["templates", "{new}"]])
def test_output_that_cannot_be_written_is_70_and_a_reason(tmp_path, words):
    (tmp_path / "faulty.yaml").write_text("titel: T\n")
    with Server() as server:
        assert server.request("POST", "/prompts/email", "outcome=ok&email=ann@example.com", FORM)[0] == 200
        server.ask()
        for redirection, says in ((">/dev/full", FULL), (">&-", CLOSED)):
            paths = {"faulty": tmp_path / "faulty.yaml", "new": tmp_path / redirection.strip(">/&")}
            filled = [word.format(**paths) for word in words]
            settings = {"OKCANCEL_SERVER": server.url, "OKCANCEL_API_TOKEN": TOKEN} if words[0] in ("asks", "answers") else {}
            assert shell(redirection, *filled, **settings) == (70, f"okcancel: {says}\n")


def test_a_copy_that_is_not_announced_is_there(tmp_path):
    with Server() as server:
        assert shell(">/dev/full", "backup", tmp_path / "copy.sqlite", "--database", server.database) == (70, f"okcancel: {FULL}\n")
    assert (tmp_path / "copy.sqlite").stat().st_size > 0


@pytest.mark.parametrize("words, code", [(["check", EMAIL], 0), (["validate", EMAIL, "email=bob"], 1), (["serve", "--port", "x"], 64)])
def test_errors_that_cannot_be_written_change_nothing(words, code):
    for redirection in ("2>&-", "2>/dev/full", "<&- 2>&-"):
        assert shell(redirection, *words)[0] == code


def test_a_closed_descriptor_never_becomes_the_database(tmp_path):
    database = tmp_path / "a.sqlite"
    with Server(database=database, before=["sh", "-c", 'exec "$@" <&- 2>&-', "sh"]) as server:
        opened = {number: os.readlink(f"/proc/{server.process.pid}/fd/{number}") for number in range(3)}
        assert {opened[0], opened[2]} == {"/dev/null"}
        server.answer(server.ask(), "email=ann%40example.com")
    assert database.read_bytes()[:15] == b"SQLite format 3"


def test_an_outcome_that_cannot_be_printed_is_told_and_kept_by_its_key():
    def ends(asking):
        asking.process.stdout.close()
        assert asking.answer("email=ann%40example.com")[0] == 200
        return asking.process.stderr.read(), asking.process.wait(60)

    gone = "okcancel: standard output cannot be written: Broken pipe; the outcome was ok and is "
    assert ends(Asking("--prompt", EMAIL)) == (f"{gone}lost; with --server and --key, the same command can print it again\n", 70)
    with Server() as server:
        words = ["--prompt", "email", "--server", server.url, "--key", "order-7"]
        first = Asking(*words, OKCANCEL_API_TOKEN=TOKEN)
        assert ends(first) == (f"{gone}kept under --key; the same command prints it again\n", 70)
        assert run("ask", *words, OKCANCEL_API_TOKEN=TOKEN).stdout == "ann@example.com\n"
        # Nobody is asked what it is known from the start that nobody will read.
        words[-1] = "order-8"
        for redirection, says in ((">/dev/full", FULL), (">&-", CLOSED)):
            assert shell(redirection, "ask", *words, OKCANCEL_API_TOKEN=TOKEN) == (70, f"okcancel: {says}\n")
        assert server.request("GET", "/asks", headers=server.authorized)[1].count("\n") == 1


def test_a_reader_that_has_had_enough_ends_a_list_silently():
    """As it ends other programs; one that ignores SIGPIPE from its start says so."""
    with Server() as server:
        server.ask()
        settings = {"OKCANCEL_SERVER": server.url, "OKCANCEL_API_TOKEN": TOKEN}
        for ignored, ends in ((False, (-signal.SIGPIPE, "")), (True, (70, "okcancel: standard output cannot be written: Broken pipe\n"))):
            read, write = os.pipe()
            os.close(read)
            process = subprocess.Popen(
                [BINARY, "asks"], env=clean(settings), stdout=write, stderr=subprocess.PIPE, text=True, restore_signals=not ignored)
            os.close(write)
            said = process.communicate(timeout=60)[1]
            assert (process.returncode, said) == ends


@pytest.mark.parametrize("redirection, says", [(">&-", CLOSED), (">/dev/full", FULL)])
def test_an_agent_s_host_that_takes_nothing_ends_it(redirection, says):
    process = subprocess.Popen(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", BINARY, "mcp"], env=clean({}), stdin=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    # It may have ended at once.
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
    said = process.stderr.read()
    assert (process.wait(60), said) == (70, f"okcancel: {says}\n")
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


# signals and the log's reader


def test_the_server_outlives_the_reader_of_its_log(tmp_path):
    """Whatever the next line is about; what it starts gets SIGPIPE as it was."""
    words = look_with(tmp_path, "grep SigIgn /proc/self/status\nexit 1")
    fifo = tmp_path / "log"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with Server(*words, before=["sh", "-c", f'exec "$@" 2> {fifo}', "sh"]) as server:
        os.close(reader)
        for number in (signal.SIGHUP, signal.SIGUSR2, signal.SIGUSR1, signal.SIGHUP):
            server.process.send_signal(number)
        wait_until(lambda: (server.folder / "a.sqlite.backup").exists())
        said = server.request("POST", "/validate/ask", '{"a":"x"}', JSON)[1]
        assert not int(re.search(r"SigIgn:\s*([0-9a-f]+)", said)[1], 16) & 1 << signal.SIGPIPE - 1, said
        ignored = int(re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{server.process.pid}/status").read_text())[1], 16)
        assert ignored & 1 << signal.SIGPIPE - 1
        assert server.stop() == 0


def test_a_full_log_does_not_keep_it_from_stopping(tmp_path):
    """Requests, and a reload, wait for the log's reader until SIGTERM comes. It does not reload first for each signal that
    has come meanwhile."""
    read, write = os.pipe()
    manager = Manager(tmp_path, False)
    words = ["serve", "--port", "0", "--database", tmp_path / "a.sqlite"]
    process = subprocess.Popen(
        [BINARY, *map(str, words)], cwd=ROOT, env=clean({"OKCANCEL_API_TOKEN": TOKEN, "NOTIFY_SOCKET": manager.variable}),
        stdout=subprocess.PIPE, stderr=write)
    try:
        port = int(process.stdout.readline().decode().rsplit(":", 1)[1].strip("/\n"))
        os.set_blocking(write, False)
        try:
            while True:
                os.write(write, b"-" * 4096)
        except BlockingIOError:
            os.set_blocking(write, True)
        clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
        for client in clients:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        # Its line comes after the response, and waits.
        assert select.select(clients, [], [], 60)[0]
        assert "READY" in manager.told()
        for _ in range(60):
            process.send_signal(signal.SIGHUP)
            time.sleep(0.002)
        # The first, which waits.
        assert "RELOADING" in manager.told()
        process.terminate()
        assert process.wait(60) == 0
        told = []
        while "STOPPING" not in (message := manager.told()):
            told.append(message)
        assert len([message for message in told if "RELOADING" in message]) <= 1
        for client in clients:
            client.close()
    finally:
        process.kill()
        process.communicate()
        os.close(read)
        os.close(write)


# crashes

FAULTS = [signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV]
CRASHED = r"okcancel \S+ crashed \({}\); nothing acknowledged is lost; please report this"


@pytest.mark.parametrize("number", FAULTS)
def test_a_crash_says_that_it_was_one_and_ends_by_its_signal(number):
    with Server() as server:
        server.process.send_signal(number)
        assert server.ended() == -number
        # With a debugger's handler, as the debug build has one, more follows.
        assert [line for line in server.log.lines if re.fullmatch(CRASHED.format(number.name), line)]


@pytest.mark.parametrize("words", [["ask", "--title", "Go?"], ["mcp"]], ids=" ".join)
def test_every_command_says_that_it_crashed(words):
    with Server() as server, subprocess.Popen(
            [BINARY, *words], cwd=ROOT, env=clean({"OKCANCEL_SERVER": server.url, "OKCANCEL_API_TOKEN": TOKEN}),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: caught(process.pid) >> signal.SIGILL - 1 & 1)
        process.send_signal(signal.SIGILL)
        # Before standard input is closed, which ends `mcp` by itself.
        assert process.wait(60) == -signal.SIGILL
        assert re.search(CRASHED.format("SIGILL"), process.stderr.read())


def caught(process):
    """The signals that a process handles, as bits."""
    return int(re.search(r"SigCgt:\s+(\w+)", Path(f"/proc/{process}/status").read_text())[1], 16)


def test_a_crash_that_nobody_can_be_told_of_ends_the_process_too():
    """Standard error closed, full, without a reader, and with one that does not read."""
    read, write = os.pipe2(os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while os.write(write, b"x" * 4096):
            pass
    os.set_blocking(write, True)
    broken, left = os.pipe()
    os.close(broken)
    with open("/dev/full", "w") as full:
        for number in [None, full.fileno(), left, write]:
            process = subprocess.Popen(
                ["sh", "-c", 'exec "$@"' + (" 2>&-" if number is None else ""), "sh", BINARY, "mcp"], cwd=ROOT, env=clean({}),
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=number)
            wait_until(lambda: caught(process.pid) >> signal.SIGSEGV - 1 & 1)
            process.send_signal(signal.SIGSEGV)
            assert process.wait(60) == -signal.SIGSEGV
            process.stdin.close()
    for descriptor in (read, write, left):
        os.close(descriptor)


def test_programs_that_it_starts_do_not_inherit_what_it_does_with_signals(tmp_path):
    """A shell blocks them itself while it waits, so the program that looks takes its place."""
    looks = script(tmp_path / "looks", f"exec cat /proc/self/status > {tmp_path}/status")
    (tmp_path / "one.yaml").write_text("title: T\nfields: [{name: a, rules: [{predicate: even}]}]\n")
    with Server(tmp_path, "--predicate", f"even={looks}") as server:
        server.request("POST", "/prompts/one", "outcome=ok&a=1", FORM)
        wait_until(lambda: (tmp_path / "status").exists() and "SigCgt" in (tmp_path / "status").read_text())
    # The C library keeps two for itself, of which it leaves a program that it starts ignored.
    signals = ~(1 << 31 | 1 << 32)
    for name, bits in re.findall(r"Sig(Blk|Ign|Cgt):\s+(\w+)", (tmp_path / "status").read_text()):
        assert not int(bits, 16) & signals, name


# Runs before `main`, once everything that C does before it is done.
BEFORE_MAIN = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
typedef int entry(int, char **, char **);
static entry *wrapped;
static int sending(int count, char **words, char **variables) {
  int numbers[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE};
  for (int index = 0; index < 4; index++) kill(getpid(), numbers[index]);
  return wrapped(count, words, variables);
}
int __libc_start_main(entry *main, int count, char **words, void *a, void *b, void *c, void *d) {
  int (*start)(entry *, int, char **, void *, void *, void *, void *) = dlsym(RTLD_NEXT, "__libc_start_main");
  wrapped = main;
  return start(sending, count, words, a, b, c, d);
}
"""


def test_signals_that_come_before_main_do_not_end_a_server(tmp_path):
    (tmp_path / "before.c").write_text(BEFORE_MAIN)
    library = tmp_path / "before.so"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, tmp_path / "before.c", "-ldl"], check=True)
    with Server(LD_PRELOAD=str(library)) as server:
        # They are handled once it runs.
        wait_until(lambda: (server.folder / "a.sqlite.backup").exists())
        assert "SIGUSR2 does nothing" in server.log.wait_for("SIGUSR2")
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        assert not int(re.search(r"SigBlk:\s*(\w+)", status)[1], 16) & 1 << signal.SIGPIPE - 1
        assert server.stop() == 0
    for words in [["check"], ["serve", "--help"]]:
        ended = subprocess.run([BINARY, *words], env=clean({"LD_PRELOAD": str(library)}), capture_output=True, timeout=60)
        # The first of them that is not ignored: under nohup SIGHUP is.
        assert ended.returncode in ((-signal.SIGHUP, -signal.SIGUSR1) if words == ["check"] else (0,))


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE])
def test_no_signal_ends_a_server_that_starts(number, tmp_path):
    """Sent as often as it can be, from the moment that its code runs."""
    process = subprocess.Popen(
        [BINARY, "serve", "--port", "0", "--database", tmp_path / "a.sqlite"], cwd=ROOT, env=clean({}),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        status = Path(f"/proc/{process.pid}/status")
        wait_until(lambda: int(re.search(r"SigBlk:\s*(\w+)", status.read_text())[1], 16) & 1 << signal.SIGHUP - 1)
        assert "OKCancel serves" in read_line(process.stdout, lambda: process.send_signal(number))
        for _ in range(100):
            process.send_signal(number)
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_signal_that_restarted_the_server_says_what_to_use():
    with Server() as server:
        server.process.send_signal(signal.SIGUSR2)
        assert "systemctl restart okcancel" in server.log.wait_for("SIGUSR2")
        assert server.request("GET", "/healthz")[0] == 200


def read_line(stream, meanwhile):
    """The next line of a pipe; `meanwhile` is called until it comes."""
    os.set_blocking(stream.fileno(), False)
    try:
        text = ""
        while not text.endswith("\n"):
            try:
                part = os.read(stream.fileno(), 4096)
                if not part:
                    return text
                text += part.decode()
            except BlockingIOError:
                meanwhile()
                time.sleep(0.001)
        return text
    finally:
        os.set_blocking(stream.fileno(), True)


# limits of the system


@pytest.mark.skipif(os.geteuid() != 0, reason="the limit counts the processes of a user, so it needs one of its own")
@pytest.mark.parametrize("words", [["serve", "Examples", "--port", "0"], ["mcp"], ["ask", "--title", "T"]])
def test_a_server_with_too_few_threads_exits_with_70_and_names_the_limit(tmp_path, words):
    binary = shutil.copy(BINARY, tmp_path)
    shutil.copytree(ROOT / "Examples", tmp_path / "Examples")
    before = ["setpriv", "--reuid=64999", "--regid=64999", "--clear-groups"]
    nobody(tmp_path)
    for place in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(place, 64999, 64999)
    for limit in (2, 4, 7, 12):
        ended = subprocess.run(
            [*before, "prlimit", f"--nproc={limit}", binary, *words], cwd=tmp_path, env=clean({"TMPDIR": str(tmp_path)}), text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        assert (ended.returncode, ended.stdout) == (70, "")
        assert f"RLIMIT_NPROC (ulimit -u, LimitNPROC=) is {limit}" in ended.stderr


@pytest.mark.parametrize("words", [["serve", "Examples", "--port", "0"], ["mcp"], ["ask", "--title", "T"]])
def test_a_server_with_too_few_descriptors_exits_with_70_and_names_the_limit(words):
    for limit in (6, 16, 24):
        ended = subprocess.run(
            ["prlimit", f"--nofile={limit}:{limit}", BINARY, *words], cwd=ROOT, env=clean({}), text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        assert (ended.returncode, ended.stdout) == (70, "")
        assert f"RLIMIT_NOFILE (ulimit -n, LimitNOFILE=) is {limit}; raise it to " in ended.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a mount namespace of its own")
def test_a_command_without_proc_exits_with_70_and_says_so():
    ended = subprocess.run(
        ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh", BINARY, "serve", "Examples"], cwd=ROOT,
        env=clean({}), text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (70, "")
    assert ended.stderr == "okcancel: /proc is missing, and nothing here works without it; mount it.\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a process namespace of its own")
def test_the_first_process_of_a_container_leaves_no_zombie(tmp_path):
    go = tmp_path / "go"
    words = look_with(tmp_path, f"(until [ -e {go} ]; do sleep 0.05; done) > /dev/null 2>&1 &")
    with Server(*words, before=["unshare", "--pid", "--fork", "--kill-child"]) as server:
        [child] = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()

        def children():
            return [
                int(each) for task in Path(f"/proc/{child}/task").iterdir() for each in (task / "children").read_text().split()]

        for _ in range(5):
            assert '"isValid":true' in server.request("POST", "/validate/ask", '{"a":"x"}', JSON)[1]
        assert children()
        go.touch()
        wait_until(lambda: not children())


# settings and secrets


@pytest.mark.parametrize("command", [["serve"], ["rekey"], ["copy", "--to", "postgresql://a/b", "--from", "{database}"], ["mcp", "--database", "{new}"]])
@pytest.mark.parametrize("key", ["abc", "abc=", "YWJj", ",", f"{SECRETS['OKCANCEL_KEY']},", f"{SECRETS['OKCANCEL_KEY']};YWJj"])
def test_a_malformed_key_is_wrong_usage(tmp_path, command, key):
    (tmp_path / "a.sqlite").write_bytes(b"")
    paths = {"database": tmp_path / "a.sqlite", "new": tmp_path / "new.sqlite"}
    settings = {} if command[0] == "copy" or command[0] == "mcp" else {"OKCANCEL_DATABASE": str(paths["database"])}
    ended = run(*[word.format(**paths) for word in command], OKCANCEL_KEY=key, OKCANCEL_PORT="0", **settings)
    assert (ended.returncode, ended.stdout) == (64, "")
    assert "OKCANCEL_KEY cannot be used: " in ended.stderr and ("openssl rand -base64 32" in ended.stderr) == (key not in ("abc=", "YWJj"))
    assert key == "," or key not in ended.stderr


def test_no_program_gets_a_secret(tmp_path):
    """Whatever runs it: the same list at every door.

    Promise 4.6 | Predicates inherit no secrets, and cannot read them in the server's environment or memory.
    """
    _, *words = look_with(tmp_path, "env | tr '\\n' ' '\nexit 1")
    prompt = tmp_path / "ask.yaml"
    secrets = SECRETS | {
        "PGPASSWORD": "canary-of-libpq", "OKCANCEL_DATABASE": "postgresql://ann:canary-of-address@db/asks",
        "OKCANCEL_DATABASE_DIRECT": "postgresql://ann:canary-direct@db/asks"}
    said = [run("validate", prompt, "a=x", *words, SEEN="yes", **secrets).stdout]
    asking = Asking("--prompt", prompt, *words, SEEN="yes", **secrets)
    said.append(asking.answer("a=x")[1])
    asking.process.terminate()
    asking.ended()
    for text in said:
        assert "SEEN=yes" in text
        assert not [name for name, value in secrets.items() if name in text or value in text]


def test_an_agent_s_questions_stay_out_of_the_server_s_database(tmp_path):
    """OKCANCEL_DATABASE and OKCANCEL_PORT are the server's."""
    with Server() as server:
        shared = {"OKCANCEL_DATABASE": "postgresql://ann@127.0.0.1:1/asks", "OKCANCEL_PORT": str(server.port)}
        for settings in (shared, shared | {"OKCANCEL_DATABASE": str(server.database)}):
            ended = run("mcp", options={"stdin": subprocess.DEVNULL}, **settings)
            assert (ended.returncode, ended.stderr) == (0, "")
    ended = run("mcp", "--database", shared["OKCANCEL_DATABASE"])
    assert (ended.returncode, "--database must be an SQLite file" in ended.stderr) == (64, True)


@pytest.mark.parametrize("host, printed", [
    ("*", "0.0.0.0"), ("0", "0.0.0.0"), ("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("[::1]", "[::1]"), ("localhost", "localhost")])
def test_the_printed_address_is_one_for_browsers(host, printed):
    with Server("--host", host) as server:
        assert server.line.endswith(f" at http://{printed}:{server.port}/")


def test_a_log_that_was_copied_and_cut_goes_on(tmp_path):
    """What logrotate's copytruncate does to a log that was opened with >>."""
    log = tmp_path / "log"
    with Server(before=["sh", "-c", f'exec "$@" 2>> {log}', "sh"]) as server:
        for path in ("/before", "/after"):
            server.request("GET", path)
            wait_until(lambda: f"path={path} " in log.read_text())
            os.truncate(log, 0)
        server.request("GET", "/last")
        wait_until(lambda: "path=/last " in log.read_text())
        assert log.read_bytes()[:2] == b"20"
