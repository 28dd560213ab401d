/** What was read of numbers. It comes with the first text that is more than digits. */
import {number, reading} from "./quantities.js";

/**
 * Shows under each field what was read of a number, as the page's language writes it, if that is not what stands there.
 * @param page what dialog.js gives its parts
 */
export function follow({on, fields, rules: {language, messages}}) {
  const decimal = new Intl.NumberFormat(`${language}-u-nu-latn`).formatToParts(.5).find(({type}) => type === "decimal").value;
  const [before, after] = messages.readAs?.split("{number}") ?? [];
  function tell(field) {
    const {plain} = reading(field), {name, kind, trim, box, controls: [control]} = field;
    if (!plain || control.type === "range") return;
    const texts = (kind === "list" ? control.value.split("\n") : [control.value]).map((text) => trim ? text.trim() : text);
    const read = texts.map(plain).map((text) => number(text) === undefined ? text : text.replace(".", decimal));
    const isSame = `${texts}` === `${read}`, id = `read-${name}`, shown = read.filter(Boolean).join("; ");
    const line = document.getElementById(id) ?? Object.assign(document.createElement("p"), {id, className: "help", dir: "auto", hidden: true});
    if (!line.parentElement) box.querySelector(".error").before(line);
    if (line.hidden && isSame) return;
    line.hidden = isSame;
    line.replaceChildren(before, Object.assign(document.createElement("bdi"), {textContent: shown}), after);
    const others = control.getAttribute("aria-describedby").split(" ").filter((other) => other !== id);
    control.setAttribute("aria-describedby", [...isSame ? [] : [id], ...others].join(" "));
  }
  if (after === undefined) return;
  on("okcancel:change", ({detail}) => tell(fields.find(({name}) => name === detail.field)));
  fields.forEach(tell);
}
