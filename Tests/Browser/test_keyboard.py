"""Every example, answered without a pointer."""

import pytest
from conftest import EXAMPLES
from selenium.webdriver.common.keys import Keys

# What to press in each field, by its kind of control; the rest is Tab.
DOWN, SPACE, TAB = Keys.ARROW_DOWN, Keys.SPACE, Keys.TAB
ANSWERS = {
    "email": {"email": "alice@example.com"},
    "quantity": {"quantity": "5"},
    "login": {"user": "alice", "password": "secret"},
    "feedback": {"rating": SPACE, "comment": "", "email": ""},
    "profile": {
        "displayName": "Ada", "handle": "ada-l", "dateOfBirth": "", "website": "", "phone": "",
        "passphrase": "correct horse battery", "passphraseAgain": "correct horse battery",
    },
    "deploy": {"regions": "", "share": Keys.ARROW_RIGHT, "notify": SPACE, "confirmation": "deploy"},
    # Each choice brings a field, or takes one away.
    "delivery": {
        "name": "Ada", "kind": DOWN, "company": "Acme", "taxNumber": "", "delivery": DOWN, "branch": SPACE, "call": SPACE,
        "phone": "+49 30 123456",
    },
    "maintenance-window": {"start": "2027-01-02T03:04", "end": "2027-01-02T05:04", "rack": "A", "ticket": "OPS-1"},
}


def at(dialog):
    """The field that has the focus; empty: none."""
    return dialog.js("return document.activeElement.closest('[data-field]')?.dataset.field ?? ''")


def tab_to(dialog, name):
    for _ in range(30):
        if at(dialog) == name:
            return
        dialog.browser.press(TAB)
    raise AssertionError(f"Tab never comes to {name}")


def test_there_is_an_answer_to_every_example():
    assert sorted(ANSWERS) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_keyboard_alone_answers_every_example(dialog, name):
    dialog.open(name)
    for field, keys in ANSWERS[name].items():
        tab_to(dialog, field)
        if "T" in keys and keys[0].isdigit():
            # How a date is typed depends on the browser's language; that it is reached is shown.
            dialog.js("arguments[0].value = arguments[1]", dialog.field(field), keys)
        elif keys:
            dialog.browser.press(keys)
    for _ in range(30):
        if dialog.js("return document.activeElement === arguments[0]", dialog.ok):
            break
        dialog.browser.press(TAB)
    assert dialog.ok_is_enabled, dialog.why
    dialog.browser.press(Keys.ENTER)
    dialog.ends("ok")


def test_tab_goes_through_the_dialog_in_reading_order(dialog):
    dialog.open("login")
    order = [dialog.js("return document.activeElement.name || document.activeElement.textContent")]
    for _ in range(5):
        dialog.browser.press(TAB)
        order.append(dialog.js(
            "const {name, value, textContent} = document.activeElement;"
            "return ['outcome', 'action'].includes(name) ? value : name || textContent"))
    assert order == ["user", "password", "Show", "ok", "forgot", "cancel"]


def test_the_summary_leads_to_the_fields(dialog):
    dialog.open("email")
    dialog.js("HTMLFormElement.prototype.submit.call(document.getElementById('form'))")
    dialog.comes_back()
    dialog.wait_until_live()
    assert at(dialog) == "email"
    dialog.js("document.querySelector('#summary a').focus()")
    dialog.browser.press(Keys.ENTER)
    dialog.wait(lambda: at(dialog) == "email")
