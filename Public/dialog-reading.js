/** Shows the material above the fields: says that it goes on until its end is in sight; pictures open large. */

// So that nothing moves once the dialog shows; but no picture keeps it away.
const pictures = Promise.all([...document.querySelectorAll("#context img")].map((image) => image.decode().catch(() => {})));
await Promise.race([pictures, new Promise((done) => setTimeout(done, 1000))]);

/** Numbers as tables have them, with a sign, a unit or a currency. */
const isNumber = (text) => /^[^\p{L}\d]{0,3}\d[\d.,\s'’_]*[^\p{L}\d]{0,3}$/u.test(text.trim());

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, say, edge }) {
  const context = document.getElementById("context"), text = context ?? document.getElementById("message");
  const bar = dialog.querySelector(".buttons"), { more } = dialog.dataset;

  function look() {
    const { bottom } = text.getBoundingClientRect();
    const isBelow = bottom > edge() + 8, isWithin = context && context.scrollHeight - context.clientHeight - context.scrollTop > 8;
    // One hint at a time: the end of a context that goes on below is out of sight.
    for (const [element, goesOn] of [[context, isWithin && !isBelow], [bar, isBelow]]) {
      if (goesOn) element.dataset.more = more;
      else element?.removeAttribute("data-more");
    }
    // Only what scrolls is a stop of the Tab key.
    for (const each of context ? [context, ...context.querySelectorAll("[tabindex]")] : []) {
      each.tabIndex = each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth ? 0 : -1;
    }
  }

  /** Shows a picture as large as there is room. The browser's own Escape closes it, and a press. */
  function enlarge(image) {
    const view = Object.assign(document.createElement("dialog"), { className: "large", ariaLabel: image.alt });
    const back = Object.assign(document.createElement("button"), { type: "button", onclick: () => view.close() });
    const tell = () => dialog.dispatchEvent(new CustomEvent("okcancel:picture"));
    view.onclose = () => {
      view.remove();
      tell();
    };
    back.append(image.cloneNode());
    view.append(back);
    document.body.append(view);
    view.showModal();
    tell();
  }

  for (const image of dialog.querySelectorAll("#context img")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "picture" });
    image.before(button);
    button.append(image);
    on("click", () => enlarge(image), button);
  }
  for (const { rows: [, ...rows] } of dialog.querySelectorAll("#context table")) {
    for (const { cellIndex } of rows[0]?.cells ?? []) {
      const column = rows.map(({ cells }) => cells[cellIndex]).filter(Boolean);
      if (column.every(({ textContent }) => isNumber(textContent))) {
        for (const cell of [column[0].closest("table").rows[0].cells[cellIndex], ...column]) cell.classList.add("number");
      }
    }
  }
  if (context) on("scroll", look, context);
  on("scroll", look, document);
  on("resize", look, window);
  new ResizeObserver(look).observe(text);
  look();
  if (dialog.querySelector("#context[data-more], .buttons[data-more]")) say(more);
}
