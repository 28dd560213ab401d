"""A question for certain people, for somebody who is not one of them, and for nobody: two calm pages."""

import urllib.parse

import pytest
from conftest import Dialog, serving
from relay import Relay
from test_accessibility import violations

LANGUAGES = {"en": "ltr", "de": "ltr", "ar": "rtl", "ja": "ltr"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """What stands between the browsers and their server, and the path of a question for Ada."""
    prompts = tmp_path_factory.mktemp("prompts")
    options = "--identity", "authelia", "--trust-proxy", "127.0.0.1", "--sign-in", "https://auth.example.com/?rd={url}"
    with serving(prompts, *options) as server, Relay(server.url) as relay:
        link = server.call("POST", "/asks", {"definition": {"title": "Deploy kanarienvogel?"}, "for": ["ada@example.com"]})["link"]
        yield relay, urllib.parse.urlsplit(link).path


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
