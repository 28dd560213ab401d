"""A disk that fails: no answer is acknowledged that it did not keep, and the server says that it cannot.

`OKCANCEL_FAULTS=300` injects so many errors, and as many power losses, instead of a few (`make faults`)."""

import http.client
import json
import os
import random

import pytest

from durable import Acknowledged, Fault, Server
from Support.waiting import wait_until

FAULTS = int(os.environ.get("OKCANCEL_FAULTS", "10"))
CHANCE = random.Random(20261121)


@pytest.fixture
def fault(tmp_path):
    return Fault(tmp_path)


def refuses_everything(server):
    """Whether it says in every place that it cannot keep an answer."""
    assert server.ask() is None
    status, said = server.request("GET", "/readyz")
    assert status == 503, said
    return json.loads(said)["detail"]


def test_an_error_of_fsync_refuses_all_further_answers(tmp_path, fault):
    """Promise 1.6 | If the disk is full or fails, the server refuses answers and loses none that it acknowledged."""
    told = Acknowledged()
    for _ in range(max(1, FAULTS // 2)):
        with Server(tmp_path, **fault.environment) as server:
            asks = [server.ask() for _ in range(24)]
            fault.arm(Fault.SYNC_FAILS, CHANCE.randint(1, 6))
            told.answer_all(server, asks[:-1])
            # The answers may have shared fewer transactions.
            wait_until(lambda: fault.hits, meanwhile=server.ask)
            assert fault.hits == 1
            assert server.answer(asks[-1], "late@example.com") == 503
            assert "writing failed" in refuses_everything(server)
            # What needs no disk is still answered.
            assert server.request("GET", "/healthz")[0] == 200
            assert server.request("POST", "/validate/email", "email=a%40b.c")[0] in (200, 415)
    assert {status for status, _ in told.refused} == {503}
    with Server(tmp_path) as server:
        told.check(server)
        for _, ask in told.refused:
            assert server.kept(ask)["status"] == "open"
        assert server.request("GET", "/readyz")[0] == 200


def test_an_error_of_fsync_as_the_log_is_copied_loses_nothing(tmp_path, fault):
    """SQLite keeps the log as long as the copy is not on the disk: answers go on."""
    told = Acknowledged()
    for _ in range(max(1, FAULTS // 30)):
        with Server(tmp_path, **fault.environment) as server:
            fault.arm(Fault.CHECKPOINT_FAILS, 1)
            more = lambda: told.answer_all(server, [server.ask() for _ in range(8)])
            wait_until(lambda: fault.hits, meanwhile=more)
            more()
            assert fault.hits == 1 and server.request("GET", "/readyz")[0] == 200
    assert told.refused == []
    with Server(tmp_path) as server:
        told.check(server)


def test_a_full_disk_refuses_answers_until_there_is_room(tmp_path, fault):
    """ASVS 16.5.2, 16.5.3 | failing safely | refuse, never accept by mistake"""
    told = Acknowledged()
    with Server(tmp_path, **fault.environment) as server:
        for number in range(max(1, FAULTS // 2)):
            asks = [server.ask() for _ in range(10)]
            fault.arm(CHANCE.choice([Fault.DISK_FULL, Fault.DISK_FULL_HALFWAY]), CHANCE.randint(1, 8))
            told.answer_all(server, asks[:-1])
            assert fault.hits > 0
            assert server.answer(asks[-1], "late@example.com") == 503
            # The server tries its disk at most once a second: not after every fault.
            if number % 20 == 0:
                assert "the disk is full" in refuses_everything(server)
            fault.disarm()
            assert server.answer(asks[-1], "late@example.com") == 200
            told.answers[asks[-1]["id"]] = (asks[-1], "late@example.com")
            if number % 20 == 0:
                wait_until(lambda: server.request("GET", "/readyz")[0] == 200)
        assert {status for status, _ in told.refused} == {503}
        told.check(server)
    with Server(tmp_path) as server:
        told.check(server)
        for _, ask in told.refused:
            assert server.kept(ask)["status"] in ("open", "closed")


def test_a_loss_of_power_takes_nothing_that_was_acknowledged(tmp_path, fault):
    """Whatever was not synchronized is gone, as if it had never been written.

    Promise 1.5
    """
    told = Acknowledged()
    for number in range(FAULTS):
        with Server(tmp_path, **fault.environment) as server:
            asks = [server.ask() for _ in range(16)]
            if number % 2:
                fault.arm(Fault.POWER_FAILS, CHANCE.randint(1, 60))
            else:
                fault.arm(Fault.POWER_FAILS_AT_SYNC, CHANCE.randint(1, 8))
            told.answer_all(server, asks)
            for extra in range(100):
                # Until it struck: the answers may have shared few transactions.
                if fault.hits or not told.answer(server, {"id": "", "link": "/a/none"}, "x"):
                    break
                try:
                    told.answer(server, server.ask(), f"extra{extra}@example.com")
                except (OSError, http.client.HTTPException):
                    break
            server.ended()
            assert fault.hits == 1
        fault.disarm()
    assert told.answers
    with Server(tmp_path) as server:
        told.check(server)
