"""What `make bench` makes of what it measures."""

import sys
from types import SimpleNamespace

import pytest

from Support.command import ROOT, script
from Support.listener import Exchange, Listener

sys.path.insert(0, str(ROOT / "Benchmarks/driver"))

import asks_section  # noqa: E402
import load  # noqa: E402
import slow_asks  # noqa: E402
from report import Report  # noqa: E402

SERVER = SimpleNamespace(name="server", url="http://127.0.0.1:1", cpu=0)
PERCENTILES = "     50%    0.76ms\n     75%    1.00ms\n     90%    2.00ms\n     99%    8.30ms"
END = "  766660 requests in 10.00s, 1.00GB read"


@pytest.fixture
def wrk(tmp_path, monkeypatch):
    """Makes a wrk that prints one of these texts each time, and the last of them from then on."""
    def make(*outputs):
        for number, output in enumerate(outputs):
            (tmp_path / f"{number}.txt").write_text(output)
        (tmp_path / "left").write_text("\n".join(f"{tmp_path}/{number}.txt" for number in range(len(outputs))))
        script(tmp_path / "wrk", (
            f'cat "$(head -n 1 {tmp_path}/left)"\n[ "$(wc -l < {tmp_path}/left)" = 0 ] || sed -i 1d {tmp_path}/left'))
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return make


def test_a_run_without_a_99th_percentile_is_repeated(wrk):
    wrk(PERCENTILES.replace("99%", "   ") + "\n" + END, PERCENTILES + "\n" + END)
    assert load.run(SERVER, "/", 1).latency["99"] == 8.3


def test_only_the_server_that_never_has_one_fails(wrk):
    wrk(END)
    with pytest.raises(RuntimeError, match="server /: wrk printed no percentiles, 3 times"):
        load.run(SERVER, "/", 1)


def test_a_run_with_a_broken_connection_is_repeated(wrk):
    wrk(f"{PERCENTILES}\n{END}\n  Socket errors: connect 0, read 1, write 0, timeout 0", f"{PERCENTILES}\n{END}")
    assert load.run(SERVER, "/", 1).requests == 766660


def test_a_run_of_asks_in_which_nobody_was_woken_is_no_traceback(wrk):
    wrk(f"{PERCENTILES}\n{END}")
    with pytest.raises(RuntimeError, match="server: nobody was woken"):
        asks_section.ask_run(SERVER, 1, 64)


class Peer(Exchange):
    """Answers with this body. Of three asks it refuses to make the second."""

    protocol_version = "HTTP/1.1"
    body, failing = b"{}", -1

    def do_POST(self):
        self.read()
        if self.path == "/asks":
            type(self).failing += 1
        self.answer(503 if self.failing % 3 == 1 else 200, self.body)

    def do_GET(self):
        self.answer(200, self.body)


@pytest.mark.parametrize("body, why", [(b"{}", "an answer without 'id'"), (b"no", "/api/tasks: 200 no")])
def test_an_answer_that_lacks_what_it_should_have_is_a_failed_ask(monkeypatch, body, why):
    monkeypatch.setattr(Peer, "body", body)
    with Listener(Peer) as peer, pytest.raises(RuntimeError, match=why):
        slow_asks.measure(SimpleNamespace(name="peer", port=peer.server_port, cpu=0), 0.1, 1)


def test_a_wake_that_fails_is_told_of_and_the_others_count(monkeypatch):
    monkeypatch.setattr(Peer, "body", b'{"id":"1","link":"http://127.0.0.1/a/1","status":"closed"}')
    monkeypatch.setattr(Peer, "failing", -1)
    report = Report("quick")
    with Listener(Peer) as peer:
        server = SimpleNamespace(name="server", port=peer.server_port)
        assert len(asks_section.wakes(report, server, server, 5)) == 3
    assert not report.is_whole
    assert report.lines.count("Not run: a wake: server answers POST /asks with 503") == 2


@pytest.mark.parametrize("measured, direction, shown", [
    (1.1523, "at most", "1.152 ×"), (1.15, "at most", "1.15 ×"), (1.1477, "at most", "1.15 ×"), (1.30, "at most", "1.30 ×"),
    (1.1499, "at least", "1.1499 ×"), (1.16, "at least", "1.16 ×"),
])
def test_a_measured_number_says_by_itself_whether_its_target_is_met(measured, direction, shown):
    report = Report("quick")
    report.target("a ratio", measured, 1.15, direction, "×")
    assert report.targets.rows[0][1] == shown
