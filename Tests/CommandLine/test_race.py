"""Many answers to one ask at once, over HTTP: one wins, and everybody reads the same of it.

`OKCANCEL_RACES=200` races so many asks instead of a few (`make race`)."""

import http.client
import json
import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from urllib.parse import urlsplit

from test_callbacks import AUTHORIZED, SECRET, Receiver
from test_events import Program

RACES = int(os.environ.get("OKCANCEL_RACES", "12"))
SUBMITTERS = 50
CHANCE = random.Random(20261121)


class Submitter:
    """One connection, kept from race to race."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def send(self, start, delay, method, path, body, headers):
        start.wait()
        # Around the moment that the ask's time is over; at once in the other races.
        time.sleep(max(0, delay - time.time()) if delay else 0)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status


def entries(made, kind):
    """What the submitters send, in no order: some answer, some cancel, and in some races a third
    of them takes the question back."""
    path, form = urlsplit(made["link"]).path, {"Content-Type": "application/x-www-form-urlencoded"}
    sent = [
        ("POST", path, "outcome=cancel" if number % 5 == 0 else f"email=person{number}%40example.com", form)
        for number in range(SUBMITTERS)]
    if kind == "withdrawn":
        sent[::3] = [("DELETE", f"/asks/{made['id']}", None, AUTHORIZED)] * len(sent[::3])
    CHANCE.shuffle(sent)
    return sent


def test_one_wins_and_all_read_the_same_bytes():
    kinds, outcomes = ["answered", "withdrawn", "expiring"], Counter()
    with Receiver() as receiver, ThreadPoolExecutor(SUBMITTERS + 2) as pool, Program(
            OKCANCEL_WEBHOOK_SECRET=SECRET, OKCANCEL_ALLOW_CALLBACK=receiver.url, OKCANCEL_LOG_LEVEL="warning") as program:
        submitters = [Submitter(program.port) for _ in range(SUBMITTERS)]
        for number in range(RACES):
            kind = kinds[number % len(kinds)]
            made = program.ask(callback=receiver.url + "/hook", **({"expiresIn": 1} if kind == "expiring" else {}))
            events = program.events(made)
            assert next(events).event == "open"
            poll = pool.submit(program.request, "GET", f"/asks/{made['id']}?wait=50", None, AUTHORIZED)
            # The server's own clock says when: it is this machine's.
            end = None
            if kind == "expiring":
                end = datetime.fromisoformat(made["expiresAt"]).timestamp() + CHANCE.uniform(-0.005, 0.002)
            start = threading.Barrier(SUBMITTERS)
            sending = [
                pool.submit(submitter.send, start, end and end + CHANCE.uniform(0, 0.005), *entry)
                for submitter, entry in zip(submitters, entries(made, kind))]
            statuses = Counter(future.result() for future in sending)
            kept = program.kept(made)
            outcome = json.loads(kept)["outcome"]
            outcomes[outcome] += 1
            winners = 0 if outcome == "expired" else 1
            assert statuses == Counter({200: winners, 409: SUBMITTERS - winners}), (number, kind, outcome, statuses)
            assert next(events).data == kept
            assert poll.result()[1] == kept
            assert receiver.next()[2].decode() == kept
        # Each callback came once.
        assert receiver.requests.empty()
    print(dict(outcomes))
    assert set(outcomes) & {"ok", "cancel"}
