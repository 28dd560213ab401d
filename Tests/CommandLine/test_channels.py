"""Telling people: what leaves by each channel, what becomes of it, and what is taken back."""

import json
import re
import time
from datetime import datetime, timedelta, timezone

import pytest
from asking import Asking

from Support.channels import Mailbox, Ntfy, Slack
from Support.command import run
from Support.receiver import Receiver
from Support.server import Server
from Support.waiting import wait_until

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"


def serving(*words, **environment):
    return Server(*words, **{"OKCANCEL_WEBHOOK_SECRET": SECRET} | environment)


def test_a_reminder_says_that_it_is_one_and_belongs_to_the_first_mail():
    with Slack() as slack, Mailbox() as mailbox, serving(
            "--channel", "bot", "--channel", "mail", OKCANCEL_CHANNEL_BOT=slack.bot,
            OKCANCEL_CHANNEL_MAIL=mailbox.channel("from=okcancel@example.com&to=ops@example.com")) as server:
        server.call("POST", "/asks", {
            "definition": {"title": "Freigeben?", "language": "de"}, "notify": ["bot", "mail"], "expiresIn": 60,
            "remindBefore": "58s"})
        mailbox.wait_for(lambda taken: len(taken) == 2)
        slack.wait_for(lambda taken: len(taken) == 2)
        first, reminder = mailbox.taken
        assert (first["Subject"], reminder["Subject"]) == ("Freigeben?", "Erinnerung: Freigeben?")
        assert reminder["In-Reply-To"] == reminder["References"] == first["Message-ID"] != reminder["Message-ID"]
        assert first["In-Reply-To"] is None
        assert slack.taken[1]["blocks"][0]["text"]["text"] == "Erinnerung: Freigeben?"
        assert "|Öffnen>" in slack.taken[1]["blocks"][2]["text"]["text"]


def test_slack_says_why_in_its_own_word():
    with Slack("not_in_channel") as slack:
        told = run("notify", "--test", "bot", OKCANCEL_CHANNEL_BOT=slack.bot)
        assert told.stderr.endswith("responded 200, and said: not_in_channel\n")


def last_line(text):
    return text.rstrip("\n").split("\n")[-1]


def test_slack_bots_update_their_message_and_webhooks_stay(tmp_path):
    with Slack() as slack, serving(
            "--channel", "bot", "--channel", "hook", OKCANCEL_CHANNEL_BOT=slack.bot,
            OKCANCEL_CHANNEL_HOOK=slack.hook) as server:
        ask = server.ask(notify=["bot", "hook"])
        slack.wait_for(lambda taken: len(taken) == 2)
        for message in slack.taken:
            assert message["blocks"][0]["text"]["text"] == "Your Email"
            assert last_line(message["blocks"][1]["text"]["text"]) == last_line(message["text"]) == ask["link"]
            # Slack makes no link of a plain text.
            assert message["blocks"][2]["text"]["text"] == f"<{ask['link']}|Open>"
        assert {message["authorization"] for message in slack.taken} == {"Bearer xoxb-1", None}
        server.call("DELETE", f"/asks/{ask['id']}")
        slack.wait_for(lambda taken: len(taken) == 3)
        update = slack.taken[2]
        posted = next(message for message in slack.taken if message["method"] == "chat.postMessage")
        assert (update["method"], update["channel"]) == ("chat.update", posted["channel"])
        assert "No longer needed" in update["text"] and ask["link"] not in json.dumps(update)


def test_mail_reaches_its_address_and_people_of_its_domains(tmp_path):
    with Mailbox(tmp_path) as mailbox, serving(
            "--channel", "mail", "--identity-header", "Remote-User", "--identity-groups", "Remote-Groups", "--trust-proxy",
            "127.0.0.1", OKCANCEL_CHANNEL_MAIL=mailbox.channel(
                "from=okcancel@example.com&to=ops@example.com&domains=example.com&every=1s"),
            SSL_CERT_FILE=str(mailbox.certificate)) as server:
        people = ["ada@example.com", "bob@example.com", "eve@evil.example", "group:release", "no address"]
        ask = server.ask(
            notify=["mail", "for"], **{"for": people}, notBy=["bob@example.com"], requestedBy={"id": "carl", "name": "Carl"})
        mailbox.wait_for(lambda taken: len(taken) == 2)
        assert sorted(mail["To"] for mail in mailbox.taken) == ["ada@example.com", "ops@example.com"]
        for mail in mailbox.taken:
            assert mail.receivers == [mail["To"]]
            assert mail["Auto-Submitted"] == "auto-generated" and mail["Message-ID"].endswith("@example.com>")
            assert abs(mail["Date"].datetime.timestamp() - time.time()) < 60
            assert mail["Subject"] == "Your Email" and mail.get_content_type() == "text/plain"
            assert last_line(mail.get_content()) == ask["link"] and "Carl (carl)" in mail.get_content()
        server.call("PATCH", f"/asks/{ask['id']}", {"for": ["ada@example.com", "dora@example.com"]})
        mailbox.wait_for(lambda taken: len(taken) == 3)
        assert mailbox.taken[2]["To"] == "dora@example.com"


