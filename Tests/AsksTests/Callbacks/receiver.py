"""A receiver of callbacks that behaves as the path says: `receiver.py LOG SECRET...`

It prints its port, and for each request writes a line of JSON to LOG before it answers: path, id,
body, the answer's status, and for each secret whether `standardwebhooks` finds it signed by that one."""

import json
import random
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

LOG = open(sys.argv[1], "w")
SECRETS = [Webhook(secret) for secret in sys.argv[2:]]
CHANCE = random.Random(7)
LOCK = threading.Lock()
STATUS = {"/gone": 410, "/redirect": 302, "/later": 503, "/fail": 500}


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        path = "/" + self.path.split("/")[1]
        body = self.rfile.read(int(self.headers["content-length"]))
        with LOCK:
            fails = path == "/flaky" and CHANCE.random() < 0.3
            status = 500 if fails else STATUS.get(path, 200)
            record = {
                "path": self.path, "id": self.headers["webhook-id"], "body": body.decode(), "status": status,
                "verified": [self.verified(secret, body) for secret in SECRETS]}
            print(json.dumps(record), file=LOG, flush=True)
        if path == "/never":
            threading.Event().wait()
        if fails and CHANCE.random() < 0.5:
            self.close_connection = True
            return
        self.send_response(status)
        self.answer(path)

    def answer(self, path):
        if path == "/headers":
            self.flush_headers()
            while True:
                self.wfile.write(b"x-more: " + b"x" * 1000 + b"\r\n")
        self.send_header("Location", "/redirected")
        self.send_header("Retry-After", "3600" if path == "/later" else "0")
        if path == "/drip":
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"x")
            threading.Event().wait()
        if path == "/endless":
            self.send_header("Connection", "close")
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def verified(self, secret, body):
        try:
            secret.verify(body, dict(self.headers))
            return True
        except WebhookVerificationError:
            return False

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """A sender that goes away is what these tests are about."""


server = Server(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
