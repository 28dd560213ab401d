/** Dates and times in a time zone: shows which it is, and names the person's to the server, which decides. */

/** A moment's offset from UTC in a zone, in minutes. */
function offset(moment, timeZone) {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(moment);
  const [, sign, hours, minutes] = /GMT(.)(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === "timeZoneName").value) ?? [];
  return sign ? (sign === "+" ? 1 : -1) * (60 * hours + +minutes) : 0;
}

/** The offset of a local time, like +02:00. If the time occurs twice, that of the earlier one; if never, the empty string. */
function offsetOf(local, timeZone) {
  const utc = Date.parse(`${local}Z`), day = 86_400_000;
  if (Number.isNaN(utc)) return "";
  const found = [utc - day, utc + day].map((near) => offset(near, timeZone)).find((each) =>
    offset(utc - 60_000 * each, timeZone) === each);
  if (found === undefined) return "";
  const two = (number) => String(Math.floor(number)).padStart(2, "0"), size = Math.abs(found);
  return `${found < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}

/** @param page what dialog.js gives its parts */
export function enhance({ on, fields, state: { judge } }) {
  const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  for (const field of fields) {
    const line = field.box.querySelector("[data-zone]");
    if (!line) continue;
    const { zone, sentence, moment } = line.dataset, [control] = field.controls;
    const isPersons = zone === "person", timeZone = isPersons ? browserZone : zone;
    const ownOffset = () => control.type === "datetime-local" ? offsetOf(control.value, timeZone) : "";
    if (moment) {
      const time = Date.parse(moment), local = new Date(time + 60_000 * offset(time, browserZone)).toISOString();
      control.value = local.slice(0, local.endsWith(":00.000Z") ? 16 : 23);
    }
    const { answers } = judge;
    judge.answers = (values) => {
      const known = answers(values), text = control.value;
      // The server's answer is the one that counts; this one tells the page the same.
      return known[field.name] ? { ...known, [field.name]: `${text.length === 16 ? `${text}:00` : text}${ownOffset()}` } : known;
    };
    if (isPersons) {
      const { read, write } = field;
      field.read = () => {
        const text = read.call(field);
        return control.value ? `${text}${ownOffset()}[${browserZone}]` : text;
      };
      field.write = (text) => write.call(field, text.replace(/([+-]\d\d:\d\d)?\[.*$/, ""));
      on("formdata", ({ formData }) => {
        if (formData.has(field.name)) formData.set(field.name, field.read());
      });
    }
    const show = () => {
      const text = ownOffset();
      line.textContent = sentence.replace("{zone}", () => text ? `${timeZone}, ${text}` : timeZone);
    };
    on("okcancel:change", show);
    show();
  }
}
