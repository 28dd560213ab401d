"""Dialogs in pages of other sites: okcancel.js there, the frame here, and what they may say to each other."""

import gzip
import json
import re
import threading
import urllib.error
import urllib.request

import pytest
from conftest import ROOT, Dialog, Serving, prompts_folder
from host import Host, OKCancel
from relay import Relay
from selenium.webdriver.common.keys import Keys
from test_accessibility import violations

PAGE = """<!doctype html><html lang="en"{html}><head><title>A tool</title><meta charset="utf-8"></head>
<body><main><h1>A tool</h1>{body}</main><script type="module">
import * as okcancel from "{server}/okcancel.js";
window.ask = okcancel.ask;
window.errors = [];
console.error = (text) => errors.push(String(text));
window.heard = [];
addEventListener("message", ({{ data }}) => heard.push(data?.type));
window.told = [];
for (const type of ["ready", "validity", "error", "outcome"]) {{
  document.addEventListener("okcancel:" + type, ({{ detail }}) => told.push([type, detail]));
}}
// What a driver's script leaves behind, Firefox forgets when it goes to a frame and back: so this is the page's own.
window.start = (name, ...question) => {{
  window[name] = null;
  ask(...question).then((value) => window[name] = [value], (error) => window[name] = ["failed", error.message]);
}};
{script}
</script></body></html>"""


@pytest.fixture(scope="module")
def site():
    """A site whose two names are both allowed: one is another site to the server, one another port of the same."""
    with Host() as host:
        yield host


@pytest.fixture(scope="module")
def stranger():
    """A site that is not allowed."""
    with Host() as host:
        yield host


@pytest.fixture(scope="module")
def okcancel(site, tmp_path_factory):
    """The server, behind a relay that can break; `okcancel.relay.url` is what pages know."""
    options = ["--allow-origin", site.url(), "--allow-origin", site.url("localhost")]
    folder = prompts_folder(tmp_path_factory.mktemp("prompts"))
    with Serving(folder, ROOT / "Templates", ROOT / "Public", *options) as serving:
        with Relay(serving.url) as relay:
            threading.Thread(target=relay.serve_forever, daemon=True).start()
            server = OKCancel(relay.url, serving.token)
            server.relay = relay
            site.okcancel = server
            yield server
            relay.shutdown()


class Embedding(Dialog):
    """A page of another site, and the dialog that it opens."""

    def __init__(self, browser, okcancel, site):
        super().__init__(browser, okcancel.relay)
        self.okcancel, self.site = okcancel, site

    def visit(self, body='<button id="opener">Ask</button>', name="localhost", html="", script="", site=None, **headers):
        site = site or self.site
        page = PAGE.format(body=body, server=self.server, html=html, script=script)
        site.pages["/"], site.headers = page, {key.replace("_", "-"): value for key, value in headers.items()}
        self.browser.leave_frame()
        self.browser.open(site.url(name))
        self.wait(lambda: self.js("return typeof ask === 'function'"))
        return self

    def ask(self, *arguments):
        """Calls `ask` as a click on the opener would; `outcome` waits for what it gives."""
        self.js("document.getElementById('opener')?.focus(); start('settled', ...arguments[0])", arguments)

    @property
    def frames(self):
        """The frames of open dialogs, the one on top last."""
        return self.js(
            "return [...document.querySelectorAll('ok-cancel')].map(({shadowRoot}) => shadowRoot.querySelector('dialog[data-ready] iframe'))"
            ".filter(Boolean)")

    def enter(self, count=1):
        """Into the frame on top, once there are so many."""
        self.wait(lambda: len(self.frames) == count)
        self.browser.enter_frame(self.frames[-1])
        self.wait_until_live()

    def leave(self):
        self.browser.leave_frame()

    @property
    def outcome(self):
        return self.outcome_of("settled")

    def outcome_of(self, name):
        self.leave()
        self.wait(lambda: self.js("return window[arguments[0]]", name))
        found = self.js("return window[arguments[0]]", name)
        assert found[0] != "failed", found
        return found[0]

    @property
    def failure(self):
        self.leave()
        self.wait(lambda: self.js("return window.settled"), 20)
        failed, message = self.js("return settled")
        assert failed == "failed"
        return message

    def told(self, kind):
        return [detail for type, detail in self.js("return told") if type == kind]

    def is_gone(self):
        return self.js("return document.querySelector('body > ok-cancel') === null")


