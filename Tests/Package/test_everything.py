"""Everything that the command can do, once, and what arrives at the other end.

Here it is the command of the build; `make test-deb` runs this on the installed package, in a Debian that has nothing
but what the package depends on.
"""

import base64
import json
import re
import ssl
import subprocess
import time
import urllib.request

import pytest
from CommandLine.dialog_screen import ENTER, DialogScreen, scanned
from Package.command import ended
from standardwebhooks import Webhook

from Support.certificate import self_signed
from Support.channels import Mailbox, Ntfy, Slack
from Support.client import FORM, JSON, answer
from Support.command import ROOT, TOKEN, script
from Support.listener import Exchange, Listener
from Support.postgresql import KEY, PostgreSQL
from Support.receiver import Receiver
from Support.server import free_port
from Support.waiting import wait_until

SECRET = "whsec_" + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
LOGIN = json.dumps({"outcome": "ok", "values": {"user": "ann", "password": "swordfish"}})


@pytest.fixture(scope="module")
def vouched(okcancel, tmp_path_factory):
    """A certificate of this machine, its key, and the variables of a command that trusts it."""
    pair = self_signed(tmp_path_factory.mktemp("tls"), kind="rsa")
    pair[0].chmod(0o644)
    return *pair, okcancel.trust(pair[0])


def outcome(server, ask):
    return server.call("GET", f"/asks/{ask['id']}?wait=50")


# Telling people and programs


def test_mail_goes_out_by_starttls_with_a_login(okcancel, folder):
    with Mailbox(folder) as mailbox:
        settings = {"OKCANCEL_CHANNEL_MAIL": mailbox.channel("from=okcancel@example.com&to=ops@example.com")}
        settings |= okcancel.trust(mailbox.certificate)
        with okcancel.serve("--channel", "mail", **settings) as server:
            ask = server.ask(notify=["mail"])
            mailbox.wait_for(len)
        okcancel.run("notify", "--test", "mail", **settings)
        mailbox.wait_for(lambda taken: len(taken) == 2)
    mail = mailbox.taken[0]
    assert (mail["Subject"], mail.receivers) == ("Your Email", ["ops@example.com"])
    assert mail.get_content().rstrip("\n").split("\n")[-1] == ask["link"]
    assert abs(mail["Date"].datetime.timestamp() - time.time()) < 3600


def test_ntfy_shows_the_question_and_that_it_is_over(okcancel):
    with Ntfy() as ntfy, okcancel.serve("--channel", f"phone={ntfy.channel()}") as server:
        ask = server.ask(notify=["phone"])
        assert ask["notify"] == ["phone"]
        ntfy.wait_for(len)
        [notice] = ntfy.taken
        assert (notice["title"], notice["topic"], notice["click"]) == ("Your Email", "alerts", ask["link"])
        assert notice["message"].rstrip("\n").split("\n")[-1] == ask["link"] and "Until 20" in notice["message"]
        server.answer(ask)
        ntfy.wait_for(lambda taken: len(taken) == 2)
        [shown] = ntfy.shown
        assert "Already answered" in shown["message"] and ask["link"] not in json.dumps(shown)


def test_slack_shows_the_question(okcancel):
    with Slack() as slack, okcancel.serve("--channel", "team", OKCANCEL_CHANNEL_TEAM=slack.hook) as server:
        ask = server.ask(notify=["team"])
        slack.wait_for(len)
        assert ask["link"] in slack.taken[0]["text"]


