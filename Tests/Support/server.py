"""`okcancel serve` as a process of its own."""

import random
import re
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from Support.client import Client
from Support.command import BINARY, ROOT, TOKEN, clean


# A name for each port that this process has taken, in the namespace that the ports are in.
TAKEN = []


def free_port():
    """A port of this machine that nobody listens at, and that stays so until who asked for it listens there.

    The kernel gives it to nobody, as it lies below the ports of those who name none, and no other run of tests takes it.
    """
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    # Browsers refuse some, the highest of which is 10080.
    ports = range(12_000, max(lowest, 20_000))
    for port in random.sample(ports, len(ports)):
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0okcancel-test-port-{port}")
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            name.close()
            continue
        TAKEN.append(name)
        return port
    raise AssertionError("every port is taken")


class Server(Client):
    """Runs `okcancel serve WORDS…` on a free port until the block ends, and is a client of it.

    The database is one of its own, in `folder`, or the file `database`; the API token is `token`, or one that the
    server makes if that is None. `program` is the command, `before` a program that runs it, `options` are those of
    `Popen`; other names are variables of its environment.
    `line` is what it printed, `log` what it wrote on standard error. A server that does not start fails in its own words.
    """

    def __init__(self, *words, database=None, token=TOKEN, program=BINARY, before=(), options={}, **environment):
        self.own_folder = None if database else tempfile.TemporaryDirectory(prefix="okcancel-")
        self.database = Path(database or f"{self.own_folder.name}/a.sqlite")
        self.folder = self.database.parent
        settings = {"OKCANCEL_PORT": "0", "OKCANCEL_DATABASE": str(self.database)}
        if token:
            settings["OKCANCEL_API_TOKEN"] = token
        self.process = subprocess.Popen(
            [*before, program, "serve", *map(str, words)], env=clean(settings | environment),
            text=True, errors="backslashreplace", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            **{"cwd": ROOT} | options)
        self.log = Log(self.process.stderr)
        impatience = threading.Timer(120, self.process.kill)
        impatience.start()
        self.line = self.process.stdout.readline().strip()
        impatience.cancel()
        found = re.search(r"https?://\S+(?=/)", self.line)
        if not found:
            self.__exit__()
            raise AssertionError(f"the server did not start: {self.line}\n{self.log.text}")
        super().__init__(found[0], token)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self.process.stdout.close()
        if self.own_folder:
            self.own_folder.cleanup()

    def stop(self):
        """As the service manager does, with SIGTERM; the exit code."""
        self.process.terminate()
        return self.ended()

    def ended(self):
        """Waits until it has ended by itself; the exit code."""
        code = self.process.wait(60)
        self.log.thread.join(60)
        return code

    def kill(self):
        """As kill -9; nothing if it has ended."""
        self.process.kill()
        return self.ended()


class Log:
    """What a server writes on standard error, read as it comes, so that it never waits for a reader."""

    def __init__(self, stream):
        self.lines, self.seen, self.is_over = [], 0, False
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self.read, args=[stream], daemon=True)
        self.thread.start()

    def read(self, stream):
        with stream:
            for line in stream:
                with self.changed:
                    self.lines += line.splitlines()
                    self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait_for(self, words):
        """The next line that contains these words, after the one that was waited for last."""
        with self.changed:
            while True:
                while self.seen < len(self.lines):
                    self.seen += 1
                    if words in self.lines[self.seen - 1]:
                        return self.lines[self.seen - 1]
                assert not self.is_over, f"the log ended without “{words}”:\n{self.text}"
                assert self.changed.wait(60), f"the log has no “{words}”:\n{self.text}"
