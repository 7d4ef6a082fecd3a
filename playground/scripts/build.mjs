// Builds the page and the site: `node scripts/build.mjs`. `target/page/site` is for any folder of a web server, `target/page/playground.html`
// is the playground in one file.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modules } from "../../crates/wire-js/scripts/build.mjs";
import { book } from "./book.mjs";
import { made as madeOfPackage, printed, root, run } from "../../crates/wire-js/scripts/tools.mjs";

export const folder = join(root, "playground");
export const made = join(madeOfPackage, "../page");
export const site = join(made, "site");
export const oneFile = join(made, "playground.html");

const bin = (name) => join(folder, "node_modules/.bin", name);

/** The packages of the lock file, unless they are there. */
export function install() {
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
  const done = join(folder, "node_modules/.installed");
  if (printed("cat", [done]) === wanted.trim()) return;
  run("npm", ["ci", "--silent", "--no-audit", "--no-fund"], { cwd: folder });
  writeFileSync(done, wanted);
}

/** The page, as files and in one file. */
export function buildPage() {
  // Small before fast: it is loaded before anything is shown.
  const small = ["hashbrown", "itoa", "memchr", "wire-core", "wire-gcf", "zmij"].flatMap((name) => ["--config", `profile.release.package.${name}.opt-level="z"`]);
  // Apart, since features of crates are those of all that is built together.
  modules(["values"], small);
  modules(["page"], small);
  modules(["o200k", "cl100k"]);
  run(bin("tsc"), ["--project", "."], { cwd: folder });
  const vite = (mode, into) => run(bin("vite"), ["build", "--logLevel", "warn", "--mode", mode, "--outDir", into], { cwd: folder });
  vite("production", site);
  // A browser loads neither modules nor what needs `crossorigin` from files; the first page works as one.
  const first = join(site, "index.html");
  writeFileSync(first, readFileSync(first, "utf8").replace('type="module"', "defer").replaceAll(" crossorigin", ""));
  const parts = join(made, "file");
  vite("file", parts);
  inOneFile(parts);
}

/** Puts scripts and styles into the file itself, where its policy allows nothing else. */
function inOneFile(parts) {
  let html = readFileSync(join(parts, "playground.html"), "utf8");
  const text = (path) => readFileSync(join(parts, path), "utf8");
  html = html.replace(/<script src="[^"]*(theme\.js)"><\/script>/, (_, path) => `<script nonce="page">${text(path)}</script>`);
  html = html.replaceAll(/(href|action)="(?=[a-z/]+\.html")/g, '$1="site/');
  html = html.replace(/<script type="module"[^>]* src="([^"]+)"><\/script>/, "");
  const script = readdirSync(join(parts, "app")).filter((name) => name.endsWith(".js"));
  if (script.length !== 1) throw new Error(`one script was expected, there are ${script.join(", ")}`);
  html = html.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/g, (_, path) => `<style nonce="page">${text(path)}</style>`);
  const policy = "default-src 'none'; script-src 'nonce-page' 'wasm-unsafe-eval'; worker-src blob:; connect-src data:; style-src 'nonce-page'; img-src data:; base-uri 'none'; form-action 'none'";
  html = html.replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, `$1${policy}`);
  const code = text(`app/${script[0]}`).replaceAll("</script", "<\\/script");
  html = html.replace("</body>", () => `<script type="module" nonce="page">${code}</script>\n</body>`);
  writeFileSync(oneFile, html);
}

export function build() {
  install();
  mkdirSync(made, { recursive: true });
  rmSync(site, { recursive: true, force: true });
  buildPage();
  book(site);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
