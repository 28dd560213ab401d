"""What a keystroke costs the page, in Chromium, with 20 fields."""

import json
import shutil
from pathlib import Path
from statistics import median, quantiles

import peers
from report import Report


def run(report: Report, scratch: Path, count: int) -> None:
    report.section("A keystroke")
    try:
        from selenium import webdriver
        from selenium.webdriver.common.by import By
        from selenium.webdriver.chrome.service import Service
    except ImportError as error:
        report.missing([f"the keystroke: {error}"])
        return
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        report.missing(["the keystroke: install Debian's chromium and chromium-driver"])
        return
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"traceCategories": "devtools.timeline"})
    page = webdriver.Chrome(options=options, service=Service(driver))
    try:
        with peers.okcancel(scratch, peers.ROOT / "Tests/Browser/Prompts", "keystroke", *_predicates()) as server:
            page.get(server.url + "/prompts/twenty")
            field = page.find_element(By.NAME, "f20")
            field.click()
            page.get_log("performance")
            for number in range(count):
                # Letter by letter: one command, one keystroke; now and then the text starts again.
                field.send_keys("abcdefghijklmnopqrst"[number % 20])
                if number % 20 == 19:
                    page.execute_script("arguments[0].value = ''", field)
            events = _trace(page)
    finally:
        page.quit()
    work = _script_time(events)
    if len(work) < count // 2:
        report.missing([f"the keystroke: the trace shows {len(work)} of {count} keystrokes"])
        return
    report.text(
        f"A keystroke in the last of 20 fields takes {median(work):.2f} ms of the page's own script at the median and "
        f"{quantiles(work, n=20)[18]:.2f} ms at the 95th percentile of {len(work)}: from `keydown` to `keyup`, every "
        "listener of the page, every rule.")
    report.target("a keystroke's work at 20 fields", median(work), 1, "at most", "ms")


def _predicates() -> list[str]:
    """The programs that the prompts of that folder ask."""
    return ["--predicate", f"free={peers.ROOT}/Tests/Browser/free-name"]


def _trace(page: object) -> list[dict]:
    """Ends the trace, as asking for the log does, and gives its events."""
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    return [message["params"] for message in messages if message["method"] == "Tracing.dataCollected"]


KEYS = ("keydown", "keypress", "beforeinput", "textInput", "input", "keyup", "selectionchange")


def _script_time(events: list[dict]) -> list[float]:
    """Milliseconds of each keystroke: the dispatch of its events, those inside others counted once."""
    dispatches = sorted(
        (event for event in events if event.get("name") == "EventDispatch" and event.get("ph") == "X"
         and event["args"]["data"]["type"] in KEYS), key=lambda event: event["ts"])
    keystrokes: list[float] = []
    end = 0
    for event in dispatches:
        if event["args"]["data"]["type"] == "keydown":
            keystrokes.append(0.0)
        if keystrokes and event["ts"] >= end:
            keystrokes[-1] += event["dur"] / 1000
            end = event["ts"] + event["dur"]
    return keystrokes
