"""What a screen reader hears: one live region, one sentence at a time."""

import pytest
from selenium.webdriver.common.keys import Keys


def test_a_refusal_is_one_sentence_every_time(dialog):
    dialog.open("timing")
    assert len(dialog.browser.find_all("[aria-live], [role=status], [role=alert]")) == 1
    dialog.listens()
    for count in (1, 2):
        dialog.ok.click()
        dialog.wait(lambda: len(dialog.heard) == count)
    dialog.rests()
    assert dialog.heard == ["4 problems. Both: Both"] * 2


def test_one_problem_is_not_counted(dialog):
    dialog.open("email")
    dialog.listens()
    dialog.ok.click()
    dialog.wait(lambda: dialog.heard == ["Email: Enter your email address"])


def test_while_somebody_types_only_a_message_that_has_stood_for_a_second_is_spoken(dialog):
    dialog.open("timing")
    dialog.listens()
    dialog.type("both", "a", "b")
    assert dialog.message("both") == "Both"
    dialog.type("both", "c")
    dialog.rests()
    assert dialog.heard == []
    dialog.js("addEventListener('input', () => window.editedAt = performance.now())")
    dialog.type("both", Keys.BACKSPACE)
    dialog.wait(lambda: dialog.heard == ["Both: Both"])
    # Clocks of browsers are coarse.
    assert dialog.js("return heardAt - editedAt") > 990


def test_a_slider_is_announced_once(dialog):
    dialog.open("kinds")
    assert dialog.find("output").get_attribute("aria-hidden") == "true"


SAID = """
  const [control] = arguments, said = (names) => (control.getAttribute(names) ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id)).filter((each) => !each.hidden).map(({textContent}) => textContent);
  return [said("aria-labelledby"), said("aria-describedby")];
"""


@pytest.mark.parametrize("selector, name, described", [
    ("#field-weight", [], ["kg", "With its box."]), ("#field-insured", [], ["€"]),
    ("[value=standard]", ["Standard"], ["Three to five days. The cheapest."]), ("[value=collect]", [], []),
    ("[value=signature]", ["Signature"], ["Nobody else may take it."]), ("[value=saturday]", [], []),
])
def test_a_unit_and_the_help_of_an_option_describe_their_control(dialog, selector, name, described):
    dialog.open("parcel")
    assert dialog.js(SAID, dialog.find(selector)) == [name, described]
    if dialog.browser.name == "chromium" and name:
        assert dialog.find(selector).accessible_name == name[0]


def test_a_refused_paste_says_why_once(dialog):
    dialog.open("steps")
    dialog.type("first", "1 200")
    dialog.select_all("first")
    dialog.chord("first", "c")
    dialog.open("quantity")
    dialog.listens()
    dialog.chord("quantity", "v")
    dialog.wait(lambda: dialog.message("quantity") == "Enter a whole number, like 42")
    assert dialog.text("quantity") == "10"
    # What the field holds is right all the same.
    assert dialog.field("quantity").get_attribute("aria-invalid") == "false"
    assert dialog.ok_is_enabled
    dialog.rests()
    assert dialog.heard == ["Boxes: Enter a whole number, like 42"]
    dialog.type("quantity", "7")
    assert dialog.message("quantity") == ""


def test_buttons_that_show_a_password_say_which(dialog):
    dialog.open("profile")
    names = "return [...document.querySelectorAll('.reveal > button')].map((each) => each.getAttribute('aria-label'))"
    assert dialog.js(names) == ["Show Passphrase", "Show Passphrase again"]
    dialog.js("document.querySelector('.reveal > button').click()")
    assert dialog.js(names) == ["Hide Passphrase", "Show Passphrase again"]


@pytest.mark.parametrize("name, required", [("profile", ["displayName", "handle", "passphrase"]), ("feedback", ["rating"])])
def test_a_field_that_must_be_filled_in_is_told(dialog, name, required):
    dialog.open(name)
    found = dialog.js(
        "return [...document.querySelectorAll('[aria-required=true]')].map((each) => each.closest('[data-field]').dataset.field)")
    assert found == required


def test_check_boxes_are_required_until_one_is_chosen(dialog):
    dialog.open("kinds")
    required = "return [...document.querySelectorAll('[name=toppings]')].map((each) => each.ariaRequired)"
    assert dialog.js(required) == ["true", "true"]
    dialog.click("[value=olives]")
    assert dialog.js(required) == ["false", "false"]
    dialog.click("[value=olives]")
    assert dialog.js(required) == ["true", "true"]