def test_json_is_signed_and_hears_the_end():
    from standardwebhooks import Webhook
    with Receiver() as receiver, serving("--channel", f"home={receiver.url}/hook?x=1") as server:
        ask = server.ask(notify=["home"], metadata={"order": 7})
        path, headers, body = receiver.next()
        told = Webhook(SECRET).verify(body, headers)
        assert path == "/hook?x=1" and told["event"] == "asked" and told["link"] == ask["link"]
        assert told["asks"][0]["id"] == ask["id"] and "order" not in body.decode()
        server.answer(ask)
        _, headers, body = receiver.next()
        over = Webhook(SECRET).verify(body, headers)
        assert over["event"] == "closed" and over["id"] == told["id"] and over["asks"][0]["outcome"] == "ok"
        assert "ann@example.com" not in body.decode() and "link" not in over


def test_a_list_is_closed_when_all_of_it_is():
    with Receiver() as receiver, serving("--channel", f"home={receiver.url}/hook?every=1s") as server:
        asks, lists = [server.ask(notify=["home"]) for _ in range(7)], {}
        while sum(len(told["asks"]) for told in lists.values()) < 7:
            told = json.loads(receiver.next()[2])
            lists[told["id"]] = told
        # Each is known to have arrived before one of them ends.
        is_told = lambda: all(server.call("GET", f"/asks/{ask['id']}")["told"][0]["state"] == "sent" for ask in asks)
        wait_until(is_told)
        listed = max(lists.values(), key=lambda told: len(told["asks"]))
        ids, heard = [ask["id"] for ask in listed["asks"]], set()
        assert len(ids) > 1
        for number, id in enumerate(ids, 1):
            server.answer(next(ask for ask in asks if ask["id"] == id))
            _, headers, body = receiver.next()
            wait_until(is_told)
            told = json.loads(body)
            assert told["id"] == listed["id"] and headers["webhook-id"] not in heard
            assert told["event"] == ("closed" if number == len(ids) else "changed")
            assert [ask["id"] for ask in told["asks"] if "outcome" in ask] == ids[:number]
            heard.add(headers["webhook-id"])


def test_what_waits_for_one_receiver_goes_out_as_one_list():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}?every=3s") as server:
        asks = [server.ask(notify=["phone"]) for _ in range(6)]
        ntfy.wait_for(lambda taken: sum(message["message"].count("/a/") for message in taken) >= 6)
        assert len(ntfy.taken) <= 3
        [answered] = [ask for ask in asks if ask["link"] in ntfy.taken[-1]["message"].split("\n")][:1]
        listed = len(ntfy.taken)
        server.answer(answered)
        ntfy.wait_for(lambda taken: len(taken) > listed)
        shown = ntfy.taken[-1]
        assert shown["sequence_id"] == ntfy.taken[-2]["sequence_id"]
        assert answered["link"] not in shown["message"]
        links = [line for line in ntfy.taken[-2]["message"].split("\n") if "/a/" in line]
        assert links == [ask["link"] for ask in asks if ask["link"] in links]
        assert shown["message"].count("/a/") == len(links) - 1
        # Those who still have to answer are not called twice.
        assert shown["priority"] == (2 if len(links) > 1 else 1)


def test_people_are_reminded_before_the_end_and_not_of_what_is_over():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        over = server.ask(notify=["phone"], expiresIn=120, remindBefore="114s")
        # Else both may be one list.
        ntfy.wait_for(lambda taken: len(taken) == 1)
        server.answer(over)
        ntfy.wait_for(lambda taken: len(taken) == 2)
        # It would be reminded of first.
        reminded = server.ask(notify=["phone"], expiresIn=120, remindBefore="113s")
        ntfy.wait_for(lambda taken: any(message.get("priority") == 4 for message in taken))
        reminder = next(message for message in ntfy.taken if message["priority"] == 4)
        assert reminder["click"] == reminded["link"]


