"""Judges by Public/rules.js inside a browser: cases on stdin, one JSON a line; verdicts on stdout, one a line.

    python3 browser.py chromium|firefox|webkit < CASES > VERDICTS

Needs selenium (Chromium, WebKitGTK) or marionette_driver (Firefox), and for WebKitGTK a display (xvfb-run, or Xvfb and
DISPLAY). Exit codes: 0 judged, 64 usage; any failure of the browser is a traceback.
"""

import contextlib
import functools
import glob
import http.server
import pathlib
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "/Tests/Fuzz/browser.html"
BATCH = 2000

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
    driver.set_script_timeout(120)
    try:
        yield driver.get, driver.execute_async_script
    finally:
        driver.quit()


def chromium():
    from selenium import webdriver
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
    return selenium_driver(webdriver.Chrome(options=options, service=service))


def webkit():
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service
    options = Options()
    options.binary_location = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))[-1]
    options.add_argument("--automation")
    return selenium_driver(webdriver.WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver")))


@contextlib.contextmanager
def firefox():
    from marionette_driver.marionette import Marionette
    browser = Marionette(bin="/usr/bin/firefox-esr", headless=True, port=0)
    browser.start_session()
    browser.timeout.script = 120
    try:
        # The sandbox's realm may not import modules of the page.
        yield browser.navigate, lambda script, lines: browser.execute_async_script(script, [lines], sandbox=None)
    finally:
        browser.quit()


BROWSERS = {"chromium": chromium, "firefox": firefox, "webkit": webkit}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in BROWSERS:
        print(__doc__, file=sys.stderr)
        return 64
    lines = [line for line in sys.stdin.buffer.read().decode().split("\n") if line]
    with served() as address, BROWSERS[sys.argv[1]]() as (navigate, judge):
        navigate(address)
        for start in range(0, len(lines), BATCH):
            verdicts = judge(JUDGE, lines[start:start + BATCH])
            if verdicts.startswith("failed: "):
                raise RuntimeError(verdicts)
            print(verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
