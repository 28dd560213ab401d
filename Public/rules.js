/**
 * The verdicts: judges texts by the rules JSON as served. Pure: no DOM, no I/O, no sentence of its own.
 *
 * @typedef {{[field: string]: string | string[] | undefined}} Values  a list: the chosen of kind `choices`
 * @typedef {{isValid: boolean, rule?: string, message?: string, pending?: boolean}} Verdict  pending: the server decides
 */

// The limits of the rule `text`, in bytes of UTF-8: of one text, and of all together.
const limit = 16 * 1024, limitTogether = 64 * 1024;

const utf8 = new TextEncoder();

/** How many characters at the end of a text are beyond so many bytes. */
function surplus(text, limit) {
  if (3 * text.length <= limit) return 0;
  return [...text.slice(utf8.encodeInto(text, new Uint8Array(limit)).read)].length;
}

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

const ranges = (text) => text.split(" ").map((range) => range.split("-").map((point) => parseInt(point, 16)));
const isIn = (ranges, point) => ranges.some(([low, high = low]) => low <= point && point <= high);

// What no parser takes in a host's name (Unicode TS 46), as far as that does not change with Unicode's versions: controls,
// private use, what shrinks to nothing, and what reads as punctuation, a digit or a space of ASCII.
const notInHosts = ranges("0-2c 2e-2f 3a-40 5b-5e 60 7b-a0 a8 ad af b2-b4 b8-b9 2d8-2dd 34f 37a 384-385 61c 6dd 70f 115f-1160 1680 17b4-17b5 180b-180f 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-1ffe 2000-200b 200e-200f 2017 2024-202f 203e 2047-2049 205f-2079 2080-2089 2100-2101 2105-2106 2460-249b 24ea 2a74 2ff0-3000 3002 309b-309c 3164 33c2 33c7 33d8 d800-f8ff fc5e-fc63 fdd0-fdef fdfa-fdfb fe00-fe0e fe10-fe1f fe30 fe47-fe4c fe50-fe7f feff-ff20 ff3b-ff40 ff5b-ff65 ffa0 ffe3 fff0-ffff 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a 1d7ce-1d7ff 1f100-1f10a 1fbf0-1fbf9 1fffe-1ffff 2fffe-2ffff 3fffe-10ffff");
// Accents, joiners and Arabic digits come behind something else, and joiners behind letters of scripts that join.
const notFirst = ranges("300-36f 660-669 200c-200d 20d0-20ff fe0f fe20-fe2f"), joiners = ranges("200c-200d"), joined = ranges("600-1cff");
// A label that runs from right to left begins with a letter that does, and holds none that does not (RFC 5893, section 2).
const rightToLeft = ranges("590-6ef 6fa-8ff fb1d-fdff fe70-fefc 10800-10fff 1e800-1efff");
const eitherWay = ranges("2d 30-39 300-36f 6f0-6f9 200c-200d");

function isHostLabel(label) {
  const spelled = /^xn--/i.test(label) ? punycode(label.slice(4)) : label;
  const points = [...spelled ?? ""].map((character) => character.codePointAt(0));
  const isRightToLeft = points.some((point) => isIn(rightToLeft, point));
  return points.length > 0 && [...label].length <= 63 && !/^-|-$/.test(spelled) && !isIn(notFirst, points[0]) &&
    points.every((point, index) => !isIn(notInHosts, point) && (!isIn(joiners, point) || isIn(joined, points[index - 1])) &&
      (!isRightToLeft || isIn(rightToLeft, point) || index > 0 && isIn(eitherWay, point)));
}

