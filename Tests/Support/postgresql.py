"""A PostgreSQL of its own, and servers that share it."""

import os
import subprocess
from pathlib import Path

from Support.server import Server

SCRIPT = Path(__file__).parent / "PostgreSQL" / "server"
KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


class PostgreSQL:
    """Runs until the block ends; `url` names a database whose owner is no superuser: by a socket in `folder`, or `port`."""

    def __init__(self, port=None):
        self.port = port

    def __enter__(self):
        self.process = subprocess.Popen(
            [SCRIPT, str(self.port or "")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("postgresql://"), "PostgreSQL did not start"
        self.folder = self.url.split("host=")[1]
        if self.port:
            self.url = f"postgresql://okcancel@127.0.0.1:{self.port}/okcancel"
        # What runs a command as the owner of its folder.
        is_root = os.geteuid() == 0
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if is_root else []
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def order(self, command):
        """`stop` as if it crashed, `start`, `restart`; returns when it is done."""
        print(command, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    @property
    def settings(self):
        """Variables of the servers that share it."""
        return {"OKCANCEL_DATABASE": self.url, "OKCANCEL_KEY": KEY, "OKCANCEL_BASE_URL": "http://127.0.0.1"}

    def node(self, *words, **environment):
        """One of the servers that share it."""
        return Server(*words, **self.settings | environment)
