"""`<ok-cancel>`: a button, and a control of the form around it."""

from embedding import okcancel, page, site  # noqa: F401, fixtures
from selenium.webdriver.common.keys import Keys
from test_accessibility import violations


FORM = """<form action="/taken"><label for="email">Email</label> {element}<input name="last" value="1">
<button id="send">Send</button></form>"""


def is_valid(page):
    return page.js("return document.forms[0].checkValidity()")


def test_a_form_sends_the_value_like_any_input(page):
    element = '<ok-cancel id="email" prompt="email" name="email" receipt="proof" required></ok-cancel>'
    page.visit(FORM.format(element=element),
               script="window.changes = 0; document.forms[0].addEventListener('change', () => changes++);")
    page.site.forms.clear()
    element = page.find("ok-cancel")
    assert page.js("const {validity, validationMessage, form, value} = arguments[0];"
                   "return [validity.valueMissing, validationMessage !== '', form === document.forms[0], value]", element
                   ) == [True, True, True, None]
    page.find("#send").click()
    assert page.site.forms == [] and not is_valid(page)
    page.js("arguments[0].shadowRoot.querySelector('button').click()", element)
    page.enter()
    page.cancels()
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])
    assert not is_valid(page)
    page.js("arguments[0].shadowRoot.querySelector('button').click()", element)
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: is_valid(page))
    receipt = page.js("return arguments[0].outcome.receipt", element)
    assert page.js("return [changes, arguments[0].value, arguments[0].open]", element) == [1, "ann@b.c", False]
    page.find("#send").click()
    page.wait(lambda: page.site.forms)
    assert page.site.forms == [[("email", "ann@b.c"), ("proof", receipt), ("last", "1")]]


def test_a_cancelled_dialog_takes_no_answer_back_and_a_reset_does(page):
    element = """<ok-cancel prompt="email" name="email" values='{"email":"ann@b.c"}' required></ok-cancel>"""
    page.visit(FORM.format(element=element))
    element = page.find("ok-cancel")
    page.js("arguments[0].show()", element)
    page.enter()
    page.ok.click()
    page.leave()
    page.wait(lambda: is_valid(page))
    page.js("arguments[0].open = true", element)
    page.enter()
    page.cancels()
    page.wait(lambda: page.js("return arguments[0].outcome.outcome", element) == "cancel")
    assert page.js("return new FormData(document.forms[0]).get('email')") == "ann@b.c"
    page.js("document.forms[0].reset()")
    assert page.js("return new FormData(document.forms[0]).get('email') ?? arguments[0].outcome ?? null", element) is None
    assert not is_valid(page)


def test_a_dialog_that_was_just_closed_is_shown_again(page):
    reopen = "(element.close(), element.values = {email: 'bob@'}, element.show())"
    toggle = "(element.open = false, element.values = {email: 'bob@'}, element.open = true, element.show())"
    for again in (reopen, toggle):
        page.visit('<ok-cancel prompt="email"></ok-cancel>', script=f"""const element = document.querySelector("ok-cancel");
window.reopen = () => {{ window.settled = null; {again}.then((value) => settled = [value]); }};""")
        page.enter_element()
        page.leave()
        page.js("reopen()")
        page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])
        page.enter()
        assert page.text("email") == "bob@"
        page.answers()
        assert page.js("return document.querySelector('ok-cancel').open") is False


def test_a_disabled_control_does_nothing(page):
    page.visit('<form><fieldset disabled><ok-cancel prompt="email"></ok-cancel>'
               '<ok-cancel prompt="email" required><button slot="opener">Ask</button></ok-cancel></fieldset></form>')
    page.js("document.querySelector('[slot=opener]').click()")
    assert not page.part("button").is_enabled()
    assert page.js("return [...document.querySelectorAll('ok-cancel')].some(({open}) => open)") is False
    assert is_valid(page)


def test_the_opener_is_a_button_with_a_title_or_one_of_the_page(page):
    own = '<ok-cancel prompt="email"><button slot="opener" id="own">Own</button></ok-cancel>'
    page.visit('<ok-cancel prompt="maintenance-window"></ok-cancel><ok-cancel prompt="email">Your email</ok-cancel>'
               f'<form action="/taken">{own}</form>')
    assert page.js("return [...document.querySelectorAll('ok-cancel')]"
                   ".map(each => each.textContent || each.shadowRoot.textContent)") == ["maintenance window", "Your email", "Own"]
    page.find("#own").click()
    page.enter()
    page.browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return document.activeElement.id") == "own"
    # By the keyboard, into its own button.
    page.js("document.querySelectorAll('ok-cancel')[1].focus()")
    page.browser.press(Keys.ENTER)
    page.enter()
    page.browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: len(page.told("outcome")) == 2)
    assert page.js("return document.activeElement === document.querySelectorAll('ok-cancel')[1]")