@pytest.mark.parametrize("definition, body, plan", [
    ("notify: [phone]\nremindBefore: 1h\n", {}, (["phone"], "1h")),
    ("notify: [phone]\nremindBefore: 1h\n", {"notify": ["other"]}, (["other"], "1h")),
    ("notify: [phone]\nremindBefore: 1h\n", {"remindBefore": "2m"}, (["phone"], "2m")),
    ("notify: [phone]\nremindBefore: 1h\n", {"notify": []}, (None, None)),
    ("remindBefore: 1h\n", {"notify": ["phone"]}, (["phone"], "1h")), ("remindBefore: 1h\n", {}, (None, None)),
])
def test_what_an_ask_does_not_say_its_prompt_says(tmp_path, definition, body, plan):
    (tmp_path / "told.yaml").write_text(f"title: A\n{definition}")
    unheard = ["--channel", "phone=ntfy+http://127.0.0.1:9/a", "--channel", "other=ntfy+http://127.0.0.1:9/b"]
    with Server(tmp_path, *unheard) as server:
        ask = server.ask("told", **body)
        assert (ask.get("notify"), ask.get("remindBefore")) == plan


@pytest.mark.parametrize("body, code, words", [
    ({"notify": ["desk"]}, "unknown-channel", "it has phone"),
    ({"notify": ["for"]}, "unknown-channel", "it has phone"),
    ({"notify": ["phone"], "person": {"id": "ada"}}, "wrong-value", "cannot be given together"),
    ({"notify": ["Phone!"]}, "wrong-value", "cannot name a channel"),
    ({"remindBefore": "1h"}, "wrong-value", "given with `notify`"),
    ({"notify": ["phone"], "remindBefore": "soon"}, "wrong-value", "a whole number"),
])
def test_what_cannot_be_told_is_refused(server_with_phone, body, code, words):
    status, text = server_with_phone.request(
        "POST", "/asks", json.dumps({"prompt": "email", **body}),
        server_with_phone.authorized | {"Content-Type": "application/json"})
    assert status == (422 if code == "unknown-channel" or "person" in body else 400), text
    assert json.loads(text)["code"] == code and words in text


@pytest.fixture(scope="module")
def server_with_phone():
    with serving("--channel", "phone=ntfy+http://127.0.0.1:9/x") as server:
        yield server


@pytest.mark.parametrize("statuses", [[429], [503, None], [302]])
def test_a_channel_that_fails_is_tried_again_and_fails_no_ask(statuses):
    with Ntfy(*statuses) as ntfy, Ntfy() as other, serving(
            "--channel", f"phone={ntfy.channel()}", "--channel", f"desk={other.channel()}") as server:
        ask = server.ask(notify=["phone", "desk"])
        other.wait_for(lambda taken: len(taken) == 1)
        server.log.wait_for("notice failed, to be tried again")
        if len(statuses) == 1:
            ntfy.wait_for(lambda taken: len(taken) == 1)
            assert ntfy.taken[0]["click"] == ask["link"]
        assert "alerts" not in server.log.text


def told(server, ask):
    return json.loads(server.request("GET", f"/asks/{ask['id']}", headers=server.authorized)[1]).get("told")


def test_whoever_asks_sees_whether_somebody_was_told():
    with Ntfy(403) as ntfy, Ntfy() as desk, Mailbox() as mailbox, serving(
            "--channel", f"phone={ntfy.channel()}", "--channel", f"desk={desk.channel()}", "--channel", "mail",
            "--identity-header", "Remote-User", "--trust-proxy", "127.0.0.1",
            OKCANCEL_CHANNEL_MAIL=mailbox.channel("from=okcancel@example.com&to=gone@example.com", "ops:wrong@")) as server:
        assert told(server, server.ask()) is None
        ask = server.ask(notify=["phone", "desk", "mail"])
        wait_until(lambda: [notice["attempts"] for notice in told(server, ask)] == [1, 1, 1])
        states = {notice.pop("channel"): notice for notice in told(server, ask)}
        assert all(abs(datetime.fromisoformat(notice.pop("at")).timestamp() - time.time()) < 60 for notice in states.values())
        assert states["desk"] == {"state": "sent", "attempts": 1}
        assert states["phone"]["state"] == states["mail"]["state"] == "waiting"
        assert states["phone"]["error"].startswith("responded 403 and asked to wait 1 s, and said: ")
        assert states["mail"]["error"].startswith("responded 535, and said: 535 ") and "wrong" not in states["mail"]["error"]
        assert "okcancel_notices_failing 2" in server.request("GET", "/metrics", headers=server.authorized)[1]
        server.answer(ask)
        wait_until(lambda: {notice["state"] for notice in told(server, ask)} == {"sent", "withdrawn"})


