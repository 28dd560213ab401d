"""`okcancel answers --format csv`: RFC 4180, and nothing that a spreadsheet would run."""

import csv
import io
import json
import subprocess

import pytest

from Support.client import JSON
from Support.command import BINARY, TOKEN, clean, run
from Support.server import Server

NOTES = [
    "plain", "a,b", 'say "yes"', "two\nlines", " spaced ", "=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\n=1+1", "'=1+1", "é字😀",
    '=HYPERLINK("http://evil.example","x")', "＝1+1", "＋1", "－1", "＠SUM(1)", "=cmd|' /C calc'!A0", "1-1", "",
]
FORMULAS = [note for note in NOTES if note[:1] in "=+-@\t\n＝＋－＠" and note]
FIXED = "cursor,answeredAt,outcome,action,reason,by.id,by.name,by.via,subject"
PROMPT = """title: T
fields:
  - {name: note, kind: multiline}
  - {name: count, kind: number, optional: true}
  - {name: tags, kind: choices, optional: true, options: ["=a", b]}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "note.yaml").write_text(PROMPT)
    (folder / "empty.yaml").write_text("title: T\nfields: [{name: a}]\n")
    with Server(folder) as server:
        for note in NOTES:
            values = {"note": note, "count": "-5", "tags": ["=a", "b"]}
            assert server.request("POST", "/prompts/note", json.dumps({"outcome": "ok", "values": values}), JSON)[0] == 200
        yield server


def table(server, *words, name="note"):
    result = subprocess.run(
        [BINARY, "answers", name, "--server", server.url, "--format", "csv", *words], env=clean({"OKCANCEL_API_TOKEN": TOKEN}),
        capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout


def test_lines_end_and_cells_are_quoted_as_rfc_4180_says(server):
    raw = table(server, "--raw")
    assert raw.startswith(f"{FIXED},note,count,tags\r\n".encode()) and raw.endswith(b"\r\n")
    # Only what a cell holds ends a line otherwise.
    assert raw.replace(b"\r\n", b"").count(b"\n") == 2 and b'"two\nlines"' in raw and b'"say ""yes"""' in raw
    rows = list(csv.reader(io.StringIO(raw.decode(), newline=""), strict=True))
    assert [row[9] for row in rows[1:]] == NOTES
    assert {tuple(row[10:]) for row in rows[1:]} == {("-5", "=a; b")}


def test_formulas_are_texts_unless_raw(server):
    """Promise 3.24"""
    rows = list(csv.reader(io.StringIO(table(server).decode(), newline=""), strict=True))[1:]
    assert [row[9] for row in rows] == ["'" + note if note in FORMULAS else note for note in NOTES]
    assert {tuple(row[10:]) for row in rows} == {("-5", "'=a; b")}


def test_the_byte_order_mark_comes_only_when_asked_for(server):
    mark = b"\xef\xbb\xbf"
    assert table(server, "--bom") == mark + table(server)
    assert not table(server).startswith(mark)
    assert table(server, "--bom", name="empty") == mark + f"{FIXED},a\r\n".encode()


def test_a_field_that_the_prompt_has_no_more_is_named(tmp_path):
    prompt = tmp_path / "p.yaml"
    prompt.write_text("title: T\nfields: [{name: old}]\n")
    with Server(tmp_path, "--watch") as server:
        server.request("POST", "/prompts/p", '{"outcome":"ok","values":{"old":"1"}}', JSON)
        prompt.write_text("title: T\nfields: [{name: new}]\n")
        server.log.wait_for("reloaded 1 prompt")
        server.request("POST", "/prompts/p", '{"outcome":"ok","values":{"new":"2"}}', JSON)
        result = run("answers", "p", "--server", server.url, "--format", "csv", OKCANCEL_API_TOKEN=TOKEN)
    assert [line.split(",")[9] for line in result.stdout.splitlines()] == ["new", "", "2"]
    assert "no longer has old" in result.stderr


def test_columns_of_a_prompt_that_is_gone_are_cells_too(tmp_path):
    (tmp_path / "other.yaml").write_text("title: T\n")
    (tmp_path / "p.yaml").write_text("title: T\nfields: [{name: a, at: '/x,\"y\"/z'}, {name: b, at: '/=b'}]\n")
    with Server(tmp_path, "--watch") as server:
        assert server.request("POST", "/prompts/p", '{"outcome":"ok","values":{"x,\\"y\\"":{"z":"1"},"=b":"2"}}', JSON)[0] == 200
        (tmp_path / "p.yaml").unlink()
        server.log.wait_for("reloaded 1 prompt")
        for words, name in (((), "'=b"), (("--raw",), "=b")):
            head, row = csv.reader(io.StringIO(table(server, *words, name="p").decode(), newline=""), strict=True)
            assert (head[9:], row[9:]) == (['x,"y"/z', name], ["1", "2"])


