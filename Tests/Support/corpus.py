"""The conformance corpus in Tests/Conformance, which README.md there describes."""

import json

from Support.command import ROOT

FILES = sorted(file for file in (ROOT / "Tests/Conformance").glob("*.json") if file.name != "schema.json")


def groups():
    """Each group with its file and its number there."""
    for file in FILES:
        for number, group in enumerate(json.loads(file.read_text("utf-8")).get("groups", [])):
            yield file, number, group


def expanded(written):
    """A text as the corpus writes it: plain, {repeat, times} or {join: [texts]}; or a list of such."""
    if isinstance(written, dict):
        return "".join(map(expanded, written["join"])) if "join" in written else expanded(written["repeat"]) * written["times"]
    return [expanded(part) for part in written] if isinstance(written, list) else written
