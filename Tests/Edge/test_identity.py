"""The right person, behind a real nginx and a real Caddy with the configurations of the documentation.

The proxy asks a program of this test who is signed in, as it would ask Authelia.
"""

import json
import re
import shlex
import shutil
import subprocess
from urllib.parse import urlsplit

import pytest

from Support.client import JSON, Client, talk
from Support.command import BINARY, TOKEN, clean, run
from Support.documentation import Page
from Support.listener import Exchange, Listener
from Support.program import Caddy, Nginx
from Support.server import Server

PAGE = Page("identity.md")
TITLE = "Deploy version 4.2?"
PEOPLE = {
    "ada": {"Email": "ada@example.com", "Name": "Ada Lovelace", "Groups": "staff,release"},
    "bob": {"Email": "bob@example.com", "Name": "Bob", "Groups": "staff"},
    # Whom the sign-in lets through without a name.
    "stranger": {},
}


class SignIn(Exchange):
    """Says who is signed in, by a cookie with their name: as Authelia to nginx and Caddy, or as oauth2-proxy."""

    def do_GET(self):
        session = re.search(r"session=(\w+)", self.headers.get("Cookie", ""))
        person = session and PEOPLE.get(session[1])
        if person is None:
            return self.answer(302 if "forward-auth" in self.path else 401, headers={"Location": "https://auth.example.com/"})
        if "oauth2" in self.path:
            return self.answer(200, headers={
                f"X-Auth-Request-{'Preferred-Username' if name == 'Name' else name}": value for name, value in person.items()})
        self.answer(200, headers={f"Remote-{name}": value for name, value in person.items()})

    # Caddy asks with GET, nginx with the method of the request.
    do_POST = do_PATCH = do_HEAD = do_GET


def nginx(folder, addresses):
    site = PAGE.example("nginx", under="nginx with Authelia").replace("/var/log/nginx", str(folder))
    return Nginx(folder, site, addresses)


def nginx_with_oauth2_proxy(folder, addresses):
    """The configuration for Authelia with the lines for oauth2-proxy in their places."""
    site = PAGE.example("nginx", under="nginx with Authelia").replace("/var/log/nginx", str(folder))
    lines = PAGE.example("nginx", containing="auth_request /oauth2/auth;", under="nginx with oauth2-proxy")
    location = PAGE.example("nginx", containing="location /oauth2/", under="nginx with oauth2-proxy")
    site = re.sub(r"    auth_request /authelia(?s:.*?)(?=    proxy_set_header Connection)", lambda _: lines, site, count=1)
    for name, theirs in {"Email": "Email", "Name": "Preferred-Username", "Groups": "Groups"}.items():
        site = site.replace(f'Remote-{name} ""', f'X-Forwarded-{theirs} ""')
    site = re.sub(r"  location = /authelia(?s:.*?)\n  }\n", lambda _: location, site)
    assert "emote" not in site.replace("$remote_addr", "")
    addresses = {"127.0.0.1:4180" if name == "127.0.0.1:9091" else name: real for name, real in addresses.items()}
    return Nginx(folder, site, addresses)


def caddy(folder, addresses):
    return Caddy(folder, PAGE.example("caddy"), addresses)


class Site:
    """The server behind a proxy, as people and programs see it."""

    def __init__(self, server, port, header):
        self.server, self.port, self.header = server, port, header
        self.host = {"Host": f"ask.example.com:{port}"}
        self.outside = Client(f"http://127.0.0.1:{port}", server.token)

    def ask(self, **more):
        body = {"definition": {"title": TITLE}, "for": ["ada@example.com"]} | more
        return self.outside.call("POST", "/asks", body, self.host)

    def visit(self, path, person=None, *more, body=None, line="1.1"):
        """Sends a request as it is and returns the statuses of the responses, and all that came."""
        return sent(self.port, self.request(path, person, *more, body=body, line=line))

    def request(self, path, person=None, *more, body=None, line="1.1", keep=False):
        lines = [f"{'POST' if body else 'GET'} {path} HTTP/{line}", f"Host: ask.example.com:{self.port}"]
        lines += [f"Cookie: session={person}"] if person else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
        lines += [*more, f"Connection: {'keep-alive' if keep else 'close'}"]
        return ("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode()

    def by(self, ask):
        return self.outside.call("GET", f"/asks/{ask['id']}", headers=self.host).get("by")


def sent(port, data):
    received = talk(port, data)
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)], received.decode("utf-8", "replace")


