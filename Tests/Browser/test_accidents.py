"""A press that nobody means answers nothing; the next one, which a person means, does."""

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys

# The gate counts from a moment that is still to come, so that no machine is too slow to press too early.
TOO_EARLY = "document.getElementById('dialog').gate.show(performance.now() + 3_600_000)"
NOTE_EARLY = """
  const dialog = document.getElementById("dialog");
  new MutationObserver(() => window.wasEarly ||= "early" in dialog.dataset).observe(dialog, {attributes: true});
"""
COUNTS = "return document.getElementById('dialog').gate.counts()"

PRESSES = {
    "Enter": lambda dialog: dialog.browser.press(Keys.ENTER),
    "Space": lambda dialog: dialog.browser.press(" "),
    "Escape": lambda dialog: dialog.browser.press(Keys.ESCAPE),
    "a click on OK": lambda dialog: dialog.ok.click(),
    "a double click on OK": lambda dialog: dialog.browser.click_at(*dialog.point(dialog.ok), times=2),
    "a click on Cancel": lambda dialog: dialog.cancel.click(),
}


def is_as_before(dialog):
    """True if nothing was sent, nothing waits to be sent, and the dialog is there."""
    return dialog.relay.posts == [] and not dialog.js("return document.querySelector('[aria-busy=true]')")


@pytest.mark.parametrize("press", PRESSES)
def test_what_comes_too_early_answers_nothing_and_says_so(linked, press):
    linked.put(prompt="go")
    linked.js(NOTE_EARLY + TOO_EARLY)
    PRESSES[press](linked)
    linked.wait(lambda: linked.js("return window.wasEarly"))
    linked.rests()
    assert is_as_before(linked)
    assert linked.kept["status"] == "open"
    linked.lets_press()
    linked.ok.click()
    linked.ends("ok")


def test_enter_in_a_field_waits_as_well_and_typing_does_not(dialog):
    dialog.open("email")
    dialog.js(TOO_EARLY)
    dialog.type("email", "ann@b.c", Keys.ENTER)
    dialog.rests()
    assert dialog.text("email") == "ann@b.c"
    assert is_as_before(dialog)
    dialog.lets_press()
    dialog.type("email", Keys.ENTER)
    dialog.ends("ok")


def test_cancel_of_a_prompt_that_nobody_waits_for_acts_at_once(dialog):
    dialog.open("question")
    dialog.js(TOO_EARLY)
    dialog.browser.press(Keys.ESCAPE)
    dialog.ends("cancel")


@pytest.mark.parametrize("press", ["document.querySelector('.ok').click()", "document.getElementById('form').requestSubmit()"])
def test_the_pages_own_script_may_press_at_any_time(dialog, press):
    dialog.open("question")
    dialog.js(TOO_EARLY)
    dialog.js(press)
    dialog.ends("ok")


def test_a_key_that_went_down_on_the_page_before_presses_nothing(linked):
    linked.put(prompt="go")
    linked.js("document.querySelector('.ok').focus()")
    # As when the key that opened the page comes up here.
    linked.js("dispatchEvent(new KeyboardEvent('keyup', {key: ' '})); const {gate} = document.getElementById('dialog');"
              "window.counted = gate.counts({timeStamp: performance.now(), detail: 0, isTrusted: true})")
    assert linked.js("return counted") is False


@pytest.mark.parametrize("event, target", [("focus", "window"), ("visibilitychange", "document")])
def test_the_half_second_begins_again_once_a_person_looks_here_again(dialog, event, target):
    dialog.open("question")
    assert dialog.js(COUNTS)
    assert not dialog.js(f"{target}.dispatchEvent(new Event('{event}')); {COUNTS}")


def test_it_is_over_by_itself(linked):
    linked.put(prompt="go")
    linked.browser.open(linked.server + linked.link)
    linked.wait(lambda: linked.js("return 'ready' in document.getElementById('dialog').dataset"))
    linked.wait(lambda: linked.js(COUNTS))
    linked.ok.click()
    linked.ends("ok")


# In another site's page


def test_an_embedded_dialog_waits_for_the_person_as_well(page):
    page.visit()
    made = page.make(prompt="question")
    page.put({"link": made["link"]})
    page.js(TOO_EARLY)
    for press in PRESSES.values():
        press(page)
    page.rests()
    assert is_as_before(page)
    page.lets_press()
    page.ok.click()
    assert page.outcome == {"outcome": "ok", "values": {}}


def test_escape_that_the_page_around_passes_on_waits_too(page):
    page.visit()
    made = page.make(prompt="question")
    page.put({"link": made["link"]})
    page.js(NOTE_EARLY + TOO_EARLY)
    page.leave()
    escape = "arguments[0].dispatchEvent(new Event('cancel', {cancelable: true}))"
    page.js(escape, page.part("dialog"))
    page.browser.enter_frame(page.frames[-1])
    page.wait(lambda: page.js("return window.wasEarly"))
    assert is_as_before(page)
    page.lets_press()
    page.leave()
    page.js(escape, page.part("dialog"))
    assert page.outcome == {"outcome": "cancel"}


def test_the_first_click_into_a_dialog_is_not_taken_for_one_into_another_window(page):
    page.visit()
    page.put("question")
    # The page around says that its window has the focus, whichever of both has it there.
    page.wait(lambda: page.js("return document.getElementById('dialog').gate.hasFocus !== undefined"))
    page.js("document.getElementById('dialog').gate.hasFocus = true")
    page.lets_press()
    assert page.js(f"dispatchEvent(new Event('focus')); {COUNTS}")
    page.js("document.getElementById('dialog').gate.hasFocus = false")
    assert not page.js(f"dispatchEvent(new Event('focus')); {COUNTS}")
