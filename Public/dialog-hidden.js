/** Names, under each field that is typed into, what its text hides. It comes with the first such text. */
import { summary } from "./hidden.js";

// As much as a text may have; a longer one is refused anyway.
const limit = 16 * 1024;

const dialog = document.getElementById("dialog"), { hidden, colon } = dialog.dataset;

function tell(box) {
  const control = box.querySelector(":is(textarea, input:not([type=checkbox], [type=radio], [type=range]))[name]");
  if (!control || box.matches(".password")) return;
  const id = `hidden-${control.name}`, marks = summary(control.value.slice(0, limit));
  const line = document.getElementById(id) ??
    Object.assign(document.createElement("p"), { id, className: "help", dir: "auto", hidden: true });
  if (!line.parentElement) box.querySelector(".error").before(line);
  if (line.hidden && !marks) return;
  line.hidden = !marks;
  line.replaceChildren(hidden + colon, Object.assign(document.createElement("bdi"), { textContent: marks }));
  const others = control.getAttribute("aria-describedby").split(" ").filter((other) => other !== id);
  control.setAttribute("aria-describedby", [...marks ? [id] : [], ...others].join(" "));
}

dialog.addEventListener("okcancel:change", ({ detail }) => tell(dialog.querySelector(`[data-field="${detail.field}"]`)));
for (const box of dialog.querySelectorAll("[data-field]")) tell(box);
