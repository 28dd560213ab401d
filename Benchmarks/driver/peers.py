"""OKCancel and what it is compared with, each with the command that serves the same documents and the same verdicts."""

import http.client
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from server import DidNotStart, Server

ROOT = Path(__file__).parent.parent.parent
PEERS = ROOT / "Benchmarks" / "Peers"
TOKEN = "benchmark-0123456789abcdef"
VERDICT = b'{"email":"alice@example.com"}'
LOGGING = "OKCancel, logging"
# They send one verdict, whatever is sent to them.
JUDGING_NOTHING = ["MicroHTTP", "nginx"]


BINARY = Path(os.environ.get("OKCANCEL_BIN", str(ROOT / ".build/release/okcancel")))


def okcancel(
    scratch: Path, prompts: Path = ROOT / "Examples", database: str = "bench", *options: str, logging: bool = False,
    threads: int = 1,
) -> Server:
    """As it is started by default but for its one thread, and, unless it is `logging`, for a line a request."""
    return Server(
        LOGGING if logging else "OKCancel",
        [str(BINARY), "serve", str(prompts), "--port", "PORT", "--threads", str(threads), "--log-level",
         "info" if logging else "warning", "--database", str(scratch / f"{database}.sqlite"), *options],
        {"OKCANCEL_API_TOKEN": TOKEN}, ROOT, has_one_core=threads == 1)


