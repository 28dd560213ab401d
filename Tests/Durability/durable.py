"""A server on a database of its own, which may be killed, traced or robbed of its disk; and programs
and people who note what it acknowledged."""

import http.client
import json
import os
import re
import shutil
import struct
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from mmap import mmap
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build" / "debug" / "okcancel"))
TOKEN = {"Authorization": "Bearer secret"}


class Server:
    """`okcancel serve`, on `folder/kept.sqlite`; what it says on standard error is in `log`."""

    def __init__(self, folder, *words, before=(), **environment):
        self.database = Path(folder) / "kept.sqlite"
        self.log = Path(folder) / "log"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")}
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [*before, BINARY, "serve", "Examples", "--port", "0", "--database", self.database, *words], cwd=ROOT,
                env=clean | {"OKCANCEL_API_TOKEN": "secret", "OKCANCEL_LOG_LEVEL": "warning"} | environment,
                stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line, self.log.read_text()
        self.port = int(re.search(r":(\d+)/", line)[1])
        self.connections = threading.local()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """As kill -9; nothing if it has ended."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def request(self, method, path, body=None, **headers):
        """Status and text, over this thread's own connection."""
        if not hasattr(self.connections, "own"):
            self.connections.own = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self.connections.own.request(method, path, body, TOKEN | headers)
            answer = self.connections.own.getresponse()
            return answer.status, answer.read().decode()
        except BaseException:
            self.connections.own.close()
            raise

    def ask(self, **more):
        """A new ask; None where the server cannot make one."""
        body = json.dumps({"prompt": "email", **more})
        status, text = self.request("POST", "/asks", body, **{"Content-Type": "application/json"})
        assert status in (201, 503), text
        return json.loads(text) if status == 201 else None

    def answer(self, made, email):
        """The status that the person's answer got."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.request("POST", urlsplit(made["link"]).path, f"email={email}", **form)[0]

    def kept(self, made):
        """The ask as the program reads it."""
        status, text = self.request("GET", f"/asks/{made['id']}")
        assert status == 200, text
        return json.loads(text)


class Acknowledged:
    """What people answered and programs asked, and what the server said to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.answers, self.refused = {}, []

    def answer(self, server, made, email):
        """False when the server was gone before it said anything."""
        try:
            status = server.answer(made, email)
        except (OSError, http.client.HTTPException):
            return False
        with self.lock:
            if status == 200:
                self.answers[made["id"]] = (made, email)
            else:
                self.refused.append((status, made))
        return True

    def answer_all(self, server, asks, threads=8):
        with ThreadPoolExecutor(threads) as pool:
            for number, made in enumerate(asks):
                pool.submit(self.answer, server, made, f"person{number}@example.com")

    def check(self, server):
        """That every acknowledged answer is kept as it was given."""
        for made, email in self.answers.values():
            closed = server.kept(made)
            assert closed["status"] == "closed" and closed["values"] == {"email": email}, (email, closed)


class Fault:
    """The disk of a server under test; see `fault.c`, which is compiled in `folder`."""

    SYNC_FAILS, DISK_FULL, DISK_FULL_HALFWAY, POWER_FAILS, POWER_FAILS_AT_SYNC, CHECKPOINT_FAILS = range(1, 7)

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
