"""HTTPS by `--tls-cert` and `--tls-key`."""

import http.client
import json
import shutil
import signal
import socket
import ssl
import subprocess

import pytest

from Support.certificate import self_signed
from Support.client import JSON, until_closed
from Support.command import TOKEN, run
from Support.server import Server


def expired(folder):
    """Makes `old.pem`, a certificate for this machine that was valid in January 2020 only."""
    (folder / "ca.cnf").write_text(
        "[ca]\ndefault_ca=d\n[d]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\nx509_extensions=x\n"
        "[p]\ncommonName=supplied\n[x]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=CA:true\n")
    (folder / "index").write_text("")
    (folder / "serial").write_text("01\n")
    for words in (
        ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
         "-keyout", "old.key", "-out", "old.csr"],
        ["ca", "-batch", "-config", "ca.cnf", "-selfsign", "-keyfile", "old.key", "-in", "old.csr", "-out", "old.pem",
         "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-notext"],
    ):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    for name in ["one", "other"]:
        self_signed(folder, name, names="IP:127.0.0.1")
    expired(folder)
    subprocess.run(["openssl", "pkey", "-in", folder / "one.key", "-aes256", "-passout", "pass:x", "-out", folder / "locked.key"],
                   check=True, capture_output=True)
    (folder / "empty.pem").write_text("")
    (folder / "chain.pem").write_text((folder / "other.pem").read_text() + (folder / "one.pem").read_text())
    return folder


def serving(pair, *options, **environment):
    """A server with this certificate and this key."""
    return Server("--tls-cert", pair[0], "--tls-key", pair[1], *options, **environment)


@pytest.fixture(scope="module")
def one(files):
    return files / "one.pem", files / "one.key"


@pytest.fixture(scope="module")
def server(one):
    with serving(one, "--log-level", "error") as server:
        yield server


@pytest.fixture
def trusting(one):
    return ssl.create_default_context(cafile=str(one[0]))


def kept_connection(server, trusting):
    """A connection that is kept."""
    return http.client.HTTPSConnection("127.0.0.1", server.port, context=trusting, timeout=60)


def greeted(server, trusting):
    """A socket after the handshake."""
    return trusting.wrap_socket(socket.create_connection(("127.0.0.1", server.port), 60), server_hostname="127.0.0.1")


@pytest.fixture
def kept(files, tmp_path):
    """The paths of a certificate and its key that are replaced while a server has them."""
    return install(files, "one", (tmp_path / "kept.pem", tmp_path / "kept.key"))


def install(files, name, kept, key_of=None):
    shutil.copy(files / f"{name}.pem", kept[0])
    shutil.copy(files / f"{key_of or name}.key", kept[1])
    return kept


def reload(server, says):
    server.process.send_signal(signal.SIGHUP)
    return server.log.wait_for(says)


def test_the_printed_address_is_https(server):
    assert f" at https://127.0.0.1:{server.port}/" in server.line


def test_pages_and_answers_go_over_one_kept_connection(server, trusting):
    client = kept_connection(server, trusting)
    for _ in range(3):
        client.request("GET", "/prompts/email", headers={"Accept": "text/html"})
        page = client.getresponse()
        assert (page.status, b"<form" in page.read()) == (200, True)
    client.request("POST", "/prompts/email", json.dumps({"outcome": "ok", "values": {"email": "a@example.com"}}),
                   JSON)
    assert json.load(client.getresponse()) == {"outcome": "ok", "values": {"email": "a@example.com"}, "by": {"via": "link"}}


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_new_versions_of_tls_are_spoken(server, trusting, version):
    trusting.minimum_version = trusting.maximum_version = version
    with greeted(server, trusting) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("ciphers, is_spoken", [("ECDHE+AESGCM", True), ("ECDHE+CHACHA20", True), ("kRSA", False), ("ECDHE+SHA:ECDHE+SHA256:ECDHE+SHA384", False)])
