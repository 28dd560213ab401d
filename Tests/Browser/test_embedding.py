"""From opening a dialog in a page of another site to its outcome."""

import re

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_a_page_of_another_origin_asks_and_gets_the_value(page, name):
    page.visit(name=name).put("email")
    page.wait(lambda: page.js("return [document.hasFocus(), document.activeElement.id]") == [True, "field-email"])
    page.type("email", *"bob@gmail", Keys.ENTER)
    assert page.message("email") == "That does not look like an email address"
    assert not page.ok_is_enabled
    page.leave()
    assert page.js("return settled") is None
    page.enter()
    page.type("email", *".com", Keys.ENTER)
    assert page.outcome == {"outcome": "ok", "values": {"email": "bob@gmail.com"}}
    assert page.js("return document.activeElement.id") == "opener"
    assert page.is_gone()
    assert page.told("validity") == [{"isValid": False}, {"isValid": True}]
    assert len(page.told("outcome")) == 1
    redeemed = page.okcancel.call("GET", f"/receipts/{page.js('return settled[0].receipt')}")
    assert (redeemed["prompt"], redeemed["values"]) == ("email", {"email": "bob@gmail.com"})


def test_a_receipt_says_what_the_answer_is_about(page):
    page.visit().put("email", {"subject": "user-7 & co"})
    page.answers("bob@gmail.com")
    redeemed = page.okcancel.call("GET", f"/receipts/{page.js('return settled[0].receipt')}")
    assert redeemed["subject"] == "user-7 & co"
    page.visit()
    page.ask(page.make()["link"], {"subject": "user-7"})
    assert page.failure == "OKCancel: A link takes no subject; give its ask metadata when you create it."


def test_the_button_and_escape_cancel_an_embedded_dialog(page):
    page.visit()
    def press_beside():
        """As a browser does for Escape, or for Android's way back, with the focus outside of the frame."""
        page.leave()
        page.js("arguments[0].dispatchEvent(new Event('cancel', {cancelable: true}))", page.part("dialog"))

    for press in (lambda: page.cancel.click(), lambda: page.browser.press(Keys.ESCAPE), press_beside):
        page.put("email")
        press()
        assert page.outcome == {"outcome": "cancel"}
        assert page.js("return document.activeElement.id") == "opener"
        assert page.is_gone()


def test_the_page_cancels_an_embedded_dialog(page):
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


def test_a_new_fragment_of_the_page_cancels_nothing(page):
    page.visit().put("email")
    page.leave()
    page.js("location.hash = 'later'")
    page.wait(lambda: page.js("return location.hash") == "#later")
    page.js("history.pushState(null, '', '#again'); history.replaceState(null, '', '#replaced')")
    page.enter()
    page.answers()


def test_a_click_beside_the_dialog_takes_no_letter_away(page):
    page.visit().put("email")
    page.type("email", "ann")
    for letters in ("@b", ".c"):
        page.click_beside()
        page.wait(lambda: page.js("return document.activeElement.localName") == "ok-cancel")
        page.browser.enter_frame(page.frames[-1])
        page.wait(lambda: page.js("return document.hasFocus()") and page.focused == "email")
        page.browser.press(letters)
    assert page.text("email") == "ann@b.c"
    page.browser.press(Keys.ENTER)
    assert page.outcome["values"] == {"email": "ann@b.c"}


def test_a_dialog_that_reloads_comes_back(page):
    page.visit()
    page.ask("email")
    for count in (1, 2):
        page.enter()
        page.leave()
        page.wait(lambda: len(page.told("ready")) == count)
        page.enter()
        if count == 1:
            page.js("setTimeout(() => location.reload())")
            page.leave()
            page.wait(lambda: len(page.told("ready")) == 2)
    page.answers()


def test_a_page_that_the_browser_kept_for_going_back_has_its_dialog(page):
    page.visit(script="window.kept = false; addEventListener('pageshow', ({ persisted }) => kept ||= persisted);")
    page.put("email")
    page.type("email", "ann@")
    page.leave()
    page.site.pages["/next"] = "<!doctype html><title>Next</title>"
    page.js("location.href = '/next'")
    page.wait(lambda: page.browser.title == "Next")
    page.browser.back()
    page.wait(lambda: page.js("return typeof ask === 'function'"))
    if not page.js("return kept"):
        assert type(page.browser).__name__ != "Chromium"
        pytest.skip("this browser loaded the page anew")
    page.enter()
    assert page.text("email") == "ann@"
    page.browser.press("b.c")
    page.browser.press(Keys.ENTER)
    assert page.outcome == {"outcome": "ok", "values": {"email": "ann@b.c"}}


def test_a_dialog_that_cannot_open_is_an_error_that_says_why(page):
    page.visit()
    for what, given in (("undefined", "undefined"), ("null", "null"), ("{}", "{}"), ("5", "5"), ("{link: undefined}", "{}")):
        page.js(f"start('settled', {what})")
        assert page.failure == (
            "OKCancel: ask takes a prompt's name, {link}, or a definition with a title; it was given " + given + ".")


def test_escape_and_the_page_cancel_before_there_is_a_dialog(page):
    page.visit()
    with page.relay.holding("GET", "/prompts/email"):
        remove = "document.querySelector('body > ok-cancel').remove()"
        for act in (lambda: page.browser.press(Keys.ESCAPE), lambda: page.js(remove)):
            page.ask("email")
            page.wait(lambda: page.part("dialog:modal"))
            act()
            assert page.outcome == {"outcome": "cancel"}
    assert page.js("const element = document.createElement('ok-cancel'); element.prompt = 'email';"
                   "document.body.append(element); const shown = element.show(); element.close(); return shown"
                   ) == {"outcome": "cancel"}


