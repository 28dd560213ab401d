/**
 * Judges by Public/rules.js: cases on stdin, one JSON a line; verdicts on stdout, one a line.
 */
import {readFileSync} from "node:fs";
import {verdictLine} from "./verdict.mjs";

const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);
process.stdout.write(lines.map((line) => verdictLine(line) + "\n").join(""));