def path(ask):
    return urlsplit(ask["link"]).path


def words(preset):
    command = PAGE.example("sh").replace("\\\n", " ").replace("--identity authelia", f"--identity {preset}")
    return ["Examples" if word == "Prompts" else word for word in shlex.split(command)[2:]]


WAYS = {"nginx": (nginx, "authelia", "Remote-"), "oauth2-proxy": (nginx_with_oauth2_proxy, "oauth2-proxy", "X-Forwarded-"),
        "caddy": (caddy, "authelia", "Remote-")}


@pytest.fixture(scope="module", params=WAYS)
def site(request, tmp_path_factory):
    proxied, preset, prefix = WAYS[request.param]
    program = "caddy" if request.param == "caddy" else "nginx"
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    # The test asks more often than a person may.
    with Server(*words(preset), "--rate-limit", "submit=off", "--rate-limit", "open=off", "--rate-limit", "create=off") as server, Listener(SignIn) as people:
        addresses = {"127.0.0.1:8080": f"127.0.0.1:{server.port}", "127.0.0.1:9091": f"127.0.0.1:{people.server_port}"}
        with proxied(folder, addresses) as proxy:
            yield Site(server, proxy.port, prefix)


def test_the_right_person_answers_and_the_outcome_says_so(site):
    ask = site.ask(requestedBy={"id": "eve@example.com", "name": "Eve"})
    assert site.visit(path(ask), "ada", "Accept: text/html")[0] == [200]
    statuses, told = site.visit(path(ask), "ada", body='{"outcome":"ok"}')
    ada = {"id": "ada@example.com", "name": "Ada Lovelace", "via": "header"}
    assert statuses == [200] and json.loads(told.split("\r\n\r\n")[1].removeprefix("\r\n").splitlines()[-1])["by"] == ada
    assert site.by(ask) == ada


def test_groups_are_known(site):
    ask = site.ask(**{"for": ["group:release"]})
    assert site.visit(path(ask), "bob")[0] == [403]
    assert site.visit(path(ask), "ada")[0] == [200]


def test_somebody_else_and_nobody_see_nothing(site):
    """Promise 2.9 | Nobody but the people whom a question is for sees anything of it, by any spelling of its path."""
    ask = site.ask()
    for where in ("", "/rules", "/done"):
        for person, expected in [("bob", 403), ("stranger", 401), (None, 302)]:
            statuses, told = site.visit(path(ask) + where, person)
            assert statuses == [expected] and TITLE not in told, (where, person, told)
    statuses, told = site.visit(path(ask), "stranger")
    assert json.loads(re.search(r"\{.*\}", told)[0])["code"] == "sign-in-needed"
    for person in ("bob", "stranger", None):
        statuses, told = site.visit(path(ask), person, body='{"outcome":"ok"}')
        assert statuses[0] in (302, 401, 403) and TITLE not in told
    assert site.by(ask) is None


def spoofs(prefix):
    """What a client may send to pass for Ada, each as the lines of its head."""
    if prefix == "X-Forwarded-":
        yield ["X-Auth-Request-Email: ada@example.com"]
        yield ["X-Auth-Request-Email: ada@example.com", "X-Auth-Request-Groups: release"]
        yield ["X-Auth-Request-Groups: release"]
    names = [f"{prefix}Email", f"{prefix}Groups", f"{prefix}Name"]
    values = ["ada@example.com", "release", "Ada Lovelace"]
    for spelling in (str, str.lower, str.upper, str.swapcase, lambda name: name.replace("-", "_"),
                     lambda name: name.replace("-", "_").upper(), lambda name: name.replace("-", "_", 1)):
        yield [f"{spelling(name)}: {value}" for name, value in zip(names, values)]
    email = f"{names[0]}: {values[0]}"
    yield [email, email]
    yield [f"{names[0]}: bob@example.com", email]
    yield [email, f"{names[0].replace('-', '_')}: {values[0]}"]
    yield [f"{names[0]}:{values[0]}"]
    yield [f"{names[0]}:\t{values[0]} "]
    yield [f"{names[0]} : {values[0]}"]
    yield [f"{names[0]}: x", f" {values[0]}"]
    yield [f"{names[0]}:", f"\t{values[0]}"]
    yield [f"X: y\n{email}"]
    yield [f"X: y\r{email}"]
    yield [email, f"Connection: {names[0]}"]
    yield [f"Connection: {names[0]}, {names[1]}"]
    yield ["Cookie: session=nobody", email]
    yield [f"{names[0]}: =?utf-8?q?ada=40example.com?="]
    yield [email, "X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1"]