@pytest.fixture
def page(browser, okcancel, site):
    page = Embedding(browser, okcancel, site)
    yield page
    page.leave()


# From opening to the outcome


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_a_page_of_another_origin_asks_and_gets_the_value(page, name):
    page.visit(name=name)
    page.ask("email")
    page.enter()
    assert page.js("return [document.hasFocus(), document.activeElement.id]") == [True, "field-email"]
    page.type("email", *"bob@gmail", Keys.ENTER)
    assert page.message("email") == "That does not look like an email address"
    assert not page.ok_is_enabled
    page.leave()
    assert page.js("return settled") is None
    page.enter()
    page.type("email", *".com", Keys.ENTER)
    outcome = page.outcome
    assert outcome["outcome"] == "ok" and outcome["values"] == {"email": "bob@gmail.com"}
    assert page.js("return document.activeElement.id") == "opener"
    assert page.is_gone()
    assert page.told("validity") == [{"isValid": False}, {"isValid": True}]
    assert len(page.told("outcome")) == 1
    redeemed = page.okcancel.call("GET", f"/receipts/{outcome['receipt']}")
    assert (redeemed["prompt"], redeemed["values"]) == ("email", {"email": "bob@gmail.com"})


def test_cancel_by_the_button_and_by_escape(page):
    page.visit()
    def press_beside():
        """As after a click next to the dialog, which leaves the focus outside of the frame."""
        page.leave()
        page.js("document.querySelector('body > ok-cancel').shadowRoot.querySelector('dialog').focus()")
        page.browser.press(Keys.ESCAPE)

    for press in (lambda: page.cancel.click(), lambda: page.browser.press(Keys.ESCAPE), press_beside):
        page.ask("email")
        page.enter()
        press()
        assert page.outcome == {"outcome": "cancel"}
        assert page.js("return document.activeElement.id") == "opener"
        assert page.is_gone()


def test_cancel_by_the_page(page):
    for act in (
        "document.querySelector('body > ok-cancel').remove()",
        "document.body.textContent = ''",
        "document.querySelector('body > ok-cancel').close()",
        "document.querySelector('body > ok-cancel').open = false",
        "stop.abort()",
        "history.back()",
    ):
        page.visit(script="window.stop = new AbortController();")
        page.js("history.pushState(null, '', '#later')")
        page.js("start('settled', 'email', {signal: stop.signal})")
        page.wait(lambda: page.frames)
        page.js(act)
        assert page.outcome == {"outcome": "cancel"}, act
        assert page.is_gone()
        # An element that is gone has nobody around it to tell.
        assert page.told("outcome") in ([], [{"outcome": "cancel"}]), act
        assert len(page.told("outcome")) == (0 if re.search("remove|textContent|abort", act) else 1), act


def test_escape_and_the_page_cancel_before_there_is_a_dialog(page):
    page.visit()
    with page.relay.holding("GET", "/prompts/email"):
        for act in (
            lambda: page.browser.press(Keys.ESCAPE), lambda: page.js("document.querySelector('body > ok-cancel').remove()"),
        ):
            page.ask("email")
            page.wait(lambda: page.js("return document.querySelector('body > ok-cancel').shadowRoot.querySelector('dialog:modal') !== null"))
            act()
            assert page.outcome == {"outcome": "cancel"}
    assert page.js("const element = document.createElement('ok-cancel'); element.prompt = 'email'; document.body.append(element);"
                   "const shown = element.show(); element.close(); return shown") == {"outcome": "cancel"}


