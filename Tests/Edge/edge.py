"""A server for raw clients."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("OKCANCEL_BIN", str(ROOT / ".build/debug/okcancel"))


class Server:
    """`okcancel serve Examples` on a free port; `with` stops it."""

    def __init__(self, *words, **options):
        self.folder = tempfile.TemporaryDirectory()
        environment = {"PATH": os.environ["PATH"], "OKCANCEL_API_TOKEN": "secret"}
        self.process = subprocess.Popen(
            [BINARY, "serve", "Examples", "--port", "0", "--database", f"{self.folder.name}/a.sqlite", "--log-level", "error", *words],
            cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment, **options,
        )
        self.line = self.process.stdout.readline().strip()
        found = re.search(r":(\d+)/", self.line)
        assert found, "the server did not start"
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.folder.cleanup()
