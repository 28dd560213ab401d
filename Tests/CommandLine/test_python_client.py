"""`Packaging/python`, against a real server."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import threading

import okcancel
import pytest

from Support.client import FORM
from Support.command import ROOT
from Support.listener import Exchange, Listener
from Support.receiver import Receiver
from Support.server import Server, free_port
from Support.waiting import wait_until

EMAIL = [{"name": "email", "kind": "email"}, {"name": "age", "kind": "integer", "optional": True}]


@pytest.fixture(scope="module")
def server():
    with Server("Examples") as server:
        yield server


@pytest.fixture
def client(server):
    return okcancel.Client(server.url, server.token)


def answering(server, form):
    """Brings the link to a person who answers at once."""

    def present(link):
        threading.Thread(target=server.request, args=["POST", "/a/" + link.rsplit("/", 1)[1], form, FORM]).start()

    return present


def test_an_answer_is_typed_and_only_ok_is_true(server, client):
    outcome = client.ask("Your email", fields=EMAIL, metadata={"n": 1}, present=answering(
        server, "outcome=ok&email=ann%40example.com&age=42"))
    assert outcome and (outcome.outcome, outcome.values) == ("ok", {"email": "ann@example.com", "age": 42})
    assert outcome.metadata == {"n": 1} and outcome.closed_at
    assert not client.ask("Deploy?", present=answering(server, "outcome=cancel"))
    assert client.ask(prompt="email", context=[{"text": "a"}], present=answering(
        server, "outcome=ok&email=ann%40example.com")).values == {"email": "ann@example.com"}


def test_an_async_question_does_not_block_the_event_loop(server, client):
    async def work():
        return await asyncio.gather(*(
            client.ask_async(f"Question {n}?", present=answering(server, "outcome=ok")) for n in range(50)))

    assert all(asyncio.run(work()))


def test_a_cancelled_task_withdraws_its_ask(server, client):
    links = []

    async def work():
        task = asyncio.create_task(client.ask_async("Still needed?", present=links.append))
        await asyncio.to_thread(wait_until, lambda: links)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        # It is withdrawn before the task ends: the program may end with it.
        path = "/a/" + links[0].rsplit("/", 1)[1]
        assert (await asyncio.to_thread(server.request, "GET", path))[0] == 410

    asyncio.run(work())


@pytest.mark.parametrize("how", ["the loop ends", "Ctrl-C"])
def test_a_program_that_ends_withdraws_its_ask(server, how):
    program = subprocess.Popen(
        [sys.executable, "-c", """if True:
            import asyncio, okcancel, signal, sys
            # As at a terminal: what a shell starts in the background ignores Ctrl-C, and so do its children.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            async def main():
                asked = asyncio.Event()
                async def present(link):
                    print(link, flush=True)
                    asked.set()
                task = asyncio.create_task(okcancel.ask_async("Still needed?", present=present))
                await (asked.wait() if sys.argv[1] == "the loop ends" else task)
            asyncio.run(main())""", how],
        env={"PYTHONPATH": str(ROOT / "Packaging/python"), "OKCANCEL_URL": server.url,
             "OKCANCEL_API_TOKEN": server.token}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    link = program.stdout.readline().strip()
    if how == "Ctrl-C":
        program.send_signal(signal.SIGINT)
    program.wait(60)
    assert server.request("GET", "/a/" + link.rsplit("/", 1)[1])[0] == 410


def test_an_async_function_brings_the_link(server, client):
    links = []

    async def present(link):
        await asyncio.sleep(0)
        links.append(link)
        answering(server, "outcome=ok")(link)

    assert asyncio.run(client.ask_async("Deploy?", present=present)) and links
    with pytest.raises(TypeError, match="only ask_async"):
        client.ask("Deploy?", present=present)
    with pytest.raises(TypeError, match="only ask_async"):
        client.ask("Deploy?", present=lambda link: asyncio.sleep(0))


def test_a_wait_ends_at_its_time_even_if_the_server_is_away():
    seen = []
    client = okcancel.Client(f"http://127.0.0.1:{free_port()}", "t", patience=60)

    def exchange(*given):
        seen.append(given)
        raise OSError("refused")

    # Attempts are counted, and no time is measured.
    client._exchange = exchange
    with pytest.raises(okcancel.Unreachable):
        client.wait("A", timeout=.1)
    assert len(seen) == 1


def test_a_question_expires_after_its_timeout(server, client):
    assert client.ask("Anybody?", timeout=.2, present=lambda link: None).outcome == "expired"
    assert client.ask("Anybody?", timeout=60, expires_in=1, present=lambda link: None).outcome == "expired"


def test_a_program_asks_without_waiting(server, client):
    ask = client.create("Deploy?", metadata={"n": 2}, key="deploy-1")
    assert client.create("Deploy?", metadata={"n": 2}, key="deploy-1") == ask
    assert client.wait(ask.id, timeout=0) is None
    answering(server, "outcome=ok")(ask.link)
    outcome = client.wait(ask.id)
    assert outcome and (outcome.id, outcome.metadata) == (ask.id, {"n": 2})
    assert client.create("Deploy?", metadata={"n": 2}, key="deploy-1") == okcancel.Ask(ask.id, None)
    assert client.withdraw(client.create("Deploy?").id).outcome == "withdrawn"


def test_an_ask_is_withdrawn_if_its_link_cannot_be_brought(server, client):
    links = []

    def present(link):
        links.append(link)
        raise OSError("no mail server")

    with pytest.raises(OSError, match="no mail server"):
        client.ask("Deploy?", present=present)
    assert server.request("GET", "/a/" + links[0].rsplit("/", 1)[1])[0] == 410


def test_a_callback_gets_the_outcome():
    with Receiver() as receiver, Server("Examples", "--allow-callback", receiver.url) as server:
        ask = okcancel.Client(server.url, server.token).create("Deploy?", callback=receiver.url + "/7")
        answering(server, "outcome=ok")(ask.link)
        received = json.loads(receiver.next()[2])
    assert (received["id"], received["outcome"]) == (ask.id, "ok")


def test_a_type_checker_finds_misspelt_options(tmp_path):
    def checked(call):
        (tmp_path / "program.py").write_text(f"import okcancel\n\n{call}\n")
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / "program.py"],
            env={"MYPYPATH": str(ROOT / "Packaging/python")}, capture_output=True, text=True).stdout

    assert checked('print(okcancel.ask("Deploy?", expires_in=60).values["a"])') == (
        "Success: no issues found in 1 source file\n")
    assert 'Unexpected keyword argument "expiresIn"' in checked('okcancel.ask("Deploy?", expiresIn=60)')
    assert 'incompatible type "str"' in checked('okcancel.Client().create("Deploy?", expires_in="60")')


def test_an_error_of_the_client_says_what_is_wrong(client):
    with pytest.raises(okcancel.Refused) as refused:
        client.ask("T", fields=[{"name": "a", "kind": "emial"}])
    assert refused.value.status == 400 and "did you mean `email`?" in str(refused.value)
    with pytest.raises(okcancel.Refused) as refused:
        okcancel.Client(client.url, "wrong").ask("T")
    assert refused.value.status == 401
    with pytest.raises(okcancel.Unreachable):
        okcancel.Client(f"http://127.0.0.1:{free_port()}", "t", patience=.3).ask("T")
    with pytest.raises(ValueError):
        client.ask("T", prompt="email", fields=[])


def test_a_lost_response_makes_no_second_ask(server):
    """A proxy takes each request twice and answers only the second."""
    seen = []

    class Proxy(Exchange):
        def do(self):
            body = self.read() or None
            seen.append((self.command, self.path, self.headers.get("Idempotency-Key")))
            answer = server.exchange(self.command, self.path, body, dict(self.headers.items()))
            if len(seen) % 2:
                return self.connection.close()
            self.answer(answer.status, answer.body)

        do_GET = do_POST = do_DELETE = do

    with Listener(Proxy) as proxy:
        client = okcancel.Client(proxy.url, server.token)
        assert client.ask("Once?", present=answering(server, "outcome=ok"))
    posts = [key for method, path, key in seen if method == "POST"]
    assert len(posts) == 2 and posts[0] == posts[1] is not None
    assert [method for method, _, _ in seen] == ["POST", "POST", "GET", "GET"]


def test_a_server_may_be_away_while_a_person_thinks(tmp_path):
    serving, links, result = {"database": tmp_path / "a.sqlite", "OKCANCEL_PORT": str(free_port())}, [], []
    with Server("Examples", **serving) as server:
        client = okcancel.Client(server.url, server.token)
        thread = threading.Thread(target=lambda: result.append(client.ask("Back soon?", present=links.append)))
        thread.start()
        wait_until(lambda: links)
    with Server("Examples", **serving) as server:
        answering(server, "outcome=ok")(links[0])
        thread.join(60)
        assert result and result[0]


def test_it_installs_without_a_dependency(tmp_path):
    source = ROOT / "Packaging/python"
    def files():
        return {path for path in source.rglob("*") if "__pycache__" not in path.parts}

    before = files()
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--target",
         tmp_path / "target", source], check=True)
    # A build leaves no files beside the sources.
    assert files() == before
    said = subprocess.run(
        [sys.executable, "-c", "import okcancel; print(okcancel.__version__)"],
        env={"PYTHONPATH": str(tmp_path / "target")},
        cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == "0.1.0\n", said.stderr
    assert (tmp_path / "target/okcancel/py.typed").exists()
    assert list(tmp_path.glob("target/okcancel-*.dist-info/**/LICENSE"))
