/**
 * The framed side of an embedded dialog: tells the page around it what happens, and sends the answer by itself.
 * dialog.js only loads it if the address names such a page (see Documentation/embedding.md for the messages).
 */
import { enhance } from "../dialog-sending.js";
import { path, valueOf } from "../places.js";

/** The time limits for sending an answer, an action and a cancel, in milliseconds. */
const patience = { ok: 30_000, action: 30_000, cancel: 5_000 };

/**
 * The page around this one.
 *
 * The address after # says who it claims to be. Only an origin that the server allows is believed, and messages
 * go only to that origin.
 * @returns {{options: object, tell: Function, hear: Function} | undefined} undefined: there is none to talk to
 */
export function host() {
  const { okcancel: id, origin, ...options } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { origins = "" } = document.documentElement.dataset;
  if (!id || !origin || parent === window) return undefined;
  if (![location.origin, ...origins.split(" ")].includes(origin)) return undefined;
  return {
    options,
    tell: (type, more) => parent.postMessage({ ...more, okcancel: 1, id, type }, origin),
    hear: (type, listener) => addEventListener("message", ({ source, origin: from, data }) => {
      if (source !== parent || from !== origin || data?.okcancel !== 1 || data.id !== id) return;
      if (data.type === type) listener(data);
    }),
  };
}

/**
 * Fits a dialog into the page around it, before its first verdict.
 * @param fields the views of dialog.js
 * @returns a function to call with the `page` of dialog.js once the dialog is live; undefined if no page is around it
 */
export function join(dialog, fields) {
  const page = host();
  if (!page) {
    dialog.style.visibility = "";
    return undefined;
  }
  const { values, subject, scheme } = page.options, [across, down] = page.options.room?.split(",") ?? [];
  // In another language the page stands in the same frame.
  for (const link of dialog.querySelectorAll(".languages a")) {
    const query = new URLSearchParams(location.search);
    query.set("lang", link.hreflang);
    link.href = `?${query}${location.hash}`;
  }
  const styled = style(new URL("frame.css", import.meta.url));
  adapt(scheme, { width: across, height: down });
  const misfit = fill(fields, JSON.parse(values ?? "{}"));

  return async (dialogPage) => {
    const { on, state, rules, soon, reopen, begin, submitPlainly } = dialogPage, { send, undelivered, end } = enhance(dialogPage);
    if (misfit) return page.tell("error", { status: 400, detail: misfit });
    const { gate } = dialog, isSandboxed = !submits();
    let isValid, isLeaving = false;

    // There, a press on a button submits nothing and causes no event. What it sends needs no form.
    if (isSandboxed) on("click", (event) => {
      const submitter = event.target.closest("button");
      if (submitter?.type !== "submit" || event.defaultPrevented) return;
      event.preventDefault();
      submitter.form.dispatchEvent(new SubmitEvent("submit", { submitter, bubbles: true, cancelable: true }));
    });

    function tellValidity() {
      const was = isValid;
      isValid = state.ok === "enabled";
      if (isValid !== was) page.tell("validity", { isValid });
    }

    async function deliver({ outcome, action, reason }) {
      const button = [...dialog.querySelectorAll("button.action")].find(({ value }) => value === action);
      // An action that validates nothing has a form of its own, and sends nothing else.
      const isWhole = outcome === "ok" || action && button.form.id === "form";
      const typed = isWhole ? fields.flatMap(({ name }) => [state.text(name)].flat().map((text) => [name, text])) : [];
      const answer = new URLSearchParams(
        [["outcome", outcome], ["okcancel-version", rules.version], ...action ? [["action", action]] : [], ...reason ? [["okcancel-reason", reason]] : [], ...typed]);
      const query = { receipt: "", ...subject && { subject } };
      const { status, json } = await send(answer, query, patience[outcome]);
      if (status === 200) {
        const { id: ask, receipt, ...outcome } = json;
        const value = alone(outcome.values, fields.length);
        return page.tell("outcome", { outcome, ask, receipt, text: await shown(text(fields, outcome.values)), value, count: fields.length });
      }
      const hasEnded = /expired|withdrawn/.test(json.outcome);
      const finish = () => page.tell("outcome", { outcome: { outcome: hasEnded ? json.outcome : "cancel" } });
      // A person can always leave, whatever the server says; but Cancel may need a reason.
      if (outcome === "cancel" && (isLeaving || status !== 422)) return finish();
      if (hasEnded) return end(finish);
      if (json.outcome) end(finish, true);
      if (isLeaving) {
        reopen();
        return leave();
      }
      if (json.code === "prompt-changed" && !isSandboxed) {
        // Its page comes anew in this frame, with what was typed in place of the values of the page around it.
        const { values, ...others } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
        for (const form of document.forms) {
          form.setAttribute("action", `${form.getAttribute("action")}#${new URLSearchParams(others)}`);
        }
        return submitPlainly();
      }
      const said = json.outcome ? "" : await undelivered(status, json);
      if (status !== 422) page.tell("error", { status, detail: json.detail ?? said });
    }

    function leave() {
      state.isClosed = true;
      deliver({ outcome: "cancel" });
    }

    dialog.addEventListener("okcancel:validate", tellValidity);
    dialog.addEventListener("okcancel:outcome", (event) => {
      event.preventDefault();
      deliver(event.detail);
    });
    page.hear("focus", () => {
      gate?.show();
      const first = dialog.querySelector("[data-autofocus]") ?? dialog;
      begin();
      if (!dialog.contains(document.activeElement)) {
        // WebKit lets no script set the focus in another site's frame before a person touches it, but a URL fragment can.
        first.id ||= "first";
        first.addEventListener("focus", () => begin(), { once: true });
        const { hash } = location;
        location.replace(`#${first.id}`);
        history.replaceState(null, "", hash);
        // WebKit scrolls to the fragment only when it next draws.
        requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, 0)));
      }
      // Focusing a field while the frame was small scrolled the title out of view, and so did the fragment.
      scrollTo(0, 0);
    });
    // One that is kept for going back is there again then.
    addEventListener("pagehide", ({ persisted }) => persisted || page.tell("gone"));
    // While the frame has the focus, only the page around it knows when its window gets it.
    page.hear("window", ({ hasFocus }) => {
      if (hasFocus && gate?.hasFocus === false) gate.show();
      if (gate) gate.hasFocus = hasFocus;
    });
    page.hear("escape", () => {
      // A person pressed it, although no event of this page can be trusted to say so.
      if (gate && !gate.cancels()) return;
      dialog.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true }));
    });
    page.hear("close", () => {
      isLeaving = true;
      if (!state.isClosed) leave();
    });

    await soon(styled);
    // The buttons find their places in it before anybody sees them.
    dispatchEvent(new Event("resize"));
    dialog.style.visibility = "";
    await soon(drawn(dialog));
    const { title } = document, isHigh = () => dialog.offsetHeight > height() - 32;
    const size = () => {
      const { width, radius, bar } = measure(dialog);
      return {
        // A scroll bar takes no room from the dialog: the frame is wider before there is one.
        width: width + Math.max(innerWidth - document.documentElement.clientWidth, isHigh() ? bar : 0), radius,
        height: Math.ceil(dialog.getBoundingClientRect().height),
        // A picture takes all the room that there is.
        ...document.querySelector("dialog.large") && { width: 10_000, height: 10_000 },
      };
    };
    page.tell("ready", { title, ...size() });
    tellValidity();
    const resize = () => page.tell("resize", size());
    page.hear("room", (room) => {
      adapt(scheme, room);
      // What is measured by it may have been so before, when the frame itself changed its size.
      dispatchEvent(new Event("resize"));
      resize();
    });
    new ResizeObserver(resize).observe(dialog);
    dialog.addEventListener("okcancel:picture", resize);
    // A dialog as high as its frame may be scrolls, now or after it grows. No scroll bar may flash while the frame grows.
    addEventListener("resize", () =>
      document.documentElement.toggleAttribute("data-scrolls", dialog.offsetHeight > height() - 33 && innerHeight > height() / 2));
  };
}

