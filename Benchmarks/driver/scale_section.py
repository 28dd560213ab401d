"""What a request costs as waiters, prompts and stored answers grow; how long a start takes and what a rest costs."""

import asyncio
import os
import re
import select
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import load
import peers
from report import Report, Table
from server import DidNotStart, Server, allow_files

VERDICT = ["POST", '{"email":"alice@example.com"}', "Content-Type", "application/json"]
# Not in Python's socket; see ip(7).
IP_BIND_ADDRESS_NO_PORT = 24
ANSWER = ["POST", '{"outcome":"ok","values":{"email":"alice@example.com"}}', "Content-Type", "application/json"]


def run(report: Report, scratch: Path, quick: bool) -> None:
    seconds = 1 if quick else 4
    stored = [0, 1_000, 10_000] + ([] if quick else [100_000])
    report.attempt("start and rest", lambda: _start(report, scratch, 3 if quick else 9))
    report.attempt("as waiters grow", lambda: _waiters(report, scratch, [0, 1_000, 10_000], 1 if quick else 3, seconds))
    report.attempt("as threads grow", lambda: _threads(report, scratch, 5 if quick else 20))
    report.attempt("as prompts grow", lambda: _prompts(report, scratch, [1, 10, 100, 1_000], seconds))
    report.attempt("as stored answers grow", lambda: _answers(report, scratch, stored, seconds))


def _start(report: Report, scratch: Path, rounds: int) -> None:
    report.section("Start and rest")
    with report.rows("prompts", "start s", "CPU s", "MB at rest") as table:
        for name, folder in [("the examples", peers.ROOT / "Examples"), ("1,000", _prompt_folder(scratch, 1_000))]:
            runs = [_started(scratch, folder) for _ in range(rounds)]
            wall, cpu, resident = (median(run[index] for run in runs) for index in range(3))
            table.add(name, f"{wall:.3f}", f"{cpu:.2f}", f"{resident / 1e6:.1f}")
            if name == "1,000":
                report.target("start with 1,000 prompts", wall, 0.2, "at most", "s")
            else:
                report.target("resident memory at rest with the examples", resident / 1e6, 32, "at most", "MB")
    stripped = scratch / "stripped"
    subprocess.run(["strip", "-o", stripped, peers.BINARY], check=True)
    size = stripped.stat().st_size / 1e6
    report.text(f"The executable, stripped, has {size:.1f} MB.")
    report.target("size of the executable, stripped", size, 40, "at most", "MB")


def _started(scratch: Path, folder: Path) -> tuple[float, float, int]:
    """Seconds until it says where it listens, of the clock and of processors; bytes resident then."""
    server = peers.okcancel(scratch, folder, "start")
    start = time.perf_counter()
    server.launch(output=subprocess.PIPE)
    try:
        said, _, _ = select.select([server.process.stdout], [], [], 30)
        wall = time.perf_counter() - start
        if not said or not server.process.stdout.readline():
            raise DidNotStart(f"{server.name}: {server.last_words or 'no answer'}")
        return wall, server.cpu / 1e6, server.resident
    finally:
        server.stop()


def _prompt_folder(scratch: Path, count: int) -> Path:
    folder = scratch / f"prompts-{count}"
    folder.mkdir(exist_ok=True)
    definition = (peers.ROOT / "Examples/email.yaml").read_text()
    for number in range(count):
        (folder / f"p{number}.yaml").write_text(definition.replace("Your Email", f"Your Email {number}"))
    return folder


def _prompts(report: Report, scratch: Path, counts: list[int], seconds: float) -> None:
    report.section("As prompts grow")
    with report.rows("prompts", "CPU µs per verdict", "CPU µs per page", "MB") as table:
        for count in counts:
            with peers.okcancel(scratch, _prompt_folder(scratch, count), f"prompts{count}") as server:
                verdict = load.run(server, f"/validate/p{count - 1}", seconds, arguments=VERDICT)
                page = load.run(server, f"/prompts/p{count - 1}", seconds)
                table.add(f"{count:,}", f"{verdict.cpu:.1f}", f"{page.cpu:.1f}", f"{server.resident / 1e6:.0f}")


def _answers(report: Report, scratch: Path, counts: list[int], seconds: float) -> None:
    report.section("As stored answers grow")
    heads = ["stored before", "answers/s", "CPU µs per answer", "CPU µs per verdict", "MB"]
    with peers.okcancel(scratch, database="stored") as server, report.rows(*heads) as table:
        stored = 0
        for count in counts:
            while stored < count:
                stored += load.run(server, "/prompts/email", min(10, max(1, (count - stored) / 5_000)), arguments=ANSWER).requests
            run = load.run(server, "/prompts/email", seconds, arguments=ANSWER)
            verdict = load.run(server, "/validate/email", seconds, arguments=VERDICT)
            table.add(
                f"{stored:,}", f"{run.rate:,.0f}", f"{run.cpu:.0f}", f"{verdict.cpu:.1f}", f"{server.resident / 1e6:.0f}")
            stored += run.requests


