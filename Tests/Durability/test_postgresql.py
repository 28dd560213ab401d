"""Several servers on one PostgreSQL: what one acknowledges all know, whatever is killed.

`OKCANCEL_KILLS=500` kills so often instead of a few times (`make kill N=500`)."""

import base64
import collections
import contextlib
import http.client
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from Support.client import FORM, JSON, Client
from Support.command import TOKEN, run
from Support.documentation import Page
from Support.postgresql import KEY, PostgreSQL
from Support.program import Nginx, Program
from Support.server import Server, free_port
from Support.waiting import wait_until

KILLS = int(os.environ.get("OKCANCEL_KILLS", "6"))
CHANCE = random.Random(20261122)


@pytest.fixture(scope="module")
def database():
    with PostgreSQL() as database:
        yield database


def is_ready(node):
    return node.request("GET", "/readyz")[0] == 200


def test_an_idempotency_key_holds_across_nodes(database):
    key = {"Idempotency-Key": "order-7"}
    with database.node() as one, database.node() as other:
        ask = one.call("POST", "/asks", {"prompt": "email"}, key)
        assert other.call("POST", "/asks", {"prompt": "email"}, key) == ask
        body = json.dumps({"prompt": "login"})
        assert other.request("POST", "/asks", body, JSON | other.authorized | key)[0] == 409
        login = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})
        for path, body in [("/prompts/login?receipt", login), (urlsplit(ask["link"]).path, '{"outcome":"cancel"}')]:
            with ThreadPoolExecutor() as pool:
                sent = [
                    pool.submit(node.request, "POST", path, body, JSON | key)
                    for _ in range(10) for node in (one, other)]
            assert len({future.result() for future in sent}) == 1
            assert other.request("POST", path, body, JSON | key) == sent[0].result()
            assert one.request("POST", path, body + " ", JSON | key)[0] == 409
        assert len(one.answers("login")) == 1


def test_nodes_that_offer_other_prompts_are_seen(tmp_path):
    shared, own = [tmp_path / name for name in ("shared", "own")]
    for folder in (shared, own):
        folder.mkdir()
        (folder / "size.yaml").write_text("title: Size\nfields: [{name: size}]\n")
        (folder / "color.yaml").write_text("title: Color\n")

    def differing(node):
        lines = node.request("GET", "/metrics", headers=node.authorized)[1].splitlines()
        named = [line.split('"')[1] for line in lines if line.startswith("okcancel_prompt_differs{")]
        assert f"okcancel_prompts_differing {len(named)}" in lines
        return named

    def look(node):
        """A server looks every ten seconds, and when it is told to reload."""
        node.process.send_signal(signal.SIGHUP)
        time.sleep(0.1)

    # Of its own: nodes that another test killed are remembered for a while.
    with PostgreSQL() as database, database.node(shared) as one, database.node(shared) as same:
        (own / "size.yaml").write_text("title: The size\nfields: [{name: size}]\n")
        (own / "color.yaml").unlink()
        with database.node(own) as other:
            for node in (other, one, same):
                wait_until(lambda: differing(node) == ["color", "size"])
            for file in shared.iterdir():
                (own / file.name).write_text(file.read_text())
            look(other)
            for node in (other, one, same):
                wait_until(lambda: differing(node) == [], meanwhile=lambda: look(node))
            # The next difference is told once more, and ends with the node.
            (own / "third.yaml").write_text("title: Third\n")
            look(other)
            wait_until(lambda: differing(one) == ["third"], meanwhile=lambda: look(one))
            assert other.stop() == 0
        wait_until(lambda: differing(one) == [], meanwhile=lambda: look(one))
        for node in (one, other):
            begun = [line for line in node.log.lines if "offer different versions of the prompts “color”, “size”; give" in line]
            assert len(begun) == 1 and " warning " in begun[0]
            assert "all servers of this database offer the same prompts again" in node.log.text


@pytest.mark.parametrize("seconds", ["315360000", "-315360000", "4102444800", "jumps"])
def test_a_server_with_a_wrong_clock_stops_when_it_is_told_to(database, clock, seconds):
    wrong = {"LD_PRELOAD": clock, "OKCANCEL_TEST_CLOCK": seconds}
    for server in (lambda: database.node(**wrong), lambda: Server(**wrong)):
        with server() as node, ThreadPoolExecutor(4) as pool:
            # Where the clock jumps, an ask may have expired before it is read.
            asks = [node.ask() for _ in range(4)]
            waiting = [
                pool.submit(node.request, "GET", f"/asks/{ask['id']}{how}", headers=node.authorized)
                for ask, how in zip(asks, ["?wait=50", "?wait=50", "/events", "/events"])]
            wait_until(lambda: node.waiters + sum(answer.done() for answer in waiting) == 4)
            began = time.monotonic()
            assert node.stop() == 0, seconds
            # It waits ten seconds for requests that run, and has none that would take so long.
            assert time.monotonic() - began < 30, seconds
            assert all(answer.result()[0] in (200, 503) for answer in waiting)


