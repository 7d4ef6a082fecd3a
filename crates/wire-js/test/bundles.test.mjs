// Bundles of what people write: by esbuild for browsers, for Node and for workers that import WebAssembly, and by vite. Each is run where
// nothing of Node is defined but what browsers have, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import test from "node:test";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { build as viteBuild } from "vite";

const APP = `import { gcf } from "wire-formats";
globalThis.found = gcf.stringify([{ id: 1 }, { id: 2 }]);`;
const EXPECTED = "GCF profile=generic\n## [2]{id}\n1\n2\n";

const folder = mkdtempSync(join(tmpdir(), "wire-formats-"));
const resolveDir = import.meta.dirname;
const stdin = { contents: APP, resolveDir };

function inBrowser(script, more = {}) {
  const globals = { WebAssembly, TextEncoder, TextDecoder, atob, Uint8Array, FinalizationRegistry, ...more };
  const context = createContext(globals);
  runInContext(script, context);
  return context.found;
}

test("esbuild, for browsers", async () => {
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "iife", platform: "browser", write: false });
  assert.equal(inBrowser(outputFiles[0].text), EXPECTED);
  const size = outputFiles[0].contents.length;
  console.log(`an app of one verb, bundled: ${size} bytes`);
  // One module as text. All of them would be more than twice as much.
  assert.ok(size < 700_000, `${size} bytes`);
});

test("esbuild, for Node as CommonJS", async () => {
  const outfile = join(folder, "app.cjs");
  await build({ stdin: { ...stdin, contents: `${APP}\nconsole.log(found);` }, bundle: true, format: "cjs", platform: "node", outfile });
  assert.equal(execFileSync(process.execPath, [outfile], { encoding: "utf8" }), `${EXPECTED}\n`);
});

test("esbuild, for workers that import the module compiled", async () => {
  // Such a platform gives a `WebAssembly.Module` where a script imports a file of WebAssembly.
  const compiled = {
    name: "compiled",
    setup: (of) =>
      of.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({ contents: `export default compiledOf(${JSON.stringify(path)});` })),
  };
  const { outputFiles } = await build({ stdin, bundle: true, format: "iife", conditions: ["workerd"], plugins: [compiled], write: false });
  assert.ok(outputFiles[0].contents.length < 100_000, "the module is not in the script");
  assert.equal(inBrowser(outputFiles[0].text, { atob: undefined, compiledOf: (path) => new WebAssembly.Module(readFileSync(path)) }), EXPECTED);
});

test("vite, as a page", async () => {
  const root = mkdtempSync(join(resolveDir, "vite-"));
  writeFileSync(join(root, "index.html"), `<script type="module" src="./app.js"></script>`);
  writeFileSync(join(root, "app.js"), APP);
  await viteBuild({ root, logLevel: "warn", build: { outDir: join(folder, "vite"), modulePreload: false } });
  const assets = join(folder, "vite/assets");
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  assert.equal(scripts.length, 1, scripts.join());
  assert.equal(inBrowser(readFileSync(join(assets, basename(scripts[0])), "utf8")), EXPECTED);
});
