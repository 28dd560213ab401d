/** Dates and times in messages, as the browser's own control for them shows them to this person; no examples of how to type them. */

const styles = {
  __proto__: null,
  date: { year: "numeric", month: "2-digit", day: "2-digit" },
  time: { hour: "2-digit", minute: "2-digit" },
};
styles["datetime-local"] = { ...styles.date, ...styles.time };

const patterns = {
  date: /\b\d{4}-\d\d-\d\d\b/g, time: /\b\d\d:\d\d\b/g, "datetime-local": /\b\d{4}-\d\d-\d\d(T\d\d:\d\d)?\b/g,
};

/**
 * A message with each `2025-01-31T09:30` in it as a browser's control shows it, in one piece.
 * @param {string} type the control's: `date`, `time` or `datetime-local`
 * @param {string} [locale] the person's, if it is not the browser's
 */
export function localized(message, type, locale) {
  return message.replace(patterns[type], (text) => {
    const [day, time] = type === "time" ? ["2025-01-31", text] : text.split("T"), utc = `${day}T${time ?? "00:00"}Z`;
    const moment = new Date(utc), style = time ? styles[type] : styles.date;
    // What names no day or no minute, like 2025-02-30, was not meant as one.
    if (Number.isNaN(+moment) || !moment.toISOString().startsWith(utc.slice(0, 16))) return text;
    const format = new Intl.DateTimeFormat(locale, { ...style, calendar: "gregory", timeZone: "UTC" });
    return format.format(moment).replace(/\s/g, "\u00a0").replaceAll("-", "\u2011");
  });
}

/** @param fields the views of dialog.js, before the first verdict */
export function adapt(fields) {
  for (const field of fields) {
    const [control] = field.controls;
    // A half typed one has no value; it must not pass for an empty one. One that nobody touched is what was put in.
    const { value: shown, dataset: { given } } = control;
    if (patterns[control.type]) field.read = () => {
      const text = control.validity.badInput ? "-" : given && control.value === shown ? given : control.value;
      control.toggleAttribute("data-blank", !text);
      return text;
    };
  }
}

/** @param page what dialog.js gives its parts */
export function enhance({ on, fields, edited }) {
  // A half typed one brings no event but its keys.
  on("keyup", edited);
  for (const field of fields) {
    const [{ type }] = field.controls, { typed, picked } = field.box.dataset;
    if (patterns[type]) field.word = (message) => message === typed ? picked : localized(message, type);
  }
}
