"""Callbacks as a receiver sees them: the command, a real receiver, PyPI's `standardwebhooks`."""

import json
import re
import signal
import threading

import pytest
from standardwebhooks import Webhook

from Support.certificate import self_signed
from Support.client import JSON
from Support.command import run
from Support.receiver import Receiver
from Support.server import Server

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
OTHER = "whsec_" + "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4"


def serving(receiver, tmp_path, **environment):
    return Server(
        "--allow-callback", receiver.url + "/hooks", database=tmp_path / "kept.sqlite",
        **{"OKCANCEL_WEBHOOK_SECRET": SECRET} | environment)


def test_the_closed_ask_is_sent_signed_by_every_secret(tmp_path):
    # A proxy that the environment names is not asked.
    proxies = {name: "http://127.0.0.1:1" for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]}
    with Receiver() as receiver, serving(
            receiver, tmp_path, OKCANCEL_WEBHOOK_SECRET=f"{SECRET}, {OTHER}", **proxies) as server:
        ask = server.ask(callback=receiver.url + "/hooks/7?order=8")
        server.answer(ask)
        path, headers, body = receiver.next()
        assert path == "/hooks/7?order=8"
        assert headers["webhook-id"] == ask["id"]
        assert headers["Content-Type"] == "application/json"
        assert body == server.kept(ask).encode()
        for secret in (SECRET, OTHER):
            assert Webhook(secret).verify(body, headers)["values"] == {"email": "ann@example.com"}
        assert len(headers["webhook-signature"].split(" ")) == 2


@pytest.mark.parametrize("ending", ["outcome=cancel", "expired", "withdrawn"])
def test_every_outcome_is_sent(tmp_path, ending):
    with Receiver() as receiver, serving(receiver, tmp_path) as server:
        ask = server.ask(callback=receiver.url + "/hooks", **({"expiresIn": 1} if ending == "expired" else {}))
        if ending == "outcome=cancel":
            server.answer(ask, ending)
        if ending == "withdrawn":
            server.call("DELETE", f"/asks/{ask['id']}")
        sent = receiver.next()
        assert Webhook(SECRET).verify(sent[2], sent[1])["outcome"] == ending.removeprefix("outcome=")


def test_a_callback_that_failed_is_sent_again_after_a_restart_with_the_same_id(tmp_path):
    with Receiver(503) as receiver:
        with serving(receiver, tmp_path) as server:
            ask = server.ask(callback=receiver.url + "/hooks")
            server.answer(ask)
            first = receiver.next()
            server.log.wait_for("callback failed, to be tried again")
            server.kill()
        # The standard schedule's second attempt comes five seconds after the first.
        with serving(receiver, tmp_path) as server:
            second = receiver.next()
            line = server.log.wait_for("callback delivered")
    assert (first[1]["webhook-id"], first[2]) == (second[1]["webhook-id"], second[2])
    assert Webhook(SECRET).verify(second[2], second[1])["id"] == ask["id"]
    # Path and query of the URL can hold a secret; the log does not have them.
    assert "attempt=2" in line and "/hooks" not in line


def test_sigterm_lets_a_delivery_arrive(tmp_path):
    go = threading.Event()
    with Receiver(go) as receiver:
        with serving(receiver, tmp_path) as server:
            server.answer(server.ask(callback=receiver.url + "/hooks"))
            receiver.next()
            server.process.send_signal(signal.SIGTERM)
            server.log.wait_for("stopping")
            go.set()
            server.log.wait_for("callback delivered")
            assert server.ended() == 0
        with serving(receiver, tmp_path) as server:
            # What was delivered is not sent again: the next to come is another one.
            ask = server.ask(callback=receiver.url + "/hooks")
            server.answer(ask)
            assert receiver.next()[1]["webhook-id"] == ask["id"]


