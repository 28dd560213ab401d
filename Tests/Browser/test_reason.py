"""Cancel that asks why."""

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from test_accessibility import violations

REASON = "okcancel-reason"


def is_open(dialog):
    return dialog.js("return document.getElementById('reason').checkVisibility()")


def expanded(dialog):
    return dialog.cancel.get_attribute("aria-expanded")


def test_the_first_press_asks_and_the_second_sends(dialog):
    dialog.open("reject")
    assert not is_open(dialog)
    assert expanded(dialog) == "false"
    dialog.cancel.click()
    assert is_open(dialog)
    assert expanded(dialog) == "true"
    assert dialog.focused == REASON
    assert dialog.posts() == []
    dialog.type(REASON, "Not before", Keys.ENTER, "Monday")
    dialog.cancel.click()
    dialog.ends("cancel")
    assert dialog.posts() == [("/prompts/reject", f"{REASON}=Not+before%0AMonday&outcome=cancel")]
    assert dialog.find("h1").text == "Done"


def test_one_that_is_required_and_missing_is_told_by_its_field(dialog):
    dialog.open("reject")
    dialog.cancel.click()
    dialog.cancel.click()
    dialog.wait(lambda: dialog.message(REASON) == "Give a reason")
    assert dialog.focused == REASON
    assert dialog.field(REASON).get_attribute("aria-invalid") == "true"
    assert dialog.path == "/prompts/reject"
    dialog.type(REASON, "No")
    assert dialog.message(REASON) == ""
    dialog.chord(REASON, Keys.ENTER)
    dialog.ends("cancel")


def test_one_that_is_optional_may_be_left_empty(dialog):
    dialog.open("decline")
    dialog.cancel.click()
    assert is_open(dialog)
    dialog.cancel.click()
    dialog.ends("cancel")


def test_control_and_enter_wait_as_every_press_and_do_not_repeat(linked):
    linked.put(definition={"title": "Go on?", "cancel": {"title": "No", "reason": "optional"}})
    linked.cancel.click()
    linked.js("document.getElementById('dialog').gate.show(performance.now() + 3_600_000)")
    linked.chord(REASON, Keys.ENTER)
    linked.lets_press()
    # As when the keys that pressed Cancel stay down.
    linked.js("document.activeElement.dispatchEvent(new KeyboardEvent("
              "'keydown', {key: 'Enter', ctrlKey: true, repeat: true, bubbles: true, cancelable: true}))")
    linked.rests()
    assert linked.posts() == []
    linked.chord(REASON, Keys.ENTER)
    linked.ends("cancel")


@pytest.mark.parametrize("name", ["reject", "decline"])
def test_escape_opens_and_closes_it_and_sends_nothing(dialog, name):
    dialog.open(name)
    dialog.browser.press(Keys.ESCAPE)
    assert is_open(dialog)
    dialog.type(REASON, "Hardly")
    dialog.browser.press(Keys.ESCAPE)
    assert not is_open(dialog)
    assert dialog.js("return document.activeElement.className") == "cancel"
    dialog.browser.press(Keys.ESCAPE)
    assert is_open(dialog)
    assert dialog.text(REASON) == "Hardly"
    dialog.rests()
    assert dialog.posts() == []


def test_events_tell_it(dialog):
    dialog.open("reject")
    dialog.js(
        "document.addEventListener('okcancel:outcome', (event) => {"
        "  event.preventDefault(); window.told = event.detail; })")
    dialog.cancel.click()
    dialog.type(REASON, " No ")
    dialog.cancel.click()
    assert dialog.js("return told") == {"outcome": "cancel", "reason": "No"}


def test_without_scripts_it_is_part_of_the_form(scriptless):
    scriptless.go("/prompts/reject")
    assert is_open(scriptless)
    scriptless.cancel.click()
    scriptless.comes_back()
    assert scriptless.message(REASON) == "Give a reason"
    assert scriptless.find("#summary a").get_attribute("href").endswith(f"#field-{REASON}")
    scriptless.type(REASON, "Not today")
    scriptless.cancel.click()
    scriptless.wait(lambda: "/done?outcome=cancel" in scriptless.path)


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("width", [320, 800])
def test_it_has_room_and_axe_finds_nothing(dialog, language, width):
    dialog.open_framed(f"reject?lang={language}", width)
    assert violations(dialog) == []
    dialog.cancel.click()
    assert is_open(dialog)
    assert violations(dialog) == []
    dialog.cancel.click()
    dialog.wait(lambda: dialog.message(REASON))
    assert violations(dialog) == []
    assert dialog.js(
        "const {left, right} = document.getElementById('field-okcancel-reason').getBoundingClientRect();"
        "return left >= 0 && right <= innerWidth && document.documentElement.scrollWidth <= innerWidth")
    assert dialog.js("return getComputedStyle(document.documentElement).direction") == ("rtl" if language == "ar" else "ltr")


def test_an_embedded_dialog_asks_and_tells_it(page):
    page.visit().put("reject")
    page.cancel.click()
    page.settle()
    page.cancel.click()
    page.wait(lambda: page.message(REASON) == "Give a reason")
    page.type(REASON, "Not today")
    page.settle()
    page.cancel.click()
    assert page.outcome == {"outcome": "cancel", "reason": "Not today"}
    redeemed = page.okcancel.call("GET", f"/receipts/{page.js('return settled[0].receipt')}")
    assert (redeemed["outcome"], redeemed["reason"]) == ("cancel", "Not today")
    assert page.told("error") == []


def test_escape_beside_an_embedded_dialog_sends_nothing(page):
    page.visit()
    ask = page.make(prompt="reject")
    page.put(ask["link"])
    for opens in (True, False, True):
        page.leave()
        page.js("arguments[0].dispatchEvent(new Event('cancel', {cancelable: true}))", page.part("dialog"))
        page.enter()
        page.wait(lambda: is_open(page) == opens)
    page.js("arguments[0].value = 'Not today'", page.field(REASON))
    page.settle()
    page.cancel.click()
    assert page.outcome == {"outcome": "cancel", "reason": "Not today"}
    assert page.okcancel.call("GET", f"/asks/{ask['id']}")["reason"] == "Not today"


def test_a_page_that_closes_the_dialog_gets_cancel_and_the_ask_stays_open(page):
    page.visit()
    ask = page.make(prompt="reject")
    page.put(ask["link"])
    page.leave()
    page.js("document.querySelector('body > ok-cancel').close()")
    assert page.outcome == {"outcome": "cancel"}
    assert page.okcancel.call("GET", f"/asks/{ask['id']}")["status"] == "open"
    # Whose reason is optional ends.
    ask = page.make(prompt="decline")
    page.put(ask["link"])
    page.leave()
    page.js("document.querySelector('body > ok-cancel').close()")
    assert page.outcome == {"outcome": "cancel"}
    page.wait(lambda: page.okcancel.call("GET", f"/asks/{ask['id']}").get("outcome") == "cancel")