def test_actions_are_outcomes_with_values_where_they_validate(page):
    page.visit().put("order")
    page.find("button[value=colleague]").click()
    assert page.outcome == {"outcome": "action", "action": "colleague"}
    page.put("order", {"values": {"quantity": 3, "reasons": ["late"], "urgent": True}})
    page.find("button[value=hold]").click()
    assert page.outcome == {
        "outcome": "action", "action": "hold",
        "values": {"quantity": 3, "reasons": ["late"], "urgent": True, "note": None}}
    assert page.okcancel.call("GET", f"/receipts/{page.js('return settled[0].receipt')}")["action"] == "hold"


def test_initial_values_count_before_the_dialog_shows(page):
    page.visit().put("email", {"values": {"email": "ann@b.c", "unknown": 1}})
    assert page.text("email") == "ann@b.c"
    assert page.ok_is_enabled
    page.ok.click()
    assert page.outcome["values"] == {"email": "ann@b.c"}
    page.put("email", {"values": {"email": "ann"}})
    assert not page.ok_is_enabled
    assert page.message("email") == ""


def test_an_initial_value_that_no_control_holds_is_an_error(page):
    for values in ({"note": "one\ntwo"}, {"reasons": ["late", "zzz"]}, {"urgent": "perhaps"}, {"quantity": "three"}):
        page.visit()
        page.ask("order", {"values": values})
        page.wait(lambda: page.js("return errors.length"))
        [name] = values
        assert f"The field {name} cannot hold" in page.js("return errors[0]")


def test_several_dialogs_one_after_the_other_and_at_once(page):
    page.visit()
    for name in ("ann", "bob"):
        page.put("email")
        page.type("email", f"{name}@b.c", Keys.ENTER)
        assert page.outcome["values"] == {"email": f"{name}@b.c"}
    # In order, each with its focus; one that is taken back meanwhile does not show.
    page.js("window.stop = new AbortController(); start('first', 'email'); start('gone', 'email', {signal: stop.signal});"
            "start('second', 'question')")
    page.enter()
    assert page.js("return [document.title, document.activeElement.id]") == ["Your Email", "field-email"]
    page.leave()
    page.js("stop.abort()")
    assert page.outcome_of("gone") == {"outcome": "cancel"}
    assert page.js("return [first, second]") == [None, None]
    page.enter()
    page.cancel.click()
    assert page.outcome_of("first") == {"outcome": "cancel"}
    page.enter()
    assert page.js("return document.title") == "Delete the album?"
    page.wait(lambda: page.js("return document.hasFocus() && document.activeElement.id === 'dialog'"))
    page.ok.click()
    assert page.outcome_of("second")["outcome"] == "ok"


HIDDEN = {
    "the element": ('<ok-cancel hidden prompt="email"></ok-cancel>', ""),
    "its style": ('<style>ok-cancel { display: none !important }</style><ok-cancel prompt="email"></ok-cancel>', ""),
    "a menu": ('<ul id="menu"><li><ok-cancel prompt="email"></ok-cancel></li></ul>', "document.getElementById('menu').hidden = true"),
    "a modal": ('<dialog id="menu" aria-label="Menu"><ok-cancel prompt="email"></ok-cancel></dialog>',
                "document.getElementById('menu').close()"),
}


@pytest.mark.parametrize("what", HIDDEN)
@pytest.mark.parametrize("when", ["before", "after"])
def test_what_hides_the_element_hides_no_dialog(page, what, when):
    body, hide = HIDDEN[what]
    page.visit(body)
    page.js("document.getElementById('menu')?.showModal?.();"
            "document.querySelector('ok-cancel').show();" + hide * (when == "before"))
    page.enter()
    page.leave()
    page.js(hide)
    page.drawn()
    assert page.js("const {width, height} = arguments[0].getBoundingClientRect(); return [width, height > 100]",
                   page.frames[0]) == [336, True]
    page.enter()
    assert page.js("return document.activeElement.id") == "field-email"
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.told("outcome")[0]["outcome"] == "ok"
    assert page.js("return [document.querySelectorAll('ok-cancel').length, document.adoptedStyleSheets.length]") == [1, 0]


def test_a_dialog_that_the_page_takes_away_is_cancelled(page):
    page.visit('<ok-cancel prompt="email"></ok-cancel>')
    page.enter_element()
    page.leave()
    page.js("document.querySelector('html > ok-cancel').remove()")
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])


def test_a_page_may_have_dialogs_of_two_servers(page):
    page.visit(script="window.load = async (server) => { window.ask = (await import(server + '/okcancel.js')).ask };")
    other = f"http://{page.relay.upstream}"
    page.js("return load(arguments[0])", other)
    page.js("start('settled', 'email')")
    frames = "return [...document.documentElement.lastElementChild.shadowRoot.querySelectorAll('dialog[data-ready] iframe')]"
    page.wait(lambda: page.js(frames))
    [frame] = page.js(frames)
    assert page.js("return new URL(arguments[0].src).origin", frame) == other
    page.browser.enter_frame(frame)
    page.wait_until_live()
    page.answers()


def test_a_double_click_asks_once(page):
    page.visit('<button id="opener" onclick="start(\'clicked\' + (window.clicks = (window.clicks ?? 0) + 1), \'email\')">Ask</button>')
    page.js("const opener = document.getElementById('opener'); opener.click(); opener.click()")
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    for name in ("clicked1", "clicked2"):
        assert page.outcome_of(name) == {"outcome": "ok", "values": {"email": "ann@b.c"}}
    # Another one would be there by now: this one, which comes after it, is.
    page.put("email", {"values": {"email": "bob@b.c"}})
    assert page.text("email") == "bob@b.c"
