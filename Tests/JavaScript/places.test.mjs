/** Where the browser's answers stand. */
import assert from "node:assert/strict";
import {it} from "node:test";
import {entries} from "../../Public/okcancel.js";
import * as places from "../../Public/places.js";
import {compile} from "../../Public/rules.js";

const field = (name, more) => ({name, kind: "text", rules: [], ...more});

it("puts answers where the fields say", () => {
  const rules = {fields: [
    field("first", {at: "/first-name"}), field("city", {at: "/address/city"}), field("odd", {at: "/address/to~1String~0"}),
    field("box", {at: "/box", kind: "boolean", valueType: "object"}), field("inner", {at: "/box/toString"}), field("plain"),
  ], messages: {}};
  const judge = compile(rules);
  assert.deepEqual(judge.answers({first: "A", city: "L", odd: "o", box: "true", inner: "i", plain: "p"}),
    {"first-name": "A", address: {city: "L", "to/String~": "o"}, box: {toString: "i"}, plain: "p"});
  assert.equal(places.valueOf(rules.fields[1], {address: {city: "L"}}), "L");
  for (const values of [{}, {address: null}, {address: "L"}, undefined]) {
    assert.equal(places.valueOf(rules.fields[1], values), undefined);
  }
});

it("gives answers the types that the fields say", () => {
  const any = (...rules) => [{rule: "any", rules: rules.map((each) => ({rule: "all", rules: [each]}))}];
  const rules = {objects: ["/kept", "/kept/inner", "/gone/inner"], messages: {}, fields: [
    field("either", {valueTypes: ["number", "boolean", "string"], rules: any({rule: "integer"}, {rule: "oneOf", values: ["true", "false"]}, {rule: "none"})}),
    field("size", {kind: "choice", valueType: "number"}), field("on", {kind: "choice", valueType: "boolean"}), field("text", {kind: "integer", valueType: "string"}),
    field("sizes", {kind: "list", valueType: "number"}), field("none", {optional: true, omitEmpty: true}), field("null", {optional: true}),
    field("box", {kind: "boolean", valueType: "object", optional: true}), field("off", {kind: "boolean", valueType: "object", optional: true, omitEmpty: true}),
    field("gone", {at: "/gone/x", optional: true, omitEmpty: true}),
  ]};
  const answer = (either) => compile(rules).answers({either, size: "1", on: "true", text: "7", sizes: "1\n2.5", none: "", null: "", box: "false", off: "false", gone: ""});
  for (const [text, either] of [["12", 12], ["true", true], ["x", "x"], ["1.5", "1.5"]]) {
    assert.deepEqual(answer(text), {either, size: 1, on: true, text: "7", sizes: [1, 2.5], null: null, box: null, kept: {inner: {}}});
  }
});

it("makes a number that no double holds a string, where strings can be", () => {
  const rules = {fields: [field("n", {valueTypes: ["number", "string"], rules: [{rule: "any", rules: [{rule: "number"}, {rule: "none"}]}]})], messages: {}};
  assert.deepEqual(compile(rules).answers({n: "19e308"}), {n: "19e308"});
  assert.deepEqual(compile(rules).answers({n: "-17e307"}), {n: -17e307});
});

it("names a single value as the control, however many fields have none", () => {
  assert.deepEqual(entries("n", {address: {city: "L"}}, 2), [["n.address.city", "L"]]);
  assert.deepEqual(entries("n", {address: {city: "L"}}, 1), [["n", "L"]]);
  assert.deepEqual(entries("n", {}, 2), [["n", "ok"]]);
});

it("gives a form the texts of objects, each under its own name", () => {
  assert.deepEqual(entries("n", {a: "x", address: {city: "L", tags: ["1", "2"]}}),
    [["n.a", "x"], ["n.address.city", "L"], ["n.address.tags", "1"], ["n.address.tags", "2"]]);
});
