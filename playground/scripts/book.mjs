// Builds the documentation with mdBook, and colours the text of our formats in it by their grammars.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coloured, GRAMMARS } from "../src/grammar.js";
import { version } from "./version.mjs";

const VERSION = "0.5.4";
const root = fileURLToPath(new URL("../../", import.meta.url));
const tools = join(root, "target/tools");

/**
 * Puts the book into the folder of the site, without its first page: the site has one of its own.
 *
 * @param {string} output
 */
export function book(output) {
  const made = join(root, "target/book");
  execFileSync(mdbook(), ["build", root, "--dest-dir", made], { stdio: "inherit" });
  for (const name of readdirSync(made, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue;
    const page = readFileSync(join(made, name), "utf8").replace("%VITE_VERSION%", version);
    const cells = page.replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>"); // an empty cell is the head of nothing
    const signed = cells.replaceAll(/<td([^>]*)>(?=([−+])[\d.]+ %<)/g, (_, attributes, sign) => `<td${attributes} class="${sign === "−" ? "gain" : "loss"}">`);
    writeFileSync(join(made, name), signed.replaceAll(/<pre><code class="language-([^"]*)">(.*?)<\/code><\/pre>/gs, block));
  }
  cpSync(made, output, { recursive: true, filter: (path) => path !== join(made, "index.html") });
}

/** The program: one that is installed, or else one built into `target/tools`. */
function mdbook() {
  const built = join(tools, "bin/mdbook");
  const works = (/** @type {string} */ program) => {
    try {
      return execFileSync(program, ["--version"], { encoding: "utf8" }).trim() === `mdbook v${VERSION}`;
    } catch {
      return false;
    }
  };
  const found = ["mdbook", built].find(works);
  if (found !== undefined) return found;
  const features = ["--no-default-features", "--features", "search", "--debug"]; // half the time, for a book of few pages
  execFileSync("cargo", ["install", "mdbook", "--version", VERSION, "--locked", ...features, "--root", tools], { stdio: "inherit" });
  return built;
}

/**
 * A block of code, coloured if its label, or the first word of a text, names one of our formats.
 *
 * @param {string} whole
 * @param {string} label
 * @param {string} html
 */
function block(whole, label, html) {
  const [language] = label.split(" ");
  const start = language === "text" ? { GCF: "gcf", GCX1: "gcx" }[html.split(" ", 1)[0]] : language;
  if (start === undefined || !(start in GRAMMARS)) return whole;
  const format = /** @type {keyof typeof GRAMMARS} */ (start);
  const lines = unescape(html).split("\n").map((line) => colour(line, format));
  return `<pre><code class="format-${format} no-highlight">${lines.join("\n")}</code></pre>`;
}

/**
 * @param {string} line
 * @param {keyof typeof GRAMMARS} format
 */
function colour(line, format) {
  let html = "";
  let at = 0;
  for (const { start, end, colour } of coloured(line, format)) {
    if (start < at) continue;
    html += `${escape(line.slice(at, start))}<span class="c-${colour}">${escape(line.slice(start, end))}</span>`;
    at = end;
  }
  return html + escape(line.slice(at));
}

/** @param {string} text */
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {string} html */
const unescape = (html) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
