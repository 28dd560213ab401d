/** Cancel asks why: the first press opens the reason, the next one sends it. Escape closes it again, and keeps the text. */

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, say }) {
  const form = document.getElementById("cancel"), reason = dialog.querySelector(".reason");
  const [box, text, error] = [".field", "textarea", ".error"].map((part) => reason.querySelector(part));
  const buttons = [...dialog.querySelectorAll("button.cancel")];
  let [pressed] = buttons;

  const isOpen = () => reason.hasAttribute("data-open");

  function open(opens) {
    reason.toggleAttribute("data-open", opens);
    for (const button of buttons) button.setAttribute("aria-expanded", opens);
  }

  function complain(message) {
    error.textContent = message;
    error.hidden = !message;
    box.toggleAttribute("data-invalid", !!message);
    text.setAttribute("aria-invalid", !!message);
  }

  /** What dialog-sending.js calls if the server refuses an answer. @returns whether that was for the reason */
  dialog.refuse = (errors) => {
    const message = errors?.find(({ field }) => field === text.name)?.message;
    if (!message) return false;
    open(true);
    complain(message);
    text.focus();
    say(message);
    return true;
  };

  for (const button of buttons) button.setAttribute("aria-controls", reason.id);
  open(isOpen());
  // Before the dialog sends it.
  on("submit", (event) => {
    if (isOpen()) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = event.submitter ?? pressed;
    open(true);
    text.focus();
  }, form);
  on("okcancel:outcome", ({ detail }) => {
    const why = text.value.trim();
    if (detail.outcome === "cancel" && why) detail.reason = why;
  });
  on("input", () => complain(""), text);
  on("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event;
    if (event.isComposing || event.keyCode === 229 || key !== "Enter" || !(ctrlKey || metaKey)) return;
    event.preventDefault();
    // Held down since it pressed Cancel, it must not send an empty reason.
    if (!event.repeat && (dialog.gate?.cancels(event) ?? true)) pressed.click();
  }, text);
  // Before the dialog takes it for Cancel, which would send the reason.
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || event.keyCode === 229 || !isOpen()) return;
    event.preventDefault();
    event.stopPropagation();
    open(false);
    pressed.focus();
  }, { capture: true });
}
