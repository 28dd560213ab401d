"""Messages and their moments, the editing filter, composing, events and delegates."""

import pytest
from selenium.webdriver.common.keys import Keys

# Selects everything; NULL lets the modifier go.
ALL = Keys.CONTROL + "a" + Keys.NULL


@pytest.mark.parametrize("name, on_edit, on_leave", [
    ("both", "Both", "Both"), ("while", "While", "While"), ("after", "", "After"), ("never", "", ""),
])
def test_messages_come_at_their_time(dialog, name, on_edit, on_leave):
    dialog.open("timing")
    dialog.field(name).send_keys("a")
    assert dialog.message(name) == ""
    dialog.field(name).send_keys("b")
    assert dialog.message(name) == on_edit
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message(name) == on_leave)
    dialog.ok.click()
    assert dialog.message(name) == name.capitalize()
    assert dialog.field(name).get_attribute("aria-invalid") == "true"
    dialog.field(name).send_keys("c")
    assert dialog.message(name) == ""
    assert dialog.field(name).get_attribute("aria-invalid") == "false"


def test_every_failing_field_speaks_when_ok_is_refused(dialog):
    dialog.open("timing")
    dialog.field("after").send_keys(Keys.ENTER)
    assert [dialog.message(name) for name in ("both", "while", "after", "never")] == ["Both", "While", "After", "Never"]
    assert dialog.focused == "both"


def test_the_filter_refuses_typing_and_pasting(dialog):
    dialog.open("digits")
    field = dialog.field("code")
    field.send_keys(Keys.END, "a3")
    assert dialog.text("code") == "123"
    dialog.js("arguments[0].setSelectionRange(1, 2)", field)
    dialog.driver.execute_cdp_cmd("Input.insertText", {"text": "4x"})
    assert dialog.text("code") == "123"
    assert dialog.js("return [arguments[0].selectionStart, arguments[0].selectionEnd]", field) == [1, 2]
    dialog.driver.execute_cdp_cmd("Input.insertText", {"text": "45"})
    assert dialog.text("code") == "1453"
    field.send_keys(ALL, Keys.BACKSPACE)
    assert dialog.text("code") == ""


def test_letters_pasted_into_the_quantity_change_nothing(dialog):
    dialog.open("quantity")
    before = dialog.text("quantity")
    dialog.open("steps")
    dialog.field("first").send_keys("12ab", ALL, Keys.CONTROL + "c" + Keys.NULL)
    dialog.open("quantity")
    dialog.field("quantity").send_keys(Keys.CONTROL + "v")
    assert dialog.text("quantity") == before != ""


@pytest.mark.parametrize("edit", [
    "field.value = 'abc'",                                                              # a script
    "field.value = 'abc'; field.dispatchEvent(new Event('change', {bubbles: true}))",   # as autofill does
    "field.setRangeText('abc', 0, 0, 'end'); field.dispatchEvent(new InputEvent('input', {bubbles: true}))",
])
def test_the_filter_puts_back_what_it_could_not_foresee(dialog, edit):
    dialog.open("digits")
    dialog.js(f"const field = document.getElementById('field-code'); {edit}")
    assert dialog.text("code") == "12"


def test_undo_is_an_edit(dialog):
    dialog.open("email")
    dialog.field("email").send_keys("a@b.c")
    assert dialog.ok_is_enabled
    dialog.field("email").send_keys(Keys.CONTROL + "z")
    assert dialog.ok_is_enabled == (dialog.text("email") == "a@b.c")
    assert not dialog.ok_is_enabled


def test_a_script_that_sets_a_value_is_noticed(dialog):
    dialog.open("email")
    dialog.js("document.getElementById('field-email').value = 'a@b.c'")
    assert dialog.ok_is_enabled


def compose(dialog, text):
    dialog.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})


def test_while_composing_there_is_no_message_no_refusal_and_no_submit(dialog):
    dialog.open("timing")
    dialog.field("both").send_keys("a")
    compose(dialog, "に")
    assert dialog.message("both") == ""
    # What browsers send for the Enter that ends composing, and for Escape within it.
    for key in ("Enter", "Escape"):
        dialog.js(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
            "{key: arguments[0], keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))", key)
    assert dialog.message("never") == ""
    assert dialog.path == "/prompts/timing"
    dialog.driver.execute_cdp_cmd("Input.insertText", {"text": "に"})
    dialog.wait(lambda: dialog.message("both") == "Both")