@pytest.mark.parametrize("line", ["1.1", "1.0"])
def test_nobody_gets_in_with_headers_of_their_own(site, line):
    """Promise 2.8 | Behind nginx and Caddy as the guide configures them, no header of a client lets anybody in or
    changes who answered.
    """
    ask, count = site.ask(**{"for": ["ada@example.com", "group:release"]}), 0
    for spoof in spoofs(site.header):
        for person in (None, "stranger", "bob"):
            for body in (None, '{"outcome":"ok"}'):
                statuses, told = site.visit(path(ask), person, *spoof, body=body, line=line)
                assert all(status in (302, 400, 401, 403, 426, 505) for status in statuses) and TITLE not in told, (person, spoof, told)
                count += 1
    assert site.by(ask) is None and count >= 100


def test_no_header_of_the_client_changes_who_answered(site):
    """Promise 2.8"""
    for spoof in spoofs(site.header):
        other = [line.replace("ada@example.com", "eve@example.com").replace("Lovelace", "Eve") for line in spoof]
        ask = site.ask()
        statuses, told = site.visit(path(ask), "ada", *other, body='{"outcome":"ok"}')
        assert statuses and statuses[0] in (200, 302, 400), (spoof, told)  # 302: two cookies, of which one is nobody's
        assert site.by(ask) == ({"id": "ada@example.com", "name": "Ada Lovelace", "via": "header"} if statuses[0] == 200 else None), spoof


def test_no_client_makes_the_proxy_forget_who_it_is(site):
    """A header that `Connection` names is for the next hop only, and some proxies then drop their own.

    Promise 2.8
    """
    ask = site.ask(**{"for": ["ada@example.com", "bob@example.com"], "notBy": ["group:staff"]})
    for name in ("Groups", "Email", "Name"):
        for value in (f"{site.header}{name}", f"close, {site.header}{name}".lower(), f"{site.header}{name}, {site.header}Email"):
            for person in ("ada", "bob"):
                statuses, told = site.visit(path(ask), person, f"Connection: {value}", body='{"outcome":"ok"}')
                assert statuses == [403] and TITLE not in told, (value, told)
    assert site.by(ask) is None


def test_requests_one_after_the_other_keep_their_people_apart(site):
    ask = site.ask()
    email = f"{site.header}Email: ada@example.com"
    ada = site.request(path(ask), "ada", keep=True)
    for person, spoof in [("stranger", [email]), ("bob", [email]), ("stranger", []), ("bob", [email, email])]:
        one = site.request(path(ask), person, *spoof, keep=True)
        statuses, told = sent(site.port, ada + one + ada + site.request(path(ask), person, *spoof))
        assert statuses[0] == 200 and all(status in (400, 401, 403) for status in statuses[1::2]), (person, spoof, statuses)
        for part in re.split(r"HTTP/1\.1 (?=\d{3} )", told)[1:]:
            assert (TITLE in part) == part.startswith("200 "), (person, spoof, part)
    # In the body of a request there is no other request.
    inner = site.request(path(ask), None, email).decode()
    statuses, told = site.visit(path(ask), "stranger", body=inner)
    assert len(statuses) == 1 and statuses[0] != 200 and TITLE not in told
    assert site.by(ask) is None