def test_a_program_hears_of_the_question_and_of_its_end_over_tls(okcancel, vouched):
    certificate, key, trusting = vouched
    with Receiver().secured(certificate, key) as receiver, okcancel.serve(
            "--channel", f"home={receiver.url}/told", "--allow-callback", receiver.url,
            OKCANCEL_WEBHOOK_SECRET=SECRET, **trusting) as server:
        ask = server.ask(notify=["home"], callback=f"{receiver.url}/called")
        path, headers, body = receiver.next()
        assert (path, Webhook(SECRET).verify(body, headers)["link"]) == ("/told", ask["link"])
        server.answer(ask)
        requests = [receiver.next(), receiver.next()]
        heard = {path: Webhook(SECRET).verify(body, headers) for path, headers, body in requests}
        assert heard["/told"]["event"] == "closed"
        told = outcome(server, ask).pop("told")
        assert [(each["channel"], each["state"]) for each in told] == [("home", "sent")]
        assert heard["/called"] == {name: value for name, value in outcome(server, ask).items() if name != "told"}
        assert heard["/called"]["values"] == {"email": "ann@example.com"}


# Asking, and who answers


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer(Exchange):
    """The keys of an identity provider: that of `server.key` alone."""

    def do_GET(self):
        command = ["openssl", "rsa", "-noout", "-modulus", "-in", self.server.key]
        modulus = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        number = base64url(bytes.fromhex(modulus.strip().removeprefix("Modulus=")))
        key = {"kty": "RSA", "alg": "RS256", "kid": "1", "n": number, "e": "AQAB"}
        self.answer(200, json.dumps({"keys": [key]}).encode(), JSON)


def token(key, person):
    head = base64url(json.dumps({"alg": "RS256", "kid": "1"}).encode())
    claims = {"iss": "https://id.example.com", "aud": "okcancel", "exp": int(time.time()) + 3600, "email": person}
    signed = f"{head}.{base64url(json.dumps(claims).encode())}"
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", key], input=signed.encode(), capture_output=True, check=True).stdout
    return f"{signed}.{base64url(signature)}"


def test_a_signed_token_says_who_answered(okcancel, vouched):
    certificate, key, trusting = vouched
    with Listener(Issuer).secured(certificate, key) as issuer:
        issuer.key = key
        with okcancel.serve(
                "--identity-jwt", "X-Assertion", "--identity-issuer", "https://id.example.com", "--identity-audience",
                "okcancel", "--identity-jwks", f"{issuer.url}/keys", **trusting) as server:
            ask = server.ask(**{"for": ["ada@example.com"]})
            ada, bob = ({"X-Assertion": token(key, f"{name}@example.com")} for name in ("ada", "bob"))
            path = ask["link"].removeprefix(server.url)
            # The keys may come a little later than the server.
            wait_until(lambda: server.request("GET", path, headers=ada)[0] == 200)
            body = json.dumps({"outcome": "ok", "values": {"email": "ada@example.com"}})
            assert server.request("POST", path, body, JSON | bob)[0] == 403
            assert server.request("POST", path, body, JSON | ada)[0] == 200
            assert outcome(server, ask)["by"] == {"id": "ada@example.com", "via": "jwt"}


def test_a_person_answers_in_a_terminal(okcancel):
    asked = ["ask", "--prompt", okcancel.prompts / "email.yaml", "--terminal"]
    dialog = DialogScreen(*asked, program=okcancel.program)
    dialog.until("What’s your email address?")
    dialog.press("ann@example.com" + ENTER, "› [ Submit ]")
    dialog.type(ENTER)
    assert dialog.ended() == (0, "ann@example.com\n") and dialog.is_restored()


def test_a_phone_reads_the_link_from_the_terminal(okcancel, tmp_path):
    asked = ["ask", "--title", "Your name?", "--field", "name", "--qr"]
    dialog = DialogScreen(*asked, columns=100, program=okcancel.program)
    link = re.search(r"http\S+", dialog.until("waiting for an answer"))[0]
    assert scanned(dialog.seen.decode(), tmp_path) == link
    answer(link, "name=Ada")
    assert dialog.ended() == (0, "Ada\n")


