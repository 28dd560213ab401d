/**
 * One line of the generator's → one line of verdict, by Public/rules.js; runs in Node and in browsers alike.
 */
import {compile} from "../../Public/rules.js";

const trimmed = ["email", "url", "tel", "number", "integer", "date", "time", "dateTime"];

/** The corpus leaves out what has its default; what is served says it. */
export const withDefaults = (fields) => fields.map((field) => ({trim: trimmed.includes(field.kind), ...field}));

/**
 * @param {string} line {"fields","field","values"}
 * @returns {string} {"isValid":true}, {"isValid":false,"rule":…}, or {"isValid":false,"pending":true} with, if that is
 *   because this engine does not compile a pattern, "uncompiled" and the pattern
 */
export function verdictLine(line) {
  const {fields, field, values} = JSON.parse(line);
  const {isValid, rule, pending} = compile({fields: withDefaults(fields)}).field(field, values);
  return JSON.stringify({isValid, rule, pending, uncompiled: pending && uncompiled(fields)});
}

/** The first pattern that does not compile. */
function uncompiled(fields) {
  const rules = fields.flatMap(({rules = [], allow = []}) => [...rules, ...allow]).flatMap(flattened);
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
