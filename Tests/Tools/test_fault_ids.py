"""The ids of faults are public: clients group and ignore faults by them."""

import pathlib
import re

HERE = pathlib.Path(__file__).parent
DECLARED = re.compile(r'(?:FaultSentence|\.init|slashes)\(\s*"([a-z0-9-]+)",')


def test_the_sources_declare_each_id_of_a_fault_that_clients_know_and_no_other():
    known = [line for line in (HERE / "fault-ids.txt").read_text().splitlines() if not line.startswith("#")]
    sources = [path.read_text("utf-8") for path in (HERE.parents[1] / "Sources").rglob("*.swift")]
    declared = {id for text in sources if "FaultSentence" in text for id in DECLARED.findall(text)}
    assert sorted(declared) == known
