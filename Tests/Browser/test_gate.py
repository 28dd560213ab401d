"""OK, Enter, Escape and requestSubmit: one gate, one outcome."""

import pytest
from selenium.webdriver.common.keys import Keys


def test_ok_is_not_operable_at_first_and_follows_typing(dialog):
    dialog.open("email")
    assert not dialog.ok_is_enabled
    assert dialog.why == "Email: Enter your email address"
    dialog.type("email", "alice@example.com")
    assert dialog.ok_is_enabled
    assert dialog.why == ""
    dialog.type("email", Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
    assert not dialog.ok_is_enabled


def test_enter_with_an_invalid_value_sends_nothing(dialog):
    dialog.open("email")
    dialog.type("email", "bob@gmail", Keys.ENTER)
    assert dialog.message("email") == "That does not look like an email address"
    assert dialog.focused == "email"
    assert dialog.path == "/prompts/email"
    assert dialog.posts() == []


def test_enter_with_a_valid_value_submits_once(dialog):
    dialog.open("email")
    dialog.type("email", "alice@example.com", Keys.ENTER)
    dialog.ends("ok")
    assert dialog.posts() == [("/prompts/email", "email=alice%40example.com&outcome=ok")]


@pytest.mark.parametrize("press", [
    "document.querySelector('.ok').click()",
    "document.getElementById('form').requestSubmit()",
    "document.getElementById('form').requestSubmit(document.querySelector('.ok'))",
])
def test_every_way_to_submit_passes_the_gate(dialog, press):
    dialog.open("steps")
    dialog.js(press)
    assert dialog.message("first") == "Enter the first"
    assert dialog.message("last") == "Enter the last"
    assert dialog.focused == "first"
    assert dialog.posts() == []
    dialog.type("first", "a")
    dialog.type("last", "b")
    dialog.js(press)
    dialog.ends("ok")


def test_whatever_is_pressed_twice_there_is_one_outcome(dialog):
    dialog.open("email")
    dialog.record("outcome")
    dialog.js("document.addEventListener('okcancel:outcome', event => event.preventDefault())")
    dialog.type("email", "alice@example.com", Keys.ENTER, Keys.ENTER, Keys.ESCAPE)
    dialog.ok.click()
    dialog.cancel.click()
    dialog.js("document.getElementById('form').requestSubmit()")
    assert dialog.events == [("outcome", None, "ok")]


def test_two_fast_clicks_post_once(dialog):
    dialog.open("question")
    dialog.browser.click_at(*dialog.point(dialog.ok), times=2)
    dialog.ends("ok")
    assert len(dialog.posts()) == 1


def test_escape_is_cancel(dialog):
    dialog.open("email")
    dialog.type("email", "bob", Keys.ESCAPE)
    dialog.ends("cancel")
    assert dialog.posts() == [("/prompts/email", "outcome=cancel")]


def test_a_click_outside_dismisses_nothing(dialog):
    dialog.open("email")
    dialog.browser.click_at(5, 5)
    assert dialog.path == "/prompts/email"
    assert dialog.posts() == []


def test_cancel_needs_one_click_even_where_leaving_a_field_brings_a_message(dialog):
    dialog.open("email")
    dialog.type("email", "b")
    dialog.browser.click_at(*dialog.point(dialog.cancel))
    dialog.ends("cancel")


def test_enter_moves_on_and_never_presses_an_action_or_cancel(dialog):
    dialog.open("steps")
    dialog.type("first", "a", Keys.ENTER)
    assert dialog.focused == "notes"
    dialog.type("notes", "x", Keys.ENTER, "y")
    assert dialog.text("notes") == "x\ny"
    dialog.type("last", "b", Keys.ENTER)
    dialog.ends("ok")


def test_control_enter_in_a_multiline_field_goes_through_the_gate(dialog):
    dialog.open("steps")
    dialog.type("notes", "x")
    dialog.chord("notes", Keys.ENTER)
    assert dialog.message("first") == "Enter the first"
    assert dialog.focused == "first"
    dialog.type("first", "a")
    dialog.type("last", "b")
    dialog.chord("notes", Keys.ENTER)
    dialog.ends("ok")


def test_an_action_validates_only_if_it_says_so(dialog):
    dialog.open("steps")
    dialog.find("[value=draft]").click()
    assert dialog.message("first") == "Enter the first"
    assert dialog.posts() == []
    dialog.find("[value=forget]").click()
    dialog.ends("action")
    dialog.open("steps")
    dialog.type("first", "a")
    dialog.type("last", "b")
    dialog.find("[value=draft]").click()
    dialog.ends("action")


def test_ok_is_natively_disabled_if_the_prompt_says_so(dialog):
    dialog.open("disabled")
    assert dialog.ok.get_property("disabled")
    dialog.type("text", Keys.ENTER)
    assert dialog.message("text") == "Enter a text"
    dialog.type("text", "a")
    assert not dialog.ok.get_property("disabled")
    dialog.type("text", Keys.ENTER)
    dialog.ends("ok")


def test_coming_back_by_history_finds_a_live_dialog(dialog):
    dialog.open("email")
    dialog.type("email", "alice@example.com", Keys.ENTER)
    dialog.ends("ok")
    dialog.browser.back()
    dialog.wait(lambda: dialog.path == "/prompts/email")
    dialog.wait_until_live()
    assert dialog.ok_is_enabled == (dialog.text("email") != "")
    dialog.posts()
    dialog.cancel.click()
    dialog.ends("cancel")


def test_field_names_that_forms_have_too_change_nothing(dialog):
    """ASVS 15.3.6 | no prototype pollution | fields may be named like members of forms and objects"""
    dialog.open("shadow")
    dialog.ok.click()
    assert dialog.message("constructor") == "Enter a constructor"
    dialog.type("constructor", "x", Keys.ENTER)
    dialog.ends("ok")


def test_after_the_stop_button_the_dialog_can_be_answered_again(dialog):
    dialog.open("email")
    with dialog.relay.holding("POST", "/prompts/email"):
        with dialog.going_on("stop()"):
            # A timer, because a driver waits until a navigation is over.
            dialog.js(
                "document.getElementById('field-email').value = 'alice@example.com';"
                "setTimeout(() => document.querySelector('.ok').click())")
            dialog.wait(lambda: dialog.relay.posts)
        dialog.wait(lambda: dialog.ok.get_attribute("aria-busy") == "false")
    assert dialog.ok_is_enabled
    dialog.ok.click()
    dialog.ends("ok")