def test_the_databases_clock_decides_whatever_that_of_a_node_says(database, clock):
    for seconds in ("90", "-90"):
        wrong = {"LD_PRELOAD": clock, "OKCANCEL_TEST_CLOCK": seconds}
        with database.node() as right, database.node(**wrong) as other:
            for node in (right, other):
                now = time.time()
                long = node.call("POST", "/asks", {"prompt": "email", "expiresIn": 60})
                short = node.call("POST", "/asks", {"prompt": "email", "expiresIn": 1})
                for ask, length in [(long, 60), (short, 1)]:
                    expiry = datetime.fromisoformat(ask["expiresAt"]).timestamp()
                    assert abs(expiry - now - length) < 30, (seconds, ask)
                # At whichever node it is read, it ends, and what has time left does not.
                for reader in (right, other):
                    assert reader.call("GET", f"/asks/{short['id']}?wait=25")["outcome"] == "expired", seconds
                for reader in (right, other):
                    assert reader.call("GET", f"/asks/{long['id']}")["status"] == "open", seconds


def test_a_database_in_use_is_not_copied(database, tmp_path):
    words = ["copy", "--from", database.url, "--to", tmp_path / "copy.sqlite"]
    with database.node() as node:
        assert node.ask()
        refused = run(*words, OKCANCEL_KEY=KEY)
        assert refused.returncode == 70 and "nothing was copied" in refused.stderr
        assert "is in use by another process; stop it first" in refused.stderr
        assert list(tmp_path.iterdir()) == []
        assert node.stop() == 0
    assert run(*words, OKCANCEL_KEY=KEY).returncode == 0


class Crowd:
    """People who answer and programs that wait, through a proxy, whatever is killed behind it.

    Each request has a key and is sent until it gets a response that settles it, as the dialog does.
    """

    def __init__(self, proxy):
        self.proxy = proxy
        self.over, self.numbers = threading.Event(), itertools.count()
        # By ask: what the program was told, and by each of two rivals what the answer came to.
        self.told, self.won, self.lost = {}, {}, []
        self.kept, self.failures, self.retries = [], [], []

    def send(self, method, path, body, headers, settled):
        """The first response with one of these statuses; others only say that the answer is not known."""
        while True:
            try:
                status, text = self.proxy.request(method, path, body, headers)
                if status in settled:
                    return status, text
                assert status in (502, 503, 504), (status, text)
            except (OSError, http.client.HTTPException):
                pass
            self.retries.append(path)
            time.sleep(0.02)

    def post(self, path, body, key, settled, headers={}):
        return self.send("POST", path, body, headers | {"Idempotency-Key": key}, settled)

    def wait(self, ask):
        path, status = f"/asks/{ask['id']}?wait=20", "open"
        while status == "open":
            text = self.send("GET", path, None, self.proxy.authorized, [200])[1]
            status = json.loads(text)["status"]
        self.told[ask["id"]] = text

    def answer(self, ask, email):
        path = urlsplit(ask["link"]).path
        if self.post(path, f"email={email}", email, [200, 409], FORM)[0] == 200:
            self.won.setdefault(ask["id"], []).append(email)
        else:
            self.lost.append(ask["id"])

    def person(self):
        try:
            while not self.over.is_set():
                number = next(self.numbers)
                ask = json.loads(self.post(
                    "/asks", '{"prompt":"email"}', f"ask-{number}", [200, 201], JSON | self.proxy.authorized)[1])
                rivals = [f"p{number}{rival}@example.com" for rival in "ab"]
                with ThreadPoolExecutor(3) as pool:
                    started = [pool.submit(self.wait, ask)] + [pool.submit(self.answer, ask, email) for email in rivals]
                    for future in started:
                        future.result()
                self.post("/prompts/email", f"email={rivals[0]}", rivals[0], [200], FORM)
                self.kept.append(rivals[0])
        except BaseException as failure:
            self.failures.append(failure)
            raise

    def __enter__(self):
        self.people = [threading.Thread(target=self.person) for _ in range(6)]
        for person in self.people:
            person.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for person in self.people:
            person.join()


