"""A server as a process of its own, on a core of its own."""

import os
import resource
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import machine

TICK = 1_000_000 / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class DidNotStart(Exception):
    """Why a server is left out of the run."""


@dataclass
class Server:
    """`command` has `PORT` in the place of its port."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    directory: Path | None = None

    def start(self) -> "Server":
        self.port = free_port()
        command = [part.replace("PORT", str(self.port)) for part in self.command]
        try:
            self.process = subprocess.Popen(
                machine.pinned(command, machine.cores()[0]), env={**os.environ, **self.environment},
                cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=_many_files)
        except OSError as error:
            raise DidNotStart(f"{self.name}: {error}") from error
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.01)
        self.process.kill()
        raise DidNotStart(f"{self.name}: {self.process.stderr.read().decode().strip()[-300:] or 'no answer'}")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cpu(self) -> float:
        """Microseconds of the processor that it and what it started have taken, in user code and in the kernel."""
        total = 0.0
        for process in [self.process.pid, *_children(self.process.pid)]:
            parts = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            total += (int(parts[11]) + int(parts[12])) * TICK
        return total

    @property
    def resident(self) -> int:
        """Bytes of memory, what it started included."""
        pages = 0
        for process in [self.process.pid, *_children(self.process.pid)]:
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def _children(process: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *_children(child)]
    return found


def _many_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
