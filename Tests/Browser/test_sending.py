"""An answer on its way: what cannot be sent stays, and is sent again."""

import json
import re
import signal

import pytest
from CommandLine.asking import Asking
from conftest import Dialog, direct, serving
from relay import Relay
from selenium.webdriver.common.keys import Keys
from Support.client import Client

UNREACHABLE = "The server cannot be reached; try again"


def problem(dialog):
    """The message above the buttons."""
    return dialog.js("const p = document.getElementById('problem'); return p.hidden ? '' : p.textContent")


def waits_again(dialog, message=UNREACHABLE):
    dialog.wait(lambda: problem(dialog) == message)
    dialog.wait(lambda: dialog.spoken == message)
    assert dialog.ok_is_enabled
    assert dialog.ok.get_attribute("aria-busy") == "false"


def test_an_answer_that_cannot_be_sent_stays_and_a_second_press_sends_it(dialog):
    dialog.open("email")
    dialog.type("email", "ada@example.com")
    with dialog.relay.breaking("/prompts/email"):
        dialog.ok.click()
        waits_again(dialog)
        assert dialog.text("email") == "ada@example.com"
        assert dialog.path == "/prompts/email"
        dialog.cancel.click()
        dialog.wait(lambda: dialog.posts()[-1:] == [("/prompts/email", "outcome=cancel")])
        waits_again(dialog)
    dialog.ok.click()
    dialog.ends("ok")


@pytest.mark.parametrize("status, detail", [(429, "Too many at once; wait 3 seconds."), (500, None), (503, None)])
def test_an_answer_that_the_server_does_not_take_stays(dialog, status, detail):
    body = json.dumps({"detail": detail}).encode() if detail else b"<h1>Bad Gateway</h1>"
    dialog.open("email")
    dialog.type("email", "ada@example.com")
    with dialog.relay.answering("POST", "/prompts/email", status, body):
        dialog.ok.click()
        waits_again(dialog, detail or UNREACHABLE)
    dialog.ok.click()
    dialog.ends("ok")


def test_a_retry_has_the_key_of_the_first_try_and_an_edited_answer_a_new_one(dialog):
    dialog.open("email")
    dialog.type("email", "ada@example.com")
    with dialog.relay.answering("POST", "/prompts/email", 503, b""):
        for count in (1, 2):
            dialog.ok.click()
            dialog.wait(lambda: len(dialog.relay.posts) == count)
            waits_again(dialog)
        dialog.type("email", "x")
        dialog.ok.click()
        dialog.wait(lambda: len(dialog.relay.posts) == 3)
        waits_again(dialog)
    first, again, edited = dialog.relay.keys
    assert re.fullmatch(r"[\x21-\x7e]{16,255}", first)
    assert again == first != edited


def test_an_answer_whose_acknowledgement_is_lost_is_kept_once(linked, asking):
    def kept():
        return asking.request("GET", "/prompts/size/answers", headers=asking.authorized)[1].splitlines()

    linked.open("size")
    linked.type("size", "5")
    before = len(kept())
    with linked.relay.breaking("/prompts/size", after=True):
        linked.ok.click()
        waits_again(linked)
        assert len(kept()) == before + 1
    linked.ok.click()
    linked.ends("ok")
    assert [json.loads(line)["values"] for line in kept()[before:]] == [{"size": 5}]


@pytest.mark.parametrize("button", ["ok", "cancel"])
def test_a_link_whose_acknowledgement_is_lost_leads_to_the_last_page(linked, button):
    linked.put().type("size", "5")
    with linked.relay.breaking(linked.link, after=True):
        getattr(linked, button).click()
        waits_again(linked)
    closed = linked.kept
    assert closed["outcome"] == button
    getattr(linked, button).click()
    linked.ends(button)
    assert "You can close this page." in linked.find("main").text
    assert linked.kept == closed


def test_the_same_answer_once_more_has_another_key(dialog):
    for _ in range(2):
        dialog.open("question")
        dialog.ok.click()
        dialog.ends("ok")
    assert len(set(dialog.relay.keys)) == len(dialog.relay.keys)


def test_an_answer_that_the_server_refuses_keeps_what_was_typed_passwords_too(dialog):
    dialog.open("name")
    dialog.insert("name", "free")
    dialog.wait(lambda: dialog.ok_is_enabled)
    answer = {"detail": "The name is taken.", "errors": [{"field": "name", "message": "Taken meanwhile"}]}
    with dialog.relay.answering("POST", "/prompts/name", 422, json.dumps(answer).encode()):
        dialog.ok.click()
        dialog.wait(lambda: dialog.message("name") == "Taken meanwhile")
    assert dialog.focused == "name"
    assert dialog.text("name") == "free"
    assert not dialog.ok_is_enabled


