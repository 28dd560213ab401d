"""A database that an earlier version made: its asks and answers can be read, and its open links be answered.

`Kept/` holds one of version 0.1.0, with its key; `made-by-0.1.0.json` names what is in it."""

import json

from durable import KEPT, copied
from Support.client import FORM
from Support.server import Server

MADE = json.loads((KEPT / "made-by-0.1.0.json").read_text("utf-8"))



def ask(server, name):
    return server.call("GET", f"/asks/{MADE[name]['id']}")


def answer(server, name, form):
    return server.request("POST", f"/a/{MADE[name]['token']}", form, FORM)


def test_a_database_of_version_0_1_0_is_read_and_answered(tmp_path):
    """Promise 1.12 | The server reads databases of earlier versions, and people can still answer their open links."""
    path = copied("made-by-0.1.0.db", tmp_path / "kept.sqlite")
    for _ in range(2):
        with Server(database=path) as server:
            closed = ask(server, "closed")
            assert (closed["outcome"], closed["values"]) == ("ok", {"email": "alice@example.com"})
            assert closed["metadata"] == {"order": 8}
            assert ask(server, "closedLogin")["values"] == {"user": "alice", "password": "correct-horse-battery"}
            assert ask(server, "withdrawn")["outcome"] == "withdrawn"
            for number, id in enumerate(MADE["callbacks"]):
                assert server.call("GET", f"/asks/{id}")["values"] == {"email": f"caller{number}@example.com"}
            assert [answer["values"]["email"] for answer in server.answers()] == [f"standing{n}@example.com" for n in range(3)]
            [login] = server.answers("login")
            assert login["values"] == {"user": "bob", "password": "hunter2-hunter2"}
            assert "okcancel_callbacks_waiting 3" in server.request("GET", "/metrics", headers=server.authorized)[1]
            assert server.stop() == 0
    with Server(database=path) as server:
        again = server.call(
            "POST", "/asks", {"prompt": "email", "expiresIn": 2592000, "metadata": {"order": 7}}, {"Idempotency-Key": "kept"})
        assert (again["id"], again["link"][-26:]) == (MADE["open"]["id"], MADE["open"]["token"])
        for name in ["open", "openLogin", "openInline"]:
            assert ask(server, name)["status"] == "open"
            assert server.request("GET", f"/a/{MADE[name]['token']}")[0] == 200
        assert answer(server, "open", "email=bob")[0] == 422
        assert answer(server, "open", "email=bob%40example.com")[0] == 200
        assert answer(server, "openLogin", "user=eve&password=swordfish")[0] == 200
        assert answer(server, "openInline", "age=121")[0] == 422
        assert answer(server, "openInline", "age=120")[0] == 200
    with Server(database=path) as server:
        assert ask(server, "open")["values"] == {"email": "bob@example.com"}
        assert ask(server, "openLogin")["values"] == {"user": "eve", "password": "swordfish"}
        assert ask(server, "openInline")["values"] == {"age": 120}
