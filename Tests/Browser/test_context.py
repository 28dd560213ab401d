"""What a person decides on, above the fields: one sees that it goes on, and what changed."""

import io

import pytest
from PIL import Image
from relay import FRAME
from selenium.webdriver.common.keys import Keys
from Support.deceptions import PICTURE
from test_accessibility import violations

LONG = "SELECT a.id, a.name, a.price FROM articles AS a WHERE a.deleted_at IS NULL ORDER BY a.created_at DESC LIMIT 100;"
CONTEXT = [
    {"diff": f" same\n-{LONG}\n+short"}, {"code": LONG, "language": "sql"},
    {"table": {"columns": ["Article"], "rows": [["Lamp"]]}}, {"link": "https://example.com/12", "title": "No. 12"},
]


@pytest.fixture
def decision(linked):
    return linked.put(prompt="go", context=CONTEXT)


def test_a_diff_colours_whole_lines(decision):
    widths = decision.js("return [...document.querySelectorAll('#context :is(ins, del)')].map((each) => each.offsetWidth)")
    assert len(set(widths)) == 1
    assert widths[0] >= decision.js("return document.querySelector('#context pre').clientWidth")
    # What is copied has no line more.
    assert decision.js("return document.querySelector('#context code').textContent") == f" same\n-{LONG}\n+short\n"


def test_what_is_empty_is_seen_to_be(linked):
    linked.put(prompt="go", context=[{"diff": ""}, {"text": ""}, {"code": ""}, {"text": "a"}])
    shown = "[...document.querySelectorAll('#context :is(p, code)')].map((each) => getComputedStyle(each, '::before').content)"
    assert linked.js(f"return {shown}") == ['"∅"', '"∅"', '"∅"', "none"]


def test_context_that_scrolls_has_round_corners(decision):
    decision.js("document.querySelector('#context code').append('\\n'.repeat(80))")
    decision.drawn()
    picture = Image.open(io.BytesIO(decision.browser.picture())).convert("RGB")
    scale, box = decision.js(
        "const {left, right, top, bottom} = document.getElementById('context').getBoundingClientRect();"
        "return [innerWidth, [left, right - 1, top, bottom - 1]]")
    assert decision.js("const context = document.getElementById('context'); return context.scrollHeight > context.clientHeight")
    scale = picture.width / scale
    left, right, top, bottom = [round(each * scale) for each in box]
    surface = picture.getpixel((left - 4, top + 40))
    assert [picture.getpixel(corner) for corner in ((left, top), (right, top), (left, bottom), (right, bottom))] == [surface] * 4


def test_links_are_large_enough_for_a_finger(decision):
    assert decision.js(
        """
        return [...document.querySelectorAll("#context a, .languages a")].map((each) => each.getBoundingClientRect())
          .map(({width, height}) => Math.min(width, height) >= 24);
        """) == [True, True]


def test_a_picture_is_shown_and_named(decision):
    decision.put(prompt="go", context=[{"image": PICTURE, "alt": "The login page"}])
    assert decision.js(
        "const [image] = document.querySelectorAll('#context img'); return [image.naturalWidth, image.naturalHeight, image.alt]"
    ) == [2, 1, "The login page"]
    assert violations(decision) == []
    # A press shows it as large as there is room, and Escape goes back.
    picture = decision.find(".picture")
    for leave in (lambda: decision.browser.press(Keys.ESCAPE), lambda: decision.find(".large > button").click()):
        decision.js("arguments[0].focus(); arguments[0].click()", picture)
        assert decision.js("const [image] = document.querySelectorAll('.large img'); return [image.alt, image.offsetWidth > 400]"
                           ) == ["The login page", True]
        assert violations(decision) == []
        leave()
        decision.wait(lambda: decision.js("return document.querySelector('.large') === null"))
        assert decision.js("return document.activeElement === arguments[0]", picture)
        assert decision.path.startswith("/a/") and not decision.posts()


def test_context_that_goes_on_below_says_so_until_its_end_is_seen(decision):
    decision.put(prompt="go", context=[{"text": "line\n" * 80}])
    more = "return document.getElementById('context').dataset.more ?? ''"
    assert decision.js(more) == "Read on"
    assert decision.js("return document.getElementById('context').tabIndex") == 0
    decision.wait(lambda: decision.spoken == "Read on")
    assert decision.js("return document.getElementById('context').getAttribute('role')") == "group"
    # A button at its lower edge scrolls on, and goes once there is nothing more.
    button = decision.find(".more > button")
    assert decision.js("return arguments[0].textContent", button) == "Read on ↓"
    ends = "return [arguments[0], document.getElementById('context')].map((each) => each.getBoundingClientRect().bottom)"
    lower, edge = decision.js(ends, button)
    assert abs(lower - edge) < 3
    button.click()
    decision.wait(lambda: decision.js("return document.getElementById('context').scrollTop") > 100)
    decision.js("arguments[0].focus(); document.getElementById('context').scrollTop = 1e6", button)
    decision.wait(lambda: decision.js(more) == "" and not button.is_displayed())
    decision.wait(lambda: decision.js("return document.activeElement.id") == "context")
    decision.ok.click()
    decision.ends("ok")


