/** Answers in objects: `at` of a field is a JSON pointer (RFC 6901) to where its value stands. */

/** The names that lead to a field's value. @param {{name: string, at?: string}} field */
export const path = ({ name, at = `/${name}` }) =>
  at.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value of a field in an answer; undefined if there is none. */
export const valueOf = (field, values) => path(field).reduce(
  (object, name) => object instanceof Object && Object.hasOwn(object, name) ? object[name] : undefined, values);

/** Makes the judge's answers stand where their fields say. */
export function wrap(judge, { fields }) {
  const { answers } = judge;
  judge.answers = (values) => {
    const flat = answers(values), whole = {};
    for (const field of fields) {
      if (!Object.hasOwn(flat, field.name)) continue;
      const value = flat[field.name], isObject = field.valueType === "object";
      // A box that stands for an object is no value.
      if (isObject && !value) continue;
      const names = path(field), last = names.pop();
      const around = names.reduce((object, name) => Object.hasOwn(object, name) ? object[name] : object[name] = {}, whole);
      if (!isObject) around[last] = value;
      else if (!Object.hasOwn(around, last)) around[last] = {};
    }
    return whole;
  };
}
