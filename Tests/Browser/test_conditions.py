"""Fields, sections and actions that come and go with what is entered."""

import urllib.parse

from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys

SHOWN = """
  return [...document.querySelectorAll("[data-field]")].filter((each) => each.checkVisibility()).map(({dataset}) => dataset.field);
"""


def shown(dialog):
    return dialog.js(SHOWN)


def put(dialog, name, text):
    dialog.js("arguments[0].value = arguments[1]", dialog.field(name), text)


def titles(dialog):
    return [button.text for button in dialog.browser.find_all(".buttons > button") if button.is_displayed()]


def test_only_fields_that_apply_are_shown_from_the_first_paint(dialog):
    dialog.open("conditions")
    assert shown(dialog) == ["start", "last"]
    assert titles(dialog) == ["Send", "Cancel"]
    assert dialog.focused == "start"
    assert dialog.browser.find_all(".when") == []
    # Until the scripts know what applies, nothing is painted.
    dialog.go("/prompts/delivery")
    dialog.wait_until_live()
    assert shown(dialog) == ["name", "kind", "delivery", "address", "call"]


def test_fields_come_and_go_and_keep_what_was_typed(dialog):
    dialog.open("conditions")
    assert dialog.ok_is_enabled
    dialog.type("start", "middle")
    assert shown(dialog) == ["start", "middle", "last"]
    assert not dialog.ok_is_enabled
    assert dialog.why == "Middle: Middle"
    dialog.type("middle", "x")
    assert shown(dialog) == ["start", "middle", "more", "last"]
    assert dialog.why == "More: More"
    dialog.type("more", "yy")
    assert dialog.ok_is_enabled
    # The chain goes out with its head.
    dialog.type("start", "!")
    assert shown(dialog) == ["start", "last"]
    assert dialog.ok_is_enabled
    dialog.type("start", Keys.BACKSPACE)
    assert shown(dialog) == ["start", "middle", "more", "last"]
    assert (dialog.text("middle"), dialog.text("more")) == ("x", "yy")


def test_enter_passes_over_hidden_fields(dialog):
    dialog.open("conditions")
    dialog.type("start", Keys.ENTER)
    assert dialog.focused == "last"
    dialog.js("arguments[0].focus()", dialog.field("start"))
    dialog.type("start", "middle", Keys.ENTER)
    assert dialog.focused == "middle"


def test_the_focus_is_never_lost(dialog):
    dialog.open("conditions")
    dialog.type("start", "middle")
    dialog.type("middle", "x")
    dialog.js("arguments[0].focus()", dialog.field("more"))
    # A script edits another field: the focus goes to that.
    put(dialog, "start", "")
    assert dialog.focused == "start"
    put(dialog, "start", "ready")
    dialog.js("arguments[0].focus()", dialog.field("first"))
    put(dialog, "start", "")
    assert dialog.focused == "start"
    put(dialog, "start", "both")
    dialog.js("document.querySelector('[value=draft]').focus()")
    put(dialog, "start", "")
    assert dialog.focused == "start"


def test_an_action_comes_and_goes_with_its_condition(dialog):
    dialog.open("conditions")
    dialog.type("start", "both")
    assert titles(dialog) == ["Send", "Draft", "Cancel"]
    put(dialog, "start", "middle")
    assert titles(dialog) == ["Send", "Archive", "Cancel"]
    archive = dialog.find("[value=archive]")
    assert archive.get_attribute("aria-disabled") == "true"
    put(dialog, "start", "both")
    # It needs no valid input, and Enter is still OK.
    draft = dialog.find("[value=draft]")
    assert draft.get_attribute("aria-disabled") is None
    draft.click()
    dialog.ends("action")
    (_, body), = [post for post in dialog.posts() if "/validate" not in post[0]]
    assert urllib.parse.parse_qs(body)["action"] == ["draft"]


