"""`GET /prompts/{name}/answers`: whatever the answers' number and size, they cost a part of them at a time."""

import json
import socket
import sqlite3

import pytest

from Support.command import run
from Support.server import Server

COUNT, SIZE = 1050, 60_000


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A database with more answers than a response has, 60 MB of them."""
    path = tmp_path_factory.mktemp("answers") / "a.sqlite"
    with Server(database=path) as server:
        assert server.stop() == 0
    with sqlite3.connect(path) as kept:
        kept.executemany(
            "INSERT INTO answers (prompt, answered_at, context, outcome) VALUES ('email', 0, '', ?)",
            ([json.dumps({"outcome": "ok", "values": {"email": f"{n} " + "é" * (SIZE // 6)}}).encode()] for n in range(COUNT)))
    kept.close()
    return path


def memory(server):
    """The server's resident memory in bytes."""
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_readers_that_do_not_read_hold_little(database):
    """Promise 3.7 | The server reads answers from the store in parts, at the client's pace, so many or large answers
    take little memory.
    """
    with Server(database=database) as server:
        assert server.request("GET", "/prompts/email/answers?after=1049", headers=server.authorized)[0] == 200
        before = memory(server)
        readers = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        for reader in readers:
            reader.sendall(
                f"GET /prompts/email/answers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode())
        for reader in readers:
            assert reader.recv(15) == b"HTTP/1.1 200 OK"
        # Others are served meanwhile, also with answers.
        assert server.request("GET", "/readyz")[0] == 200
        status, text = server.request("GET", "/prompts/email/answers?after=1040", headers=server.authorized)
        assert (status, text.count("\n")) == (200, 10)
        held = memory(server) - before
        for reader in readers:
            reader.close()
        # All of them hold less than one whole response.
        assert held < COUNT * SIZE, held


def test_all_answers_arrive_a_thousand_at_a_time(database):
    with Server(database=database) as server:
        first = server.exchange("GET", "/prompts/email/answers", headers=server.authorized)
        lines = [json.loads(line) for line in first.body.splitlines()]
        assert [line["cursor"] for line in lines] == [str(n) for n in range(1, 1001)]
        assert all(line["values"]["email"].split()[0] == str(n) for n, line in enumerate(lines))
        next_page = "/prompts/email/answers?after=1000"
        assert first.headers["Link"] == f'<{next_page}>; rel="next"'
        head = server.exchange("HEAD", "/prompts/email/answers", headers=server.authorized)
        assert (head.status, head.body, head.headers["Content-Type"]) == (200, b"", "application/jsonl")
        rest = server.exchange("GET", next_page, headers=server.authorized)
        assert (rest.body.count(b"\n"), rest.headers["Link"]) == (50, None)
        ended = run("answers", "email", "--server", server.url, OKCANCEL_API_TOKEN=server.token)
        assert ended.returncode == 0, ended.stderr
        assert [json.loads(line)["cursor"] for line in ended.stdout.splitlines()] == [str(n) for n in range(1, COUNT + 1)]


def test_an_answer_that_cannot_be_opened_is_no_end(database):
    """What comes before it arrives, and then the connection breaks off: nobody takes it for all."""
    with Server(database=database) as server:
        # Closed, so that another program may open it.
        assert server.stop() == 0
    with sqlite3.connect(database) as kept:
        kept.execute("UPDATE answers SET outcome = CAST('sealed:x' AS BLOB) WHERE position = 500")
    kept.close()
    with Server(database=database) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as reader:
            reader.sendall(
                f"GET /prompts/email/answers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode())
            received = b""
            while part := reader.recv(1 << 20):
                received += part
        assert received.startswith(b"HTTP/1.1 200 OK") and not received.endswith(b"0\r\n\r\n")
        assert 400 < received.count(b'"cursor"') < 500
        assert server.request("GET", "/prompts/email/answers?after=499", headers=server.authorized)[0] == 503
