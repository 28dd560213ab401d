/** Which fields and actions apply: the part of the judge for rules JSON with `when`. Pure, as judge.js. */

/** In a condition on choices, one of them is enough. */
const oneOf = ({values}) => (chosen) => [].concat(chosen).some((text) => values.includes(text));

/**
 * Makes a judge leave out fields that do not apply: they get no verdict and no answer, and count as empty for other fields.
 *
 * A condition reads its field's text as rules do, even if that field is invalid. It is not met if the field does not apply
 * itself or breaks the rule `text`. If this engine cannot tell, the finding is undefined, and the server decides.
 */
export function wrap(judge, {fields, actions = []}, parts, {compile}) {
  // Most prompts have no conditions, and pay nothing for those of others.
  if (![...fields, ...actions].some(({when}) => when)) {
    Object.assign(judge, {applies: () => true, actionApplies: () => true});
    return;
  }
  const inner = {...judge}, rest = parts.filter((part) => part.wrap !== wrap);
  const named = new Map(fields.map((field) => [field.name, field]));
  const tests = new Map([...fields, ...actions].map((owner) => [owner, (owner.when ?? []).map(({field, rules}) => {
    const {name, kind, trim, plain} = named.get(field) ?? {};
    const verdict = compile({fields: [{name, kind, trim, plain, rules}]}, ...rest, {factories: {oneOf}}).field;
    return {field, isMet: (values) => {
      const {isValid, pending} = verdict(name, Object.hasOwn(values, name) ? {[name]: values[name]} : {});
      return pending ? undefined : isValid;
    }};
  })]));

  /** True if the conditions of a field or an action hold, given the findings on fields so far. */
  function holds(owner, values, known) {
    let finding = true;
    for (const {field, isMet} of tests.get(owner)) {
      const other = applies(field, values, known), isMetHere = other === false ? false : isMet(values);
      if (isMetHere === false) return false;
      if (isMetHere === undefined || other === undefined) finding = undefined;
    }
    return finding;
  }

  function applies(name, values, known = new Map()) {
    if (!known.has(name)) {
      // Stops endless recursion: a condition that depends on itself, which no valid definition has, is not met.
      known.set(name, false);
      if (named.has(name)) known.set(name, holds(named.get(name), values, known));
    }
    return known.get(name);
  }

  /** The values of the fields that apply. */
  function applying(values) {
    const known = new Map(), names = Object.keys(values).filter((name) => applies(name, values, known) !== false);
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  }

  /** The fields that decide whether this one applies, however far off. */
  const deciders = (name, found = new Set()) => {
    for (const {field} of tests.get(named.get(name)) ?? []) if (!found.has(field)) deciders(field, found.add(field));
    return found;
  };
  const readers = new Map(fields.map(({name}) => [name, new Set(inner.dependents(name))]));
  const readBy = new Map(fields.map(({name}) => [name, fields.filter((other) => readers.get(other.name).has(name)).map((other) => other.name)]));
  for (const {name} of fields) {
    for (const each of [name, ...readBy.get(name)]) for (const decider of deciders(each)) readers.get(decider)?.add(name);
  }

  Object.assign(judge, {
    /** True if a field applies; undefined: this engine cannot tell. @type {(name: string, values: Values) => boolean | undefined} */
    applies: (name, values) => applies(name, values),

    /** The same of an action. */
    actionApplies: (name, values) => holds(actions.find((action) => action.name === name), values, new Map()),

    field(name, values) {
      const known = new Map();
      if (applies(name, values, known) === false) return {isValid: true, applies: false};
      const isDoubtful = [name, ...readBy.get(name)].some((each) => applies(each, values, known) === undefined);
      return isDoubtful ? {isValid: false, pending: true} : inner.field(name, applying(values));
    },

    overflow: (values) => inner.overflow(applying(values)),

    answers(values) {
      const answers = Object.entries(inner.answers(values));
      return Object.fromEntries(answers.filter(([name]) => applies(name, values) !== false));
    },

    dependents: (name) => [...readers.get(name)],
  });
}