def test_a_password_that_is_set_right_tells_people_as_the_server_starts(tmp_path):
    def mailing(login):
        return serving("--channel", "mail", database=tmp_path / "kept.sqlite", OKCANCEL_CHANNEL_MAIL=mailbox.channel(
            "from=okcancel@example.com&to=ops@example.com", login))

    with Mailbox() as mailbox:
        with mailing("ops:wrong@") as server:
            ask = server.ask(notify=["mail"])
            wait_until(lambda: "error" in told(server, ask)[0])
            # So seldom that nobody is locked out.
            moment = re.search(r"to be tried again at (\S+?Z)", server.log.wait_for("to be tried again at"))[1]
            assert 880 < datetime.fromisoformat(moment).timestamp() - time.time() <= 900
        with mailing("ops:swordfish@") as server:
            mailbox.wait_for(lambda taken: len(taken) == 1)
            wait_until(lambda: told(server, ask)[0]["state"] == "sent")


def test_what_the_other_end_says_has_no_secret_and_no_link():
    with Receiver() as receiver:
        receiver.statuses = [404]
        with serving("--channel", "home", OKCANCEL_CHANNEL_HOME=f"{receiver.url}/api/webhook/s3cr3t?token=t0ken") as server:
            receiver.words = lambda path, body: f"Cannot POST {path} {json.loads(body)['link']}".encode()
            ask = server.ask(notify=["home"])
            wait_until(lambda: "error" in told(server, ask)[0])
            assert told(server, ask)[0]["error"] == "responded 404, and said: Cannot POST /…?token=… …"
            server.log.wait_for("notice failed")
            assert "s3cr3t" not in server.log.text and "/a/" not in server.log.text


def test_a_program_that_asks_says_that_nobody_could_be_told():
    with Ntfy(403) as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        asking = Asking("--prompt", "email", "--notify", "phone", OKCANCEL_SERVER=server.url, OKCANCEL_API_TOKEN=server.token)
        told = asking.process.stderr.readline()
        assert told.startswith("okcancel: nobody could be told: phone: responded 403 ") and "; the server keeps trying" in told
        assert asking.answer("email=ann%40example.com")[0] == 200
        assert asking.ended() == (0, "ann@example.com\n", "")
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        asked = run("ask", "--prompt", "email", "--notify", "phone", "--timeout", "7", OKCANCEL_SERVER=server.url, OKCANCEL_API_TOKEN=server.token)
        assert "told" not in asked.stderr


def test_a_new_end_is_shown_and_rings_nobody():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        ask = server.ask(notify=["phone"])
        wait_until(lambda: server.call("GET", f"/asks/{ask['id']}")["told"][0]["state"] == "sent")
        # In the middle of a minute.
        end = (datetime.now(timezone.utc) + timedelta(hours=30)).replace(second=30, microsecond=0)
        server.call("PATCH", f"/asks/{ask['id']}", {"expiresAt": end.isoformat()})
        ntfy.wait_for(lambda taken: len(taken) == 2)
        [shown] = ntfy.shown
        assert end.strftime("Until %Y-%m-%d %H:%M UTC") in shown["message"] and shown["click"] == ask["link"]
        assert shown["priority"] == 2


def test_what_was_taken_is_cleared_although_nobody_said_so():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        known = server.ask(notify=["phone"])
        ntfy.wait_for(lambda taken: len(taken) == 1)
        server.answer(known)
        ntfy.wait_for(lambda taken: len(taken) == 2)
        ntfy.statuses = ["lost"]
        ask = server.ask(notify=["phone"])
        ntfy.wait_for(lambda taken: len(taken) == 3)
        server.call("DELETE", f"/asks/{ask['id']}")
        ntfy.wait_for(lambda taken: "No longer needed" in taken[-1]["message"])
        assert ntfy.taken[-1]["sequence_id"] == ntfy.taken[2]["sequence_id"]
        assert not any("/a/" in message["message"] for message in ntfy.shown)


