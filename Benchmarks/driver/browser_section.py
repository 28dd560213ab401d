"""What a person in front of Chromium waits for: a keystroke's verdict, and the dialog on a slow line."""

import json
import shutil
from pathlib import Path
from statistics import median, quantiles

import peers
from report import Report

# Milliseconds, and bytes a second both ways: a phone with a weak signal.
LATENCY, THROUGHPUT = 400, 50_000
# By dialog.js, when OK's state is known.
IS_READY = "return document.querySelector('dialog[data-ready]') !== null"
FIRST_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(report: Report, scratch: Path, keystrokes: int, loads: int) -> None:
    report.section("In the browser")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError as error:
        report.missing([f"what a browser does: {error}"])
        return
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        report.missing(["what a browser does: install Debian's chromium and chromium-driver"])
        return
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    page = webdriver.Chrome(options=options, service=Service(driver))
    try:
        with peers.okcancel(scratch, _prompts(scratch), "browser") as server:
            for fields, limit in ((20, 1), (50, 0.3)):
                _measure_keystrokes(report, page, f"{server.url}/prompts/fields{fields}", fields, limit, keystrokes)
        with peers.okcancel(scratch, peers.ROOT / "Examples", "browser") as server:
            _measure_first_paint(report, page, server.url + "/prompts/email", loads)
    finally:
        page.quit()


def _prompts(scratch: Path) -> Path:
    """Prompts of 20 and of 50 fields, each field with three rules."""
    folder = scratch / "browser-prompts"
    folder.mkdir(exist_ok=True)
    rules = [{"nonEmpty": True, "message": "Enter something"}, {"length": {"min": 3, "max": 2000}}, {"pattern": "[a-z]+"}]
    for count in (20, 50):
        fields = [{"name": f"f{number}", "rules": rules} for number in range(1, count + 1)]
        definition = {"title": f"{count} fields", "fields": fields}
        (folder / f"fields{count}.json").write_text(json.dumps(definition), "utf-8")
    return folder


def _measure_keystrokes(report: Report, page: object, url: str, fields: int, limit: float, count: int) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    page.get(url)
    WebDriverWait(page, 10).until(lambda page: page.execute_script(IS_READY))
    field = page.find_element(By.NAME, f"f{fields}")
    # A click would hit what lies above it: the buttons stay in sight, and Chromium scrolls no further than it must.
    page.execute_script("arguments[0].focus()", field)
    page.execute_cdp_cmd("Performance.enable", {})
    work = [_press(page, "abcdefghijklmnopqrst"[number % 20]) for number in range(count)]
    text = field.get_property("value")
    if len(text) != count:
        raise RuntimeError(f"of {count} keystrokes the field took {len(text)}")
    script, drawing = ([each[part] for each in work] for part in (0, 1))
    report.text(
        f"A keystroke in the last of {fields} fields takes {median(script):.2f} ms of script at the median and "
        f"{quantiles(script, n=20)[18]:.2f} ms at the 95th percentile of {count}, as Chromium reports it: from `keydown` "
        f"to `keyup`, with every listener of the page and every rule. Style and layout take {median(drawing):.2f} ms more.")
    report.target(f"a keystroke's work at {fields} fields", median(script), limit, "at most", "ms")


def _press(page: object, letter: str) -> tuple[float, float]:
    """Types one letter as a keyboard would; milliseconds of script, and of style and layout, that it took."""
    before = _durations(page)
    key = {"key": letter, "code": f"Key{letter.upper()}", "windowsVirtualKeyCode": ord(letter.upper())}
    page.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", "text": letter, **key})
    page.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **key})
    after = _durations(page)
    return after[0] - before[0], after[1] - before[1]


def _durations(page: object) -> tuple[float, float]:
    """Milliseconds of script, and of style and layout, since the page began."""
    metrics = {each["name"]: each["value"] * 1000 for each in page.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    return metrics["ScriptDuration"], metrics["LayoutDuration"] + metrics["RecalcStyleDuration"]


def _measure_first_paint(report: Report, page: object, url: str, loads: int) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    page.execute_cdp_cmd("Network.enable", {})
    page.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": LATENCY, "downloadThroughput": THROUGHPUT, "uploadThroughput": THROUGHPUT})
    times = []
    for _ in range(loads):
        page.execute_cdp_cmd("Network.clearBrowserCache", {})
        page.get("about:blank")
        page.get(url)
        WebDriverWait(page, 20).until(lambda page: page.execute_script(IS_READY) and page.execute_script(FIRST_PAINT))
        times.append(page.execute_script(FIRST_PAINT) / 1000)
    report.text(
        f"On a line of {LATENCY} ms and {THROUGHPUT // 1000} kB/s an empty browser shows the dialog after {median(times):.2f} s, the "
        f"median of {loads} loads: its first contentful paint. A round trip is {LATENCY / 1000:.1f} s of it. The page carries its style, "
        "and OK's state for the first values; the scripts come after that.")
    report.target("the dialog on a slow line", median(times), 1, "at most", "s")
