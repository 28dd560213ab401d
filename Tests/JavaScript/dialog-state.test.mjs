import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answered, question } from "../../Public/dialog-asking.js";
import { DialogState } from "../../Public/dialog-state.js";
import * as logic from "../../Public/logic.js";

const short = { rule: "length", min: 3, message: "Enter at least 3 characters" };
const word = { rule: "pattern", pattern: "[a-z]*", message: "Use small letters" };
const filled = { rule: "nonEmpty", message: "Enter something" };
const asked = { rule: "predicate", name: "free", message: "Taken", decidedBy: "server" };

const both = ["whileEditing", "afterEditing"];

/** A dialog of fields with these rules, and the texts it begins with. */
function dialog(fields, texts = {}, served = {}) {
  const list = Object.entries(fields).map(([name, field]) => ({ name, kind: "text", validate: both, ...field }));
  const empty = Object.fromEntries(list.map(({ name }) => [name, ""]));
  return new DialogState({ fields: list, messages: {} }, { ...empty, ...texts }, served, "Not this", [logic], []);
}

/** Types a text as a person does, one more character at a time. */
function type(state, name, text) {
  for (const character of text) state.edit(name, state.text(name) + character);
}

describe("OK", () => {
  for (const [rules, text, ok] of [
    [[], "", "enabled"], [[filled], "", "dimmed"], [[filled], "x", "enabled"],
    [[short], "xx", "dimmed"], [[asked], "x", "busy"], [[filled, asked], "", "dimmed"],
  ]) {
    it(`is ${ok} at first with ${JSON.stringify(text)} under ${rules.map(({ rule }) => rule)}`, () => {
      assert.equal(dialog({ a: { rules } }, { a: text }).ok, ok);
    });
  }

  it("follows every edit, whether messages show or not", () => {
    const state = dialog({ a: { rules: [short], validate: [] } });
    const seen = ["a", "ab", "abc", "ab"].map((text) => (state.edit("a", text), state.ok));
    assert.deepEqual(seen, ["dimmed", "dimmed", "enabled", "dimmed"]);
    assert.equal(state.message("a"), "");
  });

  it("is enabled where nobody asks the server, whose submit decides", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    state.asks = undefined;
    assert.deepEqual([state.ok, state.press()], ["enabled", "send"]);
  });

  it("is dimmed rather than busy while another field fails", () => {
    assert.equal(dialog({ a: { rules: [asked] }, b: { rules: [filled] } }, { a: "x" }).ok, "dimmed");
  });

  it("names the failing fields from first to last", () => {
    assert.deepEqual(dialog({ a: { rules: [filled] }, b: {}, c: { rules: [short] } }).failing, ["a", "c"]);
  });
});