def test_what_ends_while_the_server_is_down_is_cleared(tmp_path):
    with Ntfy() as ntfy:
        with serving("--channel", f"phone={ntfy.channel()}", database=tmp_path / "kept.sqlite") as server:
            known = server.ask(notify=["phone"])
            ntfy.wait_for(lambda taken: len(taken) == 1)
            server.answer(known)
            ntfy.wait_for(lambda taken: len(taken) == 2)
            ntfy.statuses, ntfy.delay = ["lost"], 1
            server.ask(notify=["phone"], expiresIn=3)
            wait_until(lambda: not ntfy.statuses)
            server.kill()
            ntfy.wait_for(lambda taken: len(taken) == 3)
            ntfy.delay = 0
        time.sleep(3)
        with serving("--channel", f"phone={ntfy.channel()}", database=tmp_path / "kept.sqlite"):
            ntfy.wait_for(lambda taken: not any("/a/" in message["message"] for message in ntfy.shown))


def test_an_older_ntfy_is_sent_no_end_of_what_may_have_arrived():
    with Ntfy(knows_sequences=False) as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        ntfy.statuses = ["lost"]
        ask = server.ask(notify=["phone"])
        server.log.wait_for("notice failed")
        server.call("DELETE", f"/asks/{ask['id']}")
        wait_until(lambda: told(server, ask)[0]["state"] == "withdrawn")
        assert len(ntfy.taken) == 1


def test_what_waits_outlives_a_kill(tmp_path):
    with Ntfy(delay=0.2) as ntfy:
        asks = []
        for _ in range(3):
            with serving("--channel", f"phone={ntfy.channel()}", database=tmp_path / "kept.sqlite") as server:
                asks += [server.ask(notify=["phone"]) for _ in range(5)]
                server.kill()
        with serving("--channel", f"phone={ntfy.channel()}", database=tmp_path / "kept.sqlite"):
            ntfy.wait_for(lambda taken: all(any(link(ask) in message["message"] for message in taken) for ask in asks))


def link(ask):
    """Its end: each run has a port of its own."""
    return ask["link"][-28:]


@pytest.mark.parametrize("words, environment, says", [
    (["--channel", "slack=slack+https://hooks.slack.com/services/T/B/X"], {}, "OKCANCEL_CHANNEL_SLACK"),
    (["--channel", "mail=smtps://ops:swordfish@mail.example.com/?from=a@example.com&to=b@example.com"], {}, "OKCANCEL_CHANNEL_MAIL"),
    (["--channel", "phone"], {}, "OKCANCEL_CHANNEL_PHONE"),
    (["--channel", "for=https://a.example/"], {}, "`for`"),
    (["--channel", "phone=ntfy+http://ntfy.example.com/x"], {}, "use TLS"),
    (["--channel", "on-call=gopher://x"], {}, "smtp+starttls"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "ntfy+https://x@a.example/t,ntfy+https://b.example/t"}, "several URLs"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "smtps://ops:sw/ord@a.example/?from=a@b.example&to=a@b.example"}, "%2F"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "smtps://ops:sw@ord@a.example/?from=a@b.example&to=a@b.example"}, "%2F"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "smtps://ops:sw#ord@a.example/?from=a@b.example&to=a@b.example"}, "%2F"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "smtps://ops:sw?ord@a.example/?from=a@b.example&to=a@b.example"}, "%2F"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "smtps://o@b.example:swordfish@a.example/?from=a@b.example"}, "%2F"),
    (["--channel", "a"], {"OKCANCEL_CHANNEL_A": "ntfy+https://tk/swordfish@a.example/t"}, "%2F"),
    (["--channel", "phone=ntfy+https://ntfy.example.com/x?priority=5"], {}, "`priority`"),
    (["--channel", "mail"], {"OKCANCEL_CHANNEL_MAIL": "smtps://ops:swordfish@mail.example.com/?from=nobody&to=x@example.com"}, "`from`"),
])
def test_a_channel_that_cannot_be_used_is_refused_without_its_secret(words, environment, says):
    refused = run("serve", *words, "--check", **environment)
    assert refused.returncode == 64 and says in refused.stderr, refused.stderr
    assert "hooks.slack.com" not in refused.stderr and "swordfish" not in refused.stderr


