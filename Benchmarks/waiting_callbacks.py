#!/usr/bin/env python3
"""How long answers take while 100,000 callbacks wait for a dead port, a silent receiver or a living one, against as
many that were delivered.

`waiting_callbacks.py [COMMAND [COUNT [ANSWERS]]]` prints milliseconds, and their ratio to the first line's."""

import http.client
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "0123456789abcdefghijklmnop"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


class Receiver:
    """A port that nobody listens at, one that takes connections and says nothing, or one that answers 200."""

    def __init__(self, kind):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.delivered = 0
        self.kept = []
        if kind == "dead":
            self.listener.close()
        else:
            threading.Thread(target=self.serve, args=[kind], daemon=True).start()

    def serve(self, kind):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            if kind == "silent":
                self.kept.append(connection)
            else:
                threading.Thread(target=self.answer, args=[connection], daemon=True).start()

    def answer(self, connection):
        with connection:
            while data := connection.recv(65_536):
                self.delivered += data.count(b"webhook-id")
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def fill(path, count, port, state):
    """Closed asks, with callbacks that are due if they wait."""
    def identity(n):
        digits = ""
        for _ in range(25):
            digits, n = ALPHABET[n % 32] + digits, n // 32
        return "0" + digits

    with sqlite3.connect(path) as database:
        database.executemany(
            """INSERT INTO asks (id, link_hash, definition, initial, metadata, callback, holds_passwords, created_at,
              expires_at, outcome, closed_at, closed) VALUES (?, randomblob(32), x'7b7d', x'7b7d', x'7b7d', NULL, 0, 1, 2, 'cancel', 2, ?)""",
            ((identity(n), b'{"id":"x"}') for n in range(count)))
        database.executemany(
            "INSERT INTO callbacks (ask, url, origin, due_at, state) VALUES (?, ?, ?, ?, ?)",
            ((identity(n), f"http://127.0.0.1:{port}/{n}", f"http://127.0.0.1:{port}", n, state) for n in range(count)))
    database.close()


class Server:
    def __init__(self, command, path, port):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OKCANCEL_")} | {
            "OKCANCEL_DATABASE": str(path), "OKCANCEL_PORT": "0", "OKCANCEL_API_TOKEN": TOKEN, "OKCANCEL_LOG_LEVEL": "error",
            "OKCANCEL_ALLOW_CALLBACK": f"http://127.0.0.1:{port}/"}
        self.process = subprocess.Popen(
            [command, "serve", "Examples"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = urlsplit(self.process.stdout.readline().split()[-1]).port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def answers(self, count):
        """Milliseconds that each of so many answers took, one after another."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)

        def send(path, body, status):
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
            response = connection.getresponse()
            text = response.read()
            assert response.status == status, text
            return text

        links = [urlsplit(json.loads(send("/asks", {"prompt": "email"}, 201))["link"]).path for _ in range(count)]
        times = []
        for link in links:
            began = time.perf_counter()
            send(link, {"outcome": "ok", "values": {"email": "ann@example.com"}}, 200)
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.005)
        return times


def main(command=ROOT / ".build/release/okcancel", count=100_000, answers=1000):
    first = None
    print(f"{'callbacks':28} {'p50 ms':>8} {'p99 ms':>8} {'p50':>6} {'p99':>6}")
    for kind in [None, "dead", "silent", "living"]:
        with tempfile.TemporaryDirectory() as folder:
            path, receiver = Path(folder) / "a.sqlite", Receiver(kind or "dead")
            with Server(command, path, receiver.port):
                pass
            fill(path, int(count), receiver.port, "waiting" if kind else "delivered")
            with Server(command, path, receiver.port) as server:
                time.sleep(2)
                times = quantiles(server.answers(int(answers)), n=100)
            p50, p99 = times[49], times[98]
            first = first or (p50, p99)
            print(
                f"{f'{count} to a {kind} receiver' if kind else f'{count} delivered':28} {p50:8.2f} {p99:8.2f} {p50 / first[0]:6.2f} {p99 / first[1]:6.2f}"
                + (f"  {receiver.delivered} delivered" if kind == "living" else ""), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