def test_actions_are_outcomes_with_values_where_they_validate(page):
    page.visit()
    page.ask("order")
    page.enter()
    page.find("button[value=colleague]").click()
    assert page.outcome == {"outcome": "action", "action": "colleague"}
    page.ask("order", {"values": {"quantity": 3, "reasons": ["late"], "urgent": True}})
    page.enter()
    page.find("button[value=hold]").click()
    outcome = page.outcome
    assert page.okcancel.call("GET", f"/receipts/{outcome.pop('receipt')}")["action"] == "hold"
    assert outcome == {
        "outcome": "action", "action": "hold",
        "values": {"quantity": 3, "reasons": ["late"], "urgent": True, "note": None}}


def test_initial_values_count_before_the_dialog_shows(page):
    page.visit()
    page.ask("email", {"values": {"email": "ann@b.c", "unknown": 1}})
    page.enter()
    assert page.text("email") == "ann@b.c"
    assert page.ok_is_enabled
    page.ok.click()
    assert page.outcome["values"] == {"email": "ann@b.c"}
    page.ask("email", {"values": {"email": "ann"}})
    page.enter()
    assert not page.ok_is_enabled
    assert page.message("email") == ""


def test_several_dialogs_one_after_the_other_and_at_once(page):
    page.visit()
    for name in ("ann", "bob"):
        page.ask("email")
        page.enter()
        page.type("email", f"{name}@b.c", Keys.ENTER)
        assert page.outcome["values"] == {"email": f"{name}@b.c"}
    page.js("start('first', 'email'); start('second', 'question')")
    page.enter(2)
    assert page.js("return document.title") == "Delete the album?"
    page.ok.click()
    assert page.outcome_of("second")["outcome"] == "ok"
    assert page.js("return first") is None
    page.enter()
    page.cancel.click()
    assert page.outcome_of("first") == {"outcome": "cancel"}


# Links


def make(page, **ask):
    return page.okcancel.call("POST", "/asks", ask or {"prompt": "email"})


def test_a_link_is_answered_once_and_its_outcome_has_the_id(page):
    page.visit()
    made = make(page)
    page.ask({"link": made["link"]})
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    assert page.outcome == {"outcome": "ok", "values": {"email": "ann@b.c"}, "id": made["id"]}
    assert page.okcancel.call("GET", f"/asks/{made['id']}")["values"] == {"email": "ann@b.c"}
    page.ask(made["link"])
    assert page.failure == "OKCancel: This question was answered already."
    assert page.js("return errors") == [page.failure]


def test_cancelling_a_link_closes_the_ask_and_leaving_does_not(page):
    page.visit()
    made = make(page)
    page.ask({"link": made["link"]})
    page.enter()
    page.leave()
    page.js("document.querySelector('body > ok-cancel').remove()")
    assert page.outcome == {"outcome": "cancel"}
    assert page.okcancel.call("GET", f"/asks/{made['id']}")["status"] == "open"
    page.ask({"link": made["link"]})
    page.enter()
    page.browser.press(Keys.ESCAPE)
    assert page.outcome == {"outcome": "cancel", "id": made["id"]}
    assert page.okcancel.call("GET", f"/asks/{made['id']}")["outcome"] == "cancel"


def test_a_question_that_is_taken_back_ends_so(page):
    page.visit()
    made = make(page)
    page.ask({"link": made["link"]})
    page.enter()
    page.okcancel.call("DELETE", f"/asks/{made['id']}")
    page.type("email", "ann@b.c", Keys.ENTER)
    assert page.outcome == {"outcome": "withdrawn"}
    page.ask({"link": made["link"]})
    assert page.outcome == {"outcome": "withdrawn"}


