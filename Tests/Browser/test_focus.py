"""The first focus."""

import contextlib

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys


@contextlib.contextmanager
def no_button_at_first(relay):
    """Dialogs without fields in which no button has the first focus."""
    relay.rewrite = lambda path, content: content.replace(b" data-autofocus", b"")
    # No page that was changed here is kept.
    relay.spoilt = ["etag"]
    yield
    relay.rewrite, relay.spoilt = None, []


@pytest.fixture
def unfocused(dialog):
    with no_button_at_first(dialog.relay):
        yield dialog.open("question")


def chosen(dialog):
    return dialog.js("return document.activeElement.closest('button, dialog').className.split(' ')[0]")


@pytest.mark.parametrize("key", [Keys.ENTER, " "], ids=["Enter", "Space"])
def test_no_key_answers_until_a_button_is_chosen(unfocused, key):
    unfocused.browser.press(key)
    unfocused.rests()
    assert chosen(unfocused) == "card"
    assert unfocused.posts() == []
    unfocused.browser.press(Keys.TAB)
    unfocused.browser.press(Keys.TAB)
    assert chosen(unfocused) == "ok"
    unfocused.browser.press(key)
    unfocused.ends("ok")


@pytest.mark.parametrize("key", [Keys.ENTER, " "], ids=["Enter", "Space"])
def test_no_key_allows_anything_where_more_is_offered(dialog, key):
    dialog.open("suggested")
    dialog.browser.press(key)
    assert chosen(dialog) == "card"
    dialog.js("document.querySelector('[name=permission_suggestions]').focus()")
    for pressed in (key, Keys.ARROW_DOWN, key, Keys.ENTER):
        dialog.browser.press(pressed)
    dialog.rests()
    assert dialog.posts() == []
    assert dialog.js("return document.querySelector('input:checked').value") == "session: Bash(npm test)"
    dialog.ok.click()
    dialog.ends("ok")


@pytest.mark.parametrize("keys, button", [
    ([Keys.ARROW_RIGHT], "cancel"),
    ([Keys.ARROW_LEFT], "ok"),
    ([Keys.ARROW_RIGHT] * 3, "ok"),
    ([Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP], "cancel"),
    ([Keys.ARROW_DOWN], "card"),
], ids=["right", "left", "right to the end", "down and up", "down scrolls"])
def test_arrows_choose_a_button(unfocused, keys, button):
    for key in keys:
        unfocused.browser.press(key)
    assert chosen(unfocused) == button


def test_arrows_choose_a_button_in_the_page_of_another_site(page):
    with no_button_at_first(page.relay):
        page.visit()
        page.put("question")
    page.wait(lambda: chosen(page) == "card")
    page.browser.press(Keys.ARROW_LEFT)
    assert chosen(page) == "ok"


def test_arrows_with_another_key_are_the_browsers(unfocused):
    assert unfocused.js(
        "return ['alt', 'ctrl', 'meta', 'shift'].every((other) => document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowLeft', [other + 'Key']: true, bubbles: true, cancelable: true})))")


def test_typing_replaces_the_value_that_has_the_first_focus(dialog):
    dialog.open("quantity")
    assert dialog.selection("quantity") == [0, 2]
    dialog.browser.press("5")
    assert dialog.text("quantity") == "5"


def test_the_caret_of_a_long_text_stands_at_its_end(dialog):
    dialog.open("letter")
    dialog.browser.press("!")
    assert dialog.text("letter") == "Dear Ada,\nthank you!"


# Only Chromium writes a log that its driver reads.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
def test_no_browser_has_to_block_a_focus_in_a_frame(page):
    page.visit()
    page.browser.driver.get_log("browser")
    page.put("quantity")
    assert page.focused == "quantity"
    assert page.selection("quantity") == [0, 2]
    assert [entry for entry in page.browser.driver.get_log("browser") if "autofocus" in entry["message"]] == []