def test_sigterm_does_not_wait_for_a_dead_receiver_and_the_next_start_sends_again(tmp_path):
    never = threading.Event()
    with Receiver(never) as receiver:
        with serving(receiver, tmp_path) as server:
            ask = server.ask(callback=receiver.url + "/hooks")
            server.answer(ask)
            receiver.next()
            server.process.send_signal(signal.SIGTERM)
            server.log.wait_for("callback interrupted")
            assert server.ended() == 0
        with serving(receiver, tmp_path) as server:
            assert receiver.next()[1]["webhook-id"] == ask["id"]
            assert "attempt=1" in server.log.wait_for("callback delivered")
        never.set()


def test_an_https_receiver_that_nobody_vouches_for_gets_nothing(tmp_path):
    with Receiver().secured(*self_signed(tmp_path)) as receiver:
        with serving(receiver, tmp_path) as server:
            server.answer(server.ask(callback=receiver.url + "/hooks"))
            assert "certificate" in server.log.wait_for("callback failed, to be tried again")
        assert receiver.requests.empty()



def refusal(server, url):
    """Why an ask may not name this callback."""
    status, body = server.request(
        "POST", "/asks", json.dumps({"prompt": "email", "callback": url}), server.authorized | JSON)
    assert status == 400, url
    return json.loads(body)["detail"]


def test_a_url_that_is_not_allowed_is_refused_with_what_to_do(tmp_path):
    """ASVS 1.3.6 | no SSRF | allowed prefixes, compared part by part"""
    with Receiver() as receiver, serving(receiver, tmp_path) as server:
        # Which addresses are none is a table in CallbackURLTests.swift.
        for url, says in [
            (f"{receiver.url}/hooksmith", "--allow-callback"), (f"{receiver.url}/hooks/../x", "segment"),
            (f"{receiver.url}/hooks%2f..%2fx", "encoded"), (f"{receiver.url}@evil.example/hooks", "user name"),
            (f"{receiver.url}/hooks#x", "#"), ("file:///etc/passwd", "https://"), (7, "must be a string"),
            (f"{receiver.url}/hooks\r\nX: y", "white space"), (f"{receiver.url}/hooks/" + "x" * 3000, "longer")]:
            assert says in refusal(server, url), url
        assert server.ask(callback=None)
        assert receiver.requests.empty()


def test_no_callback_is_taken_without_allow_callback():
    """ASVS 13.2.4, 13.2.5 | lists of what the server may call | `--allow-callback`; nothing by default"""
    with Server() as server:
        assert "--allow-callback" in refusal(server, "https://a.example/")


def test_a_webhook_secret_is_made_and_told_once_if_none_is_set(tmp_path):
    with Receiver() as receiver, serving(receiver, tmp_path, OKCANCEL_WEBHOOK_SECRET="") as server:
        secret = re.search(r"The webhook secret for this run is (whsec_\S+) ", server.log.wait_for("webhook secret"))[1]
        server.answer(server.ask(callback=receiver.url + "/hooks"))
        sent = receiver.next()
        assert Webhook(secret).verify(sent[2], sent[1])["outcome"] == "ok"


def test_only_a_server_that_sends_callbacks_needs_libcurl(tmp_path):
    (tmp_path / "libcurl.so.4").touch()
    without = {"LD_LIBRARY_PATH": str(tmp_path), "OKCANCEL_WEBHOOK_SECRET": SECRET}
    assert run("serve", "Examples", "--check", **without).returncode == 0
    result = run("serve", "Examples", "--check", "--allow-callback", "https://a.example/", **without)
    assert result.returncode == 70
    assert "libcurl is missing (" in result.stderr
    assert result.stderr.endswith("; install Debian’s package libcurl4\n")
    result = run("answers", "email", "--server", "http://127.0.0.1:1", OKCANCEL_API_TOKEN="a" * 22, **without)
    assert result.stderr.startswith("okcancel: libcurl is missing (")
    assert result.stderr.endswith("; install Debian’s package libcurl4\n")
