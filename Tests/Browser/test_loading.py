"""Before the scripts have come, and if one of them never does: Cancel works at once, and the plain form always."""

import re
from itertools import count

import pytest
from relay import FRAME
from selenium.webdriver.common.keys import Keys

MODULES = [
    "dialog.js", "dialog-kinds.js", "zones.js", "conditions.js", "dialog-conditions.js", "dialog-asking.js", "dialog-filter.js",
    "dialog-options.js",
]
FOLDERS = count()
# As pages carry it.
GIVE_UP_IN_TIME = b"setTimeout(giveUp,3000)"


def files_of_its_own(relay):
    """Has each page of a test load its files from addresses that no browser has kept, and that none keeps."""
    folder = f"/files/test-{next(FOLDERS)}/".encode()
    relay.rewrite = lambda path, content: re.sub(rb"/files/[^/\"]+/", folder, content)
    relay.spoilt = ["etag"]
    return folder.decode()


@pytest.fixture
def failing(dialog):
    yield dialog
    dialog.relay.rewrite, dialog.relay.spoilt, dialog.relay.policy = None, [], ""
    dialog.relay.broken.clear()


@pytest.fixture
def early(failing):
    """A dialog whose module comes when a test says so, and that waits for it as long as it takes."""
    def rewrite(path, content):
        content = re.sub(rb'<script type="module" src="[^"]*/dialog.js"></script>', b"", content)
        return content.replace(GIVE_UP_IN_TIME, b"window.giveUp = giveUp")
    failing.relay.rewrite = rewrite
    # The policy allows the script inside the page as it was. No page that was changed here is kept.
    failing.relay.spoilt = ["content-security-policy", "etag"]
    failing.come = lambda: failing.js("return import('/dialog.js')")
    return failing


@pytest.mark.parametrize("names", [*([each] for each in MODULES), MODULES], ids=lambda names: "+".join(names)[:24])
def test_if_a_module_fails_the_plain_form_works(failing, names):
    folder = files_of_its_own(failing.relay)
    failing.relay.broken += [folder + name for name in names]
    failing.go("/prompts/modules")
    failing.wait(lambda: failing.find("#dialog").is_displayed() and failing.ok_is_enabled)
    failing.lets_press()
    assert all(folder + name in failing.relay.gets for name in names[:1])
    failing.field("name").clear()
    failing.type("name", "Grace")
    failing.click(".buttons > .ok")
    failing.ends("ok")
    posts = failing.posts()
    assert [path for path, _ in posts] == ["/prompts/modules"]
    assert "name=Grace&" in posts[0][1]


@pytest.mark.parametrize("name", ["email", "disabled", "conditions"])
def test_if_the_first_module_fails_nobody_waits_for_the_form(failing, name):
    folder = files_of_its_own(failing.relay)
    failing.relay.rewrite = (lambda rewrite: lambda path, content: rewrite(path, content).replace(
        GIVE_UP_IN_TIME, b""))(failing.relay.rewrite)
    failing.relay.spoilt += ["content-security-policy"]
    failing.relay.broken += [f"{folder}dialog.js"]
    failing.go(f"/prompts/{name}")
    failing.wait(lambda: failing.find("#dialog").is_displayed() and failing.ok_is_enabled)
    failing.lets_press()
    failing.ok.click()
    failing.wait(failing.posts)


@pytest.mark.parametrize("how", ["breaks", "hangs"])
@pytest.mark.parametrize("press", ["ok", "cancel", "escape"])
def test_if_the_part_that_sends_does_not_come_the_plain_form_is_sent(failing, press, how):
    path = files_of_its_own(failing.relay) + "dialog-sending.js"
    with failing.relay.breaking(path) if how == "breaks" else failing.relay.holding("GET", path):
        failing.open("quantity")
        presses = {"ok": failing.ok.click, "cancel": failing.cancel.click, "escape": lambda: failing.browser.press(Keys.ESCAPE)}
        presses[press]()
        failing.ends("ok" if press == "ok" else "cancel")
    assert len(failing.posts()) == 1


