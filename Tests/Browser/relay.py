"""A relay between the browsers and the server: notes what is posted, and breaks what a test wants broken.

Only Chromium tells its driver of requests; here every browser is seen from outside in the same way.
"""

import contextlib
import http.client
import threading
import urllib.parse

from Support.listener import Exchange, Listener

FRAME = "/frame.html"


class Relay(Listener):
    def __init__(self, upstream):
        super().__init__(Relayed)
        self.upstream = urllib.parse.urlsplit(upstream).netloc
        self.posts, self.broken, self.lost, self.held, self.canned, self.rewrite = [], [], [], {}, {}, None
        # Of what was posted, the idempotency keys; of what was got, the paths.
        self.keys, self.gets = [], []
        self.report, self.spoilt = "", []
        # One more Content-Security-Policy, as a proxy would add it.
        self.policy = ""
        # Headers that a proxy would add.
        self.added = {}

    @contextlib.contextmanager
    def breaking(self, part, after=False):
        """Paths that contain this get no answer: the connection is closed; after the server has given one, if so said."""
        broken = self.lost if after else self.broken
        broken.append(part)
        try:
            yield
        finally:
            broken.remove(part)

    @contextlib.contextmanager
    def answering(self, method, path, status, body, kind="application/problem+json", **headers):
        """Requests of this method to this path get that, and the server never hears of them."""
        self.canned[method, path] = status, body, {"Content-Type": kind} | headers
        try:
            yield
        finally:
            del self.canned[method, path]

    @contextlib.contextmanager
    def reporting(self):
        """What breaks a page's own policy (CSP) is posted to /report."""
        self.report = "; report-uri /report"
        try:
            yield
        finally:
            self.report = ""

    @contextlib.contextmanager
    def holding(self, method, part):
        """Requests of this method to paths that contain this wait until the block ends."""
        self.held[method, part] = threading.Event()
        try:
            yield
        finally:
            self.held.pop((method, part)).set()


class Relayed(Exchange):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        relay = self.server
        body = self.read()
        if self.path.startswith(FRAME):
            return self.frame()
        if self.command == "POST":
            relay.posts.append((self.path, body.decode()))
            relay.keys.append(self.headers.get("Idempotency-Key"))
        elif self.command == "GET":
            relay.gets.append(self.path)
        for (method, part), released in list(relay.held.items()):
            if method == self.command and part in self.path:
                released.wait(120)
        if any(part in self.path for part in relay.broken):
            self.close_connection = True
            return
        if canned := relay.canned.get((self.command, self.path)):
            return self.answer(*canned)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        headers |= relay.added
        if relay.rewrite:
            for name in ("Accept-Encoding", "If-None-Match"):
                headers.pop(name, None)
        upstream = http.client.HTTPConnection(relay.upstream)
        try:
            upstream.request(self.command, self.path, body or None, headers)
            answer = upstream.getresponse()
            content = answer.read()
        finally:
            upstream.close()
        if relay.rewrite:
            content = relay.rewrite(self.path, content)
        if any(part in self.path for part in relay.lost):
            self.close_connection = True
            return
        kept = [
            (name, value + relay.report if name.lower() == "content-security-policy" else value)
            for name, value in answer.getheaders()
            if name.lower() not in ("content-length", "connection", *relay.spoilt)]
        self.answer(answer.status, content, kept + [("Content-Security-Policy", relay.policy)] * bool(relay.policy))

    def frame(self):
        """A page with a frame of a given size: no browser's window becomes as small as a phone."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        page = "<!doctype html><title>Frame</title><iframe src='{path}' width={width} height={height} style='border: 0'></iframe>"
        self.answer(200, page.format(**query).encode(), {"Content-Type": "text/html"})

    do_GET = do_HEAD = do_POST = do_DELETE = do_OPTIONS = handle_any
