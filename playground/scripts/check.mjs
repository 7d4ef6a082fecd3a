// Builds the site with the playground, and tests it in Chromium: `cargo xtask page`. Pictures for whoever changes it are in
// `target/page/pictures`.
import { readdirSync, statSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fail, printed, run } from "../../crates/wire-js/scripts/tools.mjs";
import { build, folder, oneFile, site } from "./build.mjs";

/** How large the page may be before the formats and the vocabularies, compressed, in bytes. */
const LARGEST_PAGE = 150_000;
/** The same of the formats. */
const LARGEST_FORMATS = 600_000;

const tests = readdirSync(join(folder, "test")).filter((name) => name.endsWith(".test.mjs")).map((name) => join("test", name));
const times = [];
async function step(name, act) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  await act();
  times.push([name, (performance.now() - start) / 1000]);
}

await step("the browser", browser);
await step("the page and the site", build);
await step("sizes", sizes);
await step("tests in the browser", () => run(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=1", ...tests], { cwd: folder }));
console.log("");
for (const [name, seconds] of times) console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`);
console.log(`\nTo see it, open ${join(site, "index.html")} in a browser; it needs no server.`);

/** Debian's Chromium, unless there is one. */
function browser() {
  const found = ["chromium", "chromium-browser", "google-chrome"].map((name) => printed(name, ["--version", "--no-sandbox"])).find(Boolean);
  if (found !== undefined) return console.log(found);
  const missing = "Chromium is not installed, and";
  if (printed("apt-get", ["--version"]) === undefined) fail(`${missing} there is no \`apt-get\` to install it`);
  if (process.getuid?.() !== 0) fail(`${missing} only root can install it: \`apt-get install chromium\``);
  const quiet = { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  run("apt-get", ["-qq", "update"], quiet);
  run("apt-get", ["-qq", "-y", "install", "chromium"], quiet);
}

function sizes() {
  const app = join(site, "app");
  const gzipped = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(name), { level: 9 }).length, 0);
  const files = readdirSync(app).map((name) => join(app, name));
  const page = gzipped([join(site, "playground.html"), ...files.filter((name) => /\/(playground|keys|work|look|graph)-[^/]*\.(js|css)$/.test(name))]);
  const formats = gzipped(files.filter((name) => /\/page_bg-[^/]*\.wasm$/.test(name)));
  console.log(`the page: ${page} bytes gzipped; the formats: ${formats}; the page in one file: ${statSync(oneFile).size} bytes`);
  if (page > LARGEST_PAGE) fail(`the page is larger than ${LARGEST_PAGE} bytes`);
  if (formats === 0 || formats > LARGEST_FORMATS) fail(`the formats are larger than ${LARGEST_FORMATS} bytes`);
}