describe("Messages", () => {
  const { message } = short, leave = Symbol("leave");
  // Each step is a text that is entered, or `leave`, and the message from then on.
  for (const [what, field, text, ...steps] of [
    ["do not show for what the dialog began with", { rules: [short] }, "x"],
    ["are silent for the first character and show from the second", { rules: [short] }, "", ["x", ""], ["xy", message]],
    ["show when a text is cleared", { rules: [filled] }, "x", ["", filled.message]],
    ["go as soon as the text is valid", { rules: [short] }, "", ["x", ""], ["xy", message], ["xyz", ""]],
    ["change to those of another failing rule", { rules: [short, word] }, "", ["x", ""], ["xy", message], ["xy1", word.message]],
    ["come on leaving unless the rules say more, and then follow every edit until the text is right",
      { rules: [short], validate: undefined }, "", ["x", ""], ["xy", ""], [leave, message], ["x", message], ["xyz", ""], ["x", ""]],
    ["do not come on leaving a field that nobody edited", { rules: [filled] }, "", [leave, ""]],
    ["come on leaving after only the first character", { rules: [short] }, "", ["x", ""], [leave, message]],
    ["stay away from a valid field after it was left", { rules: [short], validate: ["afterEditing"] }, "",
      ["x", ""], ["xyz", ""], [leave, ""], ["xy", ""]],
    ["of a list of choices follow the same rules",
      { kind: "choices", rules: [{ rule: "count", min: 2, message: "Choose two" }] }, [], [["x"], ""], [[], "Choose two"], [["x", "y"], ""]],
  ]) {
    it(what, () => {
      const state = dialog({ a: field }, { a: text });
      assert.equal(state.message("a"), "");
      for (const [step, expected] of steps) {
        if (step === leave) state.leave("a");
        else state.edit("a", step);
        assert.equal(state.message("a"), expected);
      }
    });
  }

  for (const [validate, onEdit, onLeave] of [
    [["whileEditing", "afterEditing"], message, message], [["whileEditing"], message, message],
    [["afterEditing"], "", message], [[], "", ""],
  ]) {
    it(`come at their time with validate: [${validate}]`, () => {
      const state = dialog({ a: { rules: [short], validate } });
      type(state, "a", "xy");
      assert.equal(state.message("a"), onEdit, "on the edit");
      state.leave("a");
      assert.equal(state.message("a"), onLeave, "on leaving");
      assert.equal(state.press(), "refuse");
      assert.equal(state.message("a"), message, "on a refused OK");
    });
  }

  it("that came with the page stay until the field is edited", () => {
    const state = dialog({ a: { kind: "password", rules: [filled] } }, {}, { a: "Wrong password" });
    assert.equal(state.message("a"), "Wrong password");
    type(state, "a", "x");
    assert.equal(state.message("a"), "");
  });
});

describe("Fields that look at each other", () => {
  const fields = {
    a: { rules: [filled] }, b: { rules: [{ rule: "sameAs", field: "a", message: "Type the same" }] },
  };

  it("are judged anew together", () => {
    const state = dialog(fields, { a: "x", b: "x" });
    assert.equal(state.ok, "enabled");
    state.edit("a", "y");
    assert.deepEqual(state.failing, ["b"]);
  });

  it("show the other's message on leaving, if the other was edited", () => {
    const state = dialog(fields);
    type(state, "a", "x");
    state.leave("a");
    assert.equal(state.message("b"), "");
    type(state, "b", "x");
    state.edit("a", "xy");
    state.leave("a");
    assert.equal(state.message("b"), "Type the same");
    state.edit("a", "x");
    assert.equal(state.message("b"), "");
  });
});

describe("The gate", () => {
  it("refuses, shows every failing field's message, and stays open", () => {
    const state = dialog({ a: { rules: [filled] }, b: { rules: [] }, c: { rules: [short], validate: [] } });
    assert.equal(state.press(), "refuse");
    assert.deepEqual(["a", "b", "c"].map((name) => state.message(name)), [filled.message, "", short.message]);
    assert.equal(state.isClosed, false);
  });

  it("lets one outcome through", () => {
    const state = dialog({ a: {} });
    assert.deepEqual([state.press(), state.press(), state.isClosed], ["send", "none", true]);
  });

  it("is open again after the page came back", () => {
    const state = dialog({ a: {} });
    state.press();
    state.reopen();
    assert.equal(state.press(), "send");
  });
});

describe("Composing", () => {
  it("brings no message until it ends, then counts as one edit", () => {
    const state = dialog({ a: { rules: [short] } }, { a: "x" });
    state.startComposing("a");
    type(state, "a", "y");
    assert.equal(state.message("a"), "");
    assert.equal(state.ok, "dimmed");
    assert.equal(state.endComposing("a"), "x");
    assert.equal(state.message("a"), short.message);
  });

  it("is silent where the text was empty before it", () => {
    const state = dialog({ a: { rules: [short] } });
    state.startComposing("a");
    type(state, "a", "xy");
    state.endComposing("a");
    assert.equal(state.message("a"), "");
  });

  it("that changes nothing is no edit", () => {
    const state = dialog({ a: { rules: [short] } }, { a: "x" });
    state.startComposing("a");
    state.endComposing("a");
    assert.equal(state.message("a"), "");
  });
});

describe("The editing filter", () => {
  it("lets pass what its rules let pass, and the empty text", () => {
    const state = dialog({ a: { allow: [{ rule: "pattern", pattern: "[0-9]+" }] } });
    assert.deepEqual(["1", "1a", ""].map((text) => state.allows("a", text)), [true, false, true]);
  });
});

