"""The instructions of the most frequent requests, so that no feature makes them cost more unnoticed.

Valgrind counts them: other work on the machine changes nothing. Left out are the C library's functions with a version
for each processor, such as the one that clears libmicrohttpd's memory.

A test that fails prints what each part costs now and did before, and the dearest functions of the parts that have grown.
If the price is worth it, write the new figures down here; if they have fallen, do so too.
"""

import re
import shutil
import socket
import subprocess
import time
from collections import Counter

import pytest

from Support.command import BINARY
from Support.server import Server

REQUESTS = 500
# A request may cost this much more than its parts did when somebody last looked.
AIR = 1.05
COSTS = {
    ("POST /validate/email", '{"email":"alice@example.com"}'): {
        "Swift": 13882, "MicroHTTP": 7462, "microhttpd": 5622, "Prompts": 4286, "OKCancel": 3270, "c": 2236, "re2": 841,
        "sqlite3": 271, "ld": 55, "Asks": 26, "Platform": 15},
    ("POST /validate/email", '{"email":"alice"}'): {
        "Swift": 13496, "MicroHTTP": 7463, "microhttpd": 5627, "OKCancel": 3279, "Prompts": 3203, "c": 1869, "Asks": 26,
        "sqlite3": 22, "Platform": 15},
    ("GET /prompts/email", ""): {
        "Swift": 7061, "MicroHTTP": 5860, "microhttpd": 5071, "OKCancel": 2566, "c": 1188, "Prompts": 216, "Asks": 17,
        "sqlite3": 4},
    ("GET /prompts/email/rules", ""): {
        "Swift": 6925, "MicroHTTP": 5899, "microhttpd": 5076, "OKCancel": 2494, "c": 1180, "Prompts": 216, "Asks": 17,
        "sqlite3": 4},
    ("POST /prompts/email", '{"outcome":"ok","values":{"email":"alice"}}'): {
        "Swift": 29018, "MicroHTTP": 12576, "c": 10331, "microhttpd": 8245, "OKCancel": 5862, "Prompts": 5280, "Asks": 17,
        "Platform": 14, "sqlite3": 4},
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """Counts the instructions of a request, by part and function."""
    folder = tmp_path_factory.mktemp("instructions")
    # Valgrind does not read the newest debug information.
    subprocess.run(["strip", "--strip-debug", "-o", folder / "okcancel", BINARY], check=True)
    tool = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={folder}/counts"]
    server = Server("Examples", "--threads", "1", "--log-level", "warning", before=tool, program=folder / "okcancel",
                    SWIFT_DETERMINISTIC_HASHING="1")
    host, port = re.search(r"//(.+):(\d+)", server.url).groups()
    client = socket.create_connection((host, int(port)))
    answers = client.makefile("rb")

    def send(line, body, times):
        head = f"{line} HTTP/1.1\r\nHost: {host}\r\n" + "Content-Type: application/json\r\n" * bool(body)
        for _ in range(times):
            client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            length = 0
            while (header := answers.readline()) != b"\r\n":
                assert header, server.log.text
                length = int(header[15:]) if header.lower().startswith(b"content-length:") else length
            answers.read(length)

    def control(option):
        # The last request is over a moment after its response.
        time.sleep(0.2)
        subprocess.run(["callgrind_control", option, str(server.process.pid)], check=True, capture_output=True)

    def count(line, body):
        send(line, body, REQUESTS)
        control("--zero")
        send(line, body, REQUESTS)
        control("--dump")
        return read(max(folder.glob("counts.*"), key=lambda path: int(path.suffix[1:])))

    yield count
    client.close()
    server.stop()
    shutil.rmtree(folder)


def read(path):
    """The instructions of a request in callgrind's file, by part and function."""
    costs, names, skips = Counter(), {}, False
    for line in path.read_text("utf-8", "replace").splitlines():
        if found := re.match(r"(ob|fn)=(\(\d+\))(?: (.+))?", line):
            kind, number, name = found.groups()
            names[kind + number] = name or names[kind + number]
            names[kind] = names[kind + number]
        elif line.startswith("calls="):
            # The cost of what is called stands there, too.
            skips = True
        elif re.match(r"[\d+*-]", line):
            if not skips and not re.search(r"_(avx|evex|sse|erms)", names["fn"]):
                costs[part(names["ob"], names["fn"]), names["fn"]] += int(line.split()[1]) / REQUESTS
            skips = False
        elif found := re.match(r"c(ob|fn)=(\(\d+\)) (.+)", line):
            names[found[1] + found[2]] = found[3]
    return costs


def part(library, function):
    """A module of ours, a library, or Swift's own."""
    module = re.match(r"\$s\d+(MicroHTTP|Prompts|Asks|OKCancel|Platform)", function)
    return module[1] if module else re.sub(r".*/(lib)?([a-z0-9]+).*", r"\2", library).replace("okcancel", "Swift")


@pytest.mark.parametrize("request_", COSTS, ids=" ".join)
def test_a_request_costs_no_more_instructions_than_before(request_, counted):
    known, costs = COSTS[request_], counted(*request_)
    parts = Counter()
    for (name, _), cost in costs.items():
        parts[name] += round(cost)
    grown = [name for name in parts if parts[name] > known.get(name, 0) * AIR]
    lines = [f"{cost:8.0f} {name}: {function}" for (name, function), cost in costs.most_common() if name in grown]
    assert sum(parts.values()) <= sum(known.values()) * AIR, "\n".join(
        [f"now {dict(parts.most_common())}", f"was {known}", *lines[:30]])
