"""`okcancel ask`, and programs that ask, under way."""

import subprocess
from urllib.parse import urlsplit

from Support.client import FORM, Client, page
from Support.command import BINARY, ROOT, clean, script


class Asking:
    """A program that asks, with the link that it printed on `stream`."""

    def __init__(self, *words, program=(BINARY, "ask"), stream="stderr", cwd=ROOT, **environment):
        self.process = subprocess.Popen(
            [*program, *map(str, words)], cwd=cwd, env=clean(environment), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.link = getattr(self.process, stream).readline().split()[-1]

    def answer(self, body):
        """What a form post to the link is answered with: status and text."""
        return Client(self.link, None).request("POST", urlsplit(self.link).path, body, FORM)

    def ended(self):
        """Exit code, standard output and what else was said."""
        output, said = self.process.communicate(timeout=60)
        return self.process.returncode, output, said

    def page(self):
        """What the person sees who opens the link."""
        return page(self.link)


def look_with(folder, text):
    """Words for `serve`: this folder, whose prompt `ask` asks the predicate `look` about its field `a`, as this script does."""
    (folder / "ask.yaml").write_text("title: Ask\nfields: [{name: a, rules: [{predicate: look}]}]\n")
    return folder, "--predicate", f"look={script(folder / 'look', text)}"
