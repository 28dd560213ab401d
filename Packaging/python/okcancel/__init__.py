"""Asks a person for a value through an OKCancel server, and gives a program only a valid one.

    outcome = okcancel.ask("Your email", fields=[{"name": "email", "kind": "email"}], present=print)
    if outcome:
        print(outcome.values["email"])
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import http.client
import inspect
import json
import math
import os
import random
import re
import secrets
import socket
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Ask", "Client", "OKCancelError", "Outcome", "Question", "Refused", "Unreachable", "ask", "ask_async"]
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


class Question(TypedDict, total=False):
    """What a person is asked, beside the title: perhaps `fields`; or a `schema`, a `prompt` or a `definition`."""

    message: str
    fields: Sequence[Mapping[str, Any]]
    #: A JSON Schema of an object.
    schema: Mapping[str, Any]
    #: The name of a prompt that the server offers.
    prompt: str
    #: A whole definition, as JSON.
    definition: Mapping[str, Any]
    #: Initial values, by field.
    values: Mapping[str, Any]
    #: What the person decides on, above the fields.
    context: Sequence[Mapping[str, Any]]
    #: Seconds that the person has: 1 to 31,622,400. Default: a day.
    expires_in: int
    #: Comes back with the outcome, at most 4 KiB as JSON.
    metadata: Mapping[str, Any]
    #: The person's, like `de`.
    language: str
    #: A URL that gets the closed ask; the server must allow it.
    callback: str
    #: Who may answer: ids of people, and `group:NAME`. The server must know who its visitors are.
    for_: Sequence[str]
    #: Who may not, in the same words; and `ask:ID` for whoever answers that ask.
    not_by: Sequence[str]
    #: For whom you ask, `{"id": …, "name": …}`: is shown, and may not answer.
    requested_by: Mapping[str, str]
    #: Whose link it is, if you know that: `{"id": …, "name": …}`.
    person: Mapping[str, str]
    #: How long you have to `finish`, like `10m`; after that the result is `unknown`.
    result_within: str
    #: The `Idempotency-Key`: the same key and question find the same ask. Default: a new one.
    key: str


@dataclass(frozen=True)
class Outcome:
    """How a dialog ended. Only `ok` counts as true."""

    #: `ok`, `cancel`, `action`, `expired` or `withdrawn`.
    outcome: str
    #: By field: str, int, float, bool, list of str, or None for an optional field left empty.
    values: Mapping[str, Any] = field(default_factory=dict)
    #: The name of the button, if the outcome is `action`.
    action: Optional[str] = None
    #: Why the person pressed Cancel, if the question asks for that and they said so.
    reason: Optional[str] = None
    #: The ask's id.
    id: str = ""
    closed_at: Optional[str] = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    #: Who answered, `{"via": …}` and, if that is known, `id` and `name`; None if nobody did.
    by: Optional[Mapping[str, str]] = None
    #: JSON Pointers of the values that differ from those that were proposed; None unless it is OK and some were.
    changed: Optional[Sequence[str]] = None
    #: What came of it, as `finish` said: `status` (`done`, `failed`, `unknown`) and, if they are known, `text` and `at`.
    result: Optional[Mapping[str, str]] = None

    def __bool__(self) -> bool:
        return self.outcome == "ok"

    @classmethod
    def _of(cls, ask: Mapping[str, Any]) -> Outcome:
        return cls(
            ask["outcome"], ask.get("values") or {}, ask.get("action"), ask.get("reason"), ask["id"], ask.get("closedAt"),
            ask.get("metadata") or {}, ask.get("by"), ask.get("changed"), ask.get("result"))


@dataclass(frozen=True)
class Ask:
    """A question that the server keeps."""

    id: str
    #: Where the person answers; None if the ask has ended.
    link: Optional[str]


class _Stop(threading.Event):
    """Ends a wait for an outcome, and the request that waits."""

    connection: Optional[http.client.HTTPConnection] = None

    def set(self) -> None:
        super().set()
        waiting = self.connection and self.connection.sock
        if waiting:
            with contextlib.suppress(OSError):
                waiting.shutdown(socket.SHUT_RDWR)


class Client:
    """A client of the server at `url`.

    - url: where the server is; default `OKCANCEL_URL`, else `http://127.0.0.1:8080`.
    - token: one of its API tokens; default the first in `OKCANCEL_API_TOKEN`, without its name and scopes.
    - patience: seconds that the server may be away or busy before `Unreachable` or `Refused` is raised.
    - context: for HTTPS with certificates of your own.
    """

    def __init__(
        self, url: Optional[str] = None, token: Optional[str] = None, *, patience: float = 60,
        context: Optional[ssl.SSLContext] = None,
    ):
        self.url = (url or os.environ.get("OKCANCEL_URL") or "http://127.0.0.1:8080").rstrip("/")
        first = os.environ.get("OKCANCEL_API_TOKEN", "").split(",")[0].strip()
        self.token = token or re.sub(r"^[a-z][a-z0-9-]*(:[^=]*)?=(?=.{22})", "", first)
        self.patience = patience
        self._context = context
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url!r} is not a server's address; give one like https://ask.example.com")

    def ask(
        self, title: Optional[str] = None, *, present: Optional[Callable[[str], object]] = None,
        timeout: Optional[float] = None, **question: Unpack[Question],
    ) -> Outcome:
        """Asks a person and waits for the outcome.

        - title and question: see `Question`.
        - present: brings the link to the person; default: prints it. What it raises withdraws the ask.
        - timeout: seconds until the ask expires; default: a day. A whole number of seconds, rounded up.

        An interrupted wait (Ctrl-C) withdraws the ask.
        """
        if inspect.iscoroutinefunction(present):
            raise TypeError("`present` is an async function, which only ask_async awaits")
        return self._ask(title, present, timeout, question, _Stop(), 50)

    async def ask_async(
        self, title: Optional[str] = None, *, present: Optional[Callable[[str], object]] = None,
        timeout: Optional[float] = None, **question: Unpack[Question],
    ) -> Outcome:
        """The same without blocking the event loop; cancelling the task withdraws the ask before it ends.

        `present` may be an async function; any other is called on another thread.
        """
        stop = _Stop()
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()
        future: asyncio.Future[Outcome] = loop.create_future()

        def settle(set_it: Callable[[Any], None], value: Any) -> None:
            def unless_cancelled() -> None:
                if not future.done():
                    set_it(value)

            try:
                loop.call_soon_threadsafe(unless_cancelled)
            except RuntimeError:  # The loop is closed: nobody waits.
                pass

        def show(link: str) -> None:
            shown = (present or _print_link)(link)
            if not inspect.isawaitable(shown):
                return

            async def finish() -> None:
                await shown

            showing = asyncio.run_coroutine_threadsafe(finish(), loop)
            while not stop.is_set() and not concurrent.futures.wait([showing], 0.1).done:
                pass
            showing.result() if showing.done() else showing.cancel()

        def work() -> None:
            try:
                outcome = self._ask(title, show, timeout, question, stop, 50)
            except BaseException as error:
                settle(future.set_exception, error)
            else:
                settle(future.set_result, outcome)
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(ended.set_result, None)

        # A thread of its own: a pool would let only a few wait at a time.
        threading.Thread(target=work, name="okcancel", daemon=True).start()
        try:
            # A signal that arrives just before the loop goes to sleep is handled when it wakes: let it wake each second.
            while not (await asyncio.wait({future}, timeout=1))[0]:
                pass
            return future.result()
        except asyncio.CancelledError:
            future.cancel()
            stop.set()
            # The program may end with this task, and the thread with it: first it withdraws the ask.
            await asyncio.wait({ended}, timeout=2 * _LAST_PATIENCE)
            raise

    def create(self, title: Optional[str] = None, **question: Unpack[Question]) -> Ask:
        """Makes an ask and does not wait: bring its `link` to the person, and `wait` for its `id` later."""
        return self._create(title, question, None, None)

    def wait(self, id: str, timeout: Optional[float] = None) -> Optional[Outcome]:
        """The outcome of an ask, or None if it is still open after `timeout` seconds. Default: waits until it ends."""
        end = None if timeout is None else time.monotonic() + timeout
        return self._wait(id, end, end, _Stop(), 50)

    def withdraw(self, id: str) -> Outcome:
        """Takes an open ask back; if it has ended already, its outcome."""
        return self._withdraw(id)

    def finish(self, id: str, status: str, text: Optional[str] = None) -> Outcome:
        """Says what came of an answer, `done` or `failed`: the person's page shows it. Only the first result counts."""
        body = {"status": status} if text is None else {"status": status, "text": text}
        return Outcome._of(self._request("PUT", f"/asks/{id}/result", json.dumps(body).encode()))

    def _ask(
        self, title: Optional[str], present: Optional[Callable[[str], object]], timeout: Optional[float],
        question: Question, stop: _Stop, longest: float,
    ) -> Outcome:
        limit, has_key = None, question.get("key") is not None
        if timeout is not None:
            # The server ends the ask, so that nobody can answer after the program has gone on.
            seconds = max(1, math.ceil(timeout))
            question["expires_in"] = min(seconds, question.get("expires_in", seconds))
            limit = time.monotonic() + seconds
        ask = self._create(title, question, limit, stop)
        if limit is not None:
            # The server says a moment later that the time is over.
            limit += 2
        try:
            shown = None if ask.link is None else (present or _print_link)(ask.link)
            if inspect.isawaitable(shown):
                if inspect.iscoroutine(shown):
                    shown.close()
                raise TypeError("`present` returned something to await, which only ask_async does")
            outcome = self._wait(ask.id, None, limit, stop, longest)
            if outcome is None:
                # It has more time than this program. By its key another one finds it; without a key nobody does.
                return Outcome("expired", id=ask.id) if has_key else self._withdraw(ask.id)
            return outcome
        except BaseException:
            # What stopped the wait is the news, not that the server could not be told. An ask whose time is over has ended.
            if limit is None or time.monotonic() < limit:
                with contextlib.suppress(OKCancelError):
                    self._withdraw(ask.id, time.monotonic() + _LAST_PATIENCE)
            raise

    def _create(
        self, title: Optional[str], question: Question, limit: Optional[float], stop: Optional[_Stop]
    ) -> Ask:
        key = question.pop("key", None) or secrets.token_hex(16)
        made = self._request("POST", "/asks", _body(title, question), key=key, limit=limit, stop=stop)
        return Ask(made["id"], made.get("link"))

    def _wait(
        self, id: str, end: Optional[float], limit: Optional[float], stop: _Stop, longest: float
    ) -> Optional[Outcome]:
        """Until `end`; a server that is away is waited for until `limit` at most."""
        while not stop.is_set():
            began = time.monotonic()
            left = longest if end is None else min(longest, max(0, end - began))
            # The server counts whole seconds.
            if 0 < left < 1:
                stop.wait(left)
                left = 0
            seen = self._request("GET", f"/asks/{id}?wait={int(left)}", limit=limit, stop=stop)
            if seen["status"] == "closed":
                return Outcome._of(seen)
            if end is not None and time.monotonic() >= end:
                break
            # Something on the way to the server may drop `wait`, or answer in its place.
            stop.wait(max(0, began + min(left, 1) - time.monotonic()))
        return None

    def _withdraw(self, id: str, limit: Optional[float] = None) -> Outcome:
        try:
            return Outcome._of(self._request("DELETE", f"/asks/{id}", limit=limit))
        except Refused as error:
            if error.status != 409:
                raise
            # Somebody was faster.
            return Outcome._of(self._request("GET", f"/asks/{id}", limit=limit))

    def _request(
        self, method: str, path: str, body: Optional[bytes] = None, *, key: Optional[str] = None,
        limit: Optional[float] = None, stop: Optional[_Stop] = None,
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        end = time.monotonic() + self.patience
        if limit is not None:
            end = min(end, limit)
        pause = 0.25
        while True:
            error: OKCancelError
            try:
                status, answer, after = self._exchange(method, path, body, headers, limit, stop)
                if 200 <= status < 300:
                    return answer
                error = Refused(status, answer if isinstance(answer, dict) else {})
                if status in (502, 503, 504) and not (isinstance(answer, dict) and answer.get("code")):
                    error = Unreachable(f"{self.url} cannot be reached: a proxy in front of it responded with {status}")
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
        self, method: str, path: str, body: Optional[bytes], headers: Mapping[str, str],
        limit: Optional[float] = None, stop: Optional[_Stop] = None,
    ) -> "tuple[int, Any, Optional[float]]":
        address = urllib.parse.urlsplit(self.url)
        connection: http.client.HTTPConnection
        # A little longer than the longest wait, or what is left.
        timeout = 70.0 if limit is None else min(70.0, max(1.0, limit - time.monotonic()))
        if address.scheme == "https":
            connection = http.client.HTTPSConnection(address.netloc, timeout=timeout, context=self._context)
        else:
            connection = http.client.HTTPConnection(address.netloc, timeout=timeout)
        try:
            # An ask that is being made is not cut off: it could not be withdrawn.
            if stop is not None and method == "GET":
                connection.connect()
                stop.connection = connection
                if stop.is_set():
                    raise OSError("the wait was stopped")
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


