"""Callbacks as a receiver sees them: the command, a real receiver, PyPI's `standardwebhooks`."""

import json
import queue
import re
import signal
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from standardwebhooks import Webhook

from test_command_line import Serving, run

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
OTHER = "whsec_" + "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4"
AUTHORIZED = {"Authorization": "Bearer secret", "Content-Type": "application/json"}


class Receiver:
    """Puts each request in `requests`, and answers it with the next of `statuses`, at last always
    with 200. A status that is an event is waited for, and then 200."""

    def __init__(self, *statuses):
        self.requests, self.statuses = queue.Queue(), list(statuses)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.requests.put((self.path, dict(self.headers), body))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if isinstance(status, threading.Event):
                    status.wait()
                    status = 200
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def next(self):
        return self.requests.get(timeout=30)


def serving(receiver, tmp_path, **environment):
    return Serving(
        "Examples", "--allow-callback", receiver.url + "/hooks",
        OKCANCEL_DATABASE=str(tmp_path / "kept.sqlite"),
        **{"OKCANCEL_API_TOKEN": "secret", "OKCANCEL_WEBHOOK_SECRET": SECRET} | environment)


def ask(server, callback, prompt="email"):
    status, body = server.request("POST", "/asks", json.dumps({"prompt": prompt, "callback": callback}), AUTHORIZED)
    assert status == 201, body
    return json.loads(body)


def answer(server, made, body="email=ann%40example.com"):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    status, said = server.request("POST", urlsplit(made["link"]).path, body, form)
    assert status == 200, said


def kept(server, made):
    return server.request("GET", f"/asks/{made['id']}", headers=AUTHORIZED)[1].encode()


def test_the_closed_ask_is_sent_signed_by_every_secret(tmp_path):
    # A proxy that the environment names is not asked.
    proxies = {name: "http://127.0.0.1:1" for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]}
    with Receiver() as receiver, serving(
            receiver, tmp_path, OKCANCEL_WEBHOOK_SECRET=f"{SECRET}, {OTHER}", **proxies) as server:
        made = ask(server, receiver.url + "/hooks/7?order=8")
        answer(server, made)
        path, headers, body = receiver.next()
        assert path == "/hooks/7?order=8"
        assert headers["webhook-id"] == made["id"]
        assert headers["Content-Type"] == "application/json"
        assert body == kept(server, made)
        for secret in (SECRET, OTHER):
            assert Webhook(secret).verify(body, headers)["values"] == {"email": "ann@example.com"}
        assert len(headers["webhook-signature"].split(" ")) == 2


@pytest.mark.parametrize("ending", ["outcome=cancel", "expired", "withdrawn"])
def test_every_outcome_is_sent(tmp_path, ending):
    with Receiver() as receiver, serving(receiver, tmp_path) as server:
        body = {"prompt": "email", "callback": receiver.url + "/hooks"}
        if ending == "expired":
            body["expiresIn"] = 1
        made = json.loads(server.request("POST", "/asks", json.dumps(body), AUTHORIZED)[1])
        if ending == "outcome=cancel":
            answer(server, made, ending)
        if ending == "withdrawn":
            assert server.request("DELETE", f"/asks/{made['id']}", headers=AUTHORIZED)[0] == 200
        sent = receiver.next()
        assert Webhook(SECRET).verify(sent[2], sent[1])["outcome"] == ending.removeprefix("outcome=")


def test_one_that_failed_is_sent_again_after_a_restart_with_the_same_id(tmp_path):
    with Receiver(503) as receiver:
        with serving(receiver, tmp_path) as server:
            made = ask(server, receiver.url + "/hooks")
            answer(server, made)
            first = receiver.next()
            server.wait_for_log("callback failed, to be tried again")
            server.process.kill()
        # The standard schedule's second attempt comes five seconds after the first.
        with serving(receiver, tmp_path) as server:
            second = receiver.next()
            line = server.wait_for_log("callback delivered")
    assert (first[1]["webhook-id"], first[2]) == (second[1]["webhook-id"], second[2])
    assert Webhook(SECRET).verify(second[2], second[1])["id"] == made["id"]
    # Path and query of the URL can hold a secret; the log does not have them.
    assert "attempt=2" in line and "/hooks" not in line


def test_sigterm_lets_a_delivery_arrive(tmp_path):
    go = threading.Event()
    with Receiver(go) as receiver:
        with serving(receiver, tmp_path) as server:
            answer(server, ask(server, receiver.url + "/hooks"))
            receiver.next()
            server.process.send_signal(signal.SIGTERM)
            server.wait_for_log("stopping")
            go.set()
            server.wait_for_log("callback delivered")
            assert server.process.wait(10) == 0
        with serving(receiver, tmp_path) as server:
            # What was delivered is not sent again: the next to come is another one.
            made = ask(server, receiver.url + "/hooks")
            answer(server, made)
            assert receiver.next()[1]["webhook-id"] == made["id"]


