"""A prompt in several languages, as a person meets it: words, direction, links, the way to the last page."""

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from test_accessibility import violations

WORDS = {
    "de": ("ltr", "Reise buchen", "Abbrechen", "Geben Sie mindestens 8 Zeichen ein", "4 Probleme. Name: Geben Sie Ihren Namen ein"),
    "ar": ("rtl", "حجز رحلة", "إلغاء", "أدخل \u20688\u2069 أحرف على الأقل", "\u20684\u2069 مشكلات. الاسم: أدخل اسمك"),
    "ja": ("ltr", "旅行の予約", "キャンセル", "8文字以上で入力してください", "4件の問題があります。 お名前：お名前を入力してください"),
}


def open_in(dialog, language):
    dialog.go(f"/prompts/trip?lang={language}")
    dialog.wait_until_live()


def refuse(dialog):
    """Has every field that lacks something say so."""
    dialog.js("document.querySelector('#field-start').value = '2026-03-05'")
    dialog.ok.click()


@pytest.mark.parametrize("language", WORDS)
def test_everything_is_in_the_language(dialog, language):
    direction, title, cancel, message, spoken = WORDS[language]
    open_in(dialog, language)
    assert dialog.js("return [document.documentElement.lang, document.documentElement.dir]") == [language, direction]
    assert dialog.browser.title == title
    assert dialog.cancel.text == cancel
    refuse(dialog)
    # What Firefox says is an element's text has no isolates.
    without_isolates = str.maketrans("", "", "\u2068\u2069")
    assert dialog.message("secret").translate(without_isolates) == message.translate(without_isolates)
    dialog.wait(lambda: dialog.js("return document.getElementById('live').textContent") == spoken)


@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("language", WORDS)
def test_axe_finds_nothing_and_nothing_is_cut_off(dialog, language):
    dialog.open_framed(f"trip?lang={language}", 320)
    assert violations(dialog) == [], "fresh"
    refuse(dialog)
    assert violations(dialog) == [], "after a refused OK"
    assert dialog.js("return document.documentElement.scrollWidth <= innerWidth")
    dialog.js("setTimeout(() => HTMLFormElement.prototype.submit.call(document.getElementById('form')))")
    dialog.wait(lambda: dialog.js("return document.querySelectorAll('#summary bdi').length") == 8)
    assert violations(dialog) == [], "the page that comes back"


def test_an_empty_field_and_a_password_follow_a_language_from_right_to_left(dialog):
    open_in(dialog, "ar")
    assert dialog.js("return getComputedStyle(arguments[0]).direction", dialog.field("name")) == "rtl"
    dialog.type("email", "x")
    assert dialog.js("return getComputedStyle(arguments[0]).direction", dialog.field("email")) == "ltr"
    # A password begins where its button ends.
    assert dialog.js(
        """
        const [input, button] = document.querySelectorAll(".reveal > *");
        return input.getBoundingClientRect().left + parseFloat(getComputedStyle(input).paddingLeft) >=
          button.getBoundingClientRect().right;
        """)
    assert dialog.js("return document.querySelector('.reveal > button').ariaLabel") == "إظهار \u2068كلمة المرور\u2069"


def test_an_embedded_dialog_has_the_language_of_its_element(page):
    page.visit().put("trip", {"lang": "de"})
    page.wait(lambda: page.cancel.text == "Abbrechen")
    page.click(".languages a[lang=ja]")
    page.leave()
    page.enter()
    page.wait(lambda: page.cancel.text == "キャンセル")
    page.browser.press(Keys.ESCAPE)
    assert page.outcome == {"outcome": "cancel"}


def test_what_is_english_in_a_page_of_another_language_says_so(linked):
    fields = [{"name": "nafn", "label": "Nafn", "optional": True}, {"name": "litir", "kind": "choice", "options": [*"abcdef"]},
              {"name": "aldur", "label": "Aldur", "kind": "integer", "rules": [{"nonEmpty": True, "message": "Sláðu inn aldur"}]}]
    linked.put(definition={"title": "Skráning", "language": "is", "cancel": "Hætta við", "fields": fields})
    texts = ("return [...document.querySelectorAll('#dialog :is(p, span, h2, button, option, label)')]"
             ".filter((each) => each.lang === 'en' && !each.closest('[hidden]')).map((each) => each.textContent)")
    assert linked.js("return document.documentElement.lang") == "is"
    assert linked.js(texts) == ["optional", "Choose…", "OK"]
    linked.ok.click()
    linked.wait(lambda: linked.message("aldur") == "Sláðu inn aldur")
    assert linked.js("return arguments[0].lang", linked.find("#error-aldur")) == "is"
    assert linked.js("return arguments[0].lang", linked.find("#error-litir")) == "en" and linked.message("litir")
    linked.insert("aldur", "x")
    linked.wait(lambda: linked.message("aldur") == "Enter a whole number, like 42")
    assert linked.js("return arguments[0].lang", linked.find("#error-aldur")) == "en"
