/**
 * Compares the verdicts of the server's code with those of rules.js:
 *
 *   node compare.mjs CASES VERDICTS_A VERDICTS_B JUDGE_A JUDGE_B [PENDING]
 *
 * The first three are files of one JSON a line, A the server's; where it refuses the rules or is the only one to decide, the other's
 * line says nothing. JUDGE_A and JUDGE_B are commands that read cases on stdin and print verdicts; with them each
 * difference is made minimal. PENDING is the share of the cases, in percent, that B may leave to the server; 0 if left
 * out. Differences go to stdout, each a group ready for a file of the corpus; its case has A's verdict, to be set right
 * by hand. What was covered goes to stderr.
 *
 * Exit codes: 0 the verdicts agree, 1 they differ, 64 usage, 70 a judge failed.
 */
import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {coverage} from "./coverage.mjs";
import {shrink} from "./shrink.mjs";

const shrunkAtMost = 12;

/** Whether the server lets browsers decide: it accepts the rules and is not the only one to decide. */
export const isAsked = ({refused, decidedBy}) => refused === undefined && decidedBy !== "server";

/**
 * Whether B's verdict, rule or message is another than A's, where B is asked. A pattern that B does not compile is no verdict at all;
 * another pending one is a difference unless that may be.
 */
export function differ(a, b, mayBePending) {
  if (!isAsked(a)) return false;
  if (b.pending) return b.uncompiled !== undefined || !mayBePending;
  return ["isValid", "applies", "rule", "message"].some((key) => a[key] !== b[key]);
}

/** The difference as a group of the corpus. */
export function corpusGroup({fields, field, values}, a, b) {
  const given = Object.keys(values).length === 1 && field in values ? {text: values[field]} : {values};
  const verdict = ({isValid, applies, rule, pending, uncompiled}) =>
    applies === false ? {applies} : isValid ? {valid: true} : pending ? {pending, uncompiled} : {valid: false, rule};
  const withMessage = (one) => ({...verdict(one), message: one.message});
  const inAWord = ({isValid, applies, rule, pending}) => applies === false ? "not applying" : isValid ? "valid" : pending ? "pending" : rule;
  return {
    description: `${inAWord(a)} or ${inAWord(b)}`,
    fields, field,
    cases: [{...given, ...verdict(a), note: `${a.message ?? ""}; the other judge: ${JSON.stringify(withMessage(b))}`}],
  };
}

function judgedBy(command, cases) {
  const input = cases.map((one) => JSON.stringify(one) + "\n").join("");
  const {status, stdout, stderr} = spawnSync(command, {shell: true, input, encoding: "utf8", maxBuffer: 1 << 28});
  const verdicts = parsed(stdout ?? "");
  if (status !== 0 || verdicts.length !== cases.length) {
    process.stderr.write(`${command}: exit ${status}, ${verdicts.length} verdicts on ${cases.length} cases\n${stderr}`);
    process.exit(70);
  }
  return verdicts;
}

const parsed = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

function main([casesFile, fileA, fileB, judgeA, judgeB, pendingAtMost = "0"]) {
  if (!judgeB) {
    process.stderr.write("usage: node compare.mjs CASES VERDICTS_A VERDICTS_B JUDGE_A JUDGE_B [PENDING]\n");
    return 64;
  }
  const [cases, as, bs] = [casesFile, fileA, fileB].map((file) => parsed(readFileSync(file, "utf8")));
  if (as.length !== cases.length || bs.length !== cases.length) {
    process.stderr.write(`${cases.length} cases, but ${as.length} and ${bs.length} verdicts\n`);
    return 70;
  }
  const pending = bs.filter(({pending, uncompiled}, index) => isAsked(as[index]) && pending && uncompiled === undefined);
  const mayBePending = pending.length <= cases.length * Number(pendingAtMost) / 100;
  const differing = cases.filter((_, index) => differ(as[index], bs[index], mayBePending));
  process.stderr.write(coverage(cases, as, bs));
  process.stderr.write(`${differing.length} of ${cases.length} verdicts differ\n`);

  const both = (batch) => {
    const a = judgedBy(judgeA, batch), asked = batch.filter((_, index) => isAsked(a[index]));
    // What only the server decides could keep B busy for ever.
    const b = asked.length ? judgedBy(judgeB, asked) : [];
    return a.map((verdict) => [verdict, isAsked(verdict) ? b.shift() : {pending: true}]);
  };
  const minimal = new Map();
  for (const one of spread(differing, shrunkAtMost)) {
    const small = shrink(one, (batch) => both(batch).map(([a, b]) => differ(a, b, mayBePending)));
    minimal.set(JSON.stringify(small), small);
  }
  for (const small of minimal.values()) console.log(JSON.stringify(corpusGroup(small, ...both([small])[0])));
  return differing.length ? 1 : 0;
}

/** So many of the list, evenly over it. */
const spread = (list, count) => list.filter((_, index) => index % Math.ceil(list.length / count) === 0);

process.exitCode = main(process.argv.slice(2));
