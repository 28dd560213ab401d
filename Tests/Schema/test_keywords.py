"""No pair of keywords loses what one of them says. OKCANCEL_KEYWORD_ROUNDS says how often each pair is tried."""

import os
import random

import pytest
from Schema import keywords
from Schema.test_schema_in import JUDGE

ROUNDS = int(os.environ.get("OKCANCEL_KEYWORD_ROUNDS", "2"))


@pytest.mark.parametrize("dialect", keywords.DIALECTS)
@pytest.mark.parametrize("kind", ["properties", "objects"])
def test_no_pair_of_keywords_loses_what_one_says(kind, dialect):
    chance = random.Random(f"{kind} {dialect} {os.environ.get('OKCANCEL_SEED', '')}")
    schemas = list({"properties": keywords.of_properties, "objects": keywords.of_objects}[kind](dialect, chance, ROUNDS))
    wrong, taken, answered = keywords.judged(JUDGE, dialect, schemas, chance)
    print(f"{len(schemas):,} schemas, {taken:,} taken, {answered:,} answers")
    assert taken > (0.1 if kind == "properties" else 0.03) * len(schemas) and answered > taken
    assert not wrong, (len(wrong), wrong[:5])
