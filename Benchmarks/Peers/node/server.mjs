// node:http on the same work: parse with JSON.parse, judge with the engine's own regular expressions, answer.
// server.mjs PORT DIRECTORY: documents as in ../microhttpd/server.c.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, directory] = process.argv.slice(2);
const documents = new Map();
for (const name of readdirSync(directory)) {
  if (!name.startsWith(",")) continue;
  const bytes = readFileSync(`${directory}/${name}`);
  const end = bytes.indexOf("\n\n");
  const headers = {};
  for (const line of bytes.subarray(0, end).toString().split("\n")) {
    const [name, value] = line.split(": ", 2);
    headers[name] = name in headers ? [headers[name], value].flat() : value;
  }
  const body = bytes.subarray(end + 2);
  documents.set(name.replaceAll(",", "/"), { headers: { ...headers, "Content-Length": body.length }, body });
}
const verdictHeaders = documents.get("/verdict").headers;
delete verdictHeaders["Content-Length"];

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const email = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$`);
const dotted = /^(?:.+@.+\..+)$/u;

function judge(text) {
  if (text === "") return { isValid: false, rule: "nonEmpty", message: "Enter your email address" };
  if (!email.test(text)) return { isValid: false, rule: "email", message: "Enter an email address, like name@example.com" };
  if (!dotted.test(text)) return { isValid: false, rule: "pattern", message: "That does not look like an email address" };
  return { isValid: true };
}

function answer(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, { ...verdictHeaders, "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

function validate(response, chunks) {
  let values;
  try {
    values = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  } catch (error) {
    return answer(response, 400, { detail: String(error) });
  }
  if (typeof values?.email !== "string") return answer(response, 400, { detail: 'Send {"email": "text"}.' });
  const verdict = judge(values.email);
  answer(response, 200, { isValid: verdict.isValid, message: verdict.message, fields: { email: verdict } });
}

const server = createServer((request, response) => {
  // It would say `Connection` and `Keep-Alive` in each answer, which nobody else does.
  response.removeHeader("Connection");
  if (request.method === "POST" && request.url === "/validate/email") {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => validate(response, chunks));
    return;
  }
  const document = request.method === "GET" ? documents.get(request.url) : undefined;
  if (!document) return answer(response, 404, {});
  response.writeHead(200, document.headers);
  response.end(document.body);
});
server.listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
