"""Long polls over real connections: who leaves frees a waiter's place, and a connection that served before waits as well.
Clients of servers that do not respond."""

import json
import resource
import shutil
import socket
import struct
import threading
import time
from urllib.parse import urlsplit

import okcancel
import pytest
from asking import Asking

from Support.client import FORM
from Support.command import TOKEN, run
from Support.listener import Exchange, Listener
from Support.program import Nginx
from Support.server import Server, free_port
from Support.waiting import wait_until


class Waiter:
    """A connection of its own that waits for an ask."""

    def __init__(self, program, ask, before=0):
        self.socket = socket.create_connection(("127.0.0.1", program.port))
        self.file = self.socket.makefile("rb")
        for _ in range(before):
            self.send("/healthz")
            assert self.answer()[0] == 200
        self.send(f"/asks/{ask['id']}?wait=55")

    def send(self, path):
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())

    def answer(self):
        status = int(self.file.readline().split()[1])
        length = 0
        while (line := self.file.readline().lower()) != b"\r\n":
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, self.file.read(length)

    def leave(self, reset):
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.file.close()
        self.socket.close()


def until_waiting(program, count):
    """Returns when the metrics say that so many wait."""
    wait_until(lambda: program.waiters == count)


def test_a_client_that_leaves_frees_its_place_and_the_others_wait_on():
    with Server(OKCANCEL_LOG_LEVEL="warning") as program:
        ask, other = program.ask(), program.ask()
        staying = [Waiter(program, ask), Waiter(program, ask, before=3), Waiter(program, other)]
        leaving = [Waiter(program, ask, before=number % 2) for number in range(20)]
        until_waiting(program, 23)
        for number, waiter in enumerate(leaving):
            waiter.leave(reset=number % 4 < 2)
        until_waiting(program, 3)
        program.answer(ask)
        for waiter in staying[:2]:
            status, body = waiter.answer()
            assert (status, body.decode()) == (200, program.kept(ask))
        until_waiting(program, 1)
        # The connection goes on, with another wait.
        staying[0].send(f"/asks/{other['id']}?wait=1")
        assert json.loads(staying[0].answer()[1]) == {
            key: other[key] for key in ("prompt", "createdAt", "id", "status")}
        until_waiting(program, 1)


def test_each_of_thousands_of_waiters_hears_of_its_own_ask_and_all_of_the_stop():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with Server(OKCANCEL_LOG_LEVEL="warning") as program:
        of_many, of_few, of_none = program.ask(), program.ask(), program.ask()
        many = [Waiter(program, of_many) for _ in range(2500)]
        few = [Waiter(program, of_few) for _ in range(20)]
        until_waiting(program, 2520)
        program.answer(of_few)
        assert {waiter.answer() for waiter in few} == {(200, program.kept(of_few).encode())}
        program.answer(of_many)
        assert {waiter.answer() for waiter in many} == {(200, program.kept(of_many).encode())}
        for waiter in many:
            waiter.send(f"/asks/{of_none['id']}?wait=55")
        until_waiting(program, 2500)
        open_still = program.kept(of_none).encode()
        program.stop()
        assert {waiter.answer() for waiter in many} == {(200, open_still)}


def told_by_the_command(url, limit):
    ended = run("ask", "--server", url, "--title", "Sure?", "--timeout", str(limit), OKCANCEL_API_TOKEN=TOKEN)
    assert (ended.returncode, ended.stdout) == (69, ""), ended.stderr
    return ended.stderr


def told_by_python(url, limit):
    with pytest.raises(okcancel.Unreachable) as failed:
        okcancel.Client(url, TOKEN, patience=1 if limit is None else 60).ask("Sure?", timeout=limit, present=lambda link: None)
    return str(failed.value)


CLIENTS = pytest.mark.parametrize("told", [told_by_the_command, told_by_python])


@CLIENTS
@pytest.mark.parametrize("makes_the_ask", [False, True])
def test_the_limit_is_the_limit_for_a_server_that_does_not_respond(told, makes_the_ask):
    made = b'{"id":"a","link":"http://127.0.0.1/a/b","status":"open"}'
    waiting = []

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            waiting.append(connection)
            if connection.recv(65536).startswith(b"POST") and makes_the_ask:
                connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(made) + made)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        began = time.monotonic()
        told(f"http://127.0.0.1:{listener.getsockname()[1]}", 3)
        # Without a limit, both would wait for a minute or longer.
        assert 2.5 < time.monotonic() - began < 45


def answered_by_the_command(url, tell):
    asking = Asking("--prompt", "email", "--server", url, OKCANCEL_API_TOKEN=TOKEN)
    # What is said of the first request ends so, and the second is refused, too.
    assert asking.link == "up"
    assert "Try again; trying again until it responds or the time is up" in asking.process.stderr.readline()
    tell(asking.process.stderr.readline().split()[-1])
    return asking.ended()[:2] == (0, "ann@example.com\n")


