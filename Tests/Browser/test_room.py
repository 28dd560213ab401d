"""Long dialogs: the buttons stay in sight, in the order in which one wants them, and hide no field."""

import pytest
from conftest import EXAMPLES
from embedding import okcancel, page, site  # noqa: F401, fixtures
from relay import FRAME
from selenium.webdriver.common.keys import Keys

IN_SIGHT = """
  return [...document.querySelectorAll(".buttons > button")].every((each) => {
    const {top, bottom} = each.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 1;
  });
"""
# Whether what has the focus can be seen, above the buttons.
IS_CLEAR = """
  const {top, bottom} = document.activeElement.getBoundingClientRect();
  const bar = document.querySelector(".buttons"), edge = bar.getBoundingClientRect().top;
  return top >= 0 && (bar.contains(document.activeElement) || bottom <= edge + 1);
"""
# Whether something goes on below the buttons, which stay in sight and let it fade.
EDGE = """
  const bar = document.querySelector(".buttons"), {position, boxShadow} = getComputedStyle(bar);
  return position === "sticky" && boxShadow !== "none" && document.getElementById("form").lastElementChild === bar
    && document.querySelector(".fields").getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
"""


def checks(dialog):
    assert dialog.js(IN_SIGHT)
    seen = 0
    for _ in range(40):
        if dialog.js("return document.activeElement.matches('.buttons > button:last-child')"):
            break
        dialog.browser.press(Keys.TAB)
        dialog.wait(lambda: dialog.js(IS_CLEAR))
        assert dialog.js(IN_SIGHT)
        seen += 1
    assert seen > 1


@pytest.mark.parametrize("name, width, height", [
    ("profile", 390, 664), ("login", 390, 420), ("deploy", 390, 664), ("kinds", 390, 664),
    # On its side, and zoomed to twice the size.
    ("profile", 640, 320), ("deploy", 640, 320), ("profile", 195, 332), ("login", 195, 332),
])
def test_the_buttons_stay_in_sight_and_hide_no_focus(dialog, name, width, height):
    dialog.open_framed(name, width, height)
    checks(dialog)


@pytest.mark.parametrize("width, height", [(390, 664), (640, 320), (195, 332)])
def test_a_long_message_is_seen_from_its_beginning_and_its_buttons_too(dialog, width, height):
    dialog.open_framed("consent", width, height)
    dialog.drawn()
    assert dialog.js("return document.getElementById('title').getBoundingClientRect().top") > 0
    # No key presses what is out of sight, and it says that it goes on until its end is there.
    assert dialog.focused == "dialog"
    assert dialog.js(IN_SIGHT)
    more = "return document.querySelector('.buttons').dataset.more ?? ''"
    if height > 400:
        dialog.wait(lambda: dialog.js(more) == dialog.spoken == "Read on")
        dialog.browser.press(Keys.SPACE)
        dialog.wait(lambda: dialog.js("return scrollY") > 100)
    dialog.js("scrollTo(0, document.documentElement.scrollHeight)")
    dialog.wait(lambda: dialog.js(more) == "")
    dialog.browser.press(Keys.TAB)
    assert dialog.focused == "name"


def test_three_buttons_take_little_of_a_phone(dialog):
    dialog.open_framed("deploy", 390, 664)
    assert dialog.js("return document.querySelector('.buttons').offsetHeight") < 664 / 5
    assert dialog.js(SEEN) == ["ok", "action", "cancel"]


def test_the_buttons_keep_one_distance_from_the_edges_and_from_each_other(dialog):
    dialog.open("question")
    edges = """
      const [card, ok] = ["#dialog", ".buttons > .ok"].map((each) => document.querySelector(each).getBoundingClientRect());
      return [card.bottom - ok.bottom, card.right - ok.right, ok.left - document.querySelector(".cancel").getBoundingClientRect().right];"""
    assert [round(each) for each in dialog.js(edges)] == [12, 12, 12]


def test_what_goes_on_below_the_buttons_fades(dialog):
    dialog.open_framed("profile", 390, 664)
    dialog.wait(lambda: dialog.js(EDGE))
    # WebKit scrolls to what has the focus a moment later, and would scroll back.
    dialog.wait(lambda: not dialog.js("scrollTo(0, document.documentElement.scrollHeight);" + EDGE))
    dialog.open_framed("email", 390, 664)
    assert not dialog.js(EDGE)


@pytest.mark.parametrize("name, width, height", [("profile", 390, 664), ("login", 390, 420), ("profile", 640, 320)])
def test_an_embedded_dialog_keeps_its_buttons_in_sight(page, name, width, height):
    page.visit_framed(width, height)
    page.ask(name)
    page.wait(lambda: len(page.frames) == 1)
    page.browser.enter_frame(page.frames[-1])
    page.wait_until_live()
    page.wait(lambda: page.js(IN_SIGHT))
    if name == "profile":
        page.wait(lambda: page.js(EDGE))
    checks(page)


