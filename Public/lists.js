/** The kind `list`: one item a line, with rules for each. Pure, as judge.js. */

/** The lines of a list's text; of a program's list, its items. */
const linesOf = (value) => Array.isArray(value) ? value : (value ?? "").split(/\r\n?|\n/);
const isBlank = (line) => !/\S/.test(line);

/** Reads a list: without its blank lines, if it is a text. */
export const reading = ({kind}) => kind !== "list" ? {} : {
  split: (value, clean) => linesOf(value).map(clean).filter((line) => Array.isArray(value) || !isBlank(line)),
};

/** In a list of numbers, what rounds to one double is the same to most programs. */
const numberOf = (text) => /^[\d.e+-]+$/i.test(text) && /\d/.test(text) ? +text : text;

/** Rules as judge.js has them; this `count` replaces that of logic.js. */
export const factories = {
  __proto__: null,

  count: ({min = 0, max = Infinity, unique}, {field}) => (chosen) => chosen.length >= min && chosen.length <= max &&
    (!unique || new Set(field.split && field.plain ? chosen.map(numberOf) : chosen).size === chosen.length),

  items({rules}, context) {
    const {name} = context.field, tests = context.compileRules(rules, context);
    return (items, values) => {
      for (const [index, item] of items.entries()) {
        const finding = context.firstUnmet(tests, item, values);
        if (finding === true) continue;
        if (!finding?.message) return finding;
        const lines = linesOf(values[name]), numbers = [...lines.keys()].filter((at) => Array.isArray(values[name]) || !isBlank(lines[at]));
        const message = context.say("onLine")?.replace("{line}", numbers[index] + 1).replace("{sentence}", () => finding.message);
        return {...finding, message: message ?? finding.message};
      }
      return true;
    };
  },
};
