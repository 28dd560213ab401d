/**
 * Compares two judges' verdicts on the generator's cases:
 *
 *   node compare.mjs CASES VERDICTS_A VERDICTS_B [JUDGE_A JUDGE_B]
 *
 * The first three are files of one JSON a line. JUDGE_A and JUDGE_B are commands that read cases on stdin and print
 * verdicts; with them each difference is made minimal. Differences go to stdout, each a group ready for a file of the
 * corpus; its case has A's verdict, to be set right by hand. What was covered goes to stderr.
 *
 * Exit codes: 0 the verdicts agree, 1 they differ, 64 usage, 70 a judge failed.
 */
import {spawnSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {coverage} from "./coverage.mjs";
import {shrink} from "./shrink.mjs";

const shrunkAtMost = 12;

/** Whether both gave a verdict of their own and not the same. A pending or refused case has none. */
export function differ(a, b) {
  if ([a, b].some((verdict) => verdict.pending || verdict.refused !== undefined)) return false;
  return a.isValid !== b.isValid || a.rule !== b.rule;
}

/** The difference as a group of the corpus. */
export function corpusGroup({fields, field, values}, a, b) {
  const given = Object.keys(values).length === 1 && field in values ? {text: values[field]} : {values};
  const verdict = ({isValid, rule}) => isValid ? {valid: true} : {valid: false, rule};
  return {
    description: `${a.isValid ? "valid" : a.rule} or ${b.isValid ? "valid" : b.rule}`,
    fields, field,
    cases: [{...given, ...verdict(a), note: `the other judge: ${JSON.stringify(verdict(b))}`}],
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

function main([casesFile, fileA, fileB, judgeA, judgeB]) {
  if (!fileB || (judgeA && !judgeB)) {
    process.stderr.write("usage: node compare.mjs CASES VERDICTS_A VERDICTS_B [JUDGE_A JUDGE_B]\n");
    return 64;
  }
  const [cases, as, bs] = [casesFile, fileA, fileB].map((file) => parsed(readFileSync(file, "utf8")));
  if (as.length !== cases.length || bs.length !== cases.length) {
    process.stderr.write(`${cases.length} cases, but ${as.length} and ${bs.length} verdicts\n`);
    return 70;
  }
  const differing = cases.filter((_, index) => differ(as[index], bs[index]));
  process.stderr.write(coverage(cases, as, bs));
  process.stderr.write(`${differing.length} of ${cases.length} verdicts differ\n`);

  if (!judgeA) {
    cases.forEach((one, index) => differ(as[index], bs[index]) && console.log(JSON.stringify(corpusGroup(one, as[index], bs[index]))));
    return differing.length ? 1 : 0;
  }
  const both = (batch) => {
    const [a, b] = [judgedBy(judgeA, batch), judgedBy(judgeB, batch)];
    return batch.map((_, index) => [a[index], b[index]]);
  };
  const minimal = new Map();
  for (const one of spread(differing, shrunkAtMost)) {
    const small = shrink(one, (batch) => both(batch).map(([a, b]) => differ(a, b)));
    minimal.set(JSON.stringify(small), small);
  }
  for (const small of minimal.values()) console.log(JSON.stringify(corpusGroup(small, ...both([small])[0])));
  return differing.length ? 1 : 0;
}

/** So many of the list, evenly over it. */
const spread = (list, count) => list.filter((_, index) => index % Math.ceil(list.length / count) === 0);

process.exitCode = main(process.argv.slice(2));
