"""A press that nobody means answers nothing; the next one, which a person means, does."""

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys

GATE = "const {gate} = document.getElementById('dialog'); "
# The gate counts from a moment that is still to come, so that no machine is too slow to press too early.
TOO_EARLY = GATE + "gate.show(performance.now() + 3_600_000); "
# What is down now went down too early, and what goes down from now on does not.
IN_TIME = GATE + "gate.show(performance.now() - 500); "
# Notes that the dialog says that a press came too early.
NOTE_EARLY = """
  const dialog = document.getElementById("dialog");
  window.wasEarly = false;
  new MutationObserver(() => window.wasEarly ||= "early" in dialog.dataset).observe(dialog, {attributes: true});
"""
COUNTS = "return document.getElementById('dialog').gate.counts()"


def early(press):
    """An accident: this, before the half second is over."""
    def happen(dialog):
        dialog.js(TOO_EARLY)
        press(dialog)
    return happen


def keys_on_ok(*keys):
    def press(dialog):
        dialog.js("document.querySelector('.ok').focus()")
        for key in keys:
            dialog.browser.press(key)
    return press


def held_space(dialog):
    dialog.js(TOO_EARLY + "document.querySelector('.ok').focus()")
    dialog.browser.hold(" ")
    dialog.js(IN_TIME)
    dialog.browser.release(" ")


def held_click(dialog):
    dialog.js(TOO_EARLY)
    dialog.browser.point(dialog.ok, "down")
    dialog.js(IN_TIME)
    dialog.browser.point("up")


def focusing_click(dialog):
    """As browsers tell of it that do so once the click has begun."""
    dialog.js(GATE + "gate.hasFocus = false")
    dialog.browser.point(dialog.ok, "down")
    dialog.js("dispatchEvent(new Event('focus'))")
    dialog.browser.point("up")


def click_from_cancel(dialog):
    dialog.browser.point(dialog.cancel, "down", dialog.ok, "up")


# What happens, and whether the dialog says that it was too early.
ACCIDENTS = {
    "Enter": (early(keys_on_ok(Keys.ENTER)), True),
    "Enter on nothing": (early(lambda dialog: dialog.browser.press(Keys.ENTER)), False),
    "Space": (early(keys_on_ok(" ")), True),
    "Escape": (early(lambda dialog: dialog.browser.press(Keys.ESCAPE)), True),
    "three line breaks": (early(keys_on_ok(Keys.ENTER, Keys.ENTER, Keys.ENTER)), True),
    "a click on OK": (early(lambda dialog: dialog.ok.click()), True),
    "a double click on OK": (early(lambda dialog: dialog.browser.point(dialog.ok, *["down", "up"] * 2)), True),
    "a click on Cancel": (early(lambda dialog: dialog.cancel.click()), True),
    "Space that went down too early": (held_space, True),
    "a click that began too early": (held_click, True),
    "the click that brings the window to the front": (focusing_click, True),
    "a click that began on Cancel": (click_from_cancel, False),
}


def stays(dialog):
    """Asserts that nothing was sent, and that nothing waits to be sent."""
    dialog.rests()
    assert dialog.relay.posts == []
    assert not dialog.js("return document.querySelector('[aria-busy=true]')")


def happens(dialog, accident):
    happen, says_so = ACCIDENTS[accident]
    # No button has the focus then; and WebKit lets scripts set it in another site's frame.
    dialog.browser.point(dialog.find("h1"), "down", "up")
    dialog.js(NOTE_EARLY)
    happen(dialog)
    stays(dialog)
    assert dialog.js("return window.wasEarly") == says_so
    dialog.lets_press()


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_an_accident_answers_nothing_and_the_next_press_does(linked, accident):
    linked.put(prompt="go")
    happens(linked, accident)
    assert linked.kept["status"] == "open"
    linked.ok.click()
    linked.ends("ok")


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_nor_does_one_in_the_page_of_another_site(page, accident):
    ask(page)
    happens(page, accident)
    page.ok.click()
    assert page.outcome == {"outcome": "ok", "values": {}}


def ask(page):
    """Has the page of another site open a link."""
    page.visit()
    page.put({"link": page.make(definition={"title": "Go on?"})["link"]})
    page.settle()
    page.relay.posts.clear()


def test_escape_that_the_page_around_passes_on_waits_too(page):
    ask(page)
    page.js(NOTE_EARLY + TOO_EARLY)
    escape = "arguments[0].dispatchEvent(new Event('cancel', {cancelable: true}))"
    page.leave()
    page.js(escape, page.part("dialog"))
    page.enter()
    page.wait(lambda: page.js("return window.wasEarly"))
    stays(page)
    page.leave()
    page.js(escape, page.part("dialog"))
    assert page.outcome == {"outcome": "cancel"}


def test_a_click_that_began_beside_the_dialog_presses_nothing(linked):
    linked.put(prompt="go")
    linked.browser.point((3, 3), "down", linked.ok, "up")
    stays(linked)


def test_a_screen_readers_press_is_not_judged_by_what_the_pointer_did_before(linked):
    linked.put(prompt="go")
    linked.browser.click_at(3, 3)
    # In Firefox it is a click by a pointer that did nothing.
    assert linked.js(GATE + "return gate.counts({timeStamp: performance.now(), detail: 1, isTrusted: true})")


def test_enter_in_a_field_waits_as_well_and_typing_does_not(dialog):
    dialog.open("email")
    dialog.js(TOO_EARLY)
    dialog.type("email", "ann@b.c", Keys.ENTER)
    stays(dialog)
    assert dialog.text("email") == "ann@b.c"
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
    linked.browser.hold(" ")
    linked.go(linked.link)
    linked.wait_until_live()
    linked.js("document.querySelector('.ok').focus()")
    linked.browser.release(" ")
    stays(linked)


@pytest.mark.parametrize("event, target", [("focus", "window"), ("visibilitychange", "document")])
def test_the_half_second_begins_again_once_a_person_looks_here_again(dialog, event, target):
    dialog.open("question")
    dialog.js(GATE + "gate.hasFocus = false")
    assert dialog.js(COUNTS)
    assert not dialog.js(f"{target}.dispatchEvent(new Event('{event}', {{bubbles: true}})); {COUNTS}")


def test_it_is_over_by_itself(linked):
    linked.put(prompt="go")
    linked.browser.open(linked.server + linked.link)
    linked.wait(lambda: linked.js("return 'ready' in document.getElementById('dialog').dataset"))
    linked.wait(lambda: linked.js(COUNTS))
    linked.ok.click()
    linked.ends("ok")


def test_the_first_click_into_a_dialog_is_not_taken_for_one_into_another_window(page):
    page.visit()
    page.put("question")
    # The page around says whether its window has the focus, whichever of both documents has it there.
    assert page.js(f"{GATE} gate.hasFocus = true; dispatchEvent(new Event('focus')); {COUNTS}")
    assert not page.js(f"{GATE} gate.hasFocus = false; dispatchEvent(new Event('focus')); {COUNTS}")


def test_the_page_around_says_when_its_window_gets_the_focus(page):
    page.visit()
    page.put("question")
    page.js(GATE + "gate.show = () => { window.wasShown = true }")
    for has_focus in (False, True):
        page.leave()
        page.js("const [hasFocus] = arguments; document.hasFocus = () => hasFocus", has_focus)
        page.browser.enter_frame(page.frames[-1])
        page.wait(lambda: page.js(GATE + "return gate.hasFocus") is has_focus)
    assert page.js("return window.wasShown")
