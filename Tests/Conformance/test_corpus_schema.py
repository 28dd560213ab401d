"""The corpus keeps to its own schema."""

import json

import jsonschema_rs
import pytest

from Support.command import ROOT
from Support.corpus import FILES

SCHEMA = jsonschema_rs.Draft202012Validator(json.loads((ROOT / "Tests/Conformance/schema.json").read_text("utf-8")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file_is_valid(file):
    # Half a surrogate pair, which the schema's reader does not take, is as good as any character here.
    text = file.read_text("utf-8").replace("\\ud", "\\u0")
    assert [error.message for error in SCHEMA.iter_errors(json.loads(text))] == []
