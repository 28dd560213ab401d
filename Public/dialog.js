/**
 * The live part of a dialog; the server's HTML works without it. `DialogState` decides, `FieldView` is one field of the
 * page, `open` joins both.
 */
import { FieldView } from "./dialog-field.js";
import { DialogState } from "./dialog-state.js";

/** The longest wait for something that may never come, in milliseconds. */
const patience = 3000;

/** The result of a promise, or undefined if it takes too long. */
const soon = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, patience))]);

/**
 * Makes a dialog live: the page's `<dialog>` around the form that the server drew, with the rules JSON beside it.
 *
 * All modules are loaded before the first listener is added: if one fails to load, the form works as without a script.
 * @param {AbortController} listeners removes all listeners
 */
async function open(dialog, listeners) {
  // Listeners and data belong to the dialog, not to its forms: a field named "dataset" would hide the form's property.
  const on = (type, listener, target = dialog) => target.addEventListener(type, listener, { signal: listeners.signal });
  const [form, why, live] = ["form", "why", "live"].map((id) => document.getElementById(id));
  const bar = dialog.querySelector(".buttons"), ok = bar.querySelector(".ok"), buttons = [...bar.children];
  // The buttons that validate; an action that does not has a `form` attribute.
  const gated = buttons.filter((button) => button.matches(".ok, .action:not([form])"));
  const problem = document.getElementById("problem") ??
    Object.assign(why.cloneNode(), { id: "problem", className: "error" });
  bar.before(problem);
  const sentences = dialog.dataset, { gate } = dialog;
  // Before the first await: the page's own script may add delegates while this one still loads modules.
  const delegates = dialog.delegates = [];

  const rules = JSON.parse(document.getElementById("rules").textContent);
  const [frame, ...modules] = await Promise.all([
    // A page of another site that holds this one in a frame has named itself in the address.
    location.hash.startsWith("#okcancel=") && import("./embed/frame.js"),
    // The server knows which parts the rules and the controls need.
    ...[...document.querySelectorAll("[rel=modulepreload]")].map(({ href }) => import(href)),
  ]);
  // What many dialogs need together comes as one.
  const parts = modules.flatMap((each) => each.default ?? each);
  // Firefox and WebKit would stop at the dialog itself after its last button.
  dialog.tabIndex = -1;
  // A proxy may have added a Content Security Policy that blocks inline style sheets, but none blocks constructed ones.
  for (const { sheet, textContent } of document.querySelectorAll("style")) {
    if (sheet) continue;
    const adopted = new CSSStyleSheet();
    adopted.replaceSync(textContent);
    document.adoptedStyleSheets.push(adopted);
  }
  if (gate?.isSent) return;
  const fields = rules.fields.map((field) => new FieldView(field, dialog));
  for (const { adapt } of parts) adapt?.(fields);
  const named = (wanted) => fields.find(({ name }) => name === wanted);
  const fieldOf = (element) => fields.find(({ box }) => box.contains(element));
  const collect = (value) => Object.fromEntries(fields.map((field) => [field.name, value(field)]));
  const join = frame && frame.join(dialog, fields);
  const state = new DialogState(
    rules, collect((field) => field.read()), collect(({ message }) => message), sentences.refused, parts, delegates);
  state.judged.clear();

  const emit = (type, detail, cancelable) =>
    dialog.dispatchEvent(new CustomEvent(`okcancel:${type}`, { bubbles: true, cancelable, detail }));

  // What is shown, and what a screen reader says of it

  let pressed, speech, part;

  /** Has a screen reader say it, even what it said last. */
  function say(text, pause = 100) {
    clearTimeout(speech);
    live.textContent = "";
    speech = setTimeout(() => live.textContent = text, pause);
  }

  /** @param href where a press on the text leads, in a tab of its own, so that what was typed stays */
  function complain(text = "", href, className = "error") {
    Object.assign(problem, { className, textContent: text });
    if (href) problem.replaceChildren(Object.assign(document.createElement("a"), { href, target: "_blank", textContent: text }));
    problem.hidden = !text;
    if (text) {
      problem.scrollIntoView({ block: "nearest" });
      say(text);
    }
  }

  const told = (field, message = state.message(field.name)) => field.label + sentences.colon + field.word(message);

  function set(button, name, value) {
    // The browser would draw it anew even if the value is the same.
    if (button.getAttribute(name) !== `${value}`) button.setAttribute(name, value);
  }

  function render() {
    const changed = fields.filter((field) => field.show(state.message(field.name), !state.verdict(field.name).isValid));
    const [first] = state.failing, isEnabled = state.ok === "enabled";
    why.textContent = first ? told(named(first), state.verdict(first).message) : sentences.checking;
    for (const button of gated) {
      set(button, "aria-describedby", isEnabled ? "" : "why");
      if (button.dataset.whenInvalid) button.disabled = !isEnabled;
      else set(button, "aria-disabled", !isEnabled);
    }
    for (const button of buttons) {
      set(button, "aria-busy", state.isClosed ? button === pressed : state.ok === "busy" && gated.includes(button));
    }
    // During typing, only what has stood for a second.
    const news = changed.find((field) => state.message(field.name));
    if (changed.length) say(news ? told(news) : "", 1000);
  }

  // Edits: however a text has changed, `update` accepts it or has the filter restore the old one

  let composing;
  // What parts add: `afterEdit` of dialog-filter.js, `now` and `later` of dialog-asking.js.
  const hooks = {};

  /** Puts the old text back, unless the new one is allowed. @returns whether it did */
  function refuses(field, text, before) {
    const isRefused = !state.allows(field.name, text);
    // dialog-filter.js restores the selection, too, but may still be loading when the page adds the first delegate.
    if (hooks.afterEdit) hooks.afterEdit(field, isRefused ? before : undefined);
    else if (isRefused) field.write(before);
    if (isRefused) explain(field, text);
    return isRefused;
  }

  /** Says why a text was refused. */
  function explain(field, text) {
    state.note(field.name, text);
    render();
    say(told(field));
  }

  function update(field) {
    const { name } = field, text = field.read();
    if (JSON.stringify(text) === JSON.stringify(state.text(name))) return;
    if (field !== composing && refuses(field, text, state.text(name))) return;
    state.edit(name, text);
    sending();
    emit("change", { field: name, text });
    judged();
  }

  const updateAll = () => fields.forEach(update);

  function judged() {
    render();
    hooks.later?.();
    for (const name of state.judged) {
      const verdict = state.verdict(name);
      if (!verdict.pending) emit("validate", { field: name, text: state.text(name), verdict });
    }
    state.judged.clear();
  }

  function edited({ target }) {
    const field = fieldOf(target);
    if (!field) return;
    // Not every browser reports that a date field has the focus.
    if (field.box.contains(document.activeElement)) enter(field);
    update(field);
  }

  on("input", edited);
  on("change", edited);
  on("reset", () => setTimeout(updateAll));
  on("compositionstart", ({ target }) => {
    composing = fieldOf(target);
    state.startComposing(composing.name);
  });
  on("compositionend", ({ timeStamp }) => {
    const field = composing;
    update(field);
    composing = undefined;
    const before = state.endComposing(field.name), text = field.read(), isRefused = refuses(field, text, before);
    update(field);
    judged();
    // If a press ended the composition, it was meant for the refused text, so it must not act.
    if (!isRefused) return;
    voidSince = timeStamp;
    explain(field, text);
  });

  // Focus

  let current, isPointerDown = false, voidSince = 0, left = [];

  function leave() {
    if (!current) return;
    update(current);
    emit("endediting", { field: current.name, text: state.text(current.name) });
    left.push(current.name);
    current = undefined;
    if (!isPointerDown) setTimeout(showLeft);
  }

  function showLeft() {
    left.forEach((name) => state.leave(name));
    left = [];
    render();
  }

  function enter(field) {
    if (field === current) return;
    leave();
    current = field;
    if (field) emit("beginediting", { field: field.name, text: state.text(field.name) });
  }

  on("focusin", ({ target }) => {
    updateAll();
    enter(fieldOf(target));
  });
  on("focusout", ({ relatedTarget }) => {
    // If the window lost the focus, the field is still the active element: the person has not left it.
    if (!current?.box.contains(relatedTarget ?? document.activeElement)) leave();
  });
  // A message that appears could move the button away from under the pointer, so messages wait until the click is over.
  const release = () => {
    isPointerDown = false;
    setTimeout(showLeft);
  };
  // Firefox fires `compositionend` just before the event of the press that ended the composition.
  const forgive = ({ timeStamp }) => {
    if (timeStamp > voidSince + 100) voidSince = 0;
  };
  on("pointerdown", (event) => {
    isPointerDown = true;
    forgive(event);
  }, document);
  on("pointerup", release, document);
  on("pointercancel", release, document);

  // The gate of OK, Enter and requestSubmit

  function act({ decision }) {
    render();
    if (decision === "refuse") {
      const { failing } = state, [first] = failing.map(named);
      first.focus();
      say((failing[1] ? `${state.judge.say("problems", failing.length)} ` : "") + told(first));
    }
    if (decision === "wait") {
      say(sentences.checking);
      hooks.now();
    }
    return decision === "send";
  }

  function press(button) {
    updateAll();
    return act({ decision: state.press(button) });
  }

  function pressOK() {
    updateAll();
    if (ok.disabled) press(ok);
    else ok.click();
  }

  on("submit", (event) => {
    const { target, submitter } = event, button = submitter ?? ok, isGated = target === form && !button.formNoValidate;
    event.preventDefault();
    if (state.isClosed || voidSince || isGated && !press(button)) return;
    state.isClosed = true;
    pressed = button;
    const { name, value } = button;
    const outcome = name === "action" ? { outcome: name, action: value } : { outcome: value };
    if (isGated) outcome.values = state.values;
    complain();
    // A page that delivers the outcome in another way prevents this one.
    if (emit("outcome", outcome, true)) deliver(outcome, target, submitter);
    render();
  });

  /** Loads the module that sends answers: with the first edit, or with the press at the latest. */
  const sending = () =>
    part ??= import("./dialog-sending.js").then(({ enhance }) => enhance(page)).catch(() => {});

  async function deliver(outcome, target, submitter) {
    const entries = new URLSearchParams(new FormData(target, submitter));
    const sender = await soon(sending());
    if (sender) return sender.deliver(outcome, entries);
    // The module does not come: submit the plain form, unless that cannot reach the server, or leads to a sign-in.
    const { ok, status } = await soon(fetch(location, { method: "HEAD", redirect: "manual" }).catch(() => ({}))) ?? { ok: true };
    if (ok || status === 404 || status === 410) return submitPlainly();
    reopen();
    if (status === 0 || status === 401) complain(sentences.signIn, location.pathname);
    else complain(sentences.unreachable);
  }

  /** Has the browser send the form, as without a script. */
  function submitPlainly() {
    listeners.abort();
    pressed.form.requestSubmit(pressed);
  }

  on("keydown", (event) => {
    const { target, key } = event;
    forgive(event);
    // 229: the input method handles the key. In Safari, only this marks the Enter that ends a composition.
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (key === "Escape") {
      event.preventDefault();
      if (gate?.cancels(event) ?? true) dialog.querySelector("button.cancel")?.click();
    }
    if (bar.contains(target) || target === dialog) choose(event);
    const isCommand = event.ctrlKey || event.metaKey, isMultiline = target.localName === "textarea";
    if (key !== "Enter" || target.localName !== "input" && !(isMultiline && isCommand)) return;
    event.preventDefault();
    const field = fieldOf(target);
    update(field);
    if (event.repeat || !emit("return", { field: field.name, text: state.text(field.name) }, true) ||
      !state.shouldReturn(field.name)) return;
    const next = fields.slice(fields.indexOf(field) + 1).find(({ box }) => !box.hidden);
    if (target.getAttribute("enterkeyhint") === "next" && next && !isCommand) next.focus();
    else if (gate?.counts(event) ?? true) pressOK();
  });

  /** Arrows choose a button, also if none had the first focus. Up and down scroll until one has it. */
  function choose(event) {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event, isAcross = /^Arrow(Left|Right)$/.test(key);
    const able = [...bar.children].filter(({ disabled }) => !disabled), at = able.indexOf(event.target);
    // With another key it is the browser's: Alt and an arrow go back.
    if (altKey || ctrlKey || metaKey || shiftKey || !isAcross && (at < 0 || !/^Arrow(Up|Down)$/.test(key))) return;
    const isForward = isAcross ? (key === "ArrowLeft") === (getComputedStyle(bar).direction === "rtl") : key === "ArrowDown";
    const next = at < 0 && !isForward ? able.at(-1) : able[at + (isForward ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  function reopen() {
    state.reopen();
    updateAll();
    render();
  }

  /** Asks the server whether the question has ended. */
  const end = async () => (await sending())?.end();
  on("pageshow", ({ persisted }) => {
    if (persisted) {
      state.reopen();
      if (sentences.left) end();
    }
    updateAll();
    render();
  }, window);
  on("close", () => listeners.abort());

  /** The height of the window, or of the one around a frame, which leaves a margin. */
  const height = frame?.height ?? (() => innerHeight);
  /** Down to where the fields can be seen, if nothing has scrolled. */
  const edge = () => height() - (frame ? 32 : 0) - (bar.hasAttribute("data-flows") ? 0 : bar.offsetHeight);

  const page = {
    dialog, on, fields, fieldOf, rules, state, patience, soon, say, complain, judged, act, edited, explain, reopen, begin,
    edge, submitPlainly
  };
  for (const { enhance } of parts) Object.assign(hooks, enhance?.(page));
  state.asks = hooks.now;
  // If this module cannot be loaded, `refuses` still restores the old text, but not its selection.
  const watch = () => import("./dialog-filter.js").then(({ enhance }) => {
    if (!hooks.afterEdit) Object.assign(hooks, enhance(page));
  }, () => {});
  if (delegates.length) watch();
  delegates.push = (...more) => {
    const count = Array.prototype.push.apply(delegates, more);
    watch();
    state.judgeAll();
    judged();
    return count;
  };

  for (const field of fields) field.observe(() => update(field));
  updateAll();
  render();
  hooks.now?.();

  // The server says in how many seconds the time is over, and never more of them than a timer takes.
  if (sentences.left) setTimeout(end, 1000 * sentences.left);

  /** Two buttons that do not fit side by side stand below each other, OK first: Tab and the arrows follow. */
  function order() {
    const [first, second = first] = bar.children, wraps = first.offsetTop !== second.offsetTop;
    // A frame that has no size yet has no room for two.
    if (bar.matches(".stacked") || bar.offsetWidth < 160 || wraps === bar.hasAttribute("data-wraps")) return;
    bar.toggleAttribute("data-wraps");
    // What is moved would lose the focus.
    if (second === document.activeElement) bar.append(first);
    else bar.prepend(second);
  }

  // The buttons stay visible: a focused control scrolls to a place above them.
  const fit = () => {
    order();
    bar.toggleAttribute("data-flows", 2 * bar.offsetHeight > height());
    document.documentElement.style.scrollPaddingBlockEnd = `${bar.offsetHeight + 16}px`;
  };
  fit();
  new ResizeObserver(fit).observe(bar);
  on("resize", fit, window);

  /**
   * Sets the initial focus, to the dialog itself if a button has to be chosen before a key presses one. A line of text is
   * selected, as in window.prompt; in a text area the caret goes to the end. Nothing scrolls, so that the beginning of a
   * message that fills the screen stays visible; and the space bar, which shows the next page, must press nothing that is
   * out of sight.
   */
  function begin() {
    let first = dialog.querySelector("[data-autofocus]") ?? dialog;
    if (!bar.contains(first) && first.getBoundingClientRect().bottom > edge()) first = dialog;
    first.focus({ preventScroll: true });
    first.select?.();
    if (first.localName === "textarea") first.selectionStart = first.value.length;
    // WebKit scrolls to what is selected.
    scrollTo(0, 0);
  }

  dialog.dataset.ready = "";
  const early = gate?.open();
  if (!dialog.contains(document.activeElement)) begin();
  if (join) join(page);
  early?.click();
}

const listeners = new AbortController();
open(document.getElementById("dialog"), listeners).catch((error) => {
  listeners.abort();
  throw error;
});