def test_the_filter_judges_a_composition_when_it_ends(dialog):
    dialog.open("digits")
    dialog.field("code").send_keys(Keys.END)
    compose(dialog, "に")
    assert dialog.text("code") == "12に"
    dialog.driver.execute_cdp_cmd("Input.insertText", {"text": "に"})
    dialog.wait(lambda: dialog.text("code") == "12")
    compose(dialog, "3")
    dialog.driver.execute_cdp_cmd("Input.insertText", {"text": "3"})
    dialog.wait(lambda: dialog.text("code") == "123")


def test_events_tell_of_every_edit_and_verdict(dialog):
    dialog.open("steps")
    dialog.record("beginediting", "change", "endediting", "validate", "return")
    dialog.js("document.activeElement.blur()")
    dialog.field("first").send_keys("ab", Keys.ENTER)
    assert dialog.events == [
        ("endediting", "first", ""), ("beginediting", "first", ""),
        ("change", "first", "a"), ("validate", "first", "a"), ("change", "first", "ab"), ("validate", "first", "ab"),
        ("return", "first", "ab"), ("endediting", "first", "ab"), ("beginediting", "notes", ""),
    ]


def test_a_prevented_return_does_nothing(dialog):
    dialog.open("email")
    dialog.js("document.addEventListener('okcancel:return', event => event.preventDefault())")
    dialog.field("email").send_keys("a@b.c", Keys.ENTER)
    assert dialog.posts() == []
    assert dialog.ok_is_enabled


def test_a_page_chains_its_own_check(dialog):
    dialog.open("email")
    dialog.js(
        "document.getElementById('dialog').delegates.push("
        "{validate: (field, text) => text.endsWith('.org') || {isValid: false, message: 'Ends in .org'}},"
        "{shouldChange: (field, text) => !text.includes('!'), shouldReturn: (field, text) => text.length > 6})")
    field = dialog.field("email")
    field.send_keys("a@b.com")
    assert not dialog.ok_is_enabled
    assert dialog.message("email") == "Ends in .org"
    dialog.wait(lambda: (field.send_keys("!"), dialog.text("email") == "a@b.com")[1])
    field.send_keys(Keys.BACKSPACE * 3, "org")
    assert dialog.ok_is_enabled
    field.send_keys(ALL, "a@.org")
    assert not dialog.ok_is_enabled
    field.send_keys(ALL, "a@b.org", Keys.ENTER)
    dialog.ends("ok")


def test_a_password_can_be_shown_by_keyboard(dialog):
    dialog.open("login")
    field = dialog.field("password")
    field.send_keys("secret", Keys.TAB)
    button = dialog.driver.switch_to.active_element
    assert button.text == "Show"
    button.send_keys(Keys.ENTER)
    assert field.get_attribute("type") == "text"
    assert button.text == "Hide"
    assert dialog.posts() == []
    button.send_keys(Keys.SPACE)
    assert field.get_attribute("type") == "password"


def test_choices_switch_and_slider(dialog):
    dialog.open("kinds")
    assert not dialog.ok_is_enabled
    dialog.ok.click()
    assert [dialog.message(name) for name in ("agree", "size", "country", "toppings")] == [
        "Agree to go on", "Choose a size", "Choose a country", "Choose one"]
    assert dialog.focused == "agree"
    dialog.field("agree").click()
    dialog.find("[name=size][value=medium]").click()
    dialog.find("#field-country option[value=ca]").click()
    dialog.find("[name=toppings][value=olives]").click()
    assert dialog.ok_is_enabled
    dialog.field("volume").send_keys(Keys.RIGHT)
    assert dialog.find("output").text == "5"
    # A date half typed is neither empty nor a date.
    dialog.field("date").send_keys("12")
    assert not dialog.ok_is_enabled
    dialog.field("date").send_keys("312024")
    assert dialog.ok_is_enabled
    dialog.ok.click()
    dialog.ends("ok")
    [(_, body)] = dialog.posts()
    assert "agree=true&size=medium&country=ca&toppings=olives&volume=5" in body
    assert "date=2024-12-31" in body
