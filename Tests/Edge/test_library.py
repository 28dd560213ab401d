"""Faults that libmicrohttpd's versions have had, against the version that is loaded.

Each request is one that some version answers wrongly, or does not survive, if it gets to read it. More of them: two
lengths, two hosts, a length with chunks, and white space before a colon in `HeadReaderTests`; extensions of chunks in
`ChunkReaderTests`; many events at once, half-closed peers and streams that rest in `ServerTests`, `DepartureTests` and
`ServerStreamTests`; a listening socket removed twice in `DrainingTests`.
"""

import ctypes
import re
import signal
import socket
import subprocess

import pytest

from Support.client import talk, until_closed
from Support.command import BINARY
from Support.server import Server
from Support.waiting import wait_until

CLOSE = b"Host: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def server():
    with Server("--log-level", "error") as server:
        yield server


def statuses(received):
    return re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)


def test_the_version_names_the_library_that_is_loaded():
    loaded = ctypes.CDLL("libmicrohttpd.so.12").MHD_get_version
    loaded.restype = ctypes.c_char_p
    printed = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
    own, library = printed.splitlines()
    assert re.fullmatch(r"\d+\.\d+\.\d+", own) and library == f"libmicrohttpd {loaded().decode()}"


@pytest.mark.parametrize("sent", [
    # From 1.0.8 on, a name with a character that no name may have is refused: so nothing may be hidden by one.
    b"GET /healthz HTTP/1.1\r\nCookie: a=b; c\r\nCookie:\r\ncookie: \t\r\nCookie: =\t=;;\"\r\n" + CLOSE,
    # 1.0 counts empty lines.
    b"\r\n" * 2000 + b"GET /healthz HTTP/1.1\r\n" + CLOSE,
    # 1.0.1, if it is short of memory, takes the query's end for the end of such a head and reads on over its version.
    b"GET /prompts/email?lang=de HTTP/1.0\r\n\r\n", b"GET /prompts/email?lang HTTP/1.0\r\n\r\n", b"GET /healthz?& HTTP/1.0\r\n\r\n",
    # Several versions wrote past the end of what they had made for such parts.
    b"GET /healthz HTTP/1.1\r\nAuthorization: Digest username=\"" + b"\\\"" * 2000 + b"\", userhash=true, uri=\"%\"\r\n" + CLOSE,
    b"GET /healthz HTTP/1.1\r\nAuthorization: Basic " + b"A" * 4001 + b"\r\n" + CLOSE,
], ids=lambda sent: repr(sent[:70])[2:-1])
def test_a_lawful_request_that_a_version_reads_wrongly_is_answered(server, sent):
    before = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    received = talk(server.port, before + sent)
    assert statuses(received) == [b"200", b"200"], received
    assert received.count(b"Content-Security-Policy") == 2


@pytest.mark.parametrize("sent", [
    # 1.0.1 takes the first length and serves what follows it.
    b"POST /validate/email HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 40\r\n", b"GET /healthz HTTP/1.1\r\nHost: other\r\n",
    b"POST /validate/email HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", b"GET /healthz HTTP/1.1\r\n\x01ookie: a\r\n",
], ids=lambda sent: repr(sent[:70])[2:-1])
def test_a_request_that_a_version_serves_wrongly_is_refused_by_us(server, sent):
    received = talk(server.port, sent + CLOSE + b"GET /smuggled HTTP/1.1\r\n" + CLOSE)
    assert statuses(received) == [b"400"] and b"Content-Security-Policy" in received, received


def test_nobody_is_skipped_while_others_are_suspended(server):
    """Versions before 1.0.3 lose the rest of a list in which a connection is suspended."""
    def connections():
        opened = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(200)]
        for each in opened:
            each.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            each.recv(4096)
        return opened
    ask = server.ask()
    waiting, asking = connections(), connections()
    wait = f"GET /asks/{ask['id']}?wait=55 HTTP/1.1\r\nAuthorization: Bearer {server.token}\r\n".encode() + CLOSE
    # Stopped meanwhile, it finds all of them in the same turn.
    server.process.send_signal(signal.SIGSTOP)
    for first, second in zip(waiting, asking):
        first.sendall(wait)
        second.sendall(b"GET /healthz HTTP/1.1\r\n" + CLOSE)
    server.process.send_signal(signal.SIGCONT)
    assert [statuses(until_closed(each)) for each in asking] == [[b"200"]] * 200
    wait_until(lambda: server.waiters == 200)
    server.answer(ask)
    assert sum(b'"outcome":"ok"' in until_closed(each) for each in waiting) == 200


def test_it_ends_in_peace_though_connections_have_just_come():
    """Some versions crash if they stop while a connection is new."""
    for _ in range(5):
        with Server("--log-level", "error") as server:
            server.process.send_signal(signal.SIGSTOP)
            clients = [socket.create_connection(("127.0.0.1", server.port), 60) for _ in range(60)]
            for client in clients[::2]:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGCONT)
            assert server.ended() == 0, server.log.text
            for client in clients:
                client.close()