describe("A refused text", () => {
  it("leaves a note until the next edit, and no verdict", () => {
    const state = dialog({ a: { rules: [filled], allow: [word] } }, { a: "x" });
    state.note("a", "1 200");
    assert.deepEqual([state.message("a"), state.ok, state.press()], [word.message, "enabled", "send"]);
    state.reopen();
    type(state, "a", "y");
    assert.equal(state.message("a"), "");
  });

  it("that only a page refuses has the page's sentence", () => {
    const state = dialog({ a: { rules: [] } });
    state.note("a", "x");
    assert.equal(state.message("a"), "Not this");
  });
});

describe("Rules that the server decides", () => {
  const taken = { a: { isValid: false, rule: "predicate", message: "Taken" } };

  it("are asked for the fields they belong to and those that these look at", () => {
    const sameAs = { rule: "sameAs", field: "c" };
    const state = dialog({ a: { rules: [asked, sameAs] }, b: {}, c: {} }, { a: "x", b: "secret", c: "x" });
    const { only, values } = question(state);
    assert.deepEqual([only, values], [["a"], { a: "x", c: "x" }]);
  });

  it("are not asked while an earlier rule fails", () => {
    assert.equal(question(dialog({ a: { rules: [filled, asked] } })), undefined);
  });

  it("enable OK with a yes", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    assert.equal(answered(state, question(state), { a: { isValid: true } }), undefined);
    assert.equal(state.ok, "enabled");
  });

  it("show their message at the time of any other", () => {
    const state = dialog({ a: { rules: [asked] } });
    state.edit("a", "x");
    answered(state, question(state), taken);
    assert.deepEqual([state.ok, state.message("a")], ["dimmed", ""]);
    state.edit("a", "xy");
    assert.equal(state.message("a"), "");
    answered(state, question(state), taken);
    assert.equal(state.message("a"), "Taken");
  });

  it("drop a stale answer", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    const asking = question(state);
    state.edit("a", "xy");
    answered(state, asking, taken);
    assert.equal(state.ok, "busy");
  });

  it("let a press wait and act on the verdict", () => {
    for (const [verdicts, decision] of [[taken, "refuse"], [{ a: { isValid: true } }, "send"], [null, "send"]]) {
      const state = dialog({ a: { rules: [asked] } }, { a: "x" });
      assert.equal(state.press("ok"), "wait");
      assert.deepEqual(answered(state, question(state), verdicts), { by: "ok", decision });
      assert.equal(state.message("a"), decision === "refuse" ? "Taken" : "");
    }
  });

  it("forget a waiting press when the text is edited", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    state.press("ok");
    state.edit("a", "xy");
    assert.equal(answered(state, question(state), { a: { isValid: true } }), undefined);
    assert.equal(state.isClosed, false);
  });

  it("enable OK where the server cannot be reached", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    answered(state, question(state), null);
    assert.equal(state.ok, "enabled");
  });

  it("are asked again by a new press, because the no may have been \"could not check\"", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" });
    answered(state, question(state), taken);
    assert.equal(state.press("ok"), "wait");
    assert.deepEqual(answered(state, question(state), { a: { isValid: true } }), { by: "ok", decision: "send" });
  });

  it("keep the no that came with the page, for the text it came with", () => {
    const state = dialog({ a: { rules: [asked] } }, { a: "x" }, { a: "Taken" });
    assert.deepEqual([state.ok, state.message("a")], ["dimmed", "Taken"]);
    state.edit("a", "y");
    assert.deepEqual([state.ok, state.message("a")], ["busy", ""]);
  });
});

describe("An answer that the server refuses", () => {
  it("shows its message until the text is another one", () => {
    const state = dialog({ a: { rules: [filled], validate: [] }, b: { rules: [] } }, { a: "x" });
    assert.equal(state.press(), "send");
    state.reopen();
    state.refuse({ a: "Taken" });
    assert.deepEqual([state.ok, state.failing, state.message("a"), state.message("b")], ["dimmed", ["a"], "Taken", ""]);
    state.edit("a", "xy");
    assert.deepEqual([state.ok, state.message("a")], ["enabled", ""]);
  });
});

