"""A server on a database of its own, which may be killed, traced or robbed of its disk; and programs
and people who note what it acknowledged."""

import http.client
import json
import shutil
import sqlite3
import struct
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from mmap import mmap
from pathlib import Path
from urllib.parse import urlsplit

from Support import server
from Support.client import FORM, JSON
from Support.waiting import wait_until

KEPT = Path(__file__).with_name("Kept")


class Server(server.Server):
    """A server on `folder/kept.sqlite`; each thread has a connection, and every request shows the API token."""

    def __init__(self, folder, *words, **options):
        super().__init__(
            *words, database=Path(folder) / "kept.sqlite", **{"OKCANCEL_LOG_LEVEL": "warning"} | options)
        self.connections = threading.local()

    def exchange(self, method, path, body=None, headers={}, connection=None):
        if not hasattr(self.connections, "own"):
            self.connections.own = self.connection()
        try:
            return super().exchange(method, path, body, self.authorized | headers, self.connections.own)
        except BaseException:
            self.connections.own.close()
            raise

    def ask(self, **more):
        """A new ask; None if the server cannot make one."""
        status, text = self.request("POST", "/asks", json.dumps({"prompt": "email", **more}), JSON)
        assert status in (201, 503), text
        return json.loads(text) if status == 201 else None

    def answer(self, ask, email):
        """The status that the person's answer got."""
        return self.request("POST", urlsplit(ask["link"]).path, f"email={email}", FORM)[0]

    def kept(self, ask):
        """The ask as the program reads it."""
        return self.call("GET", f"/asks/{ask['id']}")


def copied(name, path):
    """A copy of what an earlier version made, here, whose open asks can be answered for another day."""
    shutil.copy(KEPT / name, path)
    if (key := KEPT / f"{name}.key").exists():
        shutil.copy(key, f"{path}.key")
        Path(f"{path}.key").chmod(0o600)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE asks SET expires_at = ? WHERE outcome IS NULL", [int(time.time() + 86_400) * 1000])
    database.close()
    return path


def killed_while(server, work, enough):
    """Kills the server at a moment of its own while 8 workers run, once there is enough."""
    workers = [threading.Thread(target=work, args=[worker]) for worker in range(8)]
    for worker in workers:
        worker.start()
    wait_until(enough, meanwhile=lambda: None)
    server.kill()
    for worker in workers:
        worker.join()


class Acknowledged:
    """What people answered and programs asked, and what the server said to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.answers, self.refused = {}, []

    def answer(self, server, ask, email):
        """False if the server was gone before it responded."""
        try:
            status = server.answer(ask, email)
        except (OSError, http.client.HTTPException):
            return False
        with self.lock:
            if status == 200:
                self.answers[ask["id"]] = (ask, email)
            else:
                self.refused.append((status, ask))
        return True

    def answer_all(self, server, asks, threads=8):
        with ThreadPoolExecutor(threads) as pool:
            for number, ask in enumerate(asks):
                pool.submit(self.answer, server, ask, f"person{number}@example.com")

    def check(self, server):
        """Checks that every acknowledged answer is kept as it was given."""
        for ask, email in self.answers.values():
            closed = server.kept(ask)
            assert closed["status"] == "closed" and closed["values"] == {"email": email}, (email, closed)


class Fault:
    """The disk of a server under test; see `fault.c`, which is compiled in `folder`."""

    SYNC_FAILS, DISK_FULL, DISK_FULL_HALFWAY, POWER_FAILS, POWER_FAILS_AT_SYNC, CHECKPOINT_FAILS, POWER_FAILS_ANYWHERE = range(1, 8)

    def __init__(self, folder):
        library, control = Path(folder) / "fault.so", Path(folder) / "fault"
        subprocess.run(
            [shutil.which("cc") or "clang", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("fault.c"), "-ldl"], check=True)
        control.write_bytes(bytes(12))
        with open(control, "r+b") as file:
            self.memory = mmap(file.fileno(), 12)
        self.environment = {"LD_PRELOAD": str(library), "OKCANCEL_TEST_FAULT": str(control)}

    def arm(self, kind, countdown):
        """The fault comes with the `countdown`th call that it can meet."""
        self.memory[:] = struct.pack("3i", 0, countdown, 0)
        self.memory[:4] = struct.pack("i", kind)

    def disarm(self):
        self.memory[:4] = bytes(4)

    @property
    def hits(self):
        return struct.unpack("3i", self.memory[:])[2]
