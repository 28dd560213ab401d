/** Shows what applies: hides other fields, their sections and actions, says which were shown and hidden, and keeps the focus. */

/** The delay until a screen reader announces a change, and the time in which the dialog grows, in milliseconds. */
const pause = 1000, duration = 180;

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, fields, state, rules: { actions = [], messages }, say }) {
  const list = dialog.querySelector(".fields"), sections = [...dialog.querySelectorAll(".section")];
  const buttons = actions.map(({ name }) =>
    [...dialog.querySelectorAll("button.action")].find(({ value }) => value === name));
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const isShown = ({ box }) => !box.hidden, applies = ({ name }) => state.verdict(name).applies !== false;
  let told, timer, motion;

  /** Shows and hides; what has the focus loses it only to something that stays. */
  function arrange(cause) {
    const { activeElement } = document;
    const lost = fields.find((field) => isShown(field) && !applies(field) && field.box.contains(activeElement));
    const texts = Object.fromEntries(fields.map(({ name }) => [name, state.text(name)]));
    const gone = buttons.filter((_, index) => state.judge.actionApplies(actions[index].name, texts) === false);
    for (const field of fields) if (applies(field)) field.box.hidden = false;
    for (const section of sections) section.hidden = false;
    for (const button of buttons) button.hidden = gone.includes(button);
    if (lost || gone.includes(activeElement)) successor(lost, cause).focus();
    for (const field of fields) field.box.hidden = !applies(field);
    for (const section of sections) section.hidden = !section.querySelector(".field:not([hidden])");
  }

  /** The control that gets the focus next: the edited field, else the next one that stays, the last one, or OK. */
  function successor(lost, cause) {
    const rest = fields.filter(applies), place = fields.indexOf(lost);
    return rest.find(({ name }) => name === cause) ?? rest.find((field) => fields.indexOf(field) > place) ?? rest.at(-1) ??
      dialog.querySelector(".buttons > .ok");
  }

  /** Lets the dialog grow and shrink in small steps; the frame around it follows. */
  function move(change) {
    const height = () => list.getBoundingClientRect().height, before = height();
    motion?.cancel();
    change();
    const after = height(), moves = before !== after && !isCalm.matches;
    list.toggleAttribute("data-moves", moves);
    if (!moves) return;
    const animation = motion = list.animate(
      [{ blockSize: `${before}px` }, { blockSize: `${after}px` }], { duration, easing: "ease-out" });
    animation.onfinish = () => {
      if (animation === motion) list.removeAttribute("data-moves");
    };
  }

  const named = (these) =>
    new Intl.ListFormat(document.documentElement.lang).format(these.map(({ label }) => label));

  /** Announces the fields that have appeared or disappeared since the last announcement. */
  function tell() {
    const now = fields.filter(isShown);
    const news = [
      [messages.shownFields, now.filter((field) => !told.includes(field))],
      [messages.hiddenFields, told.filter((field) => !now.includes(field))],
    ].filter(([, these]) => these.length);
    told = now;
    if (news.length) say(news.map(([sentence, these]) => sentence.replace("{fields}", () => named(these))).join(". "));
  }

  // Only pages that hide nothing say when a field applies.
  for (const line of dialog.querySelectorAll(".when")) line.remove();
  arrange();
  told = fields.filter(isShown);
  const first = dialog.querySelector("[data-autofocus]");
  if (first?.closest("[hidden]")) {
    first.removeAttribute("data-autofocus");
    const { controls } = told[0] ?? { controls: [dialog.querySelector(".buttons > .ok")] };
    (controls.find(({ checked }) => checked) ?? controls[0]).setAttribute("data-autofocus", "");
  }
  on("okcancel:change", ({ detail }) => {
    move(() => arrange(detail.field));
    clearTimeout(timer);
    timer = setTimeout(tell, pause);
  });
}
