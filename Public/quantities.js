/** Numbers, dates and times: the rules that read a text as one of them. */

// Numbers are read as whole multiples of 1e-342 (34 digits, exponent -308), dates and times as strings of one width,
// so that `<` orders each family exactly; other texts as undefined.

// Cached powers of ten: computing one costs more than the rest of a verdict.
const powers = [];

export function number(text) {
  const [, sign, whole, fraction = "", exponent = 0] = /^(-?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = whole + fraction;
  if (whole === undefined || !digits || digits.length > 34 || Math.abs(+exponent) > 308) return undefined;
  const power = 342 + +exponent - fraction.length;
  return BigInt(sign + digits) * (powers[power] ??= 10n ** BigInt(power));
}

const integer = (text) => /^-?\d+$/.test(text) ? number(text) : undefined;

function date(text) {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return year > 0 && day > 0 && day <= days ? text : undefined;
}

const time = (text) =>
  /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(text) ? text + "00:00:00.000".slice(text.length) : undefined;

function dateTime(text) {
  const day = date(text.slice(0, 10)), instant = time(text.slice(11));
  return day && instant && /[T ]/.test(text[10]) ? day + instant : undefined;
}

// The zeros of all decimal digits (Unicode 17.0), each followed by its one to nine.
const zeros = "30 660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 ff10 104a0 10d30 10d40 11066 110f0 11136 111d0 112f0 11450 114d0 11650 116c0 116d0 116da 11730 118e0 11950 11bf0 11c50 11d50 11da0 11de0 11f50 16130 16a60 16ac0 16b50 16d70 1ccf0 1d7ce 1d7d8 1d7e2 1d7ec 1d7f6 1e140 1e2f0 1e4f0 1e5f1 1e950 1fbf0".split(" ").map((zero) => parseInt(zero, 16));

const marks = {__proto__: null, "\u2212": "-", "\uff0d": "-", "\uff0b": "+", "\uff0e": ".", "\uff0c": ","};

/** A number as people write it, taken apart; undefined for other texts. */
function numeral(text) {
  let ascii = "", zero;
  for (const character of text) {
    const point = character.codePointAt(0), own = zeros.find((zero) => zero <= point && point < zero + 10);
    if (own !== undefined && own !== (zero ??= own)) return undefined;
    ascii += own !== undefined ? point - own : marks[character] ?? character;
  }
  // A mark of direction may stand before a sign, and U+066C groups thousands.
  const [, sign, grouped, mark, fraction = "", exponent = ""] =
    /^(?:[\u200e\u200f\u061c](?=[+-]))?([+-]?)(\d{1,3}(?:\u066c\d{3})+|\d*)(?:([.,\u066b])(\d*))?(e[+-]?\d+)?$/i.exec(ascii) ?? [];
  const whole = grouped?.replaceAll("\u066c", "");
  if (!whole && !fraction) return undefined;
  const before = (sign === "-" ? sign : "") + whole;
  return {
    plain: before + (fraction && `.${fraction}`) + exponent, ungrouped: before + fraction + exponent,
    isAmbiguous: mark === "," && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3,
  };
}

/** Has the text of a field that asks for a number, or for a list of them, read in its plain form. */
export const reading = ({kind, rules = []}) => /choice|boolean/.test(kind) || !rules.flatMap((rule) =>
  rule.rule === "items" ? rule.rules : rule).some(({rule}) => /^(number|integer)$/.test(rule)) ? {} : {plain(text) {
    const found = numeral(text);
    return found && !found.isAmbiguous ? found.plain : text;
  }};

/** Fields of numbers know a number as people write it. @param fields the views of dialog.js, before the first verdict */
export function adapt(fields) {
  for (const field of fields) if (/number|integer/.test(field.kind)) field.isNumeral = numeral;
}

/** What was read is shown by a part that comes with the first text that is more than digits. @param page what dialog.js gives its parts */
export function enhance(page) {
  let part;
  const look = () => {
    if (page.fields.some((field) => reading(field).plain && /[^\d\s-]/.test(field.read()))) {
      part ??= import("./dialog-numbers.js").then(({follow}) => follow(page)).catch(() => {});
    }
  };
  page.on("okcancel:change", look);
  look();
}

const families = {number, slider: number, integer, date, time, dateTime};

const isOf = (family) => () => (text) => family(text) !== undefined;

/** The same of numbers. A comma that could also group thousands gets a message of its own. */
const isNumber = (family) => (rule, {say}) => (text) => {
  if (family(text) !== undefined) return true;
  const {isAmbiguous, ungrouped, plain} = numeral(text) ?? {};
  const ways = isAmbiguous && say("grouped")?.replace("{whole}", ungrouped).replace("{decimal}", plain);
  return ways ? {...rule, message: ways} : false;
};

/** With a time zone, the browser rejects only what cannot be a date or time at all; the server decides the rest. */
const isOfIn = (family, suffix) => ({timeZone}) => timeZone ?
  (text) => family(text.replace(suffix, "")) === undefined ? false : undefined : isOf(family)();

/** The number that a program gets, never −0, or the text where a double would not be exact. */
const typed = (text) => Array.isArray(text) ? text.map(typed) : number(text) === number(String(+text)) ? +text + 0 : text;

/** Has a judge answer numbers as such. */
export function wrap(judge, {fields}) {
  const {answers} = judge;
  const areNumbers = new Map(fields.map(({name, kind, plain}) => [name, /number|integer|slider/.test(kind) || kind === "list" && plain]));
  judge.answers = (values) => Object.fromEntries(Object.entries(answers(values)).map(([name, value]) =>
    [name, areNumbers.get(name) && value !== null ? typed(value) : value]));
}

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  integer: isNumber(integer),
  number: isNumber(number),
  date: isOfIn(date, /\[[^[\]]*\]$/),
  time: isOf(time),
  dateTime: isOfIn(dateTime, /(Z|[+-]\d\d:\d\d)?(\[[^[\]]*\])?$/),

  range({min, max, timeZone}) {
    if (timeZone) return undefined;
    const bounds = [min, max].filter((bound) => bound !== undefined);
    const family = [number, date, time, dateTime].find((family) => bounds.every((bound) => family(bound) !== undefined));
    if (!family) return undefined;
    const low = min && family(min), high = max && family(max);
    return (text) => {
      const value = family(text);
      return value !== undefined && !(value < low) && !(value > high);
    };
  },
  step(rule) {
    const of = number(rule.of) ?? 0n, from = number(rule.from ?? "0");
    if (of <= 0n || from === undefined) return undefined;
    return (text) => {
      const value = number(text);
      return value !== undefined && (value - from) % of === 0n;
    };
  },
  compare(rule, {field, fields, read}) {
    const other = fields.get(rule.field), family = families[field.kind], otherFamily = families[other?.kind];
    const holds = {
      less: (a, b) => a < b, lessOrEqual: (a, b) => a <= b, greater: (a, b) => a > b, greaterOrEqual: (a, b) => a >= b,
    }[rule.is];
    if (!family || !otherFamily || !holds || rule.timeZone) return undefined;
    return (text, values) => {
      const value = family(text), bound = otherFamily(read(other, values));
      return value !== undefined && (bound === undefined || holds(value, bound));
    };
  },
};
