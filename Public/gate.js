/**
 * Tells a press that a person can mean from one that happens to them: a key typed ahead or still held down, a click that
 * was on its way to another window. A press counts if it began at least half a second after the person could see the
 * question. Pure: the gate says what happens and when, in milliseconds.
 */
class PressClock {
  /** When the person saw the question for the first time, or came back to it. */
  #shownAt = Infinity;
  /** When the space bar went down, which acts as it comes up. */
  #spaceAt = -Infinity;
  /** When the press that acts now began, by a pointer or by a key: long ago if elsewhere; undefined if there is none. */
  pointerAt;
  keyAt;

  /** What is down now went down before. */
  show(at) {
    this.#shownAt = at;
    this.#spaceAt = -Infinity;
    this.keyAt = undefined;
  }

  /** A key that repeats was held down: it presses nothing. No other key than these presses anything. */
  keyDown(key, at, repeats) {
    if (!/^(Enter|Escape| )$/.test(key)) return;
    this.keyAt = repeats ? -Infinity : at;
    if (key === " " && !repeats) this.#spaceAt = at;
  }

  /** A space bar that went down elsewhere presses nothing. */
  keyUp(key) {
    this.keyAt = key === " " ? this.#spaceAt : undefined;
    if (key === " ") this.#spaceAt = -Infinity;
  }

  /**
   * @param at the time of what the press does: a click that no key or pointer caused, as by a screen reader, began then
   * @param isPointer whether a pointer caused it
   */
  counts(at, isPointer) {
    return ((isPointer ? this.pointerAt : this.keyAt) ?? at) >= this.#shownAt + 500;
  }
}

/**
 * Until dialog.js has come, the dialog shows, and OK looks enabled or dimmed as the server judged the first values.
 * Nothing can be typed. Cancel is sent at once, as without a script; OK waits and looks busy. Before and after, a press
 * that nobody can have meant does nothing. Pages carry this inside.
 */
if (globalThis.document) {
  const dialog = document.getElementById("dialog"), fields = dialog.querySelector(".fields") ?? {},
    gated = [...dialog.querySelectorAll(".ok, .action:not([form])")], ok = dialog.querySelector(".ok"),
    // Enter presses OK if a field has the first focus, else the button that has it, if any.
    first = dialog.querySelector("[data-autofocus]"),
    clock = new PressClock(), waiting = new AbortController(), { signal } = waiting;
  // In a page, embed/frame.js shows it once it has the frame's style: what was drawn before would move.
  if (parent !== window && location.hash.startsWith("#okcancel=")) dialog.style.visibility = "hidden";
  let pressed;
  const dim = (isInvalid) => {
    for (const button of gated) {
      if (button.dataset.whenInvalid) button.disabled = isInvalid;
      else button.setAttribute("aria-disabled", isInvalid);
    }
  };
  // If a program waits for the answer, Cancel is one, too.
  const isAsked = /\/a\/[^/]+$/.test(location.pathname), now = () => performance.now();
  let isShown = false;
  const gate = dialog.gate = {
    /** Starts the half second in which presses do nothing. */
    show(at = now()) {
      isShown = true;
      clock.show(at);
    },
    /** True if a person can have meant this press. One that came too early is noted for a moment. */
    counts({ timeStamp, detail, isTrusted } = { timeStamp: now() }) {
      // The page's own script may press whenever it wants.
      if (isTrusted === false || clock.counts(timeStamp, detail)) return true;
      dialog.dataset.early = "";
      setTimeout(() => delete dialog.dataset.early, 300);
      return false;
    },
    /** The same for Cancel. */
    cancels: (event) => !isAsked || gate.counts(event),
    /** Ends the waiting. @returns the button that was pressed last and has not acted yet */
    open() {
      waiting.abort();
      fields.inert = false;
      if (isHidden) draw();
      pressed?.removeAttribute("aria-busy");
      return gate.isSent ? undefined : pressed;
    },
  };
  const isHidden = "waits" in dialog.dataset, draw = () => requestAnimationFrame(() => gate.show());
  const again = () => isShown && gate.show(), on = (type, listener) => addEventListener(type, listener, true);
  if (!isHidden) draw();
  // In a frame the page around it says which window has the focus, if it speaks: a click into the frame is none.
  addEventListener("focus", () => gate.hasFocus || again());
  on("pageshow", ({ persisted }) => persisted && again());
  on("visibilitychange", () => document.hidden || again());
  on("pointerdown", ({ button, timeStamp, target }) => {
    if (!button) clock.pointerAt = dialog.contains(target) ? timeStamp : -Infinity;
  });
  on("pointercancel", () => clock.pointerAt = undefined);
  on("keydown", ({ key, timeStamp, repeat }) => clock.keyDown(key, timeStamp, repeat));
  on("keyup", ({ key }) => {
    clock.keyUp(key);
    // Once the browser has done what the space bar does.
    if (key === " ") setTimeout(() => clock.keyAt = undefined);
  });
  on("click", (event) => {
    const button = event.target.closest?.("#dialog :is(button, input)");
    const mayAct = button?.type !== "submit" || gate[button.matches(".cancel") ? "cancels" : "counts"](event);
    clock.pointerAt = undefined;
    if (mayAct) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  // If dialog.js never comes, the form works as without a script.
  const giveUp = () => {
    if (signal.aborted) return;
    delete dialog.dataset.waits;
    dim(false);
    const button = gate.open();
    gate.isSent ||= !!button;
    button?.click();
  };
  fields.inert = true;
  dim(!("valid" in dialog.dataset));
  dialog.addEventListener("submit", (event) => {
    const button = event.submitter ?? ok, mayGo = !gated.includes(button);
    if (!mayGo || gate.isSent) event.preventDefault();
    if (gate.isSent) return;
    pressed?.removeAttribute("aria-busy");
    pressed = button;
    pressed.setAttribute("aria-busy", true);
    gate.isSent = mayGo;
  }, { signal });
  // Scripts that hang may hold all the connections that a browser opens to one server.
  dialog.addEventListener("submit", ({ defaultPrevented }) => defaultPrevented || "ready" in dialog.dataset || stop());
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Escape" && gate.cancels(event)) dialog.querySelector("button.cancel")?.click();
    if (key === "Enter" && target === document.body && first && gate.counts(event)) (first.type === "submit" ? first : ok).click();
  }, { signal });
  // A script that does not load, or that fails.
  addEventListener("error", ({ target }) => {
    if (target === window || target.localName === "script") giveUp();
  }, { signal, capture: true });
  addEventListener("unhandledrejection", giveUp, { signal });
  setTimeout(giveUp, 3000);
}
