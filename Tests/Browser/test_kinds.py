"""Every kind of field, by keyboard and by script."""

import io

import pytest
from PIL import Image
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


def test_sliders_are_alike_and_numbers_are_written_as_people_do(dialog):
    dialog.open("sliders")
    dialog.js("arguments[0].focus()", dialog.field("stepped"))
    assert dialog.js("""return [...document.querySelectorAll(".scale")].map((scale) => {
        const [input, output, ends] = ["input", "output", ".ends"].map((each) => scale.querySelector(each).getBoundingClientRect());
        return [output.bottom <= input.bottom + 1 && output.right <= input.right + 1, Math.round(ends.left - input.left),
          Math.round(input.right - ends.right), Math.round(ends.width), input.height >= 44] })""") == [[True, 0, 0, 296, True]] * 3
    assert dialog.js("return [...document.querySelectorAll('output, .ends > span')].map((each) => each.textContent)") == [
        "12", "7", "30", "50", "10", "100", "−1,000,000", "−2,000,000", "0"]


def test_the_ring_of_a_slider_does_not_cut_its_track(dialog):
    dialog.open("sliders")
    slider = dialog.field("counted")
    dialog.js("arguments[0].scrollIntoView({block: 'center'})", slider)

    def seen():
        """Colours along the track, from beyond its left end to before its thumb."""
        dialog.drawn()
        picture = Image.open(io.BytesIO(dialog.browser.picture())).convert("RGB")
        x, y, width = dialog.js(
            "const {left, top, height} = arguments[0].getBoundingClientRect(); return [left, top + height / 2, innerWidth]", slider)
        scale = picture.width / width
        return [picture.getpixel((round((x + each) * scale), round(y * scale))) for each in range(-12, 40)]

    dialog.js("document.activeElement.blur()")
    before = seen()
    dialog.js("arguments[0].focus()", slider)
    after = seen()
    assert before[:12] != after[:12]
    # Engines smooth the edge of the track anew.
    assert all(abs(was - now) < 16 for pair in zip(before[12:], after[12:]) for was, now in zip(*pair))


OWN = "return new Intl.DateTimeFormat([], arguments[0]).format(new Date(2025, 0, 1))"
DAY = {"year": "numeric", "month": "2-digit", "day": "2-digit"}


def typed(dialog, name):
    """Half of a date, which every browser's control takes."""
    field = dialog.field(name)
    dialog.js("arguments[0].scrollIntoView({block: 'center'})", field)
    x, y = dialog.point(field)
    dialog.browser.click_at(round(x - dialog.js("return arguments[0].offsetWidth", field) / 2 + 24), y)
    dialog.browser.press("12")


def test_nobody_is_told_how_to_type_into_a_picker(dialog):
    dialog.open("kinds")
    typed(dialog, "date")
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message("date"))
    assert dialog.message("date") == "Enter a date"
    dialog.ok.click()
    assert "2025-01" not in dialog.why


def test_a_date_s_message_has_dates_as_the_control_shows_them(dialog):
    dialog.open("trip")
    dialog.js("arguments[0].value = '1850-01-01'", dialog.field("start"))
    dialog.ok.click()
    assert dialog.js(OWN, DAY) in dialog.message("start").replace("\u2011", "-")


@pytest.mark.parametrize("name", ["date", "time", "dateTime"])
def test_a_date_that_has_the_focus_has_a_ring(dialog, name):
    dialog.open("kinds")
    outline = "return getComputedStyle(arguments[0]).outlineStyle"
    assert dialog.js(outline, dialog.field(name)) == "none"
    typed(dialog, name)
    assert dialog.js(outline, dialog.field(name)) == "solid"
    # Red, once it is refused.
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message(name))
    typed(dialog, name)
    colours = "const {outlineColor, borderColor} = getComputedStyle(arguments[0]); return [outlineColor, borderColor]"
    assert dialog.js(colours, dialog.field(name)) == [dialog.js(
        "return getComputedStyle(arguments[0]).color", dialog.find(f"#error-{name}"))] * 2


def test_a_date_speaks_when_it_is_left_even_if_nothing_told_that_it_was_entered(dialog):
    dialog.open("kinds")
    # Some versions of WebKit do not tell.
    dialog.js("addEventListener('focusin', (event) => event.target.name === 'date' && event.stopImmediatePropagation(), true)")
    typed(dialog, "date")
    dialog.js("document.getElementById('field-text').focus()")
    dialog.wait(lambda: dialog.message("date"))


