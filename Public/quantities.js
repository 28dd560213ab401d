/** Numbers, dates and times: the rules that read a text as one of them. */

// Numbers are read as whole multiples of 1e-342 (34 digits, exponent -308), dates and times as strings of one width,
// so that `<` orders each family exactly; other texts as undefined.

// Cached powers of ten: computing one costs more than the rest of a verdict.
const powers = [];

function number(text) {
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

const families = {number, slider: number, integer, date, time, dateTime};

const isOf = (family) => () => (text) => family(text) !== undefined;

/** With a time zone, the browser rejects only what cannot be a date or time at all; the server decides the rest. */
const isOfIn = (family, suffix) => ({timeZone}) => timeZone ?
  (text) => family(text.replace(suffix, "")) === undefined ? false : undefined : isOf(family)();

/** The number that a program gets, or the text where a double would not be exact. */
const typed = (text) => number(text) === number(String(+text)) ? +text : text;

/** Has a judge answer numbers as such. */
export function wrap(judge, {fields}) {
  const {answers} = judge;
  const isNumber = new Map(fields.map(({name, kind}) => [name, /number|integer|slider/.test(kind)]));
  judge.answers = (values) => Object.fromEntries(Object.entries(answers(values)).map(([name, value]) =>
    [name, isNumber.get(name) && value !== null ? typed(value) : value]));
}

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  integer: isOf(integer),
  number: isOf(number),
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
