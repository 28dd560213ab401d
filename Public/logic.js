/** Rules on lengths, counts, options and two fields, rules made of other rules, and the limit on all texts of an answer. */

// Their limit in bytes of UTF-8.
const limit = 64 * 1024;

/** The names of the fields that the rules of a field look at, however deep in other rules. */
function reads({rules, allow}) {
  const names = [];
  JSON.stringify([rules, allow], (key, value) => {
    if (/^fields?$/.test(key)) names.push(value);
    return value;
  });
  return names.flat();
}

/** Has a judge know which fields look at which, and when all texts together are too long. */
export function wrap(judge, {fields}, parts, {isIllFormed, read, surplus}) {
  const named = fields.map((field) => [field.name, reads(field)]);
  const readers = new Map(named.map(([name]) => [name, named.filter(([, names]) => names.includes(name)).map(([other]) => other)]));
  judge.dependents = (name) => readers.get(name);
  const utf8 = new TextEncoder();
  judge.overflow = (values) => {
    // An upper bound: `read` never makes a text longer, and a missing text has at most the five bytes of `false`.
    let sent = 5 * fields.length, all = "", bytes = 0, name;
    for (const text of Object.values(values)) sent += `${text}`.length;
    if (3 * sent <= limit) return undefined;
    for (const field of fields) {
      const texts = [].concat(read(field, values));
      if (texts.some(isIllFormed)) continue;
      all += texts.join("");
      bytes += utf8.encode(texts.join("")).length;
      if (bytes > limit) name ??= field.name;
    }
    return name && {name, count: surplus(all, limit)};
  };
}

const within = (count, {min = 0, max = Infinity}) => count >= min && count <= max;

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  predicate: ({name}) => name !== "integer" ? undefined : (text) =>
    /^[+-]?0*\d{1,19}$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text)),

  // The rule `text` has ruled out lone surrogates, so leaving out the high ones counts each pair as one character.
  length: (rule) => (text) => within(text.replace(/[\ud800-\udbff]/g, "").length, rule),
  count: (rule) => (chosen) => within(chosen.length, rule) && (!rule.unique || new Set(chosen).size === chosen.length),
  // If more are chosen than there are, some are chosen twice.
  oneOf: (rule, {field, say}) => (value) => [].concat(value).every((text) => rule.values.includes(text)) &&
    (field?.kind !== "choices" || value.length <= rule.values.length || {...rule, message: say?.("noOptionTwice") ?? rule.message}),

  sameAs(rule, {fields, read}) {
    const other = fields.get(rule.field);
    return other && ((text, values) => text === read(other, values));
  },

  all({rules}, context) {
    const tests = context.compileRules(rules, context);
    return (value, values) => context.firstUnmet(tests, value, values);
  },
  any({rules}, context) {
    const tests = context.compileRules(rules, context);
    return (value, values) => {
      const findings = tests.map((test) => test(value, values));
      return findings.includes(true) || (findings.includes(undefined) ? undefined : false);
    };
  },
  not({rules}, context) {
    const tests = context.compileRules(rules, context);
    return (value, values) => {
      const finding = context.firstUnmet(tests, value, values);
      return finding && finding !== true;
    };
  },
};
