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

it("gives a form the texts of objects, each under its own name", () => {
  assert.deepEqual(entries("n", {a: "x", address: {city: "L", tags: ["1", "2"]}}),
    [["n.a", "x"], ["n.address.city", "L"], ["n.address.tags", "1"], ["n.address.tags", "2"]]);
});
