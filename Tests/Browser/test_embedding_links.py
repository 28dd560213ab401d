"""Links and definitions in a page of another site, and what cannot be asked there."""

from conftest import prompts_folder, serving
from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from Support.server import free_port


def test_a_link_is_answered_once_and_its_outcome_has_the_id(page):
    page.visit()
    ask = page.make()
    page.put({"link": ask["link"]})
    page.answers()
    assert page.js("return settled[0].id") == ask["id"]
    assert page.okcancel.call("GET", f"/asks/{ask['id']}")["values"] == {"email": "ann@b.c"}
    page.ask(ask["link"])
    assert page.failure == "OKCancel: This question has already been answered."
    assert page.js("return errors") == [page.failure]


def test_a_server_under_a_path_has_its_dialogs_there(page, tmp_path):
    port = free_port()
    page.server = base = f"http://127.0.0.1:{port}/ask"
    options = ["--port", port, "--base-url", base, "--allow-origin", page.site.url("localhost")]
    with serving(prompts_folder(tmp_path), *options) as server:
        page.visit()
        for what in ["email", {"link": server.ask()["link"]}]:
            page.put(what)
            assert page.js("return location.href").startswith(f"{base}/")
            loaded = page.js("return performance.getEntriesByType('resource').map(({name}) => name)")
            assert loaded and all(name.startswith(f"{base}/") for name in loaded), loaded
            page.answers()
        page.browser.open(f"{base}/prompts/email")
        page.wait_until_live()
        page.type("email", "ann@b.c", Keys.ENTER)
        page.wait(lambda: page.js("return location.href").startswith(f"{base}/prompts/email/done?"))


def test_cancelling_a_link_closes_the_ask_and_leaving_does_not(page):
    page.visit()
    ask = page.make()
    page.put({"link": ask["link"]})
    page.leave()
    page.js("document.querySelector('body > ok-cancel').remove()")
    assert page.outcome == {"outcome": "cancel"}
    assert page.okcancel.call("GET", f"/asks/{ask['id']}")["status"] == "open"
    page.put({"link": ask["link"]})
    page.browser.press(Keys.ESCAPE)
    assert page.outcome == {"outcome": "cancel"}
    assert page.okcancel.call("GET", f"/asks/{ask['id']}")["outcome"] == "cancel"


def test_a_question_that_is_taken_back_ends_so(page):
    page.visit()
    ask = page.make()
    page.put({"link": ask["link"]})
    page.okcancel.call("DELETE", f"/asks/{ask['id']}")
    page.type("email", "ann@b.c", Keys.ENTER)
    # What was typed can be read and copied until the person leaves.
    page.wait(lambda: page.find("#problem").text == "This question was withdrawn.")
    assert page.js("const {value, readOnly} = document.activeElement; return [value, readOnly]") == ["ann@b.c", True]
    page.leave()
    assert page.js("return settled") is None
    page.enter()
    assert page.cancel.text == "Close"
    page.cancel.click()
    assert page.outcome == {"outcome": "withdrawn"}
    page.ask({"link": ask["link"]})
    assert page.outcome == {"outcome": "withdrawn"}


def test_a_definition_goes_through_the_backend_of_the_page(page):
    page.visit(script="""
        window.startFor = (name, definition) => start(name, definition, {create: async () => window.create});""")
    definition = {"title": "Why?", "fields": [{"name": "reason", "rules": ["nonEmpty"]}]}
    page.put(definition)
    assert page.js("return document.title") == "Why?"
    page.type("reason", "so", Keys.ENTER)
    assert page.outcome["values"] == {"reason": "so"}
    ask = page.make(definition=definition)
    page.js("window.create = arguments[0]", ask)
    page.js("startFor('settled', arguments[0])", definition)
    page.enter()
    page.cancel.click()
    assert page.outcome["outcome"] == "cancel"
    page.ask(definition, {"create": f"{page.server}/healthz"})
    assert "Failed to fetch" in page.failure or "NetworkError" in page.failure or "Load failed" in page.failure
    page.site.posts["/silent"] = lambda form: ""
    page.ask(definition, {"create": "/silent"})
    assert page.failure == 'OKCancel: /silent answered 200; it should make an ask and answer {"link": …}'


def test_a_prompt_that_is_not_there_is_told(page):
    page.visit()
    page.ask("emial")
    assert page.failure == "OKCancel: There is no prompt `emial`; did you mean `email`?"
    assert page.told("error") == [{"detail": page.failure}]


def test_a_refused_answer_shows_its_messages_and_the_dialog_stays(page):
    page.visit()
    with page.relay.breaking("/validate/"):
        page.put("name")
        page.type("name", "taken")
        page.wait(lambda: page.ok_is_enabled)
        page.ok.click()
        page.wait(lambda: page.message("name"))
    assert page.message("name") == "That name is taken"
    assert page.focused == "name"
    assert not page.ok_is_enabled
    page.type("name", Keys.BACK_SPACE)
    page.wait(lambda: page.ok_is_enabled)
    assert page.message("name") == ""
    page.ok.click()
    assert page.outcome["values"] == {"name": "take"}


def test_an_answer_that_gets_lost_can_be_sent_again(page):
    page.visit().put("email")
    page.type("email", "ann@b.c")
    with page.relay.breaking("/prompts/email?receipt"):
        page.ok.click()
        page.wait(lambda: page.find("#problem").is_displayed())
        sentence = "The server cannot be reached; try again"
        assert page.find("#problem").text == sentence
        page.leave()
        page.wait(lambda: page.told("error"))
        assert page.told("error") == [{"status": 0, "detail": sentence}]
        page.enter()
    page.ok.click()
    assert page.outcome["values"] == {"email": "ann@b.c"}


def test_cancel_gets_out_even_without_a_server(page):
    def close():
        page.leave()
        page.js("document.querySelector('ok-cancel').close()")

    page.visit()
    for act in (lambda: page.cancel.click(), close):
        page.put("email")
        with page.relay.breaking("/prompts/email"):
            act()
            assert page.outcome == {"outcome": "cancel"}
