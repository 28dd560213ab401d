"""Asks made, waited for and answered by a client that holds back: so many writers at a time, any number of waiters.

wrk keeps all its connections busy. awaithumans writes one ask at a time, and hardly any once more writers wait than
its pool has connections; here it gets the number of writers that it does best with. Python is quick enough for that.
"""

import asyncio
import json
import re
import time
from statistics import median

import peers
from server import Server

SCHEMA = {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"]}


async def run(server: Server, seconds: float, writers: int) -> tuple[int, float, list[float]]:
    """How many asks came back to their waiters, after how many seconds, and each one's milliseconds since its answer."""
    end = time.monotonic() + seconds
    answered: dict[str, float] = {}
    wakes: list[float] = []
    idle: list[_Connection] = []
    waiting: set[asyncio.Task[None]] = set()

    async def wait(ask: str) -> None:
        connection = idle.pop() if idle else await _Connection.open(server)
        while True:
            poll = await connection.send("GET", f"/api/tasks/{ask}/poll?timeout=30")
            if poll["status"] == "completed":
                break
        wakes.append((time.monotonic() - answered[ask]) * 1000)
        idle.append(connection)

    async def write(writer: int) -> None:
        connection = await _Connection.open(server)
        number = 0
        while time.monotonic() < end:
            number += 1
            ask = (await connection.send("POST", "/api/tasks", {
                "task": "What is your email address?", "payload": {}, "payload_schema": {}, "response_schema": SCHEMA,
                "timeout_seconds": 900, "idempotency_key": f"{start}-{writer}-{number}"}))["id"]
            waiting.add(asyncio.create_task(wait(ask)))
            await asyncio.sleep(0)
            answered[ask] = time.monotonic()
            await connection.send("POST", f"/api/tasks/{ask}/complete", {"response": {"email": f"{ask}@example.com"}})

    start = time.monotonic()
    await asyncio.gather(*(write(writer) for writer in range(writers)))
    # The last waiters' second is not counted: the others were waited for while asks went on.
    elapsed = time.monotonic() - start
    await asyncio.gather(*waiting)
    return len(wakes), elapsed, wakes


class _Connection:
    """One that is kept alive, for one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, server: Server) -> "_Connection":
        return cls(*await asyncio.open_connection("127.0.0.1", server.port))

    async def send(self, method: str, path: str, body: object = None) -> dict:
        bytes_ = json.dumps(body).encode() if body is not None else b""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {peers.TOKEN}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(bytes_)}\r\n\r\n".encode() + bytes_)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        answer = json.loads(await self.reader.readexactly(length))
        if status >= 300:
            raise RuntimeError(f"{path}: {status} {answer}")
        return answer


def measure(server: Server, seconds: float, writers: int) -> tuple[float, float, float, int]:
    """Asks a second, microseconds of the server's processor for each, milliseconds from answer to outcome, bytes."""
    before = server.cpu
    woken, elapsed, wakes = asyncio.run(run(server, seconds, writers))
    return woken / elapsed, (server.cpu - before) / woken, median(wakes), server.resident
