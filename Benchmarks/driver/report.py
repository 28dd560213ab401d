"""What a run found, as Markdown."""

import textwrap
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import machine


BEGIN, END = "<!-- results of make bench -->", "<!-- end of results -->"


class Table:
    def __init__(self, *heads: str) -> None:
        self.heads = heads
        self.rows: list[tuple[str, ...]] = []

    def add(self, *cells: str) -> None:
        self.rows.append(cells)

    @property
    def markdown(self) -> list[str]:
        marks = ["---" if index == 0 or not self._is_number(index) else "---:" for index in range(len(self.heads))]
        return [_row(self.heads), _row(marks), *map(_row, self.rows)]

    def _is_number(self, column: int) -> bool:
        return all(not row[column] or row[column].lstrip("−-")[:1].isdigit() for row in self.rows)


class Report:
    """Prints as it goes and keeps everything for the file."""

    def __init__(self, mode: str) -> None:
        self.targets = Table("what", "measured", "wanted", "")
        self.missed: list[str] = []
        self.lines: list[str] = []
        self.is_whole = True
        self.mode, self.load_before = mode, machine.load_average()
        self.machine = [f"- {line}" for line in machine.description()]

    def section(self, title: str) -> None:
        self._say("", f"## {title}", "")

    def text(self, text: str) -> None:
        self._say(text, "")

    def table(self, table: Table) -> None:
        self._say(*table.markdown, "")

    @contextmanager
    def rows(self, *heads: str) -> Iterator[Table]:
        """A table that is kept as far as it came, whatever stops it."""
        table = Table(*heads)
        try:
            yield table
        finally:
            if table.rows:
                self.table(table)

    def attempt(self, what: str, part: Callable[[], None]) -> None:
        """Runs a part of the whole. One that fails is told of; the others are still worth having."""
        try:
            part()
        except Exception as error:  # noqa: BLE001
            traceback.print_exc()
            self.missing([f"the rest of “{what}”: {error or type(error).__name__}"])

    def missing(self, reasons: list[str]) -> None:
        """Why something was left out, each a line."""
        for reason in reasons:
            self.is_whole = False
            self._say(f"Not run: {' '.join(reason.split())[:600]}", "")

    def target(self, what: str, measured: float, limit: float, direction: str, unit: str) -> None:
        """`direction`: `at most` or `at least`."""
        met = measured <= limit if direction == "at most" else measured >= limit
        digits = 2 if abs(measured) < 100 else 0
        # As many that the number shown says by itself whether the target is met.
        while (round(measured, digits) <= limit if direction == "at most" else round(measured, digits) >= limit) != met:
            digits += 1
        shown = f"{measured:,.{digits}f}"
        self.targets.add(what, f"{shown} {unit}", f"{direction} {limit:g} {unit}", "met" if met else "**missed**")
        if not met:
            self.missed.append(f"{what}: {shown} {unit}, wanted {direction} {limit:g}")

    def summary(self) -> None:
        print("\n".join(self._targets), flush=True)
        met = len(self.targets.rows) - len(self.missed)
        print(f"{met} targets met, {len(self.missed)} missed" + "".join(f"\n  {line}" for line in self.missed), flush=True)

    def write(self, path: Path) -> None:
        path.write_text("\n".join(["# Results", "", *self._whole]).rstrip() + "\n")

    def keep(self, page: Path) -> None:
        """Puts the results between the page's two marks."""
        text = page.read_text()
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        lines = [line if line.startswith(("|", "-")) else textwrap.fill(line, 120, break_on_hyphens=False) for line in self._whole]
        whole = "\n".join(lines).strip().replace("\n## ", "\n### ")
        page.write_text(f"{before}{BEGIN}\n\n{whole}\n\n{END}{after}")

    @property
    def _head(self) -> list[str]:
        return [
            f"A {self.mode} run of `make bench` on {date.today():%d %B %Y}. Load average of the machine: "
            f"{self.load_before} before the run, {machine.load_average()} at its end, including the run itself.", "", *self.machine, "",
        ]

    @property
    def _targets(self) -> list[str]:
        return ["## Targets", "", *self.targets.markdown, ""]

    @property
    def _whole(self) -> list[str]:
        lines = self._head + self._targets + self.lines
        # No two empty lines in a row.
        return [line for index, line in enumerate(lines) if line or (index and lines[index - 1])]

    def _say(self, *lines: str) -> None:
        print("\n".join(lines), flush=True)
        self.lines += lines


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "|" + "|".join(cells) + "|"
