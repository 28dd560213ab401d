"""Another site: serves the pages of a test, notes what their forms send, and has a backend."""

import json
import urllib.parse

from Support.listener import Exchange, Listener


class Host(Listener):
    """`pages` are by path, `headers` for all of them; `posts` answer forms by their values."""

    def __init__(self):
        super().__init__(Answer)
        self.pages, self.headers, self.posts, self.forms, self.reports = {}, {}, {}, [], []
        self.okcancel = None

    def url(self, name="127.0.0.1"):
        """Its origin by this name of the machine: another name is another site."""
        return f"http://{name}:{self.server_port}"


class Answer(Exchange):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/taken":
            self.server.forms.append(urllib.parse.parse_qsl(query, keep_blank_values=True))
        page = self.server.pages.get(path, "<!doctype html><title>Nothing</title>")
        kind = "text/javascript" if path.endswith(".js") else "text/html"
        self.answer(200, page.encode(), {"Content-Type": f"{kind}; charset=utf-8", **self.server.headers})

    def do_POST(self):
        body = self.read()
        if self.path == "/report":
            self.server.reports.append(json.loads(body)["csp-report"])
            return self.answer(200)
        if self.path in self.server.posts:
            text = self.server.posts[self.path](dict(urllib.parse.parse_qsl(body.decode())))
            return self.answer(200, text.encode(), {"Content-Type": "text/html; charset=utf-8"})
        ask = self.server.okcancel.call("POST", "/asks", json.loads(body))
        self.answer(200, json.dumps({"link": ask["link"]}).encode(), {"Content-Type": "application/json"})
