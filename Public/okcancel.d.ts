// Types of okcancel.js: the function `ask` and the element `<ok-cancel>`.

/** The answer of one field; `null` if it is optional and was left empty. A field that does not apply has none. */
export type Value = string | number | boolean | (string | number)[] | null | { [name: string]: Value };

/** The values of a dialog's fields by name. Name your own for a prompt that you know: `ask<{ email: string }>("email")`. */
export type Values = Record<string, Value>;

/** Who answered, and how that is known: with `link`, it was somebody who had the link. */
export interface By {
  readonly via: "header" | "jwt" | "program" | "link" | "terminal" | "test";
  readonly id?: string;
  readonly name?: string;
}

interface Proof {
  /** Not there if the dialog was closed before the server was asked. */
  readonly by?: By;
  /** The ask's id, if the dialog was opened by a link: `GET /asks/{id}`. Not enumerable. */
  readonly id?: string;
  /** The receipt of the answer, for `GET /receipts/{receipt}`, if the dialog was a prompt's. Not enumerable. */
  readonly receipt?: string;
}

/** OK, with values that are valid. */
export interface OK<V = Values> extends Proof {
  readonly outcome: "ok";
  readonly values: V;
}

/** Cancel, Escape, or the page itself. */
export interface Cancel extends Proof {
  readonly outcome: "cancel";
  /** Why, if the prompt asks for that and the person said so. */
  readonly reason?: string;
}

/** A button of the definition; with values if it validates. */
export interface Action<V = Values> extends Proof {
  readonly outcome: "action";
  readonly action: string;
  readonly values?: V;
}

/** The link's time was over. */
export interface Expired extends Proof {
  readonly outcome: "expired";
}

/** The program that made the ask took it back. */
export interface Withdrawn extends Proof {
  readonly outcome: "withdrawn";
}

/** The end of a dialog. Its `outcome` says which kind it is. */
export type Outcome<V = Values> = OK<V> | Cancel | Action<V> | Expired | Withdrawn;

/** The definition of a prompt; the server's `/prompt.schema.json` describes all of it. */
export interface Definition {
  title: string;
  message?: string;
  fields?: object[];
  [key: string]: unknown;
}

/** The link of an ask, as `POST /asks` returns it among other things. */
export interface Link {
  link: string;
}

export interface AskOptions {
  /** The initial values of the fields, as they stand in an answer. */
  values?: Partial<Values>;
  /**
   * The subject of the answer, up to 200 characters: it comes back with the receipt. Only for prompts of the server.
   */
  subject?: string;
  /** The language to request, a tag of BCP 47. */
  lang?: string;
  /** Cancels the dialog. */
  signal?: AbortSignal;
  /** The server's address, if it is not where the script comes from. */
  server?: string;
  /** Turns a definition into an ask: your backend's address, by default `/okcancel/asks`, or a function. */
  create?: string | ((definition: Definition) => string | Link | Promise<string | Link>);
}

/**
 * Shows a dialog.
 * @param what a prompt's name, the link of an ask, or a definition
 * @returns how it ended
 * @throws Error if no dialog can be shown; the message says why
 */
export function ask<V = Values>(what: string | Link | Definition, options?: AskOptions): Promise<Outcome<V>>;

/** Where a dialog is. Throws a TypeError for what is neither a prompt's name nor a link of that server. */
export function address(what: string, base?: string): URL;

/**
 * The form entries of an answer, as pairs of a name and a text.
 * @param count the number of fields, if not all of them have values
 */
export function entries(name: string, values: Values, count?: number): [string, string][];

/** A problem after which no dialog shows, or an answer that did not reach the server, which may be sent again. */
export interface Problem {
  readonly detail: string;
  /** The HTTP status of the server; 0 if it could not be reached. Missing if no dialog could be shown. */
  readonly status?: number;
}

/** The details of the events, by the names after `okcancel:`. */
export interface Details<V = Values> {
  ready: null;
  validity: { readonly isValid: boolean };
  /** Prevent it to keep the element from saying that it cannot open its dialog. */
  error: Problem;
  outcome: Outcome<V>;
}

/** An event of `<ok-cancel>`. */
export type OKCancelEvent<Name extends keyof Details> = CustomEvent<Details[Name]>;

export interface OKCancelEventMap extends HTMLElementEventMap {
  "okcancel:ready": OKCancelEvent<"ready">;
  "okcancel:validity": OKCancelEvent<"validity">;
  "okcancel:error": OKCancelEvent<"error">;
  "okcancel:outcome": OKCancelEvent<"outcome">;
}

/** The events as properties: what JSX sets, and you can. They are called after the events' listeners. */
export interface Handlers {
  onReady?: ((event: OKCancelEvent<"ready">) => void) | null;
  onValidity?: ((event: OKCancelEvent<"validity">) => void) | null;
  onError?: ((event: OKCancelEvent<"error">) => void) | null;
  onOutcome?: ((event: OKCancelEvent<"outcome">) => void) | null;
}

/** `<ok-cancel>`: a button that opens a dialog, and a control of the form around it. */
export interface OKCancelElement extends Handlers {}
export class OKCancelElement extends HTMLElement {
  static readonly formAssociated: true;
  /** The server of every element that names none; by default where the script comes from. */
  static server: string;

  /** The name of a prompt. */
  prompt: string;
  /** The link of an ask, instead of a prompt. */
  link: string;
  /** The server's address. */
  server: string;
  /** The name in the form. */
  name: string;
  /** The name of the receipt in the form. */
  receipt: string;
  /** The subject of the answer; it comes back with the receipt. */
  subject: string;
  required: boolean;
  disabled: boolean;
  /** True while the dialog is open. */
  open: boolean;
  /** True if the button keeps its title instead of showing the answer. */
  keepTitle: boolean;
  /** The initial values of the fields, as they stand in an answer. */
  values: Partial<Values> | undefined;

  /** The outcome of the last dialog; `undefined` if none has ended. */
  readonly outcome: Outcome | undefined;
  /** One field's value, the values of several as they stand in the answer, `"ok"` without values; `null` if there is no answer. */
  readonly value: Value | Values;
  readonly form: HTMLFormElement | null;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  checkValidity(): boolean;
  reportValidity(): boolean;

  /** Opens the dialog if it is not open. */
  show(): Promise<Outcome>;
  /** Cancels the dialog if it is open. */
  close(): void;

  addEventListener<Name extends keyof OKCancelEventMap>(
    type: Name, listener: (this: OKCancelElement, event: OKCancelEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof OKCancelEventMap>(
    type: Name, listener: (this: OKCancelElement, event: OKCancelEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** The attributes of `<ok-cancel>` in JSX. A boolean attribute of a custom element is `""` before React 19. */
export interface OKCancelAttributes extends Handlers {
  prompt?: string;
  link?: string;
  server?: string;
  name?: string;
  receipt?: string;
  subject?: string;
  required?: boolean | "";
  disabled?: boolean | "";
  open?: boolean | "";
  keepTitle?: boolean | "";
  /** JSON, or from React 19 the values themselves. */
  values?: string | Partial<Values>;
}

declare global {
  interface HTMLElementTagNameMap {
    "ok-cancel": OKCancelElement;
  }
}
