"""Rules that the server decides."""

import contextlib

from selenium.webdriver.common.keys import Keys


def questions(dialog):
    return [body for path, body in dialog.posts() if path.startswith("/validate/")]


def test_the_server_is_asked_after_a_pause(dialog):
    dialog.open("name")
    dialog.field("name").send_keys("alice")
    assert not dialog.ok_is_enabled
    assert dialog.ok.get_attribute("aria-busy") == "true"
    dialog.wait(lambda: dialog.ok_is_enabled)
    assert dialog.ok.get_attribute("aria-busy") == "false"
    assert questions(dialog) == ['{"name":"alice"}']


def test_its_no_shows_like_any_message(dialog):
    dialog.open("name")
    dialog.field("name").send_keys("is taken")
    dialog.wait(lambda: dialog.message("name") == "That name is taken")
    assert not dialog.ok_is_enabled
    dialog.field("name").send_keys(Keys.BACKSPACE)
    assert dialog.message("name") == ""
    dialog.wait(lambda: dialog.ok_is_enabled)


def test_enter_meanwhile_acts_on_the_verdict_when_it_comes(dialog):
    dialog.open("name")
    dialog.field("name").send_keys("slow taken", Keys.ENTER)
    assert dialog.message("name") == ""
    dialog.wait(lambda: dialog.message("name") == "That name is taken")
    assert dialog.path == "/prompts/name"
    dialog.open("name")
    dialog.field("name").send_keys("slow but free", Keys.ENTER)
    dialog.ends("ok")


def test_a_stale_answer_is_dropped(dialog):
    dialog.open("name")
    dialog.field("name").send_keys("slow taken")
    dialog.wait(lambda: len(questions(dialog)) == 1)
    dialog.field("name").send_keys(" no more")
    dialog.wait(lambda: dialog.ok_is_enabled)
    assert dialog.message("name") == ""
    assert questions(dialog) == ['{"name":"slow taken no more"}']


@contextlib.contextmanager
def unreachable(dialog, pattern):
    dialog.driver.execute_cdp_cmd("Network.enable", {})
    dialog.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [pattern]})
    try:
        yield
    finally:
        dialog.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})


def test_an_unreachable_server_locks_nobody_out(dialog):
    dialog.open("name")
    with unreachable(dialog, "*/validate/*"):
        dialog.field("name").send_keys("is taken")
        dialog.wait(lambda: dialog.ok_is_enabled)
        dialog.ok.click()
        # The submit decides.
        dialog.wait(lambda: dialog.driver.title.startswith("Error: "))
    assert dialog.message("name") == "That name is taken"
    assert dialog.text("name") == "is taken"
