// The built site in a browser, in light and dark, on a wide and a narrow screen: `node --test` after `scripts/build.mjs`.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { site as FOLDER } from "../scripts/build.mjs";
import figures from "../src/front.json" with { type: "json" };
import { launched } from "./browser.mjs";

const PAGES = ["index.html", "introduction.html", "guide.html", "rulings.html", "clients.html", "formats/gcf.html", "proxy.html"];
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json" };

const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url ?? "", "http://localhost").pathname));
  try {
    const body = await readFile(join(FOLDER, path));
    response.writeHead(200, { "Content-Type": TYPES[/** @type {keyof typeof TYPES} */ (extname(path))] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
/** @type {import("playwright-core").Browser} */
let browser;
let origin = "";

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  browser = await launched();
});
after(async () => {
  await browser.close();
  server.close();
});

/**
 * Opens a page of the site, and fails if it reports an error or asks another host.
 *
 * @param {string} path
 * @param {(page: import("playwright-core").Page) => Promise<void>} check
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function open(path, check, options) {
  const context = await browser.newContext(options);
  /** @type {string[]} */
  const problems = [];
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => /^https?:/.test(request.url()) && !request.url().startsWith(origin) && problems.push(request.url()));
  await page.goto(`${origin}/${path}`, { waitUntil: "networkidle" });
  await check(page);
  assert.deepEqual(problems, [], path);
  await context.close();
}

for (const path of PAGES) {
  for (const width of [1280, 390]) {
    test(`${path}, ${width} wide`, () =>
      open(
        path,
        async (page) => {
          const ends = await page.locator("html, main > *").evaluateAll((parts) =>
            parts.map((part) => (part.tagName === "HTML" ? part.scrollWidth : part.getBoundingClientRect().right)),
          );
          assert(Math.max(...ends) <= width, `the page is ${Math.max(...ends)} wide`);
          await page.evaluate(axe.source);
          await accessible(page, "axe.run()");
          await page.emulateMedia({ colorScheme: "dark" });
          await accessible(page, 'axe.run({ runOnly: ["color-contrast"] })');
        },
        { viewport: { width, height: 844 }, reducedMotion: "reduce" },
      ));
  }
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} run
 */
async function accessible(page, run) {
  /** @type {import("axe-core").AxeResults} */
  const { violations } = await page.evaluate(run);
  const found = violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]);
  assert.deepEqual(found, []);
}

test("no page scrolls sideways on a phone, or reports an error", async () => {
  const all = (await readdir(FOLDER, { recursive: true })).filter((path) => path.endsWith(".html") && !["404.html", "print.html", "toc.html"].includes(path));
  assert(all.length > PAGES.length);
  for (const path of all) {
    await open(
      path,
      async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, path),
      { viewport: { width: 390, height: 844 } },
    );
  }
});

test("the first page has a square for each token", () =>
  open("index.html", async (page) => {
    assert.equal(await page.locator("#json .waffle > *").count(), figures.json.cuts.length);
    assert.equal(await page.locator("#gcf .waffle > *").count(), figures.gcf.cuts.length);
    const data = [await page.locator("#json .waffle b").count(), await page.locator("#gcf .waffle b").count()];
    assert.deepEqual(data, [124, 124]);
  }));

test("what is pasted is handed over to the playground", () =>
  open("index.html", async (page) => {
    await page.route("**/playground.html", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.getByLabel("Paste a result of yours").fill('[{"id":1}]');
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/playground.html");
    assert.equal(await page.evaluate(() => sessionStorage.getItem("pasted")), '[{"id":1}]');
  }));

test("the book colours the formats by the grammars", () =>
  open("formats/gcf.html", async (page) => {
    assert.equal(await page.locator(".format-gcf .c-head").first().textContent(), "GCF");
    assert.equal(await page.locator("[class^=format-] [class^=hljs]").count(), 0);
    assert.notEqual(await page.locator(".language-rust [class^=hljs]").count(), 0);
  }));

test("on a narrow screen the table of contents opens and closes by keyboard", () => {
  const check = async (/** @type {import("playwright-core").Page} */ page) => {
    const button = page.getByRole("button", { name: "Table of contents" });
    const link = page.getByRole("link", { name: "Shortcomings" }).last();
    assert.equal(await link.isVisible(), false);
    await button.press("Enter");
    await link.waitFor({ state: "visible" });
    await page.getByRole("button", { name: "Pages below The formats" }).press("Enter");
    await page.getByRole("link", { name: "GOON" }).waitFor({ state: "visible" });
    await button.press("Enter");
    await link.waitFor({ state: "hidden" });
  };
  return open("glossary.html", check, { viewport: { width: 390, height: 844 } });
});
