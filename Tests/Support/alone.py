"""The command that runs a failed test by itself.

`alone.py swift test …` and `alone.py node --test …` run that, and at the end print such a command for each failure;
Tests/conftest.py does so for pytest. `alone.py make …` prints at the end once more what was printed in between.
"""

import os
import re
import subprocess
import sys

# What each prints of a failed test: its name, and node also its file.
SWIFT = re.compile(r'^✘ Test (?:"(.+)"|(\w+)\(.*?\)) (?:recorded an issue|with \d+ test cases? failed|failed after)', re.M)
STARTED = re.compile(r'^◇ Test (?:"(.+)"|(\w+)\(.*?\)) started\.$', re.M)
ENDED = re.compile(r'^[^◇] Test (?:"(.+)"|(\w+)\(.*?\)) .*?(?:passed|failed) after', re.M)
NODE = re.compile(r"^test at (?P<file>\S+?):\d+:\d+\n. (?P<name>.*) \([\d.]+ms\)$", re.M)
# A command that was printed already; several targets at once may have put something before it in its line.
PRINTED = re.compile(
    r"  ((?:[A-Z_]+=\S+ )*(?:swift test --no-parallel --filter '|\.venv/\S*bin/(?:python|node) |\.build/\w+/DoorFuzz ).*)$", re.M)


def node():
    """What a shell in this folder runs that node with which the tests run: Debian's is older and prints other words."""
    return ".venv/bin/node" if os.path.exists(".venv/bin/node") else "node"


def lines(commands):
    """What to print at the end."""
    commands = list(dict.fromkeys(commands))
    return ["", "To run only what failed:", *(f"  {command}" for command in commands)] if commands else []


def pattern(name):
    """A regular expression that needs no quotes within quotes."""
    return "'" + re.sub(r"[^\w ,:;-]", ".", name) + "'"


def commands(output):
    failed = [found[1] or found[2] for found in SWIFT.finditer(output)]
    if "Test run started" in output and "Test run with" not in output:
        # It crashed, in a test that did not end.
        ended = {found[1] or found[2] for found in ENDED.finditer(output)}
        failed += [name for name in (found[1] or found[2] for found in STARTED.finditer(output)) if name not in ended]
    for name in failed:
        yield f"swift test --no-parallel --filter {pattern(name)}"
    for found in NODE.finditer(output):
        yield f"{node()} --test --test-name-pattern {pattern(found['name'])} {found['file']}"
    for found in PRINTED.finditer(output):
        yield found[1]


def main():
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    output = []
    for line in process.stdout:
        print(line, end="", flush=True)
        output.append(line)
    status = process.wait()
    print(*lines(commands("".join(output))), sep="\n", flush=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
