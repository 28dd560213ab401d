"""What the page around a dialog hands down to all that it holds: nothing of it reaches the dialog."""

import io

import pytest
from embedding import okcancel, page, site  # noqa: F401, fixtures
from PIL import Image, ImageChops

# Every property that the engine has, with a value that a child takes from its parent.
INHERITED = """
  const values = `none hidden 7px 3 .5 70% red rgb(1,2,3) rtl vertical-rl uppercase italic wait collapse all break-all justify inside
    square under url(x) bold 900 pre manual loose isolate evenodd bevel round middle always both off on text dark small-caps
    condensed sideways over anywhere break-word strict crosshair hanging traditional each-line balance first read-only inert
    "x" "x"/"y" thin smooth geometricPrecision optimizeSpeed grayscale antialiased upright contain exact economy linearRGB stroke
    fill start end 7px/7px slashed-zero tabular-nums jis78 historical-forms super ordinal common-ligatures no-common-ligatures
    unicase petite-caps filled dot open spell-out slice fixed alternate`.split(/\\s+/);
  const outer = document.body.appendChild(document.createElement("div")), inner = outer.appendChild(document.createElement("b"));
  const found = [], style = getComputedStyle(inner);
  for (const name of getComputedStyle(outer)) {
    if (name.startsWith("--") || name === "color-scheme") continue;
    const before = style.getPropertyValue(name);
    const value = values.find((value) => {
      if (!CSS.supports(name, value)) return false;
      outer.style.setProperty(name, value);
      const isInherited = style.getPropertyValue(name) !== before;
      outer.style.removeProperty(name);
      return isInherited && !/^(width|height|(inline|block)-size|perspective-origin|transform-origin)$/.test(name);
    });
    if (value) found.push([name, value]);
  }
  outer.remove();
  return found;
"""

# What each part of the dialog has of every property, where it is, and whether the mouse finds it.
LOOK = """
  const [dialog, frame] = ["dialog", "iframe"].map((part) => arguments[0].shadowRoot.querySelector(part));
  const styles = [arguments[0], dialog, frame].map((each) => getComputedStyle(each)).concat(getComputedStyle(dialog, "::backdrop"));
  const look = () => {
    const {x, y, width, height} = frame.getBoundingClientRect();
    return [x, y, width, height, arguments[0].shadowRoot.elementFromPoint(x + width / 2, y + 20) === frame,
      ...styles.flatMap((style, index) => [...style].filter((name) => !name.startsWith("--")).map((name) => `${index} ${name}: ${style.getPropertyValue(name)}`))];
  };
  const before = look(), changes = [];
  for (const [name, value] of arguments[1]) for (const around of [document.documentElement, document.body]) {
    around.style.setProperty(name, value, "important");
    const now = look();
    if (`${now}` !== `${before}`) changes.push([name, value, around.localName, ...now.filter((each, index) => each !== before[index]).slice(0, 3)]);
    around.style.removeProperty(name);
  }
  return [before.slice(0, 5), changes];
"""


def test_no_property_that_a_page_hands_down_reaches_the_dialog(page):
    page.visit().put("question")
    page.leave()
    page.wait(lambda: page.js("return arguments[0].getAnimations().length === 0", page.part("dialog")))
    properties = page.js(INHERITED)
    names = {name for name, _ in properties}
    assert {"pointer-events", "writing-mode", "cursor", "visibility", "letter-spacing", "text-transform", "direction"} <= names
    assert len(names) >= 60, sorted(names)
    host = page.js("return arguments[0].getRootNode().host", page.part("dialog"))
    place, changes = page.js(LOOK, host, properties)
    assert place[4] is True
    assert not changes, changes


@pytest.mark.parametrize("style", [
    "content-visibility: hidden", "zoom: 2", "opacity: 0", "transform: scale(.5)", "filter: invert(1)", "display: none", "user-select: none",
    "pointer-events: none", "writing-mode: vertical-rl"])
def test_no_style_of_the_body_is_seen_on_the_dialog(page, style):
    page.visit().put("question")
    page.leave()
    page.wait(lambda: page.js("return arguments[0].getAnimations().length === 0", page.part("dialog")))
    box = page.js("const {left, top, right, bottom} = arguments[0].getBoundingClientRect(); return [left, top, right, bottom, innerWidth]", page.frames[0])

    def card():
        page.drawn()
        picture = Image.open(io.BytesIO(page.browser.picture())).convert("RGB")
        scale = picture.width / box[4]
        return picture.crop([round(edge * scale) for edge in box[:4]])

    before = card()
    page.js("document.body.style.cssText = arguments[0]; document.body.setAttribute('inert', '')", style)
    assert ImageChops.difference(before, card()).getbbox() is None
    page.enter()
    page.cancel.click()
    assert page.outcome == {"outcome": "cancel"}


def test_the_openers_button_keeps_the_look_of_the_page(page):
    page.visit('<div style="letter-spacing: 3px; text-transform: uppercase; cursor: wait"><ok-cancel prompt="email"></ok-cancel></div>')
    look = "const {letterSpacing, textTransform, cursor} = getComputedStyle(arguments[0]); return [letterSpacing, textTransform, cursor]"
    plain = page.js("const plain = document.querySelector('div').appendChild(document.createElement('button'));" + look.replace("arguments[0]", "plain"))
    assert page.js(look, page.part("button")) == plain
