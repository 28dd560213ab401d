"""One server and two on a PostgreSQL, beside one on SQLite, awaithumans on the same PostgreSQL, and pgbench."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

import load
import peers
import slow_asks
from asks_section import ANSWER, ask_run, wakes
from peers import ROOT
from report import Report, Table
from server import DidNotStart, Server

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
# What OKCancel keeps of such an answer, as pgbench's own statement and transaction.
TABLE = "CREATE TABLE bench (position bigserial PRIMARY KEY, prompt text, answered_at bigint, outcome bytea)"
INSERT = "INSERT INTO bench (prompt, answered_at, outcome) VALUES ('email', 1795253400999, '{answer}');\n"


def run(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    with _postgresql() as address:
        report.attempt("on PostgreSQL", lambda: _answers(report, scratch, address, rounds, seconds))
        report.attempt("waiters at another server", lambda: _wakes(report, scratch, address, 30 if rounds == 1 else 300))


@contextmanager
def _postgresql() -> Iterator[str]:
    """One of its own, and the address of its database."""
    if not shutil.which("pgbench"):
        raise DidNotStart("PostgreSQL: there is no pgbench; make test-packages")
    process = subprocess.Popen(
        [ROOT / "Tests/Support/PostgreSQL/server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise DidNotStart("PostgreSQL did not start")
        yield address
    finally:
        process.stdin.close()
        process.wait(30)


def _node(scratch: Path, address: str) -> Server:
    server = peers.okcancel(scratch)
    place = server.command.index("--database") + 1
    command = [*server.command[:place], address, *server.command[place + 1:], "--base-url", "http://127.0.0.1:PORT"]
    return replace(
        server, name="OKCancel on PostgreSQL", command=command,
        environment={**server.environment, "OKCANCEL_KEY": KEY})


def _answers(report: Report, scratch: Path, address: str, rounds: int, seconds: float) -> None:
    report.section("On PostgreSQL")
    report.text(
        "Answers to a prompt by 64 clients, and asks as above. PostgreSQL is on the same machine and disk, and has the cores "
        "that the servers and their load leave it: on two cores all of them share both. pgbench inserts a row as large as an "
        "answer, each in a transaction of its own. awaithumans has a database of its own there, and the load it does best with.")

    def one(server: Server) -> tuple[float, float, float]:
        with server:
            answers = load.run(server, "/prompts/email", seconds, arguments=ANSWER)
            return answers.rate, answers.cpu, ask_run(server, seconds, 64)[0]

    def two() -> tuple[float, float, float]:
        with _node(scratch, address) as one, _node(scratch, address) as other:
            runs = _both(lambda server: load.run(server, "/prompts/email", seconds, arguments=ANSWER, connections=32), one, other)
            asks = _both(lambda server: ask_run(server, seconds, 32)[0], one, other)
            return sum(run.rate for run in runs), median(run.cpu for run in runs), sum(asks)

    def peer() -> tuple[float, float, float]:
        with peers.awaithumans(scratch, _database(address, "awaithumans")) as server:
            return 0, 0, max(slow_asks.measure(server, max(10, seconds), writers)[0] for writers in (1, 4))

    found: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(rounds):
        for name, measure in [
            ("pgbench, 64 clients", lambda: (_pgbench(scratch, address, seconds), 0, 0)),
            ("SQLite", lambda: one(peers.okcancel(scratch))),
            ("PostgreSQL, one server", lambda: one(_node(scratch, address))),
            ("PostgreSQL, two servers", two),
            ("awaithumans on PostgreSQL", peer),
        ]:
            try:
                found.setdefault(name, []).append(measure())
            except (DidNotStart, RuntimeError, OSError, subprocess.CalledProcessError) as error:
                report.missing([f"{name}: {error}"])
    table = Table("store", "answers/s", "server's CPU µs per answer", "asks/s")
    for name, values in found.items():
        if not values:
            continue
        answers, cpu, asks = (median(value[place] for value in values) for place in range(3))
        table.add(name, f"{answers:,.0f}" if answers else "", f"{cpu:,.0f}" if cpu else "", f"{asks:,.0f}" if asks else "")
    report.table(table)
    own, pgbench = found["PostgreSQL, one server"], found["pgbench, 64 clients"]
    if own and pgbench:
        report.target(
            "durable answers on PostgreSQL against pgbench",
            median(value[0] for value in own) / median(value[0] for value in pgbench), 0.5, "at least", "×")


def _database(address: str, name: str) -> str:
    """The address of a new database on the same PostgreSQL."""
    host = ["--host", address.split("host=")[1], "--username", "postgres"]
    subprocess.run(["dropdb", "--if-exists", "--force", *host, name], check=True, capture_output=True)
    subprocess.run(["createdb", "--owner", "okcancel", *host, name], check=True, capture_output=True)
    return address.replace("/okcancel?", f"/{name}?")


def _both(measure, one: Server, other: Server) -> list:
    """Measures both at the same time."""
    results: list = [None, None]

    def keep(place: int, server: Server) -> None:
        results[place] = measure(server)

    threads = [threading.Thread(target=keep, args=pair) for pair in enumerate((one, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if None in results:
        raise RuntimeError("OKCancel on PostgreSQL: one of two servers gave no answers")
    return results


def _pgbench(scratch: Path, address: str, seconds: float) -> float:
    """Transactions a second."""
    script = scratch / "insert.sql"
    script.write_text(INSERT.format(answer=ANSWER[1]))
    host = address.split("host=")[1]
    place = ["--host", host, "--username", "okcancel", "okcancel"]
    subprocess.run(["psql", "--quiet", *place[:-1], "--dbname", "okcancel", "--command", f"DROP TABLE IF EXISTS bench; {TABLE}"],
                   check=True, capture_output=True)
    print("… pgbench", file=sys.stderr, flush=True)
    result = subprocess.run(
        ["pgbench", "--no-vacuum", "--client", "64", "--jobs", "2", "--protocol", "prepared", "--time", str(max(1, round(seconds))),
         "--file", script, *place],
        check=True, capture_output=True, text=True)
    return float(result.stdout.split("tps = ")[1].split()[0])


def _wakes(report: Report, scratch: Path, address: str, count: int) -> None:
    """A program waits at one server, the person answers at the other."""
    with _node(scratch, address) as one, _node(scratch, address) as other:
        waits = wakes(report, one, other, count)
    report.text(
        f"A waiter at another server wakes {median(waits):.2f} ms after the answer's 200 at the median, "
        f"{quantiles(waits, n=100)[98]:.2f} ms at the 99th percentile of {len(waits)}.")
    report.target("a waiter at another server wakes after the answer's commit", median(waits), 5, "at most", "ms")
