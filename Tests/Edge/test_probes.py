"""Raw bytes against `okcancel serve`: one answer at most, then the connection is closed."""

import re
from pathlib import Path

import pytest

from probes import PROBES, SECOND, get, post
from Support.client import talk
from Support.server import Server


@pytest.fixture(scope="module")
def server():
    with Server("--log-level", "error") as server:
        yield server


def answers(received):
    """The heads of the answers that were received."""
    return re.findall(rb"HTTP/1\.[01] (\d{3})[^\r]*\r\n(.*?)\r\n\r\n", received, re.S)


# What libmicrohttpd 0.9.75 answers by itself, in its own words and without our headers: probe, status, and
# "twice" where it sends the head of its answer twice.
BY_THE_LIBRARY = dict(line.split(" -> ") for line in (Path(__file__).parent / "by-the-library.txt").read_text().splitlines())


@pytest.mark.parametrize("about, sent, expected", [(f"{group}: {name}", sent, status) for group, name, sent, status in PROBES],
                         ids=lambda value: value if isinstance(value, str) else "")
def test_is_refused_once_and_closed(server, about, sent, expected):
    received = talk(server.port, sent + SECOND)
    found = answers(received)
    status = int(found[0][0]) if found else None
    assert status in (expected if isinstance(expected, set) else {expected}), received[:2000]
    if found and b"Content-Security-Policy" not in found[0][1]:
        twice = "" if len(found) == 1 else " twice"
        assert BY_THE_LIBRARY.get(about) == f"{status}{twice}"
        assert found == found[:1] * len(found)
    else:
        assert about not in BY_THE_LIBRARY
        assert len(found) <= 1, received[:2000]
    assert b"smuggled" not in received


def test_there_are_enough_of_them():
    assert len({sent for _, _, sent, _ in PROBES}) >= 150


def test_two_sound_requests_are_both_answered(server):
    body = post(b"Content-Length: 13\r\n")
    received = talk(server.port, body + get() + b"GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert [status for status, _ in answers(received)] == [b"200", b"200", b"404"]


def test_the_server_does_not_name_itself(server):
    received = talk(server.port, get(headers=b"Host: x\r\nConnection: close\r\n"))
    assert b"\r\nserver:" not in received.lower()
