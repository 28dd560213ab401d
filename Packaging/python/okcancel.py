"""Asks a person for a value through an OKCancel server, and gives a program only a valid one.

    outcome = okcancel.ask("Your email", fields=[{"name": "email", "kind": "email"}], present=print)
    if outcome:
        print(outcome.values["email"])
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import secrets
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional, Sequence

__all__ = ["Client", "OKCancelError", "Outcome", "Refused", "Unreachable", "ask", "ask_async"]
__version__ = "0.1.0"


class OKCancelError(Exception):
    """Why a question cannot be asked."""


class Unreachable(OKCancelError):
    """The server did not respond for as long as the client's `patience`."""


class Refused(OKCancelError):
    """The server refused the request: `status`, `detail` and, if several things are wrong, `errors` with pointers."""

    def __init__(self, status: int, problem: Mapping[str, Any]):
        self.status = status
        self.detail: str = str(problem.get("detail") or problem.get("title") or "no detail")
        self.errors: Sequence[Mapping[str, Any]] = problem.get("errors") or []
        places = "".join(f"\n- {error.get('pointer', '')}: {error.get('message', '')}" for error in self.errors)
        super().__init__(f"{status}: {self.detail}{places}")


@dataclass(frozen=True)
class Outcome:
    """How a dialog ended. Only `ok` counts as true."""

    #: `ok`, `cancel`, `action`, `expired` or `withdrawn`.
    outcome: str
    #: By field: str, int, float, bool, list of str, or None for an optional field left empty.
    values: Mapping[str, Any] = field(default_factory=dict)
    #: The name of the button, if the outcome is `action`.
    action: Optional[str] = None
    #: The ask's id.
    id: str = ""
    closed_at: Optional[str] = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.outcome == "ok"

    @classmethod
    def _of(cls, ask: Mapping[str, Any]) -> "Outcome":
        return cls(
            ask["outcome"], ask.get("values") or {}, ask.get("action"), ask["id"], ask.get("closedAt"),
            ask.get("metadata") or {})


