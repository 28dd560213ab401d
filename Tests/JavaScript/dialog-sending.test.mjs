import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, it } from "node:test";
import { explanation, standing } from "../../Public/dialog-sending.js";

const sentences = { unreachable: "unreachable", failed: "failed", signIn: "sign in first" };
/** The sentence of the page that the server has for somebody else; a proxy's has none. */
const notForYou = '"not-for-you"';
const page = "<!doctype html><title>Sign in</title>", login = "https://auth.example.com/?rd=x";
const problem = (status, code, more) => JSON.stringify({ status, code, detail: `${code}.`, ...more });

globalThis.location = { pathname: "/a/token" };

/** What a proxy, or the server behind it, responds; what a person reads; and where their link leads. */
const table = [
  // A proxy's sign-in, firewall or failure, in HTML.
  [302, page, "sign in first", "/a/token"], [303, page, "sign in first", "/a/token"],
  [307, page, "sign in first", "/a/token"], [401, page, "sign in first", "/a/token"], [401, "", "sign in first", "/a/token"],
  [403, page, "failed"], [429, page, "failed"], [500, page, "unreachable"], [502, page, "unreachable"],
  [503, page, "unreachable"], [504, "", "unreachable"], [404, page, "unreachable"],
  // A proxy's own JSON.
  [401, '{"message":"Unauthorized"}', "sign in first", "/a/token"], [502, '{"message":"Bad Gateway"}', "unreachable"],
  [503, "[]", "unreachable"], [503, "null", "unreachable"],
  // A captive portal's page.
  [200, page, "unreachable"], [200, "{}", "unreachable"], [511, page, "unreachable"],
  // The server's own.
  [401, problem(401, "sign-in-needed", { signIn: login }), "sign in first", login],
  [401, problem(401, "sign-in-needed", { signIn: "javascript:alert(1)" }), "sign in first", "/a/token"],
  [401, problem(401, "sign-in-needed"), "sign in first", "/a/token"], [401, problem(401, "wrong-identity"), "failed"],
  [403, problem(403, "not-for-you"), "not for you"], [403, problem(403, "cross-site"), "failed"],
  [429, problem(429, "too-many-requests"), "failed"], [503, problem(503, "busy"), "failed"],
  [413, problem(413, "content-too-large"), "failed"],
];

const server = createServer((request, response) => {
  const [status, body] = table[+request.url.slice(1)];
  response.writeHead(status, status < 400 && status >= 300 ? { Location: "https://auth.example.com/" } : {}).end(body);
});
const origin = new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`)));
after(() => server.close());

table.forEach(([status, body, text, href], row) => it(`reads ${status} ${body.slice(0, 40)}`, async () => {
  const response = await fetch(`${await origin}/${row}`, { method: "POST", redirect: "manual" });
  // Node shows the redirect that a browser hides.
  const shown = status >= 300 && status < 400 ? { type: "opaqueredirect", status: 0 } : response;
  const json = await response.json().catch(() => {}) ?? {};
  assert.deepEqual(explanation(standing(shown, json), json, sentences, body.includes(notForYou) && "not for you"), href ? [text, href] : [text]);
}));

it("leaves what the server takes alone", () => {
  for (const status of [200, 409, 410, 422]) assert.equal(standing({ status }, { outcome: "ok" }), status);
});

it("says what an older template has words for", () => {
  const old = { unreachable: "unreachable" };
  assert.equal(explanation(401, {}, old)[0], "unreachable");
  assert.equal(explanation(403, { detail: "No." }, old)[0], "No.");
});