def test_libreoffice_runs_nothing(server, tmp_path):
    """Opened as somebody opens a file, saved with what its cells show.

    Promise 3.24 | A spreadsheet runs no answer as a formula, unless `--raw` asks for it.
    """

    def shown(words, name):
        (tmp_path / f"{name}.csv").write_bytes(table(server, "--bom", *words))
        # 44: comma, 34: quote, 76: UTF-8; cells as they are shown.
        subprocess.run(
            ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile", "--infilter=CSV:44,34,76", "--convert-to",
             "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false", "--outdir", tmp_path / "shown", tmp_path / f"{name}.csv"],
            check=True, capture_output=True, timeout=120)
        text = (tmp_path / "shown" / f"{name}.csv").read_text("utf-8-sig")
        return [row[9] for row in csv.reader(io.StringIO(text, newline=""))][1:]

    assert shown([], "safe")[5:8] == ["'=1+1", "'+1+1", "'-1+1"]
    # It does run what is not made a text.
    assert shown(["--raw"], "raw")[5] == "2"


def test_asks_are_printed_with_how_they_ended(server):
    ids = [server.ask("note")["id"] for _ in range(3)]
    server.request("DELETE", f"/asks/{ids[0]}", headers=server.authorized)

    def asks(*words):
        result = run("asks", "--server", server.url, *words, OKCANCEL_API_TOKEN=TOKEN)
        assert result.returncode == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    assert {ask["id"] for ask in asks()} == set(ids)
    assert {ask["id"] for ask in asks("--status", "open", "--prompt", "note")} == set(ids[1:])
    assert asks("--prompt", "empty") == []
    rows = list(csv.reader(io.StringIO(table(server, "--asks").decode(), newline=""), strict=True))
    assert ",".join(rows[0]) == f"{FIXED},note,count,tags,id,createdAt,askedBy,metadata,changed,result.status,result.text,result.at"
    [row] = rows[1:]
    ask = next(ask for ask in asks() if ask["id"] == ids[0])
    assert (row[2], row[-8:]) == ("withdrawn", [ids[0], ask["createdAt"], "", "{}", "", "", "", ""])
    wrong = run("asks", "--status", "ended", OKCANCEL_API_TOKEN=TOKEN)
    assert (wrong.returncode, "give one of open, closed" in wrong.stderr) == (64, True)


def test_asks_of_inline_definitions_have_a_table_too(server):
    definition = {"title": "T", "fields": [{"name": "tags", "kind": "choices", "options": ["=a", "b"]}, {"name": "n", "kind": "number"}]}
    body = {"definition": definition, "values": {"n": 1, "tags": []}, "metadata": {"order": "42", "a": ["=1"]}}
    ask = json.loads(server.request("POST", "/asks", json.dumps(body), JSON | server.authorized)[1])
    server.answer(ask, "outcome=ok&tags=%3Da&n=1.5")
    result = run("asks", "--server", server.url, "--status", "closed", "--format", "csv", "--bom", OKCANCEL_API_TOKEN=TOKEN)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("\ufeffcursor,id,prompt,askedBy,status,createdAt,expiresAt,closedAt,outcome,action,reason,by.id,by.name,by.via,metadata,values,changed,result.status,result.text,result.at")
    rows = csv.DictReader(io.StringIO(result.stdout[1:], newline=""), strict=True)
    row = next(row for row in rows if row["id"] == ask["id"])
    assert (row["prompt"], row["status"], row["outcome"], row["createdAt"]) == ("", "closed", "ok", ask["createdAt"])
    assert json.loads(row["metadata"]) == body["metadata"] and json.loads(row["values"]) == {"tags": ["=a"], "n": 1.5}
    assert row["changed"] == "/tags; /n"
    wrong = run("asks", "--raw", OKCANCEL_API_TOKEN=TOKEN)
    assert (wrong.returncode, wrong.stderr) == (64, "okcancel: --raw is about CSV; add --format csv\n")
