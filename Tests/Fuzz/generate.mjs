/**
 * Random rules and random texts: `node generate.mjs SEED COUNT` prints JSON Lines, one case a line:
 * {"fields":[…as served…],"field":"f","values":{…}}. The same seed prints the same cases.
 */
import {pathToFileURL} from "node:url";
import {Random} from "./random.mjs";
import {combination, perturbed, randomRule, ruleNames, wellFormed} from "./rule.mjs";
import * as samples from "./samples.mjs";

const typedKinds = ["email", "url", "integer", "number", "date", "time", "dateTime"];
const comparable = ["integer", "number", "slider", "date", "time", "dateTime"];

/** One case; rules come by their names in turn, so that none is rare. */
export function randomCase(random, index) {
  // One in six has conditions; a long text stays alone.
  const one = index % 300 && random.chance(1 / 6) ? conditionalCase(random, caseOfShape(random, index)) : caseOfShape(random, index);
  let count = 0;
  // As served, every rule but `all` has a message; here each has its own, so that two rules are never taken for one.
  const say = (rule) => {
    if (rule.rule !== "all") rule.message = `message ${++count}`;
    rule.rules?.forEach(say);
  };
  // A rule may stand in several places.
  const fields = structuredClone(one.fields);
  for (const {rules = [], allow = []} of fields) [...rules, ...allow].forEach(say);
  return {...one, fields};
}

function caseOfShape(random, index) {
  const shape = index % 6;
  if (shape === 0) return index % 300 === 0 ? longCase(random) : typedCase(random);
  if (shape === 1) return random.pick([choicesCase, listCase, listCase, choiceCase, booleanCase, compareCase, compareCase, compareCase])(random);
  // Patterns differ the most.
  return textCase(random, shape === 2 ? "pattern" : ruleNames[Math.floor(index / 2) % ruleNames.length]);
}

/** The same with fields that apply only under conditions: the judged one mostly, the one it reads, those that decide. */
function conditionalCase(random, {fields, field, values}) {
  const names = ["h", "i", "j"].slice(0, random.pick([1, 1, 1, 2, 3]));
  const deciders = names.map((name) => decider(random, name));
  const all = [...fields.map((each) => each.name === field || random.chance(0.3) ? conditional(each, random.pick(deciders)) : each),
    ...deciders.map((each, index) => {
      const next = deciders[index + 1];
      return next && random.chance(0.7) ? conditional(each, next).field : each.field;
    })].map((each) => each.field ?? each);
  const texts = Object.fromEntries(deciders.filter(() => random.chance(0.95)).map(({field: {name}, value}) => [name, value]));
  return {fields: random.chance(0.5) ? all : all.reverse(), field, values: {...values, ...texts}};

  /** One more condition, or two, on the field that this decider is. */
  function conditional(owner, {field: {name}, rules}) {
    const own = owner.field ?? owner, more = random.chance(0.15) ? [{field: name, rules: [{rule: "not", rules: [rules[0]]}]}] : [];
    const when = [...own.when ?? [], {field: name, rules}, ...more];
    return owner.field ? {...owner, field: {...own, when}} : {...own, when};
  }
}

/** A field that others look at, with rules for them and a value that often meets these. */
function decider(random, name) {
  const roll = random.fraction();
  if (roll < 0.2) {
    const [one, other] = random.chance(0.5) ? ["a", "b"] : ["é", "e\u0301"];
    const oneOf = {rule: "oneOf", values: random.pick([[one], [one, other], ["c", one]])};
    const rules = random.pick([[oneOf], [{rule: "not", rules: [oneOf]}], [oneOf, {rule: "count", max: 2}], [{rule: "nonEmpty"}]]);
    const value = random.list(0, 3, () => random.pick([one, other, "c", "c", "A", `${one}\n`, "\ud800"]));
    return {field: {name, kind: "choices", rules: [{rule: "oneOf", values: ["a", "b", "c"]}]}, rules, value};
  }
  if (roll < 0.35) {
    const rules = [{rule: "oneOf", values: [random.pick(["true", "false"])]}];
    return {field: {name, kind: "boolean", rules: []}, rules, value: random.pick(["true", "false", "true", "false", "", "yes"])};
  }
  const {rule, text} = browsersRule(random);
  const kind = random.pick(["text", "text", "text", "multiline", "search", "tel", "email", "integer", "date"]);
  const settings = {...(random.chance(0.2) ? {optional: true} : {}), ...(random.chance(0.2) ? {trim: true} : {})};
  const rules = typedKinds.includes(kind) ? [{rule: kind}] : random.chance(0.2) ? [{rule: "length", max: 3}] : [];
  // Short, or a browser's engine could take polynomial time.
  const short = [...(random.chance(0.6) ? text() : perturbed(random, text()))].slice(0, 32).join("");
  return {field: {name, kind, ...settings, rules}, rules: [{rule: "length", max: 48}, rule], value: short};
}

