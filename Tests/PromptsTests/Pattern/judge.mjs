// Judges texts by patterns as a browser does: one JSON document a line in, {pattern, ignoreCase, texts},
// one a line out: the list of verdicts, or null when the pattern does not compile.
import { createInterface } from "node:readline";

function verdicts({ pattern, ignoreCase, texts }) {
  const flags = ignoreCase ? "iu" : "u";
  let expression;
  try {
    // Alone first: a pattern like `a)(b` compiles only within the group that is put around it.
    new RegExp(pattern, flags);
    expression = new RegExp(`^(?:${pattern})$`, flags);
  } catch {
    return null;
  }
  return texts.map((text) => expression.test(text));
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(`${JSON.stringify(verdicts(JSON.parse(line)))}\n`);
}
