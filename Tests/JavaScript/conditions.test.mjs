/** What the corpus cannot say of conditions.js: who is judged again, what is asked, answered and left to the server. */
import assert from "node:assert/strict";
import {describe, it} from "node:test";
import * as conditions from "../../Public/conditions.js";
import {answered, question} from "../../Public/dialog-asking.js";
import * as logic from "../../Public/logic.js";
import {DialogState} from "../../Public/dialog-state.js";
import {compile} from "../../Public/rules.js";

const on = (field, ...values) => [{field, rules: [{rule: "oneOf", values}]}];
const filled = {rule: "nonEmpty", message: "Enter something"};
const asked = {rule: "predicate", name: "free", message: "Taken", decidedBy: "server"};

const rules = {
  fields: [
    {name: "a", kind: "text", rules: []},
    {name: "b", kind: "text", when: on("a", "1"), rules: [filled]},
    {name: "c", kind: "text", when: on("b", "2"), rules: [asked]},
    {name: "same", kind: "text", rules: [{rule: "sameAs", field: "c", message: "Same"}]},
    {name: "other", kind: "text", optional: true, rules: []},
  ],
  actions: [{name: "save", when: on("c", "3")}],
  messages: {},
};

describe("a judge with conditions", () => {
  const judge = compile(rules);

  it("judges again whatever an edit decides, however far off", () => {
    assert.deepEqual(judge.dependents("a").sort(), ["b", "c", "same"]);
    assert.deepEqual(judge.dependents("b").sort(), ["c", "same"]);
    assert.deepEqual(judge.dependents("c"), ["same"]);
    assert.deepEqual(judge.dependents("other"), []);
  });

  it("gives verdicts and answers to what applies only", () => {
    const values = {a: "0", b: "2", c: "3", same: "", other: ""};
    assert.deepEqual(Object.keys(judge.all(values).fields), ["a", "same", "other"]);
    assert.deepEqual(judge.answers(values), {a: "0", same: "", other: null});
    assert.deepEqual(judge.field("b", values), {isValid: true, applies: false});
    assert.equal(judge.all(values).isValid, true);
  });

  it("knows which actions apply", () => {
    assert.equal(judge.actionApplies("save", {a: "1", b: "2", c: "3"}), true);
    assert.equal(judge.actionApplies("save", {a: "0", b: "2", c: "3"}), false);
  });

  it("leaves to the server what this engine cannot tell of", () => {
    const doubtful = compile({fields: [
      {name: "a", kind: "text", rules: []},
      {name: "b", kind: "text", when: [{field: "a", rules: [{rule: "pattern", pattern: "(", message: "?"}]}], rules: []},
      {name: "c", kind: "text", rules: [{rule: "sameAs", field: "b"}]},
      {name: "d", kind: "text", when: on("b", "x"), rules: []},
    ]});
    const values = {a: "x", b: "x", c: "x", d: "x"};
    assert.equal(doubtful.applies("b", values), undefined);
    for (const name of ["b", "c", "d"]) assert.deepEqual(doubtful.field(name, values), {isValid: false, pending: true}, name);
    assert.deepEqual(doubtful.field("a", values), {isValid: true});
    // Without its other condition it would not apply either.
    assert.deepEqual(doubtful.field("d", {...values, b: "y"}), {isValid: true, applies: false});
  });

  it("bears conditions that run in a circle or name no field", () => {
    const circle = compile({fields: [
      {name: "a", kind: "text", when: on("b", ""), rules: []}, {name: "b", kind: "text", when: on("a", ""), rules: []},
      {name: "c", kind: "text", when: on("nowhere", ""), rules: []},
    ]});
    assert.deepEqual(circle.all({}), {isValid: true, fields: {}});
  });
});

describe("a dialog with conditions", () => {
  const dialog = (texts, delegates = []) => {
    const state = new DialogState(rules, {a: "", b: "", c: "", same: "", other: "", ...texts}, {}, "", [logic, conditions], []);
    state.delegates = delegates;
    state.judged.clear();
    return state;
  };

  it("has OK follow what applies", () => {
    const state = dialog();
    assert.equal(state.ok, "enabled");
    state.edit("a", "1");
    assert.deepEqual([state.ok, state.failing], ["dimmed", ["b"]]);
    state.edit("a", "");
    assert.equal(state.ok, "enabled");
  });

  it("keeps no message of a field that went, and says none when it comes back", () => {
    const state = dialog({a: "1"});
    assert.equal(state.press({}), "refuse");
    assert.equal(state.message("b"), "Enter something");
    state.edit("a", "");
    assert.equal(state.message("b"), "");
    state.edit("a", "1");
    assert.equal(state.message("b"), "");
    assert.equal(state.press({}), "refuse");
  });

  it("asks the server with every field that decides, and takes no verdict for none that applies", () => {
    const state = dialog({a: "1", b: "2", c: "x", other: "y", same: "x"});
    const asking = question(state);
    assert.deepEqual(asking.only, ["c"]);
    assert.deepEqual(asking.values, {a: "1", b: "2", c: "x"});
    answered(state, asking, {});
    assert.equal(state.ok, "enabled");
  });

  it("drops a stale no of the server when the field goes", () => {
    const state = dialog({a: "1", b: "2", c: "x", same: "x"});
    answered(state, question(state), {c: {isValid: false, rule: "predicate", message: "Taken"}});
    assert.deepEqual(state.failing, ["c"]);
    state.edit("a", "");
    assert.deepEqual(state.failing, ["same"]);
    state.edit("same", "");
    assert.equal(state.ok, "enabled");
  });

  it("asks no delegate about what does not apply", () => {
    const names = [];
    const state = dialog({}, [{validate: (name) => names.push(name) > 0}]);
    state.edit("a", "0");
    assert.deepEqual([...new Set(names)], ["a", "same"]);
    assert.deepEqual([...state.judged], ["a", "same"]);
  });
});
