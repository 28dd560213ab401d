"""Chromium, Firefox and WebKit by the same few words: one class each, and none of them is optional.

Elements are those of selenium or marionette_driver, which agree in `click`, `send_keys`, `text`, `get_attribute`,
`get_property`, `is_displayed` and `is_enabled`.
"""

import base64
import contextlib
import glob
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import InvalidSessionIdException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from Support.server import free_port

WIDTH, HEIGHT = 1000, 900

# What a script may take before it says that it is done.
SCRIPT_SECONDS = 120

# GTK's settings, by which WebKit prefers reduced motion.
CALM = Path(__file__).parent / "Calm"

# As it was before marionette_driver writes to it: with what Firefox needs there, WebKit does not start.
ENVIRONMENT = dict(os.environ)


def program(name):
    found = shutil.which(name)
    assert found, f"{name} is not installed; make test-packages"
    return found


def virtual_display():
    """A screen for a browser that cannot do without: its process and its number."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [program("Xvfb"), "-displayfd", str(write), "-screen", "0", "1280x1200x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    # The whole line: Xvfb ends where its last character cannot be written.
    with open(read) as line:
        number = line.readline().strip()
    assert number, "Xvfb did not start"
    return process, number


class Selenium:
    """What Chromium and WebKit have in common."""

    def open(self, url):
        self.driver.get(url)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def js_async(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def active(self):
        return self.driver.switch_to.active_element

    @property
    def url(self):
        return self.driver.current_url

    @property
    def title(self):
        return self.driver.title

    @property
    def source(self):
        return self.driver.page_source

    def enter_frame(self, frame=None):
        self.driver.switch_to.frame(frame or self.find("iframe"))

    def leave_frame(self):
        self.driver.switch_to.default_content()

    def back(self):
        self.driver.back()

    def press(self, keys):
        """Keys for what has the focus, one after the other."""
        ActionChains(self.driver, duration=0).send_keys(keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def hold(self, key):
        """Presses a key that stays down until it is released, on whatever page that is."""
        ActionChains(self.driver, duration=0).key_down(key).perform()

    def release(self, key):
        ActionChains(self.driver, duration=0).key_up(key).perform()

    def point(self, *steps):
        """What the mouse does: goes to a place or to an element, and its button down and up."""
        actions = ActionBuilder(self.driver, duration=0)
        pointer = actions.pointer_action
        for step in steps:
            if isinstance(step, str):
                getattr(pointer, f"pointer_{step}")()
            elif isinstance(step, tuple):
                pointer.move_to_location(*step)
            else:
                pointer.move_to(step)
        actions.perform()

    def click_at(self, x, y, times=1):
        self.point((x, y), *["down", "up"] * times)

    def scroll_at(self, x, y, distance):
        """The mouse's wheel, in pixels."""
        actions = ActionBuilder(self.driver, duration=0)
        actions.wheel_action.scroll(x=x, y=y, delta_y=distance)
        actions.perform()

    def drag(self, start, end):
        """What is selected at a point to another one."""
        actions = ActionBuilder(self.driver, duration=100)
        pointer = actions.pointer_action.move_to_location(*start).pointer_down().pause(.3)
        pointer.move_to_location(start[0] + 8, start[1] + 8).move_to_location(*end).pause(.3).pointer_up()
        actions.perform()

    def picture(self):
        return self.driver.get_screenshot_as_png()

    def quit(self):
        self.driver.quit()


