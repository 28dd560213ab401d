"""Measures OKCancel against what people would use instead: `make bench`, or `bench.py SECTION...` for parts of it.

The tables go to Benchmarks/results.md and, of a run of all sections that is not QUICK=1, into Documentation/performance.md.
What could not be run is left out, a line says why, and the exit status is 1.
"""

import os
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "driver"))

import asks_section  # noqa: E402
import browser_section  # noqa: E402
import machine  # noqa: E402
import postgresql_section  # noqa: E402
import requests_section  # noqa: E402
import scale_section  # noqa: E402
import verdicts_section  # noqa: E402
from report import Report  # noqa: E402

SECTIONS = {
    "requests": lambda report, scratch, quick: requests_section.run(report, scratch, *((2, 1) if quick else (5, 2))),
    "verdicts": lambda report, scratch, quick: verdicts_section.run(report, 2 if quick else 7),
    "asks": lambda report, scratch, quick: asks_section.run(report, scratch, *((1, 4) if quick else (3, 6))),
    "scale": lambda report, scratch, quick: [
        scale_section.run(report, scratch, quick), postgresql_section.run(report, scratch, *((1, 3) if quick else (3, 6)))],
    "browser": lambda report, scratch, quick: browser_section.run(report, scratch, *((40, 3) if quick else (200, 9))),
}


def main() -> int:
    chosen = sys.argv[1:] or list(SECTIONS)
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        print(f"There is no section “{unknown[0]}”; there are {', '.join(SECTIONS)}.", file=sys.stderr)
        return 64
    # Ends like any other failure, so that nothing it started is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    quick = bool(os.environ.get("QUICK"))
    here = Path(__file__).parent
    report = Report("quick" if quick else "full")
    if machine.cores()[0] is None:
        report.text("One core only: server and clients share it, so rates and latencies say little.")
    # On a disk, as answers are: a temporary file system would make their fsync free.
    with tempfile.TemporaryDirectory(prefix="bench-", dir=here) as scratch:
        for name in chosen:
            report.attempt(name, lambda: SECTIONS[name](report, Path(scratch), quick))
            # After each, so that a run that is stopped leaves what it found.
            report.write(here / "results.md")
    report.summary()
    if not quick and chosen == list(SECTIONS):
        report.keep(here.parent / "Documentation" / "performance.md")
    return 0 if report.is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
