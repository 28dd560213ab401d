"""`okcancel hook` as a coding agent calls it, and the events of Tests/Hooks."""

import json
import subprocess

from Support.command import BINARY, ROOT, TOKEN, clean

FIXTURES = {each["name"]: each for each in json.loads((ROOT / "Tests/Hooks/events.json").read_text("utf-8"))["events"]}
COMMAND = FIXTURES["Claude Code, a command"]["event"]
AFTER = FIXTURES["Claude Code, after the command"]["event"]
STOP = FIXTURES["Claude Code, the end of a turn"]["event"]
ALLOW = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}


class Hook:
    """The command with an event on standard input, and the link that it shows, or None if it asks nobody, or if
    `shows_link` is false."""

    def __init__(self, event, server=None, *words, host="claude", token=TOKEN, shows_link=True, **environment):
        options = ["--server", server if isinstance(server, str) else server.url] if server else []
        self.process = subprocess.Popen(
            [BINARY, "hook", "--host", host, *options, *map(str, words)],
            env=clean({"OKCANCEL_API_TOKEN": token} | environment), cwd=ROOT, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            self.process.stdin.write(event if isinstance(event, bytes) else json.dumps(event).encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdin = None
        self.said, self.link = "", None
        while shows_link and not self.link and (line := self.process.stderr.readline().decode()):
            self.said += line
            self.link = line.split()[-1] if line.startswith("Answer at ") else None

    def ended(self):
        """Exit code and standard output."""
        output, more = self.process.communicate(timeout=60)
        self.said += more.decode()
        return self.process.returncode, output.decode()

    def decision(self):
        code, output = self.ended()
        assert code == 0
        return json.loads(output)