@pytest.mark.parametrize("press", ["early cancel", "early ok", "late ok"])
def test_if_all_scripts_hang_a_press_gets_through(failing, press):
    """They are more than a browser opens connections to one server."""
    folder = files_of_its_own(failing.relay)
    failing.go(f"{FRAME}?path=/healthz&width=500&height=500")
    with failing.relay.holding("GET", folder):
        with failing.relay.holding("GET", "/healthz?press"):
            # A driver would wait for the scripts: the page presses by itself once the relay lets it, to which it has
            # connections by another name.
            failing.js(
                """
                const [late, button] = arguments, frame = document.createElement("iframe");
                frame.src = "/prompts/modules";
                fetch(`http://localhost:${location.port}/healthz?press`, {mode: "no-cors"}).then(() => {
                  const timer = setInterval(() => {
                    const dialog = frame.contentDocument.getElementById("dialog");
                    if (late && dialog.querySelector(".fields").inert) return;
                    clearInterval(timer);
                    dialog.querySelector(button).click();
                  }, 20);
                });
                setTimeout(() => document.body.append(frame));
                """, "late" in press, ".cancel" if "cancel" in press else ".ok")
            failing.wait(lambda: len([path for path in failing.relay.gets if path.startswith(folder)]) >= 5)
        failing.wait(failing.relay.posts.copy)
    [(path, body)] = failing.posts()
    assert path == "/prompts/modules" and body.endswith("outcome=" + ("cancel" if "cancel" in press else "ok"))


def test_without_the_part_that_sends_and_without_a_server_the_form_stays(failing):
    folder = files_of_its_own(failing.relay)
    failing.open("quantity")
    with failing.relay.breaking(f"{folder}dialog-sending.js"), failing.relay.breaking("/prompts/quantity"):
        failing.ok.click()
        failing.wait(lambda: failing.js("return document.getElementById('problem').textContent") == (
            "The server cannot be reached; try again"))
        assert failing.ok_is_enabled
        assert failing.ok.get_attribute("aria-busy") == "false"
        assert failing.path == "/prompts/quantity"
    failing.ok.click()
    failing.ends("ok")
    assert failing.posts() == [("/prompts/quantity", "quantity=10&outcome=ok")]


@pytest.mark.parametrize("edit", [True, False])
def test_the_part_that_sends_comes_with_the_first_edit_or_press(failing, edit):
    path = files_of_its_own(failing.relay) + "dialog-sending.js"
    failing.open("quantity")
    assert path not in failing.relay.gets
    if edit:
        failing.type("quantity", "1")
        failing.wait(lambda: path in failing.relay.gets)
    failing.ok.click()
    failing.ends("ok")
    assert failing.relay.gets.count(path) == 1


def test_an_error_of_the_dialog_s_own_leaves_the_plain_form(failing):
    folder = files_of_its_own(failing.relay)
    with failing.relay.answering("GET", f"{folder}dialog-asking.js", 200, b"export const enhance = 7;", "text/javascript"):
        failing.go("/prompts/name")
        failing.wait(lambda: failing.ok_is_enabled)
        failing.type("name", "Ada", Keys.ENTER)
        failing.ends("ok")


@pytest.mark.parametrize(("name", "is_valid"), [
    ("email", False), ("quantity", True), ("digits-short", False), ("disabled", False), ("question", True), ("long", False)])
def test_ok_is_as_the_first_values_are_before_the_module_comes(early, name, is_valid):
    early.go(f"/prompts/{name}")
    assert early.find("#dialog").is_displayed()
    assert early.ok_is_enabled == is_valid
    early.come()
    early.wait_until_live()
    assert early.ok_is_enabled == is_valid


def test_nothing_can_be_typed_before_the_module_comes(early):
    early.go("/prompts/quantity")
    early.js("document.querySelector('.fields input').focus()")
    assert early.js("return document.activeElement === document.body")
    early.come()
    early.wait_until_live()
    assert early.focused == "quantity"
    early.ok.click()
    early.ends("ok")


PRESSES = {
    "a click": lambda early: early.ok.click(),
    "Enter": lambda early: early.browser.press(Keys.ENTER),
    "Enter on OK": lambda early: early.ok.send_keys(Keys.ENTER),
    "two clicks": lambda early: early.browser.click_at(*early.point(early.ok), times=2),
}


@pytest.mark.parametrize("press", PRESSES)
def test_a_press_before_the_module_comes_acts_when_it_does(early, press):
    early.go("/prompts/quantity")
    PRESSES[press](early)
    assert early.ok.get_attribute("aria-busy") == "true"
    assert early.posts() == []
    early.come()
    early.ends("ok")
    assert early.posts() == [("/prompts/quantity", "quantity=10&outcome=ok")]


