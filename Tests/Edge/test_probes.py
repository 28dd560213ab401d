"""Raw bytes against `okcancel serve`: one answer at most, then the connection is closed."""

import random
import re
import shutil
import socket
import ssl

import pytest

from Support.certificate import self_signed
from Support.client import talk, until_closed
from Support.program import Nginx
from Support.server import Server

HOST = b"Host: localhost\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
SECOND = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAWFUL_CHUNKS = [
    b"0\r\n\r\n", b"d\r\nemail=a%40b.c\r\n0\r\n\r\n", b"D\r\nemail=a%40b.c\r\n000\r\n\r\n",
    b"".join(b"1\r\n%c\r\n" % byte for byte in b"email=a%40b.c") + b"0\r\n\r\n",
    b"06;a;b=c;d=\"e;\\\"f\"\r\nemail=\r\n7 ; a = b\r\na%40b.c\r\n0;z\r\nA: b\r\nContent-Length: 500\r\n\r\n",
]


def get(line=b"GET /healthz HTTP/1.1\r\n", headers=HOST, end=b"\r\n"):
    return line + headers + end


def post(headers, body=b"email=a%40b.c"):
    return b"POST /validate/email HTTP/1.1\r\n" + HOST + FORM + headers + b"\r\n" + body



@pytest.fixture(scope="module")
def server():
    with Server("--log-level", "error") as server:
        yield server


def answers(received):
    """The heads of the answers that were received."""
    return re.findall(rb"HTTP/1\.[01] (\d{3})[^\r]*\r\n(.*?)\r\n\r\n", received, re.S)


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    certificate, key = self_signed(tmp_path_factory.mktemp("tls"))
    with Server("--tls-cert", certificate, "--tls-key", key, "--log-level", "error") as server:
        yield server


def talk_securely(port, sent):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with context.wrap_socket(socket.create_connection(("127.0.0.1", port), 60)) as client:
        try:
            client.sendall(sent)
        except OSError:
            # It was answered before it had all been sent.
            pass
        return until_closed(client)


@pytest.fixture(params=[talk, talk_securely])
def send(request):
    """Sends bytes, over TLS or without it, and returns all that comes."""
    port = request.getfixturevalue("server" if request.param is talk else "secure").port
    return lambda sent: request.param(port, sent)


def test_a_wrong_token_is_refused_before_a_long_body_is_sent(server):
    for length in (b"Content-Length: 300000", b"Transfer-Encoding: chunked"):
        head = b"POST /asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a-wrong-token-of-some-length\r\n"
        received = talk(server.port, head + b"Content-Type: application/json\r\n" + length + b"\r\n\r\n")
        assert received.startswith(b"HTTP/1.1 401 ") and b"wrong-token" in received



@pytest.mark.parametrize("request_of_two_readings", [
    post(CHUNKED + b"Content-Length: 5\r\n", b"0\r\n\r\n"), post(CHUNKED, b"0xd\r\nemail=a%40b.c\r\n0\r\n\r\n"),
    post(b"Content-Length: 13\r\nContent-Length: 0\r\n"), get(headers=HOST + HOST), get(headers=HOST + b"A: b\r\n c\r\n"),
    get(b"GET /%2e%2e/healthz HTTP/1.1\r\n"), get(end=b"\0\n"), b" \r\n" + get(), get(b"GET  /healthz HTTP/1.1\r\n"),
], ids=lambda sent: repr(sent[:60])[2:-1])
def test_a_request_of_two_readings_is_refused_once_with_all_headers_and_closed(send, request_of_two_readings):
    """Some of those that MicroHTTPTests/Probes.swift has.

    Promise 3.1
    """
    received = send(request_of_two_readings + SECOND)
    [(status, head)] = answers(received)
    assert status == b"400", received[:2000]
    for header in [b"Content-Security-Policy", b"X-Content-Type-Options", b"Connection: close", b"application/problem+json"]:
        assert header in head
    assert b"smuggled" not in received


def test_a_head_as_long_as_may_be_is_answered(send):
    headers = HOST + b"Connection: close\r\n" + b"".join(b"A%02d:" % number + b"b" * 128 + b"\r\n" for number in range(62))
    received = send(get(b"GET /" + b"a" * 8191 + b" HTTP/1.1\r\n", headers=headers))
    assert [status for status, _ in answers(received)] == [b"404"]
    assert b"Content-Security-Policy" in received


