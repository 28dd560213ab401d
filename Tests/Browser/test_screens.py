"""At home on every screen: narrow, zoomed, right to left, with colours forced, on paper."""

import pytest
from conftest import EXAMPLES

DIALOGS = [*EXAMPLES, "kinds", "parcel", "long", "question", "steps"]

TARGETS = """
  return [...document.querySelectorAll("button:not([hidden], .unseen), input:not([type=hidden]), select, textarea")]
    .filter((each) => !each.closest("[hidden]")).filter((each) => {
      const {width, height} = (each.closest("fieldset > label, .boolean > label") ?? each).getBoundingClientRect();
      return Math.min(width, height) < 43.99;
    }).map(({outerHTML}) => outerHTML);
"""
SMALL_TEXTS = """
  return [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16).map(({outerHTML}) => outerHTML);
"""
# What sticks out at a side, and texts that are cut off.
OVERFLOW = """
  const width = document.documentElement.clientWidth;
  return [document.documentElement.scrollWidth > width ? "page" : "",
    ...[...document.querySelectorAll("dialog *:not(.unseen, option)")].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.width && (box.left < -1 || box.right > width + 1)
        || each.matches(".buttons > *") && each.scrollHeight > each.clientHeight;
    }).map(({outerHTML}) => outerHTML)].filter(Boolean);
"""


@pytest.mark.parametrize("name", DIALOGS)
def test_a_small_phone_cuts_nothing_off_and_keeps_controls_large(dialog, name):
    dialog.open_framed(name, 320)
    for direction in ("ltr", "rtl"):
        dialog.js("document.documentElement.dir = arguments[0]", direction)
        assert dialog.js(OVERFLOW) == [], direction
    assert dialog.js(TARGETS) == []
    assert dialog.js(SMALL_TEXTS) == []


@pytest.mark.parametrize("name", ["email", "login", "kinds"])
def test_a_dialog_zoomed_to_twice_the_size_can_be_used(dialog, name):
    # A window of 640 × 480 at 200 % is one of 320 × 240.
    dialog.open_framed(name, 320, 240)
    assert dialog.js(OVERFLOW) == []
    for button in dialog.browser.find_all(".buttons > button"):
        dialog.js("arguments[0].focus()", button)
        # It can be seen: all but a pixel, while more is to come below.
        dialog.wait(lambda: dialog.js(
            "const {top, bottom} = arguments[0].getBoundingClientRect(); return top >= 0 && bottom <= innerHeight + 1", button))


@pytest.mark.parametrize("name", ["email", "login", "kinds"])
def test_a_dialog_with_texts_twice_as_large_can_be_used(dialog, name):
    dialog.open(name)
    dialog.js("document.documentElement.style.fontSize = '200%'")
    assert dialog.js(OVERFLOW) == []
    assert dialog.js(
        "return [...document.querySelectorAll('.buttons > button')].every(each => each.scrollWidth <= each.clientWidth)")


def test_right_to_left_mirrors_the_dialog(dialog):
    dialog.open("email")
    left = "return ['.cancel', '.ok'].map(each => document.querySelector('.buttons > ' + each).getBoundingClientRect().left)"
    cancel, ok = dialog.js(left)
    assert cancel < ok
    dialog.js("document.documentElement.dir = 'rtl'")
    cancel, ok = dialog.js(left)
    assert cancel > ok


def test_a_text_takes_its_own_direction(dialog):
    dialog.open("steps")
    dialog.insert("first", "שלום")
    assert dialog.js("return arguments[0].matches(':dir(rtl)')", dialog.field("first"))


def test_forced_colours_keep_edges_and_tell_buttons_apart(dialog):
    if not dialog.browser.paints_forced_colors:
        pytest.skip("WebKit has no forced colours")
    dialog.browser.appear(forced_colors=True)
    try:
        dialog.open("kinds")
        assert dialog.js("return matchMedia('(forced-colors: active)').matches")
        # Edges are drawn by borders, since backgrounds and shadows go.
        assert dialog.js("return getComputedStyle(document.querySelector('.card')).borderTopStyle") == "solid"
        colours = "const style = getComputedStyle(arguments[0]); return [style.color, style.backgroundColor]"
        assert len(set(dialog.js(colours, dialog.ok))) == 2
        assert dialog.js(colours, dialog.ok)[0] != dialog.js(colours, dialog.cancel)[0], "dimmed"
    finally:
        dialog.browser.appear()


# The drivers of the others do not print.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
def test_paper_has_no_buttons_and_one_page(dialog):
    dialog.browser.appear(medium="print")
    try:
        dialog.open("login")
        assert not dialog.ok.is_displayed()
        dialog.open("email")
        dialog.insert("email", "alice@example.com")
        assert not dialog.ok.is_displayed()
        assert dialog.find(".card").is_displayed()
    finally:
        dialog.browser.appear()
    assert dialog.browser.pdf().count(b"/Type /Page\n") == 1


def test_little_motion_where_little_is_wanted(dialog):
    dialog.browser.appear()
    dialog.open("email")
    assert dialog.js("return matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert dialog.js("return document.getAnimations().every(each => each.effect.getTiming().duration <= 1)")
