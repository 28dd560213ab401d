/**
 * One dialog in a page of another site: a frame over everything else, and the messages of the dialog in it.
 *
 * @typedef {import("../okcancel.js").Outcome} Outcome
 */

/** How long a dialog may take to speak after its page has loaded; milliseconds. */
const patience = 10_000;

const css = `
  dialog {
    margin: auto; padding: 0; border: 0; border-radius: var(--okcancel-radius); overflow: hidden; visibility: visible;
    max-inline-size: none; max-block-size: none; background: none; box-shadow: 0 1.5rem 4rem -1rem #0009;
  }
  dialog:focus { outline: none }
  dialog::backdrop { background: #0006 }
  iframe {
    display: block; border: 0; inline-size: 21rem; block-size: 12rem;
    max-inline-size: calc(100vw - 2rem); max-block-size: calc(100vh - 2rem); max-block-size: calc(100dvh - 2rem);
  }
  dialog:not([data-ready]) { box-shadow: none }
  dialog:not([data-ready]) iframe { opacity: 0 }
  dialog:not([data-ready])::after {
    content: ""; position: absolute; inset: 0; margin: auto;
    inline-size: 2rem; block-size: 2rem; box-sizing: border-box;
    border: 3px solid #fff; border-block-start-color: #0000; border-radius: 50%;
    animation: 1s linear infinite turn, .2s .5s backwards fade;
  }
  @media (prefers-reduced-motion: no-preference) { dialog[data-ready] { animation: .18s ease-out appear } }
  @keyframes appear { from { opacity: 0; transform: scale(1.04) } }
  @keyframes fade { from { opacity: 0 } }
  @keyframes turn { to { transform: rotate(1turn) } }`;

/**
 * Shows the dialog of that address in a frame, over everything else in the page.
 * @param root the shadow root that holds it meanwhile
 * @param emit tells the page of `ready`, `validity` and `error`
 * @returns {{end: Promise<{outcome: Outcome, ask?: string, receipt?: string}>, close: Function, leave: Function}}
 *   `close` ends it as Cancel does, `leave` at once; the promise fails where no dialog can be shown
 */
export function present(root, url, { values, lang, label, emit }) {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const dialog = document.createElement("dialog"), frame = document.createElement("iframe");
  const listeners = new AbortController(), { signal } = listeners;
  // Where the page has no colours of its own, the person's preference rules.
  const [scheme, other] = getComputedStyle(root.host).colorScheme.match(/\b(light|dark)\b/g) ?? [];
  let timer, isReady = false, isClosing = false, settle, fail;

  const end = new Promise((resolve, reject) => [settle, fail] = [resolve, reject]).finally(() => {
    clearTimeout(timer);
    listeners.abort();
    // Closed before it goes, so that the focus returns to where it came from.
    dialog.close();
    dialog.remove();
  });
  const cancel = () => settle({ outcome: { outcome: "cancel" } });
  const tell = (type) => frame.contentWindow.postMessage({ okcancel: 1, id, type }, url.origin);
  const leave = (type) => isReady ? tell(type) : cancel();
  const close = () => {
    isClosing = true;
    leave("close");
  };
  const refuse = (why) => fail(new Error(`OKCancel: ${why}`));
  const fit = ({ width, height, radius }) => {
    frame.style.inlineSize = `${width}px`;
    frame.style.blockSize = `${height}px`;
    dialog.style.setProperty("--okcancel-radius", `${radius}px`);
  };
  const hear = {
    __proto__: null,
    ready(message) {
      clearTimeout(timer);
      isReady = true;
      fit(message);
      frame.title = dialog.ariaLabel = message.title;
      frame.removeAttribute("tabindex");
      dialog.dataset.ready = "";
      frame.focus();
      tell("focus");
      emit("ready");
    },
    resize: fit,
    validity: ({ isValid }) => emit("validity", { isValid }),
    error({ status, detail }) {
      if (!isReady) return refuse(detail);
      emit("error", { status, detail });
      if (isClosing) cancel();
    },
    outcome: (message) => settle(message),
  };

  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== url.origin || data?.okcancel !== 1 || data.id !== id) return;
    hear[data.type]?.(data);
  }, { signal });
  // Who goes back leaves the page that has asked.
  addEventListener("popstate", close, { signal });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave("escape");
  });
  dialog.addEventListener("close", cancel);
  frame.addEventListener("load", () => {
    const remedy = `If it does elsewhere, start it with --allow-origin ${location.origin}`;
    if (!isReady) timer ??= setTimeout(refuse, patience, `${url.origin} shows no dialog here. ${remedy}`);
  });

  if (lang) url.searchParams.set("lang", lang);
  url.hash = new URLSearchParams({
    okcancel: id, origin: location.origin, ...values && { values }, ...scheme && !other && { scheme },
  });
  frame.title = dialog.ariaLabel = label;
  // Else it would have the focus, and Escape, before anything in it listens.
  frame.tabIndex = dialog.tabIndex = -1;
  frame.src = url;
  frame.style.colorScheme = other || !scheme ? "light dark" : scheme;
  dialog.part = "dialog";
  dialog.append(frame);
  // A style sheet of this kind is no inline style to a Content Security Policy.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);
  dialog.showModal();
  dialog.focus();
  return { end, close, leave: cancel };
}
