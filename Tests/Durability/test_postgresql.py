"""Several servers on one PostgreSQL: what one acknowledges all know, whatever is killed.

`OKCANCEL_KILLS=200` kills so often instead of a few times (`make kill`)."""

import base64
import http.client
import json
import os
import random
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from Support.client import FORM, JSON
from Support.command import TOKEN, run
from Support.postgresql import KEY, PostgreSQL
from Support.program import Program
from Support.server import Server, free_port

KILLS = int(os.environ.get("OKCANCEL_KILLS", "3"))
CHANCE = random.Random(20261122)


@pytest.fixture(scope="module")
def database():
    with PostgreSQL() as database:
        yield database


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def is_ready(node):
    return node.request("GET", "/readyz")[0] == 200


def test_a_waiter_at_one_node_hears_an_answer_at_another(database):
    with database.node() as one, database.node() as other:
        made = one.ask()
        heard = []

        def wait():
            heard.append(other.call("GET", f"/asks/{made['id']}?wait=25"))
            heard.append(time.monotonic())

        waiter = threading.Thread(target=wait)
        waiter.start()
        time.sleep(0.3)
        one.answer(made)
        answered = time.monotonic()
        waiter.join()
        assert heard[0]["values"] == {"email": "ann@example.com"}
        assert heard[1] - answered < 1
        assert one.kept(made) == other.kept(made)
        # The first outcome wins, at whichever node.
        assert other.request("POST", urlsplit(made["link"]).path, "outcome=cancel", FORM)[0] == 409
        assert other.request("DELETE", f"/asks/{made['id']}", headers=other.authorized)[0] in (200, 409)
        assert one.kept(made) == other.kept(made)


def test_an_idempotency_key_holds_across_nodes(database):
    key = {"Idempotency-Key": "order-7"}
    with database.node() as one, database.node() as other:
        made = one.call("POST", "/asks", {"prompt": "email"}, key)
        assert other.call("POST", "/asks", {"prompt": "email"}, key) == made
        body = json.dumps({"prompt": "login"})
        assert other.request("POST", "/asks", body, JSON | other.authorized | key)[0] == 409
        login = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})
        for path, body in [("/prompts/login?receipt", login), (urlsplit(made["link"]).path, '{"outcome":"cancel"}')]:
            with ThreadPoolExecutor() as pool:
                sent = [
                    pool.submit(node.request, "POST", path, body, JSON | key)
                    for _ in range(10) for node in (one, other)]
            assert len({future.result() for future in sent}) == 1
            assert other.request("POST", path, body, JSON | key) == sent[0].result()
            assert one.request("POST", path, body + " ", JSON | key)[0] == 409
        assert one.request("GET", "/prompts/login/answers", headers=one.authorized)[1].count("\n") == 1


def test_standing_answers_are_one_list(database):
    with database.node() as one, database.node() as other:
        for number in range(20):
            assert (one, other)[number % 2].request("POST", "/prompts/email", f"email=p{number}%40example.com", FORM)[0] in (200, 303)
        lines = [node.request("GET", "/prompts/email/answers", headers=node.authorized)[1] for node in (one, other)]
        assert lines[0] == lines[1]
        assert [json.loads(line)["values"]["email"] for line in lines[0].splitlines()] == [
            f"p{number}@example.com" for number in range(20)]


@pytest.mark.parametrize("victim", ["node", "database"])
def test_kill_9_takes_nothing_that_was_acknowledged(victim):
    acknowledged, refused = {}, []
    with PostgreSQL() as database, database.node() as witness:
        for _ in range(KILLS):
            with database.node() as node:
                def work(worker):
                    try:
                        for number in range(10_000):
                            made = node.ask()
                            email = f"p{worker}x{number}@example.com"
                            status = node.request(
                                "POST", urlsplit(made["link"]).path, f"email={email}", FORM)[0]
                            if status == 200:
                                acknowledged[made["id"]] = email
                            elif status != 503:
                                refused.append(status)
                    except (OSError, http.client.HTTPException, AssertionError):
                        return  # The node is gone, or has no database.

                workers = [threading.Thread(target=work, args=[worker]) for worker in range(4)]
                for worker in workers:
                    worker.start()
                time.sleep(CHANCE.uniform(0.3, 1))
                if victim == "database":
                    database.order("stop")
                    database.order("start")
                    wait_until(lambda: is_ready(node))
                node.kill()
                for worker in workers:
                    worker.join()
        wait_until(lambda: is_ready(witness))
        for id, email in acknowledged.items():
            closed = json.loads(witness.kept({"id": id}))
            assert closed["status"] == "closed" and closed["values"] == {"email": email}
    assert acknowledged and not refused