def test_enter_before_the_module_comes_allows_nothing_where_more_is_offered(early):
    early.go("/prompts/suggested")
    PRESSES["Enter"](early)
    assert early.ok.get_attribute("aria-busy") != "true"
    early.come()
    early.wait_until_live()
    early.rests()
    assert early.posts() == []


@pytest.mark.parametrize("press", PRESSES)
def test_a_press_that_comes_too_early_is_not_kept_for_the_module(early, press):
    early.go("/prompts/quantity")
    early.js("document.getElementById('dialog').gate.show(performance.now() + 3_600_000)")
    PRESSES[press](early)
    assert early.ok.get_attribute("aria-busy") != "true"
    early.lets_press()
    early.come()
    early.wait_until_live()
    early.rests()
    assert early.posts() == []


def test_enter_in_the_plain_form_waits_as_well(early):
    """Where an action comes first, what Enter presses cannot be seen."""
    early.go("/prompts/order")
    early.js("giveUp(); document.getElementById('dialog').gate.show(performance.now() + 3_600_000)")
    early.type("quantity", "3", Keys.ENTER)
    early.drawn()
    assert early.posts() == []
    early.lets_press()
    early.type("quantity", Keys.ENTER)
    early.wait(early.posts)


def test_nothing_counts_in_a_dialog_that_cannot_be_seen_yet(early):
    early.browser.open(early.server + "/prompts/conditions")
    early.js("dispatchEvent(new Event('focus')); const {gate} = document.getElementById('dialog');"
             "performance.now = () => 3_600_000; window.counted = gate.counts()")
    assert early.js("return window.counted") is False


def test_a_press_before_the_module_comes_is_refused_when_it_does(early):
    early.go("/prompts/email")
    early.ok.click()
    assert early.message("email") == ""
    early.come()
    early.wait(lambda: early.message("email") == "Enter your email address")
    assert early.focused == "email"
    assert early.ok.get_attribute("aria-busy") == "false"
    assert early.posts() == []


def test_a_press_goes_on_in_the_plain_form_if_the_module_does_not_come(early):
    early.go("/prompts/quantity")
    early.ok.click()
    with early.relay.holding("POST", "/prompts/quantity"):
        # A module that comes later does not send it once more.
        with early.going_on("giveUp(); import('/dialog.js');"):
            pass
        early.wait(lambda: early.relay.posts)
    early.ends("ok")
    assert early.posts() == [("/prompts/quantity", "quantity=10&outcome=ok")]


@pytest.mark.parametrize("name", ["email", "disabled", "steps"])
@pytest.mark.parametrize("press", [
    lambda early: early.cancel.click(), lambda early: early.browser.press(Keys.ESCAPE),
    lambda early: (early.js("document.querySelector('.ok').click()"), early.cancel.click()),
], ids=["a click", "Escape", "after OK"])
def test_cancel_works_before_the_module_comes(early, name, press):
    early.go(f"/prompts/{name}")
    press(early)
    early.ends("cancel")
    assert early.posts() == [(f"/prompts/{name}", "outcome=cancel")]


def test_cancel_is_sent_once_whatever_is_pressed_and_whatever_comes(early):
    early.go("/prompts/quantity")
    with early.relay.holding("POST", "/prompts/quantity"):
        with early.going_on("""
                const [cancel, ok] = document.querySelectorAll('.buttons > button');
                cancel.click(); cancel.click(); ok.click(); import('/dialog.js').then(() => ok.click());"""):
            pass
        early.wait(lambda: early.relay.posts)
    early.ends("cancel")
    assert early.posts() == [("/prompts/quantity", "outcome=cancel")]


def test_an_action_works_before_the_module_comes(early):
    early.go("/prompts/steps")
    early.find("[value=forget]").click()
    early.ends("action")


def test_fields_that_may_not_apply_are_not_seen_before_the_module_comes(early):
    early.go("/prompts/conditions")
    assert not early.find("#dialog").is_displayed()
    early.come()
    early.wait(lambda: early.find("#dialog").is_displayed())


def test_a_policy_that_a_proxy_adds_leaves_the_look_as_it_is(failing):
    failing.relay.policy = "default-src 'self'"
    for name in ("email", "kinds"):
        failing.open(name)
        assert failing.js("return getComputedStyle(arguments[0]).borderTopWidth", failing.ok) == "0px"
        assert failing.js("return getComputedStyle(document.querySelector('.card')).borderTopLeftRadius") == "28px"
    failing.cancel.click()
    failing.ends("cancel")
