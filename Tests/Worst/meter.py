"""A server whose every request is measured: CPU time, bytes sent back, memory."""

import json
import socket
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import tokens
from seeds import Request, prompts
from Support.command import ROOT
from Support.server import Server

# What the kernel calls the clock of a process (CPUCLOCK_SCHED): nanoseconds of all its threads, those that ended too.
CPUCLOCK_SCHED = 2


@dataclass
class Cost:
    status: int
    milliseconds: float
    # Of the body; the head has its own bounds.
    bytes: int
    # As many as it may have.
    limit: int
    # Kilobytes at the peak, over what was held before.
    memory: int

    def exceeds(self, limit, is_document):
        return self.milliseconds > limit or self.bytes > self.limit and not is_document


class Meter:
    """Runs a server with its examples and the prompts of `seeds`, until the block ends. A proxy tells it who visits, in
    headers; `signed` is another, to which an issuer's tokens do."""

    def __init__(self, is_signed=False):
        self.signed = None if is_signed else Meter(is_signed=True)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="okcancel-worst-")
        for example in (ROOT / "Examples").glob("*.yaml"):
            (Path(self.folder.name) / example.name).write_bytes(example.read_bytes())
        for name, prompt in prompts().items():
            (Path(self.folder.name) / f"{name}.json").write_text(json.dumps(prompt))
        (Path(self.folder.name) / "keys").write_text(tokens.key_set())
        self.start()
        if self.signed:
            self.signed.__enter__()
        return self

    def __exit__(self, *_):
        if self.signed:
            self.signed.__exit__()
        self.server.__exit__()
        self.folder.cleanup()

    def start(self):
        identity = ["--identity", "authelia", "--trust-proxy", "127.0.0.1"] if self.signed else [
            "--identity-jwt", tokens.HEADER, "--identity-issuer", tokens.ISSUER, "--identity-audience", tokens.AUDIENCE,
            "--identity-jwks", f"{self.folder.name}/keys"]
        self.server = Server(self.folder.name, "--log-level", "error", *identity).__enter__()
        self.process = self.server.process.pid
        self.clock = ~self.process << 3 | CPUCLOCK_SCHED
        self.tokens = {}
        self.pages = {}

    def restart(self):
        self.server.__exit__()
        self.start()

    def nanoseconds(self):
        """CPU time so far, once the server rests."""
        last = time.clock_gettime_ns(self.clock)
        while True:
            time.sleep(0.0003)
            now = time.clock_gettime_ns(self.clock)
            # Timers that tick take a few microseconds.
            if now - last < 20_000:
                return now
            last = now

    def resident(self, line="VmRSS"):
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.split(f"{line}:")[1].split()[0])

    def link(self, prompt):
        """The token of an open ask that puts this prompt."""
        if prompt not in self.tokens:
            self.tokens[prompt] = self.server.ask(prompt)["link"].rsplit("/", 1)[1]
        return self.tokens[prompt]

    def measure(self, request):
        """What one request costs; None if the server did not answer it."""
        if self.signed and tokens.HEADER in dict(request.headers):
            return self.signed.measure(request)
        sent = request.bytes(self.link(request.asked) if "{token}" in request.path else "")
        before = self.nanoseconds()
        resident = self.resident()
        Path(f"/proc/{self.process}/clear_refs").write_text("5")
        received = self.send(sent)
        spent = self.nanoseconds() - before
        memory = self.resident("VmHWM") - resident
        head, _, body = received.partition(b"\r\n\r\n")
        if head.endswith(b" 100 Continue"):
            head, _, body = body.partition(b"\r\n\r\n")
        words = head.split(None, 2)
        if len(words) < 2:
            return None
        if request.route.startswith("POST /a/") and words[1] in (b"200", b"303", b"404", b"409"):
            self.tokens.pop(request.asked, None)
        comes_back = b"text/html" in head and request.method == "POST"
        limit = self.page_limit(request) if comes_back else 64 * 1024
        return Cost(int(words[1]), spent / 1e6, len(body), limit, memory)

    def page_limit(self, request):
        """How large a page may be that comes back: as large as the prompt's own, with a message by each field and in the
        summary, and 64 KiB of what was typed."""
        path = request.path.split("?")[0]
        page = path, request.prompt
        if page not in self.pages:
            fields = prompts().get(request.prompt, {}).get("fields", [])
            shown = [Request("", path=path, headers=[("Accept", "text/html")])] + [
                Request("", "POST", path, headers=[("Accept", "text/html")], form=[("outcome", "ok"), *((one["name"], text) for one in fields)])
                for text in ("", "x", "%00")]
            link = self.link(request.asked) if "{token}" in path else ""
            self.pages[page] = max(len(self.send(one.bytes(link)).partition(b"\r\n\r\n")[2]) for one in shown)
        return self.pages[page] + 64 * 1024

    def send(self, sent):
        received = bytearray()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=120) as client:
            try:
                client.sendall(sent)
            except (BrokenPipeError, ConnectionResetError):
                pass
            try:
                while part := client.recv(1 << 18):
                    received += part
            except ConnectionResetError:
                pass
        return bytes(received)
