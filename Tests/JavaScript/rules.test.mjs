/**
 * What the corpus cannot say of Public/rules.js: its interface, what it leaves to the server, and that it stays quick.
 * The verdicts of the rules themselves are in Tests/Conformance.
 */
import assert from "node:assert/strict";
import {describe, test} from "node:test";
import {readdirSync, readFileSync} from "node:fs";
import {compile as compileParts} from "../../Public/judge.js";
import * as formats from "../../Public/formats.js";
import * as hosts from "../../Public/hosts.js";
import * as lists from "../../Public/lists.js";
import * as logic from "../../Public/logic.js";
import * as quantities from "../../Public/quantities.js";
import {compile} from "../../Public/rules.js";

const valid = {isValid: true};
const pending = {isValid: false, pending: true};
const server = {rule: "predicate", name: "not-taken", message: "Taken", decidedBy: "server"};
const met = {rule: "none"};
const unmet = {rule: "oneOf", values: [], message: "Never"};

/** The verdict of a list of rules on one text. */
const judged = (rules, text = "x", field = {}) => compile({fields: [{name: "f", kind: "text", rules, ...field}]}).field("f", {f: text});
const failing = ({rule, message}) => ({isValid: false, rule, message});

describe("a field", () => {
  test("without any setting takes every line of text", () => {
    assert.deepEqual(compile({fields: [{name: "f"}]}).field("f", {f: "x"}), valid);
  });

  test("reports the rule and the message of the first failure", () => {
    const rules = [met, {rule: "length", max: 2, message: "Shorter"}, unmet];
    assert.deepEqual(judged(rules, "xyz"), {isValid: false, rule: "length", message: "Shorter"});
  });

  test("without a value is empty, a boolean false, a choices field without a choice", () => {
    const judge = compile({fields: [
      {name: "text", kind: "text", rules: [{rule: "length", max: 0}]},
      {name: "boolean", kind: "boolean", rules: [{rule: "oneOf", values: ["false"]}]},
      {name: "choices", kind: "choices", rules: [{rule: "count", max: 0}]},
      {name: "constructor", kind: "text", rules: [{rule: "length", max: 0}]},
    ]});
    assert.equal(judge.all({}).isValid, true);
    assert.equal(judge.all({text: "x", boolean: "true", choices: ["a"], constructor: "y"}).isValid, false);
  });

  for (const [kind, text, sentence] of [
    ["text", "\u0007", "text"], ["text", "a\nb", "line"], ["boolean", "yes", "boolean"], ["boolean", "true\n", "boolean"],
    ["boolean", "true\0", "boolean"], ["boolean", "\ud800", "text"], ["choices", ["a\n", "\ud800"], "text"],
  ]) {
    test(`takes the message of the rule text from the document: ${sentence}`, () => {
      const judge = compile({messages: {[sentence]: "A sentence"}, fields: [{name: "f", kind}]});
      assert.deepEqual(judge.field("f", {f: text}), {isValid: false, rule: "text", message: "A sentence"});
    });
  }
});

describe("what is too long", () => {
  const messages = {
    tooLong: {one: "One off", other: "{n} off"}, tooLongTogether: {one: "One off in all", other: "{n} off in all"},
  };
  const fields = ["a", "b", "c", "d", "e", "f"].map((name) => ({name, kind: "text", rules: []}));
  const judge = compile({fields, messages});

  for (const [what, text, message] of [
    ["ASCII", "a".repeat(16_385), "One off"],
    ["more", "a".repeat(16_396), "12 off"],
    ["two bytes", "é".repeat(8_193), "One off"],
    ["pairs", "aa" + "😀".repeat(4_096) + "b", "2 off"],
    ["accents", "e\u0301".repeat(5_462), "One off"],
  ]) {
    test(`is said by the code points at its end: ${what}`, () => {
      assert.deepEqual(judge.field("a", {a: text}), {isValid: false, rule: "text", message});
      assert.deepEqual(judge.field("a", {a: [...text].slice(0, -(parseInt(message) || 1)).join("")}), valid);
    });
  }

  test("is said of all texts together by the field with which they pass the limit", () => {
    const values = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, "a".repeat(16_384)]));
    const {fields} = judge.all({...values, f: "xé"});
    assert.deepEqual(Object.entries(fields).filter(([, {isValid}]) => !isValid),
      [["e", {isValid: false, rule: "text", message: "16386 off in all"}]]);
    assert.equal(judge.field("e", {...values, e: "e"}).message, "One off in all");
    assert.deepEqual(judge.overflow({...values, e: ""}), undefined);
  });
});

