"""What all Python tests do."""

import os
import shlex
import sys

from Support import alone
from Support.command import ROOT


def pytest_terminal_summary(terminalreporter):
    failed = [report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, [])]
    python = os.path.relpath(sys.executable, ROOT)
    for line in alone.lines(f"{python} -m pytest {shlex.quote(f'Tests/{nodeid}')}" for nodeid in failed):
        terminalreporter.write_line(line)
