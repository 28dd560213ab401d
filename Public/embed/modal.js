/**
 * One dialog in a page of another site: a frame over everything else, and the messages of the dialog in it.
 *
 * @typedef {import("../okcancel.js").Outcome} Outcome
 */

/** The time that a reloaded dialog has to come back, in milliseconds. */
const patience = 8_000;

/** The time that a dialog has to load before we check whether its server is reachable, in milliseconds. */
const soon = 500;

// Whatever the page says of its elements, the host is shown, and hands down nothing but the page's colour scheme. In pixels,
// since the page may have a root font of any size.
const css = `
  :host {
    all: initial !important; display: block !important; position: fixed !important;
    inset: env(safe-area-inset-top) 0 env(safe-area-inset-bottom) !important;
    color-scheme: inherit !important; direction: ltr !important; font-family: sans-serif !important;
  }
  dialog {
    inset: inherit; margin: auto; padding: 0; border: 0; border-radius: var(--okcancel-radius); overflow: hidden;
    visibility: visible;
    max-inline-size: none; max-block-size: none; background: none; box-shadow: 0 24px 64px -16px #0009;
  }
  dialog:focus { outline: none }
  dialog::backdrop { background: #0006 }
  iframe {
    display: block; border: 0; inline-size: 336px; block-size: 192px;
    max-inline-size: calc(100vw - 32px);
    max-block-size: calc(100dvh - 32px - env(safe-area-inset-top) - env(safe-area-inset-bottom));
  }
  @media (max-width: 15rem) { iframe { max-inline-size: calc(100vw - 16px) } }
  dialog:not([data-ready]) { inline-size: 0; block-size: 0; box-shadow: none }
  dialog:not([data-ready]) iframe { position: fixed; visibility: hidden }
  dialog:not([data-ready])::after {
    content: ""; position: fixed; inset: 0; margin: auto;
    inline-size: 32px; block-size: 32px; box-sizing: border-box;
    border: 3px solid #fff; border-block-start-color: #0000; border-radius: 50%;
    animation: 1s linear infinite turn, .2s .5s backwards fade;
  }
  @media (prefers-reduced-motion: no-preference) { dialog[data-ready] { animation: .18s ease-out appear } }
  @keyframes appear { from { opacity: 0; transform: scale(1.04) } }
  @keyframes fade { from { opacity: 0 } }
  @keyframes turn { to { transform: rotate(1turn) } }`;

/**
 * Keeps the page behind a dialog from scrolling, and from shifting when its scroll bar disappears.
 * @returns {Function} undoes this; each dialog has its own style sheet, so that dialogs may end in any order
 */
function lock() {
  const sheet = new CSSStyleSheet(), { documentElement: root, body } = document;
  const [outer, inner] = [root, body].map((each) => getComputedStyle(each).overflow);
  // If the root's overflow is `visible`, the body's applies to the window.
  const scroller = outer === "visible" && inner !== "visible" ? "body" : "html";
  const gutter = innerWidth > root.clientWidth ? ":where(html) { scrollbar-gutter: stable }" : "";
  sheet.replaceSync(`${scroller} { overflow: hidden !important } ${gutter}`);
  document.adoptedStyleSheets.push(sheet);
  return () => document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
}

/** Finds out why no dialog appeared, by loading a script from the server: a page that could load this one can load that. */
async function cause(url, id) {
  const { origin } = url;
  if (!navigator.onLine) return "This browser is offline.";
  const isThere = await reaches(url, id);
  if (isThere === undefined) return `Nothing answers at ${origin}.`;
  if (!isThere) return unreachable(origin);
  return `${origin} shows no dialog here, although it answers. If it was started with --allow-origin ${location.origin}, `
    + "see whether a proxy changes its headers.";
}

const unreachable = (origin) => `No OKCancel server can be reached at ${origin}.`;

/** @returns whether a server sends its script; undefined if nothing answers */
async function reaches(url, id) {
  const script = Object.assign(document.createElement("script"), { type: "module", src: new URL(`../embed/modal.js?${id}`, url) });
  const isThere = await new Promise((done) => {
    script.onload = () => done(true);
    script.onerror = () => done(false);
    setTimeout(done, 2_000);
    document.head.append(script);
  });
  script.remove();
  return isThere;
}

/**
 * Shows the dialog at `url` in a frame over everything else in the page.
 * @param root the shadow root that contains the frame while the dialog is open
 * @param schemes the colours that the page has: light, dark, both, or none of its own
 * @param late a signal that aborts when the dialog should have appeared
 * @param emit tells the page of `ready`, `validity` and `error`
 * @returns {{end: Promise<{outcome: Outcome, ask?: string, receipt?: string}>, close: Function, leave: Function}}
 *   `close` ends the dialog as Cancel does, `leave` at once; the promise is rejected if no dialog can be shown
 */
