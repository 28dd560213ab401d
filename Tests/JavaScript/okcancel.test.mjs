import assert from "node:assert/strict";
import { it } from "node:test";
import { address, ask, entries } from "../../Public/okcancel.js";

const server = "https://ask.example.com";

it("finds prompts by their names and links of its own server", () => {
  for (const [what, path] of [
    ["email", "/prompts/email"], ["7", "/prompts/7"], ["a-b", "/prompts/a-b"], [`${server}/a/x1`, "/a/x1"],
    ["https://ask.example.com:443/a/x1", "/a/x1"], ["/a/x1", "/a/x1"], [`${server}/prompts/email`, "/prompts/email"],
  ]) {
    assert.equal(address(what, server).href, server + path);
  }
});

it("finds them under the path of its server", () => {
  const under = "https://example.com/ask";
  for (const base of [under, `${under}/`]) {
    for (const [what, path] of [["email", "/prompts/email"], [`${under}/a/x1`, "/a/x1"], ["/ask/a/x1", "/a/x1"]]) {
      assert.equal(address(what, base).href, under + path);
    }
    for (const what of ["/a/x1", "https://example.com/a/x1", "https://example.com/asks/a/x1", `${under}/ask/a/x1`, `${under}/../a/x1`]) {
      assert.throws(() => address(what, base), TypeError, what);
    }
  }
});

it("opens nothing else", () => {
  for (const what of [
    "", " ", "Email", "e mail", "-", "http://ask.example.com/a/x", "https://ask.example.com.evil.example/a/x",
    "https://ask.example.com@evil.example/a/x", "//evil.example/a/x", "https://ask.example.com:8443/a/x", "javascript:alert(1)",
    "data:text/html,x", "blob:https://ask.example.com/x", `${server}/`, `${server}/a/`, `${server}/a/x/rules`, `${server}/asks/x`,
    `${server}/a/../okcancel.js`, "/prompts/email/answers", "https://",
  ]) {
    assert.throws(() => address(what, server), TypeError, what);
  }
});

it("says what is wrong with an address and what to do", () => {
  assert.throws(() => address("http://10.0.0.1/a/x", server), {
    message: "OKCancel: “http://10.0.0.1/a/x” is neither the name of a prompt nor a link of https://ask.example.com. "
      + "Links begin with its --base-url.",
  });
});

it("names one field's value as the control, several each with its own name", () => {
  for (const [values, expected] of [
    [{}, [["q", "ok"]]], [{ email: "a@b.c" }, [["q", "a@b.c"]]], [{ n: 7 }, [["q", "7"]]], [{ yes: false }, [["q", "false"]]],
    [{ note: null }, [["q", ""]]], [{ all: ["a", "b"] }, [["q", "a"], ["q", "b"]]], [{ none: [] }, []],
    [{ n: "12345678901234567890", all: ["a", "b"], none: [], note: null },
      [["q.n", "12345678901234567890"], ["q.all", "a"], ["q.all", "b"], ["q.note", ""]]],
  ]) {
    assert.deepEqual(entries("q", values), expected);
  }
});

it("takes no option that there is not", async () => {
  await assert.rejects(ask("email", { value: { email: "a@b.c" } }), {
    name: "TypeError",
    message: "OKCancel: ask has no option “value”; use values, subject, lang, signal, server or create.",
  });
});

it("needs a browser to ask, and says so", async () => {
  await assert.rejects(ask("email"), {
    message: "OKCancel: ask needs a browser. Elsewhere, make an ask with POST /asks.",
  });
});
