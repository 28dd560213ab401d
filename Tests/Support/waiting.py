"""Waiting for a condition."""

import time


def wait_until(condition, seconds=60, meanwhile=lambda: time.sleep(0.02)):
    """The first true value of `condition()`; `meanwhile()` runs between two looks. Fails after so many seconds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"still waiting after {seconds} s"
        meanwhile()
    return found