def awaithumans(scratch: Path, address: str | None = None) -> Server:
    """On SQLite, or on the PostgreSQL at that address. SQLite's log, which the file remembers, lets it answer while it writes."""
    if address:
        store = {"AWAITHUMANS_DATABASE_URL": address}
    else:
        database = scratch / "awaithumans.db"
        sqlite3.connect(database).execute("PRAGMA journal_mode = WAL")
        store = {"AWAITHUMANS_DB_PATH": str(database)}
    return Server(
        "awaithumans on PostgreSQL" if address else "awaithumans",
        # Its first line names a Python, which is another one if the repository has moved.
        [sys.executable, str(Path(sys.executable).parent / "awaithumans"), "serve", "--host", "127.0.0.1", "--port", "PORT",
         "--log-level", "warning"],
        {**store, "AWAITHUMANS_ADMIN_API_TOKEN": TOKEN,
         "AWAITHUMANS_PAYLOAD_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}, scratch)


def documents(server: Server, directory: Path) -> None:
    """What OKCancel answers, with its headers, for the peers to answer the same: see Peers/microhttpd/server.c."""
    directory.mkdir(exist_ok=True)
    for method, path, name in [
        ("GET", "/prompts/email", ",prompts,email"), ("GET", "/prompts/email/rules", ",prompts,email,rules"),
        ("POST", "/validate/email", ",verdict"),
    ]:
        _, headers, body = _answer(server, method, path)
        own = {"date", "content-length", "connection"}
        head = "".join(f"{header}: {value}\n" for header, value in headers if header.lower() not in own)
        (directory / name).write_bytes(head.encode() + b"\n" + (body if method == "GET" else b""))


def _answer(
    server: Server, method: str, path: str, body: bytes = VERDICT, headers: dict[str, str] | None = None,
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Raises RuntimeError if there is none. JSON unless `headers` say otherwise; GET has no body."""
    has_body = method != "GET"
    headers = headers or ({"Content-Type": "application/json"} if has_body else {})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request(method, path, body if has_body else None, headers)
        response = connection.getresponse()
        return response.status, response.getheaders(), response.read()
    except (http.client.HTTPException, OSError) as error:
        raise RuntimeError(f"{server.name} does not answer {method} {path}: {error!r}") from error
    finally:
        connection.close()


def http_peers(scratch: Path, served: Path) -> tuple[list[Server], list[str]]:
    """Those that can be had, and why the others cannot."""
    peers: list[Server] = []
    missing: list[str] = []
    for make in (_libmicrohttpd, _microhttp, _nginx, _hummingbird, _node, _fastapi):
        try:
            peers.append(make(scratch, served))
        except DidNotStart as error:
            missing.append(str(error))
    return peers, missing


def _libmicrohttpd(scratch: Path, served: Path) -> Server:
    binary = scratch / "microhttpd-peer"
    _build("libmicrohttpd", [shutil.which("cc") or "clang", "-O2", "-o", str(binary), str(PEERS / "microhttpd/server.c"), "-lmicrohttpd", "-ljansson"])
    return Server("libmicrohttpd", [str(binary), "PORT", str(served)])


def _microhttp(scratch: Path, served: Path) -> Server:
    binary = ROOT / ".build/release/MicroHTTPPeer"
    if not binary.exists():
        raise DidNotStart("MicroHTTP: `make bench` builds it")
    return Server("MicroHTTP", [str(binary), "PORT", str(served)])


def _nginx(scratch: Path, served: Path) -> Server:
    """The page and the rules as files, the verdict from its configuration."""
    folder = scratch / "nginx"
    folder.mkdir(exist_ok=True)
    places = ""
    for path, name in [("/prompts/email", ",prompts,email"), ("/prompts/email/rules", ",prompts,email,rules"), ("/validate/email", ",verdict")]:
        head, _, body = (served / name).read_bytes().partition(b"\n\n")
        headers = [line.split(": ", 1) for line in head.decode().splitlines()]
        (folder / name).write_bytes(body)
        reply = f"alias {folder / name};" if body else """return 200 '{"isValid":true,"fields":{"email":{"isValid":true}}}';"""
        # It makes tags of its own.
        added = "".join(f'add_header {key} "{value}"; ' for key, value in headers if key.lower() not in ("content-type", "etag"))
        places += f'location = {path} {{ default_type "{dict(headers)["Content-Type"]}"; {added}{reply} }}\n'
    (folder / "template").write_text(f"""
        daemon off; master_process off; pid {folder}/pid;
        events {{ }}
        http {{
          access_log off; types {{ }} open_file_cache max=16; keepalive_requests 1000000000; keepalive_timeout 300s;
          client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
          uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
          server {{ listen 127.0.0.1:NUMBER; {places} }}
        }}
    """)
    command = 'sed s/NUMBER/"$1"/ template >configuration && exec "$2" -e stderr -p . -c configuration'
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        raise DidNotStart("nginx: install Debian's nginx-light")
    return Server("nginx", ["sh", "-c", command, "sh", "PORT", program], directory=folder)


def _hummingbird(scratch: Path, served: Path) -> Server:
    built = ROOT / ".build/hummingbird"
    command = [
        "swift", "build", "--configuration", "release", "--package-path", str(PEERS / "hummingbird2"), "--scratch-path",
        str(built)]
    try:
        _build("Hummingbird", command)
    except DidNotStart:
        # What was built under another path, before the repository moved, cannot be built upon.
        shutil.rmtree(built, ignore_errors=True)
        _build("Hummingbird", command)
    return Server("Hummingbird", [str(built / "release/Peer"), "PORT", str(served)])


def node() -> str:
    """Node itself: what a virtual environment calls `node` may be a script that runs it, and would be measured too."""
    try:
        return subprocess.run(["node", "-p", "process.execPath"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise DidNotStart(f"node: {error}; install Debian's nodejs") from error


def _node(scratch: Path, served: Path) -> Server:
    return Server("node:http", [node(), str(PEERS / "node/server.mjs"), "PORT", str(served)])


def _fastapi(scratch: Path, served: Path) -> Server:
    _build("FastAPI", [sys.executable, "-c", "import fastapi, httptools, uvicorn, uvloop"])
    return Server("FastAPI", [sys.executable, str(PEERS / "fastapi/server.py"), "PORT", str(served)])


def _build(name: str, command: list[str]) -> None:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DidNotStart(f"{name}: {error}") from error
    if result.returncode:
        lines = (result.stderr + result.stdout).strip().split("\n")
        faults = [line for line in lines if "error:" in line] or lines[-1:]
        raise DidNotStart(f"{name}: {faults[0][:300]}")


def check(server: Server, reference: Server) -> None:
    """Raises RuntimeError if a server does not do the same work: another verdict, another document, other headers."""
    bodies = [VERDICT] if server.name in JUDGING_NOTHING else [
        VERDICT, b'{"email":""}', b'{"email":"alice"}', b'{"email":"alice@localhost"}']
    asked = [("POST", "/validate/email", body) for body in bodies]
    for method, path, body in [*asked, ("GET", "/prompts/email", b""), ("GET", "/prompts/email/rules", b"")]:
        own, expected = (_comparable(_answer(each, method, path, body)) for each in (server, reference))
        if own != expected:
            raise RuntimeError(
                f"{server.name} answers {method} {path} {body.decode()} with {own}, and OKCancel with {expected}")


OWN = ["date", "server", "last-modified", "accept-ranges", "connection"]


def _comparable(answer: tuple[int, list[tuple[str, str]], bytes]) -> tuple[object, ...]:
    """An answer without what may differ: the date, the order of headers and of members, how an entity is tagged, and the
    headers that nginx always adds."""
    status, headers, body = answer
    named = [(name.lower(), value) for name, value in headers]
    kept = sorted((name, "" if name == "etag" else value) for name, value in named if name not in OWN)
    is_json = ("content-type", "application/json") in kept
    return status, kept, json.loads(body) if is_json else body


def expect(server: Server, arguments: list[str], path: str, status: int) -> None:
    """Raises RuntimeError unless the request of `load/request.lua`'s arguments has this status."""
    method, body, *headers = arguments
    found, _, _ = _answer(server, method, path, body.encode(), dict(zip(headers[::2], headers[1::2])))
    if found != status:
        raise RuntimeError(f"{server.name} answers {method} {path} with {found}, not with {status}")
