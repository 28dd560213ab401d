"""Messages and their moments, and every way in which a text changes."""

from selenium.webdriver.common.keys import Keys


def test_nobody_is_told_off_while_typing_and_who_was_told_sees_it_mend(dialog):
    dialog.open("email")
    for character in "ada@example.com":
        dialog.type("email", character)
        assert dialog.message("email") == ""
    dialog.type("email", *[Keys.BACKSPACE] * 8)
    assert dialog.message("email") == ""
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message("email") == "That does not look like an email address")
    dialog.type("email", Keys.END, ".")
    assert dialog.message("email") == "Enter an email address, like name@example.com"
    dialog.type("email", "de")
    assert dialog.message("email") == ""
    dialog.type("email", "@")
    assert dialog.message("email") == ""


def test_another_failing_rule_replaces_the_message_at_once(dialog):
    dialog.open("email")
    dialog.type("email", "ab")
    dialog.js("document.activeElement.blur()")
    dialog.wait(lambda: dialog.message("email") == "Enter an email address, like name@example.com")
    dialog.js("document.getElementById('field-email').setSelectionRange(2, 2)")
    dialog.js(
        "window.seen = []; new MutationObserver(() => seen.push(document.getElementById('error-email').textContent))"
        ".observe(document.getElementById('error-email'), {childList: true, attributes: true})")
    dialog.insert("email", "@c")
    assert dialog.js("return seen") == ["That does not look like an email address"]


def test_undo_is_an_edit(dialog):
    dialog.open("email")
    dialog.type("email", "a@b.c")
    assert dialog.ok_is_enabled
    dialog.undo("email")
    assert dialog.text("email") != "a@b.c"
    assert not dialog.ok_is_enabled


def test_cut_and_paste_are_edits(dialog):
    dialog.open("email")
    dialog.type("email", "a@b.c")
    dialog.select_all("email")
    dialog.chord("email", "x")
    dialog.wait(lambda: dialog.text("email") == "")
    assert not dialog.ok_is_enabled
    dialog.chord("email", "v")
    dialog.wait(lambda: dialog.text("email") == "a@b.c")
    assert dialog.ok_is_enabled


def test_a_reset_is_an_edit(dialog):
    dialog.open("quantity")
    dialog.js("document.getElementById('field-quantity').value = ''")
    assert not dialog.ok_is_enabled
    dialog.js("document.getElementById('form').reset()")
    dialog.wait(lambda: dialog.ok_is_enabled)


# Input methods. Where a driver has none, the events that one sends stand for it.

def compose(dialog, name, text):
    dialog.js("arguments[0].focus()", dialog.field(name))
    if dialog.browser.composes:
        return dialog.browser.compose(text)
    dialog.js(
        """
        const [field, text] = arguments;
        const send = (Kind, type, more) => field.dispatchEvent(new Kind(type, {bubbles: true, ...more}));
        send(CompositionEvent, "compositionstart");
        send(CompositionEvent, "compositionupdate", {data: text});
        send(InputEvent, "beforeinput", {inputType: "insertCompositionText", data: text, isComposing: true});
        field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
        send(InputEvent, "input", {inputType: "insertCompositionText", data: text, isComposing: true});
        """, dialog.field(name), text)


def commit(dialog, name, text):
    if dialog.browser.composes:
        return dialog.browser.commit(text)
    dialog.js(
        "arguments[0].dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: arguments[1]}))",
        dialog.field(name), text)


def test_while_composing_there_is_no_message_no_refusal_and_no_submit(dialog):
    dialog.open("timing")
    dialog.type("both", "a")
    compose(dialog, "both", "に")
    assert dialog.text("both") == "aに"
    assert dialog.message("both") == ""
    # What browsers send for the Enter that ends composing, and for Escape within it; Safari only gives 229.
    for key in ("Enter", "Escape"):
        for marks in ({"isComposing": True, "keyCode": 229}, {"isComposing": False, "keyCode": 229}):
            dialog.js(
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
                "{key: arguments[0], ...arguments[1], bubbles: true, cancelable: true}))", key, marks)
    assert dialog.message("never") == ""
    assert dialog.path == "/prompts/timing"
    commit(dialog, "both", "に")
    dialog.wait(lambda: dialog.message("both") == "Both")


def test_ok_while_composing_sends_what_can_be_seen_or_nothing(dialog):
    dialog.open("quantity")
    dialog.type("quantity", Keys.END)
    compose(dialog, "quantity", "に")
    if not dialog.browser.composes:
        commit(dialog, "quantity", "に")
        dialog.js("document.querySelector('.ok').click()")
    else:
        dialog.browser.click_at(*dialog.point(dialog.ok))
    dialog.wait(lambda: dialog.message("quantity") == "Enter a whole number, like 42")
    assert dialog.text("quantity") == "10"
    assert dialog.posts() == []
    # No person presses again sooner: until then, a press belongs to the composition that ended. The page counts this
    # time itself, and nothing there shows that it is over.
    ended = dialog.js("return performance.now()")
    dialog.wait(lambda: dialog.js("return performance.now()") > ended + 100)
    dialog.browser.click_at(*dialog.point(dialog.ok))
    dialog.ends("ok")
    dialog.open("letter")
    compose(dialog, "letter", "に")
    if not dialog.browser.composes:
        commit(dialog, "letter", "に")
    dialog.browser.click_at(*dialog.point(dialog.ok))
    dialog.ends("ok")
    assert "thank+you%E3%81%AB" in dialog.posts()[0][1]


def test_the_filter_judges_a_composition_when_it_ends(dialog):
    dialog.open("digits")
    dialog.type("code", Keys.END)
    compose(dialog, "code", "に")
    assert dialog.text("code") == "12に"
    commit(dialog, "code", "に")
    dialog.wait(lambda: dialog.text("code") == "12")
    dialog.type("code", Keys.END)
    compose(dialog, "code", "3")
    commit(dialog, "code", "3")
    dialog.wait(lambda: dialog.text("code") == "123")
