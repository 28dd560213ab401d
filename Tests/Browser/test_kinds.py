"""Every kind of field, by keyboard and by script."""

import pytest
from selenium.webdriver.common.keys import Keys


def test_a_password_can_be_shown_by_keyboard(dialog):
    dialog.open("login")
    field = dialog.field("password")
    dialog.type("password", "secret")
    dialog.browser.press(Keys.TAB)
    button = dialog.browser.active
    assert button.text == "Show"
    dialog.browser.press(Keys.ENTER)
    dialog.wait(lambda: button.text == "Hide")
    assert field.get_attribute("type") == "text"
    assert dialog.posts() == []
    dialog.browser.press(Keys.SPACE)
    dialog.wait(lambda: button.text == "Show")
    assert field.get_attribute("type") == "password"
    assert field.get_property("value") == "secret"


def test_choices_switch_and_slider(dialog):
    dialog.open("kinds")
    assert not dialog.ok_is_enabled
    dialog.click(".buttons > .ok")
    assert [dialog.message(name) for name in ("agree", "size", "country", "toppings")] == [
        "Agree to go on", "Choose a size", "Choose a country", "Choose one"]
    assert dialog.focused == "agree"
    dialog.click("#field-agree")
    dialog.click("[name=size][value=medium]")
    dialog.js(
        "arguments[0].value = 'ca'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", dialog.field("country"))
    dialog.click("[name=toppings][value=olives]")
    assert dialog.ok_is_enabled
    dialog.js("arguments[0].focus()", dialog.field("volume"))
    dialog.browser.press(Keys.ARROW_RIGHT)
    assert dialog.find("output").text == "5"
    dialog.ok.click()
    dialog.ends("ok")
    [(_, body)] = dialog.posts()
    assert "agree=true&size=medium&country=ca&toppings=olives&volume=5" in body


@pytest.mark.parametrize("name, edit", [
    ("country", "selectedIndex = 3"), ("volume", "stepUp()"), ("volume", "valueAsNumber = 5"),
    ("date", "valueAsDate = new Date(0)"), ("agree", "checked = true"),
])
def test_what_a_script_writes_is_an_edit(dialog, name, edit):
    dialog.open("kinds")
    dialog.js("window.edits = []; document.addEventListener('okcancel:change', ({detail}) => edits.push(detail.field))")
    dialog.js(f"arguments[0].{edit}", dialog.field(name))
    assert dialog.js("return edits") == [name]
    assert dialog.find("output").text == ("5" if name == "volume" else "4")


def test_a_date_half_typed_is_neither_empty_nor_a_date(dialog):
    dialog.open("date")
    assert dialog.ok_is_enabled
    dialog.js("arguments[0].focus()", dialog.field("date"))
    dialog.browser.press("12")
    if not dialog.js("return arguments[0].validity.badInput", dialog.field("date")):
        pytest.skip(f"{dialog.browser.name} shows no half typed dates to pages")
    assert not dialog.ok_is_enabled
    # The order of day and month is the browser's language's.
    dialog.js("arguments[0].value = '2024-12-31'", dialog.field("date"))
    assert dialog.ok_is_enabled


@pytest.mark.parametrize("name, first, next", [("stepped", "7", "12"), ("counted", "10", "20")])
def test_a_slider_offers_the_steps_of_its_rule(dialog, name, first, next):
    dialog.open("sliders")
    assert dialog.ok_is_enabled
    dialog.js("arguments[0].focus()", dialog.field(name))
    dialog.browser.press(Keys.HOME)
    assert dialog.text(name) == first
    assert dialog.ok_is_enabled
    dialog.browser.press(Keys.ARROW_RIGHT)
    assert dialog.text(name) == next
    assert dialog.ok_is_enabled


def test_each_kind_asks_for_its_keyboard(dialog):
    dialog.open("kinds")
    names = ("email", "url", "tel", "search", "number", "integer", "text")
    assert [dialog.field(name).get_attribute("inputmode") or "" for name in names] == [
        "email", "url", "tel", "search", "decimal", "numeric", ""]