def test_a_definition_goes_through_the_backend_of_the_page(page):
    page.visit(script="window.startFor = (name, definition) => start(name, definition, {create: async () => window.create});")
    definition = {"title": "Why?", "fields": [{"name": "reason", "rules": ["nonEmpty"]}]}
    page.ask(definition)
    page.enter()
    assert page.js("return document.title") == "Why?"
    page.type("reason", "so", Keys.ENTER)
    assert page.outcome["values"] == {"reason": "so"}
    made = make(page, definition=definition)
    page.js("window.create = arguments[0]", made)
    page.js("startFor('settled', arguments[0])", definition)
    page.enter()
    page.cancel.click()
    assert page.outcome["outcome"] == "cancel"
    page.ask(definition, {"create": f"{page.server}/healthz"})
    assert "Failed to fetch" in page.failure or "NetworkError" in page.failure or "Load failed" in page.failure


@pytest.mark.parametrize("what", [
    "https://evil.example/a/x", "javascript:alert(1)", "//evil.example/a/x", "/prompts/email/answers", "", "Email", "/a/../x",
])
def test_nothing_else_is_opened(page, what):
    page.visit()
    page.ask(what)
    assert "is neither the name of a prompt nor a link of" in page.failure
    assert page.is_gone()


def test_a_prompt_that_is_not_there_is_told(page):
    page.visit()
    page.ask("emial")
    assert page.failure == "OKCancel: There is no prompt “emial”; did you mean “email”?"
    assert page.told("error") == [{"detail": page.failure}]


# What the server says no to


def test_a_refused_answer_shows_its_messages_and_the_dialog_stays(page):
    page.visit()
    with page.relay.breaking("/validate/"):
        page.ask("name")
        page.enter()
        page.type("name", "taken")
        page.wait(lambda: page.ok_is_enabled)
        page.ok.click()
        page.wait(lambda: page.message("name"))
    assert page.message("name") == "That name is taken"
    assert page.focused == "name"
    assert not page.ok_is_enabled
    page.type("name", Keys.BACK_SPACE)
    page.wait(lambda: page.ok_is_enabled)
    assert page.message("name") == ""
    page.ok.click()
    assert page.outcome["values"] == {"name": "take"}


def test_an_answer_that_gets_lost_can_be_sent_again(page):
    page.visit()
    page.ask("email")
    page.enter()
    page.type("email", "ann@b.c")
    with page.relay.breaking("/prompts/email?receipt"):
        page.ok.click()
        page.wait(lambda: page.find("header .error").is_displayed())
        assert page.find("header .error").text == "The server cannot be reached just now. Try again in a moment."
        page.leave()
        page.wait(lambda: page.told("error"))
        assert page.told("error") == [{"status": 0, "detail": "The server cannot be reached just now. Try again in a moment."}]
        page.enter()
    page.ok.click()
    assert page.outcome["values"] == {"email": "ann@b.c"}


def test_cancel_gets_out_even_without_a_server(page):
    page.visit()
    for act in (lambda: page.cancel.click(), lambda: (page.leave(), page.js("document.querySelector('ok-cancel').close()"))):
        page.ask("email")
        page.enter()
        with page.relay.breaking("/prompts/email"):
            act()
            assert page.outcome == {"outcome": "cancel"}


# Who may speak to whom


def test_an_origin_that_is_not_allowed_gets_no_dialog_and_no_message(page, stranger):
    page.visit(site=stranger)
    page.ask("email")
    assert page.failure == (
        f"OKCancel: {page.server} shows no dialog here. If it does elsewhere, start it with --allow-origin {stranger.url('localhost')}")
    assert page.js("return [errors, heard, told.map(([type]) => type)]") == [[page.failure], [], ["error"]]
    for path, body in (("/prompts/email/rules", None), ("/validate/email", "{}")):
        assert page.js(
            "return fetch(arguments[0], {body: arguments[1], method: arguments[1] ? 'POST' : 'GET', headers: {'Content-Type': 'application/json'}})"
            ".then(() => 'read', () => 'refused')", page.server + path, body) == "refused"
    assert page.js(
        "return fetch(arguments[0], {method: 'POST', mode: 'no-cors', body: new URLSearchParams({email: 'forged@b.c'})}).then(() => 0)",
        page.server + "/prompts/email") == 0
    with pytest.raises(AssertionError):
        assert_kept(page, "forged@b.c")


