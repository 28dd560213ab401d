"""The files of `Documentation/scaling.md` and Packaging/ for several servers, in the programs that read them."""

import contextlib
import os
import re
import subprocess

import yaml

from Support.certificate import self_signed
from Support.client import FORM, Client
from Support.command import ROOT, TOKEN
from Support.documentation import Page
from Support.postgresql import KEY, PostgreSQL
from Support.program import Caddy
from Support.server import Server, free_port

PAGE = Page("scaling.md")


@contextlib.contextmanager
def two_nodes(**settings):
    with PostgreSQL() as database, database.node(**settings) as one, database.node(**settings) as other:
        yield one, other


def goes_on_without_one(caddy, one):
    """Asks and answers while both servers are there, and after one of them is killed."""
    proxy, host = Client(f"http://127.0.0.1:{caddy.port}", TOKEN), {"Host": f"ask.example.com:{caddy.port}"}
    ask = proxy.call("POST", "/asks", {"prompt": "email"}, host)
    one.kill()
    for _ in range(20):
        assert proxy.request("GET", "/prompts/email", headers=host)[0] == 200
    path = "/a/" + ask["link"].rpartition("/")[2]
    for _ in range(4):
        status, _ = proxy.request("POST", path, "email=a%40b.c", FORM | host | {"Idempotency-Key": "only"})
        assert status == 200
    assert proxy.call("POST", "/asks", {"prompt": "email"}, host)["status"] == "open"


def test_nginx_reads_the_page_s_settings_with_tls(tmp_path):
    """`nginx -t` reads all of it; without TLS it stands before servers that are killed (Durability/test_postgresql.py)."""
    certificate, key = self_signed(tmp_path, subject="ask.example.com")
    site = PAGE.example("nginx").replace("/etc/ssl/ask.example.com.pem", str(certificate))
    site = site.replace("/etc/ssl/private/ask.example.com.key", str(key)).replace("listen 443", f"listen {free_port()}")
    settings = tmp_path / "nginx.conf"
    settings.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\nhttp {{ access_log off;\n{site}\n}}\n")
    tested = subprocess.run(["nginx", "-t", "-p", tmp_path, "-c", settings], capture_output=True, text=True)
    assert tested.returncode == 0, tested.stderr
    # What the proxy of one server needs, this one needs too.
    for line in re.findall(r"proxy_(?:set_header|buffering|read_timeout|http_version)[^;]*;", Page("proxy.md").example("nginx")):
        assert line in site


def test_the_page_s_caddy_goes_on_without_one_server(tmp_path):
    with two_nodes(OKCANCEL_TRUST_PROXY="127.0.0.1", OKCANCEL_BASE_URL="https://ask.example.com") as nodes:
        servers = {f"10.0.0.1{place + 1}:8080": f"127.0.0.1:{node.port}" for place, node in enumerate(nodes)}
        with Caddy(tmp_path, PAGE.example("caddy"), servers) as caddy:
            goes_on_without_one(caddy, nodes[0])


def test_the_unit_and_its_drop_in_are_sound(tmp_path):
    units = tmp_path / "units"
    (units / "okcancel.service.d").mkdir(parents=True)
    unit = (ROOT / "Packaging" / "okcancel.service").read_text("utf-8").replace("/usr/local/bin/okcancel", "/bin/true")
    (units / "okcancel.service").write_text(unit)
    drop_in = (ROOT / "Packaging" / "okcancel-shared.conf").read_text("utf-8").replace("/usr/local/bin/okcancel", "/bin/true")
    (units / "okcancel.service.d" / "shared.conf").write_text(drop_in)

    def verified():
        return subprocess.run(
            ["systemd-analyze", "verify", units / "okcancel.service"], capture_output=True, text=True, timeout=60,
            env=os.environ | {"SYSTEMD_UNIT_PATH": f"{units}:"})

    found = verified()
    assert (found.returncode, found.stdout + found.stderr) == (0, "")
    # It is there: one that is wrong is noticed.
    (units / "okcancel.service.d" / "shared.conf").write_text(drop_in + "Nonsense=1\n")
    assert "Nonsense" in verified().stderr


def test_the_page_s_settings_start_a_server():
    """As systemd would give them, but for what only the reader has."""
    settings = dict(line.split("=", 1) for line in PAGE.example("ini", containing="OKCANCEL_HOST").splitlines())
    assert settings["OKCANCEL_DATABASE"].startswith("postgresql://okcancel@db.example.com/okcancel?sslmode=verify-full&")
    with PostgreSQL() as database:
        own = {
            "OKCANCEL_HOST": "127.0.0.1", "OKCANCEL_DATABASE": database.url, "OKCANCEL_KEY": KEY,
            "OKCANCEL_API_TOKEN": TOKEN, "PGPASSWORD": "pass-word",
            "OKCANCEL_WEBHOOK_SECRET": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}
        assert settings.keys() >= own.keys()
        with Server(**settings | own) as server:
            forwarded = {"Host": "ask.example.com", "X-Forwarded-For": "192.0.2.7"}
            assert server.call("POST", "/asks", {"prompt": "email"}, forwarded)["link"].startswith("https://ask.example.com/a/")


def test_the_compose_file_is_two_servers_that_share_a_database(tmp_path):
    given = {
        "ASK_HOST": "ask.example.com", "POSTGRES_PASSWORD": "pass-word", "OKCANCEL_KEY": KEY, "OKCANCEL_API_TOKEN": TOKEN}
    text = (ROOT / "Packaging" / "compose.yaml").read_text("utf-8")
    text = re.sub(r"\$\{(\w+):\?\}", lambda name: given[name[1]], text)
    assert "$" not in text
    compose = yaml.safe_load(text)
    one, other, database = (compose["services"][name] for name in ("one", "two", "db"))
    assert one == other and one["build"]["args"] == {"POSTGRESQL": "libpq5"}
    assert f"ARG {'POSTGRESQL'}=" in (ROOT / "Dockerfile").read_text("utf-8")
    settings = one["environment"]
    user, password = database["environment"]["POSTGRES_USER"], database["environment"]["POSTGRES_PASSWORD"]
    assert settings["OKCANCEL_DATABASE"] == f"postgresql://{user}@db/{user}" and settings["PGPASSWORD"] == password
    assert one["depends_on"]["db"]["condition"] == "service_healthy" and database["healthcheck"]["test"]
    mounted = {volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert mounted == {"../Examples", *compose["volumes"]}
    local = settings | {"OKCANCEL_TRUST_PROXY": "127.0.0.1"}
    del local["OKCANCEL_DATABASE"]
    with two_nodes(**local) as nodes:
        servers = {f"{name}:8080": f"127.0.0.1:{node.port}" for name, node in zip(("one", "two"), nodes)}
        with Caddy(tmp_path, compose["configs"]["caddyfile"]["content"], servers) as caddy:
            goes_on_without_one(caddy, nodes[1])