def _body(title: Optional[str], question: Question) -> bytes:
    body: "dict[str, Any]" = {name: value for name, value in question.items() if value is not None}
    if title is not None:
        body["title"] = title
    renamed = {
        "expires_in": "expiresIn", "for_": "for", "not_by": "notBy", "requested_by": "requestedBy",
        "result_within": "resultWithin"}
    for name, key in renamed.items():
        if name in body:
            body[key] = body.pop(name)
    if "prompt" not in body and "schema" not in body and "definition" not in body:
        body["definition"] = {name: body.pop(name) for name in ("title", "message", "fields") if name in body}
    elif "fields" in body:
        raise ValueError("`fields` goes with a title; leave it out, or write it into the definition")
    return json.dumps(body).encode()


#: Seconds that a server may take to withdraw the ask of somebody who no longer waits.
_LAST_PATIENCE = 5.0


def _print_link(link: str) -> None:
    print("Answer at", link, flush=True)


def ask(
    title: Optional[str] = None, *, present: Optional[Callable[[str], object]] = None,
    timeout: Optional[float] = None, **question: Unpack[Question],
) -> Outcome:
    """`Client.ask` of the server that `OKCANCEL_URL` names."""
    return Client().ask(title, present=present, timeout=timeout, **question)


async def ask_async(
    title: Optional[str] = None, *, present: Optional[Callable[[str], object]] = None,
    timeout: Optional[float] = None, **question: Unpack[Question],
) -> Outcome:
    """`Client.ask_async` of the server that `OKCANCEL_URL` names."""
    return await Client().ask_async(title, present=present, timeout=timeout, **question)
