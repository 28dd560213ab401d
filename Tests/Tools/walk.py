"""Prints the files that a request runs through, in the order in which it first reaches them, a line for each stay in a
module: `make walk`. With `--functions` each file has a line, with the functions in the order of their first calls.

The server is the debug build, which inlines nothing, with `walk.c` in it. A request is sent once to warm up and then
three times: what does not run each time is a timer's.
"""

import itertools
import json
import mmap
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from Support.client import FORM, JSON
from Support.command import DEBUG, ROOT
from Support.server import Server
from Support.waiting import wait_until

PROGRAM = DEBUG / "okcancel"
# As in walk.c.
MOST = 1 << 16
RESTS, BEGINS, RECORDS, ENDS = range(4)
RUNS = 8


def soon():
    """The shorter the recording, the fewer timers run meanwhile."""
    time.sleep(0.0005)


def functions():
    """Our own functions by where they begin in the program: the symbol and the file of each."""
    symbols = re.findall(r"^(\w+) [tT] (\$s\S+)$", subprocess.check_output(["nm", PROGRAM], text=True), re.M)
    lines = subprocess.run(
        ["addr2line", "-e", PROGRAM], input="\n".join(address for address, _ in symbols), text=True, capture_output=True,
        check=True).stdout.splitlines()
    sources = f"{ROOT}/Sources/"
    return {int(address, 16): (symbol, line.removeprefix(sources).split(":")[0])
            for (address, symbol), line in zip(symbols, lines, strict=True) if line.startswith(sources)}


class Walk:
    """Records which functions of a server run, and in which order they are first called."""

    def __init__(self, folder):
        self.functions = functions()
        library, shared = Path(folder) / "walk.so", Path(folder) / "walk"
        subprocess.run(["clang", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("walk.c")], check=True)
        places = sorted(self.functions)
        shared.write_bytes(struct.pack(f"{2 + MOST}Q", 0, 0, *places, *[0] * (MOST - len(places))) + bytes(8 * MOST))
        with open(shared, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        self.environment = {"LD_PRELOAD": str(library), "OKCANCEL_TEST_WALK": str(shared)}

    def order(self, state, until):
        """Sets the state of `walk.c`, and waits for the next."""
        self.memory[:8] = struct.pack("Q", state)
        wait_until(lambda: self.memory[:8] == struct.pack("Q", until), meanwhile=soon)

    def calls(self, request):
        """The functions that run during this, by the order of their first calls."""
        self.memory[8:16] = bytes(8)
        self.order(BEGINS, RECORDS)
        request()
        self.order(ENDS, RESTS)
        count, = struct.unpack_from("Q", self.memory, 8)
        return struct.unpack_from(f"{count}Q", self.memory, 8 * (2 + MOST))

    def calls_from_rest(self, request):
        """The same, once the server does nothing of itself."""
        wait_until(lambda: not self.calls(lambda: time.sleep(0.02)), meanwhile=lambda: None)
        return self.calls(request)

    def files(self, request):
        """Each file in the order in which the request reaches it, with the functions that run there."""
        request()
        runs = [self.calls_from_rest(request) for _ in range(RUNS)]
        common = set(runs[0]).intersection(*runs)
        orders = [tuple(place for place in run if place in common) for run in runs]
        files = {}
        for symbol, file in map(self.functions.get, max(orders, key=orders.count)):
            files.setdefault(file, []).append(symbol)
        return files


def requests(server):
    """What to walk through, by its name: functions that send a request and return when its line is in the log."""
    connection = server.connection()

    def send(path, body, headers, method="POST"):
        lines = server.log.text.count(" path=")
        assert server.exchange(method, path, body, headers, connection).status in (200, 201)
        wait_until(lambda: server.log.text.count(" path=") > lines, meanwhile=soon)

    asks = iter([urlsplit(server.ask()["link"]).path for _ in range(1 + RUNS)])
    number = itertools.count()

    def tool():
        call = {"name": "ask_person", "arguments": {"prompt": "email", "wait": 0, "key": f"walk {next(number)}"}}
        send("/mcp", json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}),
             JSON | server.authorized | {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"})

    return {
        "a verdict": lambda: send("/validate/email", '{"email": "ann@example.com"}', JSON),
        "an answer to a link": lambda: send(next(asks), "outcome=ok&email=ann%40example.com", FORM),
        "a question": lambda: send("/asks", '{"prompt": "email"}', JSON | server.authorized),
        "ask_person": tool,
    }


def walk(names=None):
    """The files of these requests, or of all, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        walk = Walk(folder)
        with Server("Examples", program=PROGRAM, **walk.environment) as server:
            return {name: walk.files(request) for name, request in requests(server).items() if name in (names or [name])}


def lines(name, files, functions=False):
    """What to print of a request."""
    stays = [(folder, list(stay)) for folder, stay in itertools.groupby(files, lambda file: str(Path(file).parent))]
    # How often it comes back to a folder that it had left.
    yield f"{name}: {len(files)} files, {len(stays) - len(dict(stays))} changes"
    for folder, stay in stays:
        if functions:
            for file in stay:
                names = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input="\n".join(files[file]),
                                       text=True, capture_output=True, check=True).stdout.splitlines()
                yield f"  {file}: {', '.join(names)}"
        else:
            yield f"  {folder}: {', '.join(Path(file).stem for file in stay)}"


if __name__ == "__main__":
    for name, files in walk().items():
        print(*lines(name, files, functions="--functions" in sys.argv), sep="\n")
