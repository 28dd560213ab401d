"""What a person sees at first glance: which button is the one to press, where the focus is, and that nothing moves."""

import io

import pytest
from conftest import Dialog, direct, prompts_folder, serving
from PIL import Image
from test_loading import early, failing  # noqa: F401, fixtures

# A colour as the engine computes it, whatever its notation: red, green, blue and how opaque it is.
COLOUR = """
  const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colour, ground = [255, 255, 255]) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [...parts] = context.getImageData(0, 0, 1, 1).data, share = parts.pop() / 255;
    return parts.map((part, index) => Math.round(part * share + ground[index] * (1 - share)));
  };
  const light = (parts) => parts.map((part) => part / 255).map((share) => share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4)
    .reduce((sum, share, index) => sum + share * [.2126, .7152, .0722][index], 0);
  const contrast = (...colours) => {
    const [low, high] = colours.map((colour) => light(rgb(colour))).sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const theme = (name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const {color} = getComputedStyle(probe);
    probe.remove();
    return color;
  };
"""
FILLED = COLOUR + """
  const accent = rgb(theme("--accent")).join(), red = rgb(theme("--destructive")).join();
  return [...document.querySelectorAll(".buttons > *")].filter((button) => [accent, red].includes(rgb(getComputedStyle(button).backgroundColor).join()))
    .map(({className}) => className);
"""
READABLE = COLOUR + """
  return [...document.querySelectorAll(".buttons > *")].map((button) => getComputedStyle(button))
    .map(({color, backgroundColor}) => contrast(color, backgroundColor));
"""
# Around what has the focus: its own ring or that of its row, two pixels wide and told apart from what is under it.
RING = COLOUR + """
  const ring = [arguments[0], arguments[0].closest("label"), arguments[0].closest(".slider")].filter(Boolean).flatMap((each) =>
    [getComputedStyle(each), getComputedStyle(each, "::after")]).find(({outlineStyle, outlineWidth}) => outlineStyle === "solid" && parseFloat(outlineWidth) >= 2);
  return ring ? [contrast(ring.outlineColor, theme("--surface")), parseFloat(ring.outlineOffset)] : null;
"""
STOPS = "return [...document.querySelectorAll('dialog :is(button, input:not([type=hidden]), select, textarea)')].filter((each) => each.checkVisibility() && !each.matches('.unseen') && each.tabIndex >= 0)"

THEMES = {
    "none": "",
    "the guide's": ":root { --accent: #7a1fa2; --radius: .5rem } @media (prefers-color-scheme: dark) { :root { --accent: #d9a6ee } }",
    "pale": ":root { color-scheme: light; --accent: #0f766e; --destructive: #be123c; --text: #334155; --secondary: #5b6779; --surface: #fff }",
    "always dark": ":root { --accent: #4ade80; --destructive: #fb7185; --text: #e2e8f0; --secondary: #94a3b8; --surface: #0f172a;"
                   " --control: #1e293b; --edge: #64748b; --pressed: #334155 }",
}


@pytest.fixture(params=["light", "dark"])
def scheme(request, browser):
    browser.appear(dark=request.param == "dark")
    yield request.param
    browser.appear()


def test_ok_is_filled_exactly_while_the_dialog_is_valid(dialog, scheme):
    dialog.open("email")
    assert dialog.js(FILLED) == []
    dialog.insert("email", "alice@example.com")
    dialog.wait(lambda: dialog.js(FILLED) == ["ok"])
    # While it has the focus too, and while another button has.
    for button in (dialog.ok, dialog.cancel):
        dialog.js("arguments[0].focus()", button)
        assert dialog.js(FILLED) == ["ok"]
    dialog.insert("email", " and more")
    dialog.wait(lambda: dialog.js(FILLED) == [])


def test_what_cannot_be_undone_is_never_filled(dialog, scheme):
    dialog.open("question")
    assert dialog.js("return arguments[0].className", dialog.ok) == "ok destructive"
    for button in (None, dialog.ok, dialog.cancel):
        dialog.js("arguments[0]?.focus()", button)
        assert dialog.js(FILLED) == []
    colour = "return getComputedStyle(arguments[0]).color"
    assert dialog.js(colour, dialog.ok) != dialog.js(colour, dialog.cancel)