def _waiters(report: Report, scratch: Path, counts: list[int], rounds: int, seconds: float) -> None:
    report.section("As waiters grow")
    spare = 2_000
    if (allowed := allow_files(counts[-1] + spare) - spare) < counts[-1]:
        report.text(f"This machine's limit on open files does not let {counts[-1]:,} wait: {allowed:,} wait instead.")
        counts = [count for count in counts if count < allowed] + [allowed]
    found: dict[int, list[tuple[float, float, float]]] = {count: [] for count in counts}
    with peers.okcancel(scratch, peers.ROOT / "Examples", "waiters") as server:
        asks = asyncio.run(_make(server, counts[-1]))
        # Once, so that what the first requests take is not counted as a waiter's.
        load.run(server, "/validate/email", 1, arguments=VERDICT)
        load.run(server, "/prompts/email", 1, arguments=ANSWER)
        rest = server.resident
        for count in counts * rounds:
            waiting = _wait(server, asks[:count])
            parked = server.resident
            verdict = load.run(server, "/validate/email", seconds, arguments=VERDICT)
            answer = load.run(server, "/prompts/email", seconds, arguments=ANSWER)
            found[count].append((verdict.cpu, answer.cpu, parked))
            _leave(server, waiting)
    table = Table("waiters", "CPU µs per verdict", "CPU µs per answer", "MB", "KB per waiter")
    for count, runs in found.items():
        verdict, answer, parked = (median(run[place] for run in runs) for place in range(3))
        # The first of them: what others have given back is not counted again.
        each = (runs[0][2] - rest) / count / 1024 if count else 0
        table.add(
            f"{count:,}", f"{verdict:.1f}", f"{answer:.0f}", f"{parked / 1e6:.0f}", f"{each:.1f}" if count else "")
    report.table(table)


def _threads(report: Report, scratch: Path, rounds: int) -> None:
    """In turns of a second. The load shares the cores, so the processor time of a verdict tells more than their number."""
    report.section("As threads grow")
    counts = [1, os.cpu_count() or 1]
    one, all_ = [
        replace(peers.okcancel(scratch, database=f"threads{count}", threads=count), has_one_core=False)
        for count in counts]
    with one, all_:
        turns = [
            [load.run(server, "/validate/email", 1, arguments=VERDICT) for server in (one, all_)]
            for _ in range(rounds + 1)][1:]
    with report.rows("threads", "CPU µs per verdict", "verdicts/s") as table:
        for count, runs in zip(counts, zip(*turns)):
            table.add(str(count), f"{median(run.cpu for run in runs):.1f}", f"{median(run.rate for run in runs):,.0f}")


async def _make(server: Server, count: int) -> list[str]:
    """Makes so many asks; their ids."""
    body = b'{"prompt":"email"}'
    request = (
        f"POST /asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {peers.TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    ids: list[str] = []

    async def make(share: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(share):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
            ids.append(re.search(rb'"id":"([^"]+)"', await reader.readexactly(length)).group(1).decode())
        writer.close()

    async with asyncio.timeout(120):
        await asyncio.gather(*(make(count // 50) for _ in range(50)))
    return ids


def _wait(server: Server, asks: list[str]) -> list[socket.socket]:
    """Connections that each wait for one of these asks; returns when the server has them all."""
    waiting = []
    for number, ask in enumerate(asks):
        connection = socket.socket()
        # From several addresses of this machine, since one has too few ports; the port is found as it connects.
        connection.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        connection.bind((f"127.0.0.{2 + number // 20_000}", 0))
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(
            f"GET /asks/{ask}?wait=55 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {peers.TOKEN}\r\n\r\n".encode())
        waiting.append(connection)
    _rest(server)
    return waiting


def _leave(server: Server, waiting: list[socket.socket]) -> None:
    """Closes these connections. Raises RuntimeError if one did not wait until now."""
    poll = select.poll()
    for connection in waiting:
        poll.register(connection, select.POLLIN)
    answered = len(poll.poll(0))
    for connection in waiting:
        connection.close()
    if answered:
        raise RuntimeError(f"{answered} waiters did not wait")
    _rest(server)


def _rest(server: Server) -> None:
    """Returns when the server has read or forgotten its last connection: when its memory no longer changes."""
    size = -1
    while (now := server.resident) != size:
        size = now
        time.sleep(0.5)
