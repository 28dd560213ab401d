"""Server-sent events of an ask, as a program reads them that knows nothing of this server."""

import json
import signal

import requests
from sseclient import SSEClient

from Support.server import Server


class Program(Server):
    """A server and a program that asks through it."""

    def stream(self, ask, **headers):
        return requests.get(
            f"{self.url}/asks/{ask['id']}/events", headers=self.authorized | headers, stream=True, timeout=60)

    def events(self, ask, **headers):
        return SSEClient(self.stream(ask, **headers)).events()


def test_a_stream_says_open_at_once_and_closed_with_the_bytes_that_everyone_reads():
    with Program() as program:
        ask = program.ask(metadata={"note": "two\nlines"})
        stream = program.stream(ask)
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert stream.headers["Cache-Control"] == "no-store"
        assert "Content-Security-Policy" in stream.headers
        events = SSEClient(stream).events()
        first = next(events)
        asked = {key: ask[key] for key in ("prompt", "createdAt", "id", "status")}
        assert (first.event, first.id, json.loads(first.data)) == ("open", "open", asked)
        program.answer(ask)
        last = next(events)
        assert (last.event, last.id, last.data) == ("closed", "closed", program.kept(ask))
        assert json.loads(last.data)["metadata"] == {"note": "two\nlines"}
        assert list(events) == []


def test_a_closed_ask_says_so_at_once_and_tells_who_knows_it_not_to_come_back():
    with Program() as program:
        ask = program.ask()
        program.answer(ask, "outcome=cancel")
        assert [event.event for event in program.events(ask)] == ["closed"]
        assert [event.event for event in program.events(ask, **{"Last-Event-ID": "open"})] == ["closed"]
        done = program.stream(ask, **{"Last-Event-ID": "closed"})
        assert (done.status_code, done.text) == (204, "")


def test_every_way_to_end_is_an_event():
    with Program() as program:
        expiring, withdrawn = program.ask(expiresIn=1), program.ask()
        streams = [program.events(ask) for ask in (expiring, withdrawn)]
        assert [next(events).event for events in streams] == ["open", "open"]
        program.call("DELETE", f"/asks/{withdrawn['id']}")
        assert [json.loads(next(events).data)["outcome"] for events in streams] == ["expired", "withdrawn"]


def test_a_comment_comes_while_nothing_happens():
    with Program() as program:
        lines = program.stream(program.ask()).iter_lines()
        opened = [next(lines) for _ in range(5)]
        assert opened[0] == b"event: open" and opened[4] == b""
        assert next(lines) == b":"


def test_a_stream_ends_with_the_server_and_goes_on_at_the_next(tmp_path):
    database = tmp_path / "kept.sqlite"
    with Program(database=database) as program:
        ask = program.ask()
        events = program.events(ask)
        assert next(events).event == "open"
        program.process.send_signal(signal.SIGTERM)
        # A whole body: nothing was cut off half-way.
        assert list(events) == []
        assert program.ended() == 0
    with Program(database=database) as program:
        events = program.events(ask, **{"Last-Event-ID": "open"})
        assert next(events).event == "open"
        program.answer(ask)
        assert next(events).event == "closed"
