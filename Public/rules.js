/** The judge with every rule, for pages of other sites and for tests; a dialog loads only the parts that it needs. */
import * as blanks from "./blanks.js";
import * as conditions from "./conditions.js";
import * as formats from "./formats.js";
import * as hosts from "./hosts.js";
import {compile as compileParts} from "./judge.js";
import * as lists from "./lists.js";
import * as logic from "./logic.js";
import * as places from "./places.js";
import * as quantities from "./quantities.js";

/** Compiles the rules JSON into a judge; see judge.js. */
export function compile(rules) {
  const judge = compileParts(rules, blanks, quantities, logic, hosts, formats, lists, conditions, places);
  return Object.assign(judge, {
    /**
     * The verdicts on all fields that apply. message: the first failing field's; pending: no field fails, the server
     * decides one.
     * @param {import("./judge.js").Values} values
     */
    all(values) {
      const judged = rules.fields.map(({name}) => [name, judge.field(name, values)]).filter(([, {applies}]) => applies ?? true);
      const fields = Object.fromEntries(judged), verdicts = Object.values(fields);
      const failed = verdicts.find(({isValid, pending}) => !isValid && !pending);
      if (failed) return {isValid: false, message: failed.message, fields};
      return verdicts.every(({isValid}) => isValid) ? {isValid: true, fields} : {isValid: false, pending: true, fields};
    },
  });
}
