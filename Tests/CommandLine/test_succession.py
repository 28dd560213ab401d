"""Sockets that are passed, and the program that comes after: what is said, and what cannot be done."""

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from Support.command import BINARY, ROOT, clean, handed, run
from Support.server import Server
from test_operation import Manager


def started_with(descriptor, folder, count=1):
    return subprocess.Popen(
        [*handed(descriptor, count), BINARY, "serve", "Examples", "--database", folder / "a.sqlite"],
        cwd=ROOT, env=clean({}), pass_fds=[descriptor], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("family, address, name", [
    (socket.AF_INET, "127.0.0.1", "127.0.0.1"), (socket.AF_INET6, "::1", "[::1]")])
def test_a_passed_socket_is_listened_on(tmp_path, family, address, name):
    with socket.create_server((address, 0), family=family) as listening:
        port = listening.getsockname()[1]
        # It waits in the socket, before there is a server.
        early = http.client.HTTPConnection(address, port, timeout=60)
        early.request("GET", "/healthz")
        server = started_with(listening.fileno(), tmp_path)
        assert server.stdout.readline().strip() == f"OKCancel serves 8 prompts at http://{name}:{port}/"
        assert early.getresponse().status == 200
        server.terminate()
        log = server.communicate(timeout=60)[1]
        assert server.returncode == 0 and "listening on the socket that was passed" in log
        # The socket lives on.
        socket.create_connection((address, port), 20).close()


@pytest.mark.parametrize("make, count, status, says", [
    (lambda: socket.socket(), 1, 70, "it does not listen"),
    (lambda: socket.socket(socket.AF_UNIX), 1, 70, "it is not a TCP socket"),
    (lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 1, 70, "it is not a TCP socket"),
    (lambda: open("/dev/null"), 1, 70, "it is not a socket"),
    (lambda: socket.create_server(("127.0.0.1", 0)), 2, 64, "pass one listening socket"),
])
def test_a_passed_descriptor_that_cannot_be_used_is_told(tmp_path, make, count, status, says):
    with make() as passed:
        server = started_with(passed.fileno(), tmp_path, count)
        log = server.communicate(timeout=60)[1]
    assert (server.returncode, says in log) == (status, True), log


def test_a_socket_that_was_passed_to_another_process_is_not_taken():
    with Server(LISTEN_PID="1", LISTEN_FDS="1") as server:
        assert server.request("GET", "/healthz")[0] == 200


def open_files(server, token):
    return int(re.search(r"\nprocess_open_fds (\d+)", server.request("GET", "/metrics", headers=token)[1])[1])


def test_the_token_of_a_run_and_its_asks_outlive_a_restart(tmp_path):
    manager = Manager(tmp_path, False)
    with Server(token=None, NOTIFY_SOCKET=manager.variable) as server:
        token = {"Authorization": "Bearer " + server.log.wait_for("The API token").split(" is ")[1].split()[0]}
        ready = manager.told()
        ask = server.call("POST", "/asks", {"prompt": "email"}, token)
        files = open_files(server, token)
        for _ in range(2):
            server.process.send_signal(signal.SIGUSR2)
            assert manager.told()["RELOADING"] == "1"
            assert manager.told() == ready
            assert server.process.stdout.readline().strip() == server.line
            assert json.loads(server.request("GET", f"/asks/{ask['id']}", headers=token)[1])["status"] == "open"
        assert open_files(server, token) <= files + 1
        # Its own socket is refused at its end, though it was passed.
        assert server.stop() == 0
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), 20)


def test_a_question_of_an_agent_outlives_a_restart():
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ask_person", "arguments": {"title": "Deploy?", "wait": 600, "withdrawIfCancelled": True}, "_meta": {"progressToken": "p"}}}
    with Server() as server:
        headers = server.authorized | {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        agent = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        agent.request("POST", "/mcp", json.dumps(call), headers)
        response = agent.getresponse()
        assert "notifications/progress" in "".join(response.readline().decode() for _ in range(2))
        server.process.send_signal(signal.SIGUSR2)
        assert server.process.stdout.readline().strip() == server.line
        # The old server ends the stream; what the agent asked stays.
        response.read()
        [ask] = map(json.loads, server.request("GET", "/asks", headers=server.authorized)[1].splitlines())
        assert ask["status"] == "open"


def test_a_program_that_could_not_start_is_not_started(tmp_path):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: Name\n")
    with Server(tmp_path) as server:
        prompt.write_text("titel: Name\n")
        server.process.send_signal(signal.SIGUSR2)
        assert "did you mean `title`?" in server.log.wait_for("name.yaml:1:1")
        server.log.wait_for("not restarted")
        assert server.request("GET", "/prompts/name")[0] == 200
        prompt.write_text("title: Your name\n")
        server.process.send_signal(signal.SIGUSR2)
        assert server.process.stdout.readline().strip() == server.line
        assert "Your name" in server.request("GET", "/prompts/name")[1]


def test_a_program_that_is_gone_is_not_started(tmp_path):
    program = Path(shutil.copy(BINARY, tmp_path))
    server = subprocess.Popen(
        [program, "serve", "Examples", "--port", "0", "--database", tmp_path / "a.sqlite"], cwd=ROOT, env=clean({}),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        program.unlink()
        server.send_signal(signal.SIGUSR2)
        while "not restarted" not in (line := server.stderr.readline()):
            assert line, "the server has ended"
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize("says", [None, "restarting"])
def test_a_signal_to_stop_is_heard_while_the_server_restarts(says):
    with Server() as server:
        server.process.send_signal(signal.SIGUSR2)
        if says:
            server.log.wait_for(says)
        assert server.stop() == 0
        assert server.process.stdout.read() == ""


def test_check_needs_nothing_and_leaves_nothing(tmp_path):
    assert run("serve", "Examples", "--check", TMPDIR=str(tmp_path)).returncode == 0
    assert list(tmp_path.iterdir()) == []
    # As in a container whose root file system is read-only.
    assert run("serve", "Examples", "--check", TMPDIR="/proc").returncode == 0
    assert run("serve", "Examples", OKCANCEL_CHECK="perhaps").returncode == 64


def test_check_leaves_a_running_server_alone():
    with Server() as server:
        assert run("serve", "--check", "--port", server.port, "--database", server.database).returncode == 0
