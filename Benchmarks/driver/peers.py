"""OKCancel and what it is compared with, each with the command that serves the same documents and the same verdicts."""

import http.client
import os
import shutil
import subprocess
import sys
from pathlib import Path

from server import DidNotStart, Server

ROOT = Path(__file__).parent.parent.parent
PEERS = ROOT / "Benchmarks" / "Peers"
TOKEN = "benchmark"
VERDICT = b'{"email":"alice@example.com"}'


def okcancel(scratch: Path, prompts: Path = ROOT / "Examples", database: str = "bench", *options: str) -> Server:
    binary = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build/release/okcancel"))
    return Server(
        "OKCancel",
        [binary, "serve", str(prompts), "--port", "PORT", "--threads", "1", "--log-level", "warning",
         "--database", str(scratch / f"{database}.sqlite"), *options],
        {"OKCANCEL_API_TOKEN": TOKEN}, ROOT)


def awaithumans(scratch: Path) -> Server:
    program = Path(sys.executable).parent / "awaithumans"
    return Server(
        "awaithumans", [str(program), "serve", "--host", "127.0.0.1", "--port", "PORT", "--log-level", "warning"],
        {"AWAITHUMANS_DB_PATH": str(scratch / "awaithumans.db"), "AWAITHUMANS_ADMIN_API_TOKEN": TOKEN,
         "AWAITHUMANS_PAYLOAD_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}, scratch)


def documents(server: Server, directory: Path) -> None:
    """What OKCancel answers, with its headers, for the peers to answer the same: see Peers/microhttpd/server.c."""
    directory.mkdir(exist_ok=True)
    for method, path, name in [
        ("GET", "/prompts/email", ",prompts,email"), ("GET", "/prompts/email/rules", ",prompts,email,rules"),
        ("POST", "/validate/email", ",verdict"),
    ]:
        headers, body = _answer(server, method, path)
        head = "".join(f"{header}: {value}\n" for header, value in headers)
        (directory / name).write_bytes(head.encode() + b"\n" + (body if method == "GET" else b""))


def _answer(server: Server, method: str, path: str) -> tuple[list[tuple[str, str]], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(
        method, path, VERDICT if method == "POST" else None,
        {"Content-Type": "application/json"} if method == "POST" else {})
    response = connection.getresponse()
    own = {"date", "content-length", "connection"}
    headers = [pair for pair in response.getheaders() if pair[0].lower() not in own]
    return headers, response.read()


def http_peers(scratch: Path, served: Path) -> tuple[list[Server], list[str]]:
    """Those that can be had, and why the others cannot."""
    peers: list[Server] = []
    missing: list[str] = []
    for make in (_libmicrohttpd, _microhttp, _hummingbird, _node, _fastapi):
        try:
            peers.append(make(scratch, served))
        except DidNotStart as error:
            missing.append(str(error))
    return peers, missing


def _libmicrohttpd(scratch: Path, served: Path) -> Server:
    binary = scratch / "microhttpd-peer"
    _build("libmicrohttpd", ["cc", "-O2", "-o", str(binary), str(PEERS / "microhttpd/server.c"), "-lmicrohttpd", "-ljansson"])
    return Server("libmicrohttpd", [str(binary), "PORT", str(served)])


def _microhttp(scratch: Path, served: Path) -> Server:
    binary = ROOT / ".build/release/MicroHTTPPeer"
    if not binary.exists():
        raise DidNotStart("MicroHTTP: build it with `swift build -c release --product MicroHTTPPeer`")
    return Server("MicroHTTP", [str(binary), "PORT", str(served)])


def _hummingbird(scratch: Path, served: Path) -> Server:
    package = PEERS / "hummingbird2"
    _build("Hummingbird", ["swift", "build", "--configuration", "release", "--package-path", str(package)])
    return Server("Hummingbird", [str(package / ".build/release/Peer"), "PORT", str(served)])


def _node(scratch: Path, served: Path) -> Server:
    if not shutil.which("node"):
        raise DidNotStart("node:http: there is no `node`; install Debian's nodejs")
    return Server("node:http", ["node", str(PEERS / "node/server.mjs"), "PORT", str(served)])


def _fastapi(scratch: Path, served: Path) -> Server:
    _build("FastAPI", [sys.executable, "-c", "import fastapi, httptools, uvicorn, uvloop"])
    return Server("FastAPI", [sys.executable, str(PEERS / "fastapi/server.py"), "PORT", str(served)])


def _build(name: str, command: list[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        last = (result.stderr or result.stdout).strip().split("\n")[-1]
        raise DidNotStart(f"{name}: {last[:300]}")


def check(servers: list[Server]) -> None:
    """Raises RuntimeError where a peer does not do the same work: other bodies, other verdicts, other headers."""
    import json

    for body in [VERDICT, b'{"email":""}', b'{"email":"alice"}', b'{"email":"alice@localhost"}']:
        seen = {}
        for server in servers:
            if server.name == "MicroHTTP":
                continue
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            connection.request("POST", "/validate/email", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            headers = {name.lower() for name, _ in response.getheaders()} - {"server", "keep-alive"}
            seen[server.name] = (response.status, json.loads(response.read()), sorted(headers - {"connection"}))
        for name, answer in seen.items():
            if answer != seen["OKCancel"]:
                raise RuntimeError(f"{name} says of {body.decode()}: {answer}, and OKCancel: {seen['OKCancel']}")
    for path in ["/prompts/email", "/prompts/email/rules"]:
        bodies = {server.name: _answer(server, "GET", path)[1] for server in servers}
        for name, body in bodies.items():
            if body != bodies["OKCancel"]:
                raise RuntimeError(f"{name} serves another {path}")
