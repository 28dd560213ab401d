/**
 * One line of the generator's → one line of verdict, by Public/rules.js; runs in Node and in browsers alike.
 */
import {compile} from "../../Public/rules.js";

/** @param {string} line {"fields","field","values"} @returns {string} {"isValid":true}, {"isValid":false,"rule":…} or {"isValid":false,"pending":true} */
export function verdictLine(line) {
  const {fields, field, values} = JSON.parse(line);
  const {isValid, rule, pending} = compile({fields}).field(field, values);
  return JSON.stringify({isValid, rule, pending});
}