/**
 * Writes the values of an answer into the fields. @returns what cannot stand there, in words; undefined if all can
 */
function fill(fields, values) {
  const isObject = (value) => value?.constructor === Object, later = [];
  const around = new Set(["[]", ...fields.flatMap((field) => path(field).map((_, index, names) => JSON.stringify(names.slice(0, index))))]);
  const wrong = (field, value) => `The field ${field.name} cannot hold ${JSON.stringify(value)}.`;

  function write(value, names) {
    const place = JSON.stringify(names), here = fields.filter((field) => JSON.stringify(path(field)) === place), [field] = here;
    const isBox = field?.valueType === "object";
    if (isBox) here.forEach((field) => field.write(`${value !== null}`));
    if (isBox || around.has(place)) {
      if (value === null) return undefined;
      if (!isObject(value)) return `There must be an object at “${names.join("/")}”, not ${JSON.stringify(value)}.`;
      return Object.entries(value).map(([name, inner]) => write(inner, [...names, name])).find(Boolean);
    }
    if (!field) {
      // A page may know more than one prompt asks for; but a field's name is not where its value stands.
      const other = !names[1] && fields.find(({ name }) => name === names[0]);
      return other ? `The value of ${other.name} stands at “${path(other).join("/")}”.` : undefined;
    }
    if (here.length === 1) return put(field, value);
    // Which of them it is for depends on others. If nothing is chosen yet, each holds it that can.
    later.push(() => {
      const meant = here.filter((field) => mayApply(field, fields)), faults = (meant[0] ? meant : here).map((field) => put(field, value));
      return faults.every(Boolean) ? faults[0] : undefined;
    });
    return undefined;
  }

  function put(field, value) {
    const texts = [value ?? ""].flat().map(String), isLines = field.kind === "list" && Array.isArray(value);
    if (isLines && value.some((item) => !/^(string|number)$/.test(typeof item) || /[\r\n]/.test(item)) || isObject(value)) return wrong(field, value);
    const held = isLines ? [texts.join("\n")] : texts;
    field.write(field.kind === "choices" ? held : held.join());
    return value === null || holds(field, held) ? undefined : wrong(field, value);
  }

  return write(values, []) ?? later.map((put) => put()).find(Boolean);
}

