"""The validators that a schema of ours must load in, and say the same: what reads JSON Schema out there.

Their patterns are run by engines that differ: ECMAScript, Python, and Rust with look-around and without it, which takes
what RE2 takes.
"""

import functools
import json
import os
import subprocess

import jsonschema
import jsonschema_rs
import regress

compiled = functools.cache(lambda pattern: regress.Regex(pattern, "u"))


def ecmascript(validator, pattern, instance, schema):
    if isinstance(instance, str) and compiled(pattern).find(instance) is None:
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


ECMAScript = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": ecmascript})

IN_PROCESS = {
    "ECMAScript": ECMAScript,
    "python-jsonschema": jsonschema.Draft202012Validator,
    "jsonschema-rs": jsonschema_rs.Draft202012Validator,
    "jsonschema-rs without look-around": functools.partial(
        jsonschema_rs.Draft202012Validator, pattern_options=jsonschema_rs.RegexOptions()
    ),
}

AJV = """
const Ajv = require("ajv");
// Debian's Ajv compiles patterns without `u`, newer ones with it.
globalThis.RegExp = new Proxy(RegExp, {construct: (target, [source, flags]) => new target(source, flags ?? "u")});
const [options, ...questions] = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const [schema, instances] of questions) {
  // Debian's Ajv is older than draft 2020-12: that it does not know its name is no matter, its keywords are the same here.
  delete schema.$schema;
  let validate;
  try {
    validate = new Ajv({meta: false, validateSchema: false, logger: false, ...options}).compile(schema);
  } catch (error) {
    console.log(JSON.stringify(error.message));
    continue;
  }
  console.log(JSON.stringify(instances.map((instance) => validate(instance))));
}
"""


def ajv(questions, **options):
    """For each (schema, instances): whether Ajv, with these options, takes each of them, or why it takes no such schema."""
    # Where Debian puts its packages.
    folders = os.environ | {"NODE_PATH": "/usr/share/nodejs"}
    done = subprocess.run(
        ["node", "-e", AJV], input=json.dumps([options, *questions]), capture_output=True, encoding="utf-8", env=folders)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def verdicts(questions):
    """For each (schema, instances): which validator says what, as {name: [valid, …]}."""
    for (schema, instances), of_ajv in zip(questions, ajv(questions, unknownFormats="ignore"), strict=True):
        assert not isinstance(of_ajv, str), of_ajv
        said = {"Ajv": of_ajv}
        for name, validator in IN_PROCESS.items():
            judge = validator(schema)
            said[name] = [judge.is_valid(instance) for instance in instances]
        yield said
