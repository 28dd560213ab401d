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


# The texts of a page whose author begins each of his own with þ: those that are in the wrong language.
MISTAKEN = """
  const wrong = (page) => {
    const found = [], walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement: parent } = walker.currentNode, { lang } = parent.closest("[lang]");
      if (!/\\p{L}{2}/u.test(data) || !/^(is|en)$/.test(lang) || parent.closest("script, textarea, #why, #live")) continue;
      if ((lang === "is") !== data.trim().startsWith("þ")) found.push(`${lang}: ${data.trim()}`);
    }
    return found;
  };
"""
EVERYTHING = {
    "title": "þSkráning", "message": "þNú", "language": "is",
    "translations": {"pl": {"title": "Rejestracja"}},
    "context": [{"text": "þEfni\n" * 60}, {"table": {"columns": ["þA"], "rows": [["þB"]]}}],
    "cancel": {"reason": "required"},
    "fields": [
        {"section": "þKafli", "help": "þUm kaflann"},
        {"name": "nafn", "label": "þNafn", "optional": True, "help": "þHjálp"},
        {"name": "aldur", "label": "þAldur", "kind": "integer", "rules": [{"nonEmpty": True, "message": "þSláðu inn aldur"}]},
        {"name": "litur", "label": "þLitur", "kind": "choice", "optional": True, "options": [{"value": "a", "title": "þA", "help": "þB"}]},
        {"name": "litir", "label": "þLitir", "kind": "choice", "options": [{"value": each, "title": f"þ{each}"} for each in "abcdef"]},
        {"name": "allir", "label": "þAllir", "kind": "choices",
         "options": [{"value": each, "title": f"þ{each}"} for each in "abcdefghijklmnopqrstu"]},
        {"name": "listi", "label": "þListi", "kind": "list"},
        {"name": "lykill", "label": "þLykill", "kind": "password"},
        {"name": "gott", "label": "þGott", "kind": "boolean"},
        {"name": "hvenaer", "label": "þHvenær", "kind": "dateTime", "timeZone": "Europe/Paris", "optional": True},
        {"name": "magn", "label": "þMagn", "kind": "number", "value": "1,5", "unit": "þkr", "optional": True,
         "rules": [{"any": [{"range": {"max": 1}, "message": "þLægra"}, {"range": {"min": 9}, "message": "þHærra"}]}]},
        {"name": "texti", "label": "þTexti", "kind": "multiline", "optional": True, "when": {"field": "gott", "oneOf": ["true"]}},
        {"name": "eigin", "label": "þEigin", "optional": True, "when": {"field": "gott", "oneOf": ["true"], "message": "þEf gott"}},
    ],
}


def test_what_is_english_in_a_page_of_another_language_says_so(linked):
    mistaken = lambda: linked.js(MISTAKEN + "return wrong(document)")
    linked.put(definition=EVERYTHING)
    assert linked.js("return document.documentElement.lang") == "is"
    assert mistaken() == []
    # In a field, an error of ours and one of the author's; what a text hides, and how a number was read.
    linked.insert("nafn", "a\u200bb")
    linked.insert("listi", "x")
    linked.wait(lambda: linked.find("#hidden-nafn") and linked.find("#read-magn"))
    linked.ok.click()
    linked.wait(lambda: linked.message("aldur") == "þSláðu inn aldur" and linked.message("litir") and linked.message("magn"))
    assert mistaken() == []
    assert linked.js("return ['#why', '#error-litir', '#error-aldur'].map((each) => document.querySelector(each).lang)") == [
        "is", "en", "is"]
    linked.wait(lambda: linked.spoken.endswith("þSláðu inn aldur"))
    assert linked.js("return document.getElementById('live').lang") == "is"
    linked.insert("aldur", "x")
    linked.wait(lambda: linked.message("aldur") == "Enter a whole number, like 42")
    assert mistaken() == []
    linked.cancel.click()
    linked.cancel.click()
    linked.wait(lambda: linked.message("okcancel-reason"))
    assert mistaken() == []
    # What the server draws: for a browser without scripts, with what is wrong, and after the answer.
    post = MISTAKEN + """
      return (async (values) => {
      const body = new URLSearchParams({ "okcancel-version": form.elements["okcancel-version"].value, ...values });
      const response = await fetch(location.pathname, { method: "POST", headers: { Accept: "text/html" }, body });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      return [response.status, page.documentElement.lang, wrong(page), page.querySelectorAll("#summary a, .typed").length];
      })(arguments[0]);
    """
    assert linked.js(post, {"outcome": "ok", "aldur": "", "magn": "5"}) == [422, "is", [], 3]
    assert linked.js(post, {"outcome": "cancel"}) == [422, "is", [], 1]
    assert linked.js(post, {"outcome": "cancel", "okcancel-reason": "þ"}) == [200, "is", [], 0]
    assert linked.js(post, {"outcome": "ok", "nafn": "þ"}) == [410, "is", [], 1]
