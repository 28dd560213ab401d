"""`okcancel backup`: a whole copy, whether a server has the database or nobody has."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys

from Support.command import run
from Support.server import Server


def backup(database, copy, code=0):
    ended = run("backup", copy, "--database", database)
    assert ended.returncode == code, ended.stderr
    return ended.stdout if code == 0 else ended.stderr


def filled(folder):
    """A server with three asks, one of them answered, and an answer to a standing prompt."""
    server = Server(database=folder / "a.sqlite")
    asks = [server.ask("login") for _ in range(3)]
    server.answer(asks[0], "user=ann&password=swordfish")
    server.answered = asks[0]
    assert server.request("POST", "/prompts/email", '{"outcome":"ok","values":{"email":"bob@example.com"}}', {"Content-Type": "application/json"})[0] == 200
    return server


SAID = "3 asks, 1 outcome and 1 answer to standing prompts; every page was checked\n"


def check(copy):
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert b"swordfish" not in copy.read_bytes()
    with sqlite3.connect(copy) as kept:
        assert kept.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert kept.execute("SELECT count(*) FROM asks").fetchone() == (3,)
    kept.close()
    assert [file.name for file in copy.parent.glob("*.new*") if file.read_bytes() != b"mine"] == []


def test_a_backup_of_a_running_server_has_everything(tmp_path):
    copy = tmp_path / "elsewhere" / "copy.sqlite"
    copy.parent.mkdir()
    # Not of ours: it stays.
    copy.with_name("copy.sqlite.new").write_text("mine")
    with filled(tmp_path) as server:
        assert backup(server.database, copy) == f"backed up to {copy}: {SAID}"
        check(copy)
        # A later one has what came since; the server continues.
        server.ask()
        assert backup(server.database, copy).startswith(f"backed up to {copy}: 4 asks, ")
        beside = server.database.with_name("a.sqlite.backup")
        assert backup(server.database, beside).startswith(f"backed up to {beside}: 4 asks, ")
    with Server(database=copy, OKCANCEL_KEY=(tmp_path / "a.sqlite.key").read_text().strip()) as restored:
        assert restored.request("GET", "/asks", headers=restored.authorized)[1].count("\n") == 4
        assert json.loads(restored.kept(server.answered))["values"] == {"user": "ann", "password": "swordfish"}


def test_a_backup_of_a_database_that_nobody_has_open_has_everything(tmp_path):
    with filled(tmp_path) as server:
        assert server.stop() == 0
    copy = tmp_path / "copy.sqlite"
    assert backup(server.database, copy) == f"backed up to {copy}: {SAID}"
    check(copy)


def test_a_backup_that_fails_says_why_and_leaves_the_earlier_copy(tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_text("the one before")
    assert "there is no database at" in backup(tmp_path / "none.sqlite", copy, 70)
    (tmp_path / "other.sqlite").write_text("Dear diary, " * 1000)
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "folder.sqlite").mkdir()
    with sqlite3.connect(tmp_path / "theirs.sqlite") as theirs:
        theirs.execute("CREATE TABLE diary (text)")
    theirs.close()
    for name, says in [("other", "is not an OKCancel database"), ("empty", "is not an OKCancel database"),
                       ("folder", "is not an OKCancel database"), ("theirs", "is another program’s database")]:
        path = tmp_path / f"{name}.sqlite"
        assert backup(path, copy, 70) == f"okcancel: nothing was backed up: {path} {says}; name another file\n"
    with filled(tmp_path) as server:
        # The server cannot write its own.
        (tmp_path / "a.sqlite.backup").mkdir()
        assert "a.sqlite.backup is not replaced: it is not a file;" in backup(server.database, copy, 70)
        (tmp_path / "a.sqlite.backup").rmdir()
        assert "cannot open" in backup(server.database, tmp_path / "nowhere" / "copy.sqlite", 70)
        assert server.request("GET", "/readyz")[0] == 200
    assert copy.read_text() == "the one before"
    assert "pg_dump backs up PostgreSQL" in backup("postgresql://ann@db/asks", copy, 64)


def test_only_an_earlier_backup_is_replaced(tmp_path):
    """Promise 1.9"""
    with filled(tmp_path) as server:
        here = {"cwd": tmp_path}
        reasons = {
            "a.sqlite": "it is the database itself", "fifo": "it is not a file", "link": "it is not a file",
            "/dev/null": "it is not a file",
            **dict.fromkeys(["a.sqlite.key", "a.sqlite-wal", "a.sqlite-shm"], "the database needs this name for itself")}
        os.mkfifo(tmp_path / "fifo")
        (tmp_path / "link").symlink_to("a.sqlite")
        for isRunning in [True, False]:
            for file, reason in reasons.items():
                path = tmp_path / file
                before = os.path.lexists(path) and os.lstat(path).st_ino
                ended = run("backup", file, "--database", "a.sqlite", options=here)
                assert ended.returncode == 70 and f"{file} is not replaced: {reason};" in ended.stderr, ended.stderr
                assert (os.path.lexists(path) and os.lstat(path).st_ino) == before
            if isRunning:
                server.ask()
                assert server.stop() == 0
    with Server(database=server.database) as again:
        assert again.request("GET", "/asks", headers=again.authorized)[1].count("\n") == 4


def test_a_signal_replaces_only_an_earlier_backup(tmp_path):
    with filled(tmp_path) as server:
        beside = tmp_path / "a.sqlite.backup"
        beside.write_text("mine")
        server.process.send_signal(signal.SIGUSR1)
        server.log.wait_for("a.sqlite.backup is not replaced: it is not a backup of this database; name another file, or move")
        assert beside.read_text() == "mine"
        beside.unlink()
        for _ in range(2):
            server.process.send_signal(signal.SIGUSR1)
            assert str(beside) in server.log.wait_for("backed up to")


def test_a_log_of_before_a_restore_is_refused_and_stays(tmp_path):
    """Promise 1.8"""
    with filled(tmp_path) as server:
        copy = tmp_path / "copy.sqlite"
        backup(server.database, copy)
        late = server.ask()
        server.kill()
    log = tmp_path / "a.sqlite-wal"
    crashed, kept = server.database.read_bytes(), log.read_bytes()
    shutil.copy(copy, server.database)
    words = ["serve", "--port", "0", "--database", server.database]
    for command in [words, ["backup", tmp_path / "other.sqlite", "--database", server.database]]:
        ended = run(*command)
        assert ended.returncode == 70 and f"{log} belongs to another database than {server.database}" in ended.stderr, ended.stderr
        assert log.read_bytes() == kept and server.database.read_bytes() == copy.read_bytes()
    # Both ways on.
    log.rename(tmp_path / "aside")
    with Server(database=server.database) as restored:
        assert restored.request("GET", "/asks", headers=restored.authorized)[1].count("\n") == 3
        assert restored.stop() == 0
    server.database.write_bytes(crashed)
    (tmp_path / "aside").rename(log)
    with Server(database=server.database) as again:
        assert again.call("GET", f"/asks/{late['id']}")["status"] == "open"


def test_a_program_that_the_signal_would_end_gets_none(tmp_path):
    with filled(tmp_path) as server:
        assert server.stop() == 0
    program = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('PRAGMA locking_mode = EXCLUSIVE'); db.execute('BEGIN EXCLUSIVE'); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program, server.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        assert "is in use by another process" in backup(server.database, tmp_path / "copy.sqlite", 70)
        assert holder.poll() is None
        holder.stdin.close()
