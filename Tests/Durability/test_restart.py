"""A server that is replaced under load: no request fails, and every acknowledged answer is kept once."""

import asyncio
import collections
import itertools
import json
import os
import socket
from urllib.parse import urlsplit

from Support import command
from Support.server import Server

TOKEN = {"Authorization": f"Bearer {command.TOKEN}"}

RESTARTS = int(os.environ.get("OKCANCEL_RESTARTS", "5"))
KEEPING, FRESH, ASKING = 10, 6, 6


def serving(folder, *arguments, **options):
    return Server(
        database=folder / "kept.sqlite", before=arguments, options=options, OKCANCEL_LOG_LEVEL="warning")


class Succession:
    """One process after another, on a socket that outlives them."""

    def __init__(self, folder):
        self.folder = folder
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.start()
        self.port = self.socket.getsockname()[1]
        assert self.program.port == self.port

    def start(self):
        number = self.socket.fileno()
        self.program = serving(self.folder, *command.handed(number), pass_fds=[number])

    def restart(self):
        assert self.program.stop() == 0
        self.program.__exit__()
        self.start()

    def end(self):
        self.program.__exit__()
        self.socket.close()


class Client:
    """One connection at a time. As any client does, it sends a request once more if the kept connection
    that it was sent on closed without a byte of an answer; `retried` counts that."""

    def __init__(self, port, counts):
        self.port, self.counts, self.writer = port, counts, None

    async def request(self, method, path, body="", **headers):
        fields = {"Host": f"127.0.0.1:{self.port}", "Content-Length": len(body), "Accept": "application/json"} | headers
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        message = f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode()
        was_kept = self.writer is not None
        if not was_kept:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        answer = b""
        try:
            self.writer.write(message)
            answer = await self.reader.readuntil(b"\r\n\r\n")
            fields = dict(line.lower().split(b": ", 1) for line in answer.split(b"\r\n")[1:-2])
            body_received = await self.reader.readexactly(int(fields[b"content-length"]))
        except (asyncio.IncompleteReadError, ConnectionError) as end:
            self.close()
            if was_kept and not answer and not getattr(end, "partial", b""):
                self.counts["retried"] += 1
                return await self.request(method, path, body, **headers)
            raise
        if fields.get(b"connection") == b"close" or headers.get("Connection") == "close":
            self.close()
        self.counts["requests"] += 1
        return int(answer.split(b" ", 2)[1]), body_received

    def close(self):
        self.writer.close()
        self.writer = None


JSON = {"Content_Type": "application/json"}


class Load:
    def __init__(self, port):
        self.port, self.counts, self.failures = port, collections.Counter(), []
        self.numbers, self.answered, self.outcomes, self.is_over = itertools.count(), [], {}, False

    async def answering(self, **headers):
        """Answers a standing prompt again and again."""
        client = Client(self.port, self.counts)
        while not self.is_over:
            email = f"person{next(self.numbers)}@example.com"
            status, body = await client.request(
                "POST", "/prompts/email", json.dumps({"outcome": "ok", "values": {"email": email}}), **JSON, **headers)
            assert (status, json.loads(body)["values"]) == (200, {"email": email})
            self.answered.append(email)

    async def asking(self):
        """Makes asks; a person answers while the program waits."""
        program, person = Client(self.port, self.counts), Client(self.port, self.counts)
        while not self.is_over:
            status, body = await program.request("POST", "/asks", '{"prompt":"email"}', **JSON, **TOKEN)
            assert status == 201, body
            ask = json.loads(body)
            waiting = asyncio.create_task(self.waiting(ask["id"]))
            email = f"asked{next(self.numbers)}@example.com"
            status, body = await person.request(
                "POST", urlsplit(ask["link"]).path, json.dumps({"outcome": "ok", "values": {"email": email}}), **JSON)
            assert status == 200, body
            self.outcomes[ask["id"]] = email
            assert await waiting == {"email": email}

    async def waiting(self, ask):
        client = Client(self.port, self.counts)
        while True:
            status, body = await client.request("GET", f"/asks/{ask}?wait=55", **TOKEN)
            assert status == 200, body
            if json.loads(body)["status"] == "closed":
                return json.loads(body)["values"]

    async def patient(self, ask):
        """Waits for what nobody answers until the end."""
        values = await self.waiting(ask)
        assert values == {"email": "last@example.com"}

    async def guarded(self, work):
        try:
            await work
        except Exception as failure:
            self.failures.append(repr(failure))

    async def run(self, server):
        one = Client(self.port, self.counts)
        unanswered = json.loads((await one.request("POST", "/asks", '{"prompt":"email"}', **JSON, **TOKEN))[1])
        work = [self.answering() for _ in range(KEEPING)] + [self.answering(Connection="close") for _ in range(FRESH)]
        work += [self.asking() for _ in range(ASKING)] + [self.patient(unanswered["id"]) for _ in range(20)]
        running = [asyncio.create_task(self.guarded(each)) for each in work]
        for _ in range(RESTARTS):
            await self.more(200)
            await asyncio.to_thread(server.restart)
        await self.more(200)
        self.is_over = True
        assert (await one.request(
            "POST", urlsplit(unanswered["link"]).path, '{"outcome":"ok","values":{"email":"last@example.com"}}', **JSON))[0] == 200
        await asyncio.wait_for(asyncio.gather(*running), 60)
        await self.look(one)

    async def more(self, count):
        """Returns after so many requests more, or a failure."""
        end = self.counts["requests"] + count
        async with asyncio.timeout(60):
            while self.counts["requests"] < end and not self.failures:
                await asyncio.sleep(0.01)

    async def look(self, client):
        """Checks that every acknowledged answer is kept once."""
        kept, cursor = collections.Counter(), ""
        while lines := (await client.request("GET", f"/prompts/email/answers?limit=100{cursor}", **TOKEN))[1].splitlines():
            kept.update(json.loads(line)["values"]["email"] for line in lines)
            cursor = f"&after={json.loads(lines[-1])['cursor']}"
        assert kept == collections.Counter(self.answered)
        for ask, email in self.outcomes.items():
            closed = json.loads((await client.request("GET", f"/asks/{ask}", **TOKEN))[1])
            assert (closed["status"], closed["values"]) == ("closed", {"email": email})


def test_no_request_fails_while_the_server_is_restarted(tmp_path):
    server = Succession(tmp_path)
    load = Load(server.port)
    try:
        asyncio.run(load.run(server))
    finally:
        server.end()
    print(f"{RESTARTS} restarts, {load.counts['requests']} requests, {load.counts['retried']} sent once more")
    assert load.failures == []
