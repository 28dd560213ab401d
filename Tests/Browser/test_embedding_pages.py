"""Pages of every kind around a dialog: strict, dark, from right to left, small; and what it weighs."""

import gzip
import io

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from PIL import Image
from selenium.webdriver.common.keys import Keys
from test_accessibility import violations


@pytest.mark.parametrize("element", ["prompt", "link"])
def test_a_strict_policy_of_the_page_is_kept(page, element):
    what = 'prompt="email"' if element == "prompt" else f'link="{page.make()["link"]}"'
    policy = f"default-src 'none'; script-src {page.server}; frame-src {page.server}; report-uri /report"
    # A page of its own: a report of the page before it may come late.
    path = f"/strict-{element}-{page.browser.name}"

    def reported():
        return [report for report in page.site.reports
                if report["document-uri"].endswith(path) and "favicon" not in report["blocked-uri"]]

    page.site.pages[path] = (
        f'<!doctype html><html lang="en"><title>Strict</title><ok-cancel {what}></ok-cancel>'
        f'<script type="module" src="{page.server}/okcancel.js"></script>')
    page.site.headers = {"Content-Security-Policy": policy}
    page.browser.open(page.site.url("localhost") + path)
    page.wait(lambda: page.js("return typeof document.querySelector('ok-cancel').show === 'function'"))
    page.js("arguments[0].shadowRoot.querySelector('button').click()", page.find("ok-cancel"))
    page.enter()
    page.leave()
    # Its style applies although it may have none inline.
    assert page.js("return getComputedStyle(arguments[0]).borderTopStyle", page.part("iframe")) == "none"
    page.enter()
    page.type("email", "ann@b.c", Keys.ENTER)
    page.leave()
    page.wait(lambda: page.js("return document.querySelector('ok-cancel').outcome?.outcome === 'ok'"))
    assert reported() == []
    # The reports do come.
    page.js("document.body.append(Object.assign(document.createElement('style'), {textContent: 'p {}'}))")
    page.wait(reported)


def test_the_page_is_left_as_it_was(page):
    page.visit()
    look = """
        const {documentElement, body, styleSheets, adoptedStyleSheets} = document;
        const all = (style) => [...style].map((name) => style.getPropertyValue(name)).join();
        return [documentElement.outerHTML, documentElement.style.length, body.style.length, history.length, location.href,
          styleSheets.length, adoptedStyleSheets.length,
          ...[documentElement, body, document.querySelector("h1")].map((element) => all(getComputedStyle(element)))];"""
    before = page.js(look)
    page.put("email")
    page.leave()
    during = page.js(look)
    assert during[1:5] == before[1:5]
    page.enter()
    page.cancel.click()
    assert page.outcome
    assert page.js(look) == before


SCROLLERS = {
    "window": "body {margin: 0; block-size: 5000px}",
    "body": "html, body {block-size: 100%} body {margin: 0; overflow-y: scroll} main {block-size: 5000px}",
    "both": "html {overflow-y: scroll; scrollbar-gutter: stable both-edges} body {block-size: 5000px}",
    "none": "body {block-size: 100px}",
}


@pytest.mark.parametrize("how", SCROLLERS)
def test_the_page_behind_does_not_scroll_and_does_not_move(page, how):
    page.visit(f'<style>{SCROLLERS[how]} #far {{ float: right }}</style><button id="opener">Ask</button><p id="far">Far</p>')
    page.js("scrollTo(0, 120)")
    look = ("return [scrollY, ...['#far', 'h1', 'body'].flatMap((name) => {"
            "const {x, y, width} = document.querySelector(name).getBoundingClientRect(); return [x, y, width] })]")
    page.wait(lambda: page.js("return scrollY") == (0 if how == "none" else 120))
    before = page.js(look)
    page.js("document.getElementById('opener').focus({preventScroll: true}); start('settled', 'twenty')")
    page.enter()
    page.leave()
    assert page.js(look) == before
    for x, y in ((5, 5), page.point(page.frames[-1])):
        page.browser.scroll_at(x, y, 400)
    page.drawn(10)
    assert page.js(look) == before
    page.enter()
    page.browser.press(Keys.PAGE_DOWN)
    page.click(".buttons > .cancel")
    assert page.outcome == {"outcome": "cancel"}
    assert page.js(look) == before
    page.browser.press(Keys.PAGE_DOWN)
    page.wait(lambda: how == "none" or page.js("return scrollY") > 120)


def test_a_dialog_opens_over_one_of_the_page(page):
    page.visit(body='<dialog id="own" aria-label="Own"><button id="opener">Ask</button></dialog>')
    page.js("document.getElementById('own').showModal()")
    page.put("email", {"values": {"email": "😀" + "é" * 20_000}})
    assert page.text("email") == "😀" + "é" * 20_000
    page.select_all("email")
    page.browser.press("ann@b.c" + Keys.ENTER)
    assert page.outcome["values"] == {"email": "ann@b.c"}
    assert page.js("return [document.activeElement.id, document.getElementById('own').open]") == ["opener", True]


