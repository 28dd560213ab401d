/**
 * Dialogs of an OKCancel server in a page of another site: the function `ask` and the element `<ok-cancel>`.
 *
 * @typedef {{outcome: "ok" | "cancel" | "action" | "expired" | "withdrawn", values?: object, action?: string,
 *   id?: string, receipt?: string}} Outcome  A backend can look up the answer by the `id` (of a link) or the `receipt`
 *   (of a prompt); neither is enumerable
 */

/**
 * The address of the server that this script comes from, unless a bundler has made it part of the page's own scripts.
 * Undefined in a script that is no module.
 */
const home = serverOf(import.meta.url);

function serverOf(script) {
  if (!URL.canParse(script)) return;
  const { origin, pathname } = new URL(script);
  return origin + (pathname.match(/^(.*?)(\/files\/[^/]+)?\/okcancel\.js$/)?.[1] ?? "");
}

/** The code that opens a dialog is loaded when a dialog is about to open. */
const load = () => import("./embed/modal.js");
/** Settled once every dialog that was asked for has ended: dialogs show one after the other. */
let queue = Promise.resolve();

/**
 * Returns the URL of a dialog.
 * @param {string} what a prompt's name, or the link of an ask
 * @param {string} base the server's address
 * @throws {TypeError} if `what` is neither of these; a link of another server does not count
 */
export function address(what, base = home) {
  if (!URL.canParse(base)) throw new TypeError("OKCancel: Give the address of your server: as OKCancelElement.server, or as `server` of ask.");
  const { origin, pathname } = new URL(base), isName = /^[a-z0-9][a-z0-9-]*$/.test(what);
  const start = pathname.replace(/\/+$/, "");
  const url = URL.canParse(what, origin) ? new URL(isName ? `${start}/prompts/${what}` : what, origin) : undefined;
  const isUnder = url?.origin === origin && url.pathname.startsWith(start);
  if (isUnder && /^\/(a|prompts)\/[^/]+$/.test(url.pathname.slice(start.length))) return url;
  throw new TypeError(`OKCancel: “${what}” is neither the name of a prompt nor a link of ${origin}${start}. Links begin with its --base-url.`);
}

/**
 * The form entries for an answer: the text of a single field under `name`; of several fields, each text under
 * `name.field`, and so on in objects; without values, `ok` under `name`.
 * @param {number} [count] how many fields there are, with or without a value
 * @returns {[string, string][]}
 */
export function entries(name, values, count = Object.keys(values).length) {
  const fields = Object.entries(values);
  return fields.length ? fields.flatMap(([field, value]) => [value].flat().flatMap((each) => {
    const inner = count > 1 ? `${name}.${field}` : name;
    return each instanceof Object ? entries(inner, each, count) : [[inner, `${each ?? ""}`]];
  })) : [[name, "ok"]];
}

/**
 * `<ok-cancel prompt="email" name="email" required>Your email</ok-cancel>`: a button that opens a dialog, and a control
 * of the form around it. What stands in it is the button's title until there is an answer to show; a
 * `<button slot="opener">` in it takes the button's place.
 */
export class OKCancelElement extends (globalThis.HTMLElement ?? Object) {
  static formAssociated = true;
  static observedAttributes = ["open", "required", "name", "prompt", "receipt", "keeptitle",
    "aria-label", "aria-labelledby", "aria-describedby", "aria-invalid", "aria-required"];

  /** The server of every element that names none. */
  static server = home;