/** False if something else is chosen than what a field depends on, so that another may stand in its place. */
const mayApply = ({ when = [] }, fields) => when.every(({ field, rules: [{ rule, values }, more] }) => {
  const other = fields.find(({ name }) => name === field);
  return more || rule !== "oneOf" || !/^(choice|boolean)$/.test(other.kind) || values.includes(`${other.read()}`);
});

/** True if a field holds these texts as they were written into it, not as a browser's control has changed them. */
function holds(field, written) {
  // A number field is a line of text, which holds anything.
  if (field.isNumeral && !written.every((text) => !text || field.isNumeral(text.trim()))) return false;
  const held = [field.read()].flat(), { type } = field.controls[0];
  const plain = (text) => type === "range" ? +text : /^(date|time)/.test(type) ? text.replace(" ", "T").replace(/(:\d\d):00$/, "$1") :
    text.replace(/\r\n?/g, "\n");
  return JSON.stringify(held.map(plain).sort()) === JSON.stringify(written.map(plain).sort());
}

/** The value of a single field, wherever it stands in the answer, or `ok` if there is none; of several, the answer. */
function alone(values, count) {
  while (count < 2 && values?.constructor === Object) [values = "ok"] = Object.values(values);
  return values;
}

/** The answer in words: the titles of options, and nothing for passwords. */
function text(fields, values = {}) {
  const texts = fields.filter((field) => field.kind !== "password" && field.valueType !== "object" && valueOf(field, values) != null && mayApply(field, fields))
    .flatMap(({ controls }) => controls.map((control) => {
      if (!/checkbox|radio/.test(control.type)) return control.selectedOptions?.[0].text ?? control.value.trim().replace(/\s*\n\s*/g, ", ");
      const [label] = control.labels;
      // Without what helps to choose it.
      return control.checked && (label.querySelector("[dir]") ?? label).textContent.trim();
    }));
  return texts.filter(Boolean).join(", ");
}

/** The same as people may read it; the page around puts it on a button. */
const shown = async (text) => /[^ -~]/.test(text)
  ? import("../hidden.js").then(({ reveal }) => reveal(text).text, () => "…") : text;

/** Adds a style sheet. @returns {Promise} settled once it applies, or cannot come */
function style(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((done) => {
    link.onload = link.onerror = done;
    document.head.append(link);
  });
}

/** False if the page around keeps this one in a sandbox without `allow-forms`. */
function submits() {
  const form = document.body.appendChild(document.createElement("form"));
  let isAllowed = false;
  form.onsubmit = () => isAllowed = true;
  form.method = "dialog";
  form.requestSubmit();
  form.remove();
  return isAllowed;
}

/** Settled once this frame has a size: in a process of its own it learns it from the page around, which may be busy. */
async function drawn(dialog) {
  while (!dialog.offsetWidth) await new Promise((done) => setTimeout(done, 10));
}

/** The height of the window around this frame, if it has said so; in pixels. */
let around;

/** The height of the window that people see, which leaves a margin around the dialog. */
export const height = () => around ?? innerHeight;

/** The conditions of the style sheets as they were written. */
const conditions = new Map();

/**
 * Has the style sheets see what they would see on the page around: its colours, where those are not the person's own,
 * and its size, if it says how large it is.
 */
function adapt(scheme, room) {
  const { documentElement: root } = document, rem = parseFloat(getComputedStyle(root).fontSize);
  if (scheme) root.style.colorScheme = scheme;
  around = Number(room.height) || around;
  if (around) root.style.setProperty("--vh", `${around / 100}px`);
  const say = (holds) => holds ? "(min-width: 0)" : "(max-width: 0)";
  for (const { media } of [...document.styleSheets, ...document.adoptedStyleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (!media) continue;
    const written = conditions.get(media) ?? media.mediaText;
    conditions.set(media, written);
    media.mediaText = written
      .replace(/\(prefers-color-scheme: (\w+)\)/g, (whole, each) => scheme ? say(each === scheme) : whole)
      .replace(/\((min|max)-(width|height): ([\d.]+)(rem|em|px)\)/g, (whole, bound, side, number, unit) => {
        const size = number * (unit === "px" ? 1 : rem);
        return room[side] ? say(bound === "min" ? room[side] >= size : room[side] <= size) : whole;
      });
  }
}

/** The width and the corners that the theme gives a dialog, and the width of a scroll bar; in pixels. */
function measure(dialog) {
  const probe = document.createElement("div");
  Object.assign(probe.style, { position: "absolute", inlineSize: "var(--width)", borderRadius: "var(--radius)", overflow: "scroll" });
  dialog.append(probe);
  const width = probe.offsetWidth, bar = width - probe.clientWidth;
  const measures = { width, bar, radius: parseFloat(getComputedStyle(probe).borderStartStartRadius) };
  probe.remove();
  return measures;
}
