"""Somebody who is called back."""

import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """Puts each request in `requests` as path, headers and body, and answers it with the next of `statuses`, at last
    always with 200. A status that is an event is waited for, and then 200."""

    def __init__(self, *statuses):
        self.requests, self.statuses = queue.Queue(), list(statuses)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.requests.put((self.path, dict(self.headers), body))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if isinstance(status, threading.Event):
                    status.wait()
                    status = 200
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def next(self):
        return self.requests.get(timeout=60)