def test_only_keys_that_are_forgotten_are_agreed_on_and_no_suite_with_cbc(tmp_path, ciphers, is_spoken):
    """Promise 4.10 | The server's TLS always has forward secrecy, and browsers are told to come back only over HTTPS.
    ASVS 12.1.2 | strong cipher suites | TLS 1.2 and 1.3, forward secrecy only
    """
    pair = self_signed(tmp_path, kind="rsa")
    context = ssl.create_default_context(cafile=str(pair[0]))
    context.check_hostname = False
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(ciphers)
    with serving(pair) as server:
        with socket.create_connection(("127.0.0.1", server.port), 60) as plain:
            if is_spoken:
                assert context.wrap_socket(plain).cipher()
            else:
                with pytest.raises(ssl.SSLError, match="HANDSHAKE_FAILURE|EOF"):
                    context.wrap_socket(plain)


@pytest.mark.parametrize("options, told", [([], "max-age=31536000"), (["--hsts", "on"], "max-age=31536000"), (["--hsts", "off"], None)])
def test_browsers_are_told_to_come_back_by_https(one, trusting, options, told):
    """Promise 4.10"""
    with serving(one, *options) as server:
        client = kept_connection(server, trusting)
        for path in ["/", "/prompts/email", "/okcancel.js", "/nowhere"]:
            client.request("GET", path)
            answer = client.getresponse()
            assert answer.read()
            assert answer.headers.get_all("Strict-Transport-Security", [None]) == [told]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_old_versions_of_tls_are_refused(server, trusting, version):
    trusting.set_ciphers("ALL:@SECLEVEL=0")
    trusting.minimum_version = trusting.maximum_version = version
    # GnuTLS says so with an alert, or closes.
    with pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION|EOF"):
        greeted(server, trusting)


def test_a_stream_of_events_goes_over_tls(server, trusting):
    program = kept_connection(server, trusting)
    program.request("POST", "/asks", json.dumps({"prompt": "email"}), server.authorized | JSON)
    ask = json.load(program.getresponse())
    assert ask["link"].startswith(f"https://127.0.0.1:{server.port}/a/")
    waiting = kept_connection(server, trusting)
    waiting.request("GET", f"/asks/{ask['id']}/events", headers=server.authorized)
    events = waiting.getresponse()
    assert events.readline() == b"event: open\n"
    program.request("DELETE", f"/asks/{ask['id']}", headers=server.authorized)
    assert program.getresponse().read()
    assert b"event: closed" in events.read()


