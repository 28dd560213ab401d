"""A list: one item a line, in a text box; the message names the line."""

import json

from selenium.webdriver.common.keys import Keys


def test_a_list_is_judged_line_by_line(dialog):
    dialog.open("invite")
    assert not dialog.ok_is_enabled
    dialog.type("people", "ada@example.com", Keys.ENTER, Keys.ENTER, "bob", Keys.TAB)
    dialog.wait(lambda: dialog.message("people") == "Line 3: Enter an email address, like name@example.com")
    dialog.field("people").send_keys("@example.com")
    dialog.wait(lambda: dialog.ok_is_enabled)
    dialog.type("seats", "7", Keys.ENTER, "1.5")
    dialog.click(".buttons > .ok")
    dialog.wait(lambda: dialog.message("seats") == "Line 2: Enter a whole number, like 42")
    assert dialog.focused == "seats"
    dialog.field("seats").send_keys(Keys.BACKSPACE, Keys.BACKSPACE)
    dialog.wait(lambda: dialog.ok_is_enabled)
    dialog.js("document.addEventListener('okcancel:outcome', ({detail}) => sessionStorage.outcome = JSON.stringify(detail))")
    dialog.ok.click()
    dialog.ends("ok")
    values = {"people": ["ada@example.com", "bob@example.com"], "seats": [7, 1]}
    assert json.loads(dialog.js("return sessionStorage.outcome"))["values"] == values


def test_a_pasted_column_is_a_list(dialog):
    dialog.open("invite")
    dialog.js("arguments[0].focus(); document.execCommand('insertText', false, 'a@b.de\\nc@d.de\\n')", dialog.field("people"))
    dialog.wait(lambda: dialog.ok_is_enabled)
    dialog.js("document.execCommand('insertText', false, 'a@b.de\\ne@f.de')")
    dialog.wait(lambda: not dialog.ok_is_enabled)
    dialog.click(".buttons > .ok")
    dialog.wait(lambda: dialog.message("people") == "Enter at most 3 lines, each only once")


def test_a_list_works_without_scripts(scriptless):
    scriptless.go("/prompts/invite")
    scriptless.type("people", "ada@example.com", Keys.ENTER, Keys.ENTER, "bob")
    scriptless.ok.click()
    scriptless.comes_back()
    assert scriptless.text("people") == "ada@example.com\n\nbob"
    assert scriptless.message("people") == "Line 3: Enter an email address, like name@example.com"


def test_a_list_reads_from_right_to_left(dialog):
    dialog.go("/prompts/invite?lang=he")
    dialog.wait(lambda: dialog.find("#dialog").get_attribute("data-ready") is not None)
    dialog.type("people", "ada@example.com", Keys.ENTER, "bob")
    dialog.click(".buttons > .ok")
    dialog.wait(lambda: dialog.message("people").startswith("שורה"))
    assert "2" in dialog.message("people")


def test_a_list_says_that_it_takes_one_a_line(dialog):
    dialog.open("invite")
    assert dialog.js("return document.getElementById('help-people').innerText") == "One per line"
    assert "help-people" in dialog.field("people").get_attribute("aria-describedby")