def test_kill_9_takes_nothing_that_was_acknowledged(tmp_path):
    """Two nodes behind the guide's nginx; at random moments one of them, both or PostgreSQL are gone."""
    ports, nodes = [free_port(), free_port()], {}
    servers = {f"10.0.0.1{place + 1}:8080": f"127.0.0.1:{port}" for place, port in enumerate(ports)}
    gone = collections.Counter()
    with PostgreSQL() as database, contextlib.ExitStack() as stack:
        def start(place):
            nodes[place] = database.node(OKCANCEL_PORT=str(ports[place]), OKCANCEL_LOG_LEVEL="error")
            stack.callback(nodes[place].__exit__)

        start(0), start(1)
        nginx = stack.enter_context(Nginx(tmp_path, Page("scaling.md").example("nginx"), servers))
        with Crowd(Client(f"http://127.0.0.1:{nginx.port}", TOKEN)) as crowd:
            for _ in range(KILLS):
                enough = len(crowd.kept) + CHANCE.randint(1, 12)
                wait_until(lambda: len(crowd.kept) >= enough or crowd.failures)
                victim = CHANCE.choice(["one node", "one node", "both nodes", "database"])
                gone[victim] += 1
                if victim == "database":
                    database.order("stop")
                    noticed = len(crowd.retries) + CHANCE.randint(0, 6)
                    wait_until(lambda: len(crowd.retries) >= noticed or crowd.failures)
                    database.order("start")
                else:
                    places = [0, 1] if victim == "both nodes" else [CHANCE.randrange(2)]
                    for place in places:
                        nodes[place].kill()
                    for place in places:
                        start(place)
        assert not crowd.failures
        wait_until(lambda: is_ready(nodes[0]))
        asks = len(crowd.told)
        print(f"{dict(gone)}, {asks} asks, {len(crowd.kept)} standing answers, {len(crowd.retries)} retries")
        assert asks > KILLS
        # Of two rivals one won, and all were told so.
        assert sorted(crowd.lost) == sorted(crowd.told) == sorted(crowd.won)
        for id, text in crowd.told.items():
            closed, [email] = json.loads(text), crowd.won[id]
            assert closed["values"] == {"email": email}
            assert nodes[0].kept({"id": id}) == text
        assert sorted(answer["values"]["email"] for answer in nodes[0].answers()) == sorted(crowd.kept)
        # Each request for an ask made one, although it was sent again.
        rows = subprocess.run(
            ["psql", "--host", database.folder, "--username", "postgres", "--dbname", "okcancel", "--tuples-only",
             "--command", "SELECT count(*), count(outcome) FROM asks"], capture_output=True, text=True, check=True)
        assert rows.stdout.split() == [str(asks), "|", str(asks)]


def test_nodes_work_behind_a_pooler_of_transactions(database, tmp_path):
    port = free_port()
    settings = tmp_path / "pgbouncer.ini"
    # With one connection for all, a statement that somebody prepared is in everybody's way. With two, that is chance.
    settings.write_text(f"""[databases]
okcancel = host={database.folder} user=okcancel
crowded = host={database.folder} user=okcancel dbname=okcancel pool_size=1
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
""")
    pooled = {
        "OKCANCEL_DATABASE": f"postgresql://okcancel@127.0.0.1:{port}/okcancel",
        "OKCANCEL_DATABASE_DIRECT": database.url}
    # Like PostgreSQL it refuses to run as root.
    command = [*database.user, "/usr/sbin/pgbouncer", "-q", "/dev/stdin"]
    with settings.open() as file, Program(command, port, stdin=file):
        with database.node(OKCANCEL_DATABASE=f"postgresql://okcancel@127.0.0.1:{port}/crowded") as node:
            says = "give the server’s own address too, with --database-direct"
            wait_until(lambda: says in node.request("GET", "/readyz")[1])
        with database.node(**pooled) as one, database.node(**pooled) as other:
            for _ in range(20):
                ask = one.ask()
                with ThreadPoolExecutor() as pool:
                    heard = pool.submit(other.call, "GET", f"/asks/{ask['id']}?wait=25")
                    wait_until(lambda: other.waiters)
                    one.answer(ask)
                    assert heard.result(60)["values"] == {"email": "ann@example.com"}


