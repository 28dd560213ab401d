"""Verdicts in process, without HTTP: the same three fields judged by everybody's own means."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import machine
import peers
from report import Report, Table

HERE = peers.ROOT / "Benchmarks" / "Verdicts"
JUDGES = {
    "OKCancel": [str(peers.ROOT / ".build/release/VerdictBench"), str(peers.ROOT / "Benchmarks/Prompts/order.yaml")],
    "pydantic-core": [sys.executable, str(HERE / "judge_pydantic.py")],
    "jsonschema-rs": [sys.executable, str(HERE / "judge_jsonschema.py")],
    "Ajv": ["node", str(HERE / "judge_ajv.cjs")],
    "Ajv, first fault only": ["node", str(HERE / "judge_ajv.cjs"), "first"],
}
WORKS = ["valid, parsed", "valid, from text", "invalid, parsed", "invalid, from text"]


def run(report: Report, rounds: int) -> None:
    report.section("Verdicts in process")
    found: dict[tuple[str, str], list[float]] = {}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for name, command in JUDGES.items():
            if name in failed:
                continue
            try:
                result = subprocess.run(
                    machine.pinned(command, machine.cores()[0]), capture_output=True, text=True, timeout=120,
                    env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})
            except (OSError, subprocess.TimeoutExpired) as error:
                failed[name] = f"{name}: {error}"
                continue
            if result.returncode:
                # Python says it last, node before its stack.
                lines = result.stderr.strip().split("\n")
                failed[name] = f"{name}: {next((line for line in lines if 'Error:' in line), lines[-1])[:300]}"
                continue
            for line in result.stdout.splitlines():
                measured = json.loads(line)
                found.setdefault((name, measured["work"]), []).append(measured["nanoseconds"])
    report.missing(list(failed.values()))
    table = Table("judge", *[f"{work}, ns" for work in WORKS])
    for name in JUDGES:
        if name not in failed:
            table.add(name, *[f"{median(found[name, work]):,.0f}" for work in WORKS])
    report.table(table)
    report.text("Processor time per verdict, in nanoseconds. “From text” includes parsing the JSON, “parsed” does not.")
    for work, other, limit in [
        ("valid, from text", "Ajv", 1), ("valid, parsed", "Ajv", 1.2), ("invalid, parsed", "Ajv", 1),
        ("invalid, parsed", "Ajv, first fault only", 2), ("valid, from text", "pydantic-core", 0.5),
        ("valid, from text", "jsonschema-rs", 0.5), ("invalid, from text", "pydantic-core", 0.5),
        ("invalid, from text", "jsonschema-rs", 0.5),
    ]:
        if other not in failed and "OKCancel" not in failed:
            own, theirs = (median(found[name, work]) for name in ("OKCancel", other))
            report.target(f"a verdict in process, {work}, against {other}", own / theirs, limit, "at most", "×")
