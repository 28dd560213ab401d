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
        signal: AbortSignal.timeout(patience),
      });
      const { status } = response, json = await response.json();
      // It was taken or refused for good: the same once more is another answer.
      if (status < 429) sent = undefined;
      return { status, json };
    } catch {
      return { status: 0, json: {} };
    }
  };
}

/** A text that may hide something; hidden.js knows for certain. */
const suspect = /[^\P{C}\n]|[\p{DI}\p{Zl}\p{Zp}\u2800]|\s{11}/u;

/** After so long an answer that is under way may be cancelled; milliseconds. */
const slow = 5000;

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, fields, state, patience, act, complain, reopen, submitPlainly }) {
  const { dataset: sentences } = dialog, post = sender();

  /** Sends as `sender` does. What takes long may be cancelled, or sent once more. */
  async function send(...answer) {
    const timer = setTimeout(() => {
      reopen();
      complain(sentences.unreachable);
    }, slow);
    const result = await post(...answer);
    clearTimeout(timer);
    state.isClosed = true;
    return result;
  }

  // Nothing to complain about any more.
  on("online", () => complain(), window);

  /**
   * If the question has ended, says so: by its page, or here if that would take away what a person typed.
   * @param leave goes to that page
   */
  async function end(leave = () => location.reload(), stays = false) {
    const headers = { Accept: "text/html" }, signal = AbortSignal.timeout(patience);
    const response = await fetch(location.pathname + location.search, { headers, signal }).catch(() => {});
    // Its prompt may have been removed.
    if (![404, 410].includes(response?.status)) return state.isClosed && undelivered(0, {});
    const controls = fields.flatMap((field) => field.controls);
    const texts = controls.filter((each) => each.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])"));
    if (!stays && texts.every(({ value, defaultValue }) => value === defaultValue)) return leave();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    state.isClosed = true;
    for (const each of controls) each[texts.includes(each) ? "readOnly" : "disabled"] = true;
    const bar = dialog.querySelector(".buttons"), textContent = bar.querySelector(".cancel")?.textContent ?? "OK";
    const back = { type: "button", className: "cancel", textContent, onclick: leave };
    bar.replaceChildren(Object.assign(document.createElement("button"), back));
    complain(page.querySelector("header > p:not(.help)")?.textContent);
  }

  /** Few texts hide anything: what names it only comes with one. */
  const look = (text) => {
    if (suspect.test(text)) import("./dialog-hidden.js").catch(() => {});
  };
  on("okcancel:change", ({ detail }) => look(detail.text));
  // One that hides something at first has a line, which must follow its edits.
  look(dialog.querySelector("[id^=hidden-]") ? "\0" : fields.map((field) => field.read()).join("\n"));

  function undelivered(status, { errors, detail }) {
    reopen();
    if (status === 422 && dialog.refuse?.(errors)) return;
    if (status === 422) {
      state.refuse(Object.fromEntries(errors.map(({ field, message }) => [field, message])));
      act({ decision: "refuse" });
    } else {
      complain(status ? sentences.failed ?? detail : sentences.unreachable);
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
