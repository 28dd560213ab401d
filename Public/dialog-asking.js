/** Asks the server for the verdicts that it alone can give: after a pause in typing, one question at a time. */

/** How long the typing must rest, and how long an answer may take; milliseconds. */
const pause = 300, patience = 8000;

/**
 * @param {string} url the route that judges
 * @param {import("./dialog.js").DialogState} state says what to ask and takes the answers
 * @param {(result: {press: object | null, isReachable: boolean}) => void} onAnswer `press`: what `answered` gave back
 * @param {typeof fetch} [send]
 */
export function ask(url, state, onAnswer, send = (...request) => fetch(...request)) {
  let timer, isAsking = false;

  async function judge({ only, values }) {
    try {
      const response = await send(`${url}${url.includes("?") ? "&" : "?"}only=${only}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify(values),
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
    const question = isAsking ? null : state.question();
    if (!question) return;
    isAsking = true;
    const verdicts = await judge(question);
    isAsking = false;
    onAnswer({ press: state.answered(question, verdicts), isReachable: verdicts !== null });
    // The text was edited meanwhile, and the pause after that is over or a press waits.
    if (timer === undefined || state.waiting) now();
  }

  function later() {
    clearTimeout(timer);
    timer = state.question() ? setTimeout(now, pause) : undefined;
  }

  return { now, later };
}
