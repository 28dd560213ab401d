"""The examples of Documentation/embedding.md as they stand, and the tool in Examples/embed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import django_htmx
import pytest
from conftest import prompts_folder, serving
from embedding import Embedding
from host import Host
from selenium.webdriver.common.keys import Keys
from Support.client import Client
from Support.command import ROOT
from Support.documentation import Page
from Support.program import Program
from Support.server import free_port

GUIDE = Page("embedding.md")
SERVER = "https://ask.example.com"
SCRIPTS = {
    "react": "/usr/share/nodejs/react/umd/react.development.js",
    "react-dom": "/usr/share/nodejs/react-dom/umd/react-dom.development.js",
    "vue": "/usr/share/javascript/vue/vue.js",
    "htmx": Path(django_htmx.__file__).parent / "static/django_htmx/htmx-2.min.js",
}


@pytest.fixture(scope="module")
def site():
    with Host() as host:
        for name, file in SCRIPTS.items():
            host.pages[f"/{name}.js"] = Path(file).read_text()
        yield host


@pytest.fixture(scope="module")
def okcancel(site, tmp_path_factory):
    folder = prompts_folder(tmp_path_factory.mktemp("prompts"))
    with serving(folder, "--allow-origin", site.url("localhost")) as server:
        site.okcancel = server.relay = server
        yield server


class Guide(Embedding):
    def show(self, html, policy=None):
        """A page of the site, with the guide's server put for its own."""
        page = f'<!doctype html><html lang="en"><title>Guide</title>{html}'
        self.site.pages["/"] = page.replace(SERVER, self.server)
        self.site.headers = {"Content-Security-Policy": policy.replace(SERVER, self.server)} if policy else {}
        self.browser.leave_frame()
        self.browser.open(self.site.url("localhost"))

    def answer(self, email="ann@b.c"):
        self.enter()
        self.type("email", email, Keys.ENTER)
        self.leave()

    def open_element(self):
        self.wait(lambda: self.js("return typeof document.querySelector('ok-cancel').show === 'function'"))
        self.js("document.querySelector('ok-cancel').shadowRoot.querySelector('button').click()")

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent", selector)


@pytest.fixture
def guide(browser, okcancel, site):
    guide = Guide(browser, okcancel, site)
    yield guide
    guide.leave()


LINE = GUIDE.example("html", "<script")


def test_the_guides_one_line_works_under_the_guides_policy(guide):
    policy = GUIDE.example("csp", "frame-src")
    guide.show(LINE, "default-src 'none'; " + policy.strip())
    guide.open_element()
    guide.answer()
    guide.wait(lambda: guide.js("return document.querySelector('ok-cancel').value") == "ann@b.c")


def test_the_guides_function_asks(guide):
    guide.show(f"""<p id="used"></p><script type="module">
        const use = (text) => document.getElementById("used").textContent = text;
        {GUIDE.example("js", "await ask")}</script>""")
    guide.answer()
    guide.wait(lambda: guide.text("#used") == "ann@b.c")


def test_the_guides_form_and_its_event_get_the_answer(guide):
    guide.show(LINE.split("\n")[0] + GUIDE.example("html", "<form").replace("/subscribe", "/taken")
               + f'<script type="module">{GUIDE.example("js", "okcancel:outcome")}</script>')
    guide.site.forms.clear()
    guide.open_element()
    guide.answer()
    guide.wait(lambda: guide.text("ok-cancel") == "ann@b.c")
    guide.find("form > button").click()
    guide.wait(lambda: guide.site.forms == [[("email", "ann@b.c")]])


def test_the_guides_react_component_asks(guide):
    code = GUIDE.example("jsx", "Email")
    # There is no compiler of JSX here: its one expression is written out.
    element = "<button onClick={choose}>Your email</button>"
    assert element in code
    code = code.replace(element, "make('button', {onClick: choose}, 'Your email')").replace("export ", "")
    guide.show(f"""<div id="root"></div><script src="/react.js"></script><script src="/react-dom.js"></script>
        <script type="module">{code}
        const make = React.createElement;
        const show = (email) => root.render(make("p", null, make(Email, {{onEmail: show}}), email));
        const root = ReactDOM.createRoot(document.getElementById("root"));
        show("");</script>""")
    guide.wait(lambda: guide.text("#root button"))
    guide.js("document.querySelector('#root button').click()")
    guide.answer()
    guide.wait(lambda: guide.text("#root p") == "Your emailann@b.c")


