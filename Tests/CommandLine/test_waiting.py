"""Long polls over real connections: who leaves frees a waiter's place, and a connection that served before waits as well."""

import json
import re
import resource
import socket
import struct

from Support.command import TOKEN
from Support.server import Server


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
    while True:
        text = program.request("GET", "/metrics", headers=program.authorized)[1]
        if int(re.search(r"^okcancel_waiters (\d+)$", text, re.MULTILINE)[1]) == count:
            return


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


def test_all_who_wait_for_one_ask_read_the_same():
    with Server(OKCANCEL_LOG_LEVEL="warning") as program:
        ask = program.ask()
        waiters = [Waiter(program, ask) for _ in range(300)]
        until_waiting(program, 300)
        program.answer(ask)
        assert {waiter.answer() for waiter in waiters} == {(200, program.kept(ask).encode())}
        until_waiting(program, 0)


def test_of_thousands_each_hears_of_its_own_ask_and_all_of_the_stop():
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
