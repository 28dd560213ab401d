/** Sends answers by fetch, so that what cannot be sent stays in the page. */

/**
 * Sends form-encoded answers to the page's own address. A retry of the same answer reuses its idempotency key; a different
 * answer gets a new one.
 */
function sender() {
  let sent, key;
  /**
   * @param {URLSearchParams} body
   * @param query what its address has besides the language
   * @param patience how long it may be under way; milliseconds
   * @returns {Promise<{status: number, json: object}>} status 0: the server cannot be reached
   */
  return async (body, query = {}, patience = 30_000) => {
    if (`${body}` !== sent) {
      sent = `${body}`;
      key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    }
    try {
      // Mail and chat programs append parameters of their own to the page's address.
      const lang = new URLSearchParams(location.search).get("lang");
      const search = `${new URLSearchParams({ ...query, ...lang && { lang } })}`;
      const response = await fetch(location.pathname + (search && `?${search}`), {
        method: "POST",
        headers: { Accept: "application/json", "Idempotency-Key": key },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(patience),
      });
      const json = await response.json().catch(() => {}) ?? {}, status = standing(response, json);
      // It was taken or refused for good: the same once more is another answer.
      if (status && status < 429) sent = undefined;
      return { status, json };
    } catch {
      return { status: 0, json: {} };
    }
  };
}

/** The status that a response stands for; 0 if it is not the server's, 401 if it leads to a sign-in. */
export function standing({ type, status }, json) {
  // The server redirects no script, but a proxy does once a sign-in has expired.
  if (type === "opaqueredirect") return 401;
  const isOwn = ["detail", "outcome"].some((name) => json?.[name] !== undefined);
  return isOwn || [401, 403, 429].includes(status) ? status : 0;
}

/**
 * What a person reads of an answer that was not taken, and where that text leads.
 * @param {number} status as `standing` has it
 * @param sentences the page's
 * @param page the page that is now at the dialog's address, for 403
 * @returns {[text: string, href?: string]}
 */
export function explanation(status, { code, detail, signIn }, sentences, page) {
  // Without an address of its own, the dialog's leads through the sign-in.
  if (status === 401 && sentences.signIn && (!code || code === "sign-in-needed")) {
    return [sentences.signIn, /^https?:/.test(signIn) ? signIn : location.pathname];
  }
  return [page || status && (sentences.failed ?? detail) || sentences.unreachable];
}

/** A text that may hide something; hidden.js knows for certain. */
const suspect = /[^\P{C}\n]|[\p{DI}\p{Zl}\p{Zp}\u2800]|\s{11}/u;

/** After so long a person is told that an answer is still under way; milliseconds. */
const slow = 5000;

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, fields, state, patience, act, complain, reopen, submitPlainly }) {
  const { dataset: sentences } = dialog, post = sender();

  /** Sends as `sender` does. What takes long is said; until it has an end, nothing else can be sent. */
  async function send(...answer) {
    const timer = setTimeout(() => complain(sentences.sending, undefined, "help"), slow);
    const result = await post(...answer);
    clearTimeout(timer);
    complain();
    return result;
  }

  // Nothing to complain about any more.
  on("online", () => complain(), window);

  /** The page that is now at this address, and its sentence. */
  async function look() {
    const headers = { Accept: "text/html" }, signal = AbortSignal.timeout(patience);
    const response = await fetch(location.pathname + location.search, { headers, signal, redirect: "manual" })
      .catch(() => new Response());
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return [response, page.querySelector("header > p:not(.help)")?.textContent, page.querySelector("[data-leave]")?.dataset.leave];
  }

  /**
   * If the question has ended, says so: by its page, or here if that would take away what a person typed.
   * @param leave closes an embedded dialog
   */
  async function end(leave, stays = false) {
    const [response, sentence, title] = await look();
    // Its prompt may have been removed.
    if (![404, 410].includes(response.status)) return state.isClosed && undelivered(standing(response), {});
    const controls = fields.flatMap((field) => field.controls);
    const texts = controls.filter((each) => each.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])"));
    if (!stays && texts.every(({ value, defaultValue }) => value === defaultValue)) return leave ? leave() : location.reload();
    state.isClosed = true;
    for (const each of controls) each[texts.includes(each) ? "readOnly" : "disabled"] = true;
    // Where nothing closes the page, no button is left.
    if (dialog.querySelector(".buttons").contains(document.activeElement)) dialog.focus();
    const bar = dialog.querySelector(".buttons"), textContent = title ?? bar.querySelector(".cancel")?.textContent ?? "OK";
    if (leave) bar.replaceChildren(Object.assign(document.createElement("button"), { type: "button", className: "cancel", textContent, onclick: leave }));
    bar.hidden = !leave;
    complain(sentence);
  }

  /** Few texts hide anything: what names it only comes with one. */
  const unmask = (text) => {
    if (suspect.test(text)) import("./dialog-hidden.js").catch(() => {});
  };
  on("okcancel:change", ({ detail }) => unmask(detail.text));
  // One that hides something at first has a line, which must follow its edits.
  unmask(dialog.querySelector("[id^=hidden-]") ? "\0" : fields.map((field) => field.read()).join("\n"));

  /** @returns what the person reads, unless it stands at the fields */
  async function undelivered(status, json) {
    const { errors } = json, [shown, page] = status === 403 ? await look() : [];
    reopen();
    if (status === 422 && dialog.refuse?.(errors)) return;
    if (status === 422) {
      state.refuse(Object.fromEntries(errors.map(({ field, message }) => [field, message])));
      act({ decision: "refuse" });
    } else {
      const said = explanation(status, json, sentences, shown?.status === 403 && page);
      complain(...said);
      return said[0];
    }
  }

  async function deliver({ outcome }, entries) {
    const { status, json } = await send(entries);
    if (status === 200) return location.assign(`${location.pathname}/done?outcome=${outcome}${location.search.replace("?", "&")}`);
    // It was answered elsewhere, its time is over, or its prompt has been removed.
    if (json.outcome || status === 404 && json.code) return end();
    // The question has changed since: its page comes anew, with what was typed.
    if (json.code === "prompt-changed") return submitPlainly();
    undelivered(status, json);
  }

  return { send, undelivered, deliver, end };
}
