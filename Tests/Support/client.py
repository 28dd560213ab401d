"""What programs and people send to a server."""

import http.client
import json
import re
import socket
from urllib.parse import urlsplit

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Client:
    """Talks to the server at `url`; `authorized` are the headers that show it the API token."""

    def __init__(self, url, token):
        self.url, self.token = url, token
        self.authorized = {"Authorization": f"Bearer {token}"}
        self.port = urlsplit(url).port

    def connection(self, timeout=60):
        return http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=timeout)

    def exchange(self, method, path, body=None, headers={}, connection=None):
        """The response with its whole `body` as bytes, over a connection of its own or the one that is kept."""
        used = connection or self.connection()
        used.request(method, path, body, headers)
        response = used.getresponse()
        response.body = response.read()
        if not connection:
            used.close()
        return response

    def request(self, *arguments, **options):
        """Status and text of `exchange`."""
        response = self.exchange(*arguments, **options)
        return response.status, response.body.decode()

    def call(self, method, path, body=None, headers={}):
        """What a program with the API token is told: JSON in, JSON out; anything but success fails."""
        status, text = self.request(
            method, path, None if body is None else json.dumps(body), JSON | self.authorized | headers)
        assert status in (200, 201), (status, text)
        return json.loads(text)

    def ask(self, prompt="email", **more):
        """A new ask, with its id and its link."""
        return self.call("POST", "/asks", {"prompt": prompt, **more})

    def kept(self, ask):
        """The ask's JSON as everybody reads it, to the byte."""
        return self.request("GET", f"/asks/{ask['id']}", headers=self.authorized)[1]

    def answers(self, prompt="email"):
        """All answers to a standing prompt, page by page."""
        kept, after = [], ""
        while lines := self.request("GET", f"/prompts/{prompt}/answers{after}", headers=self.authorized)[1].splitlines():
            kept += [json.loads(line) for line in lines]
            after = f"?after={kept[-1]['cursor']}"
        return kept

    @property
    def waiters(self):
        """How many programs wait for outcomes here."""
        metrics = self.request("GET", "/metrics", headers=self.authorized)[1]
        return int(re.search(r"^okcancel_waiters (\d+)", metrics, re.M)[1])

    def answer(self, ask, form="email=ann%40example.com"):
        """Answers at the ask's link, as the person's form does; anything but success fails."""
        status, text = self.request("POST", urlsplit(ask["link"]).path, form, FORM)
        assert status == 200, text


def answer(link, form="outcome=ok", status=200):
    """Answers at this link, as the person's form does; another status fails."""
    told = Client(link, None).request("POST", urlsplit(link).path, form, FORM)
    assert told[0] == status, told


def page(link, accept="text/html"):
    """The page of this link, as a browser without scripts gets it, or what a program gets."""
    return Client(link, None).request("GET", urlsplit(link).path, headers={"Accept": accept})[1]


def until_closed(sock):
    """All bytes that come until the other side closes, or breaks off."""
    received = b""
    try:
        while part := sock.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return received


def talk(port, sent):
    """Sends these bytes; all that come back until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        try:
            client.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return until_closed(client)
