/**
 * The verdicts: judges texts by the rules JSON as served. Pure: no DOM, no I/O, no sentence of its own.
 *
 * @typedef {{[field: string]: string | string[] | undefined}} Values  a list: the chosen of kind `choices`
 * @typedef {{isValid: boolean, rule?: string, message?: string, pending?: boolean}} Verdict  pending: the server decides
 */

// Numbers are read as whole multiples of 1e-342 (34 digits, exponent -308), dates and times as strings of one width,
// so that `<` orders each family exactly; other texts as undefined.

const powers = []; // of ten, kept: a power costs more than the rest of a verdict

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

const within = (count, {min = 0, max = Infinity}) => count >= min && count <= max;

const isIPv4 = (host) => /^(\d+\.){3}\d+$/.test(host) && host.split(".").every((part) => part === String(+part & 255));

function isIPv6(host) {
  const tail = host.slice(host.lastIndexOf(":") + 1);
  if (tail.includes(".")) {
    if (!isIPv4(tail)) return false;
    host = host.slice(0, -tail.length) + "0:0";
  }
  const halves = host.split("::");
  const groups = halves.flatMap((half) => half ? half.split(":") : []);
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8);
}

function isDomain(host) {
  const labels = host.replace(/\.$/, "").split(".");
  return [...labels.join(".")].length <= 253 && !/(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host) &&
    labels.every((label) => /^[\w\xa1-\uffff]([\w\xa1-\uffff-]*[\w\xa1-\uffff])?$/.test(label) && [...label].length <= 63);
}

