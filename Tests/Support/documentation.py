"""The examples that pages of Documentation/ give."""

import re

from Support.command import ROOT


class Page:
    """One page, by its name in Documentation/."""

    def __init__(self, name):
        self.text = (ROOT / "Documentation" / name).read_text("utf-8")

    def example(self, language, containing="", under=""):
        """The first code of this language with these words in it, below the heading that begins so."""
        text = self.text[self.text.index(f"## {under}"):] if under else self.text
        return next(code for code in re.findall(rf"```{language}\n(.*?)```", text, re.S) if containing in code)