def test_a_person_decides_for_an_agents_hook(okcancel):
    events = json.loads((ROOT / "Tests/Hooks/events.json").read_text("utf-8"))["events"]
    event = next(each["event"] for each in events if each["name"] == "Claude Code, a command")
    with okcancel.serve() as server:
        hook = okcancel.start("hook", "--host", "claude", "--server", server.url, OKCANCEL_API_TOKEN=TOKEN)
        hook.stdin.write(json.dumps(event))
        hook.stdin.close()
        hook.stdin = None
        # Before it stands that the suggestion to allow more was not offered.
        answer(next(line for line in hook.stderr if line.startswith("Answer at")).split()[-1])
        assert json.loads(ended(hook))["hookSpecificOutput"]["decision"] == {"behavior": "allow"}


def test_an_agent_asks_over_standard_input_and_output(okcancel, folder):
    agent = okcancel.start("mcp", okcancel.prompts, "--database", folder / "asks.sqlite")

    def request(number, method, **parameters):
        agent.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + "\n")
        agent.stdin.flush()
        return json.loads(agent.stdout.readline() or ended(agent))["result"]

    request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"})
    asked = request(2, "tools/call", name="ask_person", arguments={"prompt": "email", "wait": 0})["structuredContent"]
    answer(asked["link"], "email=ann%40example.com")
    told = request(3, "tools/call", name="ask_outcome", arguments={"id": asked["id"], "wait": 20})["structuredContent"]
    assert (told["outcome"], told["values"]) == ("ok", {"email": "ann@example.com"})
    ended(agent)


def test_a_browser_that_is_not_there_is_named_and_the_link_is_still_there(okcancel, folder):
    asking = okcancel.start("ask", "--title", "Go on?", "--open", PATH=str(folder))
    link = asking.stderr.readline().split()[-1]
    assert "there is no xdg-open" in asking.stderr.readline()
    answer(link)
    ended(asking)


# What people and programs see


NOTHING = {
    "ar": "أدخل قيمة", "de": "Geben Sie einen Wert ein", "fr": "Saisissez une valeur", "ja": "値を入力してください",
    "pl": "Wpisz wartość"}
CANCEL = {"ar": "إلغاء", "de": "Abbrechen", "fr": "Annuler", "ja": "キャンセル", "pl": "Anuluj"}


def test_a_page_is_in_five_languages(okcancel, folder):
    (folder / "name.yaml").write_text("title: Name\nfields: [{name: name, required: true}]\n")
    for language in CANCEL:
        (folder / f"name.{language}.yaml").write_text("title: Name\n")
    with okcancel.serve(prompts=folder) as server:
        for language in CANCEL:
            headers = {"Accept-Language": language}
            shown = server.request("GET", "/prompts/name", headers=headers)[1]
            direction = "rtl" if language == "ar" else "ltr"
            assert f'<html lang="{language}" dir="{direction}">' in shown and CANCEL[language] in shown
            status, text = server.request("POST", "/prompts/name", '{"outcome":"ok"}', JSON | headers)
            assert status == 422 and NOTHING[language] in text


def test_a_moment_gets_the_offset_of_its_zone(okcancel, folder):
    (folder / "call.yaml").write_text(
        "title: When?\nfields: [{name: there, kind: dateTime, timeZone: America/New_York},\n"
        "  {name: here, kind: dateTime, timeZone: person}]\n")
    with okcancel.serve(prompts=folder) as server:
        ask = server.ask("call")
        answer(ask["link"], "there=2026-03-08T02:30&here=2026-03-09T02:30", status=422)
        answer(ask["link"], "there=2026-03-08T03:30&here=2026-03-09T02:30%2B05:45[Asia/Kathmandu]")
        assert outcome(server, ask)["values"] == {
            "there": "2026-03-08T03:30:00-04:00", "here": "2026-03-09T02:30:00+05:45"}


def test_a_program_decides_a_predicate(okcancel, folder):
    (folder / "user.yaml").write_text("title: Name\nfields: [{name: user, rules: [{predicate: free}]}]\n")
    program = script(folder / "free", 'read text\ntest "$text" = ann && exit 0\necho "$text is taken"\nexit 1')
    with okcancel.serve("--predicate", f"free={program}", prompts=folder) as server:
        ask = server.ask("user")
        status, text = server.request("POST", ask["link"].removeprefix(server.url), "user=bob", FORM)
        assert status == 422 and "bob is taken" in text
        server.answer(ask, "user=ann")


