/**
 * A search field above many check boxes: it shows the options that it finds, and says how many there are. They are one
 * stop of the Tab key, and the arrow keys go from one to the next.
 */

/** From how many options on there is one. The page names this module if a field has as many. */
const many = 20;

/** The glass in the search field. */
const look =
  `.find { appearance: none; padding-inline-start: 2.3rem; background: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cg fill='none' stroke='%23888' stroke-width='1.5'%3E%3Ccircle cx='6.5' cy='6.5' r='4.5'/%3E%3Cpath d='m10 10 4.5 4.5'/%3E%3C/g%3E%3C/svg%3E") left .75rem center / 1rem no-repeat var(--control); }` +
  `.find:dir(rtl) { background-position-x: right .75rem }` +
  // In a window of 600 pixels or more, and with half a row in sight if there are more.
  `.options { margin-block-start: .3rem; max-block-size: calc(round(down, 40 * var(--vh, 1vh), 2.75rem) + 1.375rem + max(0px, 600px - 100 * var(--vh, 1vh)) * 999); overflow-y: auto; scrollbar-color: var(--edge) #0000; scrollbar-width: thin; border: 1px solid var(--line); border-radius: var(--corner) }` +
  `.options > label { margin: 0 !important; border-inline-width: 0 !important; border-block-end-width: 0 !important; border-radius: 0 !important }` +
  `.options > :nth-child(1 of label:not([hidden])) { border-block-start-width: 0 !important }`;

/** A text as one searches for it: without case, accents and white space. */
export const plain = (text) => text.normalize("NFKD").replace(/[\p{M}\s]/gu, "").toLowerCase().replaceAll("ß", "ss");

/** @param page what dialog.js gives its parts */
export function enhance({ on, fields, rules: { language }, say }) {
  // A Content Security Policy does not treat a constructed style sheet as an inline style.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(look);
  document.adoptedStyleSheets.push(sheet);
  for (const field of fields) {
    const options = [...field.box.querySelectorAll("fieldset > label")], legend = field.box.querySelector("legend");
    if (options.length < many) continue;
    const texts = options.map(({ textContent }) => plain(textContent)), number = new Intl.NumberFormat(language);
    const count = Object.assign(document.createElement("p"), { className: "help" });
    const search = Object.assign(document.createElement("input"), { type: "search", className: "find", autocomplete: "off" });
    // A template of one's own may not have them.
    const { search: placeholder = "", found: words = "" } = legend.parentElement.dataset;
    search.placeholder = placeholder;
    legend.id = `legend-${field.name}`;
    search.setAttribute("aria-labelledby", legend.id);
    // A box of its own, like those of the style sheet.
    const box = Object.assign(document.createElement("fieldset"), { className: "options", role: "presentation" });
    box.append(...options);
    legend.after(search, count, box);
    const first = field.box.querySelector("[data-autofocus]");
    first?.removeAttribute("data-autofocus");
    search.toggleAttribute("data-autofocus", Boolean(first));

    let found;
    function tally() {
      const facts = { chosen: options.filter(({ control }) => control.checked).length, found };
      count.textContent = words.replace(/{(\w+)}/g, (_, fact) => number.format(facts[fact]));
    }

    function show() {
      const wanted = plain(search.value);
      const isFound = (index) => texts[index].includes(wanted);
      // What is chosen stays.
      options.forEach((option, index) => option.hidden = !isFound(index) && !option.control.checked);
      found = options.filter((_, index) => isFound(index)).length;
      tally();
      say(wanted ? count.textContent : "", 500);
      stop(shown().find(({ tabIndex }) => tabIndex === 0) ?? shown()[0]);
    }
    const shown = () => options.filter(({ hidden }) => !hidden).map(({ control }) => control);
    const stop = (at) => field.controls.forEach((control) => control.tabIndex = control === at ? 0 : -1);
    on("focusin", ({ target }) => target !== search && stop(target), field.box);
    on("keydown", (event) => {
      const { key, target } = event, stops = [search, ...shown()], at = stops.indexOf(target);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, ...target !== search && { Home: 1, End: stops.length - 1 } }[key];
      if (next === undefined || event.isComposing) return;
      event.preventDefault();
      stops[next]?.focus();
    }, field.box);
    const clear = () => {
      search.value = "";
      show();
    };
    on("input", show, search);
    on("change", tally, field.box);
    on("keydown", (event) => {
      const isClearing = event.key === "Escape" && search.value;
      if (event.isComposing || event.key !== "Enter" && !isClearing) return;
      event.preventDefault();
      if (isClearing) return clear();
      options.find((_, index) => texts[index].includes(plain(search.value)))?.control.focus();
    }, search);
    show();
    // What has a message is to be seen.
    const { focus } = field;
    field.focus = () => {
      clear();
      focus.call(field);
    };
  }
}