def test_the_open_reason_has_cancel_filled_and_leaves_ok_as_it_was(dialog):
    dialog.open("reject")
    assert dialog.js(FILLED) == ["ok"]
    dialog.cancel.click()
    assert dialog.js(FILLED) == ["cancel"]
    top = "return ['.reason', '.buttons'].map((each) => document.querySelector(each).getBoundingClientRect().top)"
    reason, buttons = dialog.js(top)
    assert reason < buttons
    assert dialog.js("return arguments[0].labels[0].textContent.trim()", dialog.field("okcancel-reason")) == "Why?"


def test_in_forced_colours_too_the_open_reason_has_cancel_filled(dialog):
    if not dialog.browser.paints_forced_colors:
        pytest.skip("WebKit has no forced colours")
    colours = COLOUR + (
        "return ['.cancel', '.ok'].map((each) => getComputedStyle(document.querySelector('.buttons > ' + each)))"
        ".map(({color, backgroundColor}) => [rgb(backgroundColor).join(), contrast(color, backgroundColor)]);")
    dialog.browser.appear(forced_colors=True)
    try:
        dialog.open("reject")
        (_, _), (filled, readable) = dialog.js(colours)
        dialog.cancel.click()
        (cancel, high), (ok, enough) = dialog.js(colours)
        assert cancel == filled != ok and min(readable, high, enough) >= 4.5
    finally:
        dialog.browser.appear()


@pytest.mark.parametrize("name", ["kinds", "question", "order", "reject", "cities", "sliders"])
def test_every_focus_is_a_ring_that_is_told_apart(dialog, scheme, name):
    dialog.open(name)
    for stop in dialog.js(STOPS):
        dialog.js("arguments[0].focus({focusVisible: true})", stop)
        for checked in (False, True):
            dialog.js("if (arguments[0].type === 'checkbox') arguments[0].checked = arguments[1]", stop, checked)
            ring = dialog.js(RING, stop)
            assert ring, dialog.js("return arguments[0].outerHTML", stop)
            contrast, offset = ring
            # Outside: what it covers inside would be a border that already has a colour.
            assert contrast >= 3 and offset >= 0, dialog.js("return arguments[0].outerHTML", stop)


@pytest.mark.parametrize("theme", list(THEMES))
def test_a_theme_that_keeps_the_contrasts_of_the_guide_keeps_them_on_buttons(browser, scheme, theme, tmp_path, tmp_path_factory):
    (tmp_path / "theme.css").write_text(THEMES[theme])
    with serving(prompts_folder(tmp_path_factory.mktemp("prompts")), "--public", tmp_path) as server:
        for name in ("email", "quantity", "question", "order"):
            dialog = Dialog(browser, direct(server.url)).open(name)
            assert min(dialog.js(READABLE)) >= 4.5, name


@pytest.mark.parametrize("width, stacked", [(300, True), (420, False)])
def test_two_buttons_that_do_not_fit_stand_below_each_other_in_the_order_of_the_tab_key(linked, width, stacked):
    linked.put(definition={"title": "Go on?", "ok": "Send it to all", "cancel": "Keep a draft"})
    linked.go(f"/frame.html?path={linked.link}&width={width}&height=500")
    linked.browser.enter_frame()
    linked.wait_until_live()
    places = "return [...document.querySelectorAll('.buttons > *')].map((each) => [each.className, each.getBoundingClientRect().top])"
    linked.wait(lambda: [name for name, _ in linked.js(places)] == (["ok", "cancel"] if stacked else ["cancel", "ok"]))
    (_, first), (_, second) = linked.js(places)
    assert (first < second) == stacked


# Edges at the right, by element: one that moves after the first frame is one that a finger misses.
EDGES = """
  return [...document.querySelectorAll("dialog *:not(.unseen, option, [hidden], [hidden] *)")].filter((each) => each.checkVisibility())
    .map((each) => [each.outerHTML.match(/^<[^>]*>/)[0].replace(/ (aria|data|tabindex)[^ >]*/g, ""), Math.round(each.getBoundingClientRect().right)]);
"""


@pytest.mark.parametrize("name", ["email", "kinds", "profile", "order"])
def test_no_right_edge_moves_after_the_first_frame(early, name):
    early.go(f"/prompts/{name}")
    early.drawn()
    before = dict(map(tuple, early.js(EDGES)))
    early.come()
    early.wait_until_live()
    early.rests()
    after = dict(map(tuple, early.js(EDGES)))
    assert before and {each: edge for each, edge in after.items() if before.get(each, edge) != edge} == {}


