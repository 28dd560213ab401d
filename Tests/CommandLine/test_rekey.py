"""`okcancel rekey`: a key is changed for another, step by step as the page about running a server says."""

import base64
import json
import sqlite3
import subprocess

from Support.client import JSON
from Support.command import clean, on_path, run
from Support.documentation import Page
from Support.server import Server

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))
LOGIN = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})


def answer(path, **environment):
    with Server(database=path, **environment) as server:
        assert server.request("POST", "/prompts/login", LOGIN, JSON)[0] == 200
        assert server.stop() == 0


def answers(path, **environment):
    with Server(database=path, **environment) as server:
        return server.request("GET", "/prompts/login/answers", headers=server.authorized)[1].count("swordfish")


def rekey(path, **environment):
    return run("rekey", "--database", path, **environment)


def test_a_key_in_the_environment_is_changed(tmp_path):
    path = tmp_path / "a.sqlite"
    answer(path, OKCANCEL_KEY=OLD)
    answer(path, OKCANCEL_KEY=f"{NEW},{OLD}")
    ended = rekey(path, OKCANCEL_KEY=NEW)
    assert ended.returncode == 70 and "give that key too, after a comma in OKCANCEL_KEY" in ended.stderr
    ended = rekey(path, OKCANCEL_KEY=f"{NEW}, {OLD}")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("re-encrypted 1 text; ")
    assert rekey(path, OKCANCEL_KEY=f"{NEW},{OLD}").stdout.startswith("re-encrypted 0 texts; ")
    assert answers(path, OKCANCEL_KEY=NEW) == 2


def test_a_key_in_a_file_is_changed(tmp_path):
    """By the commands of the page, as they stand.

    Promise 4.2
    """
    path, key = tmp_path / "okcancel.sqlite", tmp_path / "okcancel.sqlite.key"
    answer(path)
    old = key.read_text()
    commands = Page("secrets.md").example("sh", "old.key").replace("/var/lib/okcancel", str(tmp_path))
    ended = subprocess.run(
        ["sh", "-ec", commands], env=clean({"PATH": on_path(tmp_path, systemctl="")}), capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("re-encrypted 1 text; ")
    assert key.read_text() != old and key.read_text().count("\n") == 1 and key.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "old.key").read_text() == old
    assert answers(path) == 1


def test_a_running_server_is_to_be_stopped_first(tmp_path):
    with Server(database=tmp_path / "a.sqlite", OKCANCEL_KEY=OLD):
        ended = rekey(tmp_path / "a.sqlite", OKCANCEL_KEY=f"{NEW},{OLD}")
        assert (ended.returncode, ended.stdout) == (70, "")
        assert "is in use by another process; stop it first" in ended.stderr


def test_rekey_makes_no_database(tmp_path):
    ended = rekey(tmp_path / "none.sqlite", OKCANCEL_KEY=OLD)
    assert (ended.returncode, ended.stdout) == (70, "")
    assert "there is no database at" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_rekey_tells_and_leaves_what_it_cannot_open(tmp_path):
    path = tmp_path / "a.sqlite"
    answer(path, OKCANCEL_KEY=OLD)
    answer(path, OKCANCEL_KEY=OLD)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE answers SET context = 'elsewhere' WHERE position = 1")
    database.close()
    ended = rekey(path, OKCANCEL_KEY=f"{NEW},{OLD}")
    assert ended.returncode == 70 and ended.stdout.startswith("re-encrypted 1 text")
    assert "left as it was, elsewhere: this is not what was sealed here" in ended.stderr