def test_sigterm_does_not_wait_for_a_dead_receiver_and_the_next_start_sends_again(tmp_path):
    never = threading.Event()
    with Receiver(never) as receiver:
        with serving(receiver, tmp_path) as server:
            made = ask(server, receiver.url + "/hooks")
            answer(server, made)
            receiver.next()
            server.process.send_signal(signal.SIGTERM)
            server.wait_for_log("callback interrupted")
            assert server.process.wait(10) == 0
        with serving(receiver, tmp_path) as server:
            assert receiver.next()[1]["webhook-id"] == made["id"]
            assert "attempt=1" in server.wait_for_log("callback delivered")
        never.set()


def test_an_https_receiver_that_nobody_vouches_for_gets_nothing(tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with Receiver() as receiver:
        receiver.server.socket = context.wrap_socket(receiver.server.socket, server_side=True)
        receiver.url = receiver.url.replace("http:", "https:")
        with serving(receiver, tmp_path) as server:
            answer(server, ask(server, receiver.url + "/hooks"))
            assert "certificate" in server.wait_for_log("callback failed, to be tried again")
        assert receiver.requests.empty()


REFUSED = [
    ("{url}/hooksmith", "--allow-callback"), ("{url}.evil/hooks", "port"),
    ("http://localhost:{port}/hooks", "--allow-callback"), ("https://127.0.0.1:{port}/hooks", "--allow-callback"),
    ("{url}/hooks/../x", "segment"), ("{url}/hooks/%2e%2e/x", "segment"), ("{url}/hooks%2f..%2fx", "encoded"),
    ("http://127.0.0.1:{port}@evil.example/hooks", "user name"), ("{url}/hooks#x", "#"), ("{url}\\@evil/hooks", "\\"),
    ("file:///etc/passwd", "https://"), ("ftp://127.0.0.1/hooks", "https://"), ("", "https://"), (7, "must be a URL"),
    ("{url}/hooks\r\nX: y", "white space"), ("{url}/hooks/" + "x" * 3000, "longer"),
]


def test_a_url_that_is_not_allowed_is_refused_with_what_to_do(tmp_path):
    with Receiver() as receiver, serving(receiver, tmp_path) as server:
        for url, says in REFUSED:
            if isinstance(url, str):
                url = url.format(url=receiver.url, port=receiver.server.server_port)
            status, body = server.request(
                "POST", "/asks", json.dumps({"prompt": "email", "callback": url}), AUTHORIZED)
            assert status == 400, url
            assert says in json.loads(body)["detail"], url
        assert server.request("POST", "/asks", '{"prompt":"email","callback":null}', AUTHORIZED)[0] == 201
        assert receiver.requests.empty()


def test_without_the_flag_no_callback_is_taken():
    with Serving("Examples", OKCANCEL_API_TOKEN="secret") as server:
        status, body = server.request("POST", "/asks", '{"prompt":"email","callback":"https://a.example/"}', AUTHORIZED)
    assert status == 400
    assert "--allow-callback" in json.loads(body)["detail"]


def test_where_no_secret_is_set_one_is_made_and_told_once(tmp_path):
    with Receiver() as receiver, serving(receiver, tmp_path, OKCANCEL_WEBHOOK_SECRET="") as server:
        secret = re.search(r"The webhook secret for this run is (whsec_\S+) ", server.wait_for_log("webhook secret"))[1]
        answer(server, ask(server, receiver.url + "/hooks"))
        sent = receiver.next()
        assert Webhook(secret).verify(sent[2], sent[1])["outcome"] == "ok"


@pytest.mark.parametrize(
    "words, environment, says",
    [
        (["--allow-callback", "a.example/hooks"], {}, "--allow-callback cannot be “a.example/hooks”; it does not begin with https://"),
        (["--allow-callback", "https://a.example/?x"], {}, "it has a “?”; a prefix ends with its path"),
        ([], {"OKCANCEL_ALLOW_CALLBACK": "https://u@a.example"}, "OKCANCEL_ALLOW_CALLBACK cannot be"),
        ([], {"OKCANCEL_WEBHOOK_SECRET": f"{SECRET},canary-secret"}, "OKCANCEL_WEBHOOK_SECRET has a part that is no secret"),
    ],
)
def test_a_wrong_setting_is_an_error(words, environment, says):
    result = run("serve", "Examples", *words, **environment)
    assert result.returncode == 64
    assert says in result.stderr
    assert "canary" not in result.stderr