@pytest.mark.parametrize("headers", [
    b"Content-Length: 13 \r\n", b"Content-Length:13\t\r\n", b"content-length: \t 0013\r\n",
    b"Content-Length: 13\r\nCookie: " + b"a=b; " * 1500 + b"\r\n", b"Content-Length: 13\r\nA: " + b"\t" * 7000 + b"\r\n",
    b"Content-Length: 13\r\n" + b"".join(b"A%d:b\r\n" % number for number in range(61)),
    b"Content-Length: 13\r\nExpect: 100-stop\r\nUpgrade: h2c\r\nCookie: =;;,=\r\nA:\r\n",
], ids=lambda value: value[:40].decode() if isinstance(value, bytes) else "")
def test_what_is_lawful_is_answered(send, headers):
    received = send(b"\r\n" + post(headers) + get(headers=HOST + b"Connection: close\r\n"))
    assert [status for status, _ in answers(received)] == [b"200", b"200"]


@pytest.mark.parametrize("body", LAWFUL_CHUNKS, ids=range(len(LAWFUL_CHUNKS)))
def test_chunks_are_answered_and_end_where_they_say(send, body):
    for value in [b"chunked", b"Chunked", b"\tCHUNKED \t"]:
        sent = post(b"Transfer-Encoding:" + value + b"\r\n", body)
        received = send(sent + sent + get(headers=HOST + CHUNKED) + body + get(headers=HOST + b"Connection: close\r\n"))
        assert [status for status, _ in answers(received)] == [b"200"] * 4
        assert received.count(b'"isValid":true') == (0 if body == LAWFUL_CHUNKS[0] else 4)


def test_a_head_as_long_as_may_be_takes_chunks(server):
    headers = CHUNKED + b"".join(b"A%02d:" % number + b"b" * 128 + b"\r\n" for number in range(60))
    received = talk(server.port, post(headers, LAWFUL_CHUNKS[4]) + get(headers=HOST + b"Connection: close\r\n"))
    assert [status for status, _ in answers(received)] == [b"200", b"200"]


NGINX = """
log_format read '$uri $upstream_status';
upstream okcancel { server 127.0.0.1:8080; keepalive 4; }
server {
  listen 443 ssl;
  access_log FOLDER/read.log read;
  location / {
    proxy_pass http://okcancel;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host localhost;
    proxy_request_buffering off;
    proxy_ignore_client_abort on;
  }
}"""


def mutated(body, generator):
    words = [b"\r\n", b"\r", b"\n", b"0", b"1", b"f", b";", b";a=\"b\"", b" ", b"\0", b"x", b"-", b"A: b\r\n", b"0\r\n\r\n", SECOND]
    for _ in range(generator.randint(0, 3)):
        place = generator.randint(0, len(body))
        body = body[:place] + generator.choice(words) + body[place + generator.randint(0, 2):]
    return body


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_and_the_server_agree_where_chunks_end(tmp_path):
    """nginx passes chunks on as they come; each request that it tells apart behind them is one here too, and no other."""
    generator = random.Random(9112)
    bodies = [mutated(generator.choice(LAWFUL_CHUNKS), generator) for _ in range(750)] + LAWFUL_CHUNKS
    requests = [post(CHUNKED, body) for body in bodies]
    with Server() as server:
        site = NGINX.replace("FOLDER", str(tmp_path))
        with Nginx(tmp_path, site, {"127.0.0.1:8080": f"127.0.0.1:{server.port}"}) as nginx:
            for sent in requests:
                with socket.create_connection(("127.0.0.1", nginx.port), timeout=60) as client:
                    try:
                        client.sendall(sent + SECOND)
                        client.shutdown(socket.SHUT_WR)
                    except OSError:
                        pass
                    until_closed(client)
        server.stop()
        served = re.findall(r" path=(\S*) ", server.log.text)
    passed_on = [line.split()[0] for line in (tmp_path / "read.log").read_text().splitlines() if not line.endswith(" -")]
    # Of the first request nginx may not wait for what the server says of it.
    served, passed_on = ([path for path in paths if path != "/validate/email"] for paths in (served, passed_on))
    assert sorted(served) == sorted(passed_on) and served.count("/smuggled") > len(LAWFUL_CHUNKS)


@pytest.mark.parametrize("path", ["/prompts/email", "/validate/email"])
@pytest.mark.parametrize("name", [b"Origin", b"sec-fetch-site"])
def test_where_a_request_comes_from_is_said_once(server, name, path):
    for other in [name, name.upper()]:
        headers = b"%s: none\r\n%s: none\r\nConnection: close\r\n" % (name, other)
        for sent in [get(b"GET /prompts/email HTTP/1.1\r\n", HOST + headers), post(headers + b"Content-Length: 13\r\n")]:
            received = talk(server.port, sent.replace(b"/validate/email", path.encode()))
            assert [status for status, _ in answers(received)] == [b"400"] and b'"code":"sent-twice"' in received


def test_the_server_does_not_name_itself(server):
    received = talk(server.port, get(headers=HOST + b"Connection: close\r\n"))
    assert b"\r\nserver:" not in received.lower()
