"""A real server with the examples and the prompts of this folder, and three real browsers."""

import contextlib
import json
import re
import shutil
import time
import urllib.parse
from pathlib import Path
from types import SimpleNamespace

import pytest
from selenium.webdriver.common.keys import Keys

from relay import FRAME, Relay
from Support.browsers import BROWSERS
from Support.client import Client
from Support.command import ROOT
from Support.nested import SCHEMA
from Support.server import Server

HERE = Path(__file__).parent
EXAMPLES = sorted(file.stem for file in (ROOT / "Examples").glob("*.yaml"))


def prompts_folder(folder):
    """The examples and the prompts of this folder in one."""
    for origin in (ROOT / "Examples", HERE / "Prompts"):
        for file in origin.glob("*.yaml"):
            shutil.copy(file, folder)
    (folder / "nested.schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    return folder


def serving(prompts, *options):
    """A server of these prompts, which may ask for the predicate `free`."""
    return Server(prompts, "--predicate", f"free={HERE / 'free-name'}", "--log-level", "error", *options)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The URL of a running server."""
    with serving(prompts_folder(tmp_path_factory.mktemp("prompts"))) as server:
        yield server.url


@pytest.fixture(scope="session")
def relay(server):
    """What the browsers take for the server."""
    with Relay(server) as relay:
        yield relay


@pytest.fixture(scope="session", params=list(BROWSERS))
def browser_name(request):
    return request.param


@pytest.fixture(scope="session")
def browser(browser_name):
    browser = BROWSERS[browser_name]()
    yield browser
    browser.quit()


@pytest.fixture(autouse=True)
def living_browser(request):
    """A browser that crashed in one test fails no other."""
    if "browser" in request.fixturenames and request.getfixturevalue("browser_name") == "webkit":
        request.getfixturevalue("browser").revive()


@pytest.fixture(scope="session")
def scriptless_browser(browser_name):
    browser = BROWSERS[browser_name](scripts=False)
    yield browser
    browser.quit()


# `timers` are those that the page has set from now on and that are still to come.
COUNT_TIMERS = """
  if (window.timers) return;
  const set = setTimeout.bind(window), clear = clearTimeout.bind(window);
  window.timers = new Set();
  window.setTimeout = (act, pause = 0) => {
    const timer = set(() => { timers.delete(timer); act(); }, pause);
    // WebKit's driver sets one for the longest time that a script may take.
    if (pause < 60_000) timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => {
    timers.delete(timer);
    clear(timer);
  };
"""


class Dialog:
    """A dialog's page, by what a person sees and does."""

    def __init__(self, browser, relay):
        self.browser, self.relay, self.server = browser, relay, relay.url

    def open(self, name):
        self.go(f"/prompts/{name}")
        self.wait_until_live()
        return self

    def open_framed(self, name, width, height=800):
        """In a frame of this size, for what a window cannot be."""
        path = urllib.parse.quote(f"/prompts/{name}")
        self.go(f"{FRAME}?path={path}&width={width}&height={height}")
        self.browser.enter_frame()
        self.wait_until_live()
        return self

    def go(self, path):
        self.browser.leave_frame()
        self.browser.open(self.server + path)
        self.lets_press()
        self.relay.posts.clear()
        self.relay.keys.clear()

    def wait_until_live(self):
        self.wait(lambda: self.js("return document.getElementById('dialog')?.hasAttribute('data-ready')"))
        self.js(COUNT_TIMERS)
        self.lets_press()

    def lets_press(self):
        """As if the person had looked at the dialog for an hour. Its first frame, or the focus, would start that anew."""
        gate = "document.getElementById('dialog')?.gate"
        if self.js(f"return !!{gate}"):
            self.drawn()
            self.js(f"Object.assign({gate}, {{hasFocus: true}}).show(-3_600_000)")

    def drawn(self, times=2):
        """Waits until the page has been drawn so often, and has been told of all events before."""
        for _ in range(times):
            self.js("return new Promise(requestAnimationFrame)")

    def rests(self):
        """Waits until the page has nothing left to do: no timer that it set since it was live is still to come."""
        self.drawn()
        self.wait(lambda: self.js("return timers.size === 0"))
        self.drawn()

    def js(self, script, *arguments):
        return self.browser.js(script, *arguments)

    def wait(self, condition, seconds=60):
        """Until the condition holds; what the page still lacks while it loads is asked for again."""
        end = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
                error = AssertionError("this did not come true")
            except Exception as caught:  # a page that changes has other errors in each browser
                error = caught
            if time.monotonic() > end:
                raise error
            time.sleep(0.02)

    @contextlib.contextmanager
    def going_on(self, script):
        """Runs this in the page once the block ends. A driver that ran it would wait for the navigation that it begins."""
        with self.relay.holding("GET", "/go-on"):
            # Once more if a navigation ended it.
            self.js(f"(function ask() {{ fetch('/go-on').then(() => {{ {script} }}, ask); }})()")
            yield

    def find(self, selector):
        return self.browser.find(selector)

    def click(self, selector):
        """Drivers take what lies under the buttons for visible, and WebKit's what lies just below the window's edge."""
        element = self.find(selector)
        self.browser.js("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def field(self, name):
        return self.find(f"#field-{name}")

    def type(self, name, *parts):
        """Types into a field; each part is a text or one key."""
        field = self.field(name)
        for part in parts:
            field.send_keys(part)

    def chord(self, name, key):
        """A key together with Control."""
        if name:
            self.js("arguments[0].focus()", self.field(name))
        self.browser.chord(Keys.CONTROL, key)

    def undo(self, name):
        """As the browser's menu does: not every browser has a key for it."""
        self.js("arguments[0].focus(); document.execCommand('undo')", self.field(name))

    def select_all(self, name):
        self.js("arguments[0].focus(); arguments[0].select()", self.field(name))

    def insert(self, name, text):
        """One edit with this text, as pasting brings it."""
        self.js("arguments[0].focus(); document.execCommand('insertText', false, arguments[1])", self.field(name), text)

    def text(self, name):
        return self.field(name).get_property("value")

    def selection(self, name):
        return self.js("return [arguments[0].selectionStart, arguments[0].selectionEnd]", self.field(name))

    def message(self, name):
        """The message that can be seen by the field."""
        return self.js("return arguments[0].checkVisibility() ? arguments[0].innerText : ''", self.find(f"#error-{name}"))

    @property
    def ok(self):
        return self.find(".buttons > .ok")

    @property
    def cancel(self):
        return self.find(".buttons > .cancel")

    @property
    def ok_is_enabled(self):
        return self.ok.get_attribute("aria-disabled") != "true" and self.ok.is_enabled()

    @property
    def why(self):
        """What a screen reader says of OK, besides its name."""
        return self.js(
            "const id = arguments[0].getAttribute('aria-describedby');"
            "return id ? document.getElementById(id).textContent : ''", self.ok)

    @property
    def spoken(self):
        """What a screen reader said last."""
        return self.js("return document.getElementById('live').textContent")

    @property
    def focused(self):
        return self.js("return document.activeElement.name || document.activeElement.localName")

    @property
    def path(self):
        return self.browser.url.removeprefix(self.server)

    def ends(self, outcome):
        """Waits for the page after an outcome, and until all of it is there."""
        self.wait(lambda: self.path.endswith(f"/done?outcome={outcome}") and self.js("return document.readyState") == "complete")

    def comes_back(self):
        """Waits for the page again, with what was wrong."""
        self.wait(lambda: self.browser.title.startswith("Error: ") and self.js("return document.readyState") == "complete")

    def posts(self):
        """The paths posted to since the page was opened or this was last asked, each with its body, without what the page itself adds."""
        # One that comes meanwhile stays for the next time.
        posts = self.relay.posts[:]
        del self.relay.posts[:len(posts)]
        return [(path, re.sub("(^|&)okcancel-(version|password)=[^&]*", "", body).lstrip("&")) for path, body in posts]

    def point(self, element):
        """The middle of an element, in the window."""
        box = self.js("const box = arguments[0].getBoundingClientRect(); return [box.x, box.y, box.width, box.height]", element)
        return round(box[0] + box[2] / 2), round(box[1] + box[3] / 2)

    def listens(self):
        """Notes all that a screen reader hears from now on, and when it heard the last; `heard` gives it."""
        self.js(
            "const live = document.getElementById('live'); window.heard = [];"
            "new MutationObserver(() => {"
            "  if (!live.textContent) return; heard.push(live.textContent); window.heardAt = performance.now();"
            "}).observe(live, {childList: true})")

    @property
    def heard(self):
        return self.js("return heard")

    def record(self, *types):
        """Notes the dialog's events from now on; `events` gives them."""
        self.js(
            "window.noted = []; for (const type of arguments[0]) document.addEventListener('okcancel:' + type,"
            "event => noted.push([type, event.detail.field ?? null, event.detail.text ?? event.detail.outcome ?? null]))",
            types)

    @property
    def events(self):
        return [tuple(event) for event in self.js("return noted")]


def direct(url):
    """A server without a relay in front of it."""
    return SimpleNamespace(url=url, posts=[], keys=[])


class Linked(Dialog):
    """A dialog behind the links of a program that asks: `asked` is its ask, `link` the path."""

    def __init__(self, browser, relay, asking):
        super().__init__(browser, relay)
        self.asking = asking

    def put(self, **ask):
        """Makes an ask, of the prompt `size` unless it says otherwise, and opens its link."""
        self.asked = self.asking.call("POST", "/asks", {"prompt": "size"} | ask if "definition" not in ask else ask)
        self.link = urllib.parse.urlsplit(self.asked["link"]).path
        self.go(self.link)
        self.wait_until_live()
        return self

    @property
    def kept(self):
        """The ask as its program reads it."""
        return self.asking.call("GET", f"/asks/{self.asked['id']}")


@pytest.fixture(scope="session")
def asking(tmp_path_factory):
    """A program that asks people by links."""
    folder = tmp_path_factory.mktemp("asking")
    (folder / "size.yaml").write_text("title: Size\nfields:\n  - {name: size, kind: integer}\n")
    (folder / "go.yaml").write_text("title: Go on?\nlanguage: en\ntranslations: {ja: {title: 続けますか}}\n")
    with serving(folder) as server:
        yield Client(server.url, server.token)


@pytest.fixture
def linked(browser, asking):
    with Relay(asking.url) as relay:
        yield Linked(browser, relay, asking)


@pytest.fixture
def dialog(browser, relay):
    relay.rewrite = None
    return Dialog(browser, relay)


def without_scripts(path, content):
    """WebKit's driver needs scripts itself: there the page loses its own instead."""
    content = re.sub(rb"scripting:\s*(enabled|none)", lambda found: {
        b"enabled": b"scripting: never", b"none": b"scripting: enabled"}[found[1]], content)
    return re.sub(rb"<script (type=.module|id=.gate).*?</script>|<link rel=.modulepreload[^>]*>", b"", content, flags=re.S)


@pytest.fixture
def scriptless(scriptless_browser, relay):
    if scriptless_browser.name == "webkit":
        # The policy allows the style inside the page as it was.
        relay.rewrite, relay.spoilt = without_scripts, ["content-security-policy"]
    yield Dialog(scriptless_browser, relay)
    relay.rewrite, relay.spoilt = None, []
