/**
 * One line of the generator's → one line of verdict, by Public/rules.js; runs in Node and in browsers alike.
 */
import {compile} from "../../Public/rules.js";

const trimmed = ["email", "url", "tel", "number", "integer", "date", "time", "dateTime", "list"];

/** The corpus leaves out what has its default; what is served says it. */
export const withDefaults = (fields) => fields.map((field) => ({trim: trimmed.includes(field.kind), ...field}));

/** What the server says of a text that has other characters than it may, or too many; it serves this beside the rules. */
const messages = {
  text: "Remove the control characters from this text",
  line: "Write this on one line",
  boolean: "Answer true or false",
  grouped: "Enter {whole} or {decimal}; with a comma it could be either",
  readAs: "Read as {number}",
  width: "Use half-width characters",
  notBlank: "Enter something other than spaces",
  nonEmpty: "Enter a value",
  noOptionTwice: "Choose each option only once",
  onLine: "Line {line}: {sentence}",
  tooLong: {one: "Shorten this by {n} character", other: "Shorten this by {n} characters"},
  tooLongTogether: {one: "Shorten your answers by {n} character in total", other: "Shorten your answers by {n} characters in total"},
};

/**
 * @param {string} line {"fields","field","values"}, or the rules JSON itself as "rules" in place of "fields"
 * @returns {string} {"isValid":true}, with "applies":false if the field does not apply, {"isValid":false,"rule":…,"message":…}, or {"isValid":false,"pending":true} with, if that is
 *   because this engine does not compile a pattern, "uncompiled" and the pattern
 */
export function verdictLine(line) {
  const {field, values, rules, fields = rules.fields} = JSON.parse(line);
  const judge = compile(rules ?? {fields: withDefaults(fields), messages});
  const {isValid, applies, rule, message, pending} = judge.field(field, values);
  return JSON.stringify({isValid, applies, rule, message, pending, uncompiled: pending && uncompiled(fields)});
}

/** The first pattern that does not compile. */
function uncompiled(fields) {
  const rules = fields.flatMap(({rules = [], allow = [], when = []}) => [...rules, ...allow, ...when.flatMap(({rules}) => rules)])
    .flatMap(flattened);
  return rules.find(({pattern, ignoreCase}) => pattern !== undefined && !compiles(pattern, ignoreCase))?.pattern;
}

const flattened = (rule) => [rule, ...(rule.rules ?? []).flatMap(flattened)];

function compiles(pattern, ignoreCase) {
  try {
    return Boolean(new RegExp(`^(?:${pattern})$`, ignoreCase ? "iu" : "u"));
  } catch {
    return false;
  }
}