def test_routes_of_programs_bypass_the_sign_in_and_lose_the_headers(site):
    """Promise 2.9"""
    spoof = {f"{site.header}Email": "ada@example.com", f"{site.header}Groups": "release"}
    ask = site.outside.call("POST", "/asks", {"definition": {"title": TITLE}, "for": ["ada@example.com"]}, site.host | spoof)
    assert site.outside.call("GET", f"/asks/{ask['id']}", headers=site.host | spoof)["status"] == "open"
    for route in ("/healthz", "/readyz", "/metrics", "/prompts/email/answers", "/asks"):
        status, _ = site.outside.request("GET", route, headers=site.host | spoof | site.outside.authorized)
        assert status == 200, route
    # What takes a token is told so by the server, not sent to the sign-in.
    for route, methods in site.server.call("GET", "/openapi.json")["paths"].items():
        for method in (method for method, operation in methods.items() if "security" in operation):
            status, told = site.outside.request(method.upper(), re.sub("{.*?}", "email", route), headers=site.host)
            assert status == 401 and json.loads(told)["code"] == "missing-token", (method, route)
    # No spelling of a path leads around the sign-in to a question.
    token = path(ask)
    for way in (f"/asks/..{token}", f"/asks/%2e%2e{token}", f"/asks/x/../..{token}", f"/prompts/x/answers/../../..{token}", f"/asks/..%2f{token[1:]}",
                f"/healthz/..{token}", f"/asks//..{token}", f"//asks/..{token}", f"/asks;/..{token}", f"/asks\\..{token}", f"{token}?/prompts/x/answers",
                f"{token}#/asks", f"/metrics/%252e%252e{token}", f"/mcp/.{token}", f"http://ask.example.com:{site.port}{token}", f"/asks?/..{token}"):
        statuses, told = site.visit(way, None, *(f"{name}: {value}" for name, value in spoof.items()))
        assert 200 not in statuses and TITLE not in told, (way, told)


def test_the_health_of_the_server_is_told_whatever_is_sent(site):
    for spoof in spoofs("Remote-"):
        for route in ("/healthz", "/readyz"):
            statuses, _ = sent(site.server.port, site.request(route, None, *spoof))
            # A head that nobody can read is another matter.
            assert statuses == [200] or any(re.search(r" :|[\r\n]|^[ \t]", line) for line in spoof), spoof


def test_a_trusted_proxy_that_adds_its_header_to_the_client_s_is_refused(site):
    ask, email = site.ask(), f"{site.header}Email: ada@example.com"
    assert sent(site.server.port, site.request(path(ask), None, email))[0] == [200]
    underscore = f"{email.split(':')[0].replace('-', '_')}: ada@example.com"
    for lines in ([email, email], [email, underscore], [underscore], [email, email.lower()], [f"{site.header}Email: \xff".encode("latin-1").decode("utf-8", "surrogateescape")]):
        data = site.request(path(ask)).replace(b"Connection:", "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\nConnection:")
        statuses, told = sent(site.server.port, data)
        assert statuses == [400] and TITLE not in told and "wrong-identity" in told, (lines, told)


def test_a_peer_that_is_not_trusted_is_refused_and_the_log_says_why():
    """Promise 2.10 | An identity header from a peer that is not trusted is refused and logged, not ignored."""
    with Server("--identity", "authelia", "--trust-proxy", "192.0.2.1") as server:
        for name in ("Remote-Email", "remote-email", "Remote-Name", "Remote-Groups"):
            for route in ("/prompts/email", "/", "/asks", "/openapi.json", "/nowhere"):
                status, told = server.request("GET", route, headers={name: "ada@example.com"} | server.authorized)
                assert status == 400 and json.loads(told)["code"] == "wrong-identity", (name, route, told)
            for route in ("/healthz", "/readyz"):
                assert server.request("GET", route, headers={name: "ada@example.com"})[0] == 200
        server.stop()
    # Once a minute.
    [line] = [line for line in server.log.lines if "is not trusted" in line]
    assert line.endswith(PAGE.example("text", containing="is not trusted").strip().removeprefix("warning 10.0.0.7")) and "127.0.0.1" in line


def guarded(server):
    """The path of a question for Ada, and the id of its ask."""
    ask = server.call("POST", "/asks", {"definition": {"title": TITLE}, "for": ["ada@example.com"]})
    return path(ask), ask["id"]


BEHIND = ["--trust-proxy", "127.0.0.1", *(word for action in ("open", "submit", "create") for word in ("--rate-limit", f"{action}=off"))]