def test_a_variable_that_no_channel_has_is_named():
    checked = run("serve", "--check", OKCANCEL_CHANNEL_PHONE="ntfy+https://ntfy.example.com/x")
    assert checked.returncode == 0 and "OKCANCEL_CHANNEL_PHONE" in checked.stderr


def test_a_prompt_that_names_an_unknown_channel_is_no_start(tmp_path):
    (tmp_path / "a.yaml").write_text("title: A\nnotify: [desk]\n")
    for words in [("serve", tmp_path, "--check"), ("mcp", tmp_path)]:
        refused = run(*words)
        assert refused.returncode == 70 and "desk" in refused.stderr
        # Not every command has the option.
        assert refused.stderr.endswith("offer it by “okcancel serve” with --channel, or remove it from `notify`\n")


def test_a_test_message_is_sent_or_says_why_not():
    with Ntfy(200, 403) as ntfy:
        told = [run("notify", "--test", "phone", "--channel", f"phone={ntfy.channel()}") for _ in range(2)]
    assert (told[0].returncode, told[0].stdout) == (0, "sent by phone\n")
    assert told[1].returncode == 70 and told[1].stderr.endswith(
        'responded 403 and asked to wait 1 s, and said: {"error": "no ⟨U+001B⟩[2J"}\n')
    with Mailbox() as mailbox:
        for login, words in [("ops:wrong@", "535 5.7.8 "), ("ops:swordfish@", "554 5.7.1 no relaying")]:
            mailbox.answers = ["554 5.7.1 no relaying"]
            url = mailbox.channel("from=okcancel@example.com&to=ops@example.com", login)
            told = run("notify", "--test", "mail", OKCANCEL_CHANNEL_MAIL=url)
            assert told.returncode == 70 and f"responded {words[:3]}, and said: {words}" in told.stderr
            assert "⟨" not in told.stderr
        mailbox.answers, mailbox.unknown = [], {"gone@example.com": "550 5.1.1 <gone@example.com>: User unknown"}
        url = mailbox.channel("from=okcancel@example.com&to=gone@example.com")
        told = run("notify", "--test", "mail", OKCANCEL_CHANNEL_MAIL=url)
        assert told.stderr.endswith("responded 550, and said: 550 5.1.1 <gone@example.com>: User unknown\n")
    assert run("notify", "--test", "phone").returncode == 64
    wrong = run("notify", "--test", "phone", OKCANCEL_CHANNEL_PHONE="swordfish")
    assert (wrong.returncode, wrong.stderr) == (64, (
        "okcancel: --channel cannot be “phone”; its URL cannot be read; write it like ntfy+https://ntfy.example.com/topic\n"))
    assert "nothing reads" not in run("serve", "--channel", "phone", "--check", OKCANCEL_CHANNEL_PHONE="swordfish").stderr


HOSTILE = [
    "Deploy?\r\nBcc: eve@evil.example", "<!channel> <@U1> @here @everyone", "[click](https://evil.example) www.evil.example",
    "https://evil.example/a/x", "<https://evil.example|Approve>", "a\u202egnp.exe\u200b\u2066", "=?utf-8?B?eA==?=", "\u2028.\n.\n",
    "*bold* _x_ `code` # h", "&lt;!channel&gt; &amp;", "a@b.c-www.evil.example", "x" * 200, "🙂" * 200,
]


