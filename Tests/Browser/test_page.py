"""The page itself: safe, light, accessible, and at home on every screen."""

import gzip
import urllib.request
from pathlib import Path

import axe_playwright_python
import pytest
from selenium.webdriver.common.by import By

from conftest import ROOT

AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()
EXAMPLES = sorted(file.stem for file in (ROOT / "Examples").glob("*.yaml"))


def fetch(url):
    """The bytes of a body as they go over the wire."""
    request = urllib.request.Request(url, headers={"Accept": "text/html, */*", "Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        return response.headers, response.read()


def test_the_first_load_is_light(dialog):
    dialog.open("email")
    urls = dialog.js("return performance.getEntriesByType('resource').map(({name}) => name)")
    urls = [url for url in urls if not url.startswith("data:")]
    assert len(set(urls)) == len(urls) <= 3, urls
    sizes = {}
    for url in [f"{dialog.server}/prompts/email", *urls]:
        headers, body = fetch(url)
        assert headers["Content-Encoding"] == "gzip", url
        assert gzip.decompress(body)
        sizes[url] = len(body)
    assert sum(sizes.values()) <= 14_000, sizes


def test_nothing_moves_while_it_loads(dialog):
    dialog.open("email")
    shifts = dialog.js(
        "return new Promise(done => { new PerformanceObserver(list => done(list.getEntries().map(({value}) => value)))"
        ".observe({type: 'layout-shift', buffered: true}); setTimeout(() => done([]), 500) })")
    assert shifts == []


@pytest.mark.parametrize("path", ["/prompts/markup", "/"])
def test_texts_never_become_markup(dialog, path):
    driver = dialog.driver
    driver.get(dialog.server + path)
    assert driver.find_elements(By.CSS_SELECTOR, "img, b, p script, label script, [onfocus], [onerror]") == []
    assert all(
        script.get_attribute("src") or script.get_attribute("id") == "rules"
        for script in driver.find_elements(By.TAG_NAME, "script"))
    if path != "/":
        assert dialog.text("notes") == "</textarea\u0301><script>alert(7)</script></textarea>"
        assert dialog.text("text") == "\"\u0301 autofocus onfocus=alert(4) x=\""
        dialog.wait(lambda: dialog.js("return document.getElementById('dialog').hasAttribute('data-ready')"))
        dialog.ok.click()
        assert dialog.message("text") == "\"\u0301></p><script>alert(6)</script>"
        assert driver.find_elements(By.CSS_SELECTOR, "p script, label script") == []


def test_the_pages_break_no_policy_of_their_own(dialog):
    dialog.driver.get_log("browser")
    for path in ("/", "/prompts/kinds", "/prompts/login", "/prompts/name", "/prompts/email/done?outcome=ok"):
        dialog.driver.get(dialog.server + path)
    errors = [entry["message"] for entry in dialog.driver.get_log("browser") if entry["level"] == "SEVERE"]
    assert errors == []


def violations(driver):
    driver.execute_script(AXE)
    result = driver.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)")
    return [(found["id"], [node["html"] for node in found["nodes"]]) for found in result["violations"]]


def emulate(driver, width=900, dark=False):
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
              {"name": "prefers-reduced-motion", "value": "reduce"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})


@pytest.fixture(params=[(900, False), (900, True), (320, False)], ids=["light", "dark", "320px"])
def screen(request, browser):
    emulate(browser, *request.param)
    yield request.param
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("name", [*EXAMPLES, "kinds", "question"])
def test_axe_finds_nothing(dialog, screen, name):
    dialog.open(name)
    assert violations(dialog.driver) == []
    dialog.js("document.documentElement.dir = 'rtl'")
    assert violations(dialog.driver) == []
    if not dialog.ok_is_enabled:
        dialog.js("arguments[0].disabled ? 0 : arguments[0].click()", dialog.ok)
        assert violations(dialog.driver) == []


def test_axe_finds_nothing_on_other_pages(dialog, screen):
    for path in ("/", "/prompts/email/done?outcome=ok", "/prompts/email/done?outcome=cancel", "/nowhere"):
        dialog.driver.get(dialog.server + path)
        assert violations(dialog.driver) == [], path


def test_axe_finds_nothing_on_a_refused_answer(dialog, screen):
    dialog.open("kinds")
    # As a form that no script watches.
    dialog.js("HTMLFormElement.prototype.submit.call(document.getElementById('form'))")
    dialog.wait(lambda: dialog.driver.title.startswith("Error: "))
    assert violations(dialog.driver) == []


@pytest.mark.parametrize("name", [*EXAMPLES, "kinds", "question"])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_nothing_is_wider_than_a_small_phone(dialog, name, direction):
    emulate(dialog.driver, width=320)
    try:
        dialog.open(name)
        dialog.js("document.documentElement.dir = arguments[0]", direction)
        assert dialog.js("return document.documentElement.scrollWidth") <= 320
        small = dialog.js(
            "return [...document.querySelectorAll('button:not([hidden], .unseen), input:not([type=hidden]), select, textarea')].filter(each => {"
            "const {width, height} = (each.closest('fieldset > label, .boolean > label') ?? each).getBoundingClientRect();"
            "return Math.min(width, height) < 44 }).map(each => each.outerHTML)")
        assert small == []
        sizes = dialog.js(
            "return [...document.querySelectorAll('input:not([type=hidden]), select, textarea')].map(each => parseFloat(getComputedStyle(each).fontSize))")
        assert all(size >= 16 for size in sizes)
    finally:
        dialog.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
