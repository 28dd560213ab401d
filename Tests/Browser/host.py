"""A site of somebody else: serves the pages of a test, notes what their forms send, and has a backend."""

import http.server
import json
import threading
import urllib.parse


class Host(http.server.ThreadingHTTPServer):
    """Listens on a port of its own. `pages` are by path, `headers` for all of them; `posts` answer forms by their values."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.pages, self.headers, self.posts, self.forms, self.reports = {}, {}, {}, [], []
        self.okcancel = None

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A browser that leaves is no error."""

    def url(self, name="127.0.0.1"):
        """Its origin by this name of the machine: another name is another site."""
        return f"http://{name}:{self.server_port}"


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/taken":
            self.server.forms.append(urllib.parse.parse_qsl(query, keep_blank_values=True))
        page = self.server.pages.get(path, "<!doctype html><title>Nothing</title>")
        kind = "text/javascript" if path.endswith(".js") else "text/html"
        self.answer(page.encode(), {"Content-Type": f"{kind}; charset=utf-8", **self.server.headers})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/report":
            self.server.reports.append(json.loads(body)["csp-report"])
            return self.answer(b"", {})
        if self.path in self.server.posts:
            text = self.server.posts[self.path](dict(urllib.parse.parse_qsl(body.decode())))
            return self.answer(text.encode(), {"Content-Type": "text/html; charset=utf-8"})
        ask = self.server.okcancel.call("POST", "/asks", json.loads(body))
        self.answer(json.dumps({"link": ask["link"]}).encode(), {"Content-Type": "application/json"})

    def answer(self, body, headers):
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