def assert_kept(page, email):
    request = urllib.request.Request(
        f"{page.server}/prompts/email/answers", headers={"Authorization": f"Bearer {page.okcancel.token}"})
    with urllib.request.urlopen(request) as response:
        assert email in response.read().decode()


def test_an_allowed_origin_reads_rules_and_verdicts(page):
    page.visit()
    assert page.js(
        "return fetch(arguments[0] + '/prompts/email/rules').then(response => response.json()).then(({prompt}) => prompt)", page.server
    ) == "email"
    assert page.js(
        "return fetch(arguments[0] + '/validate/email', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        "body: JSON.stringify({email: 'a'})}).then(response => response.json()).then(({isValid}) => isValid)", page.server) is False


def test_forged_messages_change_nothing(page):
    page.visit(body=f'<button id="opener">Ask</button><iframe id="other" title="Other" src="{page.site.url()}/other"></iframe>')
    page.ask("email")
    page.enter()
    page.leave()
    frame = page.frames[0]
    id = re.search(r"okcancel=(\w+)", page.js("return arguments[0].src", frame))[1]
    forged = {"okcancel": 1, "id": id, "type": "outcome", "outcome": {"outcome": "ok", "values": {"email": "evil@b.c"}}}
    # The right words from the wrong window and origin, to the page and to the dialog.
    page.js("window.dispatchEvent(new MessageEvent('message', {data: arguments[0], origin: arguments[1], source: window}));"
            "window.postMessage(arguments[0], '*')", forged, page.server)
    page.browser.enter_frame(page.find("#other"))
    page.js("parent.postMessage(arguments[0], '*');"
            "for (const type of ['close', 'escape']) for (let i = 0; i < parent.frames.length; i++) parent.frames[i].postMessage({...arguments[0], type}, '*')",
            forged)
    # The right window, but another dialog's words, or none that are known.
    page.leave()
    page.enter()
    page.js("for (const more of [{id: 'other'}, {okcancel: 2}, {type: 'constructor'}, {type: '__proto__'}])"
            "parent.postMessage({...arguments[0], ...more}, arguments[1])", forged, page.site.url("localhost"))
    page.leave()
    page.wait(lambda: page.js("return heard.filter(type => type === '__proto__').length") == 1)
    assert page.js("return settled") is None
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    assert page.outcome["values"] == {"email": "ann@b.c"}


def test_a_dialog_speaks_only_to_the_origin_that_it_was_told_of(page, stranger):
    page.visit()
    for origin, heard in (
        (stranger.url("localhost"), []), ("*", []), ("null", []), (page.site.url(), []), (page.server, []),
        (page.site.url("localhost"), ["ready"]),
    ):
        page.js(
            "heard.length = 0; document.querySelector('main > iframe')?.remove(); const frame = document.createElement('iframe');"
            "frame.src = arguments[0] + '/prompts/email#' + new URLSearchParams({okcancel: 'x', origin: arguments[1]});"
            "document.querySelector('main').append(frame)", page.server, origin)
        page.browser.enter_frame(page.find("main > iframe"))
        page.wait_until_live()
        page.leave()
        if heard:
            page.wait(lambda: page.js("return heard")[:1] == heard)
        assert page.js("return heard")[:1] == heard, origin


def test_no_script_posts_to_any_origin():
    posts = [call for file in (ROOT / "Public").rglob("*.js") for call in re.findall(r"postMessage\((.*)\)", file.read_text())]
    assert sorted(post.rsplit(", ", 1)[1] for post in posts) == ["origin", "url.origin"]


# The element


FORM = """<form action="/taken"><label for="email">Email</label> {element}<input name="last" value="1"><button id="send">Send</button></form>"""


def is_valid(page):
    return page.js("return document.forms[0].checkValidity()")