POPOVER = """
  <button id="invoker" popovertarget="menu">Menu</button>
  <div id="menu" popover><div><template shadowrootmode="open"><slot></slot></template>{opener}</div></div>"""


@pytest.mark.parametrize("around", ["{}", '<dialog id="own" aria-label="Own">{}</dialog>'])
@pytest.mark.parametrize("opener", ['<button id="opener">Ask</button>', '<ok-cancel id="opener" prompt="email"></ok-cancel>'])
def test_the_popover_around_an_opener_stays_open(page, around, opener):
    page.visit(body=around.format(POPOVER.format(opener=opener)))
    page.js("document.getElementById('own')?.showModal(); document.getElementById('invoker').click()")
    if "button" in opener:
        page.put("email")
    else:
        page.js("document.getElementById('opener').focus()")
        page.enter_element()
    page.browser.press(Keys.ESCAPE)
    page.leave()
    page.wait(lambda: page.told("outcome"))
    assert page.js("return [document.activeElement.id, document.querySelector('#menu').matches(':popover-open')]") == ["opener", True]
    # One that closes takes the dialog with it.
    page.js("start('settled', 'email')")
    page.enter()
    page.leave()
    page.js("document.getElementById('menu').hidePopover()")
    assert page.outcome == {"outcome": "cancel"}
    page.put("email")
    page.answers()


@pytest.mark.parametrize("name, outcome", [
    ("reject", {"outcome": "cancel", "reason": "No"}), ("email", {"outcome": "ok", "values": {"email": "ann@b.c"}})])
def test_a_page_in_a_sandbox_without_forms_has_its_outcome(page, name, outcome):
    page.visit()
    page.site.pages["/around"] = '<!doctype html><title>Around</title><iframe sandbox="allow-scripts allow-same-origin" src="/"></iframe>'
    page.browser.open(page.site.url("localhost") + "/around")
    page.browser.enter_frame()
    page.js("document.body.style.minBlockSize = '600px'")
    page.wait(lambda: page.js("return typeof ask === 'function'"))
    page.ask(page.make(prompt=name)["link"])
    page.wait(lambda: page.frames)
    page.browser.enter_frame(page.frames[-1])
    page.wait_until_live()
    if name == "email":
        page.type("email", "ann@b.c", Keys.ENTER)
    else:
        page.js("arguments[0].click()", page.cancel)
        page.js("arguments[0].value = 'No'; arguments[1].click()", page.field("okcancel-reason"), page.cancel)
    page.leave()
    page.browser.enter_frame()
    page.wait(lambda: page.js("return settled"))
    assert page.without_by(page.js("return settled[0]")) == outcome


def sizes(page):
    """The frame's height in the page, and in the frame what it needs, has, and whether a scroll bar may show."""
    page.leave()
    height = page.js("return arguments[0].offsetHeight", page.frames[-1])
    page.browser.enter_frame(page.frames[-1])
    return [height, *page.js(
        "return [Math.ceil(document.getElementById('dialog').getBoundingClientRect().height), innerHeight,"
        "document.documentElement.hasAttribute('data-scrolls')]")]


def test_the_frame_is_as_high_as_the_dialog_from_the_first_sight(page):
    page.visit(script="""
        window.sights = [];
        document.addEventListener("okcancel:ready", () => {
          const {offsetWidth, offsetHeight} = document.querySelector("html > ok-cancel").shadowRoot.querySelector("iframe");
          sights.push([offsetWidth, offsetHeight]);
        });""")
    page.put("email")
    # What is inside hears of the frame's size a moment later.
    page.wait(lambda: len(set(sizes(page)[:3])) == 1)
    fresh = sizes(page)
    assert not fresh[3]
    page.leave()
    assert page.js("return sights") == [[21 * 16, fresh[0]]]
    page.enter()
    page.type("email", *"ab")
    page.js("document.activeElement.blur()")
    page.wait(lambda: page.message("email"))
    page.wait(lambda: sizes(page)[0] > fresh[0])
    page.wait(lambda: len(set(sizes(page)[:3])) == 1)
    assert not sizes(page)[3]
    page.leave()
    assert page.js("return getComputedStyle(arguments[0]).borderTopLeftRadius", page.part("dialog")) == "28px"


def test_a_filled_button_reaches_the_edge_of_the_frame(page):
    page.visit().put("question")
    # A frame has whole pixels, a dialog need not.
    page.js("document.querySelector('header').style.paddingBlockEnd = '16.2px'")
    # Of what cannot be undone, no button has the first focus.
    page.wait(lambda: page.js("return document.activeElement.id") == "dialog")
    page.browser.press(Keys.ARROW_RIGHT)
    page.wait(lambda: page.js("return document.activeElement.className") == "cancel")
    page.wait(lambda: 0 < page.js("return innerHeight - document.getElementById('dialog').getBoundingClientRect().height") < 1)
    page.drawn()
    page.leave()
    page.wait(lambda: page.js("return arguments[0].getAnimations().length === 0", page.part("dialog")))
    left, right, bottom, width = page.js(
        "const {left, right, bottom} = arguments[0].getBoundingClientRect(); return [left, right, bottom, innerWidth]", page.frames[-1])
    picture = Image.open(io.BytesIO(page.browser.picture())).convert("RGB")
    scale, x = picture.width / width, left + .1 * (right - left)
    fill, edge = (picture.getpixel((round(x * scale), round(bottom * scale) - above)) for above in (4, 1))
    assert fill == edge


