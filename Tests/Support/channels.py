"""Stand-ins for the services that tell people, written from their documentation: they take no more than that says."""

import asyncio
import email
import email.policy
import json
import re
import ssl
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from Support.certificate import self_signed
from Support.listener import Exchange, Listener
from Support.server import free_port


class Service(Listener):
    """Answers with the next of `statuses`, at last as the service does; what is `lost` it takes without an answer. `taken` are the bodies that it took, in order;
    `delay` seconds pass before each answer."""

    def __init__(self, handler, *statuses, delay=0):
        super().__init__(handler)
        self.statuses, self.delay, self.taken, self.refused = list(statuses), delay, [], []
        self.changed = threading.Condition()

    def take(self, body):
        with self.changed:
            self.taken.append(body)
            self.changed.notify_all()

    def status(self):
        with self.changed:
            return self.statuses.pop(0) if self.statuses else 200

    def wait_for(self, condition, seconds=60):
        """Waits until `condition` holds of what was taken."""
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.taken), seconds), (self.taken, self.refused)


class Handler(Exchange):
    def do_POST(self):
        body = self.read()
        time.sleep(self.server.delay)
        status = self.server.status()
        if status is None:
            return self.connection.close()
        self.is_lost = status == "lost"
        if isinstance(status, str) and not self.is_lost:
            return self.answer(200, json.dumps({"ok": False, "error": status}).encode())
        if isinstance(status, int) and status != 200:
            return self.answer(status, b'{"error":\n"no \x1b[2J"}', {"Location": "/elsewhere", "Retry-After": "1"})
        self.serve(body)

    def refuse(self, why):
        self.server.refused.append(why)
        self.answer(400, json.dumps({"code": 40000, "http": 400, "error": why}).encode())


NTFY = {
    "topic": str, "message": str, "title": str, "tags": list, "priority": int, "actions": list, "click": str, "attach": str,
    "markdown": bool, "icon": str, "filename": str, "delay": str, "email": str, "call": str, "sequence_id": str,
}


class NtfyHandler(Handler):
    def serve(self, body):
        if self.path != "/":
            return self.refuse("JSON is published to the root")
        try:
            message = json.loads(body.decode())
        except ValueError as error:
            return self.refuse(str(error))
        wrong = [key for key, value in message.items() if not isinstance(value, NTFY.get(key, ()))]
        if wrong or not message.get("topic") or not 1 <= message.get("priority", 3) <= 5:
            return self.refuse(f"wrong: {wrong}")
        if len(message.get("message", "").encode()) > 4096:
            return self.refuse("the message is an attachment")
        reply = {"id": f"m{len(self.server.taken)}", "time": 1, "event": "message", "topic": message["topic"]}
        if self.server.knows_sequences and "sequence_id" in message:
            reply["sequence_id"] = message["sequence_id"]
        message["authorization"] = self.headers["Authorization"]
        self.server.take(message)
        if self.is_lost:
            return self.connection.close()
        self.answer(200, json.dumps(reply).encode(), {"Content-Type": "application/json"})


class Ntfy(Service):
    """A server of ntfy (https://docs.ntfy.sh/publish/): `shown` is what a phone shows, by sequence or message."""

    def __init__(self, *statuses, knows_sequences=True, delay=0):
        super().__init__(NtfyHandler, *statuses, delay=delay)
        self.knows_sequences = knows_sequences

    def channel(self, topic="alerts", login=""):
        return f"ntfy+http://{login}127.0.0.1:{self.server_port}/{topic}"

    @property
    def shown(self):
        shown = {}
        for number, message in enumerate(self.taken):
            shown[message.get("sequence_id", number) if self.knows_sequences else number] = message
        return list(shown.values())


class SlackHandler(Handler):
    def serve(self, body):
        message = json.loads(body.decode())
        for block in message["blocks"]:
            text = block["text"]
            limit = {"header": 150, "section": 3000}[block["type"]]
            if not 0 < len(text["text"]) <= limit or re.search(r"&(?!(amp|lt|gt);)", text["text"]):
                return self.refuse(f"wrong: {block}")
        method = self.path.rsplit("/", 1)[1]
        message["method"], message["authorization"] = method, self.headers["Authorization"]
        reply = b"ok"
        if method.startswith("chat."):
            moment = message.get("ts") or f"1700000000.{len(self.server.taken):06}"
            reply = json.dumps({"ok": True, "channel": "C024BE91L", "ts": moment}).encode()
        self.server.take(message)
        self.answer(200, reply)


class Slack(Service):
    """Slack's incoming webhooks and the two methods of its bots."""

    def __init__(self, *statuses, delay=0):
        super().__init__(SlackHandler, *statuses, delay=delay)

    @property
    def hook(self):
        return f"slack+http://127.0.0.1:{self.server_port}/services/T0/B0/X"

    @property
    def bot(self):
        return f"slack-bot://xoxb-1@C024BE91L?api=http://127.0.0.1:{self.server_port}/api"


class Mailbox:
    """A mail server with a login, on TLS if there is a folder for its certificate; `taken` are the mails, parsed.
    `farewell` seconds pass before it answers QUIT."""

    def __init__(self, folder=None, user="ops", password="swordfish", farewell=0):
        self.farewell = farewell
        self.taken, self.senders, self.changed = [], [], threading.Condition()
        self.answers, self.unknown = [], {}
        context, self.certificate = None, None
        if folder:
            self.certificate, key = self_signed(folder, "mail", kind="rsa")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, key)

        def authenticate(_, session, envelope, mechanism, login):
            return AuthResult(success=(login.login, login.password) == (user.encode(), password.encode()), handled=False)

        self.controller = Controller(
            self, hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=bool(context),
            auth_required=True, authenticator=authenticate, auth_require_tls=bool(context), ready_timeout=60)

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.unknown:
            return self.unknown[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.answers:
            return self.answers.pop(0)
        with self.changed:
            mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
            mail.receivers = envelope.rcpt_tos
            self.taken.append(mail)
            self.changed.notify_all()
        return "250 taken"

    async def handle_QUIT(self, server, session, envelope):
        await asyncio.sleep(self.farewell)
        return "221 Bye"

    def wait_for(self, condition, seconds=60):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.taken), seconds), self.taken

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()

    def channel(self, query, login="ops:swordfish@"):
        scheme = "smtp+starttls" if self.certificate else "smtp"
        return f"{scheme}://{login}127.0.0.1:{self.controller.port}/?{query}"