def test_actions_and_lists_go_out_as_the_form_would_send_them(dialog):
    dialog.open("order")
    dialog.type("quantity", "3")
    dialog.click("[name=reasons][value=late]")
    dialog.click("[name=reasons][value=other]")
    dialog.click("[value=hold]")
    dialog.ends("action")
    assert dialog.posts() == [("/prompts/order", "quantity=3&reasons=late&reasons=other&note=&action=hold")]


ENDS = {
    "answered": (lambda asking, ask, path: asking.call("POST", path, {"outcome": "cancel"}),
                 "This question has already been answered.", "Already answered"),
    "withdrawn": (lambda asking, ask, path: asking.call("DELETE", f"/asks/{ask['id']}"),
                  "This question was withdrawn.", "No longer needed"),
    "expired": (None, "This question has expired.", "Too late"),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_link_that_ended_meanwhile_says_so_and_keeps_what_was_typed(linked, asking, end):
    act, sentence, heading = ENDS[end]
    # Long enough to open it and type, on any machine.
    linked.put(**({} if act else {"expiresIn": 12})).type("size", "5")
    if act:
        act(asking, linked.asked, linked.link)
        linked.ok.click()
    # What expires says so by itself.
    linked.wait(lambda: problem(linked) == sentence)
    linked.wait(lambda: linked.spoken == sentence)
    assert linked.js("const {value, readOnly} = arguments[0]; return [value, readOnly]", linked.field("size")) == ["5", True]
    # Nothing is left to press.
    assert not linked.js("return document.querySelector('.buttons').checkVisibility()")
    assert linked.js("return document.getElementById('dialog').contains(document.activeElement)")
    linked.browser.press(Keys.ESCAPE)
    linked.js("location.reload()")
    linked.wait(lambda: linked.find("h1").text == heading)


def test_a_prompt_that_was_removed_meanwhile_keeps_what_was_typed(browser, tmp_path):
    (tmp_path / "size.yaml").write_text("title: Size\nfields:\n  - {name: size}\n")
    with serving(tmp_path) as server, Relay(server.url) as relay:
        dialog = Dialog(browser, relay)
        dialog.open("size")
        dialog.type("size", "quite large")
        (tmp_path / "size.yaml").unlink()
        server.process.send_signal(signal.SIGHUP)
        dialog.wait(lambda: Client(server.url, None).request("GET", "/prompts/size")[0] == 404)
        dialog.ok.click()
        sentence = "There is no question at this address. Check the link, or ask for a new one."
        dialog.wait(lambda: problem(dialog) == dialog.spoken == sentence)
        assert dialog.js("const {value, readOnly} = arguments[0]; return [value, readOnly]", dialog.field("size")) == ["quite large", True]


def test_a_link_that_expires_untouched_goes_to_its_last_page(linked, asking):
    ask = asking.call("POST", "/asks", {"prompt": "size", "expiresIn": 2})
    linked.go("/a/" + ask["link"].rpartition("/")[2])
    linked.wait(lambda: linked.find("h1").text == "Too late")


def test_an_answer_that_hangs_says_so_and_stays_the_only_outcome(dialog):
    dialog.open("email")
    dialog.type("email", "ada@example.com")
    with dialog.relay.holding("POST", "/prompts/email"):
        dialog.ok.click()
        dialog.wait(lambda: problem(dialog) == dialog.spoken == "Still sending…")
        assert dialog.ok.get_attribute("aria-busy") == "true"
        dialog.browser.press(Keys.ESCAPE)
        dialog.cancel.click()
        dialog.browser.press(Keys.ENTER)
        dialog.rests()
    dialog.ends("ok")
    assert [body for _, body in dialog.posts()] == ["email=ada%40example.com&outcome=ok"]


def test_an_answer_that_hangs_for_good_can_be_sent_again(dialog):
    dialog.open("email")
    dialog.js("const {timeout} = AbortSignal; AbortSignal.timeout = (time) => timeout.call(AbortSignal, time / 5)")
    dialog.type("email", "ada@example.com")
    with dialog.relay.holding("POST", "/prompts/email"):
        dialog.ok.click()
        dialog.wait(lambda: problem(dialog) == "Still sending…")
        waits_again(dialog)
    dialog.wait(lambda: len(dialog.relay.posts) == 1)
    dialog.ok.click()
    dialog.ends("ok")
    assert len(set(dialog.relay.keys)) == 1


def test_the_complaint_goes_when_the_line_is_back(dialog):
    dialog.open("email")
    dialog.type("email", "ada@example.com")
    with dialog.relay.breaking("/prompts/email"):
        dialog.ok.click()
        waits_again(dialog)
    dialog.js("dispatchEvent(new Event('online'))")
    assert problem(dialog) == ""


@pytest.mark.parametrize("button", ["ok", "cancel"])
def test_back_from_an_answered_link_says_so(linked, button):
    """Whether the browser keeps the page or asks for it again."""
    linked.put().type("size", "5")
    getattr(linked, button).click()
    linked.ends(button)
    linked.browser.back()
    linked.wait(lambda: linked.path == linked.link)
    linked.wait(lambda: "already" in linked.js("return document.querySelector('main').innerText").lower())
    assert not linked.js("return document.querySelector('.buttons > .ok')?.checkVisibility()")


def test_pages_without_a_question_talk_to_people(linked, asking):
    linked.put()
    asking.call("DELETE", f"/asks/{linked.asked['id']}")
    for path, says in [
            (linked.link, "You can close this page."), ("/prompts/size/done?outcome=ok", "You can close this page."),
            ("/nowhere", "There is no page at this address"), ("/prompts/nothing", "Check the link"), ("/a/0123456789", "Check the link")]:
        linked.go(path)
        text = linked.find("main").text
        assert says in text and not re.search("Error|Status|4[01][04]|GET /|prompts?\\b", text), text


def test_a_server_for_one_question_stays_until_its_last_page_is_there(browser):
    asking = Asking("--title", "Name?", "--field", "name")
    dialog = Dialog(browser, direct(asking.link))
    dialog.go("")
    dialog.wait_until_live()
    dialog.type("name", "Ada")
    dialog.ok.click()
    dialog.wait(lambda: dialog.find("h1").text == "Thank you")
    # The last page's own style was fetched too, which a browser gets only from a server that is still there.
    dialog.wait(lambda: dialog.js("return document.readyState") == "complete")
    assert dialog.js("return [...document.styleSheets].map(sheet => sheet.cssRules.length > 0)") == [True, True]
    assert asking.ended()[:2] == (0, "Ada\n")


def test_a_question_that_has_changed_comes_anew_with_what_was_typed(browser, tmp_path):
    prompt = tmp_path / "account.yaml"
    prompt.write_text("title: Create account?\nfields: [{name: user}]\n")
    with serving(tmp_path) as server, Relay(server.url) as relay:
        dialog = Dialog(browser, relay)
        dialog.open("account")
        dialog.type("user", "ada")
        prompt.write_text("title: Delete account?\nfields: [{name: user}]\n")
        server.process.send_signal(signal.SIGHUP)
        client = Client(server.url, server.token)
        dialog.wait(lambda: client.call("GET", "/prompts/account/schema")["title"] == "Delete account?")
        dialog.ok.click()
        dialog.wait(lambda: browser.driver.title == "Delete account?")
        dialog.wait_until_live()
        assert problem(dialog) == "The question has changed; check your answer and send it again"
        assert dialog.text("user") == "ada"
        dialog.ok.click()
        dialog.ends("ok")


# The server finds the end.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("end", [".", ")", ",", "/", ").", "%29"])
def test_a_link_with_the_end_of_its_sentence_opens(linked, end):
    linked.put()
    linked.go(linked.link + end)
    linked.wait_until_live()
    linked.type("size", "5")
    linked.ok.click()
    linked.ends("ok")
    assert linked.kept["values"] == {"size": 5}


# As an extension would; the second form is sent by the browser itself.
@pytest.mark.parametrize("send", ["requestSubmit", "submit"])
def test_what_an_extension_adds_to_the_form_is_dropped(linked, send):
    linked.put().type("size", "5")
    linked.js(
        "const [size, send] = arguments, added = '<input name=extension value=1><input name=size-2 hidden>';"
        "size.insertAdjacentHTML('afterend', added); if (send == 'submit') {"
        "  size.insertAdjacentHTML('afterend', '<input type=hidden name=outcome value=ok>'); size.form.submit();"
        "} else size.form.requestSubmit()", linked.field("size"), send)
    linked.ends("ok")
    assert linked.kept["values"] == {"size": 5}
