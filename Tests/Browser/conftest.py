"""A real server with the examples and the prompts of this folder, and a real Chromium."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The URL of a running server."""
    prompts = tmp_path_factory.mktemp("prompts")
    for folder in (ROOT / "Examples", HERE / "Prompts"):
        for file in folder.glob("*.yaml"):
            shutil.copy(file, prompts)
    command = [
        os.environ.get("OKCANCEL_BIN", ROOT / ".build/debug/okcancel"), "serve", prompts, "--port", "0",
        "--templates", ROOT / "Templates", "--public", ROOT / "Public", "--predicate", f"free={HERE / 'free-name'}",
        "--log-level", "error",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"no URL in: {line}"
        yield found[0].rstrip("/")
        process.terminate()


def chromium(*arguments, scripts=True):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--window-size=900,800", *arguments):
        options.add_argument(argument)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def browser():
    driver = chromium()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def scriptless_browser():
    driver = chromium(scripts=False)
    yield driver
    driver.quit()


class Dialog:
    """A dialog's page, by what a person sees and does."""

    def __init__(self, driver, server):
        self.driver, self.server = driver, server

    def open(self, name):
        self.driver.get(f"{self.server}/prompts/{name}")
        self.wait(lambda: self.js("return document.getElementById('dialog').hasAttribute('data-ready')"))
        self.posts()
        return self

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition, seconds=5):
        return WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(lambda _: condition())

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def field(self, name):
        return self.find(f"#field-{name}")

    def text(self, name):
        return self.field(name).get_property("value")

    def message(self, name):
        return self.find(f"#error-{name}").text

    @property
    def ok(self):
        return self.find(".buttons > .ok")

    @property
    def cancel(self):
        return self.find(".buttons > .cancel")

    @property
    def ok_is_enabled(self):
        return self.ok.get_attribute("aria-disabled") != "true" and self.ok.is_enabled()

    @property
    def why(self):
        """What a screen reader says of OK, besides its name."""
        return self.js(
            "const id = arguments[0].getAttribute('aria-describedby');"
            "return id ? document.getElementById(id).textContent : ''", self.ok)

    @property
    def focused(self):
        return self.js("return document.activeElement.name || document.activeElement.localName")

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.server)

    def ends(self, outcome):
        """Waits for the page after an outcome."""
        self.wait(lambda: self.path.endswith(f"/done?outcome={outcome}"))

    def posts(self):
        """The paths posted to since the last call, each with its body."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            request = message["params"]["request"]
            if request["method"] == "POST":
                found.append((request["url"].removeprefix(self.server), request.get("postData", "")))
        return found

    def record(self, *types):
        """Notes the dialog's events from now on; `events` gives them."""
        self.js(
            "window.noted = []; for (const type of arguments[0]) document.addEventListener('okcancel:' + type,"
            "event => noted.push([type, event.detail.field ?? null, event.detail.text ?? event.detail.outcome ?? null]))",
            types)

    @property
    def events(self):
        return [tuple(event) for event in self.js("return noted")]


@pytest.fixture
def dialog(browser, server):
    return Dialog(browser, server)


@pytest.fixture
def scriptless(scriptless_browser, server):
    return Dialog(scriptless_browser, server)
