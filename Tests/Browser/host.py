"""A site of somebody else: serves the pages of a test, notes what their forms send, and has a backend."""

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request


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


class OKCancel:
    """A running server as a backend knows it, with the API token."""

    def __init__(self, url, token):
        self.url, self.token = url, token

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def answers(url):
    try:
        urllib.request.urlopen(url).close()
    except urllib.error.HTTPError:
        pass
    except OSError:
        return False
    return True


class Program:
    """A program of Python that serves at a port, until the block ends."""

    def __init__(self, arguments, port, token):
        self.arguments, self.port = arguments, port
        self.environment = {**os.environ, "OKCANCEL_API_TOKEN": token}

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, *self.arguments], env=self.environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not answers(f"http://127.0.0.1:{self.port}/") and time.monotonic() < end:
            assert self.process.poll() is None
            time.sleep(0.05)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


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
