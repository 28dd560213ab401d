/**
 * Scripts for some controls: groups of check boxes or radio buttons as one field, a button that shows a password, and a
 * slider's value beside it. Also keeps the error summary in step with the fields.
 */

/** Has the field's line in the summary show what the field does. */
function summarize(field) {
  const line = document.querySelector(`#summary [data-for="${field.name}"]`), summary = line?.closest("#summary");
  if (!line) return;
  const show = field.show.bind(field);
  field.show = (...verdict) => {
    const isNews = show(...verdict);
    line.hidden = !field.message;
    line.querySelector("bdi + bdi").textContent = field.message;
    summary.hidden = !summary.querySelector("li:not([hidden])");
    return isNews;
  };
}

/** @param fields the views of dialog.js, before the first verdict */
export function adapt(fields) {
  for (const field of fields) {
    summarize(field);
    const { box, controls, kind } = field, isChosen = ({ checked }) => checked;
    if (!/checkbox|radio/.test(controls[0].type)) continue;
    const isNeeded = kind === "choices" && controls[0].ariaRequired;
    field.read = () => {
      const chosen = controls.filter(isChosen).map(({ value }) => value);
      // One of several check boxes is required only until any is chosen.
      if (isNeeded) for (const control of controls) control.ariaRequired = !chosen[0];
      return kind === "choices" ? chosen : chosen[0] ?? (kind === "boolean" ? "false" : "");
    };
    field.write = (text) => {
      for (const control of controls) control.checked = [].concat(text).includes(control.value);
    };
    field.focus = () => (controls.find(isChosen) ?? controls[0]).focus();
    const group = box.querySelector("[role=radiogroup]");
    if (group) field.marked = [group];
  }
}

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, rules: { language } }) {
  // All digits of a text, as the person writes them.
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  const written = (number) => number && format.format(number).replace("-", "\u2212");
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
    const update = () => {
      output.value = written(range.value);
      // How much of the track is filled.
      range.style.setProperty("--at", (range.value - range.min) / (range.max - range.min));
    };
    for (const end of output.parentElement.querySelectorAll(".ends > span")) end.textContent = written(end.textContent);
    on("okcancel:change", update);
    update();
  }
}
