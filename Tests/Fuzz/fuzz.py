"""Random rules and texts, judged by the server's code and by Public/rules.js in Node and in the browsers' engines.

    python3 fuzz.py --judge VERDICTJUDGE [--seed SEED] [--count N] [--browsers chromium,firefox,webkit]

Node judges N cases (default 200,000), each browser the first N/10 of them. Without a seed it is a fresh one; it is
printed, and with it the run can be had again. Each difference is printed as a minimal case, ready for the corpus, and at
the end a command that finds them again.
Exit codes: 0 one verdict everywhere, 1 a difference, 2 usage, 70 a judge failed.
"""

import argparse
import json
import os
import pathlib
import secrets
import shlex
import subprocess
import sys
import tempfile
import time

import browser

HERE = pathlib.Path(__file__).resolve().parent
# As the Makefile does, so that `node` is that of this environment.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
NODE = ["node", str(HERE / "judge.mjs")]

# WebKit misreads some patterns, and rules.js leaves those with characters in question to the server; in percent of the
# cases. Every other engine judges everything.
LEFT_AT_MOST = {"webkit": 12}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--judge", required=True, help="the executable VerdictJudge")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--browsers", default="chromium,firefox,webkit")
    given = parser.parse_args()
    given.seed = secrets.randbits(32) if given.seed is None else given.seed
    given.browsers = [name for name in given.browsers.split(",") if name]
    if not set(given.browsers) <= set(browser.BROWSERS):
        parser.error(f"the browsers are {', '.join(browser.BROWSERS)}")
    return given


def by_command(command, lines):
    """The verdicts of a judge that is a command."""
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, encoding="utf-8")
    verdicts = lines_of(done.stdout)
    if done.returncode != 0 or len(verdicts) != len(lines):
        tally = f"{command}: exit {done.returncode}, {len(verdicts)} verdicts on {len(lines)} cases"
        print(tally, done.stderr, sep="\n", file=sys.stderr)
        sys.exit(70)
    return verdicts


def lines_of(text):
    """Not splitlines(), which also parts at U+2028 and others that JSON lets stand."""
    return [line for line in text.split("\n") if line]


def by_browser(name, lines):
    with browser.judging_in(name) as judge:
        return list(judge(lines))


def is_asked(verdict):
    """As in compare.mjs: a browser gets no rules that are refused, and leaves to the server what is marked so."""
    verdict = json.loads(verdict)
    return "refused" not in verdict and verdict.get("decidedBy") != "server"


def compared(engine, cases, servers, judge, command, server_command):
    """Prints the differences; whether there are none."""
    started = time.monotonic()
    asked = [index for index, verdict in enumerate(servers) if is_asked(verdict)]
    verdicts = ['{"pending":true}'] * len(cases)
    for index, verdict in zip(asked, judge([cases[index] for index in asked]), strict=True):
        verdicts[index] = verdict
    print(f"\n{engine}: {len(asked)} cases in {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in [("cases", cases), ("server", servers), (engine, verdicts)]:
            file = pathlib.Path(folder, f"{name}.jsonl")
            file.write_text("\n".join(lines) + "\n", "utf-8")
            files.append(str(file))
        pending = str(LEFT_AT_MOST.get(engine, 0))
        compare = ["node", str(HERE / "compare.mjs"), *files, server_command, command, pending]
        status = subprocess.run(compare).returncode
    if status > 1:
        sys.exit(status)
    return status == 0


def main():
    given = arguments()
    print(f"seed {given.seed}, {given.count} cases", file=sys.stderr, flush=True)
    generate = ["node", str(HERE / "generate.mjs"), str(given.seed), str(given.count)]
    cases = subprocess.run(generate, check=True, capture_output=True, encoding="utf-8").stdout
    cases = lines_of(cases)
    server_command = str(pathlib.Path(given.judge).resolve())
    servers = by_command([server_command], cases)

    differing = []
    if not compared("node", cases, servers, lambda lines: by_command(NODE, lines), " ".join(NODE), server_command):
        differing.append("node")
    few = given.count // 10
    for name in given.browsers:
        command = f"{sys.executable} {HERE / 'browser.py'} {name}"
        if not compared(name, cases[:few], servers[:few], lambda lines: by_browser(name, lines), command, server_command):
            differing.append(name)
    if differing:
        again = [
            os.path.relpath(sys.executable), os.path.relpath(__file__), "--judge", given.judge, "--seed", str(given.seed),
            "--count", str(given.count), "--browsers", ",".join(name for name in differing if name != "node")]
        print("", "To run only what failed:", f"  {shlex.join(again)}", sep="\n", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
