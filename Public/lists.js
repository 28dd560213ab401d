/** The kind `list`: one item a line, with rules for each. Pure, as judge.js. */

import {isBlank} from "./blanks.js";

/** The lines of a list's text; of a program's list, its items. */
const linesOf = (value) => Array.isArray(value) ? value : (value ?? "").split(/\r\n?|\n/);

/** Reads a list: without its blank lines, if it is a text. */
export const reading = ({kind}) => kind !== "list" ? {} : {
  split: (value, clean) => linesOf(value).map(clean).filter((line) => Array.isArray(value) || !isBlank(line)),
};

/** In a list of numbers, what rounds to one double is the same to most programs. */
const numberOf = (text) => /^[\d.e+-]+$/i.test(text) && /\d/.test(text) ? +text : text;

/** A rule that a list's item fails, with a message that names the item's line. */
function onLine(rule, index, values, {field: {name}, say}) {
  const lines = linesOf(values[name]), numbers = [...lines.keys()].filter((at) => Array.isArray(values[name]) || !isBlank(lines[at]));
  const message = say("onLine")?.replace("{line}", numbers[index] + 1).replace("{sentence}", () => rule.message);
  return {...rule, message: message ?? rule.message};
}

/** Rules as judge.js has them; this `count` replaces that of logic.js. */
export const factories = {
  __proto__: null,

  count: (rule, context) => (chosen, values) => {
    const {min = 0, max = Infinity, unique} = rule, {split, plain} = context.field;
    if (chosen.length < min || chosen.length > max) return false;
    const known = new Set(), double = unique ? chosen.map(split && plain ? numberOf : (text) => text)
      .findIndex((item) => known.size === known.add(item).size) : -1;
    return double < 0 || (split ? onLine(rule, double, values, context) : false);
  },

  items({rules}, context) {
    const tests = context.compileRules(rules, context);
    return (items, values) => {
      for (const [index, item] of items.entries()) {
        const finding = context.firstUnmet(tests, item, values);
        if (finding === true) continue;
        return finding?.message ? onLine(finding, index, values, context) : finding;
      }
      return true;
    };
  },
};
