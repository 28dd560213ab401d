import pytest

from Support.browsers import Chromium
from Support.server import Server


@pytest.fixture(scope="session")
def server():
    with Server("Examples") as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    browser = Chromium()
    yield browser
    browser.driver.quit()