def test_tls_is_verified(tmp_path):
    """Promise 4.3 | The password of a PostgreSQL database appears in no log, error or process list, and TLS to it can be
    verified.
    """
    with PostgreSQL() as database:
        port = free_port()
        key, certificate = f"{database.folder}/data/server.key", f"{database.folder}/data/server.crt"
        subprocess.run(
            [*database.user, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        with open(f"{database.folder}/data/postgresql.auto.conf", "a") as file:
            file.write(f"ssl = on\nlisten_addresses = 'localhost'\nport = {port}\n")
        with open(f"{database.folder}/data/pg_hba.conf", "w") as file:
            file.write("local all all trust\nhostssl all okcancel all scram-sha-256\n")
        database.order("restart")
        subprocess.run(
            ["psql", "--quiet", f"--host={database.folder}", f"--port={port}", "--username=postgres",
             "--command=ALTER ROLE okcancel PASSWORD 'pass-word'"], check=True)
        root = tmp_path / "root.crt"
        root.write_bytes(Path(certificate).read_bytes())

        def url(host):
            return f"postgresql://okcancel@{host}:{port}/okcancel?sslmode=verify-full&sslrootcert={root}"

        with database.node(OKCANCEL_DATABASE=url("localhost"), PGPASSWORD="pass-word") as node:
            node.answer(node.ask())
            assert b"pass-word" not in Path(f"/proc/{node.process.pid}/environ").read_bytes()
            assert b"pass-word" not in Path(f"/proc/{node.process.pid}/cmdline").read_bytes()
        for wrong, password, says in [
            (url("127.0.0.1"), "pass-word", "cannot be reached"),
            (url("localhost"), "other", "does not let this user in .*check the user in the address, the password"),
            (url("localhost"), "", "does not let this user in .*check the user in the address, the password"),
            (url("localhost").replace("okcancel@", "nobody@"), "pass-word", "does not let this user in"),
        ]:
            with pytest.raises(AssertionError, match=says) as refusal:
                database.node(OKCANCEL_DATABASE=wrong, PGPASSWORD=password)
            assert not password or password not in str(refusal.value)
            assert ("check its address and that it is running" in str(refusal.value)) == (says == "cannot be reached")


def test_a_database_moves_and_its_key_changes(tmp_path):
    new = base64.b64encode(b"n" * 32).decode()
    login = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})
    with PostgreSQL() as database:
        file = tmp_path / "a.sqlite"
        with Server(database=file, OKCANCEL_KEY=KEY) as server:
            ask = server.ask()
            assert server.request("POST", "/prompts/login", login, JSON)[0] == 200
            answers = server.request("GET", "/prompts/login/answers", headers=server.authorized)[1]
            assert server.stop() == 0
        copied = run("copy", "--from", file, "--to", database.url, OKCANCEL_KEY=KEY)
        assert (copied.returncode, copied.stdout) == (
            0, "copied 1 asks, 1 answers, 0 deliveries, 0 turns, 0 pairs; row counts match\n")
        again = run("copy", "--from", file, "--to", database.url, OKCANCEL_KEY=KEY)
        assert again.returncode == 70 and "nothing was copied" in again.stderr
        with database.node() as node:
            assert node.request("GET", "/prompts/login/answers", headers=node.authorized)[1] == answers
            node.answer(ask)
            both = f"{new},{KEY}"
            with database.node(OKCANCEL_KEY=both):
                rekeyed = run("rekey", OKCANCEL_DATABASE=database.url, OKCANCEL_KEY=both)
                assert rekeyed.returncode == 0 and rekeyed.stdout.startswith("re-encrypted 1 text"), rekeyed.stderr
        with database.node(OKCANCEL_KEY=new) as node:
            assert node.request("GET", "/prompts/login/answers", headers=node.authorized)[1] == answers
            kept = node.kept(ask)
        back = tmp_path / "b.sqlite"
        assert run("copy", "--from", database.url, "--to", back, OKCANCEL_KEY=new).returncode == 0
        with Server(database=back, OKCANCEL_KEY=new) as server:
            assert server.kept(ask) == kept
            assert server.request("GET", "/prompts/login/answers", headers=server.authorized)[1] == answers
    ended = run("copy", "--from", "a.sqlite", "--to", "b.sqlite")
    assert ended.returncode == 64 and "the other a postgresql:// address" in ended.stderr


def test_without_the_database_pages_go_on_and_it_comes_back():
    with PostgreSQL() as database, database.node(PGPASSWORD="a-secret") as node:
        ask = node.ask()
        database.order("stop")
        status, _ = node.request("POST", urlsplit(ask["link"]).path, "email=ann%40example.com", FORM)
        assert status == 503
        ready = node.exchange("GET", "/readyz")
        assert ready.status == 503 and ready.headers["Retry-After"]
        assert b"secret" not in ready.body
        refused = node.exchange("POST", "/asks", '{"prompt":"email"}', JSON | node.authorized)
        assert refused.status == 503 and refused.headers["Retry-After"]
        assert node.request("GET", "/prompts/email")[0] == 200
        assert node.request("POST", "/validate/email", "email=x", FORM)[0] == 200
        database.order("start")
        wait_until(lambda: is_ready(node))
        node.answer(ask)
        assert "secret" not in node.log.text


