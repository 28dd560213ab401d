import asyncio
import inspect

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


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is `async`. Each of these ends: one that hangs fails."""
    if inspect.iscoroutinefunction(pyfuncitem.function):
        given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}
        asyncio.run(asyncio.wait_for(pyfuncitem.function(**given), 300))
        return True
