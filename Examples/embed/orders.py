"""A small tool at another origin: orders, and a dialog before one is cancelled. It needs only Python's standard library.

    export OKCANCEL_API_TOKEN=$(openssl rand -hex 16)
    okcancel serve Examples/embed --allow-origin http://localhost:8000 &
    python3 Examples/embed/orders.py                                # then open http://localhost:8000

The page decides nothing: it shows a link that this backend created, and says when the dialog has ended. The backend reads
the answer, and the question it belongs to, from OKCancel itself.
"""

import argparse
import http.server
import json
import os
import threading
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
FILES = {
    "/": ("orders.html", "text/html"),
    "/orders.js": ("orders.js", "text/javascript"),
    "/orders.css": ("orders.css", "text/css"),
}


class Orders(dict):
    """How many are still to be delivered, by the order's number, and the asks that have been used."""

    def __init__(self):
        super().__init__({
            "1001": {"item": "Desk lamp", "quantity": 12},
            "1002": {"item": "Paper, box of 500", "quantity": 40},
        })
        self.used = set()
        self.lock = threading.Lock()

    def cancel(self, number, ask):
        """Does what a closed ask says, once. Gives what is left, and the sentence to show."""
        order, count = self[number], 0
        with self.lock:
            if ask.get("outcome") == "ok" and ask["metadata"] == {"order": number} and ask["id"] not in self.used:
                self.used.add(ask["id"])
                count = min(ask["values"]["quantity"], order["quantity"])
                order["quantity"] -= count
        return {"quantity": order["quantity"], "news": f"{count or 'nothing'} cancelled."}


class Tool(http.server.BaseHTTPRequestHandler):
    """`server` has `orders`, its own `origin`, and in `okcancel` and `token` where to ask and with which right."""

    def do_GET(self):
        if self.path == "/orders":
            return self.answer(200, "application/json", json.dumps(self.server.orders))
        file, type = FILES.get(self.path, (None, None))
        if not file:
            return self.answer(404, "text/plain", "There is nothing here.")
        text = (HERE / file).read_text("utf-8")
        self.answer(200, type, text.replace("https://ask.example.com", self.server.okcancel))

    def do_POST(self):
        # Only this tool's own pages, whatever name it is called by; a real one checks who is signed in, too.
        if self.headers["Origin"] != self.server.origin:
            return self.answer(403, "text/plain", "This tool takes orders from its own pages only.")
        match self.path.split("/")[1:]:
            case ["orders", number, "asks"] if number in self.server.orders:
                ask = self.ask("POST", "/asks", {
                    "prompt": "cancel-order", "values": {"quantity": self.server.orders[number]["quantity"]},
                    "metadata": {"order": number}, "expiresIn": 600})
                self.answer(201, "application/json", json.dumps({"link": ask["link"]}))
            case ["orders", number, "asks", id] if number in self.server.orders and id.isalnum():
                result = self.server.orders.cancel(number, self.ask("GET", f"/asks/{id}"))
                self.answer(200, "application/json", json.dumps(result))
            case _:
                self.answer(404, "text/plain", "There is nothing here.")

    def ask(self, method, path, body=None):
        """Speaks to OKCancel. An ask that it does not know is no answer."""
        request = urllib.request.Request(
            self.server.okcancel + path, None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {self.server.token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return {}
            raise

    def answer(self, status, type, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        okcancel = self.server.okcancel
        self.send_header(
            "Content-Security-Policy",
            f"default-src 'none'; script-src 'self' {okcancel}; frame-src {okcancel}; connect-src 'self'; "
            "style-src 'self'")
        self.end_headers()
        self.wfile.write(body)


def main():
    arguments = argparse.ArgumentParser(description="Serves the order page.")
    arguments.add_argument("--port", type=int, default=8000)
    arguments.add_argument(
        "--okcancel", default="http://127.0.0.1:8080", help="the address of OKCancel (default: %(default)s)")
    options = arguments.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Tool)
    server.orders, server.okcancel = Orders(), options.okcancel
    server.token = os.environ["OKCANCEL_API_TOKEN"]
    server.origin = f"http://localhost:{server.server_port}"
    print(f"Orders at {server.origin}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
