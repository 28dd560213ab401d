/**
 * The live part of a dialog; the server's HTML works without it. `DialogState` decides and knows no page, `FieldView`
 * is one field of the page, `open` wires both. One file, because every request delays the first sight.
 */
import { compile } from "./rules.js";

/**
 * Texts, edits, verdicts and presses in; OK's state, messages and decisions out. A text is a string, and of kind
 * `choices` a list of them; a verdict is what rules.js calls so.
 */
export class DialogState {
  /**
   * A page's own checks `{shouldChange, shouldReturn, validate}(field, text)`, each asked after a yes of the one
   * before, the first after the dialog's own. A missing method is a yes; `validate` may return a verdict.
   */
  delegates = [];
  /** The fields judged since somebody cleared this. */
  judged = new Set();
  /** Whether the dialog has had its outcome. */
  isClosed = false;
  /** The press `{by}` that acts on the server's verdict when it comes. */
  waiting;
  #judge;
  #overflow;
  #refused;
  #texts;
  #fields;

  /**
   * @param rules the rules JSON
   * @param texts what the fields hold at first, by name
   * @param served the messages that came with the page, by field
   * @param refused the message of a delegate that gives none
   */
  constructor(rules, texts, served = { __proto__: null }, refused = "") {
    this.#judge = compile(rules);
    this.#refused = refused;
    this.#texts = { ...texts };
    this.#fields = new Map(rules.fields.map(({ name, kind, validate }) => [name, {
      name, moments: validate ?? ["whileEditing", "afterEditing"], revision: 0, notice: served[name],
      // The server's no holds for this text; a password that it judged is no longer in the page.
      answer: served[name] && kind !== "password" ? { isValid: false, message: served[name] } : undefined,
    }]));
    this.judgeAll();
  }

  text(name) {
    return this.#texts[name];
  }

  /** The answers, by name, typed as in JSON. */
  get values() {
    return Object.fromEntries([...this.#fields.keys()].map((name) => [name, this.#judge.answer(name, this.#texts)]));
  }

  verdict(name) {
    return this.#fields.get(name).verdict;
  }

  /** What to show under a field; empty: nothing. */
  message(name) {
    const { notice, isShown, verdict } = this.#fields.get(name);
    return notice || isShown && !verdict.isValid && verdict.message || "";
  }

  /** `busy`: all that is not valid yet is with the server. */
  get ok() {
    return this.failing.length ? "dimmed" : this.#pending.length ? "busy" : "enabled";
  }

  /** The names of the fields that fail, first to last. */
  get failing() {
    return this.#failing.map(({ name }) => name);
  }

  /** Whether an edit to this text may happen. */
  allows(name, text) {
    return this.#judge.allows(name, text) && this.#agree("shouldChange", name, text);
  }

  /** Whether Enter may act; where the field fails, the gate tells why not. */
  shouldReturn(name) {
    return !this.verdict(name).isValid || this.#agree("shouldReturn", name, this.text(name));
  }

  edit(name, text) {
    const field = this.#fields.get(name), before = field.composedFrom ?? this.#texts[name];
    this.#texts[name] = text;
    this.waiting = field.notice = undefined;
    field.edited = true;
    for (const each of this.#withDependents(name)) {
      each.revision++;
      this.#rejudge(each, undefined);
    }
    // All texts together may be too long with another field, or no longer so: it says that, and nothing else has changed.
    const overflow = this.#judge.overflow(this.#texts)?.name;
    for (const other of new Set([this.#overflow, overflow])) {
      if (other && other !== name) this.#rejudge(this.#fields.get(other), this.#fields.get(other).answer);
    }
    this.#overflow = overflow;
    if (field.composedFrom === undefined) this.#showWhileEditing(field, before);
  }

  /** An input method composes: until it ends, edits bring no message. */
  startComposing(name) {
    this.#fields.get(name).composedFrom = this.#texts[name];
  }

  /** What was composed counts as one edit. @returns the text before it */
  endComposing(name) {
    const field = this.#fields.get(name), before = field.composedFrom;
    field.composedFrom = undefined;
    if (before !== this.#texts[name]) this.#showWhileEditing(field, before);
    return before;
  }

  /** The person left a field. */
  leave(name) {
    if (!this.#fields.get(name).edited) return;
    for (const field of this.#withDependents(name)) {
      if (field.edited && field.moments.includes("afterEditing")) field.isShown = !field.verdict.isValid;
    }
  }

  /**
   * The gate of OK, Enter and requestSubmit.
   * @param by comes back from `answered`, if the press must wait
   * @returns {"send" | "refuse" | "wait" | "none"} none: there was an outcome before
   */
  press(by) {
    if (this.isClosed) return "none";
    // A no of the server may have been "could not check". Where nothing else is in the way, a new press asks again.
    const failing = this.#failing;
    if (failing.every(({ verdict, answer }) => verdict === answer)) {
      for (const field of failing) {
        field.notice = undefined;
        this.#rejudge(field, undefined);
      }
    }
    return this.#decide(by);
  }

  /** The server's no to the texts as they are. @param messages by field */
  refuse(messages) {
    for (const [name, message] of Object.entries(messages)) {
      const field = this.#fields.get(name);
      field.notice = message;
      this.#rejudge(field, { isValid: false, message });
    }
  }

  /** The page was left and is back as it was. */
  reopen() {
    this.isClosed = false;
    this.waiting = undefined;
  }

  /** What only the server can tell; undefined: nothing. */
  question() {
    const only = this.#pending.map(({ name }) => name);
    if (!only.length) return undefined;
    // Other fields, passwords among them, stay here unless the asked ones look at them.
    const needed = Object.entries(this.#texts).filter(([name]) =>
      [name, ...this.#judge.dependents(name)].some((reader) => only.includes(reader)));
    return { only, values: Object.fromEntries(needed), revisions: this.#pending.map(({ revision }) => revision) };
  }

  /**
   * The answer to a question; what has been edited since then is left out.
   * @param verdicts by field; null: not reachable, so OK is enabled and the submit decides
   * @returns what the waiting press leads to; undefined: none waits, or it waits on
   */
  answered({ only, revisions }, verdicts) {
    only.forEach((name, index) => {
      const field = this.#fields.get(name);
      if (field.revision === revisions[index]) this.#rejudge(field, verdicts?.[name] ?? { isValid: true });
    });
    if (!this.waiting || this.ok === "busy") return undefined;
    const { by } = this.waiting;
    this.waiting = undefined;
    return { by, decision: this.#decide(by) };
  }

  judgeAll() {
    this.#overflow = this.#judge.overflow(this.#texts)?.name;
    for (const field of this.#fields.values()) this.#rejudge(field, field.answer);
  }

  #decide(by) {
    if (this.failing.length) {
      for (const field of this.#fields.values()) field.isShown = !field.verdict.isValid;
      return "refuse";
    }
    if (this.ok === "busy") {
      this.waiting = { by };
      return "wait";
    }
    this.isClosed = true;
    return "send";
  }

  #rejudge(field, answer) {
    const { name } = field, own = this.#judge.field(name, this.#texts);
    field.answer = answer;
    field.verdict = own.isValid || own.pending ? answer ?? own : own;
    if (field.verdict.isValid) field.verdict = this.#agreedVerdict(name);
    if (field.verdict.isValid) field.isShown = false;
    this.judged.add(name);
  }

  #agreedVerdict(name) {
    for (const delegate of this.delegates) {
      const verdict = delegate.validate?.(name, this.#texts[name]) ?? true;
      if (verdict === true || verdict.isValid) continue;
      return { isValid: false, rule: "delegate", message: verdict.message ?? this.#refused };
    }
    return { isValid: true };
  }

  #agree(method, ...question) {
    return this.delegates.every((delegate) => delegate[method]?.(...question) ?? true);
  }

  #showWhileEditing(field, before) {
    if (before.length && field.moments.includes("whileEditing")) field.isShown = !field.verdict.isValid;
  }

  #withDependents(name) {
    return [name, ...this.#judge.dependents(name)].map((each) => this.#fields.get(each));
  }

  get #failing() {
    return [...this.#fields.values()].filter(({ verdict }) => !verdict.isValid && !verdict.pending);
  }

  get #pending() {
    return [...this.#fields.values()].filter(({ verdict }) => verdict.pending);
  }
}

/** One field of the page. */
class FieldView {
  constructor({ name, kind }, dialog) {
    this.name = name;
    this.kind = kind;
    this.box = dialog.querySelector(`[data-field="${name}"]`);
    this.controls = [...this.box.querySelectorAll("[name]")];
    this.label = this.box.querySelector("label, legend").textContent.trim();
    this.error = this.box.querySelector(".error");
  }

  /** The text it holds now. */
  read() {
    const [control] = this.controls;
    const chosen = this.controls.filter((each) => each.checked).map((each) => each.value);
    if (this.kind === "choices") return chosen;
    if (this.kind === "boolean") return String(control.checked);
    if (control.type === "radio") return chosen[0] ?? "";
    // A half typed date has no value; it must not pass for an empty one.
    return control.validity.badInput ? "-" : control.value;
  }

  /** Puts a text back. */
  write(text) {
    const chosen = [].concat(text);
    for (const control of this.controls) {
      if (/checkbox|radio/.test(control.type)) control.checked = chosen.includes(control.value);
      else control.value = text;
    }
  }

  focus() {
    (this.controls.find((control) => control.checked) ?? this.controls[0]).focus();
  }

  /** Tells of what a script writes into the controls, of which no event does. */
  observe(changed) {
    for (const control of this.controls) {
      const kind = Object.getPrototypeOf(control);
      for (const name of ["value", "valueAsDate", "valueAsNumber", "checked", "selectedIndex"]) {
        const native = Object.getOwnPropertyDescriptor(kind, name);
        if (!native) continue;
        const set = (value) => {
          native.set.call(control, value);
          changed();
        };
        Object.defineProperty(control, name, { ...native, set });
      }
      for (const name of ["setRangeText", "stepUp", "stepDown"]) {
        if (!kind[name]) continue;
        control[name] = (...rest) => {
          kind[name].apply(control, rest);
          changed();
        };
      }
    }
  }

  /** @returns whether the message is another than before, and not empty */
  show(message) {
    if (message === this.error.textContent) return false;
    this.error.textContent = message;
    this.error.hidden = !message;
    this.box.toggleAttribute("data-invalid", Boolean(message));
    const group = this.box.querySelector("[role=radiogroup]");
    for (const control of group ? [group] : this.controls) control.setAttribute("aria-invalid", String(message !== ""));
    const line = document.querySelector(`#summary [data-for="${this.name}"]`);
    if (line) {
      line.hidden = !message;
      line.firstElementChild.textContent = `${this.label}: ${message}`;
      line.closest("#summary").hidden = !line.parentElement.querySelector("li:not([hidden])");
    }
    return Boolean(message);
  }
}

/** Makes a dialog live: the page's `<dialog>` around the form that the server drew, with the rules JSON beside it. */
async function open(dialog) {
  // Everything hangs on the dialog, not on its forms: a field named "action" or "dataset" would hide theirs.
  const listeners = new AbortController();
  const on = (type, listener, target = dialog) => target.addEventListener(type, listener, { signal: listeners.signal });
  const [form, why, live] = ["form", "why", "live"].map((id) => document.getElementById(id));
  const oks = [...dialog.querySelectorAll(".buttons > .ok")], [ok] = oks;
  const sentences = dialog.dataset;

  const rules = JSON.parse(document.getElementById("rules").textContent);
  const fields = rules.fields.map((field) => new FieldView(field, dialog));
  const fieldOf = (element) => fields.find(({ box }) => box.contains(element));
  const named = (name) => fields.find((field) => field.name === name);
  const collect = (value) => Object.fromEntries(fields.map((field) => [field.name, value(field)]));
  // A page of another site that holds this one in a frame has named itself in the address.
  const join = location.hash.startsWith("#okcancel=") && (await import("./embed/frame.js")).join(dialog, fields);
  const state = new DialogState(
    rules, collect((field) => field.read()), collect(({ error }) => error.textContent), sentences.refused);
  state.judged.clear();

  const emit = (type, detail, cancelable = false) =>
    dialog.dispatchEvent(new CustomEvent(`okcancel:${type}`, { bubbles: true, cancelable, detail }));

  function render() {
    const news = fields.filter((field) => field.show(state.message(field.name)));
    const [first] = state.failing, isEnabled = state.ok === "enabled";
    why.textContent = first ? `${named(first).label}: ${state.verdict(first).message}` : sentences.checking;
    for (const button of oks) {
      button.setAttribute("aria-describedby", isEnabled ? "" : "why");
      button.setAttribute("aria-busy", String(state.ok === "busy" || state.isClosed));
      if (button.dataset.whenInvalid) button.disabled = !isEnabled;
      else button.setAttribute("aria-disabled", String(!isEnabled));
    }
    if (news.length || isEnabled) live.textContent = news.map(({ error }) => error.textContent).join(" ");
  }

  // Edits: whatever brings another text, `update` takes it over or has the filter put the old one back.

  let filter, composing, asking;

  // dialog-filter.js knows the selection too, but has yet to come when the first delegate does.
  function refuses(field, text, before) {
    if (filter) return filter.refuses(field, text, before);
    const isRefused = !state.allows(field.name, text);
    if (isRefused) field.write(before);
    return isRefused;
  }

  function update(field) {
    const { name } = field, text = field.read();
    if (JSON.stringify(text) === JSON.stringify(state.text(name))) return;
    if (field !== composing && refuses(field, text, state.text(name))) return;
    state.edit(name, text);
    emit("change", { field: name, text });
    judged();
  }

  const updateAll = () => fields.forEach(update);

  function judged() {
    render();
    asking?.later();
    for (const name of state.judged) {
      const verdict = state.verdict(name);
      if (!verdict.pending) emit("validate", { field: name, text: state.text(name), verdict });
    }
    state.judged.clear();
  }

  // A half typed date brings no event but its keys.
  for (const type of ["input", "change", "keyup"]) {
    on(type, ({ target }) => {
      const field = fieldOf(target);
      if (field) update(field);
    });
  }
  on("reset", () => setTimeout(updateAll));
  on("compositionstart", ({ target }) => {
    composing = fieldOf(target);
    state.startComposing(composing.name);
  });
  on("compositionend", () => {
    const field = composing;
    update(field);
    composing = undefined;
    const before = state.endComposing(field.name);
    refuses(field, field.read(), before);
    update(field);
    judged();
  });

  // Focus

  let current, isPointerDown = false, left = [];

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

  on("focusin", ({ target }) => {
    const field = fieldOf(target);
    updateAll();
    if (field === current) return;
    leave();
    current = field;
    if (field) emit("beginediting", { field: field.name, text: state.text(field.name) });
  });
  on("focusout", ({ relatedTarget }) => {
    // Where the window lost the focus, the field is still the active element and not left.
    if (!current?.box.contains(relatedTarget ?? document.activeElement)) leave();
  });
  // A message that appears would move the button away from under the pointer: it waits until the click is over.
  const release = () => {
    isPointerDown = false;
    setTimeout(showLeft);
  };
  on("pointerdown", () => isPointerDown = true, document);
  on("pointerup", release, document);
  on("pointercancel", release, document);

  // The gate of OK, Enter and requestSubmit

  function act({ decision }) {
    render();
    if (decision === "refuse") named(state.failing[0]).focus();
    if (decision === "wait") {
      live.textContent = sentences.checking;
      asking.now();
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
    const { target } = event, button = event.submitter ?? ok;
    if (state.isClosed || target === form && !press(button)) return event.preventDefault();
    state.isClosed = true;
    const { name, value } = button;
    const outcome = name === "action" ? { outcome: "action", action: value } : { outcome: value };
    if (target === form) outcome.values = state.values;
    // Whoever delivers the outcome in another way prevents this one.
    if (!emit("outcome", outcome, true)) {
      event.preventDefault();
    } else if (globalThis.navigation) {
      // The browser's Stop button, where the browser tells of it.
      on("navigateerror", reopen, navigation);
    }
    render();
  });

  on("keydown", (event) => {
    const { target, key } = event, field = fieldOf(target);
    // 229: the key is the input method's. Of the Enter that ends composing Safari tells in this way alone.
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (key === "Escape") {
      event.preventDefault();
      dialog.querySelector("button.cancel")?.click();
    }
    const isCommand = event.ctrlKey || event.metaKey, isMultiline = target.localName === "textarea";
    if (key !== "Enter" || target.localName !== "input" && !(isMultiline && isCommand)) return;
    event.preventDefault();
    update(field);
    if (event.repeat || !emit("return", { field: field.name, text: state.text(field.name) }, true)) return;
    if (!state.shouldReturn(field.name)) return;
    const next = fields[fields.indexOf(field) + 1];
    if (target.getAttribute("enterkeyhint") === "next" && next && !isCommand) next.focus();
    else pressOK();
  });

  function reopen() {
    state.reopen();
    updateAll();
    render();
  }

  on("pageshow", ({ persisted }) => {
    if (persisted) return reopen();
    updateAll();
    render();
  }, window);
  on("close", () => listeners.abort());

  // What few dialogs need comes when it is needed.

  let loading;
  const loadFilter = () =>
    loading ??= import("./dialog-filter.js").then((module) => filter = module.filter(state, on, fieldOf));
  dialog.delegates = state.delegates;
  dialog.delegates.push = (...delegates) => {
    const count = Array.prototype.push.apply(state.delegates, delegates);
    loadFilter();
    state.judgeAll();
    judged();
    return count;
  };
  if (rules.fields.some(({ allow }) => allow?.length)) await loadFilter();
  if (dialog.querySelector(".reveal, .scale")) (await import("./dialog-controls.js")).enhance(dialog, on);
  if (JSON.stringify(rules).includes('"decidedBy"')) {
    const { ask } = await import("./dialog-asking.js");
    asking = ask(sentences.validate, state, ({ press, isReachable }) => {
      judged();
      if (!isReachable) live.textContent = sentences.unreachable;
      if (!press || !act(press)) return;
      // Pressed once more, so that the form goes out with the button's name and value.
      reopen();
      press.by.click();
    });
  }

  for (const field of fields) field.observe(() => update(field));
  updateAll();
  render();
  asking?.now();
  dialog.dataset.ready = "";
  if (!dialog.contains(document.activeElement)) dialog.querySelector("[autofocus]")?.focus();
  if (join) join(state, reopen, act);
}

if (globalThis.document) open(document.getElementById("dialog"));
