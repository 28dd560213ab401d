"""Judges by Public/rules.js inside a browser: cases on stdin, one JSON a line; verdicts on stdout, one a line.

    python3 browser.py chromium|firefox|webkit < CASES > VERDICTS

Needs selenium (Chromium, WebKitGTK) or marionette_driver (Firefox), and for WebKitGTK a display or Xvfb. Exit codes: 0 judged, 64 usage; any failure of the browser is a traceback.
"""

import contextlib
import functools
import glob
import http.server
import os
import pathlib
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "/Tests/Fuzz/browser.html"
BATCH = 2000

# What one batch may take: a pattern that a backtracking engine never comes to an end with is a failure.
SECONDS = 120

# WebDriver hands over the answer through the last argument.
JUDGE = """
const [lines, done] = arguments;
import("/Tests/Fuzz/verdict.mjs").then(
  ({verdictLine}) => done(lines.map(verdictLine).join("\\n")),
  (error) => done("failed: " + error));
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """The project's files, and one empty page to run scripts in."""

    def do_GET(self):
        if self.path != PAGE:
            return super().do_GET()
        body = b"<!doctype html><title>Verdicts</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served():
    """The address of the page, while the server runs on a free loopback port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PAGE}"
    finally:
        server.shutdown()


@contextlib.contextmanager
def selenium_driver(driver):
    driver.set_script_timeout(SECONDS)
    try:
        yield driver.get, driver.execute_async_script
    finally:
        driver.quit()


@contextlib.contextmanager
def display():
    """A display for a browser that cannot do without: DISPLAY's, or an Xvfb of its own."""
    if "DISPLAY" in os.environ:
        yield
        return
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as xvfb, open(reading) as number:
        os.close(writing)
        os.environ["DISPLAY"] = ":" + number.readline().strip()
        try:
            yield
        finally:
            del os.environ["DISPLAY"]
            xvfb.terminate()


def chromium():
    from selenium import webdriver
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
    return selenium_driver(webdriver.Chrome(options=options, service=service))


@contextlib.contextmanager
def webkit():
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service
    options = Options()
    options.binary_location = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))[-1]
    options.add_argument("--automation")
    with display():
        driver = webdriver.WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver"))
        with selenium_driver(driver) as driven:
            yield driven


@contextlib.contextmanager
def firefox():
    from marionette_driver.marionette import Marionette
    from mozlog.structuredlog import StructuredLogger, set_default_logger
    set_default_logger(StructuredLogger("browser"))  # without a handler: it would print Firefox's version, a fact a line
    # What it has to say goes to its own log: stdout is for the verdicts.
    browser = Marionette(bin="/usr/bin/firefox-esr", headless=True, port=0, gecko_log=os.devnull)
    browser.start_session()
    browser.timeout.script = SECONDS
    try:
        # The sandbox's realm may not import modules of the page.
        yield browser.navigate, lambda script, lines: browser.execute_async_script(script, [lines], sandbox=None)
    finally:
        browser.quit()


BROWSERS = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


@contextlib.contextmanager
def judging_in(name):
    """A running browser, as a function: lines of cases → an iterator of as many lines of verdicts."""
    with served() as address, BROWSERS[name]() as (navigate, run):
        navigate(address)

        def judge(lines):
            for start in range(0, len(lines), BATCH):
                verdicts = run(JUDGE, lines[start:start + BATCH])
                if verdicts.startswith("failed: "):
                    raise RuntimeError(verdicts)
                yield from verdicts.split("\n")

        yield judge


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
