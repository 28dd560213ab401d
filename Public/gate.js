/**
 * Until dialog.js has come, the dialog shows, and OK looks enabled or dimmed as the server judged the first values.
 * Nothing can be typed. Cancel is sent at once, as without a script; OK waits and looks busy. Pages carry this inside.
 */
{
  const dialog = document.getElementById("dialog"), fields = dialog.querySelector(".fields") ?? {},
    gated = [...dialog.querySelectorAll(".ok, .action:not([form])")], ok = dialog.querySelector(".ok"),
    // What Enter presses; in a dialog without fields the button that has the focus at first, if any.
    first = fields.localName ? ok : dialog.querySelector("button[data-autofocus]"),
    waiting = new AbortController(), { signal } = waiting;
  let pressed;
  const dim = (isInvalid) => {
    for (const button of gated) {
      if (button.dataset.whenInvalid) button.disabled = isInvalid;
      else button.setAttribute("aria-disabled", isInvalid);
    }
  };
  const gate = dialog.gate = {
    /** Ends the waiting. @returns the button that was pressed last and has not acted yet */
    open() {
      waiting.abort();
      fields.inert = false;
      pressed?.removeAttribute("aria-busy");
      return gate.isSent ? undefined : pressed;
    },
  };
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
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape") dialog.querySelector("button.cancel")?.click();
    if (key === "Enter" && target === document.body) first?.click();
  }, { signal });
  // A script that does not load, or that fails.
  addEventListener("error", ({ target }) => {
    if (target === window || target.localName === "script") giveUp();
  }, { signal, capture: true });
  addEventListener("unhandledrejection", giveUp, { signal });
  setTimeout(giveUp, 3000);
}
