/**
 * Random patterns of the accepted subset, each with a way to make texts that it matches.
 *
 * A node is {source, sample}: sample() makes a text that the node matches, as far as assertions let it.
 * What is repeated is mostly kept unambiguous, with no choice and no other repetition in it but fixed counts: on other
 * patterns a backtracking engine could take exponential time, which is why only the server decides them. A wild pattern
 * repeats whatever comes: the server has to tell the slow ones, and browsers must come to an end with the rest.
 */
import {anyCharacter, digits, letters, punctuation, space, unicode} from "./characters.mjs";

const word = [...letters, ...digits, "_"];

/** @returns {{pattern: string, ignoreCase?: true, sample: () => string}} */
export function randomPattern(random) {
  const ignoreCase = random.chance(0.25);
  const node = alternation(random, {depth: 3, repeated: false, isWild: random.chance(0.15), ignoreCase, names: {count: 0}});
  if (node.source.length > 600) return randomPattern(random);
  const sample = () => ignoreCase && random.chance(0.4) ? random.pick([node.sample().toUpperCase(), node.sample().toLowerCase()]) : node.sample();
  return ignoreCase ? {pattern: node.source, ignoreCase, sample} : {pattern: node.source, sample};
}

function alternation(random, scope) {
  if (scope.repeated) return random.chance(0.3) ? distinctLiterals(random) : sequence(random, scope);
  const arms = random.list(1, random.pick([1, 1, 1, 2, 3]), () => sequence(random, scope));
  return {source: arms.map(({source}) => source).join("|"), sample: () => random.pick(arms).sample()};
}

/** Literals of which no text begins two. */
function distinctLiterals(random) {
  const folded = (character) => character.toUpperCase().toLowerCase();
  const arms = random.list(2, 3, () => literal(random));
  const distinct = [...new Map(arms.map((arm) => [folded(arm.character), arm])).values()];
  return {source: distinct.map(({source}) => source).join("|"), sample: () => random.pick(distinct).sample()};
}

function sequence(random, scope) {
  const parts = random.list(random.chance(0.05) ? 0 : 1, scope.depth + 1, () => term(random, scope));
  return {source: parts.map(({source}) => source).join(""), sample: () => parts.map((part) => part.sample()).join("")};
}

function term(random, scope) {
  if (random.chance(0.08)) return assertion(random, scope);
  if (!random.chance(0.4)) return atom(random, scope);
  const fixed = random.integer(0, 3);
  const [low, high, written] = scope.repeated ? [fixed, fixed, `{${fixed}}`] : random.chance(0.06) ? largeBounds(random) : smallBounds(random);
  const body = atom(random, {...scope, repeated: scope.repeated || (high > 1 && !scope.isWild)});
  // Nobody repeats a group that takes no character, and WebKit 2.50 misjudges it: (){2}\w\b. and a😀.
  if (/^\((\?:|\?<\w+>)?(\^|\$|\\b|\|)*\)$/i.test(body.source)) return body;
  const lazy = random.chance(0.2) ? "?" : "";
  return {source: body.source + written + lazy, sample: () => random.list(low, Math.min(high, low + 3), () => body.sample()).join("")};
}

function smallBounds(random) {
  const low = random.integer(0, 3), high = low + random.integer(0, 3);
  return random.pick([
    [0, Infinity, "*"], [1, Infinity, "+"], [0, 1, "?"], [low, low, `{${low}}`], [low, Infinity, `{${low},}`], [low, high, `{${low},${high}}`],
  ]);
}

function largeBounds(random) {
  const high = random.pick([20, 63, 255, 1000]);
  return random.pick([[0, high, `{0,${high}}`], [1, high, `{1,${high}}`], [10, high, `{10,${high}}`]]);
}

function assertion(random, {ignoreCase}) {
  return {source: random.pick(ignoreCase ? ["^", "$"] : ["^", "$", "\\b", "\\b", "\\B"]), sample: () => ""};
}

function atom(random, scope) {
  const roll = random.fraction();
  if (roll < 0.45) return literal(random);
  if (roll < 0.5) return {source: ".", sample: () => random.chance(0.9) ? anyCharacter(random) : random.pick(space)};
  if (roll < 0.62) return escapedClass(random);
  if (roll < 0.8 || scope.depth === 0) return characterClass(random);
  return group(random, scope);
}

function group(random, scope) {
  const opening = random.pick(["(", "(?:", "(?:", `(?<n${scope.names.count++}>`]);
  const body = alternation(random, {...scope, depth: scope.depth - 1});
  return {source: `${opening}${body.source})`, sample: body.sample};
}

/** One code point and a way to write it, inside a class or outside. */
function literal(random, inClass = false) {
  const character = [...random.pick(random.pick([letters, letters, digits, punctuation, unicode, space]))][0];
  return {source: written(random, character, inClass), sample: () => character, character};
}

function written(random, character, inClass) {
  const code = character.codePointAt(0), hexadecimal = code.toString(16);
  const forms = [`\\u{${hexadecimal}}`, `\\u{${random.pick(["", "0", "00"])}${hexadecimal.toUpperCase()}}`];
  if (code < 0x100) forms.push(`\\x${hexadecimal.padStart(2, "0")}`);
  forms.push([...character].length < character.length
    ? character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
    : `\\u${hexadecimal.padStart(4, "0")}`);
  const named = {"\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}[character];
  if (named) return random.pick([named, named, ...forms]);
  if (random.chance(0.1)) return random.pick(forms);
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return inClass && character === "-" ? "\\-" : character;
}

function escapedClass(random) {
  const [source, members] = random.pick([
    ["\\d", digits], ["\\D", [...letters, ...unicode]], ["\\w", word], ["\\W", [...punctuation, ...unicode]], ["\\s", space], ["\\S", [...letters, ...unicode]],
  ]);
  return {source, sample: () => random.pick(members)};
}

function characterClass(random) {
  if (random.chance(0.03)) return random.pick([{source: "[^]", sample: () => anyCharacter(random)}, {source: "[]", sample: () => ""}]);
  const items = random.list(1, 4, () => random.pick([classCharacter, classCharacter, classRange, escapedClass])(random));
  const source = items.map((item) => item.source).join("");
  if (!random.chance(0.25)) return {source: `[${source}]`, sample: () => random.pick(items).sample()};
  return {source: `[^${source}]`, sample: () => anyCharacter(random)};
}

const classCharacter = (random) => literal(random, true);

function classRange(random) {
  const [low, high] = [literal(random, true), literal(random, true)].sort((a, b) => a.character.codePointAt(0) - b.character.codePointAt(0));
  return {source: `${low.source}-${high.source}`, sample: () => random.pick([low, high]).sample()};
}
