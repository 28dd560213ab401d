"""axe-core finds nothing, in any state of any example; and what axe cannot see: names, focus, one reason for OK."""

from pathlib import Path

import axe_playwright_python
import pytest
from conftest import EXAMPLES
from selenium.webdriver.common.keys import Keys

AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()
DIALOGS = [*EXAMPLES, "kinds", "parcel", "question", "cities", "invite"]


def violations(dialog, only=None):
    """What axe finds, once the dialog has stopped moving; by all rules, or by some."""
    dialog.drawn()
    dialog.wait(lambda: not dialog.js(
        "return document.getAnimations().some(({effect, playState}) =>"
        "playState === 'running' && effect.getComputedTiming().endTime !== Infinity)"))
    dialog.js(f"if (!window.axe) {{ {AXE} }}")
    return dialog.browser.js_async(
        """
        const [only, done] = arguments;
        axe.run(document, {resultTypes: ["violations"], ...only && {runOnly: only}}).then(({violations}) =>
          done(violations.map(({id, nodes}) => [id, ...nodes.map(({html}) => html)])));
        """, only)


@pytest.fixture(scope="module", params=["light", "dark"])
def light(request, browser):
    browser.appear(dark=request.param == "dark")
    yield request.param
    browser.appear()


@pytest.mark.parametrize("name", DIALOGS)
def test_axe_finds_nothing_in_any_state(dialog, light, name):
    # Dark is other colours, and those are one rule.
    only = ["color-contrast"] if light == "dark" else None
    dialog.open(name)
    assert dialog.js("return matchMedia('(prefers-color-scheme: dark)').matches") == (light == "dark")
    assert violations(dialog, only) == [], "fresh"
    if not dialog.browser.find_all(".field"):
        return
    # Cleared, so that OK is refused wherever a rule asks for something.
    dialog.js(
        """
        for (const field of document.querySelectorAll("[data-field] [name]")) {
          if (/checkbox|radio/.test(field.type)) field.checked = false;
          else if (field.type !== "range") field.value = "";
        }
        const ok = document.querySelector(".buttons > .ok");
        if (ok.getAttribute("aria-disabled") === "true" || ok.disabled) document.getElementById("form").requestSubmit();
        """)
    assert violations(dialog, only) == [], "after a refused OK"
    # As a form that no script watches.
    dialog.js("setTimeout(() => HTMLFormElement.prototype.submit.call(document.getElementById('form')))")
    dialog.wait(lambda: dialog.browser.title.startswith("Error: ") or "/done" in dialog.path)
    assert violations(dialog, only) == [], "the page that comes back"


# Layout in the others is test_screens.py's; what axe reads beside it is the same in all.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("name", DIALOGS)
def test_axe_finds_nothing_on_a_small_phone_nor_right_to_left(dialog, name):
    dialog.open_framed(name, 320)
    assert violations(dialog) == [], "320 px"
    dialog.js("document.documentElement.dir = 'rtl'")
    assert violations(dialog) == [], "right to left"


def test_axe_finds_nothing_on_other_pages(dialog, light):
    for path in ("/", "/prompts/email/done?outcome=ok", "/prompts/email/done?outcome=cancel", "/nowhere"):
        dialog.go(path)
        assert violations(dialog) == [], path


def test_a_field_is_called_invalid_only_with_a_message(dialog):
    dialog.open("email")
    assert dialog.field("email").get_attribute("aria-invalid") in (None, "false")
    dialog.insert("email", "a")
    assert dialog.field("email").get_attribute("aria-invalid") in (None, "false")
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.field("email").get_attribute("aria-invalid") == "true")


def test_the_dialog_itself_is_no_stop_of_the_tab_key(dialog):
    dialog.open("question")
    for _ in range(4):
        dialog.browser.press(Keys.TAB)
        assert dialog.js("return document.activeElement.localName") in ("button", "body", "html")
