"""The most expensive requests that are known: what would cost too much is refused, and no answer is large.

CPU time is measured by `make worst`, on a machine that does nothing else.
"""

import pytest

from meter import Meter
from seeds import ANY, CASED, PATTERNS, ROUTES, Request, nested, seeds


def rules(rules, value="a"):
    return Request("POST /validate", "POST", "/validate", json={"rules": rules, "value": value})


def many(pattern, count=50):
    return rules([{"pattern": {"pattern": f"{pattern}{n}", "ignoreCase": True}} for n in range(count)])


REFUSED = {
    "classes written out": many("\\p{L}" * 190),
    "classes in brackets": many("[" + "\\p{L}" * 190 + "]"),
    "classes in brackets before a fault": many("[" + "\\p{L}" * 190 + "](?=a)"),
    "classes that all differ": many("".join(f"[^\\W{chr(0x100 + n)}]" for n in range(130))),
    "letter case of ranges": many("".join(f"[{chr(0x100 + 2 * n)}-\\u{{ffff}}]" for n in range(70))),
    "every spelling of a property": many(next(pattern for pattern in PATTERNS if "Unassigned" in pattern)),
    "large programs": many("[a-z]{1,900}[0-9]{1,900}"),
    "nested bounds": many("((a{0,10}){0,10}){0,9}"),
    "states at every byte": rules([{"pattern": ".*(?:a{1000}){0,1}b"}], "a" * 16_000),
    "alternatives at every byte": rules([{"pattern": PATTERNS[1]}], "a" * 16_000),
    "new states at every byte": rules([{"any": [{"pattern": f".*a.{{30}}|{n}"} for n in range(8)]}], ANY[0]),
    "one pattern in nested rules": rules([nested(6, {"pattern": ".*a{200}b"})], "a" * 16_000),
}

JUDGED = {
    "dates without end": rules([{"any": ["date", "time", "dateTime"] * 60}], "-" * 16_000),
    "URLs without end": rules([{"any": ["url"] * 100}], "http://" + "a." * 8_000),
    "rules within rules": rules([nested(29)], "a" * 16_000),
    "a list of options as a message": rules([{"any": [{"any": [{"any": [{"oneOf": ["x"] * 12_000}]}]}]}]),
    "as many faults as fit": Request("POST /validate", "POST", "/validate",
                                     raw=b'{"rules":[' + b",".join([b"1"] * 29_000) + b'],"value":""}'),
    "keys that nobody knows": rules([{f"k{n}": 1 for n in range(250)}] * 20),
    "long keys": rules([{"k" * 16_000: 1}] * 3),
    "every option chosen": Request("POST /prompts/{name}", "POST", "/prompts/options", headers=[("Accept", "text/html")],
                                   form=[("outcome", "ok")] + [("many", "x")] * 250),
    "a page of quotes": Request("POST /prompts/{name}", "POST", "/prompts/wide", headers=[("Accept", "text/html")],
                                form=[("outcome", "ok"), ("f0", "'" * 16_000)]),
    "a form of patterns": Request("POST /validate/{name}", "POST", "/validate/patterns",
                                  form=[(f"p{n}", "ab" * 8_000) for n in range(4)]),
    "options against choices": rules([{"oneOf": ["ab"] * 4_000}], ["abc"] * 4_000),
    "numbers against numbers": rules([{"oneOf": list(range(10))}] * 23, [str(n % 10) for n in range(14_900)]),
    "letter case, with a bracket missing": rules([{"pattern": {"pattern": CASED[:1000] + "[b", "ignoreCase": True}}] * 2),
    "letter case, with an escape that is not finished": rules([{"pattern": {"pattern": CASED[:1000] + "\\u{fff", "ignoreCase": True}}]),
    "more choices than options": Request("POST /prompts/{name}", "POST", "/prompts/tags", headers=[("Accept", "text/html")],
                                         form=[("outcome", "ok")] + [("tags", "x")] * 30_000),
    "a chain of conditions": Request("POST /prompts/{name}", "POST", "/prompts/conditions",
                                     form=[("outcome", "ok")] + [(f"t{n}", "ab" * 8_000) for n in range(3)]),
}


@pytest.fixture(scope="module")
def meter():
    with Meter() as meter:
        yield meter


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_cost_too_much_is_refused_with_how_much_is_allowed(meter, name):
    """Promise 3.18 | Rules that a stranger sends cost at most 50 ms of CPU, and a form of an operator's prompt 200 ms. A
    request that would cost more is refused before it runs, with the rule that costs the most. | `make worst` ([what
    it found](benchmarks.md#the-most-expensive-requests))
    """
    assert len(REFUSED[name].body()) <= 64 * 1024
    head, _, body = meter.send(REFUSED[name].bytes()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 "), head
    assert b"too much work" in body and b"50 ms" in body, body
    assert len(body) <= 64 * 1024


@pytest.mark.parametrize("name", JUDGED)
def test_what_costs_a_lot_is_answered_within_64_kilobytes_or_by_a_page(meter, name):
    """Promise 3.19 | No response to a stranger is larger than 64 KiB, except documents, files and a dialog’s page. A
    page that comes back with what was typed carries at most 64 KiB of it, as HTML; a field that does not fit is empty
    and says that it must be entered again.
    """
    head, _, body = meter.send(JUDGED[name].bytes()).partition(b"\r\n\r\n")
    assert head[9:12] in (b"200", b"400", b"422"), head
    assert b"too much work" not in body
    assert b"text/html" in head or len(body) <= 64 * 1024


def test_a_page_that_comes_back_carries_64_kilobytes_of_what_was_typed(meter):
    """Promise 3.19"""
    for letter in "a'":
        form = [("outcome", "ok"), *((f"f{n}", letter * 10_000) for n in range(16))]
        request = Request("POST /prompts/{name}", "POST", "/prompts/long", headers=[("Accept", "text/html")], form=form)
        head, _, body = meter.send(request.bytes()).partition(b"\r\n\r\n")
        assert head[9:12] == b"422" and b"enter it again" in body
        assert len(body) <= meter.page_limit(request), len(body)


def test_every_route_has_a_request_to_begin_with():
    assert {request.route for request in seeds()} == set(ROUTES)


def test_costly_heads_get_small_answers(meter):
    """Every seed without a body, one after the other."""
    heads = [request for request in seeds()
             if not request.body() and "{token}" not in request.path and ("Expect", "100-continue") not in request.headers]
    assert len(heads) > 300
    for request in heads:
        head, _, body = meter.send(request.bytes()).partition(b"\r\n\r\n")
        assert head[9:10] in (b"2", b"3", b"4"), request
        _, is_document = ROUTES[request.route]
        assert is_document or b"text/html" in head or len(body) <= 64 * 1024, request
