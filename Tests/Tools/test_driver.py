"""What `make bench` makes of what it measures."""

import sys
from types import SimpleNamespace

import pytest

from Support.command import ROOT

sys.path.insert(0, str(ROOT / "Benchmarks/driver"))

import load  # noqa: E402
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
        program = tmp_path / "wrk"
        program.write_text(
            f'#!/bin/sh\ncat "$(head -n 1 {tmp_path}/left)"\n'
            f'[ "$(wc -l < {tmp_path}/left)" = 0 ] || sed -i 1d {tmp_path}/left\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return make


def test_a_run_without_a_99th_percentile_is_repeated(wrk):
    wrk(PERCENTILES.replace("99%", "   ") + "\n" + END, PERCENTILES + "\n" + END)
    assert load.run(SERVER, "/", 1).latency["99"] == 8.3


def test_only_the_server_that_never_has_one_fails(wrk):
    wrk(END)
    with pytest.raises(RuntimeError, match="server /: wrk printed no percentiles, 3 times"):
        load.run(SERVER, "/", 1)


@pytest.mark.parametrize("measured, direction, shown", [
    (1.1523, "at most", "1.152 ×"), (1.15, "at most", "1.15 ×"), (1.1477, "at most", "1.15 ×"), (1.30, "at most", "1.30 ×"),
    (1.1499, "at least", "1.1499 ×"), (1.16, "at least", "1.16 ×"),
])
def test_a_measured_number_says_by_itself_whether_its_target_is_met(measured, direction, shown):
    report = Report("quick")
    report.target("a ratio", measured, 1.15, direction, "×")
    assert report.targets.rows[0][1] == shown
