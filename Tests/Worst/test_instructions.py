"""The instructions of the most frequent requests, so that no feature makes them cost more unnoticed.

Valgrind counts them: other work on the machine changes nothing. Left out are the C library's functions with a version
for each processor, such as the one that clears libmicrohttpd's memory.

A test that fails prints what each part costs now and did before, and the dearest functions of the parts that have grown.
If the price is worth it, write the new figures down here; if they have fallen, do so too.
"""

import json
import re
import shutil
import socket
import subprocess
import time
from collections import Counter

import pytest

from Support.command import BINARY, TOKEN
from Support.server import Server

REQUESTS = 500
# Made, waited for, answered, and read.
ASK = ("ask", "")
# A request may cost this much more than its parts did when somebody last looked.
AIR = 1.05
COSTS = {
    ("POST /validate/email", '{"email":"alice@example.com"}'): {
        "Swift": 9900, "MicroHTTP": 6250, "microhttpd": 5612, "Prompts": 3681, "OKCancel": 2235, "c": 1574, "re2": 840,
        "ld": 55, "Platform": 10},
    ("POST /validate/email", '{"email":"alice"}'): {
        "Swift": 9633, "MicroHTTP": 6250, "microhttpd": 5617, "Prompts": 2772, "OKCancel": 2236, "c": 1221,
        "Platform": 10},
    ("GET /prompts/email", ""): {
        "MicroHTTP": 5106, "microhttpd": 5061, "Swift": 4851, "OKCancel": 1913, "c": 888, "Prompts": 81},
    ("GET /prompts/email/rules", ""): {
        "MicroHTTP": 5266, "microhttpd": 5066, "Swift": 4818, "OKCancel": 1811, "c": 888, "Prompts": 81},
    ("POST /prompts/email", '{"outcome":"ok","values":{"email":"alice"}}'): {
        "Swift": 22000, "MicroHTTP": 10847, "c": 9300, "microhttpd": 8233, "Prompts": 5124, "OKCancel": 4679,
        "Platform": 10},
    ("GET /prompts/nothing/rules", ""): {
        "Swift": 46831, "c": 18695, "MicroHTTP": 9349, "Prompts": 9181, "microhttpd": 7597, "OKCancel": 5474, "Asks": 136},
    # With the request that says that the waiting one was read.
    ASK: {
        "Swift": 256099, "sqlite3": 211056, "c": 130985, "Asks": 51101, "MicroHTTP": 49794, "microhttpd": 37644,
        "Prompts": 30350, "OKCancel": 21240, "re2": 840, "???": 457, "ld": 55, "Platform": 34},
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """Counts the instructions of a request, by part and function."""
    folder = tmp_path_factory.mktemp("instructions")
    # Valgrind does not read the newest debug information.
    subprocess.run(["strip", "--strip-debug", "-o", folder / "okcancel", BINARY], check=True)
    tool = ["valgrind", "--quiet", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/counts"]
    server = Server("Examples", "--threads", "1", "--log-level", "warning", before=tool, program=folder / "okcancel",
                    SWIFT_DETERMINISTIC_HASHING="1")
    host, port = re.search(r"//(.+):(\d+)", server.url).groups()
    client, waiter = (socket.create_connection((host, int(port))) for _ in range(2))
    answers = {connection: connection.makefile("rb") for connection in (client, waiter)}

    def send(line, body="", connection=client, more=""):
        head = f"{line} HTTP/1.1\r\nHost: {host}\r\n" + "Content-Type: application/json\r\n" * bool(body)
        connection.sendall(f"{head}{more}Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def receive(connection=client):
        length = 0
        while (header := answers[connection].readline()) != b"\r\n":
            assert header, server.log.text
            length = int(header[15:]) if header.lower().startswith(b"content-length:") else length
        return answers[connection].read(length)

    def ask():
        bearer = f"Authorization: Bearer {TOKEN}\r\n"
        send("POST /asks", '{"prompt":"email"}', more=bearer)
        made = json.loads(receive())
        send(f"GET /asks/{made['id']}?wait=50", connection=waiter, more=bearer)
        # One thread serves both connections: when it has answered this, it has read that.
        send("GET /healthz")
        receive()
        send(f"POST /a/{made['link'].split('/a/')[1]}", '{"outcome":"ok","values":{"email":"alice@example.com"}}')
        receive()
        assert json.loads(receive(waiter))["outcome"] == "ok"

    def repeat(line, body):
        for _ in range(REQUESTS):
            if (line, body) == ASK:
                ask()
            else:
                send(line, body)
                receive()

    def control(option):
        # The last request is over a moment after its response.
        time.sleep(0.2)
        subprocess.run(["callgrind_control", option, str(server.process.pid)], check=True, capture_output=True)

    def count(line, body):
        repeat(line, body)
        control("--zero")
        repeat(line, body)
        control("--dump")
        last = max(int(re.search(r"\.(\d+)-", path.name)[1]) for path in folder.glob("counts.*-*"))
        threads = [read(path) for path in folder.glob(f"counts.{last}-*")]
        # An ask goes from thread to thread. Else the one that serves: what others do meanwhile grows with the time that it
        # takes.
        return sum(threads, Counter()) if (line, body) == ASK else max(threads, key=Counter.total)

    yield count
    client.close()
    waiter.close()
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
