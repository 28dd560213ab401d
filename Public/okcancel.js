/**
 * Dialogs of an OKCancel server in a page of another site: the function `ask` and the element `<ok-cancel>`.
 *
 * @typedef {{outcome: "ok" | "cancel" | "action" | "expired" | "withdrawn", values?: object, action?: string,
 *   id?: string, receipt?: string}} Outcome  `id`, of a link, and `receipt`: what a backend can look the answer up by;
 *   neither is enumerable
 */

const server = new URL(import.meta.url).origin;

/** What opens a dialog comes when somebody is about to. */
const load = () => import("./embed/modal.js");

/**
 * Where a dialog is.
 * @param {string} what a prompt's name, or the link of an ask
 * @throws {TypeError} for what is neither; a link of another server is none
 */
export function address(what, base = server) {
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(what);
  const url = URL.canParse(what, base) ? new URL(isName ? `/prompts/${what}` : what, base) : undefined;
  if (url?.origin === base && /^\/(a|prompts)\/[^/]+$/.test(url.pathname)) return url;
  const remedy = "Links begin with what the server was given as --base-url.";
  throw new TypeError(`OKCancel: “${what}” is neither the name of a prompt nor a link of ${base}. ${remedy}`);
}

/**
 * What a form sends for an answer: one field's text under the name itself, of several each under `name.field`; without
 * fields `ok`.
 * @returns {[string, string][]}
 */
export function entries(name, values) {
  const fields = Object.entries(values);
  if (!fields.length) return [[name, "ok"]];
  return fields.flatMap(([field, value]) =>
    [value].flat().map((each) => [fields.length > 1 ? `${name}.${field}` : name, String(each ?? "")]));
}

/**
 * `<ok-cancel prompt="email" name="email" required>Your email</ok-cancel>`: a button that opens a dialog, and a control
 * of the form around it. What stands in it is the button's title; a `<button slot="opener">` in it takes its place.
 */
class OKCancelElement extends (globalThis.HTMLElement ?? Object) {
  static formAssociated = true;
  static observedAttributes = ["open", "required", "name", "prompt", "receipt"];

  /** How the last dialog ended; undefined: none has. @type {Outcome | undefined} */
  outcome;
  #internals = this.attachInternals();
  #button = Object.assign(document.createElement("button"), { type: "button", part: "button", ariaHasPopup: "dialog" });
  #title = document.createElement("slot");
  /** The last outcome with an answer: a later dialog that is cancelled does not take it back. */
  #answer;
  #modal;
  #showing;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const opener = Object.assign(document.createElement("slot"), { name: "opener" });
    this.#button.append(this.#title);
    opener.append(this.#button);
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      if (!this.matches(":disabled")) this.#try();
    });
    root.append(opener);
    for (const type of ["pointerenter", "focusin"]) this.addEventListener(type, load, { once: true });
  }

  connectedCallback() {
    this.attributeChangedCallback("open");
  }

  disconnectedCallback() {
    this.#modal?.leave();
  }

  attributeChangedCallback(name) {
    this.#title.textContent = this.prompt.replaceAll("-", " ") || "…";
    this.#update();
    if (name !== "open" || !this.isConnected) return;
    if (this.open) this.#try();
    else this.#modal?.close();
  }

  formDisabledCallback(isDisabled) {
    this.#button.disabled = isDisabled;
  }

  formResetCallback() {
    this.outcome = this.#answer = undefined;
    this.#update();
  }

  /** The answer: one field's value, the values of several by name, `ok` without fields. null: there is none. */
  get value() {
    if (!this.#answer) return null;
    const { values } = this.#answer, all = Object.values(values);
    return all.length > 1 ? values : all.length ? all[0] : "ok";
  }

  get form() {
    return this.#internals.form;
  }

  get validity() {
    return this.#internals.validity;
  }

  get validationMessage() {
    return this.#internals.validationMessage;
  }

  checkValidity() {
    return this.#internals.checkValidity();
  }

  reportValidity() {
    return this.#internals.reportValidity();
  }

  /** Opens the dialog, where it is not open. @returns {Promise<Outcome>} */
  show() {
    if (!this.#showing) {
      this.#showing = this.#show();
      this.open = true;
    }
    return this.#showing;
  }

  /** Cancels the dialog, where it is open. */
  close() {
    this.open = false;
  }

  /** As `show`, for whom events tell how it went. */
  #try() {
    this.show().catch(() => {});
  }

  async #show() {
    try {
      // First of all: what fails before `show` has kept the promise would fail for ever.
      const { present } = await load();
      const url = address(this.link || this.prompt);
      const isWanted = this.open && this.isConnected;
      this.#modal = isWanted ? present(this.shadowRoot, url, {
        values: JSON.stringify(this.values), lang: this.lang, label: this.prompt, emit: this.#emit.bind(this),
      }) : undefined;
      const { outcome, ask, receipt } = await this.#modal?.end ?? { outcome: { outcome: "cancel" } };
      // Not enumerable: an outcome has the members that it has at every door.
      this.outcome = Object.defineProperties(outcome, { id: { value: ask }, receipt: { value: receipt } });
    } catch (error) {
      console.error(error.message);
      this.#emit("error", { detail: error.message });
      throw error;
    } finally {
      this.#modal = this.#showing = undefined;
      this.open = false;
    }
    const { outcome } = this;
    if (outcome.outcome === "ok") this.#answer = outcome;
    this.#update();
    this.#emit("outcome", outcome);
    if (outcome.outcome === "ok") this.dispatchEvent(new Event("change", { bubbles: true }));
    return outcome;
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(`okcancel:${type}`, { bubbles: true, composed: true, detail }));
  }

  /** Has the form know what it is to send, and whether it may. */
  #update() {
    const data = new FormData(), { values, receipt } = this.#answer ?? {};
    for (const [name, text] of entries(this.name, values ?? {})) data.append(name, text);
    if (this.receipt && receipt) data.append(this.receipt, receipt);
    // Without a state to restore: an answer may hold a password, which no history should keep.
    this.#internals.setFormValue(values && this.name ? data : null, null);
    const example = Object.assign(document.createElement("input"), { required: this.required && !values });
    this.#internals.setValidity(
      example.validity, example.validationMessage, this.querySelector("[slot=opener]") ?? this.#button);
  }
}