function isURL(text) {
  const [all, ipv6, host, port = 0] = /^https?:\/\/(?:\[(.*?)\]|([^\s/?#:[]+))(?::(\d{1,5}))?(?![^/?#])/i.exec(text) ?? [];
  return all !== undefined && +port < 65536 && (host ? isIPv4(host) || isDomain(host) : isIPv6(ipv6)) &&
    !/[\0- "<>\\`\x7f-\x9f\ufdd0-\ufdef]|%(?![\da-f]{2})|#[^]*#/i.test(text) &&
    ![...text].some((character) => (character.codePointAt(0) & 0xfffe) === 0xfffe);
}

// WebKit 2.50 takes some pairs of code points above U+F800 for one, slips on others beyond U+FFFF, and folds case wrongly.
const isMisreading = /^.$/u.test("\uf900\uff21") || !/[j-l]/iu.test("\u212a");

/**
 * Every rule: its name → (its arguments, context) → (text, values) → finding.
 * A finding is true (met), false or the nested rule that failed, or undefined, as is a missing test: the server decides.
 */
const factories = {
  __proto__: null,

  none: () => () => true,
  nonEmpty: () => (value) => value.length > 0,
  notBlank: () => (text) => /\S/.test(text),
  // Lone surrogates failed before: each high one left stands for a pair.
  length: (rule) => (text) => within(text.replace(/[\ud800-\udbff]/g, "").length, rule),
  count: (rule) => (chosen) => within(chosen.length, rule),
  pattern({pattern, ignoreCase}) {
    try {
      const whole = new RegExp(`^(?:${pattern})$`, ignoreCase ? "iu" : "u");
      const doubtful = ignoreCase ? /[^\0-\x7f]|\\[ux]/ : /[\ud800-\uffff]/;
      return (text) => isMisreading && doubtful.test(pattern + text) ? undefined : whole.test(text);
    } catch {
      return undefined;
    }
  },
  predicate: ({name}) => name !== "integer" ? undefined : (text) =>
    /^[+-]?0*\d{1,19}$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text)),

  // HTML, 4.10.5.1.5 E-mail state.
  email: () => (text) =>
    /^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/.test(text),
  url: () => isURL,
  integer: isOf(integer),
  number: isOf(number),
  date: isOf(date),
  time: isOf(time),
  dateTime: isOf(dateTime),

  range({min, max}) {
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
  oneOf: ({values}) => (value) => [].concat(value).every((text) => values.includes(text)),

  sameAs(rule, {fields}) {
    const other = fields.get(rule.field);
    return other && ((text, values) => text === read(other, values));
  },
  compare(rule, {field, fields}) {
    const other = fields.get(rule.field), family = families[field.kind], otherFamily = families[other?.kind];
    const holds = {
      less: (a, b) => a < b, lessOrEqual: (a, b) => a <= b, greater: (a, b) => a > b, greaterOrEqual: (a, b) => a >= b,
    }[rule.is];
    if (!family || !otherFamily || !holds) return undefined;
    return (text, values) => {
      const value = family(text), bound = otherFamily(read(other, values));
      return value !== undefined && (bound === undefined || holds(value, bound));
    };
  },

  all({rules}, context) {
    const tests = compileRules(rules, context);
    return (value, values) => firstUnmet(tests, value, values);
  },
  any({rules}, context) {
    const tests = compileRules(rules, context);
    return (value, values) => {
      const findings = tests.map((test) => test(value, values));
      return findings.includes(true) || (findings.includes(undefined) ? undefined : false);
    };
  },
  not({rules}, context) {
    const tests = compileRules(rules, context);
    return (value, values) => {
      const finding = firstUnmet(tests, value, values);
      return finding && finding !== true;
    };
  },
};

// From here on false has become the rule itself.
const compileRules = (rules = [], context) => rules.map((rule) => {
  if (rule.field) context.reads.add(rule.field);
  const test = factories[rule.rule]?.(rule, context);
  if (!test || rule.decidedBy === "server") return () => undefined;
  return (value, values) => {
    const finding = test(value, values);
    return finding === false ? rule : finding;
  };
});

function firstUnmet(tests, value, values) {
  for (const test of tests) {
    const finding = test(value, values);
    if (finding !== true) return finding;
  }
  return true;
}

function read({name, kind, trim}, values) {
  const clean = (text) => {
    const lines = text.replace(/\r\n?/g, "\n");
    return trim ? lines.trim() : lines;
  };
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return kind === "choices" ? [].concat(value ?? []).map(clean) : clean(value ?? (kind === "boolean" ? "false" : ""));
}

/** The implicit rule `text`: the key of its sentence, or undefined. */
function fault(kind, text) {
  if (/[\0-\x08\x0b-\x1f]|[\ud800-\udbff](?![\udc00-\udfff])|(^|[^\ud800-\udbff])[\udc00-\udfff]/.test(text)) return "text";
  if (kind !== "multiline" && text.includes("\n")) return "line";
  if (kind === "boolean" && text !== "true" && text !== "false") return "boolean";
}

/** Compiles the rules JSON into a judge; a rule unknown here, or a pattern that does not compile, is the server's. */
export function compile({fields: list, messages = {}}) {
  const fields = new Map(list.map((field) => [field.name, field]));
  const compiled = new Map(list.map((field) => {
    const context = {field, fields, reads: new Set()};
    const rules = compileRules(field.rules, context), allow = compileRules(field.allow, context);
    return [field.name, {field, rules, allow, both: [...rules, ...allow], reads: context.reads}];
  }));

  const judge = {
    /** @type {(name: string, values: Values) => Verdict} */
    field(name, values) {
      const {field, rules, both} = compiled.get(name);
      const value = read(field, values);
      for (const text of [].concat(value)) {
        const sentence = fault(field.kind, text);
        if (sentence) return {isValid: false, rule: "text", message: messages[sentence]};
      }
      if (field.optional && !value.length) return {isValid: true};
      const finding = firstUnmet(value.length ? both : rules, value, values);
      if (finding === true) return {isValid: true};
      return finding ? {isValid: false, rule: finding.rule, message: finding.message} : {isValid: false, pending: true};
    },

    /** message: the first failing field's; pending: no field fails, the server decides one. @param {Values} values */
    all(values) {
      const verdicts = list.map(({name}) => judge.field(name, values));
      const fields = Object.fromEntries(list.map(({name}, index) => [name, verdicts[index]]));
      const failed = verdicts.find(({isValid, pending}) => !isValid && !pending);
      if (failed) return {isValid: false, message: failed.message, fields};
      return verdicts.every(({isValid}) => isValid) ? {isValid: true, fields} : {isValid: false, pending: true, fields};
    },

    /** What a valid text answers, typed as in JSON. @type {(name: string, values: Values) => unknown} */
    answer(name, values) {
      const {field} = compiled.get(name), {kind} = field, value = read(field, values);
      if (field.optional && !value.length) return null;
      if (kind === "boolean") return value === "true";
      return /number|integer|slider/.test(kind) && number(value) === number(String(+value)) ? +value : value;
    },

    /** Whether the editing filter lets the text be; what the server decides does. @type {(name: string, text: string) => boolean} */
    allows(name, text) {
      const {field, allow} = compiled.get(name);
      const values = {[name]: text}, value = read(field, values);
      return !value.length || allow.every((test) => [true, undefined].includes(test(value, values)));
    },

    /** The fields whose verdicts read this one. @type {(name: string) => string[]} */
    dependents: (name) => [...compiled].filter(([, {reads}]) => reads.has(name)).map(([other]) => other),
  };
  return judge;
}
