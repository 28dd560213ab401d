"""Sockets that are passed, and a check before a start."""

import http.client
import socket
import subprocess

import pytest

from Support.command import BINARY, ROOT, clean, handed, run
from Support.server import Server


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
        socket.create_connection((address, port), 60).close()


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


def test_check_needs_nothing_and_leaves_nothing(tmp_path):
    assert run("serve", "Examples", "--check", TMPDIR=str(tmp_path)).returncode == 0
    assert list(tmp_path.iterdir()) == []
    # As in a container whose root file system is read-only.
    assert run("serve", "Examples", "--check", TMPDIR="/proc").returncode == 0
    assert run("serve", "Examples", OKCANCEL_CHECK="perhaps").returncode == 64


def test_check_leaves_a_running_server_alone():
    with Server() as server:
        assert run("serve", "--check", "--port", server.port, "--database", server.database).returncode == 0
