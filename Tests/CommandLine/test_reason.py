"""Cancel that asks why, at the doors of the command but for terminals, which test_terminal_dialog.py has."""

import csv
import io
import json

import pytest
from asking import Asking

from Support.client import JSON
from Support.command import run
from Support.server import Server


@pytest.mark.parametrize("words, printed, said", [
    ([], "", "Not today\n"), (["--json"], '{"outcome":"cancel","reason":"Not today","by":{"via":"link"}}\n', ""),
    (["--field", "a", "--format", "shell"], "", "Not today\n"),
])
def test_ask_prints_it(words, printed, said):
    asking = Asking("--title", "Deploy?", "--cancel", "Reject", "--reason", "required", *words)
    assert asking.answer("outcome=cancel")[0] == 422
    assert asking.answer("outcome=cancel&okcancel-reason=Not+today")[0] == 200
    assert asking.ended() == (1, printed, said)


def test_it_is_optional_or_required():
    asking = Asking("--title", "Deploy?", "--reason", "optional", "--json")
    assert asking.answer("outcome=cancel")[0] == 200
    assert asking.ended()[:2] == (1, '{"outcome":"cancel","by":{"via":"link"}}\n')
    wrong = run("ask", "--title", "T", "--reason", "always")
    assert wrong.returncode == 64
    assert "optional" in wrong.stderr and "required" in wrong.stderr


def test_tables_have_it(tmp_path):
    (tmp_path / "deploy.yaml").write_text("title: Deploy?\ncancel: {reason: required}\n")
    with Server(tmp_path) as server:
        ask = server.call("POST", "/asks", {"prompt": "deploy"})
        for path in ("/prompts/deploy", "/a/" + ask["link"].rsplit("/", 1)[1]):
            body = json.dumps({"outcome": "cancel", "reason": "Not today"})
            assert server.request("POST", path, body, JSON)[0] == 200
        for words in (["answers", "deploy"], ["answers", "deploy", "--asks"], ["asks"]):
            table = run(*words, "--format", "csv", "--server", server.url, OKCANCEL_API_TOKEN=server.token)
            [row] = csv.DictReader(io.StringIO(table.stdout))
            assert (row["outcome"], row["reason"]) == ("cancel", "Not today")