def test_a_form_sends_the_value_like_any_input(page):
    page.visit(FORM.format(element='<ok-cancel id="email" prompt="email" name="email" receipt="proof" required></ok-cancel>'),
               script="window.changes = 0; document.forms[0].addEventListener('change', () => changes++);")
    page.site.forms.clear()
    element = page.find("ok-cancel")
    assert page.js("const {validity, validationMessage, form, value} = arguments[0];"
                   "return [validity.valueMissing, validationMessage !== '', form === document.forms[0], value]", element) == [
        True, True, True, None]
    page.find("#send").click()
    assert page.site.forms == [] and not is_valid(page)
    page.js("arguments[0].shadowRoot.querySelector('button').click()", element)
    page.enter()
    page.cancel.click()
    page.leave()
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])
    assert not is_valid(page)
    page.js("arguments[0].shadowRoot.querySelector('button').click()", element)
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: is_valid(page))
    outcome = page.js("return arguments[0].outcome", element)
    assert page.js("return [changes, arguments[0].value, arguments[0].open]", element) == [1, "ann@b.c", False]
    page.find("#send").click()
    page.wait(lambda: page.site.forms)
    assert page.site.forms == [[("email", "ann@b.c"), ("proof", outcome["receipt"]), ("last", "1")]]


def test_a_cancelled_dialog_takes_no_answer_back_and_a_reset_does(page):
    page.visit(FORM.format(element='<ok-cancel prompt="email" name="email" values=\'{"email":"ann@b.c"}\' required></ok-cancel>'))
    element = page.find("ok-cancel")
    page.js("arguments[0].show()", element)
    page.enter()
    page.ok.click()
    page.leave()
    page.wait(lambda: is_valid(page))
    page.js("arguments[0].open = true", element)
    page.enter()
    page.cancel.click()
    page.leave()
    page.wait(lambda: page.js("return arguments[0].outcome.outcome", element) == "cancel")
    assert page.js("return new FormData(document.forms[0]).get('email')") == "ann@b.c"
    page.js("document.forms[0].reset()")
    assert page.js("return [new FormData(document.forms[0]).get('email'), arguments[0].outcome ?? null]", element) == [None, None]
    assert not is_valid(page)


def test_several_fields_are_sent_each_under_its_name(page):
    page.visit(FORM.format(element='<ok-cancel prompt="order" name="order"></ok-cancel>'))
    page.js("arguments[0].values = {quantity: 2, reasons: ['late', 'other'], urgent: true}; arguments[0].show()", page.find("ok-cancel"))
    page.enter()
    page.ok.click()
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return [...new FormData(document.forms[0])]") == [
        ["order.quantity", "2"], ["order.reasons", "late"], ["order.reasons", "other"], ["order.urgent", "true"], ["order.note", ""],
        ["last", "1"]]


def test_a_disabled_control_does_nothing(page):
    page.visit('<form><fieldset disabled><ok-cancel prompt="email" required><button slot="opener">Ask</button></ok-cancel>'
               '<ok-cancel prompt="email"></ok-cancel></fieldset></form>')
    page.js("document.querySelector('[slot=opener]').click()")
    assert page.js("const [, other] = document.querySelectorAll('ok-cancel'); return other.shadowRoot.querySelector('button').disabled")
    assert page.js("return [...document.querySelectorAll('ok-cancel')].some(({open}) => open)") is False
    assert is_valid(page)


def test_the_opener_is_a_button_with_a_title_or_one_of_the_page(page):
    page.visit('<ok-cancel prompt="maintenance-window"></ok-cancel><ok-cancel prompt="email">Your email</ok-cancel>'
               '<form action="/taken"><ok-cancel prompt="email"><button slot="opener" id="own">Own</button></ok-cancel></form>')
    assert page.js("return [...document.querySelectorAll('ok-cancel')].map(({shadowRoot, textContent}) => textContent || shadowRoot.textContent)"
                   ) == ["maintenance window", "Your email", "Own"]
    page.find("#own").click()
    page.enter()
    page.browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return document.activeElement.id") == "own"
    # By the keyboard, into its own button.
    page.js("document.querySelectorAll('ok-cancel')[1].focus()")
    page.browser.press(Keys.ENTER)
    page.enter()
    page.browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: len(page.told("outcome")) == 2)
    assert page.js("return document.activeElement === document.querySelectorAll('ok-cancel')[1]")


