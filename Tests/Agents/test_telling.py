"""How the person hears of a question: each way of `okcancel mcp` with each other, at a real client and a real command."""

import asyncio
import json
import os
import re
import time

import pytest
from sdk import ERAS, MAJOR, connect, once
from Support.client import answer
from Support.command import TOKEN, on_path, script
from Support.server import Server
from Support.waiting import wait_until
from test_messages import Process

if MAJOR == 1:
    from mcp.types import ElicitResult, ErrorData
else:
    from mcp_types import ElicitResult, ErrorData

QUESTION = {"title": "Deploy version 4.2 to production?"}


@pytest.fixture(scope="module")
def keeper():
    """The server of those who ask through one."""
    with Server("Examples") as server:
        yield server


class Person:
    """Where links come to, by each way. A way that `fails` does so until it is mended."""

    def __init__(self, folder, notify, opens, elicits):
        self.folder, self.elicits, self.elicited = folder, elicits, []
        self.words = []
        if notify:
            self.way("notify", notify)
            self.words += ["--notify-command", f"{folder}/notify"]
        if opens:
            self.way("xdg-open", opens)
            self.words += ["--open"]

    def way(self, name, kind):
        source = '"$1"' if name == "xdg-open" else ""
        script(self.folder / name, (
            f"[ -e {self.folder}/mended-{name} ] || exit 3\n"
            f"grep -o 'http[^\"]*/a/[A-Za-z0-9_-]*' {source} | head -1 >> {self.folder}/links-{name}\n"))
        if kind == "works":
            self.mend(name)

    def mend(self, name):
        (self.folder / f"mended-{name}").touch()

    def links(self, name):
        file = self.folder / f"links-{name}"
        return file.read_text().split() if file.exists() else []

    @property
    def environment(self):
        return {"PATH": f"{self.folder}:{os.environ['PATH']}", "TMPDIR": str(self.folder)}

    @property
    def client(self):
        async def elicited(context, params):
            self.elicited.append(params.url)
            if self.elicits == "error":
                return ErrorData(code=-32603, message="this client has no window")
            return ElicitResult(action=self.elicits)

        return elicited if self.elicits else None



async def first(links):
    while not links():
        await asyncio.sleep(.02)
    return links()[0]


# What follows from each answer of a client is a table in MCPTests/SessionTests.swift. Here every two ways meet once, and
# each of them with and without a server.
WAYS = [
    (None, None, None), ("works", None, None), ("fails", None, None), (None, "works", None), (None, "fails", None),
    ("works", "works", None), ("works", "fails", None), ("fails", "works", None), ("fails", "fails", None),
    (None, None, "accept"), ("works", "fails", "accept"), (None, "works", "decline"), ("fails", None, "decline"),
    ("works", "works", "cancel"), ("fails", "fails", "cancel"), (None, None, "error"), ("fails", "works", "error"),
    ("works", None, "error"), (None, "fails", "error"),
]