class Client:
    """A client of the server at `url`.

    - url: where the server is; default `OKCANCEL_URL`, else `http://127.0.0.1:8080`.
    - token: one of its API tokens; default `OKCANCEL_API_TOKEN`.
    - patience: seconds that the server may be away or busy before `Unreachable` or `Refused` is raised.
    - context: for HTTPS with certificates of your own.
    """

    def __init__(
        self, url: Optional[str] = None, token: Optional[str] = None, *, patience: float = 60,
        context: Optional[ssl.SSLContext] = None,
    ):
        self.url = (url or os.environ.get("OKCANCEL_URL") or "http://127.0.0.1:8080").rstrip("/")
        self.token = token or os.environ.get("OKCANCEL_API_TOKEN", "").split(",")[0]
        self.patience = patience
        self._context = context
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url!r} is not a server's address; give one like https://ask.example.com")

    def ask(
        self, title: Optional[str] = None, *, message: Optional[str] = None,
        fields: Optional[Sequence[Mapping[str, Any]]] = None, schema: Optional[Mapping[str, Any]] = None,
        prompt: Optional[str] = None, definition: Optional[Mapping[str, Any]] = None,
        values: Optional[Mapping[str, Any]] = None, context: Optional[Sequence[Mapping[str, Any]]] = None,
        expires_in: Optional[int] = None, metadata: Optional[Mapping[str, Any]] = None,
        language: Optional[str] = None, key: Optional[str] = None,
        present: Optional[Callable[[str], object]] = None, timeout: Optional[float] = None,
        _stop: Optional[threading.Event] = None,
    ) -> Outcome:
        """Puts a question to a person and waits for the outcome.

        Give a `title` and, if there is something to fill in, `fields` or a `schema`; or the name of a `prompt` that the
        server offers; or a whole `definition`.

        - context: what the person decides on, above the fields.
        - expires_in: seconds that the person has; default a day.
        - key: the `Idempotency-Key`; the same key and question find the same ask. Default: a new one.
        - present: brings the link to the person; default: prints it.
        - timeout: seconds to wait; then the ask is withdrawn. Default: until it ends.

        An interrupted wait (Ctrl-C) withdraws the ask.
        """
        body = _body(
            title=title, message=message, fields=fields, schema=schema, prompt=prompt, definition=definition,
            values=values, context=context, expiresIn=expires_in, metadata=metadata, language=language)
        stop = _stop or threading.Event()
        made = self._request("POST", "/asks", body, key=key or secrets.token_hex(16), stop=stop)
        end = None if timeout is None else time.monotonic() + timeout
        if made["status"] == "open":
            (present or _print_link)(made["link"])
        try:
            while not stop.is_set():
                left = 50.0 if end is None else min(50.0, end - time.monotonic())
                if left <= 0:
                    break
                # Shorter waits let a cancelled task end soon.
                wait = min(left, 5.0) if _stop else left
                seen = self._request("GET", f"/asks/{made['id']}?wait={max(1, round(wait))}", stop=stop)
                if seen["status"] == "closed":
                    return Outcome._of(seen)
        except BaseException:
            self._withdraw(made["id"])
            raise
        return self._withdraw(made["id"])

    async def ask_async(self, title: Optional[str] = None, **options: Any) -> Outcome:
        """The same without blocking the event loop; cancelling the task withdraws the ask."""
        stop = threading.Event()
        loop = asyncio.get_running_loop()
        future: "asyncio.Future[Outcome]" = loop.create_future()

        def settle(set_it: Callable[[Any], None], value: Any) -> None:
            def unless_cancelled() -> None:
                if not future.done():
                    set_it(value)

            try:
                loop.call_soon_threadsafe(unless_cancelled)
            except RuntimeError:  # The loop is closed: nobody waits.
                pass

        def work() -> None:
            try:
                outcome = self.ask(title, _stop=stop, **options)
            except BaseException as error:
                settle(future.set_exception, error)
            else:
                settle(future.set_result, outcome)

        # A thread of its own: a pool would let only a few wait at a time.
        threading.Thread(target=work, name="okcancel", daemon=True).start()
        try:
            return await future
        finally:
            stop.set()

    def withdraw(self, id: str) -> Outcome:
        """Takes an open ask back; if it has ended already, its outcome."""
        return self._withdraw(id)

    def _withdraw(self, id: str) -> Outcome:
        try:
            return Outcome._of(self._request("DELETE", f"/asks/{id}"))
        except Refused as error:
            if error.status != 409:
                raise
            # Somebody was faster.
            return Outcome._of(self._request("GET", f"/asks/{id}"))

    def _request(
        self, method: str, path: str, body: Optional[bytes] = None, *, key: Optional[str] = None,
        stop: Optional[threading.Event] = None,
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        end = time.monotonic() + self.patience
        pause = 0.25
        while True:
            error: OKCancelError
            try:
                status, answer, after = self._exchange(method, path, body, headers)
                if 200 <= status < 300:
                    return answer
                error = Refused(status, answer if isinstance(answer, dict) else {})
                if status not in (429, 502, 503, 504):
                    raise error
            except (OSError, http.client.HTTPException) as failure:
                error, after = Unreachable(f"{self.url} cannot be reached: {failure}"), None
            # Not all at the same moment.
            delay = after if after is not None else pause * random.uniform(0.8, 1.2)
            pause = min(5.0, pause * 2)
            if time.monotonic() + delay > end or (stop is not None and stop.is_set()):
                raise error
            (stop or threading.Event()).wait(delay)

    def _exchange(
        self, method: str, path: str, body: Optional[bytes], headers: Mapping[str, str]
    ) -> "tuple[int, Any, Optional[float]]":
        address = urllib.parse.urlsplit(self.url)
        connection: http.client.HTTPConnection
        # A little longer than the longest wait.
        if address.scheme == "https":
            connection = http.client.HTTPSConnection(address.netloc, timeout=70, context=self._context)
        else:
            connection = http.client.HTTPConnection(address.netloc, timeout=70)
        try:
            connection.request(method, address.path + path, body, dict(headers))
            response = connection.getresponse()
            text = response.read()
            after = response.getheader("Retry-After", "")
            try:
                answer = json.loads(text) if text else {}
            except ValueError:
                answer = {"detail": text[:200].decode("utf-8", "replace")}
            return response.status, answer, float(after) if after.isdigit() else None
        finally:
            connection.close()


def _body(**given: Any) -> bytes:
    body = {name: value for name, value in given.items() if value is not None}
    if "prompt" not in body and "schema" not in body and "definition" not in body:
        body["definition"] = {name: body.pop(name) for name in ("title", "message", "fields") if name in body}
    elif "fields" in body:
        raise ValueError("`fields` goes with a title; leave it out, or write it into the definition")
    return json.dumps(body).encode()


def _print_link(link: str) -> None:
    print("Answer at", link, flush=True)


def ask(title: Optional[str] = None, **options: Any) -> Outcome:
    """`Client.ask` of the server that `OKCANCEL_URL` names."""
    return Client().ask(title, **options)


async def ask_async(title: Optional[str] = None, **options: Any) -> Outcome:
    """`Client.ask_async` of the server that `OKCANCEL_URL` names."""
    return await Client().ask_async(title, **options)
