/**
 * Only in the pages of `okcancel serve --watch`: reloads the page when what it was made of has changed, and shows what
 * keeps a change from being served.
 */
import { reveal } from "./hidden.js";

const version = new URL(import.meta.url).search.slice(1);
const controls = () => [...document.querySelectorAll("form :is(input, textarea, select)[name]")];
const key = ({ name, type, value }) => [name, type, /radio|checkbox/.test(type) && value].join();
let source, panel;

function listen() {
  source = new EventSource(new URL("../../watch", import.meta.url));
  source.onmessage = ({ data }) => {
    const { version: served, faults } = JSON.parse(data);
    show(faults);
    if (!faults.length && served !== version) reload();
  };
  // A browser comes back by itself to a server that is away, but not to one that refuses.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => document.hidden || listen(), 5000);
  };
}

/** Reloads the page and keeps what was typed if the new page has the same fields, except for passwords. */
function reload() {
  const typed = controls().filter(({ type }) => !/password|hidden/.test(type))
    .map((control) => [key(control), control.value, control.checked]);
  history.replaceState({ typed }, "");
  location.reload();
}

function restore() {
  const typed = new Map((history.state?.typed ?? []).map(([key, ...rest]) => [key, rest]));
  history.replaceState(null, "");
  for (const control of controls()) {
    const [value, checked] = typed.get(key(control)) ?? [control.value, control.checked];
    if (value === control.value && checked === control.checked) continue;
    if (control.options && ![...control.options].some((option) => option.value === value)) continue;
    Object.assign(control, checked === undefined ? { value } : { value, checked });
    control.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

function show(faults) {
  panel?.remove();
  if (!faults.length) return;
  panel = Object.assign(document.createElement("section"), { id: "faults", lang: "en" });
  panel.setAttribute("role", "alert");
  const heading = Object.assign(document.createElement("h2"), { textContent: "Not served yet" });
  const list = document.createElement("ul");
  list.append(...faults.map((fault) => Object.assign(document.createElement("li"), { textContent: reveal(fault).text })));
  panel.append(heading, list);
  document.body.append(panel);
}

const rel = "stylesheet", href = new URL("watch.css", import.meta.url);
document.head.append(Object.assign(document.createElement("link"), { rel, href }));
restore();
listen();
// Browsers open only six connections to one server, so a page that nobody sees keeps none.
document.addEventListener("visibilitychange", () => {
  source.close();
  if (!document.hidden) listen();
});