def test_an_element_opens_by_its_attribute(page):
    page.visit('<ok-cancel prompt="email" open></ok-cancel>')
    page.enter()
    page.leave()
    page.js("document.querySelector('ok-cancel').removeAttribute('open')")
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])
    page.js("document.querySelector('ok-cancel').setAttribute('open', '')")
    page.enter()
    page.cancels()
    page.wait(lambda: len(page.told("outcome")) == 2)
    assert page.js("return document.querySelector('ok-cancel').open") is False


def test_an_outcome_may_open_the_next_dialog(page):
    page.visit('<ok-cancel prompt="email"></ok-cancel>', script="""
        document.addEventListener("okcancel:outcome", ({target}) => target.show(), {once: true});
        document.querySelector("ok-cancel").show();""")
    for count in (1, 2):
        page.enter()
        page.cancels()
        page.wait(lambda: len(page.told("outcome")) == count)


def test_a_dialog_without_fields_sends_that_it_was_ok(page):
    page.visit(FORM.format(element='<ok-cancel prompt="question" name="sure" required></ok-cancel>'))
    page.enter_element()
    page.ok.click()
    page.leave()
    page.wait(lambda: is_valid(page))
    assert page.js("return [new FormData(document.forms[0]).get('sure'), document.querySelector('ok-cancel').value]"
                   ) == ["ok", "ok"]


def test_an_element_that_could_not_open_opens_once_it_can(page):
    page.visit('<ok-cancel prompt="No name"></ok-cancel>')
    page.js("document.querySelector('ok-cancel').shadowRoot.querySelector('button').click()")
    page.wait(lambda: page.told("error"))
    assert page.js("return [errors.length, document.querySelector('ok-cancel').open]") == [1, False]
    page.js("const element = document.querySelector('ok-cancel'); element.prompt = 'email'; element.open = true")
    page.enter()
    page.cancels()
    page.wait(lambda: page.told("outcome") == [{"outcome": "cancel"}])


HINTED = """<form action="/taken"><label for="email">Email</label>
<ok-cancel id="email" prompt="email" name="email" required aria-describedby="hint more">Enter your email</ok-cancel>
<p id="hint">We only use it to reply.</p><p id="more">Never for news.</p><button id="send">Send</button></form>"""


def told(page, selector="ok-cancel"):
    """What a screen reader learns of the element's button: role, name, description, whether required and invalid."""
    return page.js(
        "const button = document.querySelector(arguments[0]).shadowRoot.querySelector('button');"
        "const help = button.getRootNode().getElementById(button.getAttribute('aria-describedby'));"
        "return [button.getAttribute('role'), button.ariaLabel ?? button.textContent, help.textContent,"
        "button.getAttribute('aria-required'), button.getAttribute('aria-invalid')]", selector)


def test_what_the_page_says_of_the_element_is_told_of_its_button(page):
    page.visit(HINTED)
    hint = "We only use it to reply. Never for news."
    assert told(page) == ["combobox", "Email", hint, "true", "false"]
    if page.browser.name == "chromium":
        button = page.part("button")
        assert (button.accessible_name, button.aria_role) == ("Email", "combobox")
    assert violations(page) == []
    # A label brings the focus, and the arrow that opens a list opens the dialog.
    page.find("label").click()
    assert page.js("return document.activeElement.id") == "email"
    page.find("#send").click()
    assert told(page) == ["combobox", "Email", hint, "true", "true"]
    page.js("document.querySelector('ok-cancel').focus()")
    page.browser.press(Keys.ARROW_DOWN)
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: is_valid(page))
    assert told(page) == ["combobox", "Email", hint, "true", "false"]
    assert violations(page) == []
    page.js("""const element = document.querySelector("ok-cancel");
        for (const [name, text] of [["invalid", "true"], ["describedby", "none"], ["required", "false"], ["label", "Mail"]]) {
          element.setAttribute("aria-" + name, text);
        }""")
    assert told(page) == ["combobox", "Mail", "", "false", "true"]
    page.js("document.querySelector('ok-cancel').setAttribute('aria-labelledby', 'more send')")
    assert told(page)[1] == "Never for news. Send"


