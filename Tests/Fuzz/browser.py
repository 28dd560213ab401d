"""Judges by Public/rules.js inside a browser: cases on stdin, one JSON a line; verdicts on stdout, one a line.

    python3 browser.py chromium|firefox|webkit < CASES > VERDICTS

Needs selenium (Chromium, WebKitGTK), marionette_driver (Firefox) and Xvfb (WebKitGTK). Exit codes: 0 judged, 64 usage; any
failure of the browser is a traceback.
"""

import contextlib
import http.server
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))

from Support.browsers import BROWSERS  # noqa: E402
from Support.listener import Exchange, Listener  # noqa: E402

PAGE = "/Tests/Fuzz/browser.html"
BATCH = 2000

# WebDriver hands over the answer through the last argument.
JUDGE = """
const [lines, done] = arguments;
import("/Tests/Fuzz/verdict.mjs").then(
  ({verdictLine}) => done(lines.map(verdictLine).join("\\n")),
  (error) => done("failed: " + error));
"""


class Files(Exchange, http.server.SimpleHTTPRequestHandler):
    """The project's files, and one empty page to run scripts in."""

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=ROOT)

    def do_GET(self):
        if self.path != PAGE:
            return super().do_GET()
        self.answer(200, b"<!doctype html><title>Verdicts</title>", {"Content-Type": "text/html; charset=utf-8"})


@contextlib.contextmanager
def judging_in(name):
    """A running browser, as a function: lines of cases → an iterator of as many lines of verdicts."""
    browser = BROWSERS[name]()

    def judge(lines):
        for start in range(0, len(lines), BATCH):
            # A pattern that a backtracking engine never comes to an end with is a failure, by the script's time limit.
            verdicts = browser.js_async(JUDGE, lines[start:start + BATCH])
            if verdicts.startswith("failed: "):
                raise RuntimeError(verdicts)
            yield from verdicts.split("\n")

    try:
        with Listener(Files) as files:
            browser.open(files.url + PAGE)
            yield judge
    finally:
        browser.quit()


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in BROWSERS:
        print(__doc__, file=sys.stderr)
        return 64
    lines = [line for line in sys.stdin.buffer.read().decode().split("\n") if line]
    with judging_in(sys.argv[1]) as judge:
        for verdict in judge(lines):
            print(verdict)
    return 0


if __name__ == "__main__":
    sys.exit(main())
