"""The programs with which the page about schemas begins, and schemas as programs send them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import playwright
import pytest
from CommandLine.asking import Asking
from Schema.test_schema_in import ours
from Support.client import page
from Support.command import BINARY, ROOT, TOKEN
from Support.documentation import Page
from Support.server import Server

PAGE = Page("schemas.md")
REFUND = {"type": "object", "required": ["order"], "properties": {"order": {"$ref": "#/$defs/Order"}}, "$defs": {"Order": {"type": "string", "minLength": 1}}}


@pytest.fixture(scope="module")
def server():
    with Server(ROOT / "Examples", "--log-level", "error") as server:
        yield server


def test_pydantic_validates_what_a_person_answers(server, tmp_path):
    program = tmp_path / "refund.py"
    program.write_text(PAGE.example("python", "model_validate"), "utf-8")
    asking = Asking(program=(sys.executable, program), stream="stdout", cwd=tmp_path, OKCANCEL_SERVER=server.url, OKCANCEL_API_TOKEN=TOKEN)
    assert asking.answer("outcome=ok&order=123&amount=5&city=London")[0] == 422
    assert asking.answer("outcome=ok&order=1234&amount=everything&city=London")[0] == 200
    code, output, said = asking.ended()
    assert (code, output.strip(), said) == (0, "order='1234' amount='everything' address=Address(city='London', zip=None)", "")


def test_a_file_is_asked_by_the_command(tmp_path):
    program = tmp_path / "refund.sh"
    program.write_text(PAGE.example("sh", "refund.json"), "utf-8")
    asking = Asking(program=("sh", program), cwd=tmp_path, PATH=f"{Path(BINARY).parent}:{os.environ['PATH']}")
    assert asking.answer("outcome=ok&order=1234&city=London")[0] == 200
    code, output, _ = asking.ended()
    assert (code, json.loads(output)["values"]) == (0, {"order": "1234", "address": {"city": "London"}})


def test_zod_parses_what_a_person_answers(server, tmp_path):
    """With the zod that is inside PyPI's playwright, since no registry of npm packages can be reached from here."""
    (package := tmp_path / "node_modules/zod").mkdir(parents=True)
    (package / "package.json").write_text('{"main": "index.cjs"}', "utf-8")
    bundle = Path(playwright.__file__).parent / "driver/package/lib/utilsBundle.js"
    (package / "index.cjs").write_text(f"exports.z = require({json.dumps(str(bundle))}).z", "utf-8")
    program = tmp_path / "refund.mjs"
    program.write_text(PAGE.example("js", "toJSONSchema"), "utf-8")
    asking = Asking(program=("node", program), stream="stdout", cwd=tmp_path, OKCANCEL_SERVER=server.url, OKCANCEL_API_TOKEN=TOKEN)
    assert asking.answer("outcome=ok&order=123&amount=5&city=London")[0] == 422
    assert asking.answer("outcome=ok&order=1234&amount=everything&city=London")[0] == 200
    code, output, said = asking.ended()
    assert (code, output.strip(), said) == (0, "{ order: '1234', amount: 'everything', address: { city: 'London' } }", "")


@pytest.mark.parametrize("wrapped, title", [
    ({"name": "ask_refund", "strict": True, "schema": REFUND}, "Ask refund"),
    ({"type": "json_schema", "json_schema": {"name": "refund", "schema": REFUND}}, "Refund"),
    ({"message": "Which order?", "requestedSchema": REFUND}, "Which order?"),
    ({"name": "refund", "title": "Refund", "description": "Pays back.", "inputSchema": REFUND}, "Refund"),
    ({"name": "refund", "schema": {key: value for key, value in REFUND.items() if key != "$defs"}, "$defs": REFUND["$defs"]}, "Refund"),
])
def test_schemas_are_read_in_what_they_travel_in(server, wrapped, title):
    definition = json.loads(page(server.call("POST", "/asks", {"schema": wrapped})["link"], "application/json"))
    assert (definition["title"], definition.get("message")) == (title, wrapped.get("description"))
    assert [field["name"] for field in definition["fields"]] == ["order"]


def test_a_list_of_schemas_is_refused_by_saying_so():
    assert ours([REFUND])["refused"] == ["this is a list, not one schema; send one of what is in it"]


def test_what_is_written_is_read_back(server):
    names = [each["name"] for each in server.call("GET", "/", headers={"Accept": "application/json"})]
    assert len(names) == 8
    for name in names:
        again = ours(server.call("GET", f"/prompts/{name}/schema"))
        assert "refused" not in again, (name, again)


def test_check_takes_a_title(tmp_path):
    file = tmp_path / "a.schema.json"
    file.write_text(json.dumps(REFUND), "utf-8")
    check = lambda *more: subprocess.run([BINARY, "check", *more, file], capture_output=True, text=True)
    assert check().returncode == 65 and "has no `title`" in check().stdout
    assert (check("--title", "Refund?").returncode, check("--title", "Refund?").stdout) == (0, "")