def test_a_message_lets_the_card_grow_only_downwards(dialog):
    dialog.open("email")
    place = "const {top, height} = document.getElementById('dialog').getBoundingClientRect(); return [top, height]"
    top, height = dialog.js(place)
    dialog.ok.click()
    dialog.wait(lambda: dialog.message("email"))
    after = dialog.js(place)
    assert after[0] == top > 100 and after[1] > height
    # A high one has all the room that there is.
    dialog.open("cities")
    dialog.js("document.querySelector('.options').style.maxBlockSize = '500px'")
    assert dialog.js(place)[0] < top


@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
def test_a_dialog_appears_at_once_for_who_wants_no_motion(dialog):
    look = "const {animationName, animationDuration} = getComputedStyle(document.getElementById('dialog')); return [animationName, animationDuration]"
    assert dialog.open("email").js(look)[0] == "none"
    moves = {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
    try:
        dialog.browser.command("Emulation.setEmulatedMedia", **moves)
        assert dialog.js(look) == ["appear", "0.18s"]
    finally:
        dialog.browser.appear()


def test_a_slider_looks_alike_in_every_engine(dialog):
    dialog.open("sliders")
    middle = dialog.js("const {left, top, width, height} = arguments[0].getBoundingClientRect(); return [left, top + height / 2, width, innerWidth]",
                       dialog.field("counted"))
    at = float(dialog.js("return arguments[0].style.getPropertyValue('--at')", dialog.field("counted")))
    picture = Image.open(io.BytesIO(dialog.browser.picture())).convert("RGB")
    scale = picture.width / middle[3]
    pixel = lambda x, y: picture.getpixel((round((middle[0] + x) * scale), round((middle[1] + y) * scale)))
    thumb, accent, surface = 12 + at * (middle[2] - 24), (0, 0x64, 0xD2), pixel(20, 8)
    assert [pixel(thumb + x, y) for x, y in ((0, 0), (0, 9), (0, -9), (9, 0), (-9, 0))] == [(255, 255, 255)] * 5
    assert [pixel(thumb - 20, y) for y in (-2, 0, 2)] == [accent] * 3
    assert len({pixel(thumb + 20, y) for y in (-2, 0, 2)} - {accent, surface}) == 1
    assert pixel(thumb - 20, 5) == pixel(thumb + 20, -5) == surface


def test_the_mark_of_an_error_is_round(dialog):
    dialog.open("email")
    dialog.ok.click()
    dialog.wait(lambda: dialog.message("email"))
    width, height = dialog.js(
        "const {inlineSize, blockSize} = getComputedStyle(arguments[0], '::before'); return [inlineSize, blockSize]",
        dialog.find("#error-email"))
    assert width == height


def test_short_words_are_not_hyphenated(dialog):
    dialog.open("profile")
    if not dialog.js("return CSS.supports('hyphenate-limit-chars', '12')"):
        pytest.skip("WebKit does not ask how long a word is")
    assert dialog.js("return ['h1', '#message', 'label'].map((each) => getComputedStyle(document.querySelector(each)).hyphenateLimitChars.split(' ')[0])") == ["12"] * 3


def test_a_long_message_leaves_room_for_other_prompts_in_the_gallery(dialog):
    dialog.go("/")
    cards = dialog.js("return [...document.querySelectorAll('.gallery .card')].map((each) => [each.offsetHeight, each.textContent])")
    assert any("section 9" in text for _, text in cards) and max(height for height, _ in cards) < 300


def test_the_pages_at_the_end_tell_apart_what_happened(linked, asking):
    mark = "const {maskImage, webkitMaskImage} = getComputedStyle(document.querySelector('.mark'), '::before'); return maskImage || webkitMaskImage"
    looks = []
    for path in ("/prompts/size/done?outcome=ok", "/prompts/size/done?outcome=cancel", "/nowhere"):
        linked.go(path)
        looks.append(linked.js(mark))
    linked.put()
    asking.call("DELETE", f"/asks/{linked.asked['id']}")
    # Sent as a browser does without scripts, so that a page has what was typed.
    linked.type("size", "5")
    linked.js("setTimeout(() => HTMLFormElement.prototype.submit.call(document.getElementById('form')))")
    linked.wait(lambda: linked.find("h1").text == "No longer needed")
    assert linked.js(mark) == looks[1]
    assert len(set(looks)) == 3 and all("data:image/svg" in look for look in looks)
    linked.wait(lambda: linked.find(".copy").text == "Copy")
    linked.find(".copy").click()
    linked.wait(lambda: linked.find(".copy").text == "Copied")
    assert linked.js("const {value, selectionStart, selectionEnd} = document.querySelector('.typed textarea'); return [value, selectionStart, selectionEnd]") == ["5", 0, 1]