  /** The outcome of the last dialog; undefined if none has ended. @type {Outcome | undefined} */
  outcome;
  #internals = this.attachInternals();
  #button = Object.assign(document.createElement("button"), { type: "button", part: "button", ariaHasPopup: "dialog" });
  #title = document.createElement("slot");
  #help = Object.assign(document.createElement("span"), { id: "help", hidden: true });
  /** Says that the dialog could not be opened; the console says why. */
  #problem = Object.assign(document.createElement("div"), { part: "problem", role: "alert", dir: "auto" });
  /**
   * The last answer: its values and receipt, how many fields it has, the value of this control, and its text for the
   * button, which keeps its title if that is empty. Cancelling a later dialog does not clear it.
   */
  #answer = {};
  #isReported = false;
  #modal;
  #showing;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const opener = Object.assign(document.createElement("slot"), { name: "opener" });
    this.#button.append(this.#title);
    this.#button.setAttribute("aria-describedby", "help");
    // A combo box opens with this key, too.
    this.#button.addEventListener("keydown", ({ key }) => key === "ArrowDown" && this.#button.role && this.#button.click());
    opener.append(this.#button);
    opener.addEventListener("click", (event) => {
      event.preventDefault();
      if (!this.matches(":disabled")) this.#try();
    });
    // A card like our dialogs, in the page's own light or dark. A page's Content Security Policy blocks no constructed sheet.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("div:not(:empty){max-width:21rem;margin:.5rem 0;padding:.7rem;border:1px solid #d33;border-radius:.7rem;font:.9rem system-ui;color:CanvasText;background:Canvas}");
    root.adoptedStyleSheets = [sheet];
    root.append(opener, this.#help, this.#problem);
    this.addEventListener("invalid", () => {
      this.#isReported = true;
      this.#describe();
    });
    for (const type of ["pointerenter", "focusin"]) {
      this.addEventListener(type, () => {
        load().catch(() => {});
        this.#describe();
      });
    }
    // A title that the page writes after an answer is newer than the answer.
    new MutationObserver(() => {
      this.#answer.text = "";
      this.#describe();
    }).observe(this, { childList: true, characterData: true, subtree: true });
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
    else {
      this.#modal?.close();
      // Another one may be shown while it closes.
      this.#modal = this.#showing = undefined;
    }
  }

  formDisabledCallback(isDisabled) {
    this.#button.disabled = isDisabled;
  }

  formResetCallback() {
    this.outcome = undefined;
    this.#answer = {};
    this.#isReported = false;
    this.#update();
  }

  /** The answer: one field's value, the values of several as they stand in it, `ok` without values. null: there is none. */
  get value() {
    return this.#answer.value ?? null;
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

  /** Opens the dialog if it is not open. @returns {Promise<Outcome>} */
  show() {
    if (this.#showing) return this.#showing;
    this.#problem.textContent = "";
    const showing = this.#showing = this.#show(queue);
    queue = Promise.allSettled([queue, showing]).then(() => {});
    this.open = true;
    return showing;
  }

  /** Cancels the dialog if it is open. */
  close() {
    this.open = false;
  }

  /** Calls `show` and ignores its promise: events report the outcome or the error. */
  #try() {
    this.show().catch(() => {});
  }

  /** @param {Promise} before the dialogs that come first */
  async #show(before) {
    const { server } = this, loading = new AbortController();
    const root = invisible();
    let late, modal;
    try {
      // This await comes first: if `finally` ran before `show` stored the promise, every later call would get the failed one.
      const module = await new Promise((resolve, reject) => {
        const fail = (why) => reject(new Error(`OKCancel: ${why} at ${server}.`));
        this.#modal = modal = { close: resolve, leave: resolve };
        before.then(() => {
          // So long a dialog may take to show; then we look for the cause.
          late = AbortSignal.timeout(8_000);
          load().then(resolve, () => fail("No OKCancel server can be reached"));
          late.addEventListener("abort", () => fail("Nothing answers"));
          addEventListener("keydown", ({ key }) => key === "Escape" && resolve(), loading);
        });
      });
      loading.abort();
      const isWanted = module && this.#modal === modal && this.isConnected;
      const url = address(this.link || this.prompt, server), { subject } = this;
      if (subject && !/\/prompts\/[^/]+$/.test(url.pathname)) {
        throw new Error("OKCancel: A link takes no subject; give its ask metadata when you create it.");
      }
      if (isWanted) place(this).append(root);
      // If the page has no colours of its own, the person's preference rules.
      const schemes = getComputedStyle(this).colorScheme.match(/\b(light|dark)\b/g) ?? [];
      if (isWanted) this.#modal = modal = module.present(root.shadowRoot, url, {
        late, subject, schemes, values: JSON.stringify(this.values), lang: this.lang, label: this.prompt,
        emit: this.#emit.bind(this),
      });
      const { outcome, ask, receipt, ...answer } = await modal.end ?? { outcome: { outcome: "cancel" } };
      // Not enumerable, so that an outcome has the same members here as in every other interface.
      this.outcome = Object.defineProperties(outcome, { id: { value: ask }, receipt: { value: receipt } });
      if (outcome.outcome === "ok") this.#answer = { ...outcome, receipt, ...answer };
    } catch (error) {
      console.error(error.message);
      if (this.#emit("error", { detail: error.message })) {
        // In the language of the element, of the page around it, or else the person's.
        const tags = [this.closest("[lang]:not([lang=''])")?.lang, document.documentElement.lang, ...navigator.languages, "en"];
        const lang = tags.map((tag) => tag?.split("-")[0].toLowerCase()).find((tag) => Object.hasOwn(cannotOpen, tag));
        Object.assign(this.#problem, { lang, textContent: cannotOpen[lang] });
      }
      throw error;
    } finally {
      loading.abort();
      root.remove();
      if (this.#modal === modal) {
        this.#modal = this.#showing = undefined;
        this.open = false;
      }
    }
    const { outcome } = this;
    this.#update();
    this.#emit("outcome", outcome);
    if (outcome.outcome === "ok") this.dispatchEvent(new Event("change", { bubbles: true }));
    return outcome;
  }

