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
    """OKCancel alone does it."""
    own: bool = False
    failures: bool = False


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
         own=True, failures=True),
    Work("answer by an action", "/prompts/login", ["POST", '{"outcome":"action","action":"forgot"}', *JSON], own=True),
]


def run(report: Report, scratch: Path, rounds: int, seconds: float) -> None:
    report.section("Requests")
    with peers.okcancel(scratch) as okcancel:
        served = scratch / "documents"
        peers.documents(okcancel, served)
        others, missing = peers.http_peers(scratch, served)
        report.missing(missing)
        running: list[Server] = [okcancel]
        for peer in others:
            try:
                running.append(peer.start())
            except DidNotStart as error:
                report.missing([str(error)])
        try:
            peers.check(running)
            _measure(report, running, rounds, seconds)
        finally:
            for peer in running[1:]:
                peer.stop()


def _measure(report: Report, running: list[Server], rounds: int, seconds: float) -> None:
    measured: dict[tuple[str, str], list[load.Measured]] = {}
    # Compilers and caches get warm first, and nobody's first requests count.
    for server in running:
        for work in WORKS[:4]:
            load.run(server, work.path, seconds / 2, arguments=work.arguments)
    for _ in range(rounds):
        for work in WORKS:
            for server in running[:1] if work.own else running:
                if server.name == "MicroHTTP" and work.name == "verdict, invalid":
                    continue
                run = load.run(server, work.path, seconds, arguments=work.arguments, failures=work.failures)
                measured.setdefault((work.name, server.name), []).append(run)
    table = Table("work", "server", "CPU µs", "× libmicrohttpd", "OKCancel is ×", "answers/s", "p50 ms", "p99 ms", "MB")
    for work in WORKS:
        for server in running:
            runs = measured.get((work.name, server.name))
            if not runs:
                continue
            cpu = median(run.cpu for run in runs)
            limit = _cpu(measured, work.name, "libmicrohttpd")
            own = _cpu(measured, work.name, "OKCancel")
            table.add(
                work.name, server.name, f"{cpu:.1f}", f"{cpu / limit:.2f}" if limit else "",
                f"{own / cpu:.2f}" if own and server.name != "OKCancel" else "",
                f"{median(run.rate for run in runs):,.0f}", f"{median(run.latency['50'] for run in runs):.2f}",
                f"{median(run.latency['99'] for run in runs):.2f}", f"{server.resident / 1e6:.0f}")
    report.table(table)
    for name, other, limit in [
        ("verdict, valid", "libmicrohttpd", 1.3), ("verdict, valid", "Hummingbird", 0.35),
        ("verdict, valid", "FastAPI", 0.12), ("page", "libmicrohttpd", 1.15), ("rules", "libmicrohttpd", 1.15),
    ]:
        own, theirs = _cpu(measured, name, "OKCancel"), _cpu(measured, name, other)
        if own and theirs:
            report.target(f"CPU of a {name} against {other}", own / theirs, limit, "at most", "×")


def _cpu(measured: dict[tuple[str, str], list[load.Measured]], work: str, server: str) -> float | None:
    runs = measured.get((work, server))
    return median(run.cpu for run in runs) if runs else None
