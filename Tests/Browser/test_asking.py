"""Rules that the server decides."""

import urllib.parse

import pytest
from selenium.webdriver.common.keys import Keys


def questions(dialog):
    return [dict(urllib.parse.parse_qsl(body, keep_blank_values=True)) for path, body in dialog.posts() if path.startswith("/validate/")]


def test_the_server_is_asked_after_a_pause(dialog):
    dialog.open("name")
    with dialog.relay.holding("POST", "/validate/"):
        dialog.insert("name", "alice")
        assert not dialog.ok_is_enabled
        assert dialog.ok.get_attribute("aria-busy") == "true"
        assert dialog.why == "Checking…"
    dialog.wait(lambda: dialog.ok_is_enabled)
    assert dialog.ok.get_attribute("aria-busy") == "false"
    assert questions(dialog) == [{"name": "alice"}]


def test_a_predicate_is_asked_again_when_a_field_changes_that_it_reads(dialog):
    dialog.open("reading")
    dialog.insert("secret", "hidden")
    dialog.insert("room", "is taken")
    dialog.wait(lambda: questions(dialog) == [{"guests": "", "room": "is taken"}])
    dialog.insert("guests", "12")
    dialog.wait(lambda: questions(dialog) == [{"guests": "12", "room": "is taken"}])
    dialog.insert("secret", "er")
    dialog.rests()
    assert questions(dialog) == []


def test_enter_while_the_server_is_asked_acts_on_the_verdict_when_it_comes(dialog):
    dialog.open("name")
    with dialog.relay.holding("POST", "/validate/"):
        dialog.type("name", "is taken", Keys.ENTER)
        dialog.wait(lambda: dialog.relay.posts)
        assert dialog.message("name") == ""
    dialog.wait(lambda: dialog.message("name") == "That name is taken")
    assert dialog.path == "/prompts/name"
    dialog.open("name")
    with dialog.relay.holding("POST", "/validate/"):
        dialog.type("name", "is free", Keys.ENTER)
        dialog.wait(lambda: dialog.relay.posts)
    dialog.ends("ok")


def test_an_unreachable_server_locks_nobody_out(dialog):
    dialog.open("name")
    with dialog.relay.breaking("/validate/"):
        dialog.type("name", "is taken")
        dialog.wait(lambda: dialog.ok_is_enabled)
        dialog.wait(lambda: dialog.spoken == "The server cannot be reached; try again")
        dialog.ok.click()
        # The submit decides.
        dialog.wait(lambda: dialog.message("name") == "That name is taken")
    assert dialog.text("name") == "is taken"


def test_a_page_that_watches_fetch_sees_the_questions(dialog):
    dialog.open("name")
    dialog.js("const asked = window.asked = [], send = fetch; window.fetch = (...request) => (asked.push(request[0]), send(...request))")
    dialog.insert("name", "free")
    dialog.wait(lambda: dialog.ok_is_enabled)
    assert dialog.js("return asked") == ["/validate/name?only=name"]


@pytest.mark.parametrize(("text", "ends"), [("😀a", True), ("\uf900\uff21", True), ("😀ab", False)])
def test_a_text_that_a_browser_might_misread_is_judged_by_the_server(dialog, text, ends):
    dialog.open("pair")
    dialog.insert("text", text)
    dialog.type("text", Keys.ENTER)
    if ends:
        dialog.ends("ok")
    else:
        dialog.wait(lambda: dialog.message("text") == "Enter two characters")
