"""The first focus."""

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures


def test_typing_replaces_the_value_that_has_the_first_focus(dialog):
    dialog.open("quantity")
    assert dialog.selection("quantity") == [0, 2]
    dialog.browser.press("5")
    assert dialog.text("quantity") == "5"


def test_the_caret_of_a_long_text_stands_at_its_end(dialog):
    dialog.open("letter")
    dialog.browser.press("!")
    assert dialog.text("letter") == "Dear Ada,\nthank you!"


# Only Chromium writes a log that its driver reads.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
def test_no_browser_has_to_block_a_focus_in_a_frame(page):
    page.visit()
    page.browser.driver.get_log("browser")
    page.put("quantity")
    assert page.focused == "quantity"
    assert page.selection("quantity") == [0, 2]
    assert [entry for entry in page.browser.driver.get_log("browser") if "autofocus" in entry["message"]] == []
