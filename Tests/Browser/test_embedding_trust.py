"""Which pages may speak to each other, and that no other can."""

import re

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from host import Host
from Support.command import ROOT


@pytest.fixture(scope="module")
def stranger():
    """A site that is not allowed."""
    with Host() as host:
        yield host


def test_an_origin_that_is_not_allowed_gets_no_dialog_and_no_message(page, stranger):
    page.visit(site=stranger)
    page.ask("email")
    origin = stranger.url("localhost")
    assert page.failure == (
        f"OKCancel: This server does not let pages of {origin} show its dialogs; "
        f"to allow them, start it with --allow-origin {origin}.")
    # Of everything else nothing is said.
    assert page.js("return [errors, heard, told.map(([type]) => type)]") == [[page.failure], ["error"], ["error"]]


def test_the_page_that_says_so_says_nothing_else(okcancel, site, stranger):
    """Promise 2.12 | A page whose origin is not allowed may frame one page: the one that tells it so, and nothing else."""
    def get(path, accept="text/html"):
        return okcancel.exchange("GET", path, headers={"Accept": accept})

    link = okcancel.call("POST", "/asks", {"prompt": "email"})["link"].removeprefix(okcancel.url)
    for path in ("/prompts/email", "/prompts/none", link):
        page = get(f"{path}?embedder={stranger.url()}")
        text = page.body.decode()
        assert (page.status, page.headers["Cache-Control"]) == (403, "no-store")
        assert page.headers["Content-Security-Policy"].endswith(f"frame-ancestors 'self' {stranger.url()}")
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert f'data-origins="{stranger.url()}"' in text and "email" not in text and site.url() not in text
        # The policy names only the sites that may frame it.
        for embedder in (site.url(), "", "null", "*", "https://a.example/b", "https://a.example%20*", "%22%3E"):
            policy = get(f"{path}?embedder={embedder}").headers["Content-Security-Policy"]
            assert policy.endswith(f"frame-ancestors 'self' {site.url()} {site.url('localhost')}"), embedder
    assert get(f"/prompts/email?embedder={stranger.url()}", "application/json").status == 200


def test_a_page_that_lies_about_itself_gets_no_dialog_and_no_message(page, stranger):
    """Promise 2.12"""
    page.visit(site=stranger)
    for embedder, origin in (
        (page.site.url("localhost"), stranger.url("localhost")), (page.site.url("localhost"), page.site.url("localhost")),
        (stranger.url(), stranger.url("localhost")), ("null", stranger.url("localhost")), ("*", "*"), ("", "*"),
    ):
        page.js(
            "heard.length = 0; document.querySelector('main > iframe')?.remove();"
            "const frame = document.createElement('iframe');"
            "frame.src = arguments[0] + '/prompts/email?' + new URLSearchParams({embedder: arguments[1]})"
            "+ '#' + new URLSearchParams({okcancel: 'x', origin: arguments[2]});"
            "document.querySelector('main').append(frame)", page.server, embedder, origin)
        # Whether it came or not, nothing was said.
        page.ask("email")
        assert "does not let pages of" in page.failure
        assert page.js("return heard") == ["error"], embedder


def test_an_allowed_origin_reads_rules_and_verdicts(page):
    page.visit(script="""
        const server = new URL(okcancel.address("email")).origin;
        const {compile} = await import(server + "/rules.js");
        const rules = await (await fetch(server + "/prompts/email/rules")).json();
        window.judge = (email) => compile(rules).field("email", {email}).isValid;
        window.judgeThere = async (email) => (await (await fetch(server + "/validate/email", {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({email})})).json()).isValid;""")
    page.wait(lambda: page.js("return typeof judgeThere === 'function'"))
    for email, verdict in (("bob@gmail", False), ("bob@gmail.com", True)):
        assert page.js("return judge(arguments[0])", email) is verdict
        assert page.js("return judgeThere(arguments[0])", email) is verdict


def test_forged_messages_change_nothing(page):
    """Promise 2.15 | Messages between a dialog and its page go to one known origin; forged ones change nothing.
    ASVS 3.5.5 | messages only from trusted origins | both sides check origin, window and id
    """
    other = f'<iframe id="other" title="Other" src="{page.site.url()}/other"></iframe>'
    page.visit(body=f'<button id="opener">Ask</button>{other}').put("email")
    page.leave()
    frame = page.frames[0]
    id = re.search(r"okcancel=(\w+)", page.js("return arguments[0].src", frame))[1]
    forged = {"okcancel": 1, "id": id, "type": "outcome", "outcome": {"outcome": "ok", "values": {"email": "evil@b.c"}}}
    # The right words from the wrong window and origin, to the page and to the dialog.
    page.js("const [data, origin] = arguments;"
            "window.dispatchEvent(new MessageEvent('message', {data, origin, source: window}));"
            "window.postMessage(data, '*')", forged, page.server)
    page.browser.enter_frame(page.find("#other"))
    page.js("parent.postMessage(arguments[0], '*');"
            "for (let i = 0; i < parent.frames.length; i++)"
            "for (const type of ['close', 'escape']) parent.frames[i].postMessage({...arguments[0], type}, '*')", forged)
    # The right window, but another dialog's words, or none that are known.
    page.leave()
    page.enter()
    page.js("for (const more of [{id: 'other'}, {okcancel: 2}, {type: 'constructor'}, {type: '__proto__'}])"
            "parent.postMessage({...arguments[0], ...more}, arguments[1])", forged, page.site.url("localhost"))
    page.leave()
    page.wait(lambda: page.js("return heard.filter(type => type === '__proto__').length") == 1)
    assert page.js("return settled") is None
    page.enter()
    page.answers()


def test_a_dialog_speaks_only_to_the_origin_that_it_was_told_of(page, stranger):
    page.visit()
    for origin, heard in (
        (stranger.url("localhost"), []), ("*", []), ("null", []), (page.site.url(), []), (page.server, []),
        (page.site.url("localhost"), ["ready"]),
    ):
        page.js(
            "heard.length = 0; document.querySelector('main > iframe')?.remove();"
            "const frame = document.createElement('iframe');"
            "frame.src = arguments[0] + '/prompts/email#' + new URLSearchParams({okcancel: 'x', origin: arguments[1]});"
            "document.querySelector('main').append(frame)", page.server, origin)
        page.browser.enter_frame(page.find("main > iframe"))
        page.wait_until_live()
        page.leave()
        if heard:
            page.wait(lambda: page.js("return heard")[:1] == heard)
        assert page.js("return heard")[:1] == heard, origin


def test_no_script_posts_to_any_origin():
    """Promise 2.15"""
    texts = [file.read_text() for file in (ROOT / "Public").rglob("*.js")]
    posts = [call for text in texts for call in re.findall(r"postMessage\((.*)\)", text)]
    assert sorted(post.rsplit(", ", 1)[1] for post in posts) == ["origin", "url.origin"]
