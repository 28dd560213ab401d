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
        "Swift": 9942, "MicroHTTP": 6250, "microhttpd": 5612, "Prompts": 3780, "OKCancel": 2234, "c": 1574, "re2": 840,
        "ld": 55, "Platform": 10},
    ("POST /validate/email", '{"email":"alice"}'): {
        "Swift": 9675, "MicroHTTP": 6250, "microhttpd": 5617, "Prompts": 2871, "OKCancel": 2233, "c": 1221,
        "Platform": 10},
    ("GET /prompts/email", ""): {
        "MicroHTTP": 5106, "microhttpd": 5051, "Swift": 4851, "OKCancel": 1913, "c": 888, "Prompts": 111},
    ("GET /prompts/email/rules", ""): {
        "MicroHTTP": 5266, "microhttpd": 5056, "Swift": 4818, "OKCancel": 1808, "c": 888, "Prompts": 111},
    ("POST /prompts/email", '{"outcome":"ok","values":{"email":"alice"}}'): {
        "Swift": 20978, "MicroHTTP": 10847, "c": 9584, "microhttpd": 8224, "Prompts": 5257, "OKCancel": 4648,
        "Platform": 10},
    ("GET /prompts/nothing/rules", ""): {
        "Swift": 46654, "c": 18185, "MicroHTTP": 9349, "Prompts": 9179, "microhttpd": 7587, "OKCancel": 5474,
        "Asks": 136},
    # With the request that says that the waiting one was read.
    ASK: {
        "Swift": 249990, "sqlite3": 209654, "c": 130670, "Asks": 48088, "MicroHTTP": 45262, "microhttpd": 37135,
        "Prompts": 27943, "OKCancel": 19209, "re2": 840, "ld": 55, "Platform": 24},
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

    def connect():
        connection = socket.create_connection((host, int(port)))
        return connection, connection.makefile("rb")

    def send(connection, line, body="", more=""):
        head = f"{line} HTTP/1.1\r\nHost: {host}\r\n" + "Content-Type: application/json\r\n" * bool(body)
        connection[0].sendall(f"{head}{more}Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def receive(connection):
        length = 0
        while (header := connection[1].readline()) != b"\r\n":
            assert header, server.log.text
            length = int(header[15:]) if header.lower().startswith(b"content-length:") else length
        return connection[1].read(length)

    def ask(client, waiter):
        bearer = f"Authorization: Bearer {TOKEN}\r\n"
        send(client, "POST /asks", '{"prompt":"email"}', bearer)
        made = json.loads(receive(client))
        send(waiter, f"GET /asks/{made['id']}?wait=50", more=bearer)
        # One thread serves both connections: when it has answered this, it has read that.
        send(client, "GET /healthz")
        receive(client)
        answer = '{"outcome":"ok","values":{"email":"alice@example.com"}}'
        send(client, f"POST /a/{made['link'].split('/a/')[1]}", answer)
        receive(client)
        assert json.loads(receive(waiter))["outcome"] == "ok"

    def repeat(line, body, client, waiter):
        for _ in range(REQUESTS):
            if (line, body) == ASK:
                ask(client, waiter)
            else:
                send(client, line, body)
                receive(client)

    def control(option):
        # The last request is over a moment after its response.
        time.sleep(0.2)
        subprocess.run(["callgrind_control", option, str(server.process.pid)], check=True, capture_output=True)

    def count(line, body):
        # New ones for each: a connection that sends nothing for long is closed.
        connections = connect(), connect()
        repeat(line, body, *connections)
        control("--zero")
        repeat(line, body, *connections)
        control("--dump")
        for connection, answers in connections:
            answers.close()
            connection.close()
        last = max(int(re.search(r"\.(\d+)-", path.name)[1]) for path in folder.glob("counts.*-*"))
        threads = [read(path) for path in folder.glob(f"counts.{last}-*")]
        # An ask goes from thread to thread. Else the one that serves: what others do meanwhile grows with the time that it
        # takes.
        return sum(threads, Counter()) if (line, body) == ASK else max(threads, key=Counter.total)

    yield count
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
