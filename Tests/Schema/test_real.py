"""Schemas as programs have them, in the words of this project: forms, deployments, tools of MCP servers, elicitations.

Each line of `real.jsonl` says which library or protocol writes such a schema, and a value that it should take, or why it is
refused. What pydantic and zod are said to write is what they wrote.
"""

import collections
import json
import random
from pathlib import Path

from Schema import pairs
from Schema.test_schema_in import JUDGE

CASES = [json.loads(line) for line in (Path(__file__).parent / "real.jsonl").read_text("utf-8").splitlines()]


def standard(schema):
    """What OpenAPI 3.0 says in its own spellings, in those that validators know."""
    if not isinstance(schema, dict):
        return [standard(part) for part in schema] if isinstance(schema, list) else schema
    schema = {key: standard(part) for key, part in schema.items()}
    if schema.pop("nullable", False) is True:
        schema["type"] = [schema["type"], "null"]
    if schema.get("exclusiveMinimum") is True:
        schema["exclusiveMinimum"] = schema.pop("minimum")
    return schema


def test_most_are_taken_and_none_is_answered_wrongly():
    chance, tally = random.Random(175), collections.Counter()
    questions = [(case["schema"], [case.get("value", {})] + [pairs.altered(case.get("value", {}), chance) for _ in range(60)]) for case in CASES]
    for case, (schema, values), ours in zip(CASES, questions, pairs.said(JUDGE, questions), strict=True):
        tally[case["from"], "refused" in ours] += 1
        if "refused" in case:
            assert any(case["refused"] in fault for fault in ours.get("refused", [])), (case, ours)
            continue
        assert "refused" not in ours and ours["answers"][0] is not None, (case, ours)
        theirs = pairs.valid(standard(schema.get("requestedSchema", schema)))
        for value, answer in zip(values, ours["answers"], strict=True):
            assert answer is None or theirs.is_valid(answer), (schema, value, answer)
    taken = sum(count for (_, is_refused), count in tally.items() if not is_refused)
    print(taken, "of", len(CASES), dict(tally))
    assert taken == sum("value" in case for case in CASES) and taken > 150 / 175 * len(CASES)
