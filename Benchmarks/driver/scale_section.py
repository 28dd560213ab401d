"""What a request costs as waiters, prompts and stored answers grow; how long a start takes and what a rest costs."""

import asyncio
import re
import select
import socket
import subprocess
import time
from pathlib import Path
from statistics import median

import load
import peers
from report import Report
from server import DidNotStart, Server

VERDICT = ["POST", '{"email":"alice@example.com"}', "Content-Type", "application/json"]
ANSWER = ["POST", '{"outcome":"ok","values":{"email":"alice@example.com"}}', "Content-Type", "application/json"]


def run(report: Report, scratch: Path, quick: bool) -> None:
    seconds = 1 if quick else 4
    stored = [0, 1_000, 10_000] + ([] if quick else [100_000])
    report.attempt("start and rest", lambda: _start(report, scratch, 3 if quick else 9))
    report.attempt("as waiters grow", lambda: _waiters(report, scratch, [0, 1_000, 10_000], seconds))
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
                report.target("start with 1,000 prompts", wall, 0.3, "at most", "s")
            else:
                report.target("resident memory at rest with the examples", resident / 1e6, 40, "at most", "MB")


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


def _waiters(report: Report, scratch: Path, counts: list[int], seconds: float) -> None:
    report.section("As waiters grow")
    heads = ["waiters", "CPU µs per verdict", "CPU µs per answer", "MB", "KB per waiter"]
    option = _connections(counts[-1])
    if not option:
        report.missing(["10,000 waiters: this server has no option for so many connections; 3,500 wait instead"])
        counts = [0, 1_000, 3_500]
    with peers.okcancel(scratch, peers.ROOT / "Examples", "waiters", *option) as server, report.rows(*heads) as table:
        asks = asyncio.run(_make(server, counts[-1]))
        # Once, so that what the first requests take is not counted as a waiter's.
        load.run(server, "/validate/email", 1, arguments=VERDICT)
        load.run(server, "/prompts/email", 1, arguments=ANSWER)
        rest, waiting, each = server.resident, [], 0.0
        for count in counts:
            waiting += _wait(server, asks[len(waiting):count])
            parked = server.resident
            each = (parked - rest) / count / 1024 if count else 0
            verdict = load.run(server, "/validate/email", seconds, arguments=VERDICT)
            answer = load.run(server, "/prompts/email", seconds, arguments=ANSWER)
            readable = select.select([], [], [], 0) if count > 1000 else select.select(waiting, [], [], 0)
            if readable[0]:
                raise RuntimeError(f"{len(readable[0])} waiters did not wait")
            table.add(
                f"{count:,}", f"{verdict.cpu:.1f}", f"{answer.cpu:.0f}", f"{parked / 1e6:.0f}",
                f"{each:.1f}" if count else "")
        for waiter in waiting:
            waiter.close()
    report.target(f"memory of each of {counts[-1]:,} waiters", each, 16, "at most", "KB")


def _connections(count: int) -> list[str]:
    """The option that lets so many connections in, where there is one."""
    binary = peers.okcancel(Path()).command[0]
    known = subprocess.run([binary, "serve", "--help"], capture_output=True, text=True).stdout
    option = re.search(r"--(?:max-)?connections", known)
    return [option.group(0), str(count + 1_000)] if option else []


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
    for ask in asks:
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        connection.sendall(
            f"GET /asks/{ask}?wait=55 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {peers.TOKEN}\r\n\r\n".encode())
        waiting.append(connection)
    # The last of them has been read when the memory no longer grows.
    size = -1
    while (now := server.resident) != size:
        size = now
        time.sleep(0.5)
    return waiting
