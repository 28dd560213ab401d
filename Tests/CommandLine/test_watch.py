"""What `serve --watch` keeps to its author, and what it costs nobody else."""

import json
import os
import re
import socket

import pytest

from Support.client import until_closed
from Support.command import run
from Support.server import Server
from Support.waiting import wait_until


def listening(server):
    """A page that listens, and what it has heard first."""
    page = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    page.sendall(b"GET /watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
    heard = b""
    while b"\n\n" not in heard and b"problem+json" not in heard:
        heard += page.recv(4096)
    return page, heard.decode()


def write(path, text):
    """Puts a whole file there at once: a server that watches would also read the first half of one."""
    new = path.parent.with_name(f"{path.parent.name}-{path.name}")
    new.write_text(text)
    new.replace(path)


def test_no_page_has_the_script_nor_the_server_the_route_without_watch():
    with Server() as server:
        assert server.request("GET", "/watch")[0] == 404
        assert "watch" not in server.request("GET", "/prompts/email", headers={"Accept": "text/html"})[1]


def test_every_page_has_the_script_and_hears_the_same_version():
    with Server("--watch") as server:
        for path in ("/", "/prompts/email", "/prompts/none", "/prompts/email/done?outcome=ok"):
            page = server.request("GET", path, headers={"Accept": "text/html"})[1]
            version = re.search(r'<script type="module" src="/files/[^/]+/watch\.js\?([0-9a-f]{16})"></script>', page)[1]
        page, heard = listening(server)
        page.close()
        assert json.loads(heard.split("data: ")[1].split("\n")[0]) == {"version": version, "faults": []}


def test_watch_may_be_a_variable():
    with Server(OKCANCEL_WATCH="true") as server:
        assert server.exchange("GET", "/prompts/email", headers={"Accept": "text/html"}).body.count(b"watch.js") == 1


@pytest.mark.parametrize("words", [["--host", "0.0.0.0"], ["--host", "::"], ["--host", "example.com"], ["--trust-proxy", "10.0.0.1"]])
def test_only_this_machine_may_see_the_errors(words):
    """Promise 3.25 | Only the author's own machine can use `--watch`, only pages of the server receive its errors, at
    most 64 at a time, and none keeps the server from stopping.
    """
    result = run("serve", "Examples", "--watch", *words)
    assert result.returncode == 64
    assert f"cannot be used with {' '.join(words[:1])}" in result.stderr and "leave that out" in result.stderr


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "::1"])
def test_this_machine_has_several_names(host):
    with Server("--watch", "--host", host) as server:
        assert server.line


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])
def test_another_sites_page_hears_nothing(headers):
    """Promise 3.25"""
    with Server("--watch") as server:
        assert server.request("GET", "/watch", headers=headers)[0] == 403


@pytest.mark.parametrize("headers", [{"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}])
def test_who_comes_through_a_proxy_hears_nothing(headers):
    with Server("--watch") as server:
        assert server.request("GET", "/watch", headers=headers)[0] == 404


def test_only_so_many_pages_listen_and_none_keeps_the_server_from_stopping():
    """Promise 3.25"""
    with Server("--watch") as server:
        pages = [listening(server)[0] for _ in range(64)]
        refused, heard = listening(server)
        refused.close()
        assert heard.startswith("HTTP/1.1 503 ") and "64 pages watch this server already" in heard
        assert server.stop() == 0
        for page in pages:
            assert until_closed(page).endswith(b"0\r\n\r\n")
            page.close()


def test_a_page_hears_no_more_than_somebody_reads(tmp_path):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: One\n")
    with Server(tmp_path, "--watch") as server:
        write(prompt, "title: One\n" + f"fields: [{{name: a, kind: {'x' * 900_000}}}]\n" + "".join(f"k{n}: 1\n" for n in range(100)))
        server.log.wait_for("the old prompts stay")
        page, heard = listening(server)
        page.close()
    faults = json.loads(heard.split("data: ")[1].split("\n")[0])["faults"]
    assert len(faults) == 51 and faults[-1].startswith("… and ") and len(heard) < 64 * 1024


def test_pages_show_no_path_of_this_machine(tmp_path):
    prompts, templates = tmp_path / "prompts", tmp_path / "templates"
    for folder in (prompts, templates):
        folder.mkdir()
    (prompts / "name.yaml").write_text("title: One\n")
    with Server(prompts, "--watch", "--templates", templates) as server:
        for name, text, fault in [
            ("prompts/name.yaml", "titel: One\n", "prompts/name.yaml:1:1: a prompt has no key `titel`; did you mean `title`?"),
            ("templates/page.mustache", "{{#a}}", "templates/page.mustache"),
        ]:
            write(tmp_path / name, text)
            server.log.wait_for(str(tmp_path / name))
            server.log.wait_for("the old prompts stay")
            page, heard = listening(server)
            page.close()
            assert fault in heard and str(tmp_path) not in heard, heard
            if name.startswith("prompts"):
                write(tmp_path / name, "title: One\n")
                server.log.wait_for("reloaded 1 prompt")


def test_a_page_that_leaves_makes_room_for_another(tmp_path):
    prompt = tmp_path / "name.yaml"
    prompt.write_text("title: One\n")
    with Server(tmp_path, "--watch") as server:
        pages = [listening(server)[0] for _ in range(64)]
        for page in pages:
            page.close()
        # What is written to a page that has gone tells the server so.
        write(prompt, "title: Two\n")
        server.log.wait_for("reloaded 1 prompt")
        write(prompt, "title: Three\n")
        server.log.wait_for("reloaded 1 prompt")

        def is_heard():
            page, heard = listening(server)
            page.close()
            return heard.startswith("HTTP/1.1 200 ")

        # Their connections end a moment later.
        wait_until(is_heard)


@pytest.mark.parametrize("name, target", [(b"dangling.yaml", b"nowhere"), (b"loop.yaml", b"loop.yaml"), (b"\xff.yaml", None)])
def test_a_file_that_cannot_be_read_is_noticed_as_soon_as_it_is_there(tmp_path, name, target):
    """The next start would refuse it."""
    (tmp_path / "a.yaml").write_text("title: A\n")
    path = os.path.join(os.fsencode(tmp_path), name)
    with Server(tmp_path, "--watch") as server:
        if target:
            os.symlink(target, path)
        else:
            with open(path, "w") as file:
                file.write("title: B\n")
        server.log.wait_for("the old prompts stay")
        os.unlink(path)
        server.log.wait_for("reloaded 1 prompt")
