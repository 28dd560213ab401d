"""Clients that ask and never read: what they leave is bounded, and its memory is given back."""

import select
import socket
import time
from urllib.parse import urlencode

from Support.client import talk
from Support.server import Server

CLIENTS = 300
# The page again, with what was typed: an answer of some 70 KB that nobody else gets.
BODY = urlencode({"outcome": "ok", "email": "<" * 16_000}).encode()
REQUEST = (
    b"POST /prompts/email HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: %d\r\n" % len(BODY))


def memory(server):
    """Bytes that the server has in memory."""
    status = open(f"/proc/{server.process.pid}/status", encoding="ascii").read()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def silent(port):
    """A client that asks for as much as the server takes of it, and reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    try:
        for _ in range(20):
            client.send(REQUEST + b"\r\n" + BODY)
    except (BlockingIOError, ConnectionError):
        # It takes no more of it, or has cut it off already.
        pass
    return client


def cut(clients, count, within):
    """How many of them the server has cut off, once it is `count` or the time is over."""
    watched = select.poll()
    for client in clients:
        watched.register(client, select.POLLHUP)
    gone, end = set(), time.monotonic() + within
    while len(gone) < count and time.monotonic() < end:
        for descriptor, _ in watched.poll(100):
            gone.add(descriptor)
            watched.unregister(descriptor)
    return len(gone)


def test_clients_that_never_read_are_cut_off_and_leave_no_memory_behind():
    """Promise 3.4 | Unread responses are limited to 4 MiB for one client and 64 MiB in total, are dropped after 30
    seconds without reading, and leave no memory behind.
    """
    with Server("--log-level", "error") as server:
        for _ in range(50):
            answer = talk(server.port, REQUEST + b"Connection: close\r\n\r\n" + BODY)
            assert answer.startswith(b"HTTP/1.1 422 ") and len(answer) > 60_000
        start = memory(server)
        clients = [silent(server.port) for _ in range(CLIENTS)]
        # 4 MB for this address, and each of them has 70 KB and what the kernel keeps.
        assert cut(clients, CLIENTS - 4 * 1024 // 70, within=120) >= CLIENTS - 4 * 1024 // 70
        for client in clients:
            client.close()
        # The allocator keeps some 3 MB for itself; answers that were never freed would be seven times as much.
        limit = start + CLIENTS * 70 * 1024 // 2
        end = time.monotonic() + 30
        while memory(server) > limit and time.monotonic() < end:
            assert server.request("GET", "/healthz")[0] == 200
        assert memory(server) <= limit, (start, memory(server))
