"""What a screen reader hears: one live region, one sentence at a time."""

from selenium.webdriver.common.keys import Keys


def test_a_refusal_is_one_sentence_every_time(dialog):
    dialog.open("timing")
    assert len(dialog.browser.find_all("[aria-live], [role=status], [role=alert]")) == 1
    dialog.listens()
    for count in (1, 2):
        dialog.ok.click()
        dialog.wait(lambda: len(dialog.heard) == count)
    dialog.rests()
    assert dialog.heard == ["4 problems. Both: Both"] * 2


def test_one_problem_is_not_counted(dialog):
    dialog.open("email")
    dialog.listens()
    dialog.ok.click()
    dialog.wait(lambda: dialog.heard == ["Email: Enter your email address"])


def test_while_somebody_types_only_a_message_that_has_stood_for_a_second_is_spoken(dialog):
    dialog.open("timing")
    dialog.listens()
    # In one turn of the page: between two keys of a driver, a second may go by.
    seen = """
        const [field, error] = arguments;
        field.focus();
        return [..."abc"].map((letter) => {
          document.execCommand("insertText", false, letter);
          return error.checkVisibility() ? error.innerText : "";
        });
        """
    assert dialog.js(seen, dialog.field("both"), dialog.find("#error-both")) == ["", "Both", ""]
    dialog.rests()
    assert dialog.heard == []
    dialog.js("addEventListener('input', () => window.editedAt = performance.now())")
    dialog.type("both", Keys.BACKSPACE)
    dialog.wait(lambda: dialog.heard == ["Both: Both"])
    # Clocks of browsers are coarse.
    assert dialog.js("return heardAt - editedAt") > 990


def test_a_refused_paste_says_why_once(dialog):
    dialog.open("steps")
    dialog.type("first", "1 200")
    dialog.select_all("first")
    dialog.chord("first", "c")
    dialog.open("quantity")
    dialog.listens()
    dialog.chord("quantity", "v")
    dialog.wait(lambda: dialog.message("quantity") == "Enter a whole number, like 42")
    assert dialog.text("quantity") == "10"
    # What the field holds is right all the same.
    assert dialog.field("quantity").get_attribute("aria-invalid") == "false"
    assert dialog.ok_is_enabled
    dialog.rests()
    assert dialog.heard == ["Boxes: Enter a whole number, like 42"]
    dialog.type("quantity", "7")
    assert dialog.message("quantity") == ""


def test_buttons_that_show_a_password_say_which(dialog):
    dialog.open("profile")
    names = "return [...document.querySelectorAll('.reveal > button')].map((each) => each.getAttribute('aria-label'))"
    assert dialog.js(names) == ["Show Passphrase", "Show Passphrase again"]
    dialog.js("document.querySelector('.reveal > button').click()")
    assert dialog.js(names) == ["Hide Passphrase", "Show Passphrase again"]


def test_check_boxes_are_required_until_one_is_chosen(dialog):
    dialog.open("kinds")
    required = "return [...document.querySelectorAll('[name=toppings]')].map((each) => each.ariaRequired)"
    assert dialog.js(required) == ["true", "true"]
    dialog.click("[value=olives]")
    assert dialog.js(required) == ["false", "false"]
    dialog.click("[value=olives]")
    assert dialog.js(required) == ["true", "true"]
