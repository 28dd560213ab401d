"""A database file that cannot be used: the server does not start, says why, and leaves the file as it is."""

import os
import shutil
import sqlite3
import subprocess

import pytest

from durable import Server
from Support.command import BINARY, ROOT, run


def kept(tmp_path, asks=300):
    """A database with asks in it, and its file."""
    with Server(tmp_path) as server:
        for _ in range(asks):
            assert server.ask()
        assert server.stop() == 0
        return server.database


def refused(path, says, **options):
    """What the command says that must not start on this file."""
    before = path.read_bytes() if path.is_file() else None
    ended = run("serve", "--port", "0", "--database", path, options=options)
    assert (ended.returncode, ended.stdout) == (70, ""), ended.stderr
    assert str(path) in ended.stderr and says in ended.stderr, ended.stderr
    assert before is None or path.read_bytes() == before
    return ended.stderr


def test_a_file_that_is_no_database_is_refused_and_left(tmp_path):
    path = tmp_path / "diary.sqlite"
    path.write_text("Dear diary, " * 1000)
    refused(path, "is not an OKCancel database; name another file")
    refused(tmp_path, "is not an OKCancel database; name another file")


@pytest.mark.parametrize("name", [
    "file:a.db", "file:a.db?mode=memory", "sqlite:a.db", "mysql://ann:pass-word@db/asks", "POSTGRESQL://ann:pass-word@db/asks",
    "postgresql:/db/asks", " postgresql://ann:pass-word@db/asks", "sslmode=require host=db password=pass-word", "host=127.0.0.1 dbname=asks password=pass-word"])
def test_another_address_is_no_file(tmp_path, name):
    options = {"cwd": tmp_path}
    named = ["--database", name]
    for words, given in [
        (["serve", "--port", "0"], {"OKCANCEL_DATABASE": name}), (["serve", "--port", "0", *named], {}), (["rekey", *named], {}),
        (["backup", "copy", *named], {}), (["mcp", *named], {}), (["copy", "--from", name, "--to", "asks.sqlite"], {}),
    ]:
        ended = run(*words, options=options, **given)
        said = ended.stdout + ended.stderr
        assert ended.returncode == 64 and "neither a file’s path nor an address" in said and "pass-word" not in said, words
    assert list(tmp_path.iterdir()) == []
    with Server(tmp_path, ROOT / "Examples", OKCANCEL_DATABASE="./" + name.replace("/", ""), options=options) as server:
        assert server.ask()
    assert (tmp_path / name.replace("/", "")).read_bytes().startswith(b"SQLite format 3")


def test_another_programs_database_is_refused_and_left(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE diary (text)")
    other.close()
    refused(path, "is another program’s database; name another file")


def test_a_newer_versions_database_is_refused_and_left(tmp_path):
    path = kept(tmp_path, asks=1)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    refused(path, "was written by a newer version of OKCancel; use that version")


@pytest.mark.parametrize("damage", ["pages", "cut", "header"])
def test_a_damaged_database_is_refused(tmp_path, damage):
    path = kept(tmp_path)
    size = path.stat().st_size
    with open(path, "r+b") as file:
        if damage == "cut":
            file.truncate(size // 2)
        elif damage == "header":
            file.write(bytes(100))
        else:
            for page in range(2 * 4096, size, 4096):
                file.seek(page)
                file.write(b"\xab" * 512)
    refused(path, "is not an OKCancel database" if damage == "header" else "restore it from a backup")


def test_a_database_whose_key_is_lost_is_refused(tmp_path):
    path = kept(tmp_path, asks=1)
    (tmp_path / "kept.sqlite.key").rename(tmp_path / "elsewhere")
    said = refused(path, "the key that sealed this database’s passwords")
    assert "put its file back" in said
    assert not (tmp_path / "kept.sqlite.key").exists()


@pytest.mark.parametrize("what", ["no Base64", "too short", "another", "exposed"])
def test_the_check_refuses_a_key_as_a_start_does(tmp_path, what):
    path = kept(tmp_path, asks=1)
    keys = {"no Base64": "x", "too short": "c2hvcnQ=", "another": "A" * 43 + "="}
    environment = {"OKCANCEL_KEY": keys[what]} if what in keys else {}
    if what == "exposed":
        (tmp_path / "kept.sqlite.key").chmod(0o644)
    words = ["serve", "--port", "0", "--database", path]
    started = run(*words, **environment)
    checked = run(*words, "--check", **environment)
    assert started.returncode == checked.returncode == (64 if what in ("no Base64", "too short") else 70)
    assert checked.stderr == started.stderr != ""
    (tmp_path / "kept.sqlite.key").chmod(0o600)
    assert run(*words, "--check").returncode == 0


def test_a_database_in_use_is_refused(tmp_path):
    with Server(tmp_path) as server:
        assert server.ask()
        said = refused(server.database, "is in use by another process; stop it first")
        assert "is in use by another process; waiting up to 5 seconds for it\n" in said.splitlines(keepends=True)[0]


def test_a_path_that_cannot_be_a_database_is_refused(tmp_path):
    refused(tmp_path / "nowhere" / "kept.sqlite", "No such file or directory")
    (tmp_path / "folder.sqlite").mkdir()
    refused(tmp_path / "folder.sqlite", "")


def other_user():
    """Options that run a program as somebody without root's rights."""
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_database_that_may_not_be_written_is_refused(tmp_path, what):
    if subprocess.run([BINARY, "--help"], capture_output=True, **other_user()).returncode != 0:
        pytest.skip("another user cannot run the command from here")
    path = kept(tmp_path, asks=1)
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ["kept.sqlite", "kept.sqlite.key"]:
        shutil.move(tmp_path / name, folder / name)
        os.chown(folder / name, 65534, 65534) if os.geteuid() == 0 else None
    if what == "file":
        (folder / path.name).chmod(0o400)
        os.chown(folder, 65534, 65534) if os.geteuid() == 0 else None
    else:
        folder.chmod(0o555)
    parents = [parent for parent in folder.parents if str(parent).startswith("/tmp/pytest")]
    for parent in parents:
        parent.chmod(parent.stat().st_mode | 0o011)
    refused(folder / path.name, "cannot be written; give this user write permission", **other_user())