def test_many_options_are_searched(dialog):
    dialog.open("cities")
    dialog.listens()
    shown = "return [...document.querySelectorAll('fieldset > label')].filter((each) => each.checkVisibility()).map((each) => each.innerText.trim())"
    assert len(dialog.js(shown)) == 31
    search = dialog.find("input[type=search]")
    count = "return document.querySelector('.find + .help').textContent"
    assert dialog.js("return document.activeElement === arguments[0]", search) and dialog.js(count) == "0 chosen · 31 found"
    assert dialog.js("return document.getElementById(arguments[0].getAttribute('aria-labelledby')).innerText", search) == "Offices that follow"
    # As one edit: a person who pauses between two hears what each of them finds.
    dialog.js("arguments[0].focus(); document.execCommand('insertText', false, 'OR')", search)
    assert dialog.js(shown) == ["Cork", "Évora", "Porto", "Torino"]
    dialog.wait(lambda: dialog.heard == ["0 chosen · 4 found"])
    # Enter goes to what was found, and sends nothing.
    search.send_keys(Keys.ENTER)
    assert dialog.js("return document.activeElement.value") == "Cork"
    dialog.browser.press(Keys.SPACE)
    search.send_keys("!", Keys.ESCAPE)
    assert len(dialog.js(shown)) == 31 and dialog.path == "/prompts/cities"
    search.send_keys("gda")
    # What is chosen stays.
    assert dialog.js(shown) == ["Cork", "Gdańsk"] and dialog.js(count) == "1 chosen · 1 found"
    # What is wrong shows all of it.
    dialog.ok.click()
    assert dialog.message("cities") == "Choose two or more"
    assert dialog.js("return document.activeElement.value") == "Cork" and len(dialog.js(shown)) == 31
    search.send_keys("gda", Keys.ENTER)
    dialog.browser.press(Keys.SPACE)
    dialog.ok.click()
    dialog.ends("ok")
    assert dialog.posts()[-1][1] == "cities=Cork&cities=Gda%C5%84sk&note=&outcome=ok"


def test_many_options_are_one_stop_of_the_tab_key(dialog):
    dialog.open("cities")
    active = "return document.activeElement.value || document.activeElement.name"
    press, back = dialog.browser.press, lambda key: dialog.browser.chord(Keys.SHIFT, key)
    for act, key, place in [
            (press, Keys.ARROW_DOWN, "Aachen"), (press, Keys.ARROW_DOWN, "Århus"), (press, Keys.TAB, "note"),
            (back, Keys.TAB, "Århus"), (press, Keys.ARROW_UP, "Aachen"), (press, Keys.ARROW_UP, "")]:
        act(key)
        dialog.wait(lambda: dialog.js(active) == place)
    for key, place in [(Keys.ARROW_DOWN, "Aachen"), (Keys.END, "Zürich"), (Keys.HOME, "Aachen"), (Keys.ARROW_UP, "")]:
        press(key)
        dialog.wait(lambda: dialog.js(active) == place)
    # What cannot be seen is no stop.
    press("gen")
    press(Keys.TAB)
    dialog.wait(lambda: dialog.js(active) == "Genève")


@pytest.mark.parametrize("height", [900, 500])
def test_many_options_have_a_box_in_which_half_a_row_says_that_there_are_more(dialog, height):
    dialog.open_framed("cities", 400, height)
    box, rows = dialog.js("""
        const box = document.querySelector(".options"), {top, bottom} = box.getBoundingClientRect();
        return [[box.clientHeight, box.scrollHeight], [...box.children].map((row) => row.getBoundingClientRect())
          .map((row) => (Math.min(row.bottom, bottom) - Math.max(row.top, top)) / row.height)]""")
    if height < 600:
        assert box[0] == box[1]
    else:
        assert .3 * height < box[0] <= .42 * height
        [cut] = [share for share in rows if 0 < share < .99]
        assert .3 < cut < .7


@pytest.mark.parametrize("browser_name", ["webkit"], indirect=True)
def test_an_empty_date_looks_empty(dialog):
    dialog.open("kinds")
    assert dialog.js("return arguments[0].matches('[data-blank]')", dialog.field("date"))
    dialog.js("arguments[0].value = '2024-12-31'", dialog.field("date"))
    assert not dialog.js("return arguments[0].matches('[data-blank]')", dialog.field("date"))


def test_few_options_have_no_search(dialog):
    dialog.open("kinds")
    assert dialog.browser.find_all(".find") == []
