"""A database that goes away: nothing is acknowledged any more, and no other one is made in its place."""

import json
import os
import signal

import pytest

from durable import Acknowledged, Server
from test_files import kept, refused


def refuses(server, ask, says):
    assert server.answer(ask, "late@example.com") == 503
    assert server.ask() is None
    status, said = server.request("GET", "/readyz")
    assert status == 503 and says in json.loads(said)["detail"], said
    assert server.request("GET", "/healthz")[0] == 200


def test_a_removed_database_takes_no_answer_and_its_backup_has_all(tmp_path):
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


def test_a_removed_log_takes_no_answer_and_loses_none(tmp_path):
    told = Acknowledged()
    with Server(tmp_path) as server:
        asks = [server.ask() for _ in range(20)]
        told.answer_all(server, asks[:10])
        (tmp_path / "kept.sqlite-wal").unlink()
        refuses(server, asks[-1], "kept.sqlite-wal was removed, replaced or cut short while it was open")
        server.kill()
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
        os.truncate(log, log.stat().st_size // 2 if half else 0)
        if noticed == "by an answer":
            refuses(server, asks[60], "kept.sqlite-wal was removed, replaced or cut short while it was open")
        if noticed != "at the stop":
            line = server.log.wait_for("cut short")
            assert f"(61 asks, 60 outcomes and 0 answers to standing prompts) is saved in {copy}" in line
            # What it knows it still says; and it does not say the same each second.
            told.check(server)
        assert getattr(server, end)() == (0 if end == "stop" else -9)
        assert f"saved in {copy}" in server.log.text and " is in the database now" not in server.log.text
    said = refused(path, "60 outcomes and 0 answers to standing prompts that were acknowledged and are saved in")
    assert f"move that file to {path} and remove {log}" in said
    copy.rename(path)
    log.unlink()
    with Server(tmp_path) as server:
        told.check(server)
        assert server.answer(asks[60], "again@example.com") == 200
        assert server.log.text == ""


def test_a_log_cut_to_nothing_right_before_kill_9_is_told(tmp_path):
    with Server(tmp_path) as server:
        assert server.ask()
        # Stopped, it notices nothing any more.
        server.process.send_signal(signal.SIGSTOP)
        os.truncate(tmp_path / "kept.sqlite-wal", 0)
        server.kill()
    with Server(tmp_path) as server:
        assert " error " in server.log.wait_for("kept.sqlite-wal is empty, which it never is while a server runs")
        assert server.ask()
        server.kill()
    with Server(tmp_path) as server:
        assert server.ask() and server.stop() == 0
        assert server.log.text == ""


def test_a_database_that_was_moved_away_is_missed_until_it_is_back(tmp_path):
    with Server(tmp_path) as server:
        ask = server.ask()
        server.database.rename(tmp_path / "aside")
        assert server.answer(ask, "late@example.com") == 503
        (tmp_path / "aside").rename(server.database)
        assert server.answer(ask, "ann@example.com") == 200
        assert server.kept(ask)["values"] == {"email": "ann@example.com"}


@pytest.mark.parametrize("left", ["emptied", "missing"])
def test_no_new_database_is_begun_beside_the_key_of_another(tmp_path, left):
    path = kept(tmp_path, asks=1)
    if left == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    said = refused(path, "kept.sqlite.key belongs to a database that is not here")
    assert "restore it from a backup, or move the key away" in said
    assert path.exists() == (left == "emptied")


def test_a_damaged_log_is_told_with_what_was_left_out(tmp_path):
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
