"""What a person decides on, above the fields: one sees that it goes on, and what changed."""

import pytest
from conftest import Dialog, serving
from relay import Relay
from Support.client import Client
from Support.deceptions import PICTURE
from test_accessibility import violations

LONG = "SELECT a.id, a.name, a.price FROM articles AS a WHERE a.deleted_at IS NULL ORDER BY a.created_at DESC LIMIT 100;"
CONTEXT = [
    {"diff": f" same\n-{LONG}\n+short"}, {"code": LONG, "language": "sql"},
    {"table": {"columns": ["Article"], "rows": [["Lamp"]]}}, {"link": "https://example.com/12", "title": "No. 12"},
]


@pytest.fixture(scope="module")
def asking(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "go.yaml").write_text("title: Go on?\nlanguage: en\ntranslations: {ja: {title: 続けますか}}\n")
    with serving(folder) as server:
        yield Client(server.url, server.token)


@pytest.fixture
def decision(browser, asking):
    with Relay(asking.url) as relay:
        dialog = Dialog(browser, relay)
        ask = asking.call("POST", "/asks", {"prompt": "go", "context": CONTEXT})
        dialog.go("/a/" + ask["link"].rpartition("/")[2])
        dialog.wait_until_live()
        yield dialog


def test_a_diff_colours_whole_lines(decision):
    widths = decision.js("return [...document.querySelectorAll('#context :is(ins, del)')].map((each) => each.offsetWidth)")
    assert len(set(widths)) == 1
    assert widths[0] >= decision.js("return document.querySelector('#context pre').clientWidth")
    # What is copied has no line more.
    assert decision.js("return document.querySelector('#context code').textContent") == f" same\n-{LONG}\n+short\n"


def test_what_scrolls_has_a_shadow_where_it_goes_on(decision):
    for selector in ("#context", ".table"):
        backgrounds = decision.js("return getComputedStyle(document.querySelector(arguments[0])).backgroundAttachment", selector)
        assert backgrounds.split(", ").count("local") == 2, selector


def test_links_are_large_enough_for_a_finger(decision):
    assert decision.js(
        """
        return [...document.querySelectorAll("#context a, .languages a")].map((each) => each.getBoundingClientRect())
          .map(({width, height}) => Math.min(width, height) >= 24);
        """) == [True, True]



def test_a_picture_is_shown_and_named(decision, asking):
    ask = asking.call("POST", "/asks", {"prompt": "go", "context": [{"image": PICTURE, "alt": "The login page"}]})
    decision.go("/a/" + ask["link"].rpartition("/")[2])
    decision.wait_until_live()
    assert decision.js(
        "const [image] = document.querySelectorAll('#context img'); return [image.naturalWidth, image.naturalHeight, image.alt]"
    ) == [2, 1, "The login page"]
    assert violations(decision) == []