function reflect(names, get, set) {
  for (const name of names) {
    Object.defineProperty(OKCancelElement.prototype, name, {
      get() {
        return get(this, name);
      },
      set(value) {
        set(this, name, value);
      },
    });
  }
}

const setText = (element, name, value) =>
  value == null ? element.removeAttribute(name) : element.setAttribute(name, value);
reflect(["prompt", "link", "name", "receipt"], (element, name) => element.getAttribute(name) ?? "", setText);
reflect(["open", "required", "disabled"], (element, name) => element.hasAttribute(name),
  (element, name, value) => element.toggleAttribute(name, Boolean(value)));
reflect(["values"], (element, name) => JSON.parse(element.getAttribute(name)) ?? undefined,
  (element, name, value) => setText(element, name, value && JSON.stringify(value)));

// The name is taken where a page has dialogs of two servers: `ask` needs one nevertheless.
const isTaken = globalThis.customElements?.get("ok-cancel"), other = server.replace(/[^a-z0-9]+/g, "-");
globalThis.customElements?.define(isTaken ? `ok-cancel-${other}` : "ok-cancel", OKCancelElement);

// A text has a `link` of its own: the method that nobody uses.
const linkOf = (what) => typeof what === "string" ? what : what.link;

/** Has a backend make an ask of a definition, which needs the API token that no page may know. */
async function make(definition, create) {
  if (typeof create === "function") return create(definition);
  const response = await fetch(create, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ definition }),
  });
  const answer = response.ok && await response.json().catch(() => undefined);
  if (answer) return answer;
  throw new Error(`OKCancel: ${create} answered ${response.status}; it should make an ask and answer {"link": …}`);
}

/**
 * Shows a dialog and gives its outcome.
 * @param {string | {link: string} | object} what a prompt's name; an ask's link; or a definition, which has a title
 * @param {object} [options] values: what fields hold at first, by name; lang: a language tag; signal: cancels it;
 *   create: how a definition becomes an ask: an address of your backend, or a function that gives the link
 * @returns {Promise<Outcome>}
 * @throws {Error} where no dialog can be shown; the console has the same words
 */
export async function ask(what, { values, lang, signal, create = "/okcancel/asks" } = {}) {
  const prompt = linkOf(what) ?? linkOf(await make(what, create));
  if (signal?.aborted) return { outcome: "cancel" };
  const element = Object.assign(new OKCancelElement(), { prompt, values, lang: lang ?? "" });
  // Something that nobody sees takes the button's place, and leaves the page's layout alone.
  element.append(Object.assign(document.createElement("span"), { slot: "opener" }));
  element.style.position = "fixed";
  signal?.addEventListener("abort", () => element.remove());
  document.body.append(element);
  try {
    return await element.show();
  } finally {
    element.remove();
  }
}
