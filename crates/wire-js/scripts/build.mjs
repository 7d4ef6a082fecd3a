// Builds the package into `target/js`, and prints how to install it: `cargo xtask js --build`.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGET, toolchain } from "./toolchain.mjs";
import { crate, made, printed, root, run } from "./tools.mjs";

export const packageFolder = join(made, "package");

/** The modules: of the formats, and of the vocabularies. */
export const FORMATS = ["gcf", "gcx", "goon", "graph", "keyed"];
export const VOCABULARIES = ["o200k", "cl100k"];
/** The plugs for frameworks, and the file of what they share, which their declarations name. */
const PLUGS = ["ai-sdk", "langchain", "lite-mcp", "mastra", "compact"];

/** The variables for what runs here. In one folder with the modules, whose variables are others, each would make the other one be built again. */
export const forTheMachine = { ...process.env, CARGO_TARGET_DIR: join(made, "host") };

/** Builds modules, and returns the folder of each with its code for JavaScript. `options` are of cargo. */
export function modules(names, options = []) {
  const { args, env } = toolchain();
  const target = join(made, "build");
  const glue = join(made, "glue");
  const cargo = ["build", "--release", "--locked", "--quiet"];
  run("cargo", [...cargo, "--package", "bindgen"], { env: forTheMachine });
  const packages = names.flatMap((name) => ["--package", `wire-js-${name}`]);
  run("cargo", [...cargo, ...packages, ...options, "--target", TARGET, ...args], { env: { ...process.env, CARGO_TARGET_DIR: target, ...env } });
  // Of the same version as the crate, by the lock file; it checks that, too.
  for (const name of names) run(join(forTheMachine.CARGO_TARGET_DIR, "release/bindgen"), [join(target, TARGET, "release", `js_${name}.wasm`), glue, name]);
  return glue;
}

/** Compiles the small encoder, which is a package of its own and a part of this one, and returns its folder. */
function lite() {
  const sources = join(crate, "lite");
  const folder = join(made, "lite");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(sources)) cpSync(join(sources, name), join(folder, name));
  run("npm", ["ci", "--silent", "--no-audit", "--no-fund"], { cwd: folder });
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  for (const [module, to] of [["ES2020", out], ["CommonJS", join(out, "cjs")]]) run(join(folder, "node_modules/.bin/tsc"), ["--project", ".", "--module", module, "--outDir", to], { cwd: folder });
  writeFileSync(join(out, "cjs/package.json"), '{ "type": "commonjs" }\n');
  return folder;
}

/** Adds what a package has beside its code. */
function complete(folder, sources) {
  for (const name of ["package.json", "README.md"]) cpSync(join(sources, name), join(folder, name));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, name), join(folder, name));
}

export function build() {
  modules([...FORMATS, ...VOCABULARIES].filter((name) => name !== "gcf"));
  // The module that most callers need is a tenth larger, and a third faster.
  const fast = ["wire-core", "wire-gcf"].flatMap((name) => ["--config", `profile.release.package.${name}.opt-level=3`]);
  const glue = modules(["gcf"], fast);
  rmSync(packageFolder, { recursive: true, force: true });
  mkdirSync(packageFolder, { recursive: true });
  cpSync(join(crate, "js"), packageFolder, { recursive: true });
  // The words of names that read a file, of which Rust and JavaScript have one table.
  const tables = readFileSync(join(root, "crates/wire-mcp/src/words.txt"), "utf8").matchAll(/^(\w+): (.*)$/gm);
  const words = Object.fromEntries(Array.from(tables, ([, table, words]) => [table, words.split(" ")]));
  writeFileSync(join(packageFolder, "words.js"), `export default ${JSON.stringify(words)};\n`);
  for (const name of ["index", "mcp", ...PLUGS, ...VOCABULARIES]) {
    // Node and bundlers load a module by `require`, and TypeScript wants declarations that are CommonJS.
    writeFileSync(join(packageFolder, `${name}.cjs`), `module.exports = require("./${name}.js");\n`);
    const declared = readFileSync(join(packageFolder, `${name}.d.ts`), "utf8").replace(/"(\.\/\w+)\.js"/g, '"$1.cjs"');
    writeFileSync(join(packageFolder, `${name}.d.cts`), declared);
  }
  cpSync(join(lite(), "out"), join(packageFolder, "lite"), { recursive: true });
  complete(packageFolder, crate);
  for (const name of [...FORMATS, ...VOCABULARIES]) {
    // The third file is for bundlers that load the module by themselves; `load.js` does.
    for (const file of [`${name}_bg.js`, `${name}_bg.wasm`]) cpSync(join(glue, file), join(packageFolder, file));
    const base64 = readFileSync(join(packageFolder, `${name}_bg.wasm`)).toString("base64");
    writeFileSync(join(packageFolder, `${name}.base64.js`), `export default "${base64}";\n`);
  }
}

/** Builds the package and packs it. Returns the archive. */
export function pack() {
  build();
  return packed(packageFolder);
}

/** Packs the small encoder as a package of its own. Returns the archive. */
export function packLite() {
  const folder = join(lite(), "out");
  complete(folder, join(crate, "lite"));
  return packed(folder);
}

const packed = (folder) => join(made, printed("npm", ["pack", "--silent", "--pack-destination", made], { cwd: folder }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log("building the package, which takes some minutes and prints nothing else");
  for (const archive of [pack(), packLite()]) console.log(`npm install ${relative(process.cwd(), archive)}`);
}
