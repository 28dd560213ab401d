/**
 * Answers in objects and of given types: `at` of a field is a JSON pointer (RFC 6901) to where its value stands,
 * `valueType`, `valueTypes` and `omitEmpty` say what it is.
 */

/** The names that lead to a field's value. @param {{name?: string, at?: string}} field */
export const path = ({name, at = `/${name}`}) =>
  at.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

const find = (names, values) => names.reduce(
  (object, name) => object instanceof Object && Object.hasOwn(object, name) ? object[name] : undefined, values);

/** The value of a field in an answer; undefined if there is none. */
export const valueOf = (field, values) => find(path(field), values);

/** Gives the texts of a field the types that its values have. */
function typing({valueType, valueTypes, rules}, parts, {compile}) {
  // Inside other rules, only the plain form is a number; one that no double holds is a string.
  const branches = valueTypes && rules.find((rule) => rule.rules?.length === valueTypes.length).rules;
  const tests = branches?.map((rule) =>
    compile({fields: [{name: "", rules: [{rule: "all", rules: [rule]}]}]}, ...parts.filter((part) => part.wrap !== wrap)).field);
  return (value) => {
    const type = tests ? valueTypes[tests.findIndex((test, index) =>
      test("", {"": value}).isValid && (valueTypes[index] !== "number" || Number.isFinite(+value)))] : valueType;
    return type === "number" ? +value + 0 : type === "boolean" ? `${value}` === "true" : type === "string" ? `${value}` : value;
  };
}

/** Makes the judge's answers stand where their fields say, and have their types. */
export function wrap(judge, {fields, objects = []}, parts, tools) {
  const {answers} = judge, typings = new Map(fields.map((field) => [field, typing(field, parts, tools)]));
  const inside = (object, name) => Object.hasOwn(object, name) ? object[name] : object[name] = {};
  judge.answers = (values) => {
    const flat = answers(values), whole = {};
    for (const field of fields) {
      if (!Object.hasOwn(flat, field.name)) continue;
      const {valueType, optional, omitEmpty} = field, type = typings.get(field), names = path(field), last = names.pop();
      // A box that is off stands for no object.
      const value = valueType === "object" ? flat[field.name] || null : flat[field.name];
      if (value === null && (omitEmpty || !optional)) continue;
      const around = names.reduce(inside, whole);
      if (value !== null && valueType === "object") inside(around, last);
      else around[last] = value === null ? value : Array.isArray(value) ? value.map(type) : type(value);
    }
    for (const names of objects.map((at) => path({at}))) {
      const last = names.pop(), around = find(names, whole);
      if (around instanceof Object) inside(around, last);
    }
    return whole;
  };
}