/** What a label stands for behind its `xn--` (RFC 3492); undefined: nothing, or ASCII alone. */
function punycode(text) {
  const [, plain, digits] = /^(?:([\w-]*)-)?([a-z\d]+)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const points = [...plain ?? ""];
  let point = 128, place = 0, bias = 72, position = 0;
  while (position < digits.length) {
    const before = place;
    for (let weight = 1, step = 36; ; step += 36) {
      if (position === digits.length || place > 0x7fffffff) return undefined;
      const digit = (parseInt(digits[position++], 36) + 26) % 36;
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = points.length + 1;
    let delta = Math.floor((place - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor(36 * delta / (delta + 38));
    point += Math.floor(place / count);
    if (point > 0x10ffff || point >= 0xd800 && point < 0xe000) return undefined;
    place %= count;
    points.splice(place++, 0, String.fromCodePoint(point));
  }
  return points.join("");
}

// HTML, 4.10.5.1.5 E-mail state; an international one may also have what a host has.
const isEmailLabel = (label, international) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label) ||
  international === true && !label.includes("_") && isHostLabel(label);

function isDomain(host) {
  const labels = host.replace(/[.\u3002\uff0e\uff61]$/, "").split(/[.\u3002\uff0e\uff61]/);
  return [...labels.join(".")].length <= 253 && !/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1)) && labels.every(isHostLabel);
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

  email: ({international}) => (text) => {
    const [, domain] = /^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@([^]*)$/.exec(text) ?? [];
    return domain !== undefined && domain.split(".").every((label) => isEmailLabel(label, international));
  },
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

/** Whether it holds half a surrogate pair. */
const isIllFormed = (text) => /[\ud800-\udbff](?![\udc00-\udfff])|(^|[^\ud800-\udbff])[\udc00-\udfff]/.test(text);

/** The implicit rule `text` on a text that is one: the key of its sentence, and by how many characters it is too long. */
function fault(kind, text) {
  if (kind === "boolean") return text === "true" || text === "false" ? undefined : ["boolean"];
  if (/[\0-\x08\x0b-\x1f]/.test(text)) return ["text"];
  if (kind !== "multiline" && text.includes("\n")) return ["line"];
  const count = surplus(text, limit);
  return count > 0 ? ["tooLong", count] : undefined;
}

/** Compiles the rules JSON into a judge; a rule unknown here, or a pattern that does not compile, is the server's. */
export function compile({fields: list, messages = {}}) {
  const fields = new Map(list.map((field) => [field.name, field]));
  const compiled = new Map(list.map((field) => {
    const context = {field, fields, reads: new Set()};
    const rules = compileRules(field.rules, context), allow = compileRules(field.allow, context);
    return [field.name, {field, rules, allow, both: [...rules, ...allow], reads: context.reads}];
  }));

  /** What the rule `text` says of one field. */
  function textFault(field, value, values) {
    const texts = [].concat(value);
    if (texts.some(isIllFormed)) return ["text"];
    for (const text of texts) {
      const found = fault(field.kind, text);
      if (found) return found;
    }
    const over = judge.overflow(values);
    return over?.name === field.name ? ["tooLongTogether", over.count] : undefined;
  }

  const judge = {
    /** @type {(name: string, values: Values) => Verdict} */
    field(name, values) {
      const {field, rules, both} = compiled.get(name);
      const value = read(field, values);
      const [sentence, count] = textFault(field, value, values) ?? [];
      if (sentence) {
        const message = count === 1 ? messages[`${sentence}ByOne`] : messages[sentence]?.replace("{n}", count);
        return {isValid: false, rule: "text", message};
      }
      if (field.optional && !value.length) return {isValid: true};
      const finding = firstUnmet(value.length ? both : rules, value, values);
      if (finding === true) return {isValid: true};
      return finding ? {isValid: false, rule: finding.rule, message: finding.message} : {isValid: false, pending: true};
    },

    /**
     * The field with which all texts together are too long, and by how many characters; undefined: they are not.
     * @type {(values: Values) => {name: string, count: number} | undefined}
     */
    overflow(values) {
      // Read, no text grows; one that is not there has at most the five bytes of `false`.
      const sent = Object.values(values).flat().reduce((sum, text) => sum + (text?.length ?? 0), 5 * list.length);
      if (3 * sent <= limitTogether) return undefined;
      let all = "", bytes = 0, name;
      for (const field of list) {
        const texts = [].concat(read(field, values));
        if (texts.some(isIllFormed)) continue;
        all += texts.join("");
        bytes += utf8.encode(texts.join("")).length;
        if (bytes > limitTogether) name ??= field.name;
      }
      return name && {name, count: surplus(all, limitTogether)};
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
