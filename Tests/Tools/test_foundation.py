"""What Sources uses of Foundation is in `foundation.txt`, each with its reason; of Swift's `Regex` they use nothing.

Foundation's formatters, calendars and locales need data that the release leaves out: they end the process. A `Regex` is
built anew wherever its literal stands, which takes 0.4 ms. Both are seen in the symbols that the objects of the build need.
"""

import re
import subprocess
from pathlib import Path

from Support.command import BINARY, ROOT

OBJECTS = Path(BINARY).resolve().parent
# What stands before the name itself, in the words of `swift demangle`.
WORDS = re.compile(
    r"^(?:(?:static|async function pointer to|dispatch thunk of|method descriptor for|type metadata(?: accessor)? for"
    r"|nominal type descriptor for|protocol (?:witness table|conformance descriptor|descriptor) for"
    r"|(?:generic|function signature) specialization <[^:]*?> of|lazy .*? for) )+")
NAME = re.compile(r"^(?:\(extension in Foundation\w*\):)?(?:Foundation\w*|Swift)\.([\w.]+)")


def symbols():
    """The symbols that our own objects need, each with the files that do."""
    objects = [
        path for folder in sorted((ROOT / "Sources").iterdir())
        for source in folder.rglob("*.swift") if (path := OBJECTS / f"{folder.name}.build" / f"{source.name}.o").exists()]
    assert len(objects) > 100, f"there is no build in {OBJECTS}"
    lines = subprocess.run(["nm", "-uA", *objects], capture_output=True, text=True, check=True).stdout
    named = subprocess.run(["swift", "demangle"], input=lines, capture_output=True, text=True, check=True).stdout
    needed = {}
    for line in named.splitlines():
        path, _, symbol = line.partition(": ")
        needed.setdefault(symbol.strip().removeprefix("U "), []).append(Path(path).name.removesuffix(".o"))
    return needed


NEEDED = symbols()


def foundation(symbol):
    """The type of Foundation that a symbol belongs to, or the member that Foundation gives to another; None for others."""
    plain = WORDS.sub("", symbol)
    found = NAME.match(plain)
    if not found or not plain.startswith(("Foundation", "(extension in Foundation")):
        return None
    names = found[1].split(".")
    if not plain.startswith("(") or plain.split("):")[1].startswith("Foundation"):
        return names[0]
    if names[1][0].isupper():
        return ".".join(names[:2])
    labels = [] if "getter" in names else re.findall(r"(?:^|, )(\w+): ", re.sub(r"<.*?>", "", plain[found.end():]).strip("("))
    return ".".join(names[:2]) + (f"({':'.join(labels)}:)" if labels else "")


def test_what_is_used_of_foundation_is_allowed():
    rows = [line for line in (ROOT / "Tests/Tools/foundation.txt").read_text("utf-8").splitlines() if line and line[0] != "#"]
    allowed = [row.split("; ", 1)[0] for row in rows]
    assert allowed == sorted(set(allowed))
    used = {}
    for symbol, files in NEEDED.items():
        if name := foundation(symbol):
            used.setdefault(name, set()).update(files)
    assert not {name: files for name, files in used.items() if name not in allowed}
    # The debug build also needs what the optimizer removes.
    assert "debug" in str(OBJECTS) or set(allowed) == set(used)


def test_no_regex_is_used():
    assert not {symbol: files for symbol, files in NEEDED.items() if "_StringProcessing.Regex" in symbol}