def test_a_button_that_is_no_control_keeps_its_name(page):
    page.visit('<label>Email <ok-cancel id="a" prompt="email">Your email</ok-cancel></label>'
               '<label for="b">Mail</label><ok-cancel id="b" prompt="email">Your email</ok-cancel>'
               '<ok-cancel id="c" prompt="email">Your email</ok-cancel>')
    names = {"#a": "Email Your email", "#b": "Mail Your email"}
    for selector in ("#a", "#b"):
        assert told(page, selector) == [None, names[selector], "", None, "false"]
    assert page.js("return document.querySelector('#c').shadowRoot.querySelector('button').ariaLabel") is None
    assert violations(page) == []


def shown(page):
    return page.js("const button = document.querySelector('ok-cancel').shadowRoot.querySelector('button');"
                   "return button.querySelector('slot') ? null : button.innerText")


def test_the_button_shows_what_was_answered(page):
    page.visit(FORM.format(element='<ok-cancel prompt="email" name="email">Enter your email</ok-cancel>'))

    def answer(email):
        page.enter_element()
        page.select_all("email")
        page.type("email", email, Keys.ENTER)
        page.leave()
        page.wait(lambda: page.js("return document.querySelector('ok-cancel').value") == email)

    assert shown(page) is None
    answer("a&b@b.c")
    assert shown(page) == "a&b@b.c"
    answer("ann@b.c")
    assert shown(page) == "ann@b.c"
    page.enter_element()
    page.cancels()
    page.wait(lambda: page.told("outcome")[-1] == {"outcome": "cancel"})
    assert shown(page) == "ann@b.c"
    page.js("document.forms[0].reset()")
    assert shown(page) is None
    answer("bob@b.c")
    # A page that says otherwise: with a title of its own, or at all.
    page.js("document.querySelector('ok-cancel').textContent = 'Another email'")
    page.wait(lambda: shown(page) is None)
    answer("ann@b.c")
    page.js("document.querySelector('ok-cancel').keepTitle = true")
    assert shown(page) is None
    page.js("document.addEventListener('okcancel:outcome', ({target}) => target.firstChild.data = 'Thanks', {once: true})")
    page.js("document.querySelector('ok-cancel').keepTitle = false")
    assert shown(page) == "ann@b.c"
    answer("eve@b.c")
    page.wait(lambda: shown(page) is None)


def test_the_button_shows_titles_and_no_password(page):
    page.visit('<ok-cancel prompt="login">Sign in</ok-cancel><ok-cancel prompt="order"></ok-cancel>')
    page.enter_element()
    page.type("user", "ad")
    page.type("password", "correct horse battery")
    page.insert("user", "\u202ea")
    page.wait(lambda: page.js("return document.getElementById('hidden-user')?.textContent") == "Hidden characters: ⟨U+202E⟩")
    page.ok.click()
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return document.querySelector('ok-cancel').outcome.values") == {
        "user": "ad\u202ea", "password": "correct horse battery"}
    assert shown(page) == "ad⟨U+202E⟩a"
    page.js("document.querySelector('ok-cancel').remove(); const element = document.querySelector('ok-cancel');"
            "element.values = {quantity: 2, reasons: ['late', 'other'], urgent: true}; element.show()")
    page.enter()
    page.ok.click()
    page.leave()
    page.wait(lambda: len(page.told("outcome")) == 2)
    assert shown(page) == "2, late, other, Urgent"


def test_events_have_properties_for_jsx(page):
    page.visit('<ok-cancel prompt="email"></ok-cancel>', script="""
        window.said = [];
        const element = document.querySelector("ok-cancel");
        for (const name of ["Ready", "Validity", "Outcome"]) {
          element["on" + name] = ({type, detail}) => said.push(["on" + type, detail?.outcome]);
          element.addEventListener(name, ({type}) => said.push([type]));
        }
        element.show();""")
    page.enter()
    page.cancels()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return said") == [
        ["Ready"], ["onReady", None], ["Validity"], ["onValidity", None], ["Outcome"], ["onOutcome", "cancel"]]
