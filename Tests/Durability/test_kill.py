"""kill -9 while people answer, again and again: nothing acknowledged is lost, nothing doubled.

`OKCANCEL_KILLS=200` kills so often instead of a few times (`make kill`)."""

import http.client
import itertools
import os
import random
import sqlite3

from durable import Acknowledged, Server, killed_while
from Support.client import FORM

KILLS = int(os.environ.get("OKCANCEL_KILLS", "5"))
CHANCE = random.Random(20261121)


def test_kill_9_takes_nothing_that_was_acknowledged(tmp_path):
    told = Acknowledged()
    for _ in range(KILLS):
        with Server(tmp_path) as server:
            def work(worker):
                number = 0
                try:
                    while ask := server.ask():
                        if not told.answer(server, ask, f"person{worker}x{number}@example.com"):
                            return
                        number += 1
                except Exception:
                    return  # The server is gone.

            # Any moment will do, and a random one is best.
            enough = len(told.answers) + CHANCE.randint(1, 200)
            killed_while(server, work, lambda: len(told.answers) >= enough)
    print(f"{KILLS} kills, {len(told.answers)} acknowledged answers")
    assert told.answers and not told.refused
    with Server(tmp_path) as server:
        told.check(server)
        assert server.stop() == 0
    database = sqlite3.connect(tmp_path / "kept.sqlite")
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()


def test_after_kill_9_an_answer_that_is_sent_again_is_kept_once(tmp_path):
    unsure, numbers, receipts = [], itertools.count(), {}

    def send(server, number):
        try:
            status, text = server.request(
                "POST", "/prompts/email?receipt", f"email=person{number}@example.com",
                FORM | {"Idempotency-Key": f"answer-{number}"})
        except (OSError, http.client.HTTPException):
            return False
        assert status == 200, text
        # A response that nobody read said the same.
        assert receipts.setdefault(number, text) == text
        return True

    for _ in range(KILLS):
        with Server(tmp_path) as server:
            retries, unsure = unsure, []

            def work(worker):
                for number in retries[worker::8]:
                    if not send(server, number):
                        unsure.append(number)
                for number in numbers:
                    if not send(server, number):
                        return unsure.append(number)

            enough = len(receipts) + CHANCE.randint(1, 200)
            killed_while(server, work, lambda: len(receipts) >= enough)
    with Server(tmp_path) as server:
        for number in unsure:
            assert send(server, number)
        for number in list(receipts)[:20]:
            assert send(server, number)
        emails = [answer["values"]["email"] for answer in server.answers()]
    assert sorted(emails) == sorted(f"person{number}@example.com" for number in receipts)
    print(f"{KILLS} kills, {len(emails)} answers")
