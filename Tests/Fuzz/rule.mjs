/**
 * Random rules as served, each with a way to make texts that often meet it: {rule, text}, text() → a text.
 */
import {compile} from "../../Public/rules.js";
import {anyCharacter, letters, mutated, unicode} from "./characters.mjs";
import {randomPattern} from "./pattern.mjs";
import * as samples from "./samples.mjs";

const anyText = (random, low = 0, high = 8) => random.list(low, high, () => anyCharacter(random)).join("");
const plainText = (random) => random.string(0, 6, [...letters, " ", "é", "😀"]);

/** The rules that judge any text; `sameAs` reads the field g. */
const makers = {
  none: () => ({rule: {rule: "none"}}),
  nonEmpty: (random) => ({rule: {rule: "nonEmpty"}, text: () => random.chance(0.3) ? "" : plainText(random)}),
  notBlank: (random) => ({rule: {rule: "notBlank"}, text: () => random.list(0, 4, () => random.pick([" ", "\t", "\u00a0", "\u3000", "\ufeff", "\u200b", "\u0085", "a"])).join("")}),
  length(random) {
    const limits = bounds(random, () => random.pick([0, 1, 2, 3, 5, 20]), (a, b) => a <= b);
    const text = () => random.list(Math.max(0, (limits.min ?? 0) - random.integer(0, 1)), (limits.max ?? (limits.min ?? 0) + 2) + random.integer(0, 1),
      () => random.pick([...letters, ...unicode, "\r\n"])).join("");
    return {rule: {rule: "length", ...limits}, text};
  },
  pattern(random) {
    const {sample, ...pattern} = randomPattern(random);
    return {rule: {rule: "pattern", ...pattern}, text: () => [...sample()].slice(0, 24).join("")};
  },
  predicate(random) {
    const edges = ["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "+0", "-0", "+"];
    return {rule: {rule: "predicate", name: "integer"}, text: () => random.pick(["", "", "+", "00000"]) + (random.chance(0.4) ? random.pick(edges) : samples.integer(random))};
  },
  email(random) {
    const {rule, ...rest} = form(random, "email");
    return {rule: random.chance(0.5) ? {...rule, international: random.chance(0.8)} : rule, ...rest};
  },
  url: (random) => form(random, "url"),
  format(random) {
    const format = random.pick(Object.keys(samples.formats));
    return {rule: {rule: "format", format}, text: () => samples.formats[format](random)};
  },
  integer: (random) => form(random, "integer"),
  number: (random) => form(random, "number"),
  date: (random) => form(random, "date"),
  time: (random) => form(random, "time"),
  dateTime: (random) => form(random, "dateTime"),
  range(random) {
    const family = random.pick(["number", "number", "integer", "date", "time", "dateTime"]);
    const limits = bounds(random, () => wellFormed(random, family), inOrder);
    const near = () => samples.rewritten(random, random.pick(Object.values(limits)));
    return {rule: {rule: "range", ...limits}, text: () => random.chance(0.4) ? near() : samples[family](random)};
  },
  step(random) {
    const of = random.pick(["1", "2", "5", "0.1", "0.25", "0.01", "3e-1", "1e3", "7", "1e-308", "0.3333", "9999999999999999999999999999999999"]);
    const from = random.chance(0.5) ? {} : {from: random.pick(["0", "1", "-1", "0.05", "1e-5", "12345678901234567890"])};
    const multiple = () => {
      const steps = BigInt(random.integer(-30, 30)), fraction = /^\d+\.(\d+)$/.exec(of)?.[1].length;
      if (!/^\d+(\.\d+)?$/.test(of) || (from.from ?? "0") !== "0") return samples.number(random);
      const units = steps * BigInt(of.replace(".", ""));
      return samples.rewritten(random, fraction ? decimal(units, fraction) : String(units));
    };
    return {rule: {rule: "step", of, ...from}, text: () => random.chance(0.8) ? multiple() : samples.number(random)};
  },
  oneOf(random) {
    const values = random.list(1, 4, () => random.chance(0.7) ? plainText(random) : anyText(random).replace(/[\ud800-\udfff]/gu, ""));
    return {rule: {rule: "oneOf", values}, text: () => random.chance(0.8) ? random.pick(values) : random.pick(values).normalize(random.pick(["NFC", "NFD"]))};
  },
  sameAs: () => ({rule: {rule: "sameAs", field: "g"}}),
};

export const ruleNames = Object.keys(makers);

/** A rule of this name, or a combination, at most so deep. */
export function randomRule(random, name = random.pick(ruleNames), depth = 2) {
  if (depth > 0 && random.chance(0.15)) return combination(random, depth);
  const {rule, text = () => plainText(random)} = makers[name](random);
  return {rule, text};
}

/** `all`, `any` or `not` of a few rules, which may be combinations themselves. */
export function combination(random, depth) {
  const name = random.pick(["all", "any", "not"]);
  const nested = random.list(1, 3, () => depth > 2 && random.chance(0.5) ? combination(random, depth - 1) : randomRule(random, undefined, depth - 1));
  return {rule: {rule: name, rules: nested.map(({rule}) => rule)}, text: () => random.pick(nested).text()};
}

/** A number, date or time that can be a bound: some of the samples cannot. */
export function wellFormed(random, family) {
  const forms = {integer: /^-?\d{1,34}$/, number: /^-?(\d{1,3})?(\.\d{1,4})?(e[+-]?\d{1,2})?$/i, slider: /^-?\d{1,3}$/};
  for (;;) {
    const text = samples[family](random);
    if (forms[family] ? /\d/.test(text) && !/^-?e/i.test(text) && forms[family].test(text) : isCalendar(text)) return text;
  }
}

function isCalendar(text) {
  const [day, time] = /^\d{4}-/.test(text) ? [text.slice(0, 10), text.slice(11)] : ["2000-01-01", text];
  if (time && !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(time)) return false;
  if (text.length > 10 && /^\d{4}-/.test(text) && !/[T ]/.test(text[10])) return false;
  const parsed = new Date(`${day}T00:00:00Z`);
  return /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(+parsed) && parsed.toISOString().startsWith(day);
}

const form = (random, name) => ({rule: {rule: name}, text: () => samples[name](random)});

/** min, max or both; a definition with min above max is refused. */
function bounds(random, make, inOrder) {
  const [a, b] = [make(), make()];
  const [min, max] = inOrder(a, b) ? [a, b] : [b, a];
  return random.pick([{min}, {max}, {min, max}, {min, max}]);
}

const inOrder = (min, max) => compile({fields: [{name: "f", rules: [{rule: "range", min}]}]}).field("f", {f: max}).isValid;

function decimal(units, fraction) {
  const magnitude = String(units < 0n ? -units : units).padStart(fraction + 1, "0");
  return `${units < 0n ? "-" : ""}${magnitude.slice(0, -fraction)}.${magnitude.slice(-fraction)}`;
}

/** The text itself mostly, else with edits, padded, or another altogether. */
export function perturbed(random, text) {
  const roll = random.fraction();
  if (roll < 0.6) return text;
  if (roll < 0.9) return mutated(random, text);
  if (roll < 0.95) return random.pick([" ", "\n", "\u3000", "\ufeff", "\r\n"]) + text + random.pick(["", " ", "\n", "\u00a0", "\r"]);
  return random.chance(0.3) ? "" : anyText(random);
}