def test_an_element_opens_by_its_attribute(page):
    page.visit('<ok-cancel prompt="email" open></ok-cancel>')
    page.enter()
    page.leave()
    page.js("document.querySelector('ok-cancel').removeAttribute('open')")
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])
    page.js("document.querySelector('ok-cancel').setAttribute('open', '')")
    page.enter()
    page.cancel.click()
    page.leave()
    page.wait(lambda: len(page.told("outcome")) == 2)
    assert page.js("return document.querySelector('ok-cancel').open") is False


def test_an_outcome_may_open_the_next_dialog(page):
    page.visit('<ok-cancel prompt="email"></ok-cancel>', script="""
        document.addEventListener("okcancel:outcome", ({target}) => target.show(), {once: true});
        document.querySelector("ok-cancel").show();""")
    for count in (1, 2):
        page.enter()
        page.cancel.click()
        page.leave()
        page.wait(lambda: len(page.told("outcome")) == count)


# In pages of every kind


@pytest.mark.parametrize("element", ["prompt", "link"])
def test_a_strict_policy_of_the_page_is_kept(page, element):
    what = 'prompt="email"' if element == "prompt" else f'link="{make(page)["link"]}"'
    policy = f"default-src 'none'; script-src {page.server}; frame-src {page.server}; report-uri /report"
    page.site.reports.clear()
    page.site.pages["/strict"] = (
        f'<!doctype html><html lang="en"><title>Strict</title><script type="module" src="{page.server}/okcancel.js"></script>'
        f"<ok-cancel {what}></ok-cancel>")
    page.site.headers = {"Content-Security-Policy": policy}
    page.browser.open(page.site.url("localhost") + "/strict")
    page.wait(lambda: page.js("return typeof document.querySelector('ok-cancel').show === 'function'"))
    page.js("arguments[0].shadowRoot.querySelector('button').click()", page.find("ok-cancel"))
    page.enter()
    page.leave()
    # Its style applies although it may have none inline.
    assert page.js("return getComputedStyle(arguments[0].shadowRoot.querySelector('iframe')).borderTopStyle", page.find("ok-cancel")) == "none"
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: page.js("return document.querySelector('ok-cancel').outcome?.outcome === 'ok'"))
    reports = [report for report in page.site.reports if "favicon" not in report["blocked-uri"]]
    assert reports == []
    # The reports do come.
    page.js("document.body.append(Object.assign(document.createElement('style'), {textContent: 'p {}'}))")
    page.wait(lambda: page.site.reports)


def test_the_page_is_left_as_it_was(page):
    page.visit()
    look = """
        const all = (element) => [...getComputedStyle(element)].map(name => getComputedStyle(element).getPropertyValue(name)).join();
        return [document.documentElement.outerHTML, document.styleSheets.length, document.adoptedStyleSheets.length,
          all(document.documentElement), all(document.body), all(document.querySelector("h1")), history.length, location.href];"""
    before = page.js(look)
    page.ask("email")
    page.enter()
    page.leave()
    during = page.js(look)
    assert during[1:] == before[1:]
    page.enter()
    page.cancel.click()
    assert page.outcome
    assert page.js(look) == before


def sizes(page):
    """The frame's height in the page, and in the frame what it needs, has, and whether a scroll bar may show."""
    page.leave()
    height = page.js("return arguments[0].offsetHeight", page.frames[-1])
    page.browser.enter_frame(page.frames[-1])
    return [height, *page.js(
        "return [Math.ceil(document.getElementById('dialog').getBoundingClientRect().height), innerHeight, document.documentElement.hasAttribute('data-scrolls')]")]