class Chromium(Selenium):
    name = "chromium"
    composes = True
    paints_forced_colors = True

    def __init__(self, scripts=True, logs="browser"):
        options = webdriver.ChromeOptions()
        options.binary_location = program("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={WIDTH},{HEIGHT}"):
            options.add_argument(argument)
        if not scripts:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {logs: "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(program("chromedriver"), port=free_port()))
        self.driver.set_script_timeout(SCRIPT_SECONDS)
        self.appear()

    def command(self, name, **arguments):
        """One of the Chrome DevTools Protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def appear(self, dark=False, forced_colors=False, medium=""):
        self.command("Emulation.setEmulatedMedia", media=medium, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "forced-colors", "value": "active" if forced_colors else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ])

    def compose(self, text):
        self.command("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))

    def commit(self, text):
        self.command("Input.insertText", text=text)

    def pdf(self):
        return base64.b64decode(self.command("Page.printToPDF", printBackground=False)["data"])


class WebKit(Selenium):
    name = "webkit"
    composes = False
    paints_forced_colors = False

    def __init__(self, scripts=True):
        self.dark = False
        self.start()

    def start(self):
        browsers = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))
        assert browsers, "WebKitGTK's MiniBrowser is not installed; make test-packages"
        options = webdriver.webkitgtk.options.Options()
        options.binary_location = browsers[-1]
        options.add_argument("--automation")
        if self.dark:
            options.add_argument("--dark-mode")
        self.display, number = virtual_display()
        environment = {**ENVIRONMENT, "DISPLAY": f":{number}", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
                       "XDG_CONFIG_HOME": str(CALM)}
        # Without a host it also listens by IPv6, which not every machine has.
        service = webdriver.webkitgtk.service.Service(
            program("WebKitWebDriver"), free_port(), service_args=["--host=127.0.0.1"], env=environment)
        self.driver = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_script_timeout(SCRIPT_SECONDS)
        self.driver.set_window_size(WIDTH, HEIGHT)

    def quit(self):
        with contextlib.suppress(InvalidSessionIdException):
            super().quit()
        self.display.terminate()
        self.display.wait()

    def revive(self):
        """Starts anew if the page has crashed, which ends the session: WebKitGTK's does once in many thousand tests."""
        try:
            self.driver.title
        except InvalidSessionIdException:
            self.quit()
            self.start()

    def appear(self, dark=False):
        if dark != self.dark:
            self.quit()
            self.dark = dark
            self.start()


class Firefox:
    name = "firefox"
    composes = True
    paints_forced_colors = True

    def __init__(self, scripts=True):
        # Imported here, so that the pictures of the documentation only need Chromium.
        from marionette_driver.marionette import Marionette
        from mozlog.structuredlog import StructuredLogger, set_default_logger
        # Without a handler: it would print what it finds out about Firefox.
        set_default_logger(StructuredLogger("browser"))
        # Marionette removes the file before it writes to it: the superuser's /dev/null would be gone.
        self.files = tempfile.TemporaryDirectory()
        log = str(Path(self.files.name) / "firefox.log")
        self.driver = Marionette(bin=program("firefox-esr"), headless=True, port=free_port(), gecko_log=log, prefs={
            "javascript.enabled": scripts,
            "ui.prefersReducedMotion": 1,
            "layout.css.prefers-color-scheme.content-override": 1,
        })
        self.driver.start_session()
        self.driver.timeout.script = SCRIPT_SECONDS
        self.driver.set_window_rect(width=WIDTH, height=HEIGHT)

    def open(self, url):
        self.driver.navigate(url)

    def js(self, script, *arguments):
        # Without a sandbox, so that what one script leaves in the window the next one finds.
        return self.driver.execute_script(script, script_args=arguments, sandbox=None)

    def js_async(self, script, *arguments):
        return self.driver.execute_async_script(script, script_args=arguments, sandbox=None)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def find_all(self, selector):
        return self.driver.find_elements("css selector", selector)

    @property
    def active(self):
        return self.driver.get_active_element()

    @property
    def url(self):
        return self.driver.get_url()

    @property
    def title(self):
        return self.driver.title

    @property
    def source(self):
        return self.driver.page_source

    def enter_frame(self, frame=None):
        self.driver.switch_to_frame(frame or self.find("iframe"))

    def leave_frame(self):
        self.driver.switch_to_default_content()

    def back(self):
        self.driver.go_back()

    def press(self, keys):
        from marionette_driver.errors import NoSuchWindowException
        try:
            self.driver.actions.sequence("key", "keyboard").send_keys(keys).perform()
        except NoSuchWindowException:
            # Pressed, the key closed the frame; nothing is left to release it in.
            pass

    def chord(self, modifier, key):
        self.driver.actions.sequence("key", "keyboard").key_down(modifier).send_keys(key).key_up(modifier).perform()

    def hold(self, key):
        self.driver.actions.sequence("key", "keyboard").key_down(key).perform()

    def release(self, key):
        self.driver.actions.sequence("key", "keyboard").key_up(key).perform()

    def point(self, *steps):
        actions = self.driver.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
        for step in steps:
            if isinstance(step, str):
                getattr(actions, f"pointer_{step}")()
            elif isinstance(step, tuple):
                actions.pointer_move(*step)
            else:
                actions.pointer_move(0, 0, origin=step)
        actions.perform()

    def click_at(self, x, y, times=1):
        self.point((x, y), *["down", "up"] * times)

    def scroll_at(self, x, y, distance):
        """The mouse's wheel, in pixels."""
        self.driver.actions.sequence("wheel", "wheel").scroll(x, y, 0, distance).perform()

    def picture(self):
        return self.driver.screenshot(format="binary", full=False)

    def appear(self, dark=False, forced_colors=False):
        self.driver.set_prefs({
            "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
            "browser.display.document_color_use": 2 if forced_colors else 0,
        })

    def compose(self, text):
        self.input_method("""
            processor.setPendingCompositionString(text);
            processor.appendClauseToPendingComposition(text.length, processor.ATTR_RAW_CLAUSE);
            processor.setCaretInPendingComposition(text.length);
            processor.flushPendingComposition();""", text)

    def commit(self, text):
        self.input_method("processor.commitCompositionWith(text);", text)

    def input_method(self, act, text):
        """Speaks to the page as an input method does."""
        self.driver.execute_script(
            """
            const [text] = arguments;
            const processor = globalThis.processor ??= Components.classes["@mozilla.org/text-input-processor;1"]
              .createInstance(Components.interfaces.nsITextInputProcessor);
            processor.beginInputTransactionForTests(window);
            """ + act, script_args=[text], sandbox="system", new_sandbox=False)

    def quit(self):
        self.driver.quit(in_app=False)
        self.files.cleanup()


BROWSERS = {browser.name: browser for browser in (Chromium, Firefox, WebKit)}
