"""A dialog in a terminal of its own, with its screen as a person sees it."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

import pyte
from PIL import Image

from Support.command import BINARY, ROOT, clean

ESCAPE, ENTER, TAB, BACKTAB = "\x1b", "\r", "\t", "\x1b[Z"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"


class DialogScreen:
    """The command in the foreground of a terminal; its standard output is a pipe, as in `$(okcancel ask …)`."""

    def __init__(self, *words, columns=80, rows=40, cwd=ROOT, program=BINARY, **environment):
        self.inside, self.outside = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.outside)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.seen = b""
        self.is_dumb = environment.get("TERM") == "dumb"
        # Whether what is typed counts: not for a moment after the dialog has appeared.
        self.accepts = False
        self.process = subprocess.Popen(
            [program, *map(str, words)], cwd=cwd, env=clean({"TERM": "xterm"} | environment),
            stdin=self.outside, stdout=subprocess.PIPE, stderr=self.outside, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, columns, rows):
        fcntl.ioctl(self.outside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Whether anything came."""
        if not select.select([self.inside], [], [], seconds)[0]:
            return False
        part = os.read(self.inside, 65536)
        self.seen += part
        self.stream.feed(part)
        return True

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).strip("\n")

    def type(self, keys):
        if not self.accepts:
            self.accept()
        self.send(keys)

    def send(self, keys):
        """Types at once, whether it counts or not."""
        os.write(self.inside, keys.encode() if isinstance(keys, str) else keys)

    def accept(self, seconds=60):
        """Waits until what is typed counts. Where Ctrl-L draws the screen anew, that says so, and a bell that it does not."""
        self.accepts, end = True, time.monotonic() + seconds
        if self.is_dumb:
            # A line that does not count is rung for, and would stay on the screen. So the moment must be over that began
            # after the question was written, also for whoever has waited for a line since.
            self.settled()
            over = time.monotonic() + 0.5
            while time.monotonic() < over:
                self.read(0.05)
            self.settled()
            return
        before = len(self.seen)
        while b"\x1b[2J" not in self.seen[before:]:
            assert time.monotonic() < end and self.process.poll() is None, self.text()
            # Not as fast as a key that is held down; the dialog may not be there yet.
            self.send("\x0c")
            while self.read(0.2):
                pass

    def until(self, condition, seconds=60):
        """Reads until the screen has this text, or is as the condition wants it; returns the screen."""
        holds = condition if callable(condition) else lambda text: condition in text
        end = time.monotonic() + seconds
        while not holds(self.text()):
            self.read(0.1)
            assert time.monotonic() < end, f"{condition!r} did not come:\n{self.text()}"
            assert self.process.poll() is None or self.read(0.1), f"ended with {self.process.poll()}:\n{self.text()}"
        return self.text()

    def settled(self):
        """The screen once nothing more comes: the command has nothing left to do, however long it had to wait for that."""
        looks = 0
        while looks < 4:
            looks = 0 if self.read(0.04) or self.is_running() else looks + 1
        return self.text()

    def is_running(self):
        """Whether a thread of the command runs or would if it could."""
        for thread in Path(f"/proc/{self.process.pid}/task").glob("*/stat"):
            # One may have ended.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if thread.read_text().rpartition(")")[2].split()[0] in "RD":
                    return True
        return False

    def press(self, keys, condition, appears=False):
        """Types, and waits for the screen; `appears` says that it is that of another dialog."""
        self.type(keys)
        self.accepts = not appears
        return self.until(condition)

    def ended(self, seconds=60):
        """The exit code and what went to standard output."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            self.read(0.05)
            assert time.monotonic() < end, self.text()
        while self.read(0.05):
            pass
        return self.process.returncode, self.process.stdout.read().decode()

    def is_restored(self):
        """Whether the terminal is set as it was before."""
        return termios.tcgetattr(self.outside) == self.before


def scanned(text, folder):
    """What a scanner reads in the code on the terminal."""
    rows = [re.sub(r"\x1b[^m]*m", "", line) for line in text.splitlines() if "\x1b[38;5;16;48;5;231m" in line]
    dark = [line for row in rows for line in ([char in "█▀" for char in row], [char in "█▄" for char in row])]
    image = Image.new("L", (len(dark[0]), len(dark)), 255)
    image.putdata([0 if cell else 255 for line in dark for cell in line])
    image.resize((image.width * 6, image.height * 6), Image.Resampling.NEAREST).save(folder / "code.png")
    return subprocess.run(["zbarimg", "--quiet", "--raw", folder / "code.png"], capture_output=True, text=True).stdout.rstrip("\n")