def test_a_screen_reader_hears_once_which_fields_appeared_and_disappeared(dialog):
    dialog.open("conditions")
    assert len(dialog.browser.find_all("[aria-live], [role=status], [role=alert]")) == 1
    dialog.listens()
    # In one turn of the page, which no pause is short enough for.
    puts = "const [field, texts] = arguments; for (const text of texts) field.value = text; return heard"
    assert dialog.js(puts, dialog.field("start"), ["b", "bo", "bot", "both"]) == []
    dialog.wait(lambda: dialog.heard == ["New fields: Middle and Free"])
    put(dialog, "start", "ready")
    dialog.wait(lambda: dialog.heard[-1] == "New fields: First. No longer needed: Middle and Free")
    # What comes back before anybody heard that it went is no news.
    dialog.js(puts, dialog.field("start"), ["", "ready"])
    dialog.rests()
    assert len(dialog.heard) == 2


def test_the_height_of_a_dialog_moves_in_small_steps(dialog):
    dialog.open("conditions")
    heights = dialog.js(
        """
        // The browsers of the tests prefer reduced motion.
        Object.defineProperty(MediaQueryList.prototype, "matches", {get: () => false});
        const list = document.querySelector("#dialog .fields"), heights = [list.offsetHeight];
        document.getElementById("field-start").value = "both";
        const [motion] = list.getAnimations();
        motion.pause();
        for (const moment of [0, 30, 60, 90, 120]) {
          motion.currentTime = moment;
          heights.push(list.offsetHeight);
        }
        motion.finish();
        return [...heights, list.offsetHeight];
        """)
    assert heights[0] == heights[1]
    assert heights[1:] == sorted(set(heights[1:])), heights
    assert heights[-1] > heights[0] + 100
    dialog.wait(lambda: dialog.find(".fields").get_attribute("data-moves") is None)


def test_the_height_changes_at_once_for_whom_motion_disturbs(dialog):
    dialog.open("conditions")
    before, after, motions = dialog.js(
        """
        const dialog = document.getElementById("dialog"), before = dialog.offsetHeight;
        document.getElementById("field-start").value = "both";
        return [before, dialog.offsetHeight, dialog.querySelector(".fields").getAnimations().length];
        """)
    assert after > before + 100 and motions == 0


def test_the_frame_around_a_dialog_follows_its_height(page):
    page.visit().put("conditions")
    page.leave()
    height = "return arguments[0].offsetHeight"
    before = page.js(height, page.frames[-1])
    page.enter()
    put(page, "start", "both")
    page.wait(lambda: page.js("return document.getAnimations().length === 0"))
    inside = page.js("return document.getElementById('dialog').offsetHeight")
    page.leave()
    assert inside > before + 100
    page.wait(lambda: abs(page.js(height, page.frames[-1]) - inside) <= 1)


def test_a_section_goes_with_its_fields(dialog):
    dialog.open("delivery")
    section = dialog.find(".section")
    assert dialog.js("return arguments[0].querySelector('legend').innerText.trim()", section) == "Delivery"
    assert dialog.js("return arguments[0].querySelectorAll(':scope > .field').length", section) == 5
    dialog.open("conditions")
    dialog.js(
        "document.querySelector('[data-field=last]').remove(); document.getElementById('field-start').value = 'x';")
    assert not dialog.find(".section").is_displayed()
    put(dialog, "start", "both")
    assert dialog.find(".section").is_displayed()


def test_without_scripts_every_field_says_when_it_applies_and_the_server_decides(scriptless):
    scriptless.go("/prompts/conditions")
    lines = [line.text for line in scriptless.browser.find_all(".when")]
    assert lines == [
        "Only if “Start” is “ready”", "Only if “Start” is “middle” or “both”", "Only with a middle", "Only if “Start” is “both”"]
    assert len(scriptless.browser.find_all("[data-field]")) == 6
    scriptless.field("middle").send_keys("dropped")
    scriptless.ok.click()
    scriptless.ends("ok")
    scriptless.go("/prompts/conditions")
    scriptless.field("start").send_keys("other")
    scriptless.click("[value=draft]")
    scriptless.wait(lambda: scriptless.browser.find_all("#problem"))
    assert "“Draft” does not apply" in scriptless.find("#problem").text
    assert scriptless.text("start") == "other"
