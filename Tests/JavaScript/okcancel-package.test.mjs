// The package `okcancel` and its types, with npm and TypeScript's own compiler.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as okcancel from "../../Public/okcancel.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = (path) => readFileSync(join(root, path), "utf8");
const project = mkdtempSync(join(tmpdir(), "okcancel-"));
const installed = join(project, "node_modules/okcancel");
// Debian has npm apart from node: there the package is put together by its own script, which is all that npm does.
const npm = spawnSync("npm", ["--version"]).status === 0;
const manifest = JSON.parse(source("Packaging/npm/package.json"));

/** TypeScript's complaints of these files, strictly. */
function complaints(files, options = {}) {
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({
    compilerOptions: {
      strict: true, noEmit: true, target: "es2022", lib: ["es2022", "dom"], module: "node16", moduleResolution: "node16",
      jsx: "react-jsx", types: [], exactOptionalPropertyTypes: true, noImplicitReturns: true, ...options,
    },
    files,
  }));
  const { stdout, error } = spawnSync("tsc", ["--project", project], { encoding: "utf8" });
  if (error) throw new Error("tsc is not installed; make test-packages");
  return stdout;
}

before(() => {
  const work = join(project, "Packaging/npm");
  mkdirSync(installed, { recursive: true });
  for (const path of ["Packaging/npm", "Public", "LICENSE"]) cpSync(join(root, path), join(project, path), { recursive: true });
  if (npm) {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", project], { cwd: work });
    execFileSync("tar", ["xzf", join(project, `okcancel-${manifest.version}.tgz`), "--strip-components=1", "-C", installed]);
  } else {
    execFileSync("sh", ["-c", manifest.scripts.prepack], { cwd: work });
    for (const file of [...manifest.files, "package.json"]) cpSync(join(work, file), join(installed, file));
  }
  for (const file of ["uses.ts", "jsx.tsx", "react.d.ts"]) cpSync(join(root, "Tests/JavaScript/types", file), join(project, file));
  writeFileSync(join(project, "package.json"), '{"type": "module"}');
});

it("has the server's own files and nothing else", { skip: !npm && "npm is not installed" }, () => {
  for (const path of ["okcancel.js", "okcancel.d.ts", "embed/modal.js"]) {
    assert.equal(readFileSync(join(installed, path), "utf8"), source(`Public/${path}`), path);
  }
  assert.deepEqual(readdirSync(installed, { recursive: true }).sort(), [
    "LICENSE", "README.md", "embed", "embed/modal.js", "okcancel.d.ts", "okcancel.js", "package.json", "react.d.ts"]);
  // Nor does packing leave anything behind.
  assert.deepEqual(readdirSync(join(project, "Packaging/npm")).sort(), ["README.md", "package.json", "react.d.ts"]);
});

it("holds every module that its modules import", () => {
  for (const [path, folder] of [["okcancel.js", ""], ["embed/modal.js", "embed"]]) {
    for (const [, from] of source(`Public/${path}`).matchAll(/import\("(\.[^"]+\.js)"\)|from "(\.[^"]+)"/g)) {
      if (from) assert.ok(manifest.files.includes(join(folder, from)), `${path} imports ${from}`);
    }
  }
});

it("has the server's version", () => {
  const [, version] = source("Sources/OKCancel/OKCancelServer.swift").match(/version = "([^"]+)"/);
  assert.equal(manifest.version, version);
});

it("is found by its name, where there is no page too", () => {
  const names = execFileSync(
    process.execPath, ["--input-type=module", "--eval", 'console.log(Object.keys(await import("okcancel")).join())'],
    { cwd: project, encoding: "utf8" });
  assert.equal(names.trim(), Object.keys(okcancel).join());
});

it("asks for the server, and takes it, in a bundle that is no module", () => {
  writeFileSync(join(project, "page.js"), `
    import { address } from "okcancel";
    const said = (work) => { try { return String(work()); } catch (error) { return error.message; } };
    console.log(JSON.stringify([said(() => address("email")), said(() => address("email", "https://ask.example.com"))]));`);
  for (const format of [[], ["--format=iife"], ["--format=cjs"], ["--format=cjs", "--platform=node"]]) {
    const bundle = execFileSync("esbuild", ["page.js", "--bundle", "--log-level=error", ...format], { cwd: project, encoding: "utf8" });
    writeFileSync(join(project, "bundle.cjs"), bundle);
    const [without, given] = JSON.parse(execFileSync(process.execPath, ["bundle.cjs"], { cwd: project, encoding: "utf8" }));
    assert.match(without, /^OKCancel: Give the address of your server: /, format.join(" "));
    assert.equal(given, "https://ask.example.com/prompts/email", format.join(" "));
  }
});

it("has types that take what is right and find what is wrong", () => {
  assert.equal(complaints(["uses.ts"]), "");
});

it("has types as the guide says", () => {
  const guide = source("Documentation/embedding.md");
  const [, code] = guide.match(/```ts\n(.*?)```/s), [, paths] = guide.match(/```jsonc\n"paths": (.*?)```/s);
  writeFileSync(join(project, "guide.ts"), code);
  assert.equal(complaints(["guide.ts"]), "");
  writeFileSync(join(project, "plain.ts"), code.replace('"okcancel"', '"https://ask.example.com/okcancel.js"'));
  cpSync(join(root, "Public/okcancel.d.ts"), join(project, "okcancel.d.ts"));
  assert.equal(complaints(["plain.ts"], { baseUrl: ".", paths: JSON.parse(paths) }), "");
});

it("has types for JSX", () => {
  assert.equal(complaints(["jsx.tsx", "react.d.ts"]), "");
});

it("has types of all that there is", () => {
  const { prototype } = okcancel.OKCancelElement;
  const hidden = /^constructor$|Callback$/;
  const members = Object.getOwnPropertyNames(prototype).filter((name) => !hidden.test(name)).concat("outcome");
  writeFileSync(join(project, "all.ts"), `
    import * as okcancel from "okcancel";
    export const exported: Record<${Object.keys(okcancel).map((name) => `"${name}"`).join("|")}, unknown> = okcancel;
    export const members: (keyof okcancel.OKCancelElement)[] = ${JSON.stringify(members)};
    type Own = Exclude<keyof okcancel.OKCancelElement, keyof HTMLElement>;
    // And the other way round: whatever is declared is there.
    export const own: Record<Own, true> = {${members.map((name) => `${name}: true`)}};
    // Empty, if nothing is declared that is not exported.
    export const all: Record<Exclude<keyof typeof okcancel, ${Object.keys(okcancel).map((name) => `"${name}"`).join("|")}>, 1> = {};`);
  assert.equal(complaints(["all.ts"]), "");
});
