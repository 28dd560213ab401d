"""A page of another site and the dialog that it opens, by what a person there sees and does."""

import pytest
from conftest import Dialog, prompts_folder, serving
from host import Host
from relay import FRAME, Relay
from selenium.webdriver.common.keys import Keys
from Support.client import Client

PAGE = """<!doctype html><html lang="en"{html}><head><title>A tool</title><meta charset="utf-8"></head>
<body><main><h1>A tool</h1>{body}</main><script type="module">
import * as okcancel from "{server}/okcancel.js";
window.ask = okcancel.ask;
window.errors = [];
console.error = (text) => errors.push(String(text));
window.heard = [];
addEventListener("message", ({{ data }}) => heard.push(data?.type));
window.told = [];
for (const type of ["ready", "validity", "error", "outcome"]) {{
  document.addEventListener("okcancel:" + type, ({{ detail }}) => told.push([type, detail]));
}}
// What a driver's script leaves behind, Firefox forgets when it goes to a frame and back: so this is the page's own.
window.start = (name, ...question) => {{
  window[name] = null;
  ask(...question).then((value) => window[name] = [value], (error) => window[name] = ["failed", error.message]);
}};
{script}
</script></body></html>"""


@pytest.fixture(scope="module")
def site():
    """A site whose two names are both allowed: one is another site to the server, one another port of the same."""
    with Host() as host:
        yield host


@pytest.fixture(scope="module")
def okcancel(site, tmp_path_factory):
    """The server, behind a relay that can break; `okcancel.relay.url` is what pages know."""
    options = ["--allow-origin", site.url(), "--allow-origin", site.url("localhost")]
    folder = prompts_folder(tmp_path_factory.mktemp("prompts"))
    with serving(folder, *options) as server, Relay(server.url) as relay:
        site.okcancel = Client(relay.url, server.token)
        site.okcancel.relay = relay
        yield site.okcancel


class Embedding(Dialog):
    """A page of another site, and the dialog that it opens."""

    def __init__(self, browser, okcancel, site):
        super().__init__(browser, okcancel.relay)
        self.okcancel, self.site = okcancel, site

    def visit(self, body='<button id="opener">Ask</button>', name="localhost", html="", script="", site=None, headers={}):
        site = site or self.site
        site.pages["/"] = PAGE.format(body=body, server=self.server, html=html, script=script)
        site.headers = headers
        self.browser.leave_frame()
        self.browser.open(site.url(name))
        self.wait(lambda: self.js("return typeof ask === 'function'"))
        return self

    def visit_framed(self, width, height, **page):
        """The page, in a frame of this size."""
        self.visit(**page)
        self.browser.open(f"{self.server}{FRAME}?path={self.site.url()}/&width={width}&height={height}")
        self.browser.enter_frame()
        self.wait(lambda: self.js("return typeof ask === 'function'"))

    def ask(self, *arguments):
        """Calls `ask` as a click on the opener would; `outcome` waits for what it gives."""
        self.js("document.getElementById('opener')?.focus(); start('settled', ...arguments[0])", arguments)

    def put(self, *arguments):
        """Asks, and goes into the dialog."""
        self.ask(*arguments)
        self.enter()

    def enter_element(self):
        """Opens the page's element, and goes into its dialog."""
        self.js("document.querySelector('ok-cancel').show()")
        self.enter()

    def settle(self):
        """Waits until the frame is as high as its dialog: a click misses a button that moves."""
        self.wait(lambda: self.js(
            "return innerHeight >= document.getElementById('dialog').getBoundingClientRect().height"))

    def cancels(self):
        """Presses Cancel, and goes back to the page."""
        self.cancel.click()
        self.leave()

    def answers(self, email="ann@b.c"):
        """Types an address and presses Enter, and that is the outcome."""
        self.type("email", email, Keys.ENTER)
        assert self.outcome == {"outcome": "ok", "values": {"email": email}}

    def make(self, **ask):
        """An ask of the page's backend: its id and its link."""
        return self.okcancel.call("POST", "/asks", ask or {"prompt": "email"})

    def part(self, selector):
        """What the element has in its shadow, or the one that carries its dialog."""
        return self.js(
            "return [...document.querySelectorAll('ok-cancel')]"
            ".map(({shadowRoot}) => shadowRoot.querySelector(arguments[0])).find(Boolean)", selector)

    @property
    def frames(self):
        """The frames of open dialogs, the one on top last."""
        return self.js(
            "return [...document.querySelectorAll('ok-cancel')]"
            ".flatMap(({shadowRoot}) => [...shadowRoot.querySelectorAll('dialog[data-ready] iframe')])")

    def enter(self, count=1):
        """Into the frame on top, once there are so many."""
        def entered():
            # Looked for once: a frame that goes to another address is not there for a moment.
            if len(frames := self.frames) == count:
                self.browser.enter_frame(frames[-1])
                return True

        self.wait(entered)
        self.wait_until_live()

    def leave(self):
        self.browser.leave_frame()

    @property
    def outcome(self):
        return self.outcome_of("settled")

    def outcome_of(self, name):
        self.leave()
        self.wait(lambda: self.js("return window[arguments[0]]", name))
        found = self.js("return window[arguments[0]]", name)
        assert found[0] != "failed", found
        return self.without_by(found[0])

    @staticmethod
    def without_by(outcome):
        """The outcome without who it is from, which is not known here. What the page itself makes of a failure has none."""
        assert outcome.pop("by", {"via": "link"}) == {"via": "link"}
        return outcome

    @property
    def failure(self):
        self.leave()
        self.wait(lambda: self.js("return window.settled"))
        failed, message = self.js("return settled")
        assert failed == "failed"
        return message

    def click_beside(self):
        """On what is behind the dialog."""
        self.leave()
        self.browser.click_at(5, 5)

    def told(self, kind):
        details = [detail for type, detail in self.js("return told") if type == kind]
        return [self.without_by(detail) for detail in details] if kind == "outcome" else details

    def is_gone(self):
        return self.js("return document.querySelector('body > ok-cancel') === null")


@pytest.fixture
def page(browser, okcancel, site):
    page = Embedding(browser, okcancel, site)
    yield page
    page.leave()
