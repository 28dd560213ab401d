"""SIGTERM under load: who waits is answered, nothing is cut off half-way, and the server ends with 0."""

import asyncio
import resource
import signal
import time

from durable import Server
from Support.command import TOKEN
from Support.waiting import wait_until

WAITERS, STREAMS, CLIENTS = 2000, 100, 16


async def exchange(port, request, started=None):
    """All bytes that the server sends until it closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(request)
    await writer.drain()
    if started:
        started.release()
    try:
        return await reader.read()
    finally:
        writer.close()


def is_whole(answer):
    """Whether these are whole responses, one after another, and at least one."""
    count = 0
    while answer:
        head, separator, rest = answer.partition(b"\r\n\r\n")
        if not separator:
            return False
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if fields.get(b"transfer-encoding") == b"chunked":
            if not rest.endswith(b"0\r\n\r\n"):
                return False
            rest = b""
        else:
            length = int(fields[b"content-length"])
            if len(rest) < length:
                return False
            rest = rest[length:]
        count, answer = count + 1, rest
    return count > 0


async def load(port, counted, partial):
    """Asks and answers again and again on one connection until the server wants no more of it."""
    body = b"email=ann%40example.com"
    request = (
        b"POST /validate/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    try:
        while True:
            writer.write(request)
            head = answer = b""
            head = answer = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            answer += await reader.readexactly(length)
            counted.append(head.split(b" ", 2)[1])
            answer = b""
            if b"connection: close" in head.lower():
                return
    except asyncio.IncompleteReadError as end:
        # An answer that has begun comes to its end.
        if answer or end.partial:
            partial.append(answer + end.partial)
    except OSError:
        # A connection that was idle may be closed as the next request comes; who sent it tries again.
        if answer:
            partial.append(answer)
    finally:
        writer.close()


async def scene(server):
    asks = [server.ask() for _ in range(20)]
    started = asyncio.Semaphore(0)

    def get(path):
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n".encode()

    waiting = [
        asyncio.create_task(exchange(server.port, get(f"/asks/{asks[n % 20]['id']}?wait=55"), started))
        for n in range(WAITERS)]
    streams = [
        asyncio.create_task(exchange(server.port, get(f"/asks/{asks[n % 20]['id']}/events"), started))
        for n in range(STREAMS)]
    for _ in range(WAITERS + STREAMS):
        await started.acquire()
    await asyncio.to_thread(wait_until, lambda: server.waiters == WAITERS + STREAMS)
    counted, partial = [], []
    clients = [asyncio.create_task(load(server.port, counted, partial)) for _ in range(CLIENTS)]
    async with asyncio.timeout(60):
        while len(counted) < 2000:
            await asyncio.sleep(0.01)
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    code = await asyncio.to_thread(server.ended)
    took = time.monotonic() - began
    return code, took, await asyncio.gather(*waiting), await asyncio.gather(*streams), await asyncio.gather(*clients), counted, partial


def test_sigterm_under_load_cuts_nothing_off(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    # All waiters are of one address here.
    with Server(tmp_path) as server:
        code, took, waiting, streams, _, counted, partial = asyncio.run(scene(server))
    print(f"{WAITERS} waiters, {STREAMS} streams, {len(counted)} requests; SIGTERM to the end: {took:.2f} s")
    assert code == 0
    # Ten seconds is the longest that it waits for running requests.
    assert took < 30
    cut = [answer for answer in waiting + streams if not is_whole(answer)]
    assert cut == []
    assert partial == []
    assert {answer.split(b" ", 2)[1] for answer in waiting} <= {b"200", b"503"}
    assert set(counted) <= {b"200", b"503"}
