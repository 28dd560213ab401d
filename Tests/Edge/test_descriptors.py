"""Connections by the thousand where the system grants few descriptors: the server stays, and answers go through."""

import re
import resource
import socket

import pytest

from Support.client import JSON
from Support.server import Server

LIMIT = 256
STARTS = [
    b"", b"GET / HTTP/1.1\r\nHost: local", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /validate/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"]


@pytest.fixture(autouse=True)
def room_for_clients():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connected(port, start):
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.sendall(start)
    return client


def test_answers_go_through_a_crowd_that_outnumbers_the_descriptors():
    with Server("Examples", before=["prlimit", f"--nofile={LIMIT}:{LIMIT}"]) as server:
        crowd = []
        for _ in range(5):
            crowd += [connected(server.port, start) for start in STARTS for _ in range(50)]
            for _ in range(10):
                body = '{"outcome":"ok","values":{"email":"ada@example.com"}}'
                assert server.request("POST", "/prompts/email", body, JSON)[0] == 200
        status, metrics = server.request("GET", "/metrics", headers=server.authorized)
        assert status == 200 and int(re.search(r"process_open_fds (\d+)", metrics)[1]) < LIMIT
        for client in crowd:
            client.close()
        assert server.stop() == 0
        assert re.search(r"only \d+ connections at a time instead of 16384, because RLIMIT_NOFILE .* is 256;", server.log.text)
