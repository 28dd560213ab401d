/**
 * Reads the corpus in Tests/Conformance: JSON cases that belong to no language, one file a rule.
 */
import {readdirSync, readFileSync} from "node:fs";

const directory = new URL("../Conformance/", import.meta.url);

/** Every file of the corpus but its schema, as [name, contents]. */
export function corpusFiles() {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json") && name !== "schema.json").sort();
  return names.map((name) => [name, JSON.parse(readFileSync(new URL(name, directory), "utf8"))]);
}

/** A text as the corpus writes it: plain, `{repeat, times}`, or `{join: [texts]}`. */
export function textOf(written) {
  if (typeof written === "string") return written;
  if (typeof written?.repeat === "string") return written.repeat.repeat(written.times);
  if (Array.isArray(written?.join)) return written.join.map(textOf).join("");
  throw new Error(`not a text of the corpus: ${JSON.stringify(written)}`);
}

/** The values that a case gives to the fields; `field` is the one that `text` is for. */
export function valuesOf(testCase, field) {
  const valueOf = (written) => Array.isArray(written) ? written.map(textOf) : textOf(written);
  if (testCase.values === undefined) return {[field]: valueOf(testCase.text)};
  return Object.fromEntries(Object.entries(testCase.values).map(([name, written]) => [name, valueOf(written)]));
}
