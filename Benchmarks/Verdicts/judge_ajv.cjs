// Ajv, which compiles the schema to JavaScript: `judge_ajv.cjs [BUNDLE]`.
//
// It tells all errors. Without a bundle it is Debian's node-ajv, found by NODE_PATH=/usr/share/nodejs;
// with one, the Ajv in it: esbuild names each module there, and makes it when it is first wanted.

const Module = require("module");
const { readFileSync } = require("fs");

function bundled(path) {
  const source = readFileSync(path, "utf8");
  const [, ajv] = /var (\w+) = __commonJS\(\{\s*"[^"]*node_modules\/ajv\/dist\/ajv\.js"/.exec(source);
  const bundle = new Module(path);
  bundle._compile(`${source}\nmodule.exports = ${ajv}();`, path);
  return bundle.exports;
}

const bundle = process.argv[2];
const Ajv = bundle ? bundled(bundle) : require("ajv");

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const judge = new Ajv({ allErrors: true }).compile({
  type: "object",
  properties: {
    email: { type: "string", minLength: 1, pattern: `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${label}(?:\\.${label})*$` },
    quantity: { type: "integer", minimum: 1, maximum: 100 },
    name: { type: "string", minLength: 1, maxLength: 60 },
  },
  required: ["email", "quantity", "name"],
  additionalProperties: false,
});

const texts = {
  valid: '{"email":"alice@example.com","quantity":42,"name":"Ada Lovelace"}',
  invalid: '{"email":"alice","quantity":420,"name":""}',
};

/** Null, or each field's fault. */
const verdict = (values) => (judge(values) ? null : judge.errors);

if (verdict(JSON.parse(texts.valid)) !== null || verdict(JSON.parse(texts.invalid)).length !== 3) process.exit(70);

let kept;
function measure(work, judgeOnce) {
  for (let count = 1000; ; count *= 4) {
    const start = process.cpuUsage();
    for (let index = 0; index < count; index++) kept = judgeOnce();
    const used = process.cpuUsage(start);
    const taken = (used.user + used.system) * 1000;
    if (taken > 2e8) return console.log(JSON.stringify({ work, nanoseconds: taken / count }));
  }
}

for (const [name, text] of Object.entries(texts)) {
  const values = JSON.parse(text);
  measure(`${name}, parsed`, () => verdict(values));
  measure(`${name}, from text`, () => verdict(JSON.parse(text)));
}
