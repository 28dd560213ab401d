"""Verdicts in process, without HTTP: the same three fields judged by everybody's own means."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import machine
import peers
from report import Report, Table
from server import DidNotStart

HERE = peers.ROOT / "Benchmarks" / "Verdicts"
# Debian has Ajv 6. The newest that Debian and PyPI bring is in Playwright, which has it in one file with other modules.
NEWEST, DEBIAN = "Ajv 8", "Ajv 6"
WORKS = ["valid, parsed", "valid, from text", "invalid, parsed", "invalid, from text"]


def _judges() -> dict[str, list[str]]:
    """By name, the command that prints its nanoseconds by work."""
    judges = {
        "OKCancel": [str(peers.ROOT / ".build/release/VerdictBench"), str(peers.ROOT / "Benchmarks/Prompts/order.yaml")],
        "pydantic-core": [sys.executable, str(HERE / "judge_pydantic.py")],
        "jsonschema-rs": [sys.executable, str(HERE / "judge_jsonschema.py")],
    }
    ajv = [peers.node(), str(HERE / "judge_ajv.cjs")]
    if playwright := importlib.util.find_spec("playwright"):
        bundle = Path(playwright.submodule_search_locations[0]) / "driver/package/lib/utilsBundle.js"
        judges[NEWEST] = [*ajv, str(bundle)]
    return {**judges, DEBIAN: ajv}


def run(report: Report, rounds: int) -> None:
    report.section("Verdicts in process")
    try:
        judges = _judges()
    except DidNotStart as error:
        return report.missing([str(error)])
    found: dict[tuple[str, str], list[float]] = {}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for name, command in judges.items():
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
    for name in judges:
        if name not in failed:
            table.add(name, *[f"{median(found[name, work]):,.0f}" for work in WORKS])
    report.table(table)
    report.text(
        "Processor time per verdict, in nanoseconds. “From text” includes parsing the JSON, “parsed” does not. All judges "
        "tell every field's fault with its message.")
