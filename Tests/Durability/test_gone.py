"""A database that goes away: nothing is acknowledged any more, and no other one is made in its place."""

import json
import os
import re
import shutil
import signal
import sqlite3

import pytest

from durable import Acknowledged, Fault, Server, copied
from Support.client import FORM
from Support.command import run
from test_files import kept, refused


def refuses(server, ask, says):
    assert server.answer(ask, "late@example.com") == 503
    assert server.ask() is None
    status, said = server.request("GET", "/readyz")
    assert status == 503 and says in json.loads(said)["detail"], said
    assert server.request("GET", "/healthz")[0] == 200


def test_a_removed_database_takes_no_answer_and_its_backup_has_all(tmp_path):
    """Promise 1.7 | If the database is removed, replaced or truncated under a running server, the server accepts no more
    answers and never creates a new database in its place.
    """
    told = Acknowledged()
    with Server(tmp_path, OKCANCEL_LOG_LEVEL="info") as server:
        asks = [server.ask() for _ in range(20)]
        told.answer_all(server, asks[:10])
        server.database.unlink()
        for ask in asks[10:]:
            assert told.answer(server, ask, "late@example.com")
        assert {status for status, _ in told.refused} == {503} and len(told.refused) == 10
        refuses(server, asks[-1], "kept.sqlite was removed, replaced or cut short while it was open; move it back, or")
        server.process.send_signal(signal.SIGUSR1)
        server.log.wait_for("backed up to")
        assert server.stop() == 0
    refused(tmp_path / "kept.sqlite", "belongs to a database that is not here")
    (tmp_path / "kept.sqlite-wal").unlink()
    refused(tmp_path / "kept.sqlite", "kept.sqlite.key belongs to a database that is not here")
    assert not (tmp_path / "kept.sqlite").exists()
    (tmp_path / "kept.sqlite.backup").rename(tmp_path / "kept.sqlite")
    with Server(tmp_path) as server:
        told.check(server)
        assert server.answer(asks[-1], "again@example.com") == 200


