"""A question for certain people, for somebody who is not one of them, and for nobody: two calm pages."""

import urllib.parse

import pytest
from conftest import Dialog, serving
from embedding import Embedding
from host import Host
from relay import Relay
from Support.client import Client
from test_accessibility import violations

LANGUAGES = {"en": "ltr", "de": "ltr", "ar": "rtl", "ja": "ltr"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """What stands between the browsers and their server, the path of a question for Ada, and what asks another."""
    prompts = tmp_path_factory.mktemp("prompts")
    options = "--identity", "authelia", "--trust-proxy", "127.0.0.1", "--sign-in", "https://auth.example.com/?rd={url}"
    with serving(prompts, *options) as server, Relay(server.url) as relay:
        link = server.call("POST", "/asks", {"definition": {"title": "Deploy kanarienvogel?"}, "for": ["ada@example.com"]})["link"]
        yield relay, urllib.parse.urlsplit(link).path, server.call


@pytest.fixture
def visitor(browser, guarded):
    return Dialog(browser, guarded[0])


@pytest.fixture(params=["sign-in", "other"])
def page(request, guarded):
    """Which page it is: for nobody, or for somebody else."""
    guarded[0].added = {"Remote-Email": "bob@example.com"} if request.param == "other" else {}
    return request.param


@pytest.mark.parametrize("width", [320, 800])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_calm_in_every_language_and_on_every_screen(visitor, guarded, language, page, width):
    path = f"{guarded[1]}?lang={language}"
    visitor.go(f"/frame.html?path={urllib.parse.quote(path)}&width={width}&height=600")
    visitor.browser.enter_frame()
    visitor.wait(lambda: visitor.browser.find_all("h1"))
    assert violations(visitor) == []
    assert visitor.js("return document.documentElement.lang") == language
    assert visitor.js("return getComputedStyle(document.documentElement).direction") == LANGUAGES[language]
    assert visitor.js("return document.documentElement.scrollWidth <= innerWidth")
    assert "kanarienvogel" not in visitor.js("return document.documentElement.outerHTML")
    links = visitor.js("return [...document.querySelectorAll('main a')].map(each => each.href)")
    back = urllib.parse.quote(visitor.server + guarded[1], safe="")
    assert links == ([f"https://auth.example.com/?rd={back}"] if page == "sign-in" else [])


def test_the_page_says_what_to_do(visitor, guarded, page):
    visitor.go(guarded[1])
    text = visitor.js("return document.querySelector('main').innerText")
    assert ("Sign in" if page == "sign-in" else "tell the person who sent you the link") in text, text
    assert not any(word in text for word in ("Error", "401", "403")), text


ADA, SIGN_IN = {"Remote-Email": "ada@example.com"}, "This question is for certain people. Sign in, then open it again."
NOT_YOURS = "You cannot answer this question. If you should, tell the person who sent you the link."
PAGE = b"<!doctype html><title>Sign in</title><header><p>A proxy's page</p></header>"


@pytest.fixture
def opened(visitor, guarded):
    """The dialog of a question for Ada, who has typed something; and its path."""
    relay, _, call = guarded
    link = call("POST", "/asks", {"definition": {"title": "Why?", "fields": [{"name": "why"}]}, "for": ["ada@example.com"]})["link"]
    path, relay.added = urllib.parse.urlsplit(link).path, ADA
    visitor.go(path)
    visitor.wait_until_live()
    yield visitor, path
    relay.added = {}


def complaint(visitor):
    """What stands above the buttons, and where it leads."""
    return visitor.js("""const p = document.getElementById('problem'), a = p.querySelector('a[target=_blank]');
                         return p.hidden ? [] : [p.textContent, a && a.href]""")


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("status", [None, 302, 303, 401])
def test_a_sign_in_that_ends_while_the_page_is_open_can_be_renewed(opened, guarded, status, typed):
    (visitor, path), relay = opened, guarded[0]
    if typed:
        visitor.type("why", "because")
        visitor.wait(lambda: visitor.js("return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('sending.js'))"))
    back = urllib.parse.quote(visitor.server + path, safe="")
    if status is None:
        relay.added = {}
        visitor.ok.click()
        visitor.wait(lambda: complaint(visitor) == [SIGN_IN, f"https://auth.example.com/?rd={back}"])
        relay.added = ADA
    else:
        with relay.answering("POST", path, status, PAGE, "text/html", Location="https://auth.example.com/"):
            visitor.ok.click()
            visitor.wait(lambda: complaint(visitor) == [SIGN_IN, visitor.server + path])
    assert visitor.path == path and visitor.text("why") == ("because" if typed else "")
    visitor.ok.click()
    visitor.ends("ok")


def test_a_sign_in_that_ends_under_an_embedded_dialog_can_be_renewed(browser, tmp_path):
    options = "--identity", "authelia", "--trust-proxy", "127.0.0.1", "--sign-in", "https://auth.example.com/?rd={url}"
    with Host() as host, serving(tmp_path, *options, "--allow-origin", host.url("localhost")) as server, Relay(server.url) as relay:
        link = server.call("POST", "/asks", {"definition": {"title": "Why?", "fields": [{"name": "why"}]}, "for": ["ada@example.com"]})["link"]
        path, relay.added = urllib.parse.urlsplit(link).path, ADA
        client = Client(relay.url, server.token)
        client.relay = relay
        page = Embedding(browser, client, host)
        page.visit()
        page.put({"link": relay.url + path})
        page.type("why", "because")
        relay.added = {}
        page.ok.click()
        page.wait(lambda: complaint(page)[:1] == [SIGN_IN])
        leads = complaint(page)[1]
        assert leads.startswith("https://auth.example.com/?rd=") and urllib.parse.quote(path, safe="") in leads
        assert page.text("why") == "because"
        # Signed in again, in the other tab.
        relay.added = ADA
        page.settle()
        page.ok.click()
        page.leave()
        page.wait(lambda: page.js("return window.settled"))
        outcome = page.js("return settled[0]")
        assert (outcome["outcome"], outcome["values"], outcome["by"]["id"]) == ("ok", {"why": "because"}, "ada@example.com")


def test_somebody_who_may_no_longer_answer_is_told_so_where_they_typed(opened, guarded):
    (visitor, path), relay = opened, guarded[0]
    visitor.type("why", "because")
    relay.added = {"Remote-Email": "bob@example.com"}
    visitor.ok.click()
    visitor.wait(lambda: complaint(visitor) == [NOT_YOURS, None])
    assert visitor.text("why") == "because"


@pytest.mark.parametrize("status", [200, 403, 429, 502, 503, 504])
def test_a_page_that_a_proxy_puts_in_the_way_loses_nothing(opened, guarded, status):
    (visitor, path), relay = opened, guarded[0]
    visitor.type("why", "because")
    with relay.answering("POST", path, status, PAGE, "text/html"):
        visitor.ok.click()
        visitor.wait(lambda: complaint(visitor) == ["The server cannot be reached; try again", None])
    assert visitor.text("why") == "because"
    visitor.ok.click()
    visitor.ends("ok")
