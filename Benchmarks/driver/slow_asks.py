"""Asks made, waited for and answered by a client that holds back: so many writers at a time, any number of waiters.

wrk keeps all its connections busy. awaithumans writes one ask at a time, and hardly any once more writers wait than
its pool has connections; here it gets the number of writers that it does best with. Python is quick enough for that.
"""

import asyncio
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median

import peers
from server import Server

SCHEMA = {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"]}
# Seconds that a request may take, and that the last waiters may: their polls end after 30.
PATIENCE = 45


@dataclass
class Run:
    """What became of the asks."""

    elapsed: float = 0.0
    """Milliseconds from each answer to its outcome."""
    wakes: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


async def run(server: Server, seconds: float, writers: int) -> Run:
    """Only an ask whose waiter heard of its outcome counts; one that failed is forgotten and the next one made."""
    start = time.monotonic()
    found = Run()
    answered: dict[str, float] = {}
    idle: list[_Connection] = []
    waiting: set[asyncio.Task[None]] = set()

    async def wait(ask: str) -> None:
        try:
            connection = idle.pop() if idle else await _Connection.open(server)
            while (await connection.send("GET", f"/api/tasks/{ask}/poll?timeout=30"))["status"] != "completed":
                pass
            found.wakes.append((time.monotonic() - answered[ask]) * 1000)
            idle.append(connection)
        except FAULTS as error:
            found.failures.append(_sentence(error))

    async def write(writer: int) -> None:
        connection, number = None, 0
        while time.monotonic() < start + seconds:
            number += 1
            try:
                connection = connection or await _Connection.open(server)
                ask = (await connection.send("POST", "/api/tasks", {
                    "task": "What is your email address?", "payload": {}, "payload_schema": {}, "response_schema": SCHEMA,
                    "timeout_seconds": 900, "idempotency_key": f"{start}-{writer}-{number}"}))["id"]
                waiting.add(asyncio.create_task(wait(ask)))
                await asyncio.sleep(0)
                answered[ask] = time.monotonic()
                await connection.send("POST", f"/api/tasks/{ask}/complete", {"response": {"email": f"{ask}@example.com"}})
            except FAULTS as error:
                found.failures.append(_sentence(error))
                connection = None

    await asyncio.gather(*(write(writer) for writer in range(writers)))
    # The last waiters' second is not counted: the others were waited for while asks went on.
    found.elapsed = time.monotonic() - start
    if waiting:
        _, late = await asyncio.wait(waiting, timeout=PATIENCE)
        for waiter in late:
            waiter.cancel()
            found.failures.append("a waiter heard nothing")
    return found


class _Refused(Exception):
    """An answer that is no success, or not JSON."""


# KeyError: an answer lacks a member.
FAULTS = (_Refused, OSError, EOFError, asyncio.TimeoutError, KeyError)


def _sentence(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"an answer without {error}"
    return str(error) or f"no answer ({type(error).__name__})"


class _Connection:
    """One that is kept alive, for one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, server: Server) -> "_Connection":
        return cls(*await asyncio.open_connection("127.0.0.1", server.port))

    async def send(self, method: str, path: str, body: object = None) -> dict:
        """The body of the answer. After a fault the connection is of no more use."""
        bytes_ = json.dumps(body).encode() if body is not None else b""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {peers.TOKEN}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(bytes_)}\r\n\r\n".encode() + bytes_)
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self.reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                answer = await self.reader.readexactly(int(length.group(1)) if length else 0)
        except BaseException:
            self.writer.close()
            raise
        status = int(head.split(b" ", 2)[1])
        with suppress(ValueError):
            if status < 300:
                return json.loads(answer)
        self.writer.close()
        raise _Refused(f"{re.sub('/[0-9a-f-]{16,}', '/…', path)}: {status} {answer[:200].decode(errors='replace')}")


def measure(server: Server, seconds: float, writers: int) -> tuple[float, float, float, int, list[str]]:
    """Asks a second, microseconds of the server's processor for each, milliseconds from answer to outcome, bytes, failures.

    Raises RuntimeError if no ask came back.
    """
    before = server.cpu
    found = asyncio.run(run(server, seconds, writers))
    woken = len(found.wakes)
    if not woken:
        raise RuntimeError(f"{server.name}, {writers} writers: {found.failures[0] if found.failures else 'nobody was woken'}")
    return woken / found.elapsed, (server.cpu - before) / woken, median(found.wakes), server.resident, found.failures
