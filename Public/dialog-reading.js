/** Shows the material above the fields: says that it goes on until its end is in sight; pictures open large. */

// So that nothing moves once the dialog shows; but no picture keeps it away.
const pictures = Promise.all([...document.querySelectorAll("#context img")].map((image) => image.decode().catch(() => {})));
await Promise.race([pictures, new Promise((done) => setTimeout(done, 1000))]);

/** The lower end of what goes on below fades, under the button that scrolls. */
const style = `.more { position: sticky; z-index: 1; block-size: 0; pointer-events: none }
  .more > button { position: absolute; inset: auto 1px calc(1px + var(--rise, 0px)); inline-size: calc(100% - 2px); padding: 3rem 0 .7rem; border: 0; border-radius: 0 0 var(--corner) var(--corner); background: linear-gradient(#0000, var(--cover, var(--surface)) 2.8rem); color: var(--accent); font-size: .875rem; font-weight: 500; pointer-events: auto }
  #context + .more { --cover: var(--control); --rise: 1rem; margin-inline: 1.25rem }
  :has(> .buttons[data-flows]) > .more { display: none }
  @media (forced-colors: active) { .more > button { padding-block-start: .7rem; background: Canvas } }`;

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, say, edge }) {
  const context = document.getElementById("context"), text = context ?? document.getElementById("message");
  // A Content Security Policy does not treat a constructed style sheet as an inline style.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
  const bar = dialog.querySelector(".buttons"), { more } = dialog.dataset;
  // Scrolls on: over the lower edge of the context, or above the buttons.
  const onward = Object.assign(document.createElement("div"), { className: "more", hidden: true });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${more} ↓` });
  onward.append(button);
  on("click", () => {
    if (bar.dataset.more) scrollBy(0, .8 * edge());
    else context.scrollBy(0, .8 * context.clientHeight);
  }, button);

  function look() {
    const { bottom } = text.getBoundingClientRect();
    const isBelow = bottom > edge() + 8, isWithin = context && context.scrollHeight - context.clientHeight - context.scrollTop > 8;
    // One hint at a time: the end of a context that goes on below is out of sight.
    for (const [element, hasMore] of [[context, isWithin && !isBelow], [bar, isBelow]]) {
      if (hasMore) element.dataset.more = more;
      else element?.removeAttribute("data-more");
    }
    const after = isBelow ? bar.previousElementSibling : context;
    if (after && after !== onward && after.nextElementSibling !== onward) after.after(onward);
    onward.style.insetBlockEnd = `${bar.offsetHeight}px`;
    // Not over the scroll bar, and with a square corner beside it.
    const beside = isBelow || !context ? 0 : context.offsetWidth - context.clientWidth - 2;
    onward.style.marginInlineEnd = beside ? `calc(1.25rem + ${beside}px)` : "";
    button.style.borderEndEndRadius = beside ? 0 : "";
    // What goes away leaves the focus to what it scrolled.
    if (document.activeElement === button && !isBelow && !isWithin) (context ?? dialog).focus();
    onward.hidden = !isBelow && !isWithin;
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
  if (context) on("scroll", look, context);
  on("scroll", look, document);
  on("resize", look, window);
  new ResizeObserver(look).observe(text);
  look();
  if (dialog.querySelector("#context[data-more], .buttons[data-more]")) say(more);
}
