"""Objects in objects, lists and unions: in the page with and without JavaScript, and in the page of another site."""

import json

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from Support.client import Client
from Support.command import TOKEN
from Support.nested import ANSWER, TEXTS, VALUES


def fill(dialog, texts):
    """Enters these texts as a person does."""
    for name, text in texts.items():
        if not (control := dialog.js("return [...document.getElementsByName(arguments[0])].find((each) => each.checkVisibility())", name)):
            continue
        kind = control.get_attribute("type")
        if kind == "radio":
            dialog.click(f'[name="{name}"][value="{text}"]')
        elif kind == "checkbox":
            if control.is_selected() != (text == "true"):
                dialog.click(f'[name="{name}"]')
        elif dialog.text(name) != text:
            if dialog.text(name):
                dialog.select_all(name)
                dialog.type(name, Keys.BACKSPACE)
            if text:
                dialog.type(name, text.replace("\n", Keys.ENTER))


def texts(dialog):
    """What the fields hold; nothing for those that do not apply."""
    return dialog.js(
        "return Object.fromEntries([...document.querySelectorAll('[data-field]')].filter((box) => !box.hidden).map((box) => {"
        "  const controls = [...box.querySelectorAll('[name]')], [first] = controls, {name, type} = first;"
        "  return [name, type === 'radio' ? controls.find(({checked}) => checked)?.value : type === 'checkbox' ? `${first.checked}` : first.value];"
        "}))")


def answered(server):
    """The last answer that the server has."""
    lines = Client(server, TOKEN).request("GET", "/prompts/nested/answers", headers={"Authorization": f"Bearer {TOKEN}"})[1]
    return json.loads(lines.splitlines()[-1])["values"]


def test_a_person_answers_in_the_page(dialog, server):
    dialog.open("nested")
    fill(dialog, TEXTS | {"tags": "red\npurple", "gift": "false"})
    assert "to" not in texts(dialog) and "number" not in texts(dialog) and not dialog.ok_is_enabled
    dialog.click(".buttons > .ok")
    dialog.wait(lambda: dialog.message("tags") == "Line 2: Enter at most 5 characters")
    fill(dialog, TEXTS)
    dialog.wait(lambda: dialog.ok_is_enabled)
    dialog.js("document.addEventListener('okcancel:outcome', ({detail}) => sessionStorage.outcome = JSON.stringify(detail))")
    dialog.ok.click()
    dialog.ends("ok")
    assert answered(server) == ANSWER
    assert json.loads(dialog.js("return sessionStorage.outcome"))["values"] == ANSWER


def test_a_person_answers_without_scripts(scriptless, server):
    scriptless.go("/prompts/nested")
    fill(scriptless, TEXTS | {"tags": "red\npurple"})
    scriptless.ok.click()
    scriptless.comes_back()
    assert [scriptless.message(name) for name in ("tags", "iban")] == ["Line 2: Enter at most 5 characters", ""]
    assert texts(scriptless) == TEXTS | {"tags": "red\npurple"}
    fill(scriptless, {"tags": TEXTS["tags"]})
    scriptless.ok.click()
    scriptless.ends("ok")
    assert answered(server) == ANSWER


def test_values_go_into_an_embedded_dialog_and_come_out_in_one_shape(page):
    page.visit()
    for question in ("nested", page.make(prompt="nested")["link"]):
        page.put(question, {"values": VALUES})
        held = {"first_name": "Eve", "tags": "big\nx", "sizes": "1", "amount": "true", "city": "Rome", "zip": "0001", "gift": "true", "to": "Ada", "from": "Eve",
                "by": "card", "number": "1234", "ref": "R1"}
        assert texts(page) == held
        page.ok.click()
        assert page.outcome == {"outcome": "ok", "values": VALUES}
        if question != "nested":
            continue
        page.put(question, {"values": page.js("return settled[0].values")})
        fill(page, TEXTS)
        page.ok.click()
        assert page.outcome == {"outcome": "ok", "values": ANSWER}


# What a script decides without the page is the same in the others.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("values, said", [
    ({"tags": "red\nblue"}, None), ({"gift": None}, None), ({"sizes": ["x"]}, None), ({"address": {"town": "Rome"}, "other": {"a": 1}}, None),
    ({"city": "Rome"}, "The value of city stands at “address/city”"), ({"address": "Rome"}, "address"), ({"amount": {"a": 1}}, "amount"),
    ({"tags": [["a"]]}, "tags"), ({"tags": ["a\nb"]}, "tags"), ({"payment": {"by": "cash"}}, "by"),
    ({"payment": {"by": "bank", "ref": 7}}, None), ({"payment": {"ref": 7}}, None), ({"payment": {"ref": "x", "by": "bank"}}, "ref2"), ({"payment": {"ref": [7]}}, None),
])
def test_values_that_the_answer_cannot_have_are_an_error(page, values, said):
    page.visit()
    page.ask("nested", {"values": values})
    if said:
        assert said in page.failure
    else:
        page.enter()
        page.cancel.click()
        assert page.outcome == {"outcome": "cancel"}


def test_a_form_has_the_values_by_their_places(page):
    page.visit('<form><ok-cancel prompt="nested" name="order"></ok-cancel></form>')
    page.js("const element = document.querySelector('ok-cancel'); element.values = arguments[0]; element.show()", VALUES)
    page.enter()
    fill(page, TEXTS)
    page.ok.click()
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return document.querySelector('ok-cancel').value") == ANSWER
    assert page.js("return [...new FormData(document.forms[0])]") == [
        ["order.first-name", "Ada"], ["order.tags", "red"], ["order.tags", "blue"], ["order.sizes", "7"], ["order.sizes", "42"], ["order.amount", "12"],
        ["order.address.city", "London"], ["order.gift.to", "Bob"], ["order.payment.by", "bank"], ["order.payment.ref", "17"], ["order.payment.account.iban", "DE12"]]
    assert page.part("button").text == "Ada, red, blue, 7, 42, 12, London, Bob, By bank, 17, DE12"


