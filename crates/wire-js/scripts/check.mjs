// Builds the package, tests it as it is installed, and prints its sizes and speed: `cargo xtask js`, which passes the arguments on.
//
//   --bench    only the table of speed, into `docs/javascript.md`; a missed bar is a failure
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { FORMATS, VOCABULARIES, forTheMachine, pack, packLite, packageFolder } from "./build.mjs";
import { crate, fail, made, printed, root, run } from "./tools.mjs";

/** How large the module of a format may be, in bytes, and when it is compressed. */
const LARGEST = 430_000;
const LARGEST_GZIPPED = 180_000;
const PAGE = join(root, "docs/javascript.md");
/** Each prints a table. */
const MEASUREMENTS = ["speed.mjs", "small.mjs"];

const tests = join(made, "test");
const bin = (name) => join(tests, "node_modules/.bin", name);
const times = [];

function step(name, act) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  act();
  times.push([name, (performance.now() - start) / 1000]);
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Node is ${process.version}, expected 20.19 or later`);
const isBench = process.argv.includes("--bench");

/** The archives, by the name that each is installed as. */
const archives = {};
step("the module and the packages", () => {
  archives["wire-formats"] = pack();
  archives["wire-formats-lite"] = packLite();
});
step("the packages that it is tested with", install);
if (isBench) {
  step("speed", bench);
} else {
  step("format and clippy of the binding", lint);
  step("sizes", sizes);
  step("types by tsc", () => ["types", "types/commonjs"].forEach((project) => run(bin("tsc"), ["--project", project], { cwd: tests })));
  const env = { ...process.env, WIRE_FIXTURES: join(root, "fixtures"), WIRE_PACKAGE: archives["wire-formats"], WIRE_PACKAGE_LITE: archives["wire-formats-lite"] };
  const files = readdirSync(tests).filter((name) => /\.test\.[cm]js$/.test(name));
  step("tests", () => run(process.execPath, ["--test", "--test-reporter=dot", ...files], { cwd: tests, env }));
  step("Deno and Bun", () => {
    run(bin("deno"), ["run", "--quiet", "--node-modules-dir=manual", "smoke.mjs"], { cwd: tests });
    run(bin("bun"), ["run", "smoke.mjs"], { cwd: tests });
  });
  step("speed, without bars", () => MEASUREMENTS.forEach((script) => run(process.execPath, [script], { cwd: tests })));
}
console.log("");
for (const [name, seconds] of times) console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`);

/** The tests with their packages and the package itself, outside of the sources. */
function install() {
  mkdirSync(tests, { recursive: true });
  for (const name of readdirSync(tests).filter((name) => name !== "node_modules")) rmSync(join(tests, name), { recursive: true });
  // Those with frameworks have packages of their own: `cargo xtask frameworks`.
  cpSync(join(crate, "test"), tests, { recursive: true, filter: (path) => basename(path) !== "frameworks" });
  cpSync(join(crate, "bench"), tests, { recursive: true });
  cpSync(join(root, "recipes/typescript"), join(tests, "recipes"), { recursive: true });
  for (const page of [PAGE, join(crate, "README.md")]) cpSync(page, join(tests, "pages", basename(page)));
  cpSync(join(crate, "lite/README.md"), join(tests, "pages/lite.md"));
  const wanted = readFileSync(join(tests, "package-lock.json"), "utf8");
  const done = join(tests, "node_modules/.installed");
  const installed = printed("cat", [done]);
  if (installed !== wanted.trim()) {
    run("npm", ["ci", "--silent", "--no-audit", "--no-fund"], { cwd: tests });
    writeFileSync(done, wanted);
  }
  for (const [name, archive] of Object.entries(archives)) {
    const own = join(tests, "node_modules", name);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own);
    run("tar", ["-xzf", archive, "--strip-components=1", "-C", own]);
  }
}

function lint() {
  const env = forTheMachine;
  run("cargo", ["fmt", "--all", "--check"], { env });
  // The vocabularies are a function of ten lines each, on crates that take minutes to compile for the machine.
  const apart = VOCABULARIES.flatMap((name) => ["--exclude", `wire-js-${name}`]);
  run("cargo", ["clippy", "--quiet", "--release", "--workspace", ...apart, "--locked", "--", "-D", "warnings"], { env });
}

function sizes() {
  const size = (bytes) => [bytes.length, gzipSync(bytes, { level: 9 }).length];
  const shown = ([plain, gzipped]) => `${plain.toLocaleString("en-US")} bytes, ${gzipped.toLocaleString("en-US")} gzipped`;
  for (const name of [...FORMATS, ...VOCABULARIES]) {
    const module = size(readFileSync(join(packageFolder, `${name}_bg.wasm`)));
    console.log(`${name}.wasm: ${shown(module)}; as text ${shown(size(readFileSync(join(packageFolder, `${name}.base64.js`))))}`);
    if (FORMATS.includes(name) && (module[0] > LARGEST || module[1] > LARGEST_GZIPPED)) {
      fail(`the module of a format has more than ${LARGEST} bytes, or ${LARGEST_GZIPPED} gzipped`);
    }
  }
}

function bench() {
  const results = MEASUREMENTS.map((script) => spawnSync(process.execPath, [script, "--bars"], { cwd: tests, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
  const printed = results.map(({ stdout }) => stdout).join("\n");
  console.log(printed);
  const [begin, end] = ["<!-- measured -->\n", "<!-- end -->"];
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, `${page.slice(0, page.indexOf(begin) + begin.length)}${printed}${page.slice(page.indexOf(end))}`);
  if (results.some(({ status }) => status !== 0)) fail("a bar of the speed is missed");
}
