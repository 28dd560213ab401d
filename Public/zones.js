/** Dates and times in a time zone: shows which it is, and names the person's to the server, which decides. */

/** A moment's offset from UTC in a zone, in minutes. */
function offset(moment, timeZone) {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(moment);
  const [, sign, hours, minutes] = /GMT(.)(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === "timeZoneName").value) ?? [];
  return sign ? (sign === "+" ? 1 : -1) * (60 * hours + +minutes) : 0;
}

/** The offset of a local time, like +02:00: of one that occurs twice the earlier, of one that never does none. */
function offsetOf(local, timeZone) {
  const utc = Date.parse(`${local}Z`), day = 86_400_000;
  if (Number.isNaN(utc)) return "";
  const found = [utc - day, utc + day].map((near) => offset(near, timeZone)).find((each) =>
    offset(utc - 60_000 * each, timeZone) === each);
  if (found === undefined) return "";
  const two = (number) => String(Math.floor(number)).padStart(2, "0"), size = Math.abs(found);
  return `${found < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}

/** @param on adds a listener that goes with the dialog */
export function enhance(dialog, on, fields) {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  for (const field of fields) {
    const line = field.box.querySelector("[data-zone]");
    if (!line) continue;
    const { zone, sentence, moment } = line.dataset, [control] = field.controls;
    const isPersons = zone === "person", timeZone = isPersons ? own : zone;
    const read = () => control.type === "datetime-local" ? offsetOf(control.value, timeZone) : "";
    if (moment) {
      const date = new Date(moment), local = new Date(date - -60_000 * offset(date, own)).toISOString();
      control.value = local.slice(0, local.endsWith(":00.000Z") ? 16 : 23);
    }
    if (isPersons) {
      const { read: readControl, write } = field;
      field.read = () => {
        const text = readControl.call(field);
        return control.value ? `${text}${read()}[${own}]` : text;
      };
      field.write = (text) => write.call(field, text.replace(/([+-]\d\d:\d\d)?\[.*$/, ""));
      on("formdata", ({ formData }) => formData.set(field.name, field.read()));
    }
    const show = () => {
      const text = read();
      line.textContent = sentence.replace("{zone}", () => text ? `${timeZone}, ${text}` : timeZone);
    };
    on("okcancel:change", show);
    show();
  }
}