describe("Delegates", () => {
  it("are asked in order, each after a yes, and only after the dialog's own", () => {
    const state = dialog({ a: { rules: [short] } });
    const calls = [];
    state.delegates.push(
      { validate: (field, text) => (calls.push(`1 ${text}`), text !== "no!") }, {},
      { validate: (field, text) => (calls.push(`2 ${text}`), { isValid: text === "yes", message: "Say yes" }) });
    const seen = ["n", "no!", "yes", "why"].map((text) => (state.edit("a", text), state.verdict("a")));
    assert.deepEqual(calls, ["1 no!", "1 yes", "2 yes", "1 why", "2 why"]);
    assert.deepEqual(seen.map(({ isValid, message }) => [isValid, message]),
      [[false, short.message], [false, "Not this"], [true, undefined], [false, "Say yes"]]);
  });

  it("cannot make valid what the dialog refuses", () => {
    const state = dialog({ a: { rules: [short] } });
    state.delegates.push({ validate: () => true, shouldChange: () => true });
    state.judgeAll();
    assert.equal(state.ok, "dimmed");
  });

  it("may write into another field while they judge", () => {
    const state = dialog({ a: {}, b: {} }), seen = [];
    state.delegates.push({ validate: (field, text) => {
      if (field === "a" && text === "bad") {
        state.edit("b", "seen");
        seen.push(state.ok);
      }
      return text !== "bad" || { isValid: false, message: "Not that" };
    } });
    state.edit("a", "bad");
    assert.deepEqual([seen, state.ok, state.failing], [["enabled"], "dimmed", ["a"]]);
  });

  it("refuse edits and Return", () => {
    const state = dialog({ a: { allow: [word] } });
    state.delegates.push({ shouldChange: (field, text) => text.length < 3, shouldReturn: () => false });
    assert.deepEqual(["a", "1", "abc"].map((text) => state.allows("a", text)), [true, false, false]);
    assert.equal(state.shouldReturn("a"), false);
  });
});

describe("Judged fields", () => {
  it("are told for good verdicts too, dependents included", () => {
    const state = dialog({ a: {}, b: { rules: [{ rule: "sameAs", field: "a" }] }, c: {} });
    state.judged.clear();
    state.edit("a", "x");
    assert.deepEqual([...state.judged], ["a", "b"]);
  });
});

describe("all texts together", () => {
  const full = "x".repeat(16_384), fields = Object.fromEntries([..."abcdef"].map((name) => [name, { rules: [] }]));
  const filled = (last) => ({ a: full, b: full, c: full, d: full, ...last });

  it("are judged at every edit, and another field may say that they are too long", () => {
    const state = dialog(fields, filled({ d: full.slice(1), f: "f" }));
    assert.equal(state.ok, "enabled");
    state.edit("a", full + "x");
    assert.deepEqual(state.failing, ["a", "f"]);
    state.edit("a", full);
    assert.deepEqual([state.ok, state.failing], ["enabled", []]);
    state.edit("e", "e");
    assert.deepEqual(state.failing, ["f"]);
    state.edit("d", "");
    assert.deepEqual([state.ok, state.failing], ["enabled", []]);
  });

  it("are told to the page: the field that fails is among those judged", () => {
    const state = dialog(fields, filled({ f: "" }));
    state.judged.clear();
    state.edit("e", "e");
    assert.deepEqual([...state.judged], ["e"]);
    state.edit("d", full.slice(1));
    assert.deepEqual([...state.judged].sort(), ["d", "e"]);
  });

  it("leave what the server said of another field", () => {
    const state = dialog({ ...fields, f: { rules: [asked] } }, filled({ d: full.slice(1), f: "f" }));
    answered(state, question(state), { f: { isValid: true } });
    assert.equal(state.ok, "enabled");
    state.edit("e", "e");
    assert.deepEqual(state.failing, ["f"]);
    state.edit("e", "");
    assert.equal(state.ok, "enabled");
  });
});
