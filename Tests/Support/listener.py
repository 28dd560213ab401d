"""Small HTTP servers that play other programs: sites, proxies, receivers."""

import http.server
import ssl
import threading


class Listener(http.server.ThreadingHTTPServer):
    """Listens on a port of its own until the block ends; `handler` is a kind of `Exchange`."""

    scheme = "http"
    daemon_threads = True
    # Browsers open and drop connections as they please.
    request_queue_size = 64

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)

    def secured(self, certificate, key):
        """The same, on TLS."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.scheme = "https"
        return self

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A client that leaves is no error."""

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.server_port}"


class Exchange(http.server.BaseHTTPRequestHandler):
    """One request, or one after the other if `protocol_version` is HTTP/1.1; `server` is the listener."""

    def read(self):
        """The request's body."""
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status, content=b"", headers={}):
        """`headers` are a map, or pairs."""
        self.send_response_only(status)
        for name, value in headers.items() if isinstance(headers, dict) else headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        pass
