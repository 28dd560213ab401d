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

/** @param page what dialog.js gives its parts */
export function enhance({ dialog, on, fields, state, act, complain, reopen }) {
  const send = sender(), { dataset: sentences } = dialog;

  /** Few texts hide anything: what names it only comes with one. */
  const look = (text) => {
    if (suspect.test(text)) import("./dialog-hidden.js").catch(() => {});
  };
  on("okcancel:change", ({ detail }) => look(detail.text));
  // One that hides something at first has a line, which must follow its edits.
  look(dialog.querySelector("[id^=hidden-]") ? "\0" : fields.map((field) => field.read()).join("\n"));

  function undelivered(status, { errors, detail }) {
    reopen();
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
    // It was answered elsewhere or its time is over: its page says so.
    if (json.outcome) return location.replace(location.pathname + location.search);
    undelivered(status, json);
  }

  return { send, undelivered, deliver };
}
