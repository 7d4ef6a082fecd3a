// The built site in a browser, in light and dark, on a wide and a narrow screen: `node --test` after `scripts/build.mjs`.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { site as FOLDER } from "../scripts/build.mjs";
import figures from "../src/front.json" with { type: "json" };
import { launched } from "./browser.mjs";

const PAGES = ["index.html", "introduction.html", "guide.html", "rulings.html", "clients.html", "formats/gcf.html", "proxy.html", "scorecards/real.html"];
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

test("the first page has a mark for each token, in the first screen", () =>
  open(
    "index.html",
    async (page) => {
      assert.equal(await page.locator("#ticks-json > *").count(), figures.json.cuts.length);
      assert.equal(await page.locator("#ticks-gcf > *").count(), figures.gcf.cuts.length);
      const data = [await page.locator("#ticks-json b").count(), await page.locator("#ticks-gcf b").count()];
      assert.deepEqual(data, [124, 124]);
      const box = await page.locator("#ticks-gcf").boundingBox();
      assert(box !== null && box.y + box.height < 800, `the bars end at ${box && box.y + box.height}`);
    },
    { viewport: { width: 1280, height: 800 } },
  ));

test("commands are copied, the colours change, and the docs are searched", () =>
  open(
    "index.html",
    async (page) => {
      await page.locator(".install .copy").click();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^git clone .* && \.\/try$/);
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await background();
      await page.getByRole("button", { name: "Use dark colours" }).click();
      const dark = await background();
      assert.notEqual(dark, light);
      assert.match((await page.locator(".top .version").textContent()) ?? "", /^\d+\.\d+\.\d+$/);
      await page.getByPlaceholder("Search the docs").fill("pack root");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/introduction.html?search=pack+root");
      await page.locator("#mdbook-searchresults a").first().waitFor();
      // The book has the same colours and version.
      assert.equal(await background(), dark);
      assert.match((await page.locator(".top .version").textContent()) ?? "", /^\d+\.\d+\.\d+$/);
    },
    { viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("the first page and the book work as files", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(pathToFileURL(join(FOLDER, "index.html")).href);
  assert.equal(await page.locator("#ticks-gcf > *").count(), figures.gcf.cuts.length);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).margin), "8px");
  await page.getByRole("button", { name: "Count its tokens" }).click();
  await page.waitForURL("**/page/playground.html");
  await page.getByText("254 → 184 tokens").waitFor();
  await page.getByRole("link", { name: "Docs" }).click();
  await page.waitForURL("**/page/site/guide.html");
  await page.getByRole("link", { name: "Playground" }).click();
  await page.waitForURL("**/page/playground.html");
  assert.deepEqual(problems, []);
  await context.close();
});

test("no table or code is cut on a screen of 1280", async () => {
  for (const path of ["scorecards/real.html", "scorecards/formats.html", "scorecards/proxy.html", "formats/gcx.html", "proxy.html", "introduction.html"]) {
    await open(
      path,
      async (page) => {
        const cut = await page.locator(".table-wrapper, pre > code").evaluateAll((boxes) =>
          boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent?.slice(0, 80)),
        );
        assert.deepEqual(cut, [], path);
      },
      { viewport: { width: 1280, height: 800 } },
    );
  }
});

test("the scorecard has ours first, and the colour of a gain", () =>
  open("scorecards/real.html", async (page) => {
    const columns = await page.locator("main table").first().locator("th").allTextContents();
    assert.deepEqual(columns.slice(0, 4), ["data", "documents", "minified JSON", "auto"]);
    assert(columns.length === 11 && columns.at(-1) === "pretty JSON");
    const cells = page.locator("main td", { hasText: /^[−+]\d/ });
    for (const cell of await cells.all()) {
      const [text, name] = [await cell.textContent(), await cell.getAttribute("class")];
      assert.equal(name, text?.startsWith("−") ? "gain" : "loss", text ?? "");
    }
  }));

test("a page of the book has its headings at the right, once", () =>
  open(
    "costs.html",
    async (page) => {
      const links = await page.locator(".page-toc a").allTextContents();
      assert(links.length > 1 && (await page.locator(".page-toc").isVisible()));
      const shown = await page.locator(".sidebar a:not(.chapter-fold-toggle):visible, .page-toc a").allTextContents();
      const names = shown.map((name) => name.trim());
      assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), []);
    },
    { viewport: { width: 1280, height: 800 } },
  ));

test("the buttons that copy code are seen", () =>
  open("introduction.html", async (page) => {
    const button = page.locator("main pre .clip-button").first();
    assert.equal(await button.evaluate((button) => getComputedStyle(/** @type {Element} */ (button.parentElement)).opacity), "1");
  }));

test("without a text, the button opens the playground", () =>
  open("index.html", async (page) => {
    await page.route("**/playground.html", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.getByRole("button", { name: "Count its tokens" }).click();
    await page.waitForURL("**/playground.html");
    assert.equal(await page.evaluate(() => sessionStorage.getItem("pasted")), null);
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
