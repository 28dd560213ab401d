"""The page itself: light, safe, and quick under the fingers."""

import json
import re
import urllib.parse
import urllib.request

import pytest

from conftest import Dialog, direct, prompts_folder, serving
from Support.browsers import Chromium
from Support.client import Client
from Support.waiting import wait_until


def fetch(url):
    """The bytes of a body as they go over the wire."""
    request = urllib.request.Request(url, headers={"Accept": "text/html, */*", "Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        return response.headers, response.read()


@pytest.fixture(scope="module")
def wire():
    """A browser that says what went over the wire."""
    browser = Chromium(logs="performance")
    yield browser
    browser.quit()


def received(browser):
    """What the browser has received since this was last asked, in bytes with the headers, by address."""
    urls, sizes = {}, {}

    def is_complete():
        for entry in browser.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            about = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                urls[about["requestId"]] = about["request"]["url"]
            elif event["method"] == "Network.loadingFinished" and about["requestId"] in urls:
                sizes[urls.pop(about["requestId"])] = about["encodedDataLength"]
            elif event["method"] == "Network.loadingFailed":
                urls.pop(about["requestId"], None)
        return not urls

    wait_until(is_complete)
    return sizes


@pytest.mark.parametrize("name, count, limit", [("email", 2, 13_000), ("kinds", 3, 24_000)])
def test_the_first_load_is_light_on_the_wire(wire, server, name, count, limit):
    received(wire)
    Dialog(wire, direct(server)).open(name)
    sizes = {url: size for url, size in received(wire).items() if url.startswith(server)}
    assert 1 < len(sizes) <= count and sum(sizes.values()) <= limit, sizes


@pytest.mark.parametrize("name, limit", [("email", 13_100), ("kinds", 24_100)])
def test_origins_that_may_embed_a_dialog_keep_its_first_load_light(wire, tmp_path, name, limit):
    origins = ["--allow-origin", "https://app.example.com", "--allow-origin", "https://staging.example.net"]
    with serving(prompts_folder(tmp_path), *origins) as server:
        received(wire)
        Dialog(wire, direct(server.url)).open(name)
        sizes = {url: size for url, size in received(wire).items() if url.startswith(server.url)}
    assert len(sizes) > 1 and sum(sizes.values()) <= limit, sizes


def test_a_warm_page_makes_one_request(dialog):
    dialog.open("profile")
    dialog.go("/prompts/email")
    dialog.relay.gets.clear()
    dialog.open("profile")
    assert dialog.relay.gets == ["/prompts/profile"]


def test_files_are_kept_by_their_hash_and_not_by_another(dialog):
    dialog.open("email")
    path = urllib.parse.urlsplit(dialog.find("script[src]").get_property("src")).path
    prefix, name = path.rsplit("/", 1)
    assert name == "dialog.js"
    for each, kept in ((path, "public, max-age=31536000, immutable"), ("/files/old/dialog.js", "no-cache"), ("/dialog.js", "no-cache")):
        headers, body = fetch(dialog.server + each)
        assert headers["Cache-Control"] == kept, each
        assert body == fetch(dialog.server + path)[1]


# Only Chromium reports layout shifts.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("name", [
    "email", "kinds", "cities", "sliders", "conditions", "consent", "order", "profile", "moment", "meeting", "modules"])
def test_nothing_moves_while_it_loads(dialog, name):
    # On a slow line, over which a page comes in pieces.
    line = {"offline": False, "latency": 50, "uploadThroughput": -1}
    dialog.browser.command("Network.enable")
    dialog.browser.command("Network.setCacheDisabled", cacheDisabled=True)
    dialog.browser.command("Network.emulateNetworkConditions", downloadThroughput=20_000, **line)
    try:
        dialog.open(name)
    finally:
        dialog.browser.command("Network.emulateNetworkConditions", downloadThroughput=-1, **line)
        dialog.browser.command("Network.setCacheDisabled", cacheDisabled=False)
    # The last that moves is a line of our own, so that all before it are known.
    dialog.js(
        "window.shifts = []; const line = document.body.appendChild(document.createElement('p')); line.id = 'moved';"
        "Object.assign(line.style, {position: 'fixed', top: '0', left: '0'}); line.textContent = 'It moves.';"
        "new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({sources}) => sources.map(({node}) => node?.id))))"
        ".observe({type: 'layout-shift', buffered: true})")
    dialog.drawn()
    dialog.js("document.getElementById('moved').style.top = '300px'")
    dialog.wait(lambda: dialog.js("return shifts.length"))
    assert dialog.js("return shifts") == [["moved"]]


@pytest.mark.parametrize("path", ["/prompts/markup", "/"])
def test_texts_never_become_markup(dialog, path):
    """Promise 2.17
    ASVS 3.2.2 | text shown as text | only `textContent`
    """
    dialog.go(path)
    found = dialog.browser.find_all
    assert found("img, b, p script, label script, [onfocus], [onerror]") == []
    assert dialog.js("return [...document.scripts].every(({src, id}) => src || id === 'rules' || id === 'gate')")
    if path != "/":
        assert dialog.text("notes") == "</textarea\u0301><script>alert(7)</script></textarea>"
        assert dialog.text("text") == "\"\u0301 autofocus onfocus=alert(4) x=\""
        dialog.wait_until_live()
        dialog.ok.click()
        assert dialog.message("text") == "\"\u0301></p><script>alert(6)</script>"
        assert found("p script, label script") == []


def test_the_pages_break_no_policy_of_their_own(dialog):
    """Promise 2.21
    ASVS 1.3.2 | no eval | the policy forbids it, and nothing needs it
    """
    with dialog.relay.reporting():
        for path in ("/", "/prompts/kinds", "/prompts/login", "/prompts/name", "/prompts/email/done?outcome=ok"):
            dialog.go(path)
            # A breach of our own is the last to be reported, and the only one.
            dialog.js("document.body.append(Object.assign(document.createElement('script'), {textContent: '0'}))")
            dialog.wait(lambda: dialog.relay.posts)
            assert [path for path, _ in dialog.posts()] == ["/report"], path


@pytest.mark.parametrize("name", ["email", "digits", "name", "login", "kinds"])
def test_the_scripts_end_without_an_error(dialog, name):
    dialog.open(name)
    # Before any script of the page, no test can listen: the dialog is opened once more.
    errors = dialog.js(
        """
        const errors = [], dialog = document.getElementById("dialog");
        addEventListener("error", ({message}) => errors.push(message));
        addEventListener("unhandledrejection", ({reason}) => errors.push(String(reason)));
        delete dialog.dataset.ready;
        const live = new Promise((done) => new MutationObserver(done).observe(dialog, {attributeFilter: ["data-ready"]}));
        const told = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return import("/dialog.js?again").then(() => live).then(told).then(() => errors);
        """)
    assert errors == []


def test_a_script_that_the_operator_replaces_comes_by_itself(tmp_path, tmp_path_factory):
    for own, name in (("quantities.js", "quantities.js"), ("other.js", "dialog-kinds.js")):
        public = tmp_path_factory.mktemp("public")
        (public / own).write_text("export const factories = {};")
        with serving(prompts_folder(tmp_path), "--public", public) as server:
            page = Client(server.url, None).exchange("GET", "/prompts/kinds", headers={"Accept": "text/html"}).body.decode()
        scripts = {script.rpartition("/")[2] for script in re.findall(r'href="([^"]*\.js)"', page)}
        assert name in scripts and len(scripts & {"quantities.js", "dialog-kinds.js"}) == 1