  /** Dispatches an event. @returns false if a listener prevented it, which only works for errors */
  #emit(type, detail) {
    const cancelable = type === "error";
    const isWanted = this.dispatchEvent(
      new CustomEvent(`okcancel:${type}`, { bubbles: true, composed: true, cancelable, detail }));
    // For JSX: some frameworks turn `onOutcome` into a listener for the event `Outcome`, others into a property.
    const name = type[0].toUpperCase() + type.slice(1), event = new CustomEvent(name, { cancelable, detail });
    this.dispatchEvent(event);
    this[`on${name}`]?.(event);
    return isWanted && !event.defaultPrevented;
  }

  /** Shows the answer on the button and copies labels and ARIA attributes to it, as labels and ids stop at a shadow root. */
  #describe() {
    const button = this.#button, isControl = this.name || this.required, text = !this.keepTitle && this.#answer.text || "";
    const told = (name) => this.getAttribute(`aria-${name}`) ?? "";
    const read = (elements) => [...elements].map(({ textContent }) => textContent.trim()).join(" ");
    const named = (name) => read(told(name).split(/\s+/).flatMap((id) => this.getRootNode().getElementById?.(id) ?? []));
    const label = named("labelledby") || told("label") || read(this.#internals.labels);
    const title = text || this.textContent.trim() || this.#title.textContent;
    if ((button.firstChild.data ?? "") !== text) button.replaceChildren(text || this.#title);
    button.dir = text ? "auto" : "";
    // A button cannot have a value or be required. A combo box can, and it may open a dialog to choose the value.
    button.role = isControl ? "combobox" : null;
    // While the dialog is open, nobody can reach the button.
    button.ariaExpanded = isControl ? "false" : null;
    button.ariaRequired = isControl ? told("required") || `${this.required}` : null;
    button.ariaInvalid = told("invalid") || `${this.#isReported && !this.validity.valid}`;
    button.ariaLabel = isControl ? label || title : label && (label.includes(title) ? label : `${label} ${title}`) || null;
    this.#help.textContent = named("describedby");
  }

  /** Tells the form which entries to send and whether this control is valid. */
  #update() {
    const data = new FormData(), { values, receipt, count } = this.#answer;
    for (const [name, text] of entries(this.name, values ?? {}, count)) data.append(name, text);
    if (this.receipt && receipt) data.append(this.receipt, receipt);
    // Without a state to restore: an answer may hold a password, which no history should keep.
    this.#internals.setFormValue(values && this.name ? data : null, null);
    const example = Object.assign(document.createElement("input"), { required: this.required && !values });
    this.#internals.setValidity(
      example.validity, example.validationMessage, this.querySelector("[slot=opener]") ?? this.#button);
    this.#describe();
  }
}

/** Built in, since the server, which has all other sentences, may be unreachable. */
const cannotOpen = {
  __proto__: null,
  ar: "لا يمكن فتح هذا السؤال هنا",
  cs: "Tuto otázku zde nelze otevřít",
  da: "Dette spørgsmål kan ikke åbnes her",
  de: "Diese Frage lässt sich hier nicht öffnen",
  en: "This question cannot be opened here",
  es: "Esta pregunta no se puede abrir aquí",
  fi: "Tätä kysymystä ei voi avata tässä",
  fr: "Cette question ne peut pas être ouverte ici",
  he: "אי אפשר לפתוח את השאלה הזאת כאן",
  hi: "यह सवाल यहाँ नहीं खोला जा सकता",
  it: "Questa domanda non può essere aperta qui",
  ja: "この質問はここでは開けません",
  ko: "이 질문은 여기에서 열 수 없습니다",
  nb: "Dette spørsmålet kan ikke åpnes her",
  nl: "Deze vraag kan hier niet worden geopend",
  pl: "Tego pytania nie można tutaj otworzyć",
  pt: "Não é possível abrir esta pergunta aqui",
  sv: "Den här frågan kan inte öppnas här",
  tr: "Bu soru burada açılamıyor",
  uk: "Це запитання не можна відкрити тут",
  zh: "无法在此处打开此问题",
};

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
reflect(["prompt", "link", "name", "receipt", "subject"], (element, name) => element.getAttribute(name) ?? "", setText);
reflect(["server"], (element, name) => element.getAttribute(name) ?? OKCancelElement.server, setText);
reflect(["open", "required", "disabled", "keepTitle"], (element, name) => element.hasAttribute(name),
  (element, name, value) => element.toggleAttribute(name, Boolean(value)));
