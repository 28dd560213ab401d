"""Verdicts, pages and rules: processor time a request, against peers that answer the same."""

from dataclasses import dataclass
from pathlib import Path
from statistics import median

import load
import peers
from report import Report, Table
from server import DidNotStart, Server

BROWSER = [
    "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "Accept-Encoding",
    "gzip, deflate, br, zstd", "Accept-Language", "en-GB,en;q=0.5", "User-Agent",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Sec-Fetch-Dest", "document",
    "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none",
]


@dataclass
class Work:
    name: str
    path: str
    arguments: list[str]
    """Only OKCancel does it."""
    own: bool = False
    status: int = 200

    def is_of(self, server: Server) -> bool:
        if server.name == peers.LOGGING:
            return self.name in LOGGED
        if server.name in peers.JUDGING_NOTHING and self.name == "verdict, invalid":
            return False
        return server.name == "OKCancel" or not self.own


JSON = ["Content-Type", "application/json"]
FORM = ["Content-Type", "application/x-www-form-urlencoded"]
WORKS = [
    Work("verdict, valid", "/validate/email", ["POST", '{"email":"alice@example.com"}', *JSON]),
    Work("verdict, invalid", "/validate/email", ["POST", '{"email":"alice"}', *JSON]),
    Work("page", "/prompts/email", ["GET", ""]),
    Work("rules", "/prompts/email/rules", ["GET", ""]),
    Work("verdict of a form", "/validate/email", ["POST", "email=alice%40example.com", *FORM], own=True),
    Work("page, as a browser asks", "/prompts/email", ["GET", "", *BROWSER], own=True),
    Work("answer refused (422)", "/prompts/email", ["POST", '{"outcome":"ok","values":{"email":"alice"}}', *JSON],
         own=True, status=422),
    Work("answer by an action", "/prompts/login", ["POST", '{"outcome":"action","action":"forgot"}', *JSON], own=True),
]


LOGGED = ["verdict, valid", "page"]
# The speed of a shared machine drifts within seconds. So these two take short turns, this many in a round, and each run is
# compared with the one next to it.
PAIR, TURNS = ["OKCancel", "libmicrohttpd"], 5


def run(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    report.section("Requests")
    with peers.okcancel(scratch) as okcancel:
        served = scratch / "documents"
        peers.documents(okcancel, served)
        others, missing = peers.http_peers(scratch, served)
        report.missing(missing)
        running: list[Server] = [okcancel]
        try:
            for peer in [peers.okcancel(scratch, database="logged", logging=True), *others]:
                try:
                    running.append(peer.start())
                    peers.check(peer, okcancel)
                except (DidNotStart, RuntimeError, OSError) as error:
                    report.missing([str(error)])
                    _leave_out(peer, running)
            _measure(report, running, rounds, seconds)
        finally:
            for server in running:
                server.stop()


def _leave_out(server: Server, running: list[Server]) -> None:
    if server in running:
        running.remove(server)
        server.stop()


def _measure(report: Report, running: list[Server], rounds: int, seconds: float) -> None:
    measured: dict[tuple[str, str], list[load.Measured]] = {}
    memory: dict[str, int] = {}
    names = [server.name for server in running]
    # Compilers and caches get warm first, and nobody's first requests count.
    for round_ in range(rounds + 1):
        for work in WORKS:
            able = [server for server in running if work.is_of(server)]
            pair = [server for server in able if server.name in PAIR and not work.own]
            for server in pair * TURNS + [server for server in able if server not in pair]:
                if server not in running:
                    continue
                try:
                    run = load.run(
                        server, work.path, seconds if round_ and server not in pair else seconds / 2,
                        arguments=work.arguments, refused=work.status >= 400)
                    peers.expect(server, work.arguments, work.path, work.status)
                    memory[server.name] = server.resident
                except (RuntimeError, OSError) as error:
                    report.missing([f"{server.name} from here on: {error}"])
                    _leave_out(server, running)
                    continue
                if round_:
                    measured.setdefault((work.name, server.name), []).append(run)
    table = Table("work", "server", "CPU µs", "× libmicrohttpd", "answers/s", "p50 ms", "p99 ms", "MB")
    for work in WORKS:
        for name in names:
            runs = measured.get((work.name, name))
            if not runs:
                continue
            ratio = _ratio(measured, work.name, name, "libmicrohttpd")
            table.add(
                work.name, name, f"{median(run.cpu for run in runs):.1f}", f"{ratio:.2f}" if ratio else "",
                f"{median(run.rate for run in runs):,.0f}", f"{median(run.latency['50'] for run in runs):.2f}",
                f"{median(run.latency['99'] for run in runs):.2f}", f"{memory[name] / 1e6:.0f}")
    report.table(table)
    lines = {name: (_cpu(measured, name, peers.LOGGING), _cpu(measured, name, "OKCancel")) for name in LOGGED}
    if all(logged and silent for logged, silent in lines.values()):
        costs = " and ".join(f"{logged - silent:.1f} µs to “{name}”" for name, (logged, silent) in lines.items())
        report.text(
            f"Only “{peers.LOGGING}” writes a line per request: OKCancel with its default settings, logging to a file. "
            f"The line adds {costs}.")
    for name, other, limit in [
        ("verdict, valid", "libmicrohttpd", 1.3), ("verdict, valid", "Hummingbird", 0.35),
        ("verdict, valid", "FastAPI", 0.12), ("verdict, invalid", "libmicrohttpd", 1.3),
        ("page", "libmicrohttpd", 1.3), ("rules", "libmicrohttpd", 1.3),
    ]:
        ratio = _ratio(measured, name, "OKCancel", other)
        if ratio:
            report.target(f"CPU of “{name}” against {other}", ratio, limit, "at most", "×")


def _cpu(measured: dict[tuple[str, str], list[load.Measured]], work: str, server: str) -> float | None:
    runs = measured.get((work, server))
    return median(run.cpu for run in runs) if runs else None


def _ratio(measured: dict[tuple[str, str], list[load.Measured]], work: str, name: str, other: str) -> float | None:
    own, theirs = measured.get((work, name), []), measured.get((work, other), [])
    if {name, other} == set(PAIR) and own and theirs:
        return median(one.cpu / run.cpu for one, run in zip(own, theirs))
    return median(run.cpu for run in own) / median(run.cpu for run in theirs) if own and theirs else None
