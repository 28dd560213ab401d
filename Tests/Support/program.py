"""Other programs that listen: proxies, tools of another site."""

import os
import re
import socket
import subprocess

from Support.server import free_port
from Support.waiting import wait_until


class Program:
    """Runs a command until the block ends, which begins as soon as somebody listens at `port`."""

    def __init__(self, command, port, **options):
        self.command, self.port, self.options = command, port, options

    def __enter__(self):
        self.process = subprocess.Popen(self.command, **self.options)
        try:
            wait_until(self.listens)
        except AssertionError as error:
            self.__exit__()
            raise AssertionError(f"nobody listens at {self.port}: {self.command}") from error
        return self

    def listens(self):
        assert self.process.poll() is None
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except ConnectionRefusedError:
            return False

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Nginx(Program):
    """An nginx without TLS on a free port, which serves a page's example; all it writes is in `folder`.

    `servers` are the addresses to put for those of the page.
    """

    def __init__(self, folder, site, servers, port=None):
        port = port or free_port()
        site = re.sub(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", site)
        site = re.sub(r"\n *ssl_certificate.*", "", site).replace("$scheme", "https")
        for named, real in servers.items():
            assert named in site
            site = site.replace(named, real)
        settings = folder / "nginx.conf"
        settings.write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
            f"http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; "
            f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{site}\n}}\n")
        super().__init__(["nginx", "-p", folder, "-c", settings], port)


class Caddy(Program):
    """A Caddy without TLS on a free port, which serves a page's example for `name`; it logs to `folder/access.log`.

    `servers` are the addresses to put for those of the page.
    """

    def __init__(self, folder, site, servers, port=None, name="ask.example.com"):
        port = port or free_port()
        for named, real in {"ask.example.com {": f"http://{name}:{port} {{", **servers}.items():
            assert named in site
            site = site.replace(named, real)
        site = site.replace("\tlog {\n", f"\tlog {{\n\t\toutput file {folder}/access.log\n")
        (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + site)
        super().__init__(
            ["caddy", "run", "--config", "Caddyfile"], port, cwd=folder, env=os.environ | {"HOME": str(folder)},
            stderr=subprocess.DEVNULL)