def test_no_title_forges_anything_in_any_channel(tmp_path):
    with Ntfy() as ntfy, Slack() as slack, Mailbox() as mailbox, serving(
            "--channel", f"phone={ntfy.channel()}", "--channel", "bot", "--channel", "mail", OKCANCEL_CHANNEL_BOT=slack.bot,
            OKCANCEL_CHANNEL_MAIL=mailbox.channel("from=okcancel@example.com&to=ops@example.com")) as server:
        titles = [re.sub("[\r\n\u2028]", " ", title) for title in HOSTILE]
        asks = [server.call("POST", "/asks", {
            "definition": {"title": title}, "notify": ["phone", "bot", "mail"], "requestedBy": {"id": "carl", "name": title}}) for title in titles]
        links = {ask["link"] for ask in asks}

        def count(texts):
            return sum(line in links for text in texts for line in text.split("\n"))

        ntfy.wait_for(lambda taken: count(message["message"] for message in taken) == len(asks))
        slack.wait_for(lambda taken: count(message["blocks"][1]["text"]["text"] for message in taken) == len(asks))
        mailbox.wait_for(lambda taken: count(mail.get_content().replace("\r\n", "\n") for mail in taken) == len(asks))
        assert not ntfy.refused and not slack.refused
        texts = [f"{message['title']}\n{message['message']}" for message in ntfy.taken]
        texts += [f"{mail['Subject']}\n{mail.get_content()}" for mail in mailbox.taken]
        texts += [message["text"] for message in slack.taken]
        for text in texts:
            for line in text.replace("\r\n", "\n").split("\n"):
                if line not in links:
                    assert not re.search(r"://|www\.\w|(?<!@)\bevil\.example\b|\]\(|(?<![\w.+-])@\w|<[!#@]\w|[\u200b\u202e\u2066\u2028\r]", line), line
        for mail in mailbox.taken:
            assert sorted(mail.keys()) == sorted([
                "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
                "Content-Transfer-Encoding", "Content-Language"]) and not mail.defects
        for message in slack.taken:
            assert "<" not in message["text"] and ">" not in message["text"]
            for line in message["blocks"][2]["text"]["text"].split("\n"):
                assert re.fullmatch(r"<(http://[^|<>]+)\|Open>([^<>]*)", line)[1] in links, line


def test_ask_and_mcp_name_channels_of_a_server():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        environment = {"OKCANCEL_SERVER": server.url, "OKCANCEL_API_TOKEN": server.token}
        asked = run("ask", "--prompt", "email", "--notify", "phone", "--no-wait", **environment)
        assert asked.returncode == 0, asked.stderr
        ntfy.wait_for(lambda taken: len(taken) == 1)
        assert ntfy.taken[0]["click"] == json.loads(asked.stdout)["link"]
        unknown = run("ask", "--prompt", "email", "--notify", "desk", "--no-wait", **environment)
        assert unknown.returncode == 64 and "phone" in unknown.stderr
    for command in (["ask", "--title", "A"], ["mcp"]):
        alone = run(*command, "--notify", "phone")
        assert alone.returncode == 64 and "--server" in alone.stderr


@pytest.mark.parametrize("arguments, is_told", [
    ({"title": "Deploy?", "notify": ["phone"]}, True), ({"title": "Deploy?", "notify": []}, False),
    ({"prompt": "told"}, True), ({"prompt": "told", "notify": []}, False),
])
def test_a_model_sees_the_link_only_if_no_channel_tells_people(tmp_path, arguments, is_told):
    (tmp_path / "told.yaml").write_text("title: Deploy?\nnotify: [phone]\n")
    with Ntfy() as ntfy, Server(tmp_path, "--channel", f"phone={ntfy.channel()}") as server:
        called = server.call("POST", "/mcp", {
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "ask_person", "arguments": arguments | {"wait": 0}}})["result"]
        assert called["structuredContent"]["status"] == "open"
        assert ("/a/" in json.dumps(called)) != is_told
        if is_told:
            ntfy.wait_for(lambda taken: len(taken) == 1)
            assert "/a/" in ntfy.taken[0]["click"]


def test_an_operators_channel_tells_people_whatever_empty_list_a_host_sends():
    with Ntfy() as ntfy, serving("--channel", f"phone={ntfy.channel()}") as server:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "ask_person", "arguments": {"title": "Deploy?", "notify": [], "wait": 0}}}
        process = run(
            "mcp", "--server", server.url, "--notify", "phone", OKCANCEL_API_TOKEN=server.token, options={"input": (
                '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n'
                + json.dumps(call) + "\n")})
        ntfy.wait_for(lambda taken: len(taken) == 1)
        assert '"status":"open"' in process.stdout and "/a/" not in process.stdout


def test_the_page_of_a_question_that_is_over_says_who_answered():
    with serving("--identity-header", "Remote-User", "--trust-proxy", "127.0.0.1") as server:
        ask = server.ask()
        path = "/" + ask["link"].split("/", 3)[3]
        form = {"Content-Type": "application/x-www-form-urlencoded", "Remote-User": "ada@example.com"}
        assert server.request("POST", path, "email=ann%40example.com", form)[0] == 200
        page = server.request("GET", path, headers={"Accept": "text/html"})[1]
        assert re.search(r"ada@example\.com, 20\d\d-\d\d-\d\d \d\d:\d\d UTC", page)