/** A rule that may stand in a condition. */
function browsersRule(random) {
  for (;;) {
    const one = random.chance(0.3) ? randomRule(random, "oneOf", 0) : randomRule(random, undefined, 2);
    if (!/"(predicate|sameAs|compare)"|\\\\[pP]\{/.test(JSON.stringify(one.rule))) return one;
  }
}

function textCase(random, name) {
  const first = random.chance(0.08) ? combination(random, 6) : randomRule(random, name);
  const rules = [first, ...random.list(0, random.pick([0, 0, 1, 2]), () => randomRule(random))];
  const allow = random.chance(0.1) ? [randomRule(random, random.pick(["length", "pattern", "number", "notBlank"]), 1)] : [];
  const f = field(random, random.pick(["text", "text", "text", "multiline", "search", "tel", "password"]), rules, allow);
  return withOther(random, f, perturbed(random, random.chance(0.75) ? rules[0].text() : random.pick([...rules, ...allow]).text()));
}

/** A text about as long as may be, or several that are so together. */
function longCase(random) {
  const texts = random.list(1, 5, () => {
    const filling = random.pick(["a", "é", "あ", "😀", "e\u0301", "a\r\n", " a"]), bytes = new TextEncoder().encode(filling).length;
    return filling.repeat(random.pick([16_384, 16_384, 16_380, 24_576]) / bytes) + random.pick(["", "", "a", "bb", "é", " ", "\n", "\ud800"]);
  });
  const names = ["f", "g", "h", "i", "j"].slice(0, texts.length);
  const fields = names.map((name) => ({...field(random, random.pick(["text", "multiline", "tel"]), []), name}));
  const values = Object.fromEntries(names.map((name, index) => [name, random.chance(0.95) ? texts[index] : ""]));
  return {fields, field: random.pick(names), values};
}

/** The case of one field, with the field g and a text like its own where `sameAs` reads one. */
function withOther(random, f, written) {
  // Short texts, and the server told so, or it decides what takes a backtracking engine polynomial time.
  const hasPattern = JSON.stringify(f).includes('"rule":"pattern"');
  const text = hasPattern ? [...written].slice(0, 32).join("") : written;
  if (hasPattern) f.allow = [{rule: "length", max: 48}, ...(f.allow ?? [])];
  if (!JSON.stringify(f).includes('"field":"g"')) return {fields: [f], field: "f", values: {f: text}};
  const g = {name: "g", kind: random.pick(["text", "text", "multiline"]), ...(random.chance(0.3) ? {trim: true} : {}), rules: []};
  return {fields: random.pick([[f, g], [g, f]]), field: "f", values: {f: text, g: perturbed(random, text)}};
}

function typedCase(random) {
  const kind = random.pick(typedKinds);
  const own = randomRule(random, kind, 0);
  const rules = random.chance(0.4) ? [own, randomRule(random, undefined, 1)] : [own];
  return withOther(random, field(random, kind, rules), perturbed(random, own.text()));
}

function compareCase(random) {
  const kind = random.pick(comparable);
  const otherKind = ["integer", "number", "slider"].includes(kind) ? random.pick(["integer", "number", "slider"]) : kind;
  const own = (kind) => ({rule: {rule: kind === "slider" ? "number" : kind}});
  const compare = {rule: {rule: "compare", field: "g", is: random.pick(["less", "lessOrEqual", "greater", "greaterOrEqual"])}};
  const rules = random.pick([[own(kind), compare], [compare, own(kind)], [own(kind), {rule: {rule: random.pick(["not", "any", "all"]), rules: [compare.rule]}}],
    [own(kind), {rule: {rule: "any", rules: [compare.rule, randomRule(random, "range", 0).rule]}}]]);
  const sample = (kind) => kind === "slider" ? samples.number(random) : samples[kind](random);
  const g = random.chance(0.7) ? wellFormed(random, otherKind === "slider" ? "number" : otherKind) : sample(otherKind);
  const f = random.chance(0.4) ? samples.rewritten(random, g) : sample(kind);
  const other = {name: "g", kind: otherKind, ...(random.chance(0.2) ? {optional: true} : {}), ...(random.chance(0.3) ? {trim: true} : {}),
    rules: [own(otherKind).rule]};
  const values = {f: random.chance(0.85) ? f : perturbed(random, f), g: random.chance(0.9) ? g : random.pick(["", "x", ` ${g}`])};
  return {fields: [field(random, kind, rules), other], field: "f", values};
}

function choiceCase(random) {
  const own = randomRule(random, "oneOf", 0);
  return {fields: [field(random, "choice", [own])], field: "f", values: {f: perturbed(random, own.text())}};
}

function choicesCase(random) {
  const options = ["a", "b", "c", "é", "e\u0301", " a", "a\u3000", ""];
  const count = random.pick([{min: 1}, {max: 2}, {min: 1, max: 3}, {min: 0}, {max: 0}]);
  const rules = [{rule: {rule: "oneOf", values: options.slice(0, random.integer(1, options.length))}},
    ...random.pick([[], [{rule: {rule: "nonEmpty"}}], [{rule: {rule: "count", ...count}}], [{rule: {rule: "not", rules: [{rule: "count", ...count}]}}],
      [{rule: {rule: "any", rules: [{rule: "count", ...count}, {rule: "not", rules: [{rule: "nonEmpty"}]}]}}]])];
  const f = random.list(0, 3, () => random.pick([...options.slice(0, 3), ...options, "A", "a\n", "\ud800"]));
  return {fields: [field(random, "choices", random.chance(0.5) ? rules : rules.reverse())], field: "f", values: {f}};
}

/** A list as a person writes it, or as a program sends it. */
function listCase(random) {
  const item = randomRule(random, random.pick(["number", "integer", "email", "length", "notBlank", "oneOf", "date", "pattern", "format"]), random.pick([0, 1]));
  const more = random.list(0, 1, () => randomRule(random, random.pick(["length", "number", "range", "oneOf"]), 0));
  const items = {rule: {rule: "items", rules: [item, ...more].map(({rule}) => rule)}};
  const count = {rule: {rule: "count", ...random.pick([{min: 1}, {max: 2}, {max: 3, unique: true}, {unique: true}])}};
  const rules = random.pick([[items], [count, items], [items, count], [{rule: {rule: "nonEmpty"}}, items],
    [{rule: {rule: random.pick(["any", "not", "all"]), rules: [items.rule, count.rule]}}]]);
  if (JSON.stringify(items).includes("sameAs") || JSON.stringify(items).includes("predicate")) return listCase(random);
  const lines = random.list(0, 4, () => random.pick(["", " ", "1", "1.0"].concat(Array(8).fill(perturbed(random, [...item.text()].slice(0, 32).join(""))))));
  const f = random.chance(0.3) ? lines : lines.join(random.pick(["\n", "\n", "\r\n", "\r", "\n\n"]));
  const cap = {rule: {rule: "count", max: 1000}};
  return {fields: [field(random, "list", [cap, ...rules])], field: "f", values: {f}};
}

function booleanCase(random) {
  const rules = random.chance(0.5) ? [] : [{rule: {rule: "oneOf", values: [random.pick(["true", "false"])]}}];
  const f = random.pick(["true", "false", "true", "false", "", "TRUE", " true", "true\n", "on", "1"]);
  return {fields: [field(random, "boolean", rules)], field: "f", values: random.chance(0.1) ? {} : {f}};
}

function field(random, kind, rules, allow = []) {
  return {
    name: "f", kind,
    ...(random.chance(0.15) ? {optional: true} : {}),
    ...(random.chance(0.4) ? {trim: random.chance(0.5)} : {}),
    ...(allow.length ? {allow: allow.map(({rule}) => rule)} : {}),
    rules: rules.map(({rule}) => rule),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [seed, count] = process.argv.slice(2).map(Number);
  if (!Number.isInteger(seed) || !Number.isInteger(count)) {
    process.stderr.write("usage: node generate.mjs SEED COUNT\n");
    process.exit(64);
  }
  const random = new Random(seed);
  let lines = "";
  for (let index = 0; index < count; index++) lines += JSON.stringify(randomCase(random, index)) + "\n";
  process.stdout.write(lines);
}