def test_the_log_says_once_that_no_groups_come():
    with Server("--identity", "authelia", *BEHIND) as server:
        at, _ = guarded(server)
        for missing in range(1, 251):
            assert server.request("GET", at, headers={"Remote-Email": "ada@example.com"})[0] == 200
            # Nobody has to have groups; a hundred have none because none are sent.
            if missing == 99:
                assert "had no groups" not in server.log.text
        server.stop()
    [line] = [line for line in server.log.lines if "had no groups in Remote-Groups" in line]
    assert "`group:` in `for` admits nobody" in line
    with Server("--identity", "authelia", *BEHIND) as server:
        at, _ = guarded(server)
        for number in range(150):
            groups = {"Remote-Groups": "release"} if number == 50 else {}
            server.request("GET", at, headers={"Remote-Email": "ada@example.com"} | groups)
        server.stop()
    assert "had no groups" not in server.log.text


@pytest.mark.parametrize("headers", [
    {"Remote-Name": "Ada"}, {"Remote-Email": "", "Remote-Groups": "release"}, {"Remote-Email": "ada@example.com,bob@example.com"}])
def test_somebody_who_is_signed_in_without_a_name_gets_a_page_of_their_own(headers):
    """Which leads to no sign-in: that would be a circle."""
    with Server("--identity", "authelia", *BEHIND, "--sign-in", "https://auth.example.com/?rd={url}") as server:
        at, id = guarded(server)
        html = {"Accept": "text/html"}
        status, page = server.request("GET", at, headers=headers | html)
        assert status == 401 and "Your sign-in does not say who you are" in page and "auth.example.com" not in page, page
        status, page = server.request("GET", at, headers=html)
        assert status == 401 and "Your sign-in does not say" not in page and "https://auth.example.com/?rd=" in page
        body = '{"outcome":"ok"}'
        status, told = server.request("POST", at, body, headers | JSON)
        assert status == 401 and json.loads(told)["code"] == "sign-in-needed" and TITLE not in told
        assert server.call("GET", f"/asks/{id}")["status"] == "open"


def test_what_an_ingress_controller_cannot_rename_is_known():
    """oauth2-proxy's headers of its response to auth_request."""
    ada = {"X-Auth-Request-Email": "ada@example.com", "X-Auth-Request-Preferred-Username": "Ada", "X-Auth-Request-Groups": "release"}
    with Server("--identity", "oauth2-proxy", *BEHIND) as server:
        at, id = guarded(server)
        assert server.request("POST", at, '{"outcome":"ok"}', JSON)[0] == 401
        assert server.request("POST", at, '{"outcome":"ok"}', ada | {"X-Forwarded-Email": "ada@example.com"} | JSON)[0] == 400
        assert server.request("POST", at, '{"outcome":"ok"}', ada | JSON)[0] == 200
        assert server.call("GET", f"/asks/{id}")["by"] == {"id": "ada@example.com", "name": "Ada", "via": "header"}
        group = server.call("POST", "/asks", {"definition": {"title": TITLE}, "for": ["group:release"]})
        assert server.request("POST", path(group), '{"outcome":"ok"}', ada | JSON)[0] == 200


def test_the_page_s_approval_is_given_by_ada(site):
    command = PAGE.example("sh", containing="--for ada").replace("\\\n", " ").splitlines()[1]
    asked = shlex.split(command)[1:]
    asked[asked.index("--server") + 1] = site.server.url
    left = run(*asked[:-1], "--key", "the-page", "--no-wait", OKCANCEL_API_TOKEN=TOKEN)
    assert left.returncode == 0, left.stderr
    ask = json.loads(left.stdout)
    assert site.visit(path(ask), "bob")[0] == [403]
    assert site.visit(path(ask), "ada", body='{"outcome":"ok"}')[0] == [200]
    ended = run(*asked, "--key", "the-page", OKCANCEL_API_TOKEN=TOKEN)
    assert (ended.returncode, json.loads(ended.stdout)) == (0, json.loads(PAGE.example("json")))


def test_a_link_behind_a_sign_in_is_sent_to_a_browser(site, request):
    if "caddy" in request.node.name:
        pytest.skip("Caddy responds with nothing under another name than its site's")
    link = f"http://127.0.0.1:{site.port}{path(site.ask())}"
    result = subprocess.run(
        ["script", "-qec", f"{BINARY} answer {link}", "/dev/null"], capture_output=True, text=True, env=clean({"TERM": "dumb"}),
        stdin=subprocess.DEVNULL, timeout=60)
    assert result.returncode == 70 and "A link that needs a sign-in has to be opened in a browser." in result.stdout, result


