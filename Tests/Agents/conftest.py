import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from Support.browsers import Chromium  # noqa: E402
from Support.server import Server  # noqa: E402


@pytest.fixture(scope="session")
def server():
    with Server("Examples") as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    browser = Chromium()
    yield browser
    browser.driver.quit()
