"""A dialog that does not come: the person who waits is told why, and may leave at any time."""

import contextlib

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from Support.server import free_port
from test_accessibility import violations

# The page's clock, so that no test waits as long as a person would, and none is too slow: nobody's patience ends before
# `giveUp` says so, and what looks whether a server is there ends only if the page is not `patient`.
CLOCK = """
  const patiences = [], set = setTimeout;
  AbortSignal.timeout = () => {
    patiences.push(new AbortController());
    return patiences.at(-1).signal;
  };
  window.giveUp = () => patiences.forEach((each) => each.abort());
  window.setTimeout = (act, time) => window.patient && time === 2_000 ? 0 : set(act, time);
"""
ISOLATED = {"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Opener-Policy": "same-origin"}


# What never answers, what closes the connection, and what is said of it.
FAILING = {
    "a page that hangs": (["/prompts/email"], [], "shows no dialog here, although it answers"),
    "a server that hangs": (["/prompts/email", "/embed/modal.js?"], [], "OKCancel: Nothing answers at {}."),
    "a server that is down": ([], ["/prompts/email", "/embed/modal.js?"], "OKCancel: No OKCancel server can be reached at {}."),
    "a script that hangs": (["/embed/modal.js"], [], "OKCancel: Nothing answers at {}."),
    "a script that breaks": ([], ["/embed/modal.js"], "OKCancel: No OKCancel server can be reached at {}."),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_dialog_that_does_not_come_is_told_in_time(page, name):
    held, broken, said = FAILING[name]
    page.visit(script=f"{CLOCK} window.patient = {'although' in said:d};")
    with contextlib.ExitStack() as stack:
        for path in held:
            stack.enter_context(page.relay.holding("GET", path))
        for path in broken:
            stack.enter_context(page.relay.breaking(path))
        page.relay.gets.clear()
        page.ask("email")
        if held:
            page.wait(lambda: any(held[0] in path for path in page.relay.gets))
            page.js("giveUp()")
        assert said.format(page.server) in page.failure
        assert page.is_gone() and page.js("return errors") == [page.failure]
    # No browser asks for a script again that broke.
    if name == "a script that breaks":
        page.visit()
    page.put("email")


def test_the_address_of_another_server_is_told(page):
    page.visit()
    for server in (page.site.url(), f"http://127.0.0.1:{free_port()}"):
        page.ask("email", {"server": server})
        assert page.failure == f"OKCancel: No OKCancel server can be reached at {server}."
    page.ask("email", {"server": "ask.example.com"})
    assert page.failure == (
        "OKCancel: Give the address of your server: as OKCancelElement.server, or as `server` of ask.")


def test_a_port_that_refuses_is_told_at_once(page):
    # No patience ever ends.
    page.visit(script="AbortSignal.timeout = () => new AbortController().signal;")
    server = f"http://127.0.0.1:{free_port()}"
    page.ask("email", {"server": server})
    assert page.failure == f"OKCancel: No OKCancel server can be reached at {server}."


def test_a_policy_that_keeps_the_frame_out_is_told_at_once(page):
    policies = [f"default-src 'self' 'unsafe-inline' {page.server}; frame-src 'none'", "child-src 'self'", "frame-src 'self'"]
    for policy in policies:
        page.visit(headers={"Content-Security-Policy": policy})
        page.ask("email")
        assert page.failure == f"OKCancel: The Content-Security-Policy of this page must allow frame-src {page.server}."


def test_escape_and_the_page_end_what_cannot_be_seen_yet(page):
    page.visit()
    with page.relay.holding("GET", "/embed/modal.js"):
        for act in (lambda: page.browser.press(Keys.ESCAPE), lambda: page.js("document.querySelector('ok-cancel').close()")):
            page.ask("email")
            act()
            assert page.outcome == {"outcome": "cancel"}


def test_escape_ends_what_does_not_come(page):
    page.visit(headers={"Content-Security-Policy-Report-Only": "frame-src 'none'"})
    with page.relay.holding("GET", "/prompts/email"):
        page.ask("email")
        page.wait(lambda: page.part("dialog:modal"))
        # Nor does a click take the focus to where nothing listens.
        page.click_beside()
        page.browser.click_at(*page.point(page.part("dialog")))
        page.browser.press(Keys.ESCAPE)
        assert page.outcome == {"outcome": "cancel"}


def test_an_isolated_page_embeds(page):
    page.visit(headers=ISOLATED)
    assert page.js("return crossOriginIsolated")
    page.put("email")
    page.answers()
    page.ask("emial")
    assert page.failure == "OKCancel: There is no prompt `emial`; did you mean `email`?"
    page.put(page.make()["link"])
    page.cancel.click()
    assert page.outcome == {"outcome": "cancel"}


def test_a_proxy_that_takes_headers_away_is_told(page, monkeypatch):
    page.visit(headers=ISOLATED, script=f"{CLOCK} window.patient = true;")
    monkeypatch.setattr(page.relay, "spoilt", ["cross-origin-embedder-policy"])
    # A prompt's page may still be there, with its headers, from before.
    ask = page.make()["link"]
    page.ask(ask)
    page.wait(lambda: any(path.startswith("/a/") and ask.endswith(path.partition("?")[0]) for path in page.relay.gets))
    page.js("giveUp()")
    assert "see whether a proxy changes its headers" in page.failure


SENTENCES = {"en": "This question cannot be opened here", "de": "Diese Frage lässt sich hier nicht öffnen",
             "pt-BR": "Não é possível abrir esta pergunta aqui", "ar": "لا يمكن فتح هذا السؤال هنا"}


@pytest.mark.parametrize("language", SENTENCES)
def test_an_element_that_cannot_open_says_so_on_the_page(page, language):
    page.visit(f'<div lang="{language}"><ok-cancel prompt="email" server="{page.site.url()}"></ok-cancel></div>')
    page.part("button").click()
    page.wait(lambda: page.part("[role=alert]").text == SENTENCES[language])
    # The reason is for the author of the page.
    assert page.js("return errors") == [f"OKCancel: No OKCancel server can be reached at {page.site.url()}."]
    page.js("document.querySelector('ok-cancel').server = arguments[0]", page.server)
    page.part("button").click()
    page.enter()
    page.leave()
    assert page.part("[role=alert]").text == ""


LOOK = """
  const {backgroundColor, color, borderRadius, height} = getComputedStyle(arguments[0]);
  const light = (colour) => colour.match(/\\d+/g).slice(0, 3).every((part) => part > 127);
  return [light(backgroundColor), light(color), borderRadius, height];"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_element_that_cannot_open_says_so_on_a_card(page, scheme):
    style = "<style>#own::part(problem) { border-radius: 0 }</style>"
    page.visit(f'{style}<ok-cancel prompt="No name"></ok-cancel>', html=f' style="color-scheme: {scheme}"')
    alert = page.part("[role=alert]")
    assert page.js(LOOK, alert)[3] == "0px"
    page.part("button").click()
    page.wait(lambda: alert.text)
    assert page.js(LOOK, alert)[:3] == [scheme == "light", scheme == "dark", "11.2px"]
    # Its look stays after a dialog of this element, and the page's own wins.
    page.js("Object.assign(document.querySelector('ok-cancel'), {prompt: 'email', id: 'own'})")
    page.part("button").click()
    page.enter()
    page.cancels()
    page.wait(lambda: page.js("return !document.querySelector('ok-cancel').open"))
    page.js("document.querySelector('ok-cancel').prompt = 'No name'")
    page.part("button").click()
    page.wait(lambda: alert.text)
    assert page.js(LOOK, alert)[:3] == [scheme == "light", scheme == "dark", "0px"]


def test_a_page_may_say_itself_that_a_dialog_cannot_open(page):
    page.visit('<ok-cancel prompt="No name"></ok-cancel>', script="""
        document.addEventListener("okcancel:error", (event) => event.preventDefault());""")
    page.part("button").click()
    page.wait(lambda: page.told("error"))
    assert page.js("return [errors.length, arguments[0].textContent]", page.part("[role=alert]")) == [1, ""]


@pytest.mark.parametrize("element", [
    '<ok-cancel prompt="email"></ok-cancel>',
    '<label for="e">Email</label><ok-cancel id="e" prompt="email" name="email" required>Your email</ok-cancel>',
    '<span id="l">Email</span><ok-cancel prompt="email" name="email" aria-labelledby="l" aria-invalid="true"></ok-cancel>',
    '<ok-cancel prompt="email" name="email" required><button slot="opener">Ask</button></ok-cancel>',
    '<ok-cancel prompt="No name" name="email" open></ok-cancel>',
])
def test_axe_finds_nothing_in_a_page_with_an_element(page, element):
    page.visit(f"<form>{element}</form>")
    if "No name" in element:
        page.wait(lambda: page.part("[role=alert]").text)
    assert violations(page) == []
    if "No name" in element:
        return
    page.js("document.querySelector('ok-cancel').open = true")
    page.enter()
    page.leave()
    assert violations(page) == []
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert violations(page) == []
