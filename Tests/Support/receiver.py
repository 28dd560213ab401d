"""Somebody who is called back."""

import queue
import threading

from Support.listener import Exchange, Listener


class Called(Exchange):
    def do_POST(self):
        body = self.read()
        self.server.requests.put((self.path, dict(self.headers), body))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if isinstance(status, threading.Event):
            status.wait()
            status = 200
        self.answer(status, self.server.words(self.path, body))


class Receiver(Listener):
    """Puts each request in `requests` as path, headers and body, and answers it with the next of `statuses`, at last
    always with 200. A status that is an event is waited for, and then 200."""

    def __init__(self, *statuses):
        super().__init__(Called)
        self.requests, self.statuses = queue.Queue(), list(statuses)
        self.words = lambda path, body: b""

    def next(self):
        return self.requests.get(timeout=60)
