"""kill -9 while people answer, again and again: nothing acknowledged is lost, nothing doubled.

`OKCANCEL_KILLS=200` kills so often instead of a few times (`make kill`)."""

import os
import random
import sqlite3
import threading
import time

from durable import Acknowledged, Server

KILLS = int(os.environ.get("OKCANCEL_KILLS", "5"))
CHANCE = random.Random(20261121)


def test_kill_9_takes_nothing_that_was_acknowledged(tmp_path):
    told = Acknowledged()
    for _ in range(KILLS):
        with Server(tmp_path) as server:
            def work(worker):
                number = 0
                try:
                    while made := server.ask():
                        if not told.answer(server, made, f"person{worker}x{number}@example.com"):
                            return
                        number += 1
                except Exception:
                    return  # The server is gone.

            workers = [threading.Thread(target=work, args=[worker]) for worker in range(8)]
            for worker in workers:
                worker.start()
            # Any moment will do, and a random one is best.
            time.sleep(CHANCE.uniform(0.05, 0.5))
            server.kill()
            for worker in workers:
                worker.join()
    print(f"{KILLS} kills, {len(told.answers)} acknowledged answers")
    assert told.answers and not told.refused
    with Server(tmp_path) as server:
        told.check(server)
        assert server.stop() == 0
    database = sqlite3.connect(tmp_path / "kept.sqlite")
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