describe("what the server decides", () => {
  for (const [what, rule] of [
    ["a predicate of the server", server],
    ["any rule marked so", {rule: "nonEmpty", decidedBy: "server"}],
    ["a rule of a later version", {rule: "luhn"}],
    ["a rule named like an inherited property", {rule: "constructor"}],
    ["a pattern that does not compile", {rule: "pattern", pattern: "(?<=a"}],
    ["a range of unlike bounds", {rule: "range", min: "1", max: "2020-01-01"}],
    ["a step of nothing", {rule: "step", of: "0"}],
    ["sameAs of an unknown field", {rule: "sameAs", field: "g"}],
    ["compare with an unknown field", {rule: "compare", field: "g", is: "less"}],
    ["compare by an unknown relation", {rule: "compare", field: "f", is: "near"}],
  ]) {
    test(`${what} is pending`, () => assert.deepEqual(judged([rule], "1", {kind: "number"}), pending));
  }

  test("waits for the rules before it, and hides the ones after it", () => {
    assert.deepEqual(judged([unmet, server]), failing(unmet));
    assert.deepEqual(judged([server, unmet]), pending);
  });

  const all = (...rules) => ({rule: "all", rules, message: "All"});
  const any = (...rules) => ({rule: "any", rules, message: "Any"});
  const not = (...rules) => ({rule: "not", rules, message: "Not"});
  for (const [what, rule, verdict] of [
    ["all stops at a failure", all(unmet, server), failing(unmet)],
    ["all hides a failure after it", all(server, unmet), pending],
    ["all of met rules and it", all(met, server), pending],
    ["any with a met rule after it", any(server, met), valid],
    ["any with a met rule before it", any(met, server), valid],
    ["any without a met rule", any(unmet, server, unmet), pending],
    ["any of unmet rules", any(unmet, unmet), failing({rule: "any", message: "Any"})],
    ["not of it", not(server), pending],
    ["not of a list that fails before it", not(unmet, server), valid],
    ["not of not of it", not(not(server)), pending],
    ["not of an any that holds whatever it says", not(any(server, met)), failing({rule: "not", message: "Not"})],
    ["all in all reports the innermost", all(all(all(unmet))), failing(unmet)],
    ["all of nothing", all(), valid],
    ["any of nothing", any(), failing({rule: "any", message: "Any"})],
  ]) {
    test(`in combinations: ${what}`, () => assert.deepEqual(judged([rule]), verdict));
  }
});

describe("all fields", () => {
  const fields = [
    {name: "a", rules: [{rule: "nonEmpty", message: "Enter a"}]},
    {name: "b", rules: [{rule: "nonEmpty", message: "Enter b"}]},
    {name: "c", rules: [{rule: "nonEmpty", message: "Enter c"}, server]},
  ];
  const judge = compile({fields});

  test("have the message of the first that fails", () => {
    const verdict = judge.all({a: "x", c: "x"});
    assert.deepEqual(verdict, {isValid: false, message: "Enter b", fields: {
      a: valid, b: {isValid: false, rule: "nonEmpty", message: "Enter b"}, c: pending,
    }});
  });

  test("are pending only when none fails", () => {
    assert.deepEqual(judge.all({a: "x", b: "x", c: "x"}), {isValid: false, pending: true, fields: {a: valid, b: valid, c: pending}});
  });

  test("are valid when each is", () => {
    assert.deepEqual(compile({fields: fields.slice(0, 1)}).all({a: "x"}), {isValid: true, fields: {a: valid}});
    assert.deepEqual(compile({fields: []}).all({}), {isValid: true, fields: {}});
  });

  test("know whose verdicts read them, at any depth", () => {
    const reader = compile({fields: [
      {name: "a"},
      {name: "b", rules: [{rule: "any", rules: [{rule: "not", rules: [{rule: "sameAs", field: "a"}]}]}]},
      {name: "c", kind: "number", rules: [{rule: "compare", field: "a", is: "less", decidedBy: "server"}]},
      {name: "d", allow: [{rule: "sameAs", field: "b"}]},
      {name: "e", rules: [{rule: "not", rules: [{rule: "predicate", fields: ["a", "c"], decidedBy: "server"}]}]},
    ]});
    assert.deepEqual(["a", "b", "c"].map(reader.dependents), [["b", "c", "e"], ["d"], ["e"]]);
  });
});

