"""Sentences stand in tables, and the sources report them by id with facts: each row is used, each use has its row, and
each placeholder its fact."""

import pathlib
import functools
import re

import pytest

SOURCES = pathlib.Path(__file__).parents[2] / "Sources"
SWIFT = {path: path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.swift"))}

# The table, the columns of a row, and what begins a use of a row: a call with the id as its first argument. Errors that
# are only words read the table of their module.
TABLES = {
    "Asks/faults.txt": (3, r"\bStoreFault\("),
    "Asks/settings.txt": (2, r"\bPlainError\(row: "),
    "OKCancel/HTTP/problems.txt": (3, r"\bProblem\("),
    "OKCancel/MCP/protocol-errors.txt": (5, r"\bProtocolError\("),
    "Prompts/faults.txt": (3, r"\b(?:FaultRow|PatternFault|fault|report|refuse|warn)\("),
    "OKCancelCLI/failures.txt": (3, r"\b(?:Failure\(|PlainError\(row: )"),
}


ENDINGS = ["/json", "/search", "/listed"]


@functools.cache
def rows(table):
    lines = (SOURCES / table).read_text("utf-8").splitlines()
    fields = [line.split(";", TABLES[table][0] - 1) for line in lines if line and not line.startswith("#")]
    return {row[0]: [field.lstrip(" ") for field in row[1:]] for row in fields}


def placeholders(table, id):
    """Those of a row, and of the same for others or before its errors. `{{` is one brace."""
    found = rows(table)[id] + [text for ending in ENDINGS for text in rows(table).get(id + ending, [])]
    return {name for text in found for name in re.findall(r"\{([a-z]+)\}", text.replace("{{", ""))}


def arguments(text, start):
    """What stands between the parenthesis before a place and the one that closes it, split at its commas."""
    parts, depth, begin, place = [], 0, start, start
    while depth >= 0:
        if text[place] == '"':
            place = end_of_string(text, place)
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth < 0 or depth == 0 and text[place] == ",":
            parts.append(text[begin:place].strip())
            begin = place + 1
        place += 1
    return parts


def end_of_string(text, place):
    """The place of the quote that ends a string, past what it interpolates."""
    place += 1
    while text[place] != '"':
        if text.startswith("\\(", place):
            place += 2 + len(",".join(["", *arguments(text, place + 2)]).rstrip())
            while text[place - 1] != ")":
                place += 1
        else:
            place += 2 if text[place] == "\\" else 1
    return place


def facts(argument):
    """The names in a dictionary's literal with their values."""
    pairs = arguments(argument, 1) if argument else []
    return dict(re.match(r'"([a-z]+)":\s*(.*)', pair, re.DOTALL).groups() for pair in pairs if pair)


def uses(table):
    for path, text in SWIFT.items():
        begin = TABLES[table][1]
        if "PlainError" in begin and not path.is_relative_to(SOURCES / table.split("/")[0]):
            continue
        for call in re.finditer(begin + r'\s*(?="[\w.-]+"[,)])', text):
            id, *rest = arguments(text, call.end())
            if rest and rest[0].startswith("saying:"):
                continue
            given = next((part for part in rest if part.startswith("[")), "")
            yield f"{path.name}: {id}", id.strip('"'), facts(given)
    if table == "Asks/faults.txt":
        # A row names the one that clients are told.
        for id, (told, _) in rows(table).items():
            if told != "same":
                yield f"faults.txt: {id}", told, {}
    if table == "Prompts/faults.txt":
        # Keys of a field name the row about a kind that does not take them.
        for id in re.findall(r'\bfault(?::| =) "([a-z.]+)"', SWIFT[SOURCES / "Prompts/Reading/FieldKey.swift"]):
            yield f"FieldKey: {id}", id, dict.fromkeys(placeholders(table, id) & {"kind", "key"}, "")
    if table == "OKCancelCLI/failures.txt":
        # A rule of options ends with the id of its failure, whose only fact, if any, is the option.
        for rule in re.finditer(r"\bOptionRule\((?=\[)", SWIFT[SOURCES / "OKCancelCLI/OptionRule.swift"]):
            id = arguments(rule.string, rule.end())[-1].strip('"')
            if not id.startswith("["):
                yield f"OptionRule: {id}", id, dict.fromkeys(placeholders(table, id) & {"option"}, "")


@pytest.mark.parametrize("table", TABLES)
def test_each_use_has_a_row_and_a_fact_for_each_of_its_placeholders_and_for_nothing_else(table):
    known, found = rows(table), list(uses(table))
    assert len(found) > 20
    for use, id, given in found:
        assert id in known, use
        assert set(given) == placeholders(table, id), use


@pytest.mark.parametrize("table", TABLES)
def test_each_row_is_used(table):
    used = {id for _, id, _ in uses(table)}
    assert sorted({id.split("/")[0] for id in rows(table)} - used) == []


def test_each_id_by_which_code_decides_is_that_of_a_row():
    # A fault of a definition is known by what stands before the dot.
    known = [id for table in TABLES for row in rows(table) for id in (row, row.split(".")[0])]
    decisions = [match for text in SWIFT.values() for match in re.findall(r'\bfault\??\.id == "([\w.-]+)"', text)]
    beginnings = [match for text in SWIFT.values() for match in re.findall(r'\.id\.hasPrefix\("([\w.-]+)"\)', text)]
    assert len(decisions) > 1 and beginnings
    assert [id for id in decisions if id not in known] == []
    assert [start for start in beginnings if not any(id.startswith(start) for id in known)] == []


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_a_lone_placeholder_and_no_fact_is_a_sentence(table):
    for id, row in rows(table).items():
        text = "".join(field for field in row if not re.fullmatch(r"-?[0-9]+|remedy|obstacle|same|told\.[a-z]+", field))
        assert re.sub(r"\{[a-z]+\}", "", text).strip("; .`“”"), id
    for use, _, given in uses(table):
        for value in given.values():
            assert not re.match(r'"[^"]*(; |\.")', value), use
