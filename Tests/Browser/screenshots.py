"""Takes the pictures of Documentation/Images from a running server, in Chromium.

    PYTHONPATH=Tests python Tests/Browser/screenshots.py
"""

import base64
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

from PIL import Image

from conftest import serving
from Support.browsers import Chromium
from Support.command import BINARY, ROOT, clean
from Support.program import Program
from Support.server import free_port

IMAGES = ROOT / "Documentation/Images"

WAIT = """
  const done = arguments[0], dialog = document.getElementById("dialog");
  const look = () => !dialog || "ready" in dialog.dataset ? setTimeout(done, 100) : setTimeout(look, 20);
  look();
"""

TYPE = """
  for (const [name, text] of Object.entries(arguments[0])) {
    const field = document.getElementById(`field-${name}`);
    field.focus();
    for (const character of text) document.execCommand("insertText", false, character);
  }
"""

ARABIC = """
title: دعوة إلى الاجتماع
language: ar
message: هل تحضر اجتماع الفريق يوم الخميس؟
fields:
  - {name: name, label: الاسم, value: ليلى حدّاد, help: كما يراه زملاؤك.}
  - {name: how, label: كيف تحضر؟, kind: choice, value: room, options: [{value: room, title: في القاعة}, {value: call, title: عن بُعد}]}
  - {name: lunch, label: مع الغداء, kind: boolean, value: true}
ok: إرسال
"""


APPROVAL = {
    "title": "Deploy shop 4.2?", "message": "To production, from main.", "fields": [], "ok": "Deploy",
    "context": [{"diff": """diff --git a/deploy.yaml b/deploy.yaml
--- a/deploy.yaml
+++ b/deploy.yaml
@@ -4,5 +4,6 @@
 service: shop
-image: shop:4.1
+image: shop:4.2
 replicas: 3
+maxSurge: 1
 region: fra
"""}],
}

CANCEL_ORDER = """
  return new Promise((done) => {
    document.addEventListener("okcancel:ready", () => setTimeout(done, 300));
    const look = () => {
      const button = document.querySelector("#orders button");
      if (button) button.click();
      else setTimeout(look, 20);
    };
    look();
  });
"""


class Camera:
    """Pictures of one server's pages, at twice the resolution."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url

    def take(self, image, *page, **how):
        """Writes one picture."""
        self.write(image, self.look(*page, **how))

    def take_together(self, image, paths, width, height):
        """Writes one picture of several pages, two in a row."""
        pictures = [self.look(path, width, height) for path in paths]
        (wide, high), rows = pictures[0].size, (len(paths) + 1) // 2
        sheet = Image.new("RGB", (2 * wide, rows * high))
        for place, picture in enumerate(pictures):
            sheet.paste(picture, (place % 2 * wide, place // 2 * high))
        self.write(image, sheet)

    def look(self, path, width, height, dark=False, mobile=False, prepare=None, typed=None):
        """A page: `typed` goes into the fields, `prepare` is a script that runs then."""
        self.browser.appear(dark=dark)
        self.browser.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=mobile)
        self.browser.command("Emulation.setScrollbarsHidden", hidden=True)
        self.browser.open(self.url + path)
        self.browser.js_async(WAIT)
        self.browser.js(TYPE, typed or {})
        if prepare:
            self.browser.js(prepare)
        self.browser.js_async("setTimeout(arguments[0], 300)")
        data = base64.b64decode(self.browser.command("Page.captureScreenshot", format="png")["data"])
        return Image.open(io.BytesIO(data)).convert("RGB")

    def write(self, image, picture):
        file = IMAGES / f"{image}.png"
        # 256 colours are enough for flat areas and one soft gradient, in half the bytes.
        picture.quantize(256, kmeans=1, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KiB")


def endings(server):
    """The paths of pages that say how a dialog ended."""
    answered, withdrawn, expired = server.ask(), server.ask(), server.ask(expiresIn=1)
    server.answer(answered)
    server.call("DELETE", f"/asks/{withdrawn['id']}")
    server.call("GET", f"/asks/{expired['id']}?wait=10")
    asks = [urlsplit(ask["link"]).path for ask in (answered, withdrawn, expired)]
    return ["/prompts/email/done?outcome=ok", *asks]


@contextlib.contextmanager
def hooked(server):
    """The link at which a coding agent's hook waits."""
    event = json.loads((ROOT / "Tests/Hooks/events.json").read_text("utf-8"))["events"][0]["event"]
    hook = subprocess.Popen(
        [BINARY, "hook", "--host", "claude", "--server", server.url], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=clean({"OKCANCEL_API_TOKEN": server.token}))
    with hook:
        hook.stdin.write(json.dumps(event))
        hook.stdin.close()
        yield hook.stderr.readline().split()[-1]
        hook.terminate()


def main():
    browser = Chromium()
    try:
        with serving(ROOT / "Examples") as examples, tempfile.TemporaryDirectory() as folder:
            camera = Camera(browser, examples.url)
            invalid, valid = {"email": "bob@gmail"}, {"email": "alice@example.com"}
            camera.take("email", "/prompts/email", 520, 400, typed=invalid)
            camera.take("light", "/prompts/email", 520, 400, typed=valid)
            camera.take("dark", "/prompts/login", 520, 520, dark=True, typed={"user": "ada"})
            camera.take(
                "errors", "/prompts/profile", 520, 980, typed={"displayName": "Ada Lovelace", "handle": "Ada!"},
                prepare="document.getElementById('form').requestSubmit()")
            camera.take("phone", "/prompts/deploy", 390, 780, mobile=True, typed={"confirmation": "deploy"})
            camera.take(
                "scrolled", "/prompts/profile", 390, 664, mobile=True, typed={"displayName": "Ada Lovelace"},
                prepare="scrollTo(0, 120)")
            camera.take(
                "unreachable", "/prompts/email", 520, 400, typed=valid,
                prepare="fetch = () => Promise.reject(new TypeError()); document.getElementById('form').requestSubmit()")
            approval = examples.call("POST", "/asks", {"definition": APPROVAL})
            camera.take("approval", urlsplit(approval["link"]).path, 390, 560, mobile=True)
            with hooked(examples) as link:
                camera.take("hook", urlsplit(link).path, 390, 520, mobile=True)
            camera.take_together("endings", endings(examples), 390, 300)
            camera.take("gallery", "/", 900, 600)
            (pathlib.Path(folder) / "meeting.yaml").write_text(ARABIC)
            with serving(folder) as arabic:
                Camera(browser, arabic.url).take("right-to-left", "/prompts/meeting", 520, 560)
            port = free_port()
            origin = f"http://localhost:{port}"
            orders = [sys.executable, ROOT / "Examples/embed/orders.py", "--port", str(port), "--okcancel"]
            with serving(ROOT / "Examples/embed", "--allow-origin", origin) as embedded, Program(
                    [*orders, embedded.url], port, env=os.environ | {"OKCANCEL_API_TOKEN": embedded.token}):
                Camera(browser, origin).take("embedded", "/", 760, 640, prepare=CANCEL_ORDER)
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
