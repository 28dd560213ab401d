/**
 * Judges texts by the rules JSON as served. Pure: no DOM, no I/O, no sentence of its own.
 *
 * @typedef {{[field: string]: string | string[] | undefined}} Values  a list: the chosen of kind `choices`, or the items of a `list`
 * @typedef {{isValid: boolean, rule?: string, message?: string, pending?: boolean}} Verdict  pending: the server decides
 */

// The limit of the rule `text`, in bytes of UTF-8.
const limit = 16 * 1024;

/** The number of characters at the end of a text that exceed a limit in bytes. */
function surplus(text, limit) {
  if (3 * text.length <= limit) return 0;
  return [...text.slice(new TextEncoder().encodeInto(text, new Uint8Array(limit)).read)].length;
}

/** HTML, 4.10.5.1.5 E-mail state, with these labels in its domain besides those of ASCII. */
function isEmail(text, isLabel = () => false) {
  const [, domain] = /^[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@([^]*)$/.exec(text) ?? [];
  return domain !== undefined &&
    domain.split(".").every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label) || isLabel(label));
}

// WebKit 2.50 takes some pairs of code points above U+F800 for one, slips on others beyond U+FFFF, and folds case wrongly.
const isMisreading = /^.$/u.test("\uf900\uff21") || !/[j-l]/iu.test("\u212a");

/**
 * The rules of most texts: name → (arguments, context) → (text, values) → finding.
 * A finding is true (met), false or the nested rule that failed, or undefined: the server decides, as for a missing test.
 */
const factories = {
  __proto__: null,

  none: () => () => true,
  nonEmpty: () => (value) => value.length > 0,
  pattern({pattern, ignoreCase}) {
    try {
      const whole = new RegExp(`^(?:${pattern})$`, ignoreCase ? "iu" : "u");
      const doubtful = ignoreCase ? /[^\0-\x7f]|\\[ux]/ : /[\ud800-\uffff]/;
      return (text) => isMisreading && doubtful.test(pattern + text) ? undefined : whole.test(text);
    } catch {
      return undefined;
    }
  },
  email: ({international}) => international === true ? undefined : (text) => isEmail(text),
};

/** A rule that fails. If it asks for ASCII, as patterns of telephone numbers do, and the text has full-width characters, its message says so. */
const failed = (rule, text, {field, say}) =>
  /(email|url|date|[tT]ime|telpattern)$/.test((field?.kind === "tel" ? "tel" : "") + rule.rule) && /[\uff01-\uff5e]/.test(text) ?
  {...rule, message: say?.("width") ?? rule.message} : rule;

// A compiled test returns the rule itself instead of false.
const compileRules = (rules = [], context) => rules.map((rule) => {
  const test = context.factories[rule.rule]?.(rule, context);
  if (!test || rule.decidedBy === "server" && !rule.timeZone) return () => undefined;
  return (value, values) => {
    const finding = test(value, values);
    return finding === false ? failed(rule, value, context) : finding;
  };
});

function firstUnmet(tests, value, values) {
  for (const test of tests) {
    const finding = test(value, values);
    if (finding !== true) return finding;
  }
  return true;
}

/** The content of a field, as rules judge it. */
function read({name, kind, trim, split, plain = (text) => text}, values) {
  const clean = (text) => {
    const lines = text.replace(/\r\n?/g, "\n");
    return plain(trim ? lines.trim() : lines);
  };
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return split ? split(value, clean) : kind === "choices" ? [].concat(value ?? []).map(clean) : clean(value ?? (kind === "boolean" ? "false" : ""));
}

/** True if a text contains half a surrogate pair. */
const isIllFormed = (text) => /[\ud800-\udbff](?![\udc00-\udfff])|(^|[^\ud800-\udbff])[\udc00-\udfff]/.test(text);

/** Checks a well-formed text by the implicit rule `text`. @returns the key of the message, and the excess characters */
function fault(kind, text) {
  if (kind === "boolean") return text === "true" || text === "false" ? undefined : ["boolean"];
  if (/[\0-\x08\x0b-\x1f]/.test(text)) return ["text"];
  if (kind !== "multiline" && text.includes("\n")) return ["line"];
  const count = surplus(text, limit);
  return count > 0 ? ["tooLong", count] : undefined;
}

/** The functions that other parts of the judge use. */
const tools = {compile, compileRules, firstUnmet, isEmail, isIllFormed, read, surplus};

/**
 * Compiles the rules JSON into a judge; a rule unknown here, or a pattern that does not compile, is the server's.
 * @param parts the modules quantities.js, logic.js, hosts.js, formats.js, lists.js and conditions.js, as far as the rules need them
 */
export function compile(served, ...parts) {
  const {messages = {}, language} = served;
  const known = Object.assign({__proto__: null}, factories, ...parts.map((part) => part.factories));
  // `plain` reads a number as people write it, of a field that asks for one; `split` the items of a list.
  const list = served.fields.map((field) => Object.assign({}, ...parts.map((part) => part.reading?.(field)), field));
  const fields = new Map(list.map((field) => [field.name, field]));
  const compiled = new Map(list.map((field) => {
    const context = {field, fields, factories: known, say: (key) => judge.say(key), ...tools};
    const rules = compileRules(field.rules, context), allow = compileRules(field.allow, context);
    return [field.name, {field, rules, allow, both: [...rules, ...allow]}];
  }));

  /** Checks one field by the rule `text`. */
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
    /** A message of the rules JSON; if it has plural forms, the one for this number in the language of the rules. */
    say(key, count) {
      const forms = messages[key];
      return count ? (forms?.[new Intl.PluralRules(language).select(count)] ?? forms?.other)?.replace("{n}", count) : forms;
    },

    /** @type {(name: string, values: Values) => Verdict} */
    field(name, values) {
      const {field, rules, both} = compiled.get(name);
      const value = read(field, values);
      const found = textFault(field, value, values);
      if (found) return {isValid: false, rule: "text", message: judge.say(...found)};
      if (field.optional && !value.length) return {isValid: true};
      const finding = firstUnmet(value.length ? both : rules, value, values);
      if (finding === true) return {isValid: true};
      return finding ? {isValid: false, rule: finding.rule, message: finding.message} : {isValid: false, pending: true};
    },

    /**
     * The field at which all texts together become too long, and by how many characters; undefined if they are not too
     * long. A single text never is; if there are more, the page also has logic.js, which replaces this function.
     * @type {(values: Values) => {name: string, count: number} | undefined}
     */
    overflow() {},

    /** The answers that valid texts give, typed as in JSON. @type {(values: Values) => {[field: string]: unknown}} */
    answers: (values) => Object.fromEntries(list.map((field) => {
      const {name, kind} = field, value = read(field, values);
      if (field.optional && !value.length) return [name, null];
      return [name, kind === "boolean" ? value === "true" : value];
    })),

    /** True if the editing filter allows the text; what the server decides counts as allowed. @type {(name: string, text: string) => boolean} */
    allows(name, text) {
      const {field, allow} = compiled.get(name);
      if (!allow.length) return true;
      const values = {[name]: text}, value = read(field, values);
      return !value.length || allow.every((test) => (test(value, values) ?? true) === true);
    },

    /** The fields whose verdicts read this one; logic.js knows them. @type {(name: string) => string[]} */
    dependents: () => [],
  };
  for (const {wrap} of parts) wrap?.(judge, {...served, fields: list}, parts, tools);
  return judge;
}
