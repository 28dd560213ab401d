"""A list means the same at every door; and moments of a schema in the server's time zone."""

import json
from urllib.parse import urlencode

import pytest
from asking import Asking

from Support.client import FORM, JSON
from Support.command import run
from Support.server import Server

LIST = """title: T
fields:
  - {name: n, kind: list, value: [1], items: [integer, {range: {max: 9}}], rules: [{count: {unique: true}}]}
  - {name: t, kind: list, optional: true, items: [{length: {max: 3}}]}
"""
SCHEMA = {"title": "T", "type": "object", "required": ["n"], "properties": {
    "n": {"type": "array", "items": {"type": "integer", "maximum": 9}, "uniqueItems": True},
    "t": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1}}}
ANSWER = {"n": [1, 2], "t": ["ab", "c d"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "list.yaml").write_text(LIST)
    (folder / "read.schema.json").write_text(json.dumps(SCHEMA))
    return folder


@pytest.fixture(scope="module")
def server(folder):
    with Server(folder, "--log-level", "error") as server:
        yield server


def submit(server, name, values):
    return server.request("POST", f"/prompts/{name}", json.dumps({"outcome": "ok", "values": values}), JSON)


@pytest.mark.parametrize("name", ["list", "read"])
def test_a_list_is_an_array_of_a_program_and_lines_of_a_person(server, name):
    lines = {"n": "1\r\n\r\n 2 \r\n", "t": "ab\nc d"}
    found = [submit(server, name, ANSWER), submit(server, name, lines), server.request("POST", f"/prompts/{name}", urlencode(lines), FORM)]
    for status, body in found:
        assert status == 200 and json.loads(body)["values"] == ANSWER
    for values in ({"n": "1\n\n1.5"}, {"n": [1, 2, 1.5]}):
        status, body = submit(server, name, values)
        assert status == 422 and json.loads(body)["errors"][0]["message"] == "Line 3: Enter a whole number, like 42"
    assert submit(server, name, {"n": ["a\nb"]})[0] == 422
    assert submit(server, name, {"n": [[1]]})[0] == 400
    assert submit(server, name, {"n": [1, 1]})[0] == 422


@pytest.mark.parametrize("values, valid", [
    (["n=1\n2"], True), (["n=1", "n=2"], True), (["n="], True), (["n=1", "t="], True), (["n=1\nx"], False),
    (["n=1\n\n1"], False), (["n=1", "t=ab\n\ncd"], True)])
def test_a_list_is_on_the_command_line_what_it_is_in_a_form(folder, values, valid):
    result = run("validate", folder / "list.yaml", *values)
    assert result.returncode == (0 if valid else 1), result.stdout
    assert ("Line 3: " in result.stdout) == (values == ["n=1\n\n1"])


def test_a_list_is_asked_for_on_the_command_line(folder):
    asking = Asking("--prompt", folder / "list.yaml", "--value", "t=x", "--value", "t=y", "--json")
    page = asking.page()
    assert "x\ny</textarea>" in page and "1</textarea>" in page
    assert asking.answer(urlencode({"outcome": "ok", "n": "3\n4", "t": "x\ny"}))[0] in (200, 303)
    code, output, _ = asking.ended()
    assert code == 0 and json.loads(output)["values"] == {"n": [3, 4], "t": ["x", "y"]}
    result = run("validate", folder / "list.yaml", "n=1", "n=2", "t=abcd")
    assert result.returncode == 1 and json.loads(result.stdout)["fields"]["t"]["message"] == "Line 1: Enter at most 3 characters"


def test_a_list_is_a_cell(server):
    submit(server, "list", ANSWER)
    result = run("answers", "list", "--server", server.url, "--format", "csv", OKCANCEL_API_TOKEN=server.token)
    assert result.stdout.splitlines()[-1].endswith(",1; 2,ab; c d")


def test_moments_of_a_schema_are_in_the_time_zone_of_the_server(tmp_path):
    path = tmp_path / "a.schema.json"
    path.write_text(json.dumps({"title": "T", "type": "object", "required": ["at"], "properties": {"at": {"type": "string", "format": "date-time"}}}))
    assert run("check", path).returncode == 65
    assert run("check", path, "--time-zone", "Europe/Berlin").returncode == 0
    wrong = run("check", path, "--time-zone", "Europe/Nowhere")
    assert wrong.returncode == 64 and "--time-zone" in wrong.stderr
    for zone, answer in (("Europe/Berlin", "2026-03-29T03:30:00+02:00"), ("person", "2026-03-29T03:30:00+00:00")):
        with Server(tmp_path, "--time-zone", zone) as server:
            for name in ("a", None):
                values = {"at": "2026-03-29T03:30"}
                if name:
                    status, body = submit(server, name, values)
                else:
                    ask = server.call("POST", "/asks", {"schema": json.loads(path.read_text())})
                    path_of_ask = "/a/" + ask["link"].rpartition("/")[2]
                    status, body = server.request("POST", path_of_ask, json.dumps({"outcome": "ok", "values": values}), JSON)
                    body = json.dumps(server.call("GET", f"/asks/{ask['id']}"))
                assert status == 200 and json.loads(body)["values"]["at"] == answer