# Only Chromium reports layout shifts.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
@pytest.mark.parametrize("busy", [1, 4])
@pytest.mark.parametrize("name", ["email", "kinds", "moment", "consent"])
def test_nothing_moves_while_it_opens(page, name, busy):
    """Nor in a page so busy that the frame waits for its size. Until the frame is shown, nobody sees what moves in it."""
    shifts = """
        const [since, done] = arguments, shifts = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries()))
          .observe({type: "layout-shift", buffered: true});
        setTimeout(() => done(shifts.filter(({startTime}) => performance.timeOrigin + startTime > since).map(({value}) => value)), 300);"""
    for _ in range(busy):
        page.visit(script="""
            const {timeOrigin} = performance;
            document.addEventListener("okcancel:ready", ({timeStamp}) => window.shown = timeOrigin + timeStamp);""")
        page.browser.command("Emulation.setCPUThrottlingRate", rate=busy)
        page.put(name)
        page.leave()
        page.browser.command("Emulation.setCPUThrottlingRate", rate=1)
        shown = page.js("return shown")
        page.enter()
        assert page.browser.js_async(shifts, shown) == []
        page.leave()
        assert page.browser.js_async(shifts, 0) == []
        assert page.js("return arguments[0].offsetWidth", page.frames[-1]) >= 21 * 16


def test_a_dialog_that_is_too_high_scrolls_within_the_window(page):
    page.visit().put("twenty")
    page.wait(lambda: sizes(page)[3])
    page.wait(lambda: page.js("return scrollY") == 0)
    height, needed, has, _ = sizes(page)
    assert height == has < needed
    page.leave()
    assert page.js("return innerHeight") >= height + 16
    page.enter()
    # WebKit lets drivers focus nothing here before a person has typed.
    page.browser.press("a")
    page.type("f20", "a")
    page.wait(lambda: page.js("return arguments[0].getBoundingClientRect().bottom <= innerHeight", page.field("f20")))


# Only Chromium can be told that it runs on a phone without edges.
@pytest.mark.parametrize("browser_name", ["chromium"], indirect=True)
def test_a_dialog_keeps_out_of_what_a_phone_covers(page):
    page.browser.command("Emulation.setSafeAreaInsetsOverride", insets={"top": 47, "bottom": 34})
    try:
        page.visit().put("twenty")
        page.wait(lambda: sizes(page)[3])
        page.leave()
        edges = "const { top, bottom } = arguments[0].getBoundingClientRect(); return [top, innerHeight - bottom]"
        assert page.js(edges, page.frames[-1]) == [47 + 16, 34 + 16]
    finally:
        page.browser.command("Emulation.setSafeAreaInsetsOverride", insets={})


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_dialog_follows_the_colours_of_the_page(page, scheme):
    page.visit(html=f' style="color-scheme: {scheme}"').put("email")
    background = page.js("return getComputedStyle(document.documentElement).backgroundColor")
    assert background == {"dark": "rgb(42, 42, 46)", "light": "rgb(251, 251, 253)"}[scheme]
    assert page.js("return getComputedStyle(document.documentElement).colorScheme") == scheme
    assert violations(page, ["color-contrast"]) == []


def test_a_page_from_right_to_left_has_its_dialog_in_the_middle(page):
    page.visit(html=' dir="rtl"').put("email")
    page.leave()
    left, right, width = page.js(
        "const {left, right} = arguments[0].getBoundingClientRect();"
        "return [left, right, document.documentElement.clientWidth]", page.frames[0])
    assert abs(left - (width - right)) <= 1


def test_axe_finds_nothing_in_the_page_nor_in_the_frame(page):
    page.visit('<ok-cancel prompt="email">Your email</ok-cancel><ok-cancel prompt="order"></ok-cancel>')
    assert violations(page) == [], "closed"
    page.enter_element()
    assert violations(page) == [], "in the frame"
    page.leave()
    assert violations(page) == [], "around the frame"
    assert page.part("dialog").get_attribute("aria-label") == page.part("iframe").get_attribute("title") == "Your Email"


def test_what_a_page_loads_is_light(okcancel):
    sizes = {}
    for path in ("/okcancel.js", "/embed/modal.js"):
        response = okcancel.exchange("GET", path, headers={"Accept-Encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip" and gzip.decompress(response.body)
        sizes[path] = len(response.body)
    assert sizes["/okcancel.js"] <= 5350 and sizes["/embed/modal.js"] <= 3000, sizes
