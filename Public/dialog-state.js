/**
 * The decisions of a dialog, without a page: takes texts, edits, verdicts and presses; gives OK's state, messages and
 * actions. A text is a string, or a list of strings for the kind `choices`; a verdict is what judge.js calls one.
 */
import { compile } from "./judge.js";

export class DialogState {
  /**
   * A page's own checks `{shouldChange, shouldReturn, validate}(field, text)`. Each is called only if the dialog's own
   * check and all delegates before it agreed. A missing method agrees; `validate` may return a verdict.
   */
  delegates;
  /** The fields judged since this was last cleared. */
  judged = new Set();
  /** True once the dialog has its outcome. */
  isClosed = false;
  /** True if the page asks the server for pending verdicts; otherwise submitting settles them. */
  asks = true;
  /** The press `{by}` that acts on the server's verdict when it comes. */
  waiting;
  #overflow;
  #failed;
  #refused;
  #texts;
  #fields;

  /**
   * @param rules the rules JSON
   * @param texts what the fields hold at first, by name
   * @param served the messages that came with the page, by field
   * @param refused the message of a delegate that gives none
   * @param parts the modules of the judge that the rules need
   * @param delegates as above
   */
  constructor(rules, texts, served, refused, parts, delegates) {
    this.delegates = delegates;
    this.judge = compile(rules, ...parts);
    this.#refused = refused;
    this.#texts = { ...texts };
    this.#fields = new Map(rules.fields.map(({ name, kind, validate }) => [name, {
      name, moments: validate ?? ["afterEditing"], revision: 0, notice: served[name],
      // The server's no holds for this text; a password that it judged is no longer in the page.
      answer: served[name] && kind !== "password" ? { isValid: false, message: served[name] } : undefined,
    }]));
    this.judgeAll();
  }

  /** The texts of the fields, by name. */
  get texts() {
    return this.#texts;
  }

  text(name) {
    return this.#texts[name];
  }

  /** The answers, by name, typed as in JSON. */
  get values() {
    return this.judge.answers(this.#texts);
  }

  /** The number of edits to the text of a field, or to one that it is judged with. */
  revision(name) {
    return this.#fields.get(name).revision;
  }

  verdict(name) {
    return this.#fields.get(name).verdict;
  }

  /** The message to show under a field; empty if there is none. */
  message(name) {
    const { notice, isShown, verdict } = this.#fields.get(name);
    return notice || isShown && !verdict.isValid && verdict.message || "";
  }

  /** `busy`: all that is not valid yet is with the server. */
  get ok() {
    return this.#failing.length ? "dimmed" : this.asks && this.pending.length ? "busy" : "enabled";
  }

  /** The names of the fields that fail, first to last. */
  get failing() {
    return this.#failing.map(({ name }) => name);
  }

  /** True if an edit to this text is allowed. */
  allows(name, text) {
    return this.judge.allows(name, text) && this.#agree("shouldChange", name, text);
  }

  /** Says until the next edit why this text was refused. */
  note(name, text) {
    const { message } = this.judge.field(name, { ...this.#texts, [name]: text });
    this.#fields.get(name).notice = message ?? this.#refused;
  }

  /** True if Enter may act. If the field is invalid it always may, so that the gate can show the message. */
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
    // The edit may make all texts together too long at another field, or no longer too long: only those verdicts can change.
    const overflow = this.judge.overflow(this.#texts)?.name;
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

  /** Ends a composition, which counts as one edit. @returns the text before it */
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
   * @param by what `waiting` has, if the press must wait
   * @returns {"send" | "refuse" | "wait" | "none"} none: there was an outcome before
   */
  press(by) {
    if (this.isClosed) return "none";
    // The server may only have been unable to check. If only it rejected the fields that fail, a new press asks it again.
    const failing = this.#failing;
    if (failing.every(({ verdict, answer }) => verdict === answer)) {
      for (const field of failing) {
        field.notice = undefined;
        this.#rejudge(field, undefined);
      }
    }
    return this.decide(by);
  }

  /** The server's no to the texts as they are. @param messages by field */
  refuse(messages) {
    for (const [name, message] of Object.entries(messages)) {
      this.#fields.get(name).notice = message;
      this.setVerdict(name, { isValid: false, message });
    }
  }

  /** Takes the server's verdict on a field; undefined: there is none. */
  setVerdict(name, answer) {
    this.#rejudge(this.#fields.get(name), answer);
  }

  /** The page was left and is back as it was. */
  reopen() {
    this.isClosed = false;
    this.waiting = undefined;
  }

  judgeAll() {
    this.#overflow = this.judge.overflow(this.#texts)?.name;
    for (const field of this.#fields.values()) this.#rejudge(field, field.answer);
  }

  /** Decides the effect of a press from the verdicts received so far. */
  decide(by) {
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
    const { name } = field, judged = this.judge.field(name, this.#texts);
    field.answer = answer;
    field.verdict = judged.isValid || judged.pending ? answer ?? judged : judged;
    if (judged.applies === false) {
      Object.assign(field, { verdict: judged, notice: "", isShown: false });
    } else {
      if (field.verdict.isValid) field.verdict = this.#agreedVerdict(name);
      if (field.verdict.isValid) field.isShown = false;
      this.judged.add(name);
    }
    // Last: a delegate may have written into another field and asked what fails since.
    this.#failed = undefined;
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
    return [name, ...this.judge.dependents(name)].map((each) => this.#fields.get(each));
  }

  get #failing() {
    return this.#failed ??= [...this.#fields.values()].filter(({ verdict }) => !verdict.isValid && !verdict.pending);
  }

  /** The fields `{name, revision}` of which only the server can tell. */
  get pending() {
    return [...this.#fields.values()].filter(({ verdict }) => verdict.pending);
  }
}
