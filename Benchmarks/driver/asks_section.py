"""Asks made, answered and waited for; answers on the disk."""

import http.client
import json
import os
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, mode, quantiles

import load
import peers
import slow_asks
from report import Report, Table
from server import DidNotStart, Server

ANSWER = ["POST", '{"outcome":"ok","values":{"email":"alice@example.com"}}', "Content-Type", "application/json"]


def run(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    report.attempt("asks", lambda: _asks(report, scratch, rounds, max(10, seconds)))
    report.attempt("who waits is woken", lambda: _wakes(report, scratch, 30 if rounds == 1 else 300))
    report.attempt("answers on the disk", lambda: _durable(report, scratch, rounds, seconds))


def _asks(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    report.section("Asks")
    report.text(
        "A program creates an ask and waits for it, a person answers, and the program gets the outcome: three requests. "
        "OKCancel writes each answer to disk first.")
    found: dict[str, list[tuple[float, float, float, int, list[str]]]] = {}
    for _ in range(rounds):
        # Each with the load that it does best with.
        for make, measure, loads, unit in [
            (peers.okcancel, ask_run, (64, 256), "connections"),
            (peers.awaithumans, slow_asks.measure, (1, 4, 8), "writers"),
        ]:
            for load_ in loads:
                try:
                    with make(scratch) as server:
                        run = measure(server, seconds, load_)
                        found.setdefault(f"{server.name}, {load_} {unit}", []).append(run)
                except (DidNotStart, RuntimeError, OSError) as error:
                    report.missing([str(error)])
    table = Table("server", "asks/s", "failed", "CPU µs per ask", "answer to outcome, p50 ms", "MB")
    for name, runs in found.items():
        asks = median(run[0] for run in runs)
        table.add(
            name, f"{asks:,.0f}", f"{sum(len(run[4]) for run in runs):,}", f"{median(run[1] for run in runs):,.0f}",
            f"{median(run[2] for run in runs):,.1f}", f"{max(run[3] for run in runs) / 1e6:.0f}")
    report.table(table)
    for name, runs in found.items():
        if failures := [failure for run in runs for failure in run[4]]:
            report.text(f"{name}: {len(failures):,} asks failed and are not counted; most frequent error: {mode(failures)}")
    own = [median(run[1] for run in runs) for name, runs in found.items() if name.startswith("OKCancel,")]
    if own:
        report.target("CPU of an ask: made, waited for, answered", min(own), 250, "at most", "µs")


def ask_run(server: Server, seconds: float, connections: int) -> tuple[float, float, float, int, list[str]]:
    """As `slow_asks.measure`. OKCancel may not fail: RuntimeError."""
    before, start = server.cpu, time.monotonic()
    run = load.run(
        server, "/", seconds, script="asks.lua", arguments=[peers.TOKEN], connections=connections, refused=None)
    elapsed, cpu = time.monotonic() - start, server.cpu - before
    failed = re.search(r"^failed (.*)", run.output, re.M)
    wakes = [float(time) for times in re.findall(r"^wakes (.*)", run.output, re.M) for time in times.split()]
    if failed or not wakes:
        raise RuntimeError(f"{server.name}: {failed.group(1) if failed else 'nobody was woken'}")
    return len(wakes) / elapsed, cpu / len(wakes), median(wakes), server.resident, []


def _wakes(report: Report, scratch: Path, count: int) -> None:
    """One ask at a time on a server that rests: how long after the answer is acknowledged the waiter hears of it."""
    with peers.okcancel(scratch) as server:
        waits = wakes(report, server, server, count)
    report.text(
        f"One ask at a time, the waiter wakes {median(waits):.2f} ms after the answer's 200 at the median, "
        f"{quantiles(waits, n=100)[98]:.2f} ms at the 99th percentile of {len(waits)}.")
    report.target("a waiter wakes after the answer's commit", median(waits), 5, "at most", "ms")


def request(server: Server, method: str, path: str, body: object = None) -> dict[str, object]:
    """Raises RuntimeError if there is no answer, or one that is no success."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(
            method, path, json.dumps(body) if body else None,
            {"Content-Type": "application/json", "Authorization": f"Bearer {peers.TOKEN}"})
        answer = connection.getresponse()
        text = answer.read()
    except (http.client.HTTPException, OSError) as error:
        raise RuntimeError(f"{server.name} does not answer {method} {path}: {error!r}") from error
    finally:
        connection.close()
    if answer.status >= 300:
        raise RuntimeError(f"{server.name} answers {method} {path} with {answer.status}")
    return json.loads(text)


def wakes(report: Report, waited: Server, answered_at: Server, count: int) -> list[float]:
    """Those of so many wakes that succeed; it gives up after a few that do not."""
    found: list[float] = []
    failures = 0
    while len(found) + failures < count and failures < load.ATTEMPTS:
        try:
            found.append(wake(waited, answered_at))
        except RuntimeError as error:
            failures += 1
            report.missing([f"a wake: {error}"])
    if len(found) < 2:
        raise RuntimeError(f"{waited.name}: nobody was woken")
    return found


def wake(waited: Server, answered_at: Server) -> float:
    """Milliseconds from the answer's 200 to the waiter's; negative if the waiter was first. Raises RuntimeError."""
    ask = request(waited, "POST", "/asks", {"prompt": "email"})

    def wait() -> float:
        outcome = request(waited, "GET", f"/asks/{ask['id']}?wait=50")
        if outcome["status"] != "closed":
            raise RuntimeError(f"{waited.name}: a waiter heard nothing")
        return time.perf_counter()

    with ThreadPoolExecutor(1) as threads:
        woken = threads.submit(wait)
        # Long enough for the waiter to be parked. One that is not looks faster, never slower, and the median is of many.
        time.sleep(0.02)
        link = re.sub(r"^http://[^/]+", "", str(ask["link"]))
        request(answered_at, "POST", link, {"outcome": "ok", "values": {"email": "alice@example.com"}})
        answered = time.perf_counter()
        return (woken.result() - answered) * 1000


def _durable(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    report.section("Answers on disk")
    table = Table("writer", "answers/s", "CPU µs", "p50 ms", "p99 ms")
    single, many, plain = [], [], []
    for _ in range(rounds):
        with peers.okcancel(scratch) as server:
            single.append(load.run(server, "/prompts/email", seconds, arguments=ANSWER, connections=1))
            many.append(load.run(server, "/prompts/email", seconds, arguments=ANSWER))
        plain.append(_one_commit_an_answer(scratch / f"plain{len(plain)}.sqlite", seconds))
    table.add("one commit per answer (a bare SQLite loop)", f"{median(plain):,.0f}", "", "", "")
    for name, runs in [("OKCancel, 1 client", single), ("OKCancel, 64 clients", many)]:
        table.add(
            name, f"{median(run.rate for run in runs):,.0f}", f"{median(run.cpu for run in runs):,.0f}",
            f"{median(run.latency['50'] for run in runs):.2f}", f"{median(run.latency['99'] for run in runs):.2f}")
    report.table(table)
    flush = _flush(scratch / "flushed")
    report.text(
        f"The disk writes and flushes 4 KiB in {flush:.2f} ms at the median. Batching pays off if that takes time: the "
        "target is for 0.2 ms or more.")
    report.target(
        f"durable answers of 64 clients against one commit per answer, on a disk that flushes in {flush:.2f} ms",
        median(run.rate for run in many) / median(plain), 3, "at least", "×")


def _flush(path: Path) -> float:
    """Milliseconds that the disk takes for a page of a log."""
    times = []
    with path.open("wb", buffering=0) as file:
        for _ in range(300):
            start = time.perf_counter()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - start) * 1000)
    return median(times)


def _one_commit_an_answer(path: Path, seconds: float) -> float:
    """Answers a second of a loop that inserts and commits: write-ahead log, synchronous=FULL, the same disk."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE answer (id INTEGER PRIMARY KEY, prompt TEXT, at REAL, body TEXT)")
    count, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        database.execute(
            "INSERT INTO answer (prompt, at, body) VALUES (?, ?, ?)", ("email", time.time(), ANSWER[1]))
        count += 1
    rate = count / (time.monotonic() - start)
    database.close()
    return rate
