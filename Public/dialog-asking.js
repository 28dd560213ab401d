/** Asks the server for the verdicts that only it can give: after a pause in typing, one question at a time. */

/** The question for the server; undefined if there is none. @param {import("./dialog-state.js").DialogState} state */
export function question(state) {
  const only = state.pending.map(({ name }) => name);
  if (!only.length) return undefined;
  // Other fields, passwords among them, stay here unless the asked ones look at them.
  const needed = Object.entries(state.texts).filter(([name]) =>
    [name, ...state.judge.dependents(name)].some((reader) => only.includes(reader)));
  return { only, values: Object.fromEntries(needed), revisions: only.map((name) => state.revision(name)) };
}

/**
 * Takes the server's answer to a question, except for fields that have been edited since.
 * @param verdicts by field; null if the server was not reachable: OK is then enabled and the submit decides
 * @returns what the waiting press leads to; undefined if no press waits or it must keep waiting
 */
export function answered(state, { only, revisions }, verdicts) {
  only.forEach((name, index) => {
    if (state.revision(name) === revisions[index]) state.setVerdict(name, verdicts?.[name] ?? { isValid: true });
  });
  if (!state.waiting || state.ok === "busy") return undefined;
  const { by } = state.waiting;
  state.waiting = undefined;
  return { by, decision: state.decide(by) };
}

/** The pause in typing before the server is asked, in milliseconds. */
const pause = 300;

/**
 * @param {string} url the route that judges
 * @param {import("./dialog-state.js").DialogState} state says what to ask and takes the answers
 * @param {(result: {press: object | null, isReachable: boolean}) => void} onAnswer `press`: what `answered` gave back
 * @param {number} [patience] how long an answer may take; milliseconds
 * @param {typeof fetch} [send]
 */
export function ask(url, state, onAnswer, patience, send = (...request) => fetch(...request)) {
  let timer, isAsking = false;

  async function judge({ only, values }) {
    try {
      const response = await send(`${url}${url.includes("?") ? "&" : "?"}only=${only}`, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(
          Object.entries(values).flatMap(([name, value]) => [value].flat().map((text) => [name, text]))),
        signal: AbortSignal.timeout(patience),
      });
      return response.ok ? (await response.json()).fields : null;
    } catch {
      return null;
    }
  }

  async function now() {
    clearTimeout(timer);
    timer = undefined;
    const asked = isAsking ? null : question(state);
    if (!asked) return;
    isAsking = true;
    const verdicts = await judge(asked);
    isAsking = false;
    onAnswer({ press: answered(state, asked, verdicts), isReachable: verdicts !== null });
    // The text was edited meanwhile, and the pause after that is over or a press waits.
    if (timer === undefined || state.waiting) now();
  }

  function later() {
    clearTimeout(timer);
    timer = question(state) ? setTimeout(now, pause) : undefined;
  }

  return { now, later };
}

/** @param page what dialog.js gives its parts */
export function enhance({ dialog: { dataset: sentences }, state, patience, judged, say, act, reopen }) {
  return ask(sentences.validate, state, ({ press, isReachable }) => {
    judged();
    if (!isReachable) say(sentences.unreachable);
    if (!press || !act(press)) return;
    // Pressed once more, so that the form goes out with the button's name and value.
    reopen();
    press.by.click();
  }, patience);
}