def test_only_context_that_scrolls_is_a_tab_stop_and_numbers_stand_at_the_right(decision):
    table = {"columns": ["Article", "Price"], "rows": [["Pen 2", "€ 1.20"], ["Ink", "−12.00"]]}
    wide = {"columns": ["Article"] * 40, "rows": []}
    decision.put(prompt="go", context=[{"table": table}, {"table": wide}])
    assert decision.js("return [...document.querySelectorAll('#context, #context [tabindex]')].map(({tabIndex}) => tabIndex)"
                       ) == [-1, -1, 0]
    assert decision.js("return [...document.querySelectorAll('table')[0].querySelectorAll('td, th')].map((cell) => getComputedStyle(cell).textAlign)"
                       ) == ["left", "right"] * 3
    assert decision.js("return getComputedStyle(document.querySelector('td + td')).whiteSpace").startswith("nowrap")
    assert violations(decision) == []


def test_a_column_of_a_table_has_one_side_from_right_to_left_too(decision):
    table = {"columns": ["البند", "السعر"], "rows": [["مصباح", "1,299.00 €"], ["Lamp", "−12.00"]]}
    decision.put(definition={"title": "هل تدفع؟", "language": "ar"}, context=[{"table": table}])
    assert decision.js("return [...document.querySelectorAll('td, th')].map((cell) => getComputedStyle(cell).textAlign)"
                       ) == ["right", "left"] * 3


PLAN = """# Move the orders

The table `orders` moves to the **new** database, which [Ada approved](https://example.com/minutes?day=12 "Minutes").

1. Copy what is there:
   ```sh
   pg_dump orders | psql new
   ```
2. Compare:
   - the number of rows
   - the *sums*

> Nobody writes meanwhile.

## Downtime

| Step | Minutes |
|:-----|--------:|
| Copy | 4 |
| <b>Compare</b> | 1 |

---

![diagram](https://example.com/plan.png)
<script>document.title = "mine"</script>
"""


def test_markdown_is_drawn_and_neither_links_nor_loads_nor_runs(linked):
    linked.put(prompt="go", context=[{"markdown": PLAN}, {"markdown": "# Read this\n\n[and this]: nowhere"}])
    names = linked.js("return [...document.querySelectorAll('.markdown *')].map(({localName}) => localName)")
    assert set(names) == {"h2", "h3", "p", "code", "strong", "span", "ol", "li", "pre", "ul", "em", "blockquote", "div", "table",
                          "thead", "tbody", "tr", "th", "td", "hr"}
    # Not innerText, in which WebKit writes a space for a line break of `pre-line`.
    text = linked.js("return document.querySelector('#context').textContent")
    for shown in ('Ada approved (https://example.com/minutes?day=12 "Minutes")', "pg_dump orders | psql new", "<b>Compare</b>",
                  "![diagram](https://example.com/plan.png)", '<script>document.title = "mine"</script>',
                  "# Read this\n\n[and this]: nowhere"):
        assert shown in text
    assert linked.js("return document.title") != "mine"
    assert violations(linked) == []
    # Nothing goes over the edge, and a table goes on within itself.
    linked.put(prompt="go", context=[{"markdown": PLAN + "x" * 400 + "\n\n" + "`" + "y" * 400 + "`\n\n" + "|a" * 50 + "\n" + "|-" * 50}])
    assert linked.js("const context = document.getElementById('context'); return context.scrollWidth <= context.clientWidth")
    assert linked.js("return [...document.querySelectorAll('.table')].map(({tabIndex}) => tabIndex)") == [-1, 0]
    assert violations(linked) == []


def test_one_hint_says_that_the_context_goes_on(decision):
    decision.put(prompt="go", context=[{"text": "line\n" * 80}])
    decision.go(f"{FRAME}?path={decision.link}&width=320&height=200")
    decision.browser.enter_frame()
    decision.wait_until_live()
    hints = "return [...document.querySelectorAll('#context, .buttons')].map(({dataset}) => dataset.more ?? '')"
    decision.wait(lambda: decision.js(hints) == ["", "Read on"])
    decision.js("scrollTo(0, document.documentElement.scrollHeight)")
    decision.wait(lambda: decision.js(hints) == ["Read on", ""])


def test_each_area_that_scrolls_has_a_name_of_its_own(linked):
    wide = {"table": {"columns": ["Article", "Price"], "rows": [["x" * 40 + " " * 3, "1"] * 1 for _ in range(3)]}}
    linked.put(prompt="go", context=[wide, {"table": {"columns": ["Name"], "rows": [["a"]]}}])
    names = linked.js("""
        return [...document.querySelectorAll("#context, .table")].map((each) =>
          each.ariaLabel ?? document.getElementById(each.getAttribute("aria-labelledby")).innerText.trim().split(/\\s+/).join(" "))""")
    assert names == ["Details", "Article Price", "Name"]
    assert violations(linked) == []
