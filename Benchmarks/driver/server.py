"""A server as a process of its own, on a core of its own."""

import os
import resource
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import machine


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class DidNotStart(Exception):
    """Why a server is left out of the run."""


class Stopped(RuntimeError):
    """A server ended while it was measured."""


@dataclass
class Server:
    """`command` has `PORT` in the place of its port."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    directory: Path | None = None
    """Whether it has only the servers' core, or all of them."""
    has_one_core: bool = True

    def start(self) -> "Server":
        """Returns when it takes connections."""
        self.launch(machine.cores()[0] if self.has_one_core else None)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                time.sleep(0.01)
        self.stop()
        raise DidNotStart(f"{self.name}: {self.last_words or 'no answer'}")

    def launch(self, core: int | None = None, output: int = subprocess.DEVNULL) -> None:
        """Starts the process and returns at once; `output` is where its standard output goes."""
        self.port = free_port()
        command = [part.replace("PORT", str(self.port)) for part in self.command]
        # A file: nobody reads a pipe while it is measured, and a server that complains would wait for its reader.
        self.complaints = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                machine.pinned(command, core), env={**os.environ, **self.environment}, cwd=self.directory,
                stdout=output, stderr=self.complaints, preexec_fn=_many_files, start_new_session=True)
        except OSError as error:
            raise DidNotStart(f"{self.name}: {error}") from error

    def stop(self) -> None:
        """Ends it and what it started: a wrapper may end before the server that it wraps."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @property
    def last_words(self) -> str:
        """The last line that it wrote on its standard error."""
        # By position: the server writes at the file's current offset, which it shares with us.
        size = os.fstat(self.complaints.fileno()).st_size
        end = os.pread(self.complaints.fileno(), 4096, max(0, size - 4096))
        return end.decode(errors="replace").strip().split("\n")[-1][-300:]

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cpu(self) -> float:
        """Microseconds of the processor that it and what it started have taken, in user code and in the kernel.

        From the scheduler's own account of all threads, those that ended too, to the nanosecond; `/proc/PID/stat` counts
        in hundredths of a second.
        """
        return self._total(lambda process: time.clock_gettime_ns(_clock(process))) / 1000

    @property
    def resident(self) -> int:
        """Bytes of memory, what it started included."""
        pages = self._total(lambda process: int(Path(f"/proc/{process}/statm").read_text().split()[1]))
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _total(self, reading: Callable[[int], int]) -> int:
        """The sum over it and what it started. Raises Stopped if it runs no more."""
        if self.process.poll() is not None:
            raise Stopped(f"{self.name} stopped: {self.last_words or 'without a word'}")
        total = reading(self.process.pid)
        for child in _children(self.process.pid):
            # It may end at any time.
            with suppress(OSError):
                total += reading(child)
        return total


def _clock(process: int) -> int:
    """The clock of all that a process takes of the processor, as clock_getcpuclockid(3) makes it."""
    return ~process << 3 | 2


def _children(process: int) -> list[int]:
    found: list[int] = []
    for thread in Path("/proc").glob(f"{process}/task/*/children"):
        # It may end at any time.
        with suppress(OSError):
            for child in map(int, thread.read_text().split()):
                found += [child, *_children(child)]
    return found


def allow_files(count: int) -> int:
    """Lets this process and its servers open so many files, or as many as the system lets them; how many that is."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (max(hard, count), hard):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            break
    return limit


def _many_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
