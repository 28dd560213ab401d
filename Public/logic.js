/** What judges more than one text: rules on chosen options, rules made of rules, and all texts together. */

// Their limit in bytes of UTF-8.
const limit = 64 * 1024;

/** Has a judge know when all texts together are too long. */
export function wrap(judge, {fields}, parts, {isIllFormed, read, surplus}) {
  const utf8 = new TextEncoder();
  judge.overflow = (values) => {
    // Read, no text grows; one that is not there has at most the five bytes of `false`.
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

/** Rules as judge.js has them. */
export const factories = {
  __proto__: null,

  predicate: ({name}) => name !== "integer" ? undefined : (text) =>
    /^[+-]?0*\d{1,19}$/.test(text) && BigInt(text) === BigInt.asIntN(64, BigInt(text)),

  count: (rule, {within}) => (chosen) => within(chosen.length, rule) && (!rule.unique || new Set(chosen).size === chosen.length),
  oneOf: ({values}) => (value) => [].concat(value).every((text) => values.includes(text)),

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
