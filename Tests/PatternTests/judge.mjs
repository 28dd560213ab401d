// Judges texts by patterns as a browser does: one JSON document a line in, {pattern, ignoreCase, texts},
// one a line out: the list of verdicts, or null when the pattern does not compile.
import { readFileSync } from "node:fs";

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

// Not readline: from version 24 on it takes U+2028 and U+2029 for ends of lines.
const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
for (const line of lines) process.stdout.write(`${JSON.stringify(verdicts(JSON.parse(line)))}\n`);
