/** What some controls need a script for: showing a password, and a slider's value beside it. */

/** @param on adds a listener that goes with the dialog */
export function enhance(dialog, on) {
  for (const button of dialog.querySelectorAll(".reveal > button")) {
    const input = button.parentElement.querySelector("input");
    const show = (isShown) => {
      input.type = isShown ? "text" : "password";
      button.textContent = isShown ? button.dataset.hide : button.dataset.show;
      // A page may have several.
      button.setAttribute("aria-label", isShown ? button.dataset.hideName : button.dataset.showName);
    };
    show(false);
    button.hidden = false;
    on("click", () => show(input.type === "password"), button);
    // Browsers keep what was typed into a text field for later suggestions.
    on("submit", () => show(false));
  }
  for (const output of dialog.querySelectorAll(".scale > output")) {
    const range = output.parentElement.querySelector("input");
    const update = () => output.value = range.value;
    on("okcancel:change", update);
    update();
  }
}
