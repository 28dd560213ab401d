"""The command as people have it who installed it."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from Package.debian import inside, install
from Support.command import ROOT, clean
from Support.server import Server


class Command:
    """Starts `program`, which is in the Debian at `root` if that is given, as its user; a signal that ends it fails.

    What is in `shared` has the same path in there.
    """

    def __init__(self, program, shared, root=None):
        self.program, self.shared, self.root = str(program), shared, root
        shared.chmod(0o755)
        self.prompts = shared / "prompts"
        shutil.copytree(ROOT / "Examples", self.prompts, ignore=shutil.ignore_patterns("embed"))

    def folder(self):
        """A new folder that the command may write to."""
        folder = Path(tempfile.mkdtemp(dir=self.shared))
        if self.root:
            user, group = inside(self.root, "sh", "-c", "id -u okcancel; id -g okcancel").split()
            os.chown(folder, int(user), int(group))
        return folder

    def install(self, package):
        """Makes sure that this package is there."""
        if self.root:
            install(self.root, package)

    def trust(self, certificate):
        """Makes this an authority as an operator does; variables for the command."""
        if not self.root:
            return {"SSL_CERT_FILE": str(certificate)}
        authorities = self.root / "usr/local/share/ca-certificates"
        shutil.copy(certificate, authorities / f"{certificate.stem}-{len(list(authorities.iterdir()))}.crt")
        inside(self.root, "update-ca-certificates")
        return {}

    def start(self, *words, **environment):
        """A process with pipes."""
        return subprocess.Popen(
            [self.program, *map(str, words)], env=clean(environment), cwd=self.shared, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, code=0, **environment):
        """What it printed and said until its end."""
        return ended(self.start(*words, **environment), code)

    @contextlib.contextmanager
    def serve(self, *words, prompts=None, database=None, **environment):
        """A server of the examples or of these prompts, which is there until it is stopped and then ends in order."""
        database = database or self.folder() / "a.sqlite"
        with Server(
                prompts or self.prompts, *words, database=database, program=self.program, options={"cwd": self.shared},
                **environment) as server:
            try:
                yield server
            finally:
                code = server.process.poll()
                assert code is None, f"the server {ending(code)}:\n{server.log.text}"
            code = server.stop()
            assert code == 0, f"the server {ending(code)}:\n{server.log.text}"


def ended(process, code=0):
    """What the process printed and said until its end, which must be with this exit code."""
    printed, said = process.communicate(timeout=60)
    assert process.returncode == code, f"{process.args} {ending(process.returncode)}:\n{printed}{said}"
    return printed + said


def ending(code):
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
