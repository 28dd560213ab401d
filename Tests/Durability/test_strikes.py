"""A callback that ends the server whenever it is sent is set aside in the end, and everybody else is told."""

import os
import queue
import signal
import threading

from Support.listener import Exchange, Listener
from Support.server import Server

OTHERS = 50


class Deadly(Exchange):
    def do_POST(self):
        self.read()
        self.server.opened.wait()
        if self.path == "/hooks/deadly":
            os.kill(self.server.victims.get(), signal.SIGKILL)
        self.server.told.append(self.path)
        self.answer(200)


class Killer(Listener):
    """Answers callbacks once it is `opened`, and kills the next of `victims` for one of them."""

    def __init__(self):
        super().__init__(Deadly)
        self.opened, self.victims, self.told = threading.Event(), queue.Queue(), []


def test_a_callback_that_ends_the_server_each_time_is_set_aside_and_all_others_are_told(tmp_path):
    with Killer() as receiver:
        def serving():
            return Server("--allow-callback", receiver.url + "/hooks", database=tmp_path / "kept.sqlite")

        with serving() as server:
            others = {f"/hooks/{number}" for number in range(OTHERS)}
            for path in ["/hooks/deadly", *sorted(others)]:
                server.answer(server.ask(callback=receiver.url + path))
            # Four are on their way, this one among them; the others wait.
            receiver.victims.put(server.process.pid)
            receiver.opened.set()
            assert server.ended() == -signal.SIGKILL
        for start in range(2, 5):
            with serving() as server:
                receiver.victims.put(server.process.pid)
                assert server.ended() == -signal.SIGKILL
                # It went after all that had not been on their way with it.
                assert len(others & set(receiver.told)) >= OTHERS - 3, start
        with serving() as server:
            line = server.log.wait_for("callback given up: the program ended while it was sent")
            assert f"to={receiver.url}" in line and "/hooks" not in line
            metrics = server.request("GET", "/metrics", headers=server.authorized)[1]
            assert "okcancel_deliveries_set_aside 1" in metrics and "okcancel_callbacks_waiting 0" in metrics
            assert others <= set(receiver.told)
            # What comes then is sent as ever.
            server.answer(server.ask(callback=receiver.url + "/hooks/later"))
            server.log.wait_for("callback delivered")
            assert server.stop() == 0
    assert receiver.victims.empty()