reflect(["values"], (element, name) => JSON.parse(element.getAttribute(name)) ?? undefined,
  (element, name, value) => setText(element, name, value && JSON.stringify(value)));

for (const name of ["Ready", "Validity", "Error", "Outcome"]) OKCancelElement.prototype[`on${name}`] = null;

// In a page with dialogs of two servers the name is taken, but `ask` needs an element: define it by another name.
const { customElements } = globalThis, other = `-${home?.replace(/[^a-z0-9]+/g, "-") ?? "bundled"}`;
customElements?.define(`ok-cancel${customElements.get("ok-cancel") ? other : ""}`, OKCancelElement);

// Every string has a `link`, too: the obsolete method `String.prototype.link`.
const linkOf = (what) => typeof what === "string" ? what : what?.link;

/** Has a backend create an ask from a definition: that takes the API token, which no page may know. */
async function make(definition, create) {
  if (!definition?.title) {
    throw new TypeError(
      `OKCancel: ask takes a prompt's name, {link}, or a definition with a title; it was given ${JSON.stringify(definition)}.`);
  }
  let answer, source = "create";
  if (typeof create === "function") answer = await create(definition);
  else {
    const response = await fetch(create, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ definition }),
    });
    answer = response.ok && await response.json().catch(() => {});
    source = `${create} answered ${response.status}; it`;
  }
  const link = linkOf(answer);
  if (link) return link;
  throw new Error(`OKCancel: ${source} should make an ask and answer {"link": …}`);
}

/** An element that shows nothing but its dialog, and does not change the page's layout. */
function invisible() {
  const element = new OKCancelElement();
  element.append(Object.assign(document.createElement("span"), { slot: "opener" }));
  element.style.position = "fixed";
  return element;
}

/**
 * Where the dialog of an element is put: beside `body`, so that it shows and stays whatever happens to the element or to
 * `body`; but in the open popover around the element or the focus, which any other modal dialog would close.
 */
function place(element) {
  const isOpen = (node) => node.popover && node.matches(":popover-open:not([popover=manual])");
  const around = (node) => !node || isOpen(node) ? node : around(node.assignedSlot ?? node.parentNode ?? node.host);
  const focused = ({ activeElement: each }) => each?.shadowRoot && focused(each.shadowRoot) || each;
  return around(element) ?? around(focused(document)) ?? document.documentElement;
}

/**
 * Shows a dialog and returns its outcome.
 * @param {string | {link: string} | object} what a prompt's name; an ask's link; or a definition, which has a title
 * @param {object} [options] values: initial values, as they stand in an answer; subject: what the answer is about; lang: a
 *   language tag; signal: cancels the dialog; server: the server's address;
 *   create: how a definition becomes an ask: an address of your backend, or a function that returns the link
 * @returns {Promise<Outcome>}
 * @throws {TypeError} if an option does not exist
 * @throws {Error} if no dialog can be shown; the console shows the same message
 */
export async function ask(what, options = {}) {
  const { signal, create, ...others } = options, key = JSON.stringify([what, others]);
  // A double click asks once.
  if (!signal && asking.has(key)) return asking.get(key);
  const asked = show(what, options).finally(() => asking.delete(key));
  if (!signal) asking.set(key, asked);
  return asked;
}

/** The questions that `ask` shows now, by what they ask. */
const asking = new Map();

async function show(what, options) {
  const { values, subject, lang, signal, server, create = "/okcancel/asks", ...others } = options;
  for (const name in others) {
    throw new TypeError(`OKCancel: ask has no option “${name}”; use values, subject, lang, signal, server or create.`);
  }
  if (!globalThis.document) {
    throw new Error("OKCancel: ask needs a browser. Elsewhere, make an ask with POST /asks.");
  }
  const prompt = linkOf(what) ?? await make(what, create);
  if (signal?.aborted) return { outcome: "cancel" };
  const element = Object.assign(invisible(), { prompt, values, server, subject, lang: lang ?? "" });
  signal?.addEventListener("abort", () => element.remove());
  document.body.append(element);
  try {
    return await element.show();
  } finally {
    element.remove();
  }
}
