import assert from "node:assert/strict";
import { it } from "node:test";
import { ask } from "../../Public/dialog-asking.js";
import { DialogState } from "../../Public/dialog-state.js";

const rules = {
  fields: [{ name: "a", kind: "text", rules: [{ rule: "predicate", name: "free", decidedBy: "server" }] }],
};
const valid = { ok: true, json: async () => ({ fields: { a: { isValid: true } } }) };

/** A dialog whose server answers when the test says so. */
function asking() {
  const state = new DialogState(rules, { a: "x" }, {}, "", [], []);
  const sent = [], results = [];
  const send = (url, { body }) => new Promise((answer, fail) => sent.push({ url, body, answer, fail }));
  const asker = ask("/validate/p", state, (result) => results.push(result), 3000, send);
  return { state, sent, results, asker };
}

const settle = () => new Promise((done) => setImmediate(done));

it("asks after a pause, once", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { state, sent, asker } = asking();
  for (const text of ["xy", "xyz"]) {
    state.edit("a", text);
    asker.later();
    context.mock.timers.tick(200);
  }
  assert.equal(sent.length, 0);
  context.mock.timers.tick(100);
  assert.deepEqual(sent.map(({ url, body }) => [url, `${body}`]), [["/validate/p?only=a", "a=xyz"]]);
});

it("asks one question at a time, and the newest next", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { state, sent, asker } = asking();
  asker.now();
  state.edit("a", "y");
  asker.later();
  context.mock.timers.tick(300);
  assert.equal(sent.length, 1);
  sent[0].answer(valid);
  await settle();
  assert.equal(state.ok, "busy");
  assert.deepEqual(sent.map(({ body }) => `${body}`), ["a=x", "a=y"]);
  sent[1].answer(valid);
  await settle();
  assert.equal(state.ok, "enabled");
});

for (const [name, end] of [
  ["does not answer", ({ fail }) => fail(new TypeError("no network"))],
  ["answers with an error", ({ answer }) => answer({ ok: false })],
  ["answers no JSON", ({ answer }) => answer({ ok: true, json: async () => JSON.parse("<") })],
]) {
  it(`locks nobody out where the server ${name}`, async () => {
    const { state, sent, results, asker } = asking();
    asker.now();
    end(sent[0]);
    await settle();
    assert.equal(state.ok, "enabled");
    assert.equal(results[0].isReachable, false);
  });
}

it("hands back what a waiting press leads to", async () => {
  const { state, sent, results, asker } = asking();
  state.press("ok");
  asker.now();
  sent[0].answer(valid);
  await settle();
  assert.deepEqual(results, [{ press: { by: "ok", decision: "send" }, isReachable: true }]);
});
