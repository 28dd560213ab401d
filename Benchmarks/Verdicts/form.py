"""The three fields of ../Prompts/order.yaml, for judges in Python, and how each is timed."""

import json
import time
from collections.abc import Callable

LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = rf"^[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*$"
VALID = b'{"email":"alice@example.com","quantity":42,"name":"Ada Lovelace"}'
INVALID = b'{"email":"alice","quantity":420,"name":""}'

SECONDS = 1.0


def measure(work: str, judge: Callable[[], object]) -> None:
    """Prints the nanoseconds of the processor that one call takes."""
    judge()
    count = 1
    while True:
        start = time.process_time_ns()
        for _ in range(count):
            judge()
        taken = time.process_time_ns() - start
        if taken > SECONDS * 2e8:
            print(json.dumps({"work": work, "nanoseconds": taken / count}))
            return
        count *= 4
