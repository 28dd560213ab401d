"""What a page around the dialog learns of it, and has a say in."""

from selenium.webdriver.common.keys import Keys


def test_events_tell_of_every_edit_and_verdict(dialog):
    dialog.open("steps")
    dialog.record("beginediting", "change", "endediting", "validate", "return")
    dialog.js("document.activeElement.blur()")
    dialog.type("first", "a", "b", Keys.ENTER)
    assert dialog.events == [
        ("endediting", "first", ""), ("beginediting", "first", ""),
        ("change", "first", "a"), ("validate", "first", "a"), ("change", "first", "ab"), ("validate", "first", "ab"),
        ("return", "first", "ab"), ("endediting", "first", "ab"), ("beginediting", "notes", ""),
    ]


def test_outcomes_are_told_and_can_be_delivered_otherwise(dialog):
    values = {"first": "x", "notes": None, "last": "x"}
    for press, outcome in (
        ("ok", {"outcome": "ok", "values": values}), ("cancel", {"outcome": "cancel"}),
        ("action[value=draft]", {"outcome": "action", "action": "draft", "values": values}),
        ("action[value=forget]", {"outcome": "action", "action": "forget"}),
    ):
        dialog.open("steps")
        dialog.js(
            "document.addEventListener('okcancel:outcome', event => { window.detail = event.detail; event.preventDefault() });"
            "for (const name of ['first', 'last']) document.getElementById(`field-${name}`).value = 'x'")
        dialog.find(f".buttons > .{press}").click()
        assert dialog.js("return detail") == outcome
        assert dialog.posts() == []


def test_an_outcome_is_what_the_server_makes_of_it(dialog):
    dialog.open("order")
    dialog.js("document.addEventListener('okcancel:outcome', event => { window.detail = event.detail; event.preventDefault() })")
    for write in ("quantity.value = '07'", "reasons.checked = true", "urgent.checked = true"):
        dialog.js(f"document.getElementById('field-' + {write.split('.')[0]!r}).{write.split('.', 1)[1]}")
    dialog.ok.click()
    told = dialog.js(
        """
        return fetch("/prompts/order", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(
          {outcome: "ok", values: {quantity: "07", reasons: ["late"], urgent: "true"}})}).then(answer => answer.json())
        """)
    # Who gave it is the server's to say.
    assert told.pop("by") == {"via": "link"}
    assert dialog.js("return detail") == told


def test_a_prevented_return_does_nothing(dialog):
    dialog.open("email")
    dialog.js("document.addEventListener('okcancel:return', event => event.preventDefault())")
    dialog.type("email", "a@b.c", Keys.ENTER)
    assert dialog.posts() == []
    assert dialog.ok_is_enabled


def test_enter_sends_nothing_until_a_delegate_lets_it(dialog):
    dialog.open("email")
    dialog.js("document.getElementById('dialog').delegates.push({shouldReturn: (field, text) => text.length > 7})")
    dialog.insert("email", "a@b.org")
    dialog.type("email", Keys.ENTER)
    assert dialog.posts() == []
    dialog.type("email", Keys.HOME, "a", Keys.ENTER)
    dialog.ends("ok")


def test_a_delegate_refuses_edits_from_the_moment_it_is_there(dialog):
    dialog.open("email")
    dialog.js(
        """
        document.getElementById("dialog").delegates.push({shouldChange: (field, text) => !text.includes("!")});
        document.getElementById("field-email").value = "a!";
        window.text = document.getElementById("field-email").value;
        """)
    assert dialog.js("return text") == ""
    dialog.type("email", "a", "!", "b")
    assert dialog.text("email") == "ab"


def test_the_listeners_go_with_the_dialog(dialog):
    dialog.open("email")
    # The event comes a moment after it has closed.
    dialog.js("const it = document.getElementById('dialog'); it.onclose = () => it.dataset.hasGone = ''; it.close()")
    dialog.wait(lambda: dialog.js("return 'hasGone' in document.getElementById('dialog').dataset"))
    dialog.js("document.getElementById('dialog').show()")
    dialog.record("beginediting", "change", "endediting", "validate", "return", "outcome")
    dialog.type("email", "a", Keys.TAB)
    assert dialog.events == []
