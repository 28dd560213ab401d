/**
 * The corpus, judged by Public/rules.js. A file, a group or a case in a form unknown here fails: nothing is passed over.
 */
import assert from "node:assert/strict";
import {describe, test} from "node:test";
import {compile} from "../../Public/rules.js";
import {Random} from "../Fuzz/random.mjs";
import {withDefaults} from "../Fuzz/verdict.mjs";
import {corpusFiles, valuesOf} from "./corpus.mjs";

const files = corpusFiles();

test("there is a corpus", () => assert.notEqual(files.length, 0));

for (const [name, file] of files) {
  describe(name, () => {
    test("is written in a known form", () => onlyKeys(file, ["$schema", "rule", "about", "source", "groups", "rewritten", "refused"]));
    test("holds cases", () => assert.ok(file.groups?.some(({cases}) => cases.length > 0) || file.refused?.length > 0));
    for (const group of file.groups ?? []) test(group.description, () => judgeGroup(group));
    for (const {pattern, served} of file.rewritten ?? []) {
      test(`means the same as it is served: ${pattern}`, () => judgeRewritten(pattern, served));
    }
    for (const refused of file.refused ?? []) {
      if (refused.mended !== undefined) test(`is mended without another meaning: ${refused.pattern}`, () => judgeMended(refused));
      test(`does not throw if it is served: ${JSON.stringify(refused.pattern).slice(0, 60)}`, () => judgeRefused(refused));
    }
  });
}

function judgeGroup(group) {
  onlyKeys(group, ["description", "fields", "field", "cases", "decidedBy", "now", "note"]);
  const judge = compile({fields: withDefaults(group.fields)});
  const field = group.field ?? group.fields[0].name;
  const differing = [];
  for (const testCase of group.cases) {
    onlyKeys(testCase, ["text", "values", "valid", "applies", "rule", "note"]);
    const verdict = judge.field(field, valuesOf(testCase, field));
    if (!agrees(verdict, testCase, group.decidedBy)) differing.push({case: testCase, verdict});
  }
  assert.equal(differing.length, 0, `${differing.length} of ${group.cases.length} cases differ:\n` +
    differing.map((difference) => JSON.stringify(difference)).join("\n"));
}

function agrees(verdict, {valid, applies = true, rule}, decidedBy) {
  if (!applies || verdict.applies === false) return !applies && verdict.applies === false;
  if (decidedBy === "server") return verdict.pending === true;
  return verdict.isValid === valid && !verdict.pending && (valid || verdict.rule === rule);
}

/** What is written, read as engines without `u` mode do, against what is served. */
function judgeRewritten(pattern, served) {
  const [written, read] = [new RegExp(`^(?:${pattern})$`), new RegExp(`^(?:${served})$`, "u")];
  const samples = [..."!\"#%&',-:;<=>@_`~ \\.a1^]()"].flatMap((character) => [character, `555${character}1234`, `a${character}b`]);
  for (const text of [...samples, "!\"#%&',-:;<=>@_`~", "\\-\\", "(#){1,2}", ":,"]) {
    assert.equal(read.test(text), written.test(text), text);
  }
}

/** A correction, against what was written as an engine without `u` mode reads it, if one does. */
function judgeMended({pattern, mended}) {
  const read = new RegExp(`^(?:${mended})$`, "u");
  let written;
  try {
    written = new RegExp(`^(?:${pattern.replace(/^\\A/, "").replace(/\\z$/, "").replaceAll("(?P<", "(?<")})$`);
  } catch {
    return;
  }
  const random = new Random(1), characters = [...mended, ...pattern, " ", "a", "b", "0", "\x08", "\x07", "\n", "-", "]", "{", "é"];
  const texts = [mended.replaceAll("\\", ""), ...Array.from({length: 500}, () => random.string(0, 4, characters))];
  for (const text of texts) if (!/\\p/.test(mended)) assert.equal(read.test(text), written.test(text), JSON.stringify(text));
}

/** Refused patterns never reach a browser; one that does all the same gets a verdict, whatever it is. */
function judgeRefused({pattern, ignoreCase}) {
  const judge = compile({fields: [{name: "f", rules: [{rule: "pattern", pattern, ignoreCase}]}]});
  assert.equal(typeof judge.field("f", {f: "a"}).isValid, "boolean");
}

function onlyKeys(object, known) {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  assert.deepEqual(unknown, [], "unknown keys");
}
