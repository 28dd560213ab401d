"""What others make of a title in a notice: no link and no mention but ours, and ordinary titles stay as they are.

Titles go through a server, as they do for people. `SEED` and `N` of the environment are for `make linkify`.
"""

import json
import os
import random
import re

import pytest
from linkify_it import LinkifyIt

from Support.receiver import Receiver
from Support.server import Server

SEED, COUNT, WAYS = int(os.environ.get("SEED") or 1), int(os.environ.get("N") or 500), 8

NAMES = ["evil", "café", "cafe\u0301", "i❤", "пример", "例え", "a_b", "x-y", "4chan", "xn--e1a", "www", "API", "١٢"]
ENDS = ["com", "ws", "рф", "co.uk", "io", "рус", "example", "museum", "中国", "xn--p1ai", "dev", "COM"]
SCHEMES = ["http://", "https://", "ftp://", "//", "mailto:", "HTTPS://", "javascript:", "tel:", "slack://", "ssh://", "http:"]
BEFORE = ["", "", "(", "-", "<", "[", "\"", "x", "||", "*", "_", "~~", "`", "|", ">", "“", ".", "…", "🙂", "=", "&lt;"]
AFTER = ["", "", ")", ",", ">", "]", "\"", "||", "*", "_", "~~", "`", "|x>", "!", "?", ".", "”", "…", "&gt;"]
MENTIONS = ["@everyone", "@here", "@channel", "<!here>", "<!channel|x>", "<@U024BE7LH>", "<#C024BE91L>", "<@&165511591545143296>",
            "<@!80351110224678912>", "<!subteam^S1>", "<!date^1^{date}^https://e.com|x>", "<t:1618953630:R>", "<:a:1>", "</a:1>"]
TEXTS = ["Deploy", "now?", "[click](", "](https://evil.com)", "# head", "-# small", "> quote", "a", "4.2.1", "12:30", "v1.2", "/"]


def hostile(chance):
    """A title that some program could act on."""
    def machine():
        kind = chance.random()
        if kind < .2:
            return ".".join(str(chance.randrange(256)) for _ in range(4))
        if kind < .3:
            return "localhost"
        return ".".join(chance.choices(NAMES, k=chance.randint(1, 3)) + [chance.choice(ENDS)])

    def part():
        kind = chance.random()
        if kind < .15:
            return chance.choice(MENTIONS)
        if kind < .3:
            return chance.choice(TEXTS)
        word = machine()
        if kind < .6:
            word = chance.choice(SCHEMES) + word
        elif kind < .75:
            word = chance.choice(NAMES) + "@" + word
        if chance.random() < .3:
            word += chance.choice([":80", ":443/x", "/login", "/a?b=c#d", "?x", "/4.2.1"])
        return chance.choice(BEFORE) + word + chance.choice(AFTER)

    return chance.choice(["", " "]).join(part() for _ in range(chance.randint(1, 3))).strip() or "a"


def ordinary():
    """200 titles as people write them."""
    things = ["the database", "staging", "the billing service", "Ada’s access", "node 12"]
    titles = [f"Deploy version {major}.{minor}.{major + minor} to production?" for major in range(1, 5) for minor in range(5)]
    titles += [f"Restart {thing} at {hour}:30?" for thing in things for hour in (7, 12, 22, 23)]
    titles += [f"Approve v{major}.{minor} of {thing}" for major in (1, 2) for minor in (0, 7) for thing in things]
    titles += [f"Pay ${amount}.50 to supplier #{amount}?" for amount in range(10, 30)]
    titles += [f"Pay €{amount},99 for ticket OPS-{amount}?" for amount in range(10, 30)]
    titles += [f"Delete /srv/data/{name}/*?" for name in "abcdefghijklmnopqrst"]
    titles += [f"Is 2026.11.{day} (Sat) fine for {thing}?" for day in range(10, 14) for thing in things]
    titles += [f"{who}: merge feature/{what}-{number}?" for who in ("Ada Lovelace", "J. R. Smith") for what in ("login", "ui") for number in range(5)]
    titles += [f"Increase the limit from {low} to {2 * low} (e.g. for tests)?" for low in range(1, 21)]
    titles += [f"Freigabe für Kunde {number}: 3 % Rabatt, ja?" for number in range(1, 11)]
    titles += ["Send README.md to Ada?", "Run src/main.swift?", "Is it 5 p.m. in the U.S.?", "Use `main`?", "Mail ops@example.com?",
               "Open https://example.com?", "Rate 4:1?", "Call std::sort?", "C++ or C#?", "What’s next…?"]
    return titles


ANDROID_IP = r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
LETTER = r"[^\W_]|[\u0300-\u036f\u2600-\u27bf]"
RULES = {
    # Patterns.AUTOLINK_WEB_URL and AUTOLINK_EMAIL_ADDRESS, whatever the end of the name is.
    "Android": rf"(?i)\b(?:https?|rtsp|ftp)://|{ANDROID_IP}(?=\b)|(?:{LETTER})\.(?:xn--\w+|(?:[^\W\d_]){{2,}})(?![^\W_])",
    "Slack, Discord: mentions": r"<[!@#]\S|(?<!\w)@\w|@(?:everyone|here|channel)",
    "Discord: spoilers, headings, quotes, small": r"\|\|.+\|\||^(?:#{1,3}|>|-#) ",
    "Markdown": r"\]\(|(?<![\w*])\*{1,3}[^\s*][^*]*\*|~~[^~]+~~",
    "Apprise, terminals": r"\w+://|(?i:mailto|tel|javascript):\S",
}


def shown(titles):
    """Each title as people are told of it, by the notices of a server."""
    told = {}
    with Receiver() as receiver, Server(*(
            word for way in range(WAYS) for word in ("--channel", f"a{way}={receiver.url}/{way}?closed=no")),
            OKCANCEL_WEBHOOK_SECRET="whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3") as server:
        links = {}
        for number, title in enumerate(titles):
            ask = server.call("POST", "/asks", {"definition": {"title": title}, "notify": [f"a{number % WAYS}"]})
            links[ask["link"]] = number
        while len(told) < len(titles):
            message = json.loads(receiver.next()[2])
            rest = message["body"]
            for ask in message["asks"]:
                block, _, rest = rest.partition(ask["link"])
                # A list shows each title above its question.
                several = len(message["asks"]) > 1
                told[links[ask["link"]]] = block.strip("\n").split("\n")[0] if several else message["title"]
    return [told[number] for number in range(len(titles))]


def test_no_title_becomes_a_link_or_a_mention():
    chance, linkify = random.Random(SEED), LinkifyIt(options={"fuzzy_ip": True})
    titles = [hostile(chance) for _ in range(COUNT)]
    found = []
    for title, text in zip(titles, shown(titles)):
        found += [(title, text, match.text) for match in linkify.match(text) or []]
        found += [(title, text, name) for name, rule in RULES.items() if re.search(rule, text)]
    assert not found, (len(found), found[:20])


def test_ordinary_titles_stay_as_they_are():
    titles = ordinary()
    assert len(titles) >= 200
    changed = [(title, text) for title, text in zip(titles, shown(titles)) if text != title]
    assert len(changed) <= 20, changed
