"""An answer is on the disk before anybody hears of it: shown by the system calls of a server at work."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from durable import Server
from Support.receiver import Receiver
from Support.waiting import wait_until

CALLS = "pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg"


def may_trace():
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


class Trace:
    """What `strace -f -y` wrote. A call's place is the line on which it began, and for a
    synchronization the line on which it had succeeded."""

    LOG = r"\d+<[^>]*\.sqlite-wal>"

    def __init__(self, path):
        self.lines = path.read_text(errors="replace").splitlines()

    def log_writes(self, marker):
        return [n for n, line in enumerate(self.lines) if re.match(rf"\d+ +pwrite64\({self.LOG}", line) and marker in line]

    def sends(self, marker):
        return [
            n for n, line in enumerate(self.lines)
            if re.match(r"\d+ +(write|writev|sendto|sendmsg)\(\d+<(socket|TCP)", line) and marker in line]

    def synchronized(self):
        """Pairs: where a synchronization of the log began, and where it had succeeded."""
        began, done = {}, []
        for n, line in enumerate(self.lines):
            thread = line.split(" ", 1)[0]
            if re.match(rf"\d+ +fdatasync\({self.LOG}", line) or re.match(rf"\d+ +fsync\({self.LOG}", line):
                began[thread] = n
            if thread in began and re.search(r"(fdatasync|fsync)[( ].*= 0$", line):
                done.append((began.pop(thread), n))
        return done


@pytest.mark.skipif(not may_trace(), reason="no process may be traced here, or there is no strace")
def test_commit_then_synchronize_then_tell(tmp_path):
    """Promise 1.5 | An acknowledged answer is on disk, even after kill -9 or a power loss."""
    trace = tmp_path / "trace"
    # As a grandchild (-D), so that the server is the process that is known and ended here.
    tracer = ["strace", "-D", "-f", "-y", "-s", "20000", "-e", f"trace={CALLS}", "-e", "signal=kill", "-o", trace]
    count = 40
    with Receiver() as receiver, Server(
            tmp_path, "--allow-callback", receiver.url, before=tracer, OKCANCEL_WEBHOOK_SECRET="whsec_" + "QUJD" * 10,
    ) as server, ThreadPoolExecutor(16) as pool:
        asks = [server.ask(callback=receiver.url + "/") for _ in range(count)]
        # A few wait for the outcome, some by polling and some by its events.
        waiting = [
            pool.submit(server.request, "GET", f"/asks/{ask['id']}" + ("?wait=50" if number % 2 else "/events"))
            for number, ask in enumerate(asks[:8])]
        # One after another, then many at once, which share their synchronizations.
        for number in range(count // 2):
            assert server.answer(asks[number], f"person{number}-@example.com") == 200
        statuses = [
            pool.submit(server.answer, asks[number], f"person{number}-@example.com") for number in range(count // 2, count)]
        assert all(status.result() == 200 for status in statuses)
        for future in waiting:
            assert future.result()[0] == 200
        for _ in range(count):
            assert receiver.next()

    # What it wrote is complete once it has noted the end.
    wait_until(lambda: re.search(rf"^{server.process.pid} +\+\+\+ killed", trace.read_text(errors="replace"), re.M))
    trace = Trace(trace)
    synchronized = trace.synchronized()
    for number in range(count):
        marker = f"person{number}-@example.com"
        written, sent = trace.log_writes(marker), trace.sends(marker)
        # The answer and the callback, and what the waiting program was told.
        assert len(sent) >= (3 if number < 8 else 2), (marker, sent)
        kept = min(end for begin, end in synchronized if begin > written[0])
        assert written[0] < kept < min(sent), (marker, written, kept, sent)
