"""People are told at least once and everything is taken back, though servers are killed at random and a channel hangs."""

import os
import random
import time
from urllib.parse import urlsplit

import pytest

from Support.channels import Mailbox, Ntfy
from Support.client import FORM
from Support.postgresql import PostgreSQL
from Support.server import Server
from Support.waiting import wait_until

COUNT = 40


def links(messages):
    """All links of these messages, each from a line of its own."""
    return [line for message in messages for line in message["message"].split("\n") if "/a/" in line]


def test_two_servers_tell_each_person_at_least_once_and_take_all_of_it_back():
    random.seed(47)
    with PostgreSQL() as database, Ntfy(delay=0.05) as ntfy:
        words = ["--channel", f"phone={ntfy.channel()}"]
        nodes = [database.node(*words) for _ in range(2)]
        try:
            asks = []
            for number in range(COUNT):
                asks.append(nodes[number % 2].ask(notify=["phone"]))
                if random.random() < 0.1:
                    killed = random.randrange(2)
                    nodes[killed].kill()
                    nodes[killed].__exit__()
                    nodes[killed] = database.node(*words)
            ntfy.wait_for(lambda taken: {ask["link"] for ask in asks} <= set(links(taken)), 120)
            # What was on its way when its server was killed is sent once more when the lease is over.
            wait_until(lambda: "okcancel_notices_waiting 0" in nodes[0].request(
                "GET", "/metrics", headers=nodes[0].authorized)[1].splitlines(), 180)
            for number, ask in enumerate(asks):
                assert nodes[number % 2].request("POST", urlsplit(ask["link"]).path, "outcome=cancel", FORM)[0] == 200
            # What was sent by a server that was killed before it knew has no name to take it back by.
            ntfy.wait_for(lambda _: len(links(ntfy.shown)) == 0 or is_lost(ntfy, asks), 120)
            after = len(ntfy.taken)
            time.sleep(3)
            assert not links(ntfy.taken[after:])
            assert not ntfy.refused
        finally:
            for node in nodes:
                node.__exit__()


def is_lost(ntfy, asks):
    """Whether what is still shown was also sent in another message, which is over."""
    over = {message["sequence_id"] for message in ntfy.shown if not links([message])}
    sent = [(message["sequence_id"], link) for message in ntfy.taken for link in links([message])]
    return all(any(link == other and sequence in over for sequence, other in sent) for link in links(ntfy.shown))


@pytest.mark.parametrize("seconds", [3600, -3600])
def test_people_are_told_though_the_clock_was_wrong_before_a_restart(tmp_path, clock, seconds):
    wrong = {"LD_PRELOAD": clock, "OKCANCEL_TEST_CLOCK": str(seconds)}
    with Ntfy() as phone, Ntfy(404) as away:
        words = ["--channel", f"phone={phone.channel()}?every=2s", "--channel", f"away={away.channel()}"]
        with Server(*words, database=tmp_path / "kept.sqlite", **wrong) as server:
            server.ask(notify=["phone"], expiresIn=36_000)
            phone.wait_for(lambda taken: len(taken) == 1)
            # Both wait: the next notice for its turn, and one that failed for its next attempt.
            server.ask(notify=["phone", "away"], expiresIn=36_000)
            server.log.wait_for("notice failed")
            server.kill()
        with Server(*words, database=tmp_path / "kept.sqlite"):
            phone.wait_for(lambda taken: len(taken) >= 2)
            away.wait_for(lambda taken: len(taken) == 1)


def test_a_channel_that_hangs_delays_no_other():
    with Ntfy(delay=120) as hanging, Ntfy() as phone, Server(
            "--channel", f"slow={hanging.channel()}", "--channel", f"phone={phone.channel()}") as server:
        # More than may be on their way to one channel at once; each is told while all of those still wait.
        for _ in range(8):
            ask = server.ask(notify=["slow", "phone"])
            phone.wait_for(lambda taken: ask["link"] in links(taken), 60)


def test_a_mail_server_that_answers_no_quit_holds_up_nobody():
    with Mailbox(farewell=120) as mail, Ntfy() as phone:
        # As many as there are threads for Swift's tasks, and one that takes no mail.
        channels = {f"OKCANCEL_CHANNEL_MAIL{number}": mail.channel("from=a@example.com&to=b@example.com")
                    for number in range(os.cpu_count() + 1)}
        names = [variable.rsplit("_", 1)[1].lower() for variable in channels]
        channels["OKCANCEL_CHANNEL_MAIL0"] = mail.channel("from=a@example.com&to=nobody@example.com")
        mail.unknown["nobody@example.com"] = "550 5.1.1 unknown"
        words = [word for name in names for word in ("--channel", name)]
        with Server(*words, "--channel", f"phone={phone.channel()}", **channels) as server:
            mailed = [server.ask(notify=[name]) for name in names]
            mail.wait_for(lambda taken: len(taken) == len(names) - 1)
            for _ in range(4):
                ask = server.ask(notify=["phone"])
                phone.wait_for(lambda taken: ask["link"] in links(taken))
            for ask, state in zip(mailed, ["failed"] + ["sent"] * len(names)):
                wait_until(lambda: server.call("GET", f"/asks/{ask['id']}")["told"][0]["state"] == state)