def test_a_body_that_is_too_long_is_refused_over_tls(server, trusting):
    with greeted(server, trusting) as client:
        client.sendall(b"POST /validate/email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + b"a" * 200_000)
        assert until_closed(client).startswith(b"HTTP/1.1 413 ")


def test_a_head_that_does_not_end_is_closed_over_tls(server, trusting):
    """One that begins, and one that never says that it speaks TLS, at the same time: each waits for its deadline."""
    silent = socket.create_connection(("127.0.0.1", server.port), 60)
    plain = socket.create_connection(("127.0.0.1", server.port), 60)
    with silent, trusting.wrap_socket(plain, server_hostname="127.0.0.1") as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        assert [until_closed(each) for each in (silent, client)] == [b"", b""]


@pytest.mark.parametrize("certificate, key, status, words", [
    ("none.pem", "one.key", 70, "none.pem cannot be read: No such file or directory"),
    ("empty.pem", "one.key", 70, "empty.pem holds no certificate"),
    ("one.pem", "empty.pem", 70, "empty.pem holds no private key"),
    ("one.pem", "locked.key", 70, "has a passphrase"),
    ("one.pem", "other.key", 70, "check that the two belong together"),
    ("chain.pem", "one.key", 70, "put the server's own first, then those that lead to its root"),
    ("one.pem", None, 64, "give its key with --tls-key as well"),
    (None, "one.key", 64, "give its certificate with --tls-cert as well"),
])
def test_a_certificate_or_key_that_cannot_be_used_is_told(files, tmp_path, certificate, key, status, words):
    options = [("--tls-cert", certificate), ("--tls-key", key)]
    words_given = [word for flag, name in options if name for word in (flag, str(files / name))]
    ended = run("serve", "--port", "0", "--database", tmp_path / "a.sqlite", *words_given)
    assert (ended.returncode, words in ended.stderr) == (status, True), ended.stderr


def test_a_renewed_certificate_is_taken_on_sighup(files, kept, trusting):
    """The certificate that a new connection gets; one that is open is not cut."""
    def serves(name):
        served = ssl.get_server_certificate(("127.0.0.1", server.port))
        return served.split() == (files / f"{name}.pem").read_text().split()

    with serving(kept) as server:
        client = kept_connection(server, trusting)
        client.request("GET", "/healthz")
        assert client.getresponse().read()
        assert serves("one")
        install(files, "other", kept, key_of="one")
        reload(server, "the old certificate stays")
        assert serves("one")
        install(files, "other", kept)
        for _ in range(2):
            reload(server, "reloaded the certificate")
            assert serves("other")
        client.request("GET", "/healthz")
        assert client.getresponse().status == 200
        install(files, "one", kept)
        reload(server, "reloaded the certificate")
        assert serves("one")


def test_the_watchdog_asks_over_tls(one, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        service = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "8000000"}
        with serving(one, **service) as server:
            while manager.recv(4096) != b"WATCHDOG=1":
                pass
            server.log.wait_for("path=/healthz status=200")


def ask(url, *words, **environment):
    return run("ask", "--field", "name", "--server", url, *words, OKCANCEL_API_TOKEN=TOKEN, **environment)


def test_ask_trusts_the_authority_that_it_is_given(server, files):
    url = f"https://127.0.0.1:{server.port}"
    # The question was put.
    assert ask(url, "--no-wait", "--cacert", files / "one.pem").returncode == 0
    assert ask(url, "--no-wait", SSL_CERT_FILE=str(files / "one.pem")).returncode == 0
    assert ask(url, "--no-wait", OKCANCEL_CACERT=str(files / "one.pem")).returncode == 0
    missing = ask(url, "--cacert", files / "none.pem")
    assert (missing.returncode, "there is no such file" in missing.stderr) == (64, True)


def test_ask_says_why_it_does_not_trust_a_server(server, files):
    url = f"https://127.0.0.1:{server.port}"
    for words in ([], ["--cacert", files / "other.pem"]):
        unknown = ask(url, *words)
        assert unknown.returncode == 69
        assert "the certificate's issuer is not trusted here; name its PEM file with --cacert or SSL_CERT_FILE" in unknown.stderr
    told = run("notify", "--test", "phone", "--channel", f"phone=ntfy+{url}/topic")
    assert told.returncode == 70 and "is not trusted here; name its PEM file with SSL_CERT_FILE (" in told.stderr
    named = ask(f"https://localhost:{server.port}", "--cacert", files / "one.pem")
    assert (named.returncode, "the certificate is for another name" in named.stderr) == (69, True)
    with serving((files / "old.pem", files / "old.key"), "--log-level", "error") as old:
        late = ask(f"https://127.0.0.1:{old.port}", "--cacert", files / "old.pem")
    assert (late.returncode, "the certificate is not valid today" in late.stderr) == (69, True)


def test_an_expired_certificate_is_a_warning_at_the_start_and_on_reload(files, kept):
    install(files, "old", kept)
    told = f"the certificate in {kept[0]} expired on 2020-02-01; renew it and reload"
    with serving(kept) as server:
        server.log.wait_for(told)
        reload(server, "reloaded the certificate")
        assert sum(told in line for line in server.log.lines) == 2
        install(files, "one", kept)
        reload(server, "reloaded the certificate")
        assert sum(told in line for line in server.log.lines) == 2


def test_a_valid_certificate_is_not_replaced_by_an_expired_one(files, kept, trusting):
    with serving(kept) as server:
        install(files, "old", kept)
        assert f"the certificate in {kept[0]} expired on 2020-02-01" in reload(server, "expired on")
        server.log.wait_for("the old certificate stays")
        client = kept_connection(server, trusting)
        client.request("GET", "/healthz")
        assert client.getresponse().status == 200


@pytest.mark.parametrize("damage, words", [
    (lambda key: key.unlink(), "cannot be read: No such file or directory"),
    (lambda key: key.write_text(""), "holds no private key"),
    (lambda key: (key.unlink(), key.mkdir()), "cannot be read: Is a directory"),
    (lambda key: key.write_text("-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\n"), "check that the two belong together"),
])
def test_a_reload_says_which_key_it_cannot_read(kept, damage, words):
    with serving(kept) as server:
        damage(kept[1])
        reload(server, "the old certificate stays")
        assert any(str(kept[1]) in line and words in line for line in server.log.lines), server.log.text