@pytest.mark.parametrize("half", [False, True], ids=["to nothing", "to half"])
@pytest.mark.parametrize("end", ["stop", "kill"])
@pytest.mark.parametrize("noticed", ["by an answer", "by itself", "at the stop"])
def test_a_log_cut_short_loses_nothing_and_the_next_start_says_what_it_lacks(tmp_path, half, end, noticed):
    if (end, noticed) == ("kill", "at the stop"):
        pytest.skip("a process that is killed notices nothing")
    path, log, copy = [tmp_path / f"kept.sqlite{end}" for end in ("", "-wal", ".rescued")]
    told = Acknowledged()
    with Server(tmp_path) as server:
        asks = [server.ask() for _ in range(61)]
        told.answer_all(server, asks[:60])
        assert len(told.answers) == 60
        for number in range(9):
            assert server.request("POST", "/prompts/email", f"email=p{number}@example.com", FORM)[0] == 200
        os.truncate(log, log.stat().st_size // 2 if half else 0)
        if noticed == "by an answer":
            refuses(server, asks[60], "kept.sqlite-wal was removed, replaced or cut short while it was open")
        if noticed != "at the stop":
            line = server.log.wait_for("cut short")
            assert f"(61 asks, 60 outcomes and 9 answers to standing prompts) is saved in {copy}" in line
            # What it knows it still says; and it does not say the same each second.
            told.check(server)
        assert getattr(server, end)() == (0 if end == "stop" else -9)
        assert f"saved in {copy}" in server.log.text and " is in the database now" not in server.log.text
    said = refused(path, " answers to standing prompts that were acknowledged and are saved in")
    assert re.search(f"60 outcomes and {'[1-9]' if half else '9'} answers ", said)
    assert f"move that file to {path} and remove {log}" in said
    copy.rename(path)
    log.unlink()
    with Server(tmp_path) as server:
        told.check(server)
        assert server.answer(asks[60], "again@example.com") == 200
        assert server.request("GET", "/prompts/email/answers")[1].count("\n") == 9
        assert server.log.text == ""


def test_a_database_without_its_log_is_refused_until_somebody_says_so(tmp_path):
    path, log = tmp_path / "kept.sqlite", tmp_path / "kept.sqlite-wal"
    with Server(tmp_path) as server:
        assert server.ask()
        server.process.send_signal(signal.SIGSTOP)
        log.rename(tmp_path / "aside")
        server.kill()
    said = refused(path, f"was in use when it was last written, and its log {log} is not beside it")
    assert f"make an empty log (touch {log})" in said and not log.exists()
    (tmp_path / "aside").rename(log)
    with Server(tmp_path) as server:
        assert server.request("GET", "/asks")[1].count("\n") == 1
        server.process.send_signal(signal.SIGSTOP)
        log.write_bytes(b"")
        server.kill()
    with Server(tmp_path) as server:
        assert " error " in server.log.wait_for("kept.sqlite-wal is empty, which it never is while a server runs")
        # What was in the log before the last start is in the file.
        assert server.request("GET", "/asks")[1].count("\n") == 1
        assert server.stop() == 0
    with Server(tmp_path) as server:
        assert server.log.text == ""


@pytest.mark.parametrize("state", ["closed", "killed", "of 0.1.0"])
def test_a_start_or_stop_that_loses_power_at_any_moment_locks_nobody_out(tmp_path, state):
    """Promise 1.8"""
    (source := tmp_path / "source").mkdir()
    if state == "of 0.1.0":
        copied("made-by-0.1.0.db", source / "kept.sqlite")
    else:
        with Server(source) as server:
            assert server.ask()
            server.stop() if state == "closed" else server.kill()
    fault, path, counts = Fault(tmp_path), tmp_path / "kept.sqlite", set()
    # Every fourth moment is enough for every day.
    for moment in range(1, 1000, 1 if "OKCANCEL_FAULTS" in os.environ else 4):
        for file in source.iterdir():
            shutil.copy(file, tmp_path)
        fault.arm(Fault.POWER_FAILS_ANYWHERE, moment)
        # Opens the database, writes to it and closes it.
        first = run("rekey", "--database", path, **fault.environment)
        second = run("rekey", "--database", path)
        assert (first.returncode == 0) == (fault.hits == 0) and second.returncode == 0, (moment, first.stderr, second.stderr)
        with sqlite3.connect(path) as database:
            counts.add(database.execute("SELECT (SELECT count(*) FROM asks), (SELECT count(*) FROM answers)").fetchone())
        database.close()
        for file in tmp_path.glob("kept.sqlite*"):
            file.unlink()
        if first.returncode == 0:
            break
    assert first.returncode == 0 and moment > 10 and len(counts) == 1


@pytest.mark.parametrize("left", ["emptied", "missing"])
def test_no_new_database_is_begun_beside_the_key_of_another(tmp_path, left):
    """Promise 1.7"""
    path = kept(tmp_path, asks=1)
    if left == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    said = refused(path, "kept.sqlite.key belongs to a database that is not here")
    assert "restore it from a backup, or move the key away" in said
    assert path.exists() == (left == "emptied")
    (tmp_path / "kept.sqlite.key").rename(tmp_path / "aside")
    with Server(tmp_path) as server:
        assert server.ask()


def test_a_damaged_log_is_told_with_what_was_left_out(tmp_path):
    """Promise 1.11 | The server reports at startup what SQLite leaves out of a damaged log, and keeps the log."""
    with Server(tmp_path) as server:
        for _ in range(20):
            assert server.ask()
        server.kill()
    log = tmp_path / "kept.sqlite-wal"
    whole = bytearray(log.read_bytes())
    offset = 32 + len(whole) // 4120 // 2 * 4120
    whole[offset + 1000] ^= 0xFF
    log.write_bytes(whole)
    with Server(tmp_path) as server:
        line = server.log.wait_for("kept.sqlite-wal is damaged at byte")
        assert " error " in line and f"the whole log is in {log}.damaged" in line
        assert server.ask() and server.stop() == 0
    assert (tmp_path / "kept.sqlite-wal.damaged").read_bytes() == whole
    with Server(tmp_path) as server:
        assert server.ask() and server.stop() == 0
        assert server.log.text == ""
