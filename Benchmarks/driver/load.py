"""Load by wrk, from a core of its own."""

import math
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import machine
from server import Server, Stopped

SCRIPTS = Path(__file__).parent.parent / "load"
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}
# How often a run is tried: a connection may break, and wrk may not say what it measured.
ATTEMPTS = 3


@dataclass
class Measured:
    """One run against one server."""

    requests: int
    """Answers a second."""
    rate: float
    """Microseconds of the server's processor, for each answer."""
    cpu: float
    """Milliseconds, by percentile."""
    latency: dict[str, float]
    """What the script printed, word by word."""
    output: str


def run(
    server: Server, path: str, seconds: float, *, script: str = "request.lua", arguments: list[str] | None = None,
    connections: int = 64, refused: bool | None = False,
) -> Measured:
    """Raises RuntimeError if a response is not what it should be: a success, or a failure if it is `refused`.

    None leaves that to the script. A run that fails, or in which wrk does not say everything, is repeated.
    """
    command = machine.pinned(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{math.ceil(seconds)}s", "--timeout", "60s",
         "--latency", "--script", str(SCRIPTS / script), server.url + path, "--", *(arguments or [])],
        machine.cores()[1])
    for _ in range(ATTEMPTS):
        try:
            return _measure(server, path, command, seconds, refused)
        except Stopped:
            raise
        except RuntimeError as error:
            fault = error
            print(f"… failed: {fault}", file=sys.stderr, flush=True)
    raise RuntimeError(f"{fault}, {ATTEMPTS} times")


def _measure(server: Server, path: str, command: list[str], seconds: float, refused: bool | None) -> Measured:
    print(f"… {server.name} {path}", file=sys.stderr, flush=True)
    before = server.cpu
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"{server.name} {path}: no end of it after {error.timeout:.0f} s") from error
    cpu = server.cpu - before
    found = re.search(r"(\d+) requests in ([\d.]+)(\w+)", result.stdout)
    requests = int(found.group(1)) if found else 0
    if not requests:
        last = (result.stderr or result.stdout).strip().split("\n")[-1]
        raise RuntimeError(f"{server.name} {path}: no answers; {last}")
    if broken := re.search(r"Socket errors: .*", result.stdout):
        raise RuntimeError(f"{server.name} {path}: {broken.group(0)}")
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", result.stdout)
    failures = int(failed.group(1)) if failed else 0
    if refused is not None and failures != (requests if refused else 0):
        raise RuntimeError(f"{server.name} {path}: of {requests} answers {failures} were failures")
    elapsed = float(found.group(2)) * UNITS[found.group(3)] / 1000
    latency = {
        percentile: float(value) * UNITS[unit]
        for percentile, value, unit in re.findall(r"^\s+(\d\d)%\s+([\d.]+)(us|ms|s|m)$", result.stdout, re.M)
    }
    if not {"50", "99"} <= latency.keys():
        raise RuntimeError(f"{server.name} {path}: wrk printed no percentiles")
    return Measured(requests, requests / elapsed, cpu / requests, latency, result.stdout)
