"""What all Python tests do."""

import os
import re
import shlex
import sys

from Support import alone
from Support.command import ROOT

# As the Makefile does, so that `node` is that of this environment.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])


def pytest_terminal_summary(terminalreporter):
    failed = [report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, [])]
    python = os.path.relpath(sys.executable, ROOT)
    # Which command, how often and with which seeds tests run. Anything else that is longer or has letters may be a secret.
    settings = "".join(
        f"{name}={value} " for name, value in os.environ.items()
        if name == "OKCANCEL_BIN" or name.startswith(("OKCANCEL_", "SCHEMATHESIS_")) and re.fullmatch("[0-9,]{1,12}", value))
    for line in alone.lines(f"{settings}{python} -m pytest {shlex.quote(f'Tests/{nodeid}')}" for nodeid in failed):
        terminalreporter.write_line(line)