def answered_by_python(url, tell):
    return okcancel.Client(url, TOKEN).ask(prompt="email", present=tell).values == {"email": "ann@example.com"}


@pytest.mark.parametrize("answered", [answered_by_the_command, answered_by_python])
@pytest.mark.parametrize("status, code", [(429, "too-many-requests"), (503, "busy")])
def test_a_server_that_asks_to_wait_is_asked_again_then(answered, status, code):
    seen = {}

    class Busy(Exchange):
        """Refuses each request once, and passes the next one on."""

        def do(self):
            body, name = self.read() or None, (self.command, self.path.split("?")[0])
            seen.setdefault(name, []).append(time.monotonic())
            if len(seen[name]) == 1:
                problem = json.dumps({"status": status, "code": code, "detail": "Try again."}).encode()
                return self.answer(status, problem, {"Content-Type": "application/problem+json", "Retry-After": "1"})
            answer = server.exchange(self.command, self.path, body, dict(self.headers.items()))
            self.answer(answer.status, answer.body)

        do_GET = do_POST = do_DELETE = do

    def tell(link):
        server.request("POST", urlsplit(link).path, "email=ann%40example.com", FORM)

    with Server("Examples") as server, Listener(Busy) as proxy:
        assert answered(proxy.url, tell)
    assert [len(times) for times in seen.values()] == [2] * len(seen) and len(seen) >= 2
    assert all(second - first >= 1 for first, second in seen.values())


@pytest.mark.parametrize("makes_the_ask", [False, True])
def test_nobody_waits_for_a_server_that_asks_for_more_time_than_there_is(makes_the_ask):
    class Busy(Exchange):
        def do(self):
            self.read()
            if makes_the_ask and self.command == "POST":
                return self.answer(201, b'{"id":"a","link":"http://127.0.0.1/a/b","status":"open"}')
            self.answer(429, b'{"code":"too-many-requests","detail":"Later."}', {"Retry-After": "100000"})

        do_GET = do_POST = do_DELETE = do

    with Listener(Busy) as busy:
        ended = run("ask", "--server", busy.url, "--title", "Sure?", "--timeout", "3600", OKCANCEL_API_TOKEN=TOKEN)
        assert (ended.returncode, "(429): Later" in ended.stderr) == (70, True), ended.stderr
        with pytest.raises(okcancel.Refused):
            okcancel.Client(busy.url, TOKEN).ask("Sure?", timeout=3600, present=lambda link: None)


@CLIENTS
@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
@pytest.mark.parametrize("status, upstream", [
    (502, "proxy_pass http://127.0.0.1:{dead};"), (503, "return 503;"),
    (504, "proxy_pass http://127.0.0.1:{silent}; proxy_read_timeout 1s;")])
def test_a_proxy_without_its_server_is_no_server(tmp_path, told, status, upstream):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ports = {"dead": free_port(), "silent": silent.getsockname()[1]}
        site = "server {\n  listen 443 ssl;\n  location / { " + upstream.format(**ports) + " }\n}"
        with Nginx(tmp_path, site, {}) as nginx:
            said = told(f"http://127.0.0.1:{nginx.port}", None if told is told_by_python else 60)
            assert f"cannot be reached: a proxy in front of it responded with {status}" in said


def unanswered_by_the_command(url):
    return run("ask", "--server", url, "--title", "Sure?", "--timeout", "3", OKCANCEL_API_TOKEN=TOKEN).returncode == 5


def unanswered_by_python(url):
    outcome = okcancel.Client(url, TOKEN).ask("Sure?", timeout=3, present=lambda link: None)
    return outcome.outcome in ("expired", "withdrawn")


@pytest.mark.parametrize("unanswered", [unanswered_by_the_command, unanswered_by_python])
def test_a_proxy_that_drops_the_wait_is_not_asked_without_a_pause(unanswered):
    looks = []

    class Dropping(Exchange):
        """Passes on all but the query."""

        def do(self):
            body, path = self.read() or None, self.path.split("?")[0]
            if self.command == "GET":
                looks.append(path)
            answer = server.exchange(self.command, path, body, dict(self.headers.items()))
            self.answer(answer.status, answer.body)

        do_GET = do_POST = do_DELETE = do

    with Server("Examples") as server, Listener(Dropping) as proxy:
        assert unanswered(proxy.url)
    assert 1 < len(looks) < 10


def test_another_program_at_the_address_is_named_as_one():
    class Site(Exchange):
        def do_POST(self):
            self.read()
            self.answer(200, b"<!doctype html><p>Welcome")

    with Listener(Site) as site:
        ended = run("ask", "--server", site.url, "--title", "Sure?", OKCANCEL_API_TOKEN=TOKEN)
    assert ended.returncode == 70
    assert "it is not JSON; see that this is the address of an OKCancel server" in ended.stderr