def test_two_people_approve(site):
    first = site.ask(**{"for": ["group:release", "group:staff"]})
    second = site.ask(**{"for": ["group:release", "group:staff"], "notBy": [f"ask:{first['id']}"]})
    assert site.visit(path(second), "ada", body='{"outcome":"ok"}')[0] == [200]
    assert site.visit(path(first), "ada", body='{"outcome":"ok"}')[0] == [403]
    # Nothing of the question is shown to whoever cannot answer it.
    statuses, shown = site.visit(path(first), "ada")
    assert statuses == [403] and TITLE not in shown
    assert site.visit(path(first) + "/rules", "ada")[0] == [403]
    assert site.visit(path(first), "bob")[0] == [200]
    assert site.visit(path(first), "bob", body='{"outcome":"ok"}')[0] == [200]
    assert {site.by(first)["id"], site.by(second)["id"]} == {"ada@example.com", "bob@example.com"}


FOR_SOME = """\
title: Deploy?
for: [ada]
fields:
  - {name: tags, kind: choices, options: [a, b], rules: [{count: {min: 2}}]}
  - {name: city, at: /address/city, rules: [notBlank]}
"""


def test_commands_ask_a_prompt_for_some_people_by_its_name(tmp_path):
    (tmp_path / "deploy.yaml").write_text(FOR_SOME)
    with Server(tmp_path, "--identity-header", "Remote-User", "--trust-proxy", "127.0.0.1") as server:
        variables = {"OKCANCEL_SERVER": server.url, "OKCANCEL_API_TOKEN": server.token}
        words = ["--value", "tags=a", "--value", "tags=b", "--value", "city=Ulm", "--key", "deploy", "--format", "shell"]
        left = run("ask", "--prompt", "deploy", *words, "--no-wait", **variables)
        assert left.returncode == 0, left.stderr
        link = re.search(r"link='(.*)'", left.stdout)[1]
        shown = server.call("GET", urlsplit(link).path, headers={"Remote-User": "ada", "Accept": "application/json"})
        assert [field["value"] for field in shown["fields"]] == [["a", "b"], "Ulm"]
        values = {"tags": ["b", "a"], "address": {"city": "Bonn"}}
        status, _ = server.request(
            "POST", urlsplit(link).path, json.dumps({"outcome": "ok", "values": values}), JSON | {"Remote-User": "ada"})
        assert status == 200
        ended = run("ask", "--prompt", "deploy", *words, **variables)
        assert (ended.returncode, ended.stdout) == (0, "tags='[\"b\",\"a\"]'\ncity='Bonn'\n")
        table = run("answers", "deploy", "--asks", "--format", "csv", **variables)
        assert table.returncode == 0 and ",tags,city,id," in table.stdout.splitlines()[0], table.stderr
        unknown = run("ask", "--prompt", "deplay", "--no-wait", **variables)
        assert unknown.returncode == 64 and "there is no prompt" in unknown.stderr.lower()
        # The link is Ada's, and no token is missing here.
        again = run("ask", "--prompt", "deploy", "--no-wait", "--quiet", **variables)
        refused = subprocess.run(
            ["script", "-qec", f"{BINARY} answer {again.stderr.strip()}", "/dev/null"], capture_output=True, text=True,
            env=clean({"TERM": "dumb"}), stdin=subprocess.DEVNULL, timeout=60)
        assert refused.returncode == 70 and "This question is for certain people" in refused.stdout, refused
        assert "has to be opened in a browser" in refused.stdout


@pytest.mark.parametrize("accept, kind", [
    ("text/html,application/xhtml+xml", "text/html"), ("application/json", "application/problem+json")])
def test_headers_that_are_too_long_get_a_page_if_a_browser_sent_them(accept, kind):
    with Server("Examples") as server:
        answer = server.exchange("GET", "/prompts/email", None, {"Accept": accept, "Cookie": "a" * 33_000})
    assert (answer.status, answer.headers.get_content_type()) == (431, kind)