def test_it_serves_https(okcancel, vouched):
    certificate, key, _ = vouched
    trusted = ssl.create_default_context(cafile=str(certificate))
    own = okcancel.folder()
    for file in (certificate, key):
        (own / file.name).write_bytes(file.read_bytes())
    with okcancel.serve("--tls-cert", own / certificate.name, "--tls-key", own / key.name) as server:
        with urllib.request.urlopen(f"{server.url}/prompts/email", context=trusted, timeout=60) as shown:
            assert "<form" in shown.read().decode()


def test_files_are_checked_and_values_validated(okcancel, folder):
    good, bad = okcancel.prompts / "email.yaml", folder / "bad.yaml"
    bad.write_text("title: T\nfields: [{name: a, kind: emial}]\n")
    assert okcancel.run("check", good) == ""
    assert "did you mean `email`?" in okcancel.run("check", bad, code=65)
    assert okcancel.run("validate", good, "email=ann@example.com") == "email: valid\n"


def test_copied_templates_are_used(okcancel, folder):
    okcancel.run("templates", folder / "templates", "page")
    page = folder / "templates/page.mustache"
    page.write_text(page.read_text().replace("</main>", "<p>Our own</p></main>"))
    with okcancel.serve("--templates", page.parent) as server:
        assert "<p>Our own</p>" in server.request("GET", "/prompts/email")[1]


# What is kept


def test_answers_are_listed_backed_up_and_re_encrypted(okcancel, folder):
    old, new = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))
    copy = folder / "copy.sqlite"
    with okcancel.serve(database=folder / "a.sqlite", OKCANCEL_KEY=old) as server:
        assert server.request("POST", "/prompts/login", LOGIN, JSON)[0] == 200
        ask = server.ask("login")
        reading = {"OKCANCEL_API_TOKEN": TOKEN, "OKCANCEL_SERVER": server.url}
        assert "ann,swordfish" in okcancel.run("answers", "login", "--format", "csv", **reading)
        assert ask["id"] in okcancel.run("asks", **reading)
        assert "1 ask, " in okcancel.run("backup", copy, "--database", server.database)
    assert b"swordfish" not in copy.read_bytes()
    assert okcancel.run("rekey", "--database", copy, OKCANCEL_KEY=f"{new},{old}").startswith("re-encrypted ")
    with okcancel.serve(database=copy, OKCANCEL_KEY=new) as server:
        assert [each["values"]["password"] for each in server.answers("login")] == ["swordfish"]


def test_postgresql_has_what_is_copied_to_it_and_what_is_answered_there(okcancel, folder):
    file, back = folder / "a.sqlite", folder / "back.sqlite"
    with okcancel.serve(database=file, OKCANCEL_KEY=KEY) as server:
        assert server.request("POST", "/prompts/login", LOGIN, JSON)[0] == 200
    with PostgreSQL(free_port()) as postgresql:
        if okcancel.root:
            said = okcancel.run("copy", "--from", file, "--to", postgresql.url, code=70, OKCANCEL_KEY=KEY)
            assert "install Debian’s package libpq5" in said
            okcancel.install("libpq5")
        okcancel.run("copy", "--from", file, "--to", postgresql.url, OKCANCEL_KEY=KEY)
        with okcancel.serve(**postgresql.settings) as server:
            server.answer(server.ask("login"), "user=bob&password=herring")
            assert [each["values"]["user"] for each in server.answers("login")] == ["ann"]
        okcancel.run("copy", "--from", postgresql.url, "--to", back, OKCANCEL_KEY=KEY)
    with okcancel.serve(database=back, OKCANCEL_KEY=KEY) as server:
        reading = {"OKCANCEL_API_TOKEN": TOKEN, "OKCANCEL_SERVER": server.url}
        assert "bob,herring" in okcancel.run("answers", "login", "--asks", "--format", "csv", **reading)
