"""What a keystroke costs the page, in Chromium, with 20 fields."""

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
    page = webdriver.Chrome(options=options, service=Service(driver))
    try:
        with peers.okcancel(scratch, peers.ROOT / "Tests/Browser/Prompts", "keystroke", *_predicates()) as server:
            page.get(server.url + "/prompts/twenty")
            field = page.find_element(By.NAME, "f20")
            field.click()
            page.execute_cdp_cmd("Performance.enable", {})
            work = [_press(page, "abcdefghijklmnopqrst"[number % 20]) for number in range(count)]
            text = field.get_property("value")
    finally:
        page.quit()
    if len(text) != count:
        raise RuntimeError(f"of {count} keystrokes the field took {len(text)}")
    script, drawing = ([each[part] for each in work] for part in (0, 1))
    report.text(
        f"A keystroke in the last of 20 fields takes {median(script):.2f} ms of script at the median and "
        f"{quantiles(script, n=20)[18]:.2f} ms at the 95th percentile of {count}, as Chromium reports it: from `keydown` "
        f"to `keyup`, with every listener of the page and every rule. Style and layout take {median(drawing):.2f} ms more.")
    report.target("a keystroke's work at 20 fields", median(script), 1, "at most", "ms")


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


def _predicates() -> list[str]:
    """The programs that the prompts of that folder ask."""
    return ["--predicate", f"free={peers.ROOT}/Tests/Browser/free-name"]