WINDOWS = [(1440, 900), (390, 664), (320, 568), (768, 400), (640, 320), (195, 332), (1000, 1200)]
DIFF = "".join(f"{' +-'[line % 3]}line {line}\n" for line in range(60))
THREE = [{"title": "Approve", "role": "ok"}, {"title": "Later", "role": "action", "name": "later"}, {"title": "Deny", "role": "cancel"}]
ASKS = {
    "email": None, "question": None, "login": None, "steps": None, "kinds": None, "consent": None, "twenty": None,
    "diff": {"definition": {"title": "Go on?", "context": [{"diff": DIFF}], "buttons": THREE}},
    "table": {"definition": {"title": "Go on?", "context": [{"table": {"columns": ["a", "b"], "rows": [["1", "2"]] * 40}}]}},
    "three": {"definition": {"title": "Go on?", "buttons": THREE}},
    "one": {"definition": {"title": "Go on?", "cancel": False, "context": [{"text": "A short text."}]}},
}
WHAT_IS_SEEN = """
  const size = (each) => each ? ["offsetWidth", "offsetHeight"].map((side) => each[side]) : [];
  return [...size(document.getElementById("dialog")), ...size(document.getElementById("context")),
    ...[...document.querySelectorAll(".buttons > button")].flatMap(size)];
"""


@pytest.mark.parametrize("name", ASKS)
def test_an_embedded_dialog_is_as_large_as_on_its_own_page(page, name):
    """In windows that change their size while it is open."""
    def resize(window):
        page.leave()
        page.js("const [frame] = document.querySelectorAll('iframe'); [frame.width, frame.height] = arguments[0]", window)
        page.browser.enter_frame()

    path = page.make(**ASKS[name])["link"].removeprefix(page.server) if ASKS[name] else f"/prompts/{name}"
    width, height = WINDOWS[0]
    page.leave()
    page.browser.open(f"{page.server}{FRAME}?path={path}&width={width}&height={height}")
    own = {}
    for window in WINDOWS:
        resize(window)
        page.wait_until_live()
        page.drawn()
        own[window] = page.js(WHAT_IS_SEEN)
    page.visit_framed(width, height)
    page.ask(f"{page.server}{path}" if ASKS[name] else name)
    page.wait(lambda: page.frames)
    for window in WINDOWS:
        resize(window)
        page.browser.enter_frame(page.frames[-1])
        page.wait_until_live()
        page.wait(lambda: page.js(WHAT_IS_SEEN) == own[window])
        assert page.js("return innerWidth >= document.getElementById('dialog').offsetWidth")


# The page around hears of its own size late.
LATE = """
  addEventListener("resize", (event) => {
    if (event.isLate) return;
    event.stopImmediatePropagation();
    setTimeout(() => {
      dispatchEvent(Object.assign(new Event("resize"), { isLate: true }));
      window.knows = innerHeight;
    }, 300);
  }, true);
"""


def test_an_embedded_dialog_scrolls_though_its_frame_changes_before_it_hears_of_the_window(page):
    page.visit_framed(640, 900, script=LATE)
    page.ask("login")
    page.wait(lambda: len(page.frames) == 1)
    page.leave()
    page.js("document.querySelector('iframe').height = 320")
    page.browser.enter_frame()
    page.wait(lambda: page.js("return window.knows === 320"))
    page.browser.enter_frame(page.frames[-1])
    page.wait_until_live()
    assert page.js("return innerHeight < document.getElementById('dialog').offsetHeight")
    page.wait(lambda: page.js("return getComputedStyle(document.documentElement).overflowY") == "auto")


def test_where_there_is_too_little_room_everything_scrolls(dialog):
    dialog.open_framed("login", 320, 180)
    assert dialog.js("return getComputedStyle(document.querySelector('.buttons')).position") == "static"


SEEN = """
  return [...document.querySelectorAll(".buttons > button")].map((each) => [each.className.split(" ")[0], each.getBoundingClientRect()])
    .sort(([, a], [, b]) => a.top - b.top || a.left - b.left).map(([role]) => role);
"""


@pytest.mark.parametrize("name, seen", [
    ("login", ["ok", "action", "cancel"]), ("deploy", ["ok", "action", "cancel"]), ("steps", ["ok", "action", "action", "cancel"]),
    ("email", ["cancel", "ok"]), ("question", ["cancel", "ok"]),
])
def test_the_primary_button_is_first_if_stacked_and_cancel_side_by_side(dialog, name, seen):
    dialog.open(name)
    assert dialog.js(SEEN) == seen
    assert dialog.js("return [...document.querySelectorAll('.buttons > button')].map((each) => each.className.split(' ')[0])") == seen


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_menu_s_arrow_keeps_its_distance_and_a_long_message_begins_at_the_side(dialog, name):
    dialog.open(name)
    message = dialog.js(
        "const {textAlign, lineHeight} = getComputedStyle(document.getElementById('message'));"
        "return [textAlign, Math.round(document.getElementById('message').offsetHeight / parseFloat(lineHeight))]")
    assert (message[0] == "start") == (message[1] > 2), message
    if name == "maintenance-window":
        assert float(dialog.js("return getComputedStyle(document.getElementById('field-rack')).paddingInlineEnd")[:-2]) > 30


def test_buttons_that_validate_dim_alike(dialog):
    dialog.open("steps")
    dimmed = "return [...document.querySelectorAll('.buttons > [aria-disabled=true]')].map(({value}) => value)"
    assert dialog.js(dimmed) == ["ok", "draft"]
    dialog.type("first", "a")
    dialog.type("last", "b")
    assert dialog.js(dimmed) == []
