"""Many answers to one ask at once, over HTTP, at one server and at two: one wins, and everybody reads the same of it.

`OKCANCEL_RACES=200` races so many asks instead of a few (`make race`)."""

import contextlib
import json
import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from urllib.parse import urlsplit

import pytest

from Support.client import FORM
from Support.postgresql import PostgreSQL
from Support.receiver import Receiver
from test_callbacks import SECRET
from test_events import Program

RACES = int(os.environ.get("OKCANCEL_RACES", "12"))
SUBMITTERS = 50
CHANCE = random.Random(20261121)


def submit(program, connection, start, delay, *request):
    """Sends one over a connection that is kept from race to race; the status."""
    start.wait()
    # Around the moment that the ask's time is over; at once in the other races.
    time.sleep(max(0, delay - time.time()) if delay else 0)
    return program.request(*request, connection=connection)[0]


def entries(program, ask, kind):
    """What the submitters send, in no order: some answer, some cancel, and in some races a third
    of them takes the question back."""
    path = urlsplit(ask["link"]).path
    sent = [
        ("POST", path, "outcome=cancel" if number % 5 == 0 else f"email=person{number}%40example.com", FORM)
        for number in range(SUBMITTERS)]
    if kind == "withdrawn":
        sent[::3] = [("DELETE", f"/asks/{ask['id']}", None, program.authorized)] * len(sent[::3])
    CHANCE.shuffle(sent)
    return sent


@contextlib.contextmanager
def servers(database, **settings):
    """The only one of an SQLite file, or two of a PostgreSQL."""
    with contextlib.ExitStack() as stack:
        if database == "SQLite":
            yield [stack.enter_context(Program(**settings))]
        else:
            settings = stack.enter_context(PostgreSQL()).settings | settings
            yield [stack.enter_context(Program(**settings)) for _ in range(2)]


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_one_wins_and_all_read_the_same_bytes(database):
    kinds, outcomes = ["answered", "withdrawn", "expiring"], Counter()
    with Receiver() as receiver, ThreadPoolExecutor(SUBMITTERS + 2) as pool, servers(
            database, OKCANCEL_WEBHOOK_SECRET=SECRET, OKCANCEL_ALLOW_CALLBACK=receiver.url,
            OKCANCEL_LOG_LEVEL="warning") as (program, *others):
        other = [program, *others][-1]
        connections = [(program, other)[number % 2].connection() for number in range(SUBMITTERS)]
        for number in range(RACES):
            kind = kinds[number % len(kinds)]
            ask = program.ask(callback=receiver.url + "/hook", **({"expiresIn": 2} if kind == "expiring" else {}))
            events = program.events(ask)
            assert next(events).event == "open"
            poll = pool.submit(other.request, "GET", f"/asks/{ask['id']}?wait=50", None, program.authorized)
            # The server's own clock says when: it is this machine's.
            end = None
            if kind == "expiring":
                end = datetime.fromisoformat(ask["expiresAt"]).timestamp() + CHANCE.uniform(-0.005, 0.002)
            start = threading.Barrier(SUBMITTERS)
            sent = entries(program, ask, kind)
            sending = [
                pool.submit(submit, program, connection, start, end and end + CHANCE.uniform(0, 0.005), *entry)
                for connection, entry in zip(connections, sent)]
            statuses = Counter(future.result() for future in sending)
            kept = program.kept(ask)
            assert other.kept(ask) == kept
            outcome = json.loads(kept)["outcome"]
            outcomes[outcome] += 1
            # Who withdraws it gets the outcome as often as it is withdrawn; of answers only one wins.
            winners = 0 if outcome == "expired" else 1
            if outcome == "withdrawn":
                winners = len([entry for entry in sent if entry[0] == "DELETE"])
            assert statuses == Counter({200: winners, 409: SUBMITTERS - winners}), (number, kind, outcome, statuses)
            assert next(events).data == kept
            assert poll.result()[1] == kept
            assert receiver.next()[2].decode() == kept
        # Each callback came once.
        assert receiver.requests.empty()
    print(database, dict(outcomes))
    assert set(outcomes) & {"ok", "cancel"}