@pytest.mark.parametrize("notify, opens, elicits", WAYS)
# Whether a server is between is the same with either SDK.
@pytest.mark.parametrize("through", [False, True] if MAJOR == 2 else [False])
@pytest.mark.parametrize("era", ERAS)
async def test_a_person_is_told_or_the_call_fails(tmp_path, keeper, era, through, notify, opens, elicits):
    if era == "modern" and elicits == "error":
        pytest.skip("this client ends its call by itself")
    person = Person(tmp_path, notify, opens, elicits)
    question = QUESTION | {"title": f"Deploy {tmp_path.name}?"}
    words = ["--server", keeper.url] if through else []
    environment = person.environment | ({"OKCANCEL_API_TOKEN": TOKEN} if through else {})

    async def answered(agent, links):
        """The person answers what came this way, and the model, which waits, learns of that and of no link."""
        waiting = asyncio.create_task(agent.call("ask_person", question))
        link = await first(links)
        await asyncio.to_thread(answer, link)
        result = await waiting
        assert (result.data["outcome"], "/a/" in "".join(result.texts)) == ("ok", False)

    async with connect("stdio", era, words + person.words, elicit=person.client, environment=environment) as agent:
        ways = {"notify": notify, "xdg-open": opens}
        if elicits == "accept":
            await answered(agent, lambda: person.elicited)
            assert not person.links("notify") and not person.links("xdg-open")
        elif elicits in ("decline", "cancel"):
            result = await agent.call("ask_person", question)
            said = "declined" if elicits == "decline" else "neither yes nor no"
            assert (result.is_error, said in result.texts[-1]) == (elicits == "cancel", True), result.texts
            assert "/a/" not in "".join(result.texts)
        elif "works" in ways.values():
            way = next(way for way, kind in ways.items() if kind == "works")
            await answered(agent, lambda: person.links(way))
            # One question, told once.
            opened = await agent.call("ask_person", question | {"wait": 0})
            if not elicits:
                assert re.search("handed to the command|handed to this machine's browser", opened.texts[1])
                again = await agent.call("ask_person", question | {"wait": 0})
                assert again.data["id"] == opened.data["id"]
                # What opens a browser may run longer than the call.
                wait_until(lambda: len(person.links(way)) >= 2)
                assert len(person.links(way)) == 2
            assert "link" not in opened.data and "/a/" not in "".join(opened.texts)
        elif not elicits and not any(ways.values()):
            opened = await agent.call("ask_person", question)
            assert opened.data["link"] in opened.texts[1]
            answer(opened.data["link"])
            assert (await agent.call("ask_outcome", {"id": opened.data["id"]})).data["outcome"] == "ok"
        else:
            for _ in range(2):
                result = await agent.call("ask_person", question)
                assert result.is_error and "/a/" not in "".join(result.texts)
                assert "The person could not be told: " in result.texts[0], result.texts
                assert "The question was withdrawn." in result.texts[0]
                for way, kind in ways.items():
                    assert not kind or "code 3" in result.texts[0]
            mended = next((way for way, kind in ways.items() if kind), None)
            if mended:
                person.mend(mended)
                await answered(agent, lambda: person.links(mended))
    if through:
        lines = keeper.request("GET", "/asks?status=open", headers=keeper.authorized)[1].splitlines()
        told = person.elicited + person.links("notify") + person.links("xdg-open")
        # Nobody waits for an answer to a question that nobody knows of.
        assert len([line for line in lines if tmp_path.name in line]) <= len(told)


@once
def test_a_command_that_is_not_there_fails_the_call(tmp_path):
    with Process("--notify-command", f"{tmp_path}/nothing", version="2025-11-25") as process:
        for _ in range(2):
            result = process.call("ask_person", QUESTION)
            text = json.dumps(result)
            assert result["isError"] and "there is no such command" in text and "/a/" not in text
        assert b"http" not in b"".join(process.errors)


@once
def test_a_command_that_does_not_end_is_killed_with_all_that_it_started(tmp_path):
    command = f"sleep 1000 & echo $! > {tmp_path}/child; wait"
    with Process("--notify-command", command, version="2025-11-25") as process:
        result = process.call("ask_person", QUESTION | {"wait": 60})
        assert result["isError"] and "did not end within 10 seconds" in json.dumps(result)
        child = int((tmp_path / "child").read_text())
        wait_until(lambda: not os.path.exists(f"/proc/{child}"))


@once
def test_a_browser_that_the_opener_becomes_shows_the_question(tmp_path):
    """Without a desktop, xdg-open runs until the browser ends."""
    path = on_path(tmp_path, **{"xdg-open": f'cat "$1" > {tmp_path}/page\nexec sleep 60\n'})
    with Process("--open", version="2025-11-25", PATH=path) as process:
        opened = process.call("ask_person", QUESTION | {"wait": 0})
        assert opened["structuredContent"]["status"] == "open"
        wait_until(lambda: (tmp_path / "page").exists() and "/a/" in (tmp_path / "page").read_text())


@once
@pytest.mark.parametrize("wait", [{}, {"wait": 0}, {"wait": 1}])
def test_a_new_question_is_new_however_long_the_call_waits(keeper, wait):
    with Process("--server", keeper.url, version="2025-06-18", OKCANCEL_API_TOKEN=TOKEN) as process:
        question = {"title": f"New {time.time()}?"} | wait
        first, again = (process.call("ask_person", question | more) for more in ({}, {"wait": 0}))
        assert [result["_meta"]["okcancel/isNew"] for result in (first, again)] == [True, False]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ask_person", "arguments": {"title": "New?"} | wait}})
    headers = {"Content-Type": "application/json"} | keeper.authorized
    assert json.loads(keeper.request("POST", "/mcp", body, headers)[1])["result"]["_meta"]["okcancel/isNew"] is True