def test_the_guides_vue_component_asks(guide):
    guide.show(LINE.split("\n")[0] + f"""<div id="app">{GUIDE.example("vue", "ok-cancel")}
        <p>{{{{ outcome && outcome.values.email }}}}</p></div>
        <script src="/vue.js"></script><script>
        Vue.config.ignoredElements = ["ok-cancel"];
        new Vue({{el: "#app", data: {{outcome: null}}}});</script>""")
    guide.open_element()
    guide.answer()
    guide.wait(lambda: guide.text("#app p") == "ann@b.c")


def test_the_guides_htmx_page_asks(guide):
    guide.site.posts["/email"] = lambda form: f"Thank you, {form['email']}, {len(form['receipt'])}"
    guide.show('<script src="/htmx.js"></script>' + LINE.split("\n")[0] + GUIDE.example("htmx", "hx-post"))
    guide.open_element()
    guide.answer()
    guide.wait(lambda: guide.text("#news") == "Thank you, ann@b.c, 26")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """The modules that a bundler makes of the guide's code, by their paths."""
    folder = tmp_path_factory.mktemp("bundle")
    package = folder / "node_modules/okcancel"
    for path in ("Packaging/npm/package.json", "Public/okcancel.js", "Public/embed/modal.js"):
        target = package / path.removeprefix("Packaging/npm/").removeprefix("Public/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)
    (folder / "page.ts").write_text(GUIDE.example("ts", "emailOf") + """
        const email = await emailOf();
        document.body.append(Object.assign(document.createElement("p"), {id: "used", textContent: email}));""")
    subprocess.run(
        ["esbuild", "page.ts", "--bundle", "--splitting", "--format=esm", "--target=es2022", "--outdir=out", "--log-level=warning"],
        cwd=folder, check=True)
    return {f"/{path.name}": path.read_text() for path in (folder / "out").iterdir()}


def test_a_bundle_at_the_origin_of_the_page_asks(guide, bundle):
    assert len(bundle) >= 2, "what opens a dialog comes later"
    guide.site.pages |= {path: text.replace(SERVER, guide.server) for path, text in bundle.items()}
    guide.show('<script type="module" src="/page.js"></script>',
               f"default-src 'none'; script-src 'self'; frame-src {guide.server}")
    guide.answer()
    guide.wait(lambda: guide.text("#used") == "ann@b.c")


def test_the_guides_backend_reads_the_receipt(okcancel, tmp_path):
    receipt = okcancel.call("POST", "/prompts/email?receipt", {"outcome": "ok", "values": {"email": "ann@b.c"}})["receipt"]
    code = GUIDE.example("sh", "curl").replace(SERVER, okcancel.url)
    told = subprocess.run(
        ["sh", "-c", code], capture_output=True, text=True, check=True,
        env={"PATH": os.environ["PATH"], "OKCANCEL_API_TOKEN": okcancel.token, "RECEIPT": receipt}).stdout
    shape = GUIDE.example("json", "receipt")
    names = lambda text: re.findall(r'"(\w+)":', text)
    assert names(told) == names(shape) and "ann@b.c" in told and receipt in told


def program(arguments, port, okcancel, **options):
    """A program of Python, with the API token."""
    return Program(
        [sys.executable, *arguments], port, **options, env=os.environ | {"OKCANCEL_API_TOKEN": okcancel.token},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_the_guides_backend_asks_for_a_page(okcancel, tmp_path):
    port = free_port()
    code = GUIDE.example("python", "Backend").replace(SERVER, okcancel.url).replace("8000", str(port))
    # In its folder, as in that of the first steps, are the database and its key.
    (tmp_path / "okcancel.sqlite.key").write_text("secret")
    with program(["-c", code], port, okcancel, cwd=tmp_path):
        backend, own = Client(f"http://127.0.0.1:{port}", None), {"Origin": "https://tools.example.com"}
        body = {"definition": {"title": "Why?", "fields": [{"name": "reason"}]}, "metadata": {"order": 7}}
        ask = backend.call("POST", "/okcancel/asks", body, own)
        assert re.fullmatch(r"http://\S+/a/\w+", ask["link"])
        assert ask["metadata"] == {}, "the page's own words are not the backend's"
        for origin in ({}, {"Origin": "https://evil.example"}):
            assert backend.request("POST", "/okcancel/asks", json.dumps(body), origin)[0] == 403
        assert "secret" not in backend.request("GET", "/okcancel.sqlite.key")[1]


def test_the_page_of_the_first_steps_asks(browser, tmp_path):
    steps = Page("first-steps.md")
    port = free_port()
    definition = re.search(r"<<'END'\n(.*?)END\n", steps.example("sh", "invite.yaml"), re.S)[1]
    (tmp_path / "Prompts").mkdir()
    (tmp_path / "Prompts/invite.yaml").write_text(definition)
    with serving(tmp_path / "Prompts", "--allow-origin", f"http://localhost:{port}") as server:
        def own(text):
            return text.replace("localhost:8080", f"localhost:{server.port}").replace("8000", str(port))
        (tmp_path / "index.html").write_text(own(steps.example("html")))
        (tmp_path / "guests.py").write_text(own(steps.example("python")))
        backend = Program(
            [sys.executable, "guests.py"], port, cwd=tmp_path, env=os.environ | {"OKCANCEL_API_TOKEN": server.token},
            stderr=subprocess.DEVNULL)
        with backend:
            page = Guide.__new__(Guide)
            page.browser = browser
            browser.leave_frame()
            browser.open(f"http://localhost:{port}")
            page.open_element()
            page.answer("ann@example.com")
            page.wait(lambda: page.js("return document.querySelector('ok-cancel').outcome?.outcome") == "ok")
            page.find("form > button").click()
            page.wait(lambda: page.text("body").strip() == "Invited: ann@example.com")


@pytest.fixture(scope="module")
def orders():
    """The tool of Examples/embed at its own origin, and the server beside it."""
    port = free_port()
    with serving(ROOT / "Examples/embed", "--allow-origin", f"http://localhost:{port}") as server:
        tool = [ROOT / "Examples/embed/orders.py", "--port", str(port), "--okcancel", server.url]
        with program(tool, port, server):
            yield server, f"http://localhost:{port}"


def test_the_order_page_takes_an_order(browser, orders):
    okcancel, url = orders
    page = Guide.__new__(Guide)
    page.browser = browser
    browser.leave_frame()
    browser.open(url)
    page.wait(lambda: page.js("return document.querySelectorAll('#orders button').length") == 2)
    left = int(page.js("return document.querySelector('#orders tr').cells[2].textContent"))
    page.js("document.querySelector('#orders button').focus(); document.querySelector('#orders button').click()")
    page.enter()
    assert page.js("return document.getElementById('field-quantity').value") == str(left)
    # Escape keeps the order.
    browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: page.js("return document.querySelector('ok-cancel') === null"))
    page.js("document.querySelector('#orders button').click()")
    page.enter()
    page.js("document.getElementById('field-quantity').value = '1'")
    page.js("document.querySelector('[name=reason][value=stock]').click()")
    assert page.ok_is_enabled
    page.ok.click()
    page.leave()
    page.wait(lambda: page.text("#news") == "Order 1001: 1 cancelled.")
    assert page.js("return document.querySelector('#orders tr').cells[2].textContent") == str(left - 1)
    assert page.js("return document.activeElement.textContent") == "Cancel 1001…"


def test_the_order_page_believes_no_browser(orders):
    """Promise 2.16"""
    okcancel, url = orders
    tool = Client(url, None)

    def post(path, origin=url):
        status, text = tool.request("POST", path, "", {"Origin": origin})
        return text if status == 200 else status

    other = okcancel.call("POST", "/asks", {"prompt": "cancel-order", "metadata": {"order": "1002"}})
    okcancel.answer(other, "quantity=1&reason=stock")
    for id in (other["id"], "00000000000000000000000000", "x"):
        assert '"nothing cancelled."' in post(f"/orders/1001/asks/{id}")
    assert '"1 cancelled."' in post(f"/orders/1002/asks/{other['id']}")
    assert '"nothing cancelled."' in post(f"/orders/1002/asks/{other['id']}"), "an answer counts once"
    for origin in ("https://evil.example", url.replace("localhost", "evil.example")):
        assert tool.request("POST", "/orders/1001/asks", "", {"Origin": origin, "Host": origin.partition("//")[2]})[0] == 403
    assert post("/orders/9/asks") == 404