describe("the editing filter", () => {
  const digits = {rule: "pattern", pattern: "[0-9]*", message: "Digits"};
  const judge = compile({fields: [
    {name: "pin", allow: [digits, {rule: "length", max: 4, message: "Four"}]},
    {name: "spaced", trim: true, allow: [digits]},
    {name: "asked", allow: [server, digits]},
  ]});

  for (const [field, text, allowed] of [
    ["pin", "1234", true], ["pin", "12345", false], ["pin", "12a", false], ["pin", "", true],
    ["spaced", " 12 ", true], ["spaced", "1 2", false], ["spaced", "  ", true],
    ["asked", "12", true], ["asked", "x", false],
  ]) {
    test(`of ${field} ${allowed ? "allows" : "refuses"} ${JSON.stringify(text)}`, () => assert.equal(judge.allows(field, text), allowed));
  }

  test("is judged after the rules, the empty text excepted", () => {
    const field = {rules: [{rule: "length", max: 9, message: "Nine"}], allow: [{rule: "length", min: 2, message: "Two"}]};
    assert.deepEqual(judged(field.rules, "x", field), {isValid: false, rule: "length", message: "Two"});
    assert.deepEqual(judged(field.rules, "", field), valid);
  });
});

test("full-width characters are named where a rule asks for ASCII", () => {
  const rules = [{rule: "pattern", pattern: "[0-9]+", message: "Digits"}], served = (kind, ...rules) => compile({fields: [{name: "f", kind, rules}], messages: {width: "Narrow"}});
  assert.equal(served("tel", ...rules).field("f", {f: "１２"}).message, "Narrow");
  assert.equal(served("tel", ...rules).field("f", {f: "x"}).message, "Digits");
  assert.equal(served("text", ...rules).field("f", {f: "１２"}).message, "Digits");
  for (const kind of ["tel", "text"]) {
    for (const rule of ["email", "url", "date", "time", "dateTime"]) {
      assert.equal(served(kind, {rule, message: "Other"}).field("f", {f: "１"}).message, "Narrow");
    }
    assert.equal(served(kind, {rule: "oneOf", values: ["a"], message: "Other"}).field("f", {f: "１"}).message, "Other");
  }
});

test("an option that is chosen twice is named", () => {
  const judge = compile({fields: [{name: "f", kind: "choices", rules: [{rule: "oneOf", values: ["a"], message: "Unknown"}]}], messages: {noOptionTwice: "Twice"}});
  assert.equal(judge.field("f", {f: ["a", "a"]}).message, "Twice");
  assert.equal(judge.field("f", {f: ["a", "b"]}).message, "Unknown");
});

