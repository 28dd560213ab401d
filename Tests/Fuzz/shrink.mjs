/**
 * Makes a differing case small: tries what is simpler, keeps what still differs, until nothing simpler does.
 */

/**
 * @param {object} differing a case on which the judges differ
 * @param {(cases: object[]) => boolean[]} differ asks both judges, of many cases at once
 * @returns {object} a case that differs, of which no simpler candidate does
 */
export function shrink(differing, differ) {
  let smallest = differing;
  for (;;) {
    const left = stillDiffering(simpler(smallest), smallest, differ) ?? stillDiffering(simplerTogether(smallest), smallest, differ);
    if (!left) return smallest;
    smallest = left;
  }
}

/** The simplest of the candidates on which the judges differ, if there is one. */
function stillDiffering(cases, smallest, differ) {
  const candidates = unique(cases).filter((candidate) => weight(candidate) < weight(smallest) && candidate.fields.every(isAsServed) && fits(candidate));
  const verdicts = candidates.length ? differ(candidates) : [];
  return candidates.filter((_, index) => verdicts[index]).sort((a, b) => weight(a) - weight(b))[0];
}

/** Shorter is simpler; among equals, plain characters are. */
function weight(value) {
  const written = JSON.stringify(value);
  return written.length + [...written].filter((character) => character !== "a" && character !== "0").length / 1e6;
}

const implied = {
  email: "email", url: "url", integer: "integer", number: "number", slider: "number",
  date: "date", time: "time", dateTime: "dateTime", choice: "oneOf", choices: "oneOf",
};

/** A field as served has its kind's own rule among its rules. */
const isAsServed = ({kind, rules}) => !(kind in implied) || rules.some(({rule}) => rule === implied[kind]);

/** Several values are only ever given to a field that takes several. */
const fits = ({fields, values}) => fields.every(({name, kind}) => !Array.isArray(values[name]) || ["choices", "list"].includes(kind));

function unique(cases) {
  return [...new Map(cases.map((one) => [JSON.stringify(one), one])).values()];
}

function simpler({fields, field, values}) {
  const cases = [];
  fields.forEach((other, index) => {
    if (other.name !== field) cases.push({fields: without(fields, index), field, values: omit(values, other.name)});
    for (const simple of simplerFields(other)) cases.push({fields: replaced(fields, index, simple), field, values});
  });
  for (const [name, value] of Object.entries(values)) {
    cases.push({fields, field, values: omit(values, name)});
    for (const simple of simplerValues(value)) cases.push({fields, field, values: {...values, [name]: simple}});
  }
  return cases;
}

/** A pattern and the text often become shorter only together: a stretch of the one and of the other. */
function simplerTogether({fields, field, values}) {
  const judged = fields.findIndex(({name}) => name === field), text = values[field];
  if (typeof text !== "string") return [];
  const texts = [...withoutStretch(text, 3)];
  return (fields[judged].rules ?? []).flatMap((rule, index) => typeof rule.pattern !== "string" ? [] :
    [...withoutStretch(rule.pattern, 8)].flatMap((pattern) => texts.map((shorter) => {
      const rules = replaced(fields[judged].rules, index, {...rule, pattern});
      return {fields: replaced(fields, judged, {...fields[judged], rules}), field, values: {...values, [field]: shorter}};
    }))).slice(0, pairsAtMost);
}

const pairsAtMost = 20_000;

function* withoutStretch(text, longest) {
  const characters = [...text];
  for (let length = 1; length <= longest; length++) {
    for (let start = 0; start + length <= characters.length; start++) {
      yield [...characters.slice(0, start), ...characters.slice(start + length)].join("");
    }
  }
}

function* simplerFields(field) {
  for (const key of ["optional", "trim", "allow", "when"]) if (key in field) yield omit(field, key);
  const {when = []} = field;
  for (let index = 0; index < when.length; index++) {
    if (when.length > 1) yield {...field, when: without(when, index)};
    for (const rules of simplerRules(when[index].rules)) {
      if (rules.length) yield {...field, when: replaced(when, index, {...when[index], rules})};
    }
  }
  if (field.kind !== "text") yield {...field, kind: "text"};
  for (const list of ["rules", "allow"]) {
    for (const rules of simplerRules(field[list] ?? [])) yield {...field, [list]: rules};
  }
}

function* simplerRules(rules) {
  for (let index = 0; index < rules.length; index++) {
    yield without(rules, index);
    for (const nested of rules[index].rules ?? []) yield replaced(rules, index, nested);
    for (const simple of simplerArguments(rules[index])) yield replaced(rules, index, simple);
  }
}

function* simplerArguments(rule) {
  for (const [key, value] of Object.entries(rule)) {
    if (["rule", "is", "field", "name", "message"].includes(key)) continue;
    if (!["pattern", "values", "rules", "of"].includes(key)) yield omit(rule, key);
    if (key === "rules") for (const rules of simplerRules(value)) yield {...rule, rules};
    else if (key !== "min" && key !== "max" || typeof value === "string") for (const simple of simplerValues(value)) yield {...rule, [key]: simple};
  }
}

function* simplerValues(value) {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      yield without(value, index);
      for (const simple of simplerValues(value[index])) yield replaced(value, index, simple);
    }
  } else if (typeof value === "string") {
    yield* simplerTexts(value);
  }
}

/** Without a stretch of it, long stretches first, or with one plain character for another. */
function* simplerTexts(text) {
  const characters = [...text];
  for (let length = characters.length; length > 0; length = Math.floor(length / 2)) {
    for (let start = 0; start + length <= characters.length; start += Math.max(1, length >> 1)) {
      yield [...characters.slice(0, start), ...characters.slice(start + length)].join("");
    }
  }
  for (let index = 0; index < characters.length; index++) {
    for (const plain of ["a", "0"]) yield replaced(characters, index, plain).join("");
  }
}

const without = (list, index) => list.filter((_, at) => at !== index);
const replaced = (list, index, item) => list.map((old, at) => at === index ? item : old);
const omit = (object, key) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