@contextlib.contextmanager
def stopped(database):
    """The database's processes stand still."""
    server = int((Path(database.folder) / "data/postmaster.pid").read_text().split()[0])
    # First the one that makes the others, and takes note of those that end.
    os.kill(server, signal.SIGSTOP)
    wait_until(lambda: Path(f"/proc/{server}/stat").read_text().rpartition(") ")[2].startswith("T"))
    children = subprocess.run(["pgrep", "-P", str(server)], capture_output=True, text=True).stdout.split()
    processes = [*map(int, children), server]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_readiness_is_told_in_time_of_a_database_that_stands_still():
    with PostgreSQL() as database, database.node() as node:
        assert is_ready(node)
        with stopped(database):
            def look():
                # For as long as whoever spreads requests would wait.
                return node.exchange("GET", "/readyz", connection=node.connection(timeout=20))

            # What was found out a second ago still counts.
            wait_until(lambda: look().status == 503)
            for _ in range(2):
                answer = look()
                assert answer.status == 503 and b"does not respond" in answer.body, answer.body
                time.sleep(1)
        wait_until(lambda: is_ready(node))


def test_a_server_that_says_nothing_is_passed_over(database, tmp_path):
    silent = socket.socket(socket.AF_UNIX)
    silent.bind(str(tmp_path / ".s.PGSQL.5432"))
    silent.listen(100)
    url = database.url.replace("host=", f"host={tmp_path},") + "&connect_timeout=2"
    nowhere = f"postgresql://okcancel@127.0.0.1:{free_port()}/okcancel"
    with silent, database.node(OKCANCEL_DATABASE=url, OKCANCEL_DATABASE_DIRECT=nowhere) as node:
        node.answer(node.ask())
        database.order("restart")
        wait_until(lambda: is_ready(node))
        node.answer(node.ask())
        # Without this connection, waiters are woken by the look once a second.
        wait_until(lambda: "cannot listen for what other servers close" in node.log.text)
        assert f"{nowhere} cannot be reached (" in node.log.text
        with pytest.raises(AssertionError, match=f"cannot be reached \\({tmp_path} did not respond within 2 s\\)"):
            database.node(OKCANCEL_DATABASE=url.replace(f",{database.folder}", ""))


@pytest.mark.parametrize("option, says", [
    ("sslmod=require", "its address has an option “sslmod”"),
    ("options=-csearch_path%3Dnowhere", "cannot be used: PostgreSQL 3F000: no schema has been selected"),
    ("options=-cwork_mem%3Da", "cannot be used: PostgreSQL 22023: "),
    ("port=99999", "check its address and that it is running"),
])
def test_an_address_that_cannot_be_used_says_why(database, option, says):
    with pytest.raises(AssertionError, match=re.escape(says)):
        database.node(OKCANCEL_DATABASE=f"{database.url}&{option}")


def test_a_shared_database_needs_shared_secrets():
    """Promise 4.3"""
    shared = {
        "OKCANCEL_DATABASE": "postgresql://ann:pass-word@127.0.0.1:1/asks", "OKCANCEL_KEY": KEY,
        "OKCANCEL_API_TOKEN": TOKEN, "OKCANCEL_BASE_URL": "https://ask.example.com"}
    for name, words in [
        ("OKCANCEL_KEY", "OKCANCEL_KEY"), ("OKCANCEL_API_TOKEN", "OKCANCEL_API_TOKEN"),
        ("OKCANCEL_BASE_URL", "--base-url"),
    ]:
        ended = run("serve", "--port", 0, **{key: value for key, value in shared.items() if key != name})
        assert ended.returncode == 64 and words in ended.stderr and "must be the same on every server" in ended.stderr
    ended = run("serve", "--port", 0, "--allow-callback", "https://a.example/", **shared)
    assert ended.returncode == 64 and "OKCANCEL_WEBHOOK_SECRET" in ended.stderr
    ended = run("serve", "--port", 0, **shared)
    assert ended.returncode == 70 and "postgresql://ann@127.0.0.1:1/asks cannot be reached" in ended.stderr
    assert "pass-word" not in ended.stdout + ended.stderr
    ended = run("serve", "--port", 0, "--database", shared.pop("OKCANCEL_DATABASE"), **shared)
    assert ended.returncode == 64 and "PGPASSWORD" in ended.stderr
    assert "pass-word" not in ended.stdout + ended.stderr