def test_behind_a_pooler_of_transactions(database, tmp_path):
    port = free_port()
    settings = tmp_path / "pgbouncer.ini"
    settings.write_text(f"""[databases]
okcancel = host={database.folder} user=okcancel
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
        with database.node(**pooled) as one, database.node(**pooled) as other:
            for _ in range(20):
                made = one.ask()
                with ThreadPoolExecutor() as pool:
                    heard = pool.submit(other.call, "GET", f"/asks/{made['id']}?wait=25")
                    time.sleep(0.05)
                    one.answer(made)
                    assert heard.result(1)["values"] == {"email": "ann@example.com"}


def test_tls_is_verified(tmp_path):
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
        for wrong, password in [(url("127.0.0.1"), "pass-word"), (url("localhost"), "other")]:
            with pytest.raises(AssertionError, match="cannot be reached") as refusal:
                database.node(OKCANCEL_DATABASE=wrong, PGPASSWORD=password)
            assert password not in str(refusal.value)


def test_a_database_moves_and_its_key_changes(tmp_path):
    new = base64.b64encode(b"n" * 32).decode()
    login = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})
    with PostgreSQL() as database:
        file = tmp_path / "a.sqlite"
        with Server(database=file, OKCANCEL_KEY=KEY) as server:
            made = server.ask()
            assert server.request("POST", "/prompts/login", login, JSON)[0] == 200
            answers = server.request("GET", "/prompts/login/answers", headers=server.authorized)[1]
            assert server.stop() == 0
        copied = run("copy", "--from", file, "--to", database.url, OKCANCEL_KEY=KEY)
        assert (copied.returncode, copied.stdout) == (
            0, "copied 1 asks, 1 answers, 0 callbacks; both databases have as many\n")
        again = run("copy", "--from", file, "--to", database.url, OKCANCEL_KEY=KEY)
        assert again.returncode == 70 and "nothing was copied" in again.stderr
        with database.node() as node:
            assert node.request("GET", "/prompts/login/answers", headers=node.authorized)[1] == answers
            node.answer(made)
            both = f"{new},{KEY}"
            with database.node(OKCANCEL_KEY=both):
                rekeyed = run("rekey", OKCANCEL_DATABASE=database.url, OKCANCEL_KEY=both)
                assert rekeyed.returncode == 0 and rekeyed.stdout.startswith("sealed 1 text anew"), rekeyed.stderr
        with database.node(OKCANCEL_KEY=new) as node:
            assert node.request("GET", "/prompts/login/answers", headers=node.authorized)[1] == answers
            kept = node.kept(made)
        back = tmp_path / "b.sqlite"
        assert run("copy", "--from", database.url, "--to", back, OKCANCEL_KEY=new).returncode == 0
        with Server(database=back, OKCANCEL_KEY=new) as server:
            assert server.kept(made) == kept
            assert server.request("GET", "/prompts/login/answers", headers=server.authorized)[1] == answers
    ended = run("copy", "--from", "a.sqlite", "--to", "b.sqlite")
    assert ended.returncode == 64 and "the other a postgresql:// address" in ended.stderr


def test_without_the_database_pages_go_on_and_it_comes_back():
    with PostgreSQL() as database, database.node(PGPASSWORD="a-secret") as node:
        made = node.ask()
        database.order("stop")
        status, _ = node.request("POST", urlsplit(made["link"]).path, "email=ann%40example.com", FORM)
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
        node.answer(made)
        assert "secret" not in node.log.text


def test_a_shared_database_needs_shared_secrets():
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