def test_the_frame_is_as_high_as_the_dialog_from_the_first_sight(page):
    page.visit(script="""
        window.sights = [];
        document.addEventListener("okcancel:ready", ({target}) => {
          const {offsetWidth, offsetHeight} = target.shadowRoot.querySelector("iframe");
          sights.push([offsetWidth, offsetHeight]);
        });""")
    page.ask("email")
    page.enter()
    fresh = sizes(page)
    assert fresh[0] == fresh[1] == fresh[2] and not fresh[3]
    page.leave()
    assert page.js("return sights") == [[21 * 16, fresh[0]]]
    page.enter()
    page.type("email", *"ab")
    page.wait(lambda: page.message("email"))
    page.wait(lambda: sizes(page)[0] > fresh[0])
    page.wait(lambda: len(set(sizes(page)[:3])) == 1)
    assert not sizes(page)[3]
    page.leave()
    assert page.js("return getComputedStyle(document.querySelector('body > ok-cancel').shadowRoot.querySelector('dialog')).borderTopLeftRadius"
                   ) == "20px"


def test_a_dialog_that_is_too_high_scrolls_within_the_window(page):
    page.visit()
    page.ask("twenty")
    page.enter()
    page.wait(lambda: sizes(page)[3])
    assert page.js("return scrollY") == 0
    height, needed, has, _ = sizes(page)
    assert height == has < needed
    page.leave()
    assert page.js("return innerHeight") >= height + 16
    page.enter()
    # WebKit lets drivers focus nothing here before somebody has typed.
    page.browser.press("a")
    page.type("f20", "a")
    page.wait(lambda: page.js("return arguments[0].getBoundingClientRect().bottom <= innerHeight", page.field("f20")))


@pytest.mark.parametrize("scheme, html", [("dark", ' style="color-scheme: dark"'), ("light", ' style="color-scheme: light"')])
def test_the_dialog_follows_the_colours_of_the_page(page, scheme, html):
    page.visit(html=html)
    page.ask("email")
    page.enter()
    background = page.js("return getComputedStyle(document.documentElement).backgroundColor")
    assert background == {"dark": "rgb(42, 42, 46)", "light": "rgb(251, 251, 253)"}[scheme]
    assert page.js("return getComputedStyle(document.documentElement).colorScheme") == scheme
    assert violations(page, ["color-contrast"]) == []


def test_a_page_from_right_to_left_has_its_dialog_in_the_middle(page):
    page.visit(html=' dir="rtl"')
    page.ask("email")
    page.enter()
    page.leave()
    left, right, width = page.js("const {left, right} = arguments[0].getBoundingClientRect(); return [left, right, document.documentElement.clientWidth]", page.frames[0])
    assert abs(left - (width - right)) <= 1


def test_axe_finds_nothing_in_the_page_nor_in_the_frame(page):
    page.visit('<ok-cancel prompt="email">Your email</ok-cancel><ok-cancel prompt="order"></ok-cancel>')
    assert violations(page) == [], "closed"
    page.js("document.querySelector('ok-cancel').show()")
    page.enter()
    assert violations(page) == [], "in the frame"
    page.leave()
    assert violations(page) == [], "around the frame"
    assert page.js("const {shadowRoot} = document.querySelector('ok-cancel');"
                   "return [shadowRoot.querySelector('dialog').ariaLabel, shadowRoot.querySelector('iframe').title]") == ["Your Email"] * 2


# Weight


def test_what_a_page_loads_is_light(okcancel):
    sizes = {}
    for path in ("/okcancel.js", "/embed/modal.js"):
        request = urllib.request.Request(okcancel.url + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as response:
            body = response.read()
            assert response.headers["Content-Encoding"] == "gzip" and gzip.decompress(body)
            sizes[path] = len(body)
    print(sizes)
    assert sizes["/okcancel.js"] <= 4000
