"""The corpus, judged by Public/rules.js inside Chromium, Firefox and WebKit.

A browser that is not installed, a case in a form unknown here, and a verdict that is missing all fail.
"""

import json
import re

import pytest

from Fuzz import browser
from Support.corpus import expanded, groups

# WebKit misreads some code points beyond ASCII, and rules.js leaves a pattern that meets them to the server: at most
# this share of the cases. Every other engine judges everything.
LEFT_AT_MOST = {"webkit": 0.05}

PENDING = {"isValid": False, "pending": True}

GROUP_KEYS = {"now", "description", "fields", "field", "cases", "decidedBy", "note"}
CASE_KEYS = {"text", "values", "valid", "applies", "rule", "note"}


def corpus():
    """Each case as (where it stands, the case, the line to judge, whether the server decides)."""
    for file, _, group in groups():
        assert group.keys() <= GROUP_KEYS, file.name
        field = group.get("field", group["fields"][0]["name"])
        for case in group["cases"]:
            assert case.keys() <= CASE_KEYS, file.name
            values = case["values"] if "values" in case else {field: case["text"]}
            values = {name: expanded(written) for name, written in values.items()}
            line = json.dumps({"fields": group["fields"], "field": field, "values": values})
            yield f"{file.name}, {group['description']}", case, line, group.get("decidedBy") == "server"


def expected(case, is_servers):
    if is_servers:
        return PENDING
    if "applies" in case:
        return {"isValid": True, "applies": False}
    return {"isValid": True} if case["valid"] else {"isValid": False, "rule": case["rule"]}


def may_be_left(engine, line):
    """Whether a pattern is among the rules, and a code point beyond ASCII, or written as an escape, in it or the text."""
    return engine in LEFT_AT_MOST and '"rule": "pattern"' in line and re.search(r"\\[ux]", line) is not None


@pytest.mark.parametrize("engine", ["chromium", "firefox", "webkit"])
def test_the_corpus_holds_in_every_browser(engine):
    cases = list(corpus())
    assert len(cases) >= 1500
    with browser.judging_in(engine) as judge:
        verdicts = [json.loads(line) for line in judge([line for _, _, line, _ in cases])]

    differing, left = [], 0
    for (where, case, line, is_servers), verdict in zip(cases, verdicts, strict=True):
        if without_reason(verdict) == expected(case, is_servers):
            continue
        if verdict == PENDING and may_be_left(engine, line):
            left += 1
        else:
            differing.append(f"{where}: {json.dumps(case)[:300]}: {verdict}")
    assert not differing, "\n".join([f"{len(differing)} of {len(cases)} cases differ", *differing[:40]])

    print(f"{engine}: {len(cases)} cases, {left} left to the server")
    assert left <= LEFT_AT_MOST.get(engine, 0) * len(cases)


def without_reason(verdict):
    """Without the message, which the corpus does not give, and the pattern that an engine does not compile."""
    return {key: value for key, value in verdict.items() if key not in ("message", "uncompiled")}
