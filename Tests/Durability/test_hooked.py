"""Calls that a person allows a coding agent, while servers and commands are killed: what the page, the notice and the
program read of a call's result is true, or they read none.

`OKCANCEL_HOOKED=1000` makes so many calls instead of a few, of `OKCANCEL_SEED` (`make hooked`)."""

import collections
import http.client
import itertools
import json
import os
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from durable import Server
from Support.channels import Ntfy
from Support.client import FORM
from Support.hooks import AFTER, ALLOW, COMMAND, Hook
from Support.server import free_port
from Support.waiting import wait_until

CALLS = int(os.environ.get("OKCANCEL_HOOKED") or "15")
SEED = os.environ.get("OKCANCEL_SEED") or "20261129"
EVENTS = {"done": "PostToolUse", "failed": "PostToolUseFailure"}
WORDS = {"Done": "done", "Failed": "failed", "No word from the program": "unknown"}


def asking(tool):
    """A call that is known by its tool, which stands in the title of its notices."""
    return COMMAND | {"session_id": f"session of {tool}", "tool_name": tool, "tool_input": {"command": "make"}}


def end(event, result):
    """What the host says of a call that was made."""
    return AFTER | {key: event[key] for key in ("session_id", "tool_name", "tool_input")} | {"hook_event_name": EVENTS[result]}


class House:
    """A server that is killed after so many steps of those who use it, and started again at the same address."""

    def __init__(self, folder, channel, chance):
        self.folder, self.words, self.chance = folder, ["--channel", f"phone={channel}"], chance
        self.options = {"OKCANCEL_PORT": str(free_port())}
        self.lock, self.left, self.kills = threading.Lock(), 3, 0
        self.server = self.start()

    def start(self, **more):
        self.server = Server(self.folder, *self.words, **self.options | more)
        return self.server

    def step(self):
        with self.lock:
            self.left -= 1
            if self.left:
                return
            self.left = self.chance.randint(5, 40)
            self.kills += 1
            self.server.kill()
            self.server.__exit__()
            self.start()


class Agent:
    """An agent that makes calls, asks a person for each by the hook, and tells what came of them."""

    def __init__(self, house):
        self.house, self.url = house, house.server.url
        # By link: what came of the call, if anything did; and its tool.
        self.links, self.tools = {}, {}
        self.lock, self.killed = threading.Lock(), itertools.count()

    def answer(self, link):
        try:
            self.house.server.request("POST", urlsplit(link).path, "outcome=ok", FORM)
        except (OSError, http.client.HTTPException):
            pass  # The server is gone.

    def kill(self, hook):
        next(self.killed)
        hook.process.kill()

    def call(self, number):
        """One call; or two at once that nobody can tell apart; or one after another."""
        chance = random.Random(f"{SEED} {number}")
        event = asking(f"Tool{number}")
        kind = chance.choice(["one", "one", "one", "two", "again"])
        if kind == "two":
            hooks = [self.ask(event) for _ in range(2)]
            chance.shuffle(hooks)
            for hook in [self.decided(hook, chance) for hook in hooks]:
                self.tell(hook, event, chance)
        else:
            for _ in range(1 + (kind == "again")):
                self.tell(self.decided(self.ask(event), chance), event, chance)

    def ask(self, event):
        self.house.step()
        hook = Hook(event, self.url, "--notify", "phone")
        if hook.link:
            with self.lock:
                self.links[hook.link], self.tools[hook.link] = None, event["tool_name"]
        return hook

    def decided(self, hook, chance):
        """The hook, once the host knows whether the call is made: if nobody says so here, it asks by itself."""
        moment = chance.randrange(6)
        if moment == 0:
            self.kill(hook)
        if hook.link:
            self.house.step()
            self.answer(hook.link)
        if moment == 1:
            self.kill(hook)
        hook.ended()
        return hook

    def tell(self, hook, event, chance):
        """Only calls that were asked here: what is allowed elsewhere and looks the same, no server can know."""
        result, moment = chance.choice(["done", "failed", None]), chance.randrange(6)
        if not hook.link or not result:
            return
        with self.lock:
            self.links[hook.link] = result
        self.house.step()
        over = Hook(end(event, result), self.url, shows_link=False)
        if moment == 0:
            # At any moment of its life.
            time.sleep(chance.random() * 0.05)
            self.kill(over)
        over.ended()