export function present(root, url, { late, values, subject, schemes, lang, label, emit }) {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const dialog = document.createElement("dialog"), frame = document.createElement("iframe");
  const listeners = new AbortController(), { signal } = listeners;
  const [scheme, other] = schemes, place = globalThis.navigation?.currentEntry?.index;
  let isReady = false, isClosing = false, hadFocus, resolveEnd, rejectEnd;

  const end = new Promise((resolve, reject) => [resolveEnd, rejectEnd] = [resolve, reject]).finally(() => {
    listeners.abort();
    clearInterval(looking);
    watch.disconnect();
    unlock();
    // Closed before it goes, so that the focus returns to where it came from.
    dialog.close();
    dialog.remove();
  });
  const cancel = () => resolveEnd({ outcome: { outcome: "cancel" } });
  const tell = (type, more) => frame.contentWindow?.postMessage({ ...more, okcancel: 1, id, type }, url.origin);
  // In the frame, style sheets would count its own size, which follows the dialog. If the page goes to the edges of a
  // phone's screen, the camera is above and the system's own bar below.
  const room = () => {
    const { top, bottom } = getComputedStyle(root.host);
    return { width: innerWidth, height: innerHeight - parseFloat(top) - parseFloat(bottom) };
  };
  // While the frame has the focus, this window is told neither that it loses it nor that it gets it back.
  const look = () => {
    const hasFocus = document.hasFocus();
    if (isReady && hasFocus !== hadFocus) tell("window", { hasFocus: hadFocus = hasFocus });
  };
  const looking = setInterval(look, 100);
  const leave = (type) => isReady ? tell(type) : cancel();
  const close = () => {
    isClosing = true;
    leave("close");
  };
  const refuse = (why) => rejectEnd(new Error(`OKCancel: ${why}`));
  const expect = (late) => late.addEventListener("abort", async () => {
    if (!isReady) refuse(await cause(url, id));
  }, { signal });
  const fit = ({ width, height, radius }) => {
    frame.style.inlineSize = `${width}px`;
    frame.style.blockSize = `${height}px`;
    dialog.style.setProperty("--okcancel-radius", `${radius}px`);
  };
  const hear = {
    __proto__: null,
    ready(message) {
      isReady = true;
      fit(message);
      frame.title = dialog.ariaLabel = message.title;
      frame.removeAttribute("tabindex");
      dialog.dataset.ready = "";
      frame.focus();
      tell("room", room());
      tell("focus");
      hadFocus = undefined;
      look();
      emit("ready");
    },
    // The page in the frame goes: reloaded, it comes back.
    gone() {
      isReady = false;
      delete dialog.dataset.ready;
      expect(AbortSignal.timeout(patience));
    },
    resize: fit,
    validity: ({ isValid }) => emit("validity", { isValid }),
    error({ status, detail }) {
      if (!isReady) return refuse(detail);
      emit("error", { status, detail });
      if (isClosing) cancel();
    },
    outcome: (message) => resolveEnd(message),
  };

  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== url.origin || data?.okcancel !== 1 || data.id !== id) return;
    hear[data.type]?.(data);
  }, { signal });
  // Going back in the history closes the dialog. A page that sets its fragment causes the same event, but must not close it.
  addEventListener("popstate", () => {
    if (place === undefined ? !location.hash : navigation.currentEntry.index < place) close();
  }, { signal });
  addEventListener("resize", () => isReady && tell("room", room()), { signal });
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, disposition, blockedURI }) => {
    if (effectiveDirective !== "frame-src" || disposition !== "enforce" || !blockedURI.startsWith(url.origin)) return;
    refuse(`The Content-Security-Policy of this page must allow frame-src ${url.origin}.`);
  }, { signal });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave("escape");
  });
  dialog.addEventListener("close", cancel);
  // The page may remove it, or close the popover around it, without closing it.
  const { parentNode: around } = root.host;
  const isThere = () => dialog.isConnected && (around === document.documentElement || around.matches(":popover-open"));
  const watch = new ResizeObserver(() => isThere() || cancel());
  watch.observe(frame);
  // A click beside the dialog must not take the focus from the frame, where the person may go on typing.
  dialog.addEventListener("mousedown", (event) => event.preventDefault());
  expect(late);
  // A port that refuses connections is known at once.
  setTimeout(async () => {
    if (!isReady && !signal.aborted && await reaches(url, id) === false && !isReady) refuse(unreachable(url.origin));
  }, soon);

  // A Content Security Policy does not treat a constructed style sheet as an inline style.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  // After that of the element.
  root.adoptedStyleSheets = [root.adoptedStyleSheets[0], sheet];
  if (url.origin !== location.origin) url.searchParams.set("embedder", origin);
  if (lang) url.searchParams.set("lang", lang);
  url.hash = new URLSearchParams({
    okcancel: id, origin: location.origin, room: Object.values(room()), ...values && { values }, ...subject && { subject }, ...scheme && !other && { scheme },
  });
  frame.title = dialog.ariaLabel = label;
  // Else it would have the focus, and Escape, before anything in it listens.
  frame.tabIndex = dialog.tabIndex = -1;
  frame.src = url;
  frame.style.colorScheme = other || !scheme ? "light dark" : scheme;
  dialog.id = dialog.part = "dialog";
  dialog.append(frame);
  const unlock = lock();
  root.append(dialog);
  dialog.showModal();
  dialog.focus();
  return { end, close, leave: cancel };
}