describe("an answer", () => {
  for (const [kind, text, answer, optional] of [
    ["integer", "007", 7], ["number", "1.50", 1.5], ["number", "0.1", 0.1], ["number", "1e300", 1e300], ["slider", "5", 5],
    ["number", "9007199254740993", "9007199254740993"], ["number", "0.30000000000000001", "0.30000000000000001"],
    ["number", "9.9e308", "9.9e308"], ["number", "", null, true],
    ["boolean", "true", true], ["boolean", "false", false], ["boolean", undefined, false],
    ["choices", ["a"], ["a"]], ["choices", [], []], ["choices", [], null, true],
    ["text", "5", "5"], ["text", "", ""], ["text", "", null, true], ["multiline", "a\r\nb", "a\nb"],
  ]) {
    test(`to ${optional ? "optional " : ""}${kind} ${JSON.stringify(text)} is ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(compile({fields: [{name: "a", kind, optional}]}).answers({a: text}), {a: answer});
    });
  }
});

describe("a list", () => {
  const items = {rule: "items", rules: [{rule: "number", message: "a number"}]};
  const judge = compile({fields: [{name: "a", kind: "list", trim: true, optional: true, rules: [items]}], messages: {onLine: "Line {line}: {sentence}"}});

  test("names the line that is not valid, blank ones counted", () => {
    assert.deepEqual(judge.field("a", {a: "1\n\n x\n"}), {isValid: false, rule: "number", message: "Line 3: a number"});
    assert.equal(judge.field("a", {a: ["1", "x"]}).message, "Line 2: a number");
  });

  test("answers numbers, or null if it is empty", () => {
    assert.deepEqual(judge.answers({a: "1,5\n\n2\n9007199254740993"}), {a: [1.5, 2, "9007199254740993"]});
    assert.deepEqual(judge.answers({a: " \n"}), {a: null});
  });
});

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

for (const [file, names] of [["hosts", { never: "notInHosts" }], ["hidden", {}]]) test(`${file}.js has the ranges of the server`, () => {
  const own = {}, server = {};
  for (const [, name, text] of read(`Public/${file}.js`).matchAll(/(\w+) = ranges\("([^"]+)"\)/g)) own[name] = text.split(" ");
  for (const [, name, ...points] of read(`Sources/Prompts/Pattern/Unicode/${file}.txt`).matchAll(/^(\w+); (\w+)(?:\.\.(\w+))?$/gm)) {
    const range = points.filter(Boolean).map((point) => parseInt(point, 16).toString(16)).join("-");
    (server[names[name] ?? name] ??= []).push(range);
  }
  assert.deepEqual(own, server);
  assert.ok(Object.keys(own).length > 5);
});

test("notBlank takes what the server's list of invisible code points does not have, and no white space", () => {
  const judge = compile({fields: [{name: "a", kind: "multiline", rules: [{rule: "notBlank"}]}]});
  const ranges = [...read("Sources/Prompts/Pattern/Unicode/hidden.txt").matchAll(/^hidden; (\w+)(?:\.\.(\w+))?$/gm)]
    .map(([, low, high = low]) => [parseInt(low, 16), parseInt(high, 16)]);
  const isHidden = (point) => ranges.some(([low, high]) => low <= point && point <= high);
  for (let point = 0x20; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const text = String.fromCodePoint(point), isVisible = /\S/u.test(text) && !isHidden(point);
    if (judge.field("a", {a: text}).isValid !== isVisible) assert.fail(`U+${point.toString(16)}`);
  }
});

test("numbers are written as the server's files of languages say", () => {
  for (const file of readdirSync(new URL("../../Sources/Prompts/Languages", import.meta.url))) {
    const decimal = new Intl.NumberFormat(`${file.replace(".json", "")}-u-nu-latn`).formatToParts(.5).find(({type}) => type === "decimal").value;
    assert.equal(JSON.parse(read(`Sources/Prompts/Languages/${file}`)).decimal, decimal, file);
  }
});

test("digits have the zeros of the server", () => {
  const [, own] = /zeros = "([^"]+)"/.exec(read("Public/quantities.js"));
  const server = [...read("Sources/Prompts/Pattern/Unicode/digits.txt").matchAll(/^zero; 0*(\w+)$/gm)];
  assert.deepEqual(own.split(" "), server.map(([, zero]) => zero.toLowerCase()));
});

describe("a part of the judge that a page has not loaded", () => {
  const field = (rule) => ({fields: [{name: "f", kind: "text", rules: [rule]}]});

  for (const rule of [{rule: "number"}, {rule: "range", min: "1"}, {rule: "count", min: 2}, {rule: "not", rules: [{rule: "nonEmpty"}]},
    {rule: "url"}, {rule: "email", international: true}, {rule: "format", format: "ipv4"}]) {
    test(`leaves its rules to the server: ${rule.rule}`, () => {
      assert.deepEqual(compileParts(field(rule)).field("f", {f: "x"}), pending);
      assert.equal(compileParts(field(rule), quantities, logic, hosts, formats).field("f", {f: "x"}).rule, rule.rule);
    });
  }

  test("is named by a page for each of its rules", () => {
    const pages = readFileSync(new URL("../../Sources/OKCancel/Pages/Pages+Dialog.swift", import.meta.url), "utf8");
    const names = (file) => JSON.parse(new RegExp(`\\("${file}", has\\((\\[.+\\])\\)`).exec(pages)[1]);
    for (const rule of Object.keys(quantities.factories)) assert.ok(names("quantities.js").includes(rule), rule);
    // What looks at another field says so with this key.
    const {sameAs, ...others} = logic.factories;
    for (const rule of [...Object.keys(others), "field", "tooLongTogether"]) assert.ok(names("logic.js").includes(rule), rule);
    for (const rule of ["url", "international", "format"]) assert.ok(names("hosts.js").includes(rule), rule);
    assert.deepEqual(names("formats.js"), ["format"]);
  });
});
