"""The ids of faults are public: clients group and ignore faults by them."""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parents[1] / "Sources/Prompts"


def test_the_sources_declare_each_id_of_a_fault_that_clients_know_and_no_other():
    known = [line for line in (HERE / "fault-ids.txt").read_text().splitlines() if not line.startswith("#")]
    rows = [line.split("; ") for line in (SOURCES / "faults.txt").read_text("utf-8").splitlines() if "; " in line]
    # A row that says only what to do, or where, is a part of others.
    declared = {re.split("[./]", row[0])[0] for row in rows if len(row) > 2 and row[1] and not row[0].startswith("#")}
    for path in SOURCES.rglob("*.swift"):
        declared |= set(re.findall(r'FaultRow\("([a-z]+)", saying:', path.read_text("utf-8")))
    assert sorted(declared) == known
