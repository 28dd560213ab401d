/**
 * What a run covered: how often both verdicts came up, and each rule in them.
 */

/** A table: each rule, in how many cases it stood, how many of these were valid, how often it was the one that failed. */
export function coverage(cases, as, bs) {
  const rows = new Map();
  const row = (name) => rows.get(name) ?? rows.set(name, {cases: 0, valid: 0, failing: 0}).get(name);
  cases.forEach(({fields}, index) => {
    for (const name of new Set(fields.flatMap(({rules = [], allow = []}) => [...rules, ...allow].flatMap(names)))) {
      row(name).cases += 1;
      row(name).valid += as[index].isValid ? 1 : 0;
    }
    if (as[index].rule) row(as[index].rule).failing += 1;
  });
  const conditional = cases.filter(({fields, field}) => fields.some(({name, when}) => name === field && when)).length;
  const applying = cases.filter(({fields, field}, index) => fields.some(({name, when}) => name === field && when) &&
    as[index].applies !== false).length;
  const refused = as.filter(({refused}) => refused !== undefined);
  const servers = as.filter(({decidedBy}) => decidedBy === "server").length;
  const pending = bs.filter((b, index) => b.pending && as[index].refused === undefined && as[index].decidedBy !== "server").length;
  const lines = [...rows].sort(([a], [b]) => a < b ? -1 : 1).map(([name, {cases, valid, failing}]) =>
    `${name.padEnd(12)} ${String(cases).padStart(7)} cases ${percent(valid, cases)} valid ${String(failing).padStart(7)} times the failing rule`);
  lines.push(`${conditional} cases under conditions, ${percent(applying, conditional)} apply`);
  const summary = `${cases.length} cases, ${percent(as.filter(({isValid}) => isValid).length, cases.length)} valid, ${refused.length} refused, ${servers} decided by the server alone, ${pending} left to it`;
  return [...lines, summary, ...refused.slice(0, 5).map(({refused}) => `refused: ${refused}`)].join("\n") + "\n";
}

const names = ({rule, rules = []}) => [rule, ...rules.flatMap(names)];
const percent = (part, whole) => `${(whole ? 100 * part / whole : 0).toFixed(1).padStart(5)} %`;