class Said:
    """What each surface says of the calls; what is false of it, and what of it is over in which way."""

    def __init__(self, agent):
        self.agent, self.server, self.false = agent, agent.house.server, []

    def check(self, surface, tool, words):
        """Done and failed are claims. There are no more of them than calls of this tool that ended so."""
        for word in EVENTS.keys() & set(words):
            made = [link for link in self.agent.links if self.agent.tools[link] == tool and self.agent.links[link] == word]
            if words.count(word) > len(made):
                self.false.append((surface, tool, word))

    def pages(self):
        """The status on the page of each link that was allowed here."""
        pages = {}
        for link, result in self.agent.links.items():
            text = self.server.request("GET", urlsplit(link).path, headers={"Accept": "text/html"})[1]
            if found := re.search(r'id="result"[^>]* data-status="(\w+)"', text):
                pages[link] = found[1]
                if found[1] in EVENTS and found[1] != result:
                    self.false.append(("page", link, found[1], result))
        return pages

    def asks(self):
        """The results that a program reads."""
        results, after = collections.defaultdict(list), ""
        while lines := self.server.request("GET", f"/asks?status=closed{after}")[1].splitlines():
            for ask in map(json.loads, lines):
                if ask["outcome"] == "ok":
                    results[ask["metadata"]["hook"]["tool"]].append(ask.get("result", {}).get("status"))
            after = f"&after={json.loads(lines[-1])['cursor']}"
        for tool, words in results.items():
            self.check("GET", tool, words)
        return [word for words in results.values() for word in words]

    def notices(self, taken):
        """All that notices ever said, also those that others replaced."""
        said = set()
        for each in taken:
            # Several questions are one message, each under its title.
            whole = each["message"] if "(+" in each["title"] else f"{each['title']}\n{each['message']}"
            words = collections.defaultdict(list)
            for tool, part in re.findall(r"^Claude Code: (\w+)$(.*?)(?=^Claude Code: |\Z)", whole, re.M | re.S):
                words[tool] += [word for text, word in WORDS.items() if text in part]
            for tool, told in words.items():
                self.check("notice", tool, told)
                said |= {(tool, word) for word in told}
        return collections.Counter(word for _, word in said)


def surely(agent, result):
    """A call that nothing disturbs: its result is known."""
    event = asking(f"Sure{result}")
    hook = agent.ask(event)
    agent.links[hook.link] = result
    agent.answer(hook.link)
    assert hook.decision() == ALLOW
    assert Hook(end(event, result), agent.url).ended() == (0, "")


def test_no_surface_says_of_a_call_what_did_not_happen(tmp_path, clock):
    with Ntfy() as ntfy:
        house = House(tmp_path, ntfy.channel(), random.Random(SEED))
        agent = Agent(house)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(agent.call, range(CALLS)))
        house.left = -1
        for result in EVENTS:
            surely(agent, result)
        said = Said(agent)
        soon = said.pages(), said.asks()
        house.server.__exit__()
        # A quarter of an hour later nobody says “Running…” any more.
        said.server = house.start(LD_PRELOAD=clock, OKCANCEL_TEST_CLOCK="900")
        wait_until(lambda: "running" not in said.pages().values())
        pages, results = said.pages(), said.asks()
        wait_until(lambda: "okcancel_notices_waiting 0" in said.server.request("GET", "/metrics")[1].splitlines(), 180)
        house.server.__exit__()
        told = said.notices(ntfy.taken)
    counts = collections.Counter(pages.values())
    print(f"{len(agent.links)} questions, {house.kills} kills of the server, {next(agent.killed)} of commands, "
          f"{len(pages)} allowed: {dict(counts)}; soon after: {dict(collections.Counter(soon[0].values()))}; "
          f"notices: {dict(told)}; {len(said.false)} false")
    assert said.false == []
    assert counts == collections.Counter(results) and EVENTS.keys() <= set(counts)
