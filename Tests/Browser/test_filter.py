"""`allow`: an edit is refused whole, and the old text and its selection stay."""

import pytest
from selenium.webdriver.common.keys import Keys


def test_typing_what_allow_refuses_changes_nothing(dialog):
    dialog.open("digits")
    dialog.type("code", Keys.END, "a", "3")
    assert dialog.text("code") == "123"


@pytest.mark.parametrize("text, after, selection", [("4x", "12", [0, 1]), ("45", "452", [2, 2])])
def test_inserting_what_allow_refuses_changes_nothing(dialog, text, after, selection):
    dialog.open("digits")
    dialog.js("arguments[0].focus(); arguments[0].setSelectionRange(0, 1)", dialog.field("code"))
    dialog.drawn()
    dialog.insert("code", text)
    assert dialog.text("code") == after
    assert dialog.selection("code") == selection


@pytest.mark.parametrize("text, after", [("ab", "10"), ("12", "12")])
def test_pasting_what_allow_refuses_changes_nothing(dialog, text, after):
    dialog.open("steps")
    dialog.type("first", text)
    dialog.select_all("first")
    dialog.chord("first", "c")
    dialog.open("quantity")
    dialog.select_all("quantity")
    dialog.chord("quantity", "v")
    dialog.wait(lambda: dialog.text("quantity") == after)
    if after == "10":
        assert dialog.selection("quantity") == [0, 2]


def test_cutting_what_allow_wants_to_stay_changes_nothing(dialog):
    dialog.open("brackets")
    dialog.js("arguments[0].focus(); arguments[0].setSelectionRange(0, 1)", dialog.field("text"))
    dialog.chord("text", "x")
    dialog.wait(lambda: dialog.text("text") == "[a]")
    assert dialog.selection("text") == [0, 1]


DRAG = """
  const [source, target] = arguments, text = source.value;
  source.focus();
  source.select();
  const dataTransfer = new DataTransfer(), {x, y, width, height} = target.getBoundingClientRect();
  dataTransfer.setData("text/plain", text);
  const drop = new DragEvent("drop", {
    dataTransfer, clientX: x + width - 4, clientY: y + height / 2, bubbles: true, cancelable: true,
  });
  // What a browser does with a drop that nobody prevents: it takes the text away from where it was.
  if (target.dispatchEvent(drop)) source.value = "";
"""


@pytest.mark.parametrize("text, after", [("ab", "12"), ("34", "1234")])
def test_a_text_that_is_dropped_stays_where_it_came_from(dialog, text, after):
    dialog.open("drag")
    dialog.type("source", text)
    dialog.js(DRAG, dialog.field("source"), dialog.field("code"))
    assert dialog.text("code") == after
    assert dialog.text("source") == text
    assert dialog.message("code") == ("" if after == "1234" else "Enter digits only")


# The drivers of the others drag no text.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("text, after", [("ab", "12"), ("34", "1234")])
def test_a_text_that_is_dragged_with_the_pointer_is_filtered(dialog, text, after):
    dialog.open("drag")
    dialog.type("source", text)
    dialog.select_all("source")
    left = "const box = arguments[0].getBoundingClientRect(); return [Math.round(box.x), Math.round(box.y + box.height / 2)]"
    x, y = dialog.js(left, dialog.field("source"))
    to_x, to_y = dialog.js(left, dialog.field("code"))
    dialog.browser.drag((x + 18, y), (to_x + 60, to_y))
    dialog.wait(lambda: [dialog.text("source"), dialog.text("code")] == [text, after])
    assert dialog.message("code") == ("" if after == "1234" else "Enter digits only")


def test_a_text_that_is_dropped_into_its_own_field_moves(dialog):
    dialog.open("drag")
    dialog.js("arguments[0].focus(); arguments[0].setSelectionRange(0, 1)", dialog.field("code"))
    dialog.js(
        """
        const [target] = arguments, dataTransfer = new DataTransfer(), {x, y, width, height} = target.getBoundingClientRect();
        dataTransfer.setData("text/plain", "1");
        target.dispatchEvent(new DragEvent("drop", {
          dataTransfer, clientX: x + width - 4, clientY: y + height / 2, bubbles: true, cancelable: true,
        }));
        """, dialog.field("code"))
    assert dialog.text("code") == "21"


def test_dropping_what_allow_refuses_changes_nothing(dialog):
    dialog.open("digits")
    # Before the text of a drop comes, browsers put the caret where it will be.
    dialog.js(
        """
        const [field] = arguments, drop = {inputType: "insertFromDrop", bubbles: true};
        field.setSelectionRange(1, 1);
        field.dispatchEvent(new InputEvent("beforeinput", drop));
        HTMLInputElement.prototype.setRangeText.call(field, "x", 1, 1, "select");
        field.dispatchEvent(new InputEvent("input", drop));
        """, dialog.field("code"))
    assert dialog.text("code") == "12"
    assert dialog.selection("code") == [1, 1]


@pytest.mark.parametrize("edit", [
    "field.value = 'abc'",
    "field.setRangeText('abc', 0, 0, 'end')",
    "field.value = 'abc'; field.dispatchEvent(new Event('change', {bubbles: true}))",
    "fill('abc', 0, 0, 'end'); field.dispatchEvent(new InputEvent('input', {bubbles: true}))",
], ids=["script", "range", "autofill", "unforeseen"])
def test_an_edit_that_could_not_be_foreseen_is_put_back(dialog, edit):
    dialog.open("digits")
    dialog.js(
        "const field = document.getElementById('field-code'); "
        f"const fill = (...edit) => HTMLInputElement.prototype.setRangeText.apply(field, edit); {edit}")
    assert dialog.text("code") == "12"


def test_undo_after_a_refusal_takes_back_the_last_edit_that_was_allowed(dialog):
    dialog.open("digits")
    dialog.type("code", Keys.END, "3", "x")
    assert dialog.text("code") == "123"
    dialog.undo("code")
    assert dialog.text("code") == "12"
