"""The same dialogs with JavaScript off."""

from selenium.webdriver.common.keys import Keys


def open_plain(dialog, name):
    dialog.go(f"/prompts/{name}")


def test_an_invalid_answer_comes_back_with_its_message(scriptless):
    open_plain(scriptless, "email")
    assert scriptless.ok.is_enabled()
    assert scriptless.find("#dialog").is_displayed()
    scriptless.type("email", "bob@gmail", Keys.ENTER)
    scriptless.comes_back()
    assert scriptless.browser.title == "Error: Your Email"
    assert scriptless.text("email") == "bob@gmail"
    assert scriptless.message("email") == "That does not look like an email address"
    assert scriptless.field("email").get_attribute("aria-invalid") == "true"
    link = scriptless.find("#summary a")
    assert link.text == "Email: That does not look like an email address"
    assert link.get_attribute("href").endswith("#field-email")


def test_nobody_is_told_how_to_type_into_a_picker(scriptless):
    open_plain(scriptless, "trip")
    scriptless.ok.click()
    scriptless.comes_back()
    assert scriptless.message("start") == "Enter a date"
    assert "Start: Enter a date" in [link.text for link in scriptless.browser.find_all("#summary a")]


def test_cancel_is_never_judged(scriptless):
    open_plain(scriptless, "email")
    scriptless.type("email", "garbage")
    scriptless.cancel.click()
    scriptless.ends("cancel")


def test_enter_presses_ok_not_the_action_before_it(scriptless):
    open_plain(scriptless, "steps")
    scriptless.type("first", "a")
    scriptless.type("last", "b", Keys.ENTER)
    scriptless.ends("ok")


def test_enter_allows_nothing_where_more_is_offered(scriptless):
    open_plain(scriptless, "suggested")
    scriptless.click("[value^=session]")
    scriptless.browser.press(Keys.ENTER)
    # The page comes again.
    scriptless.wait(lambda: scriptless.path.startswith("/prompts/suggested?"))
    scriptless.ok.click()
    scriptless.ends("ok")
    assert len(scriptless.posts()) == 1


def test_an_action_works_without_scripts(scriptless):
    open_plain(scriptless, "steps")
    scriptless.find("[value=forget]").click()
    scriptless.ends("action")
    open_plain(scriptless, "steps")
    scriptless.find("[value=draft]").click()
    scriptless.comes_back()
    assert scriptless.browser.title == "Error: From field to field"
    scriptless.type("first", "a")
    scriptless.type("last", "b")
    scriptless.find("[value=draft]").click()
    scriptless.ends("action")


def test_a_password_does_not_come_back(scriptless):
    """Promise 4.8"""
    open_plain(scriptless, "login")
    scriptless.type("password", "secret")
    scriptless.ok.click()
    scriptless.comes_back()
    assert "secret" not in scriptless.browser.source
    assert scriptless.text("password") == ""


def test_every_kind_works_without_scripts(scriptless):
    open_plain(scriptless, "kinds")
    scriptless.ok.click()
    scriptless.comes_back()
    assert scriptless.browser.title == "Error: Every kind"
    links = scriptless.browser.find_all("#summary a")
    assert [link.text for link in links] == [
        "Agree: Agree to go on", "Size: Choose a size", "Country: Choose a country", "Toppings: Choose one"]
    scriptless.click("#field-agree")
    scriptless.click("[name=size][value=medium]")
    scriptless.click("#field-country option[value=ca]")
    scriptless.click("[name=toppings][value=olives]")
    scriptless.click(".buttons > .ok")
    scriptless.ends("ok")


def test_more_than_the_server_reads_gets_a_page(scriptless):
    open_plain(scriptless, "feedback")
    scriptless.js("arguments[0].value = 'a'.repeat(300000)", scriptless.field("comment"))
    scriptless.click(".buttons > .ok")
    scriptless.wait(lambda: scriptless.find("h1").text == "Too large")
    assert "Go back" in scriptless.find("main").text


def test_without_a_zone_moments_are_in_utc_and_the_page_says_so(scriptless):
    open_plain(scriptless, "moment")
    assert scriptless.find("#zone-at").text == "Time zone: UTC"
    assert scriptless.field("at").get_property("value") == "2026-07-01T10:00"
    assert scriptless.field("office").get_property("value") == "2026-07-01T12:00"
    scriptless.ok.click()
    scriptless.ends("ok")
