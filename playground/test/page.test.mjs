// The playground in Chromium, as people use it: `node --test` after `scripts/build.mjs`.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { made, oneFile, site } from "../scripts/build.mjs";
import { launched, opened, picture, served, violations } from "./browser.mjs";

const ROWS = JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, name: `row ${id}`, isOdd: id % 2 === 1 })), null, 2);
const SYMBOL = { qualified_name: "a", kind: "function", score: 0.5, provenance: "lsp_resolved", distance: 0 };

let browser, server;
before(async () => ([browser, server] = [await launched(), await served()]));
after(() => Promise.all([browser.close(), server.close()]));

const verdict = (page) => page.locator("#verdict").innerText();
const says = (page, words) => page.waitForFunction((words) => new RegExp(words).test(document.querySelector("#verdict").textContent), words);
const shows = (page, place, words) => page.waitForFunction(([place, words]) => document.querySelector(place)?.textContent.includes(words), [place, words]);
const inText = (page, id) => page.evaluate((id) => [...document.querySelectorAll(`#${id} .cm-line`)].map((line) => line.textContent).join("\n"), id);
/** The playground, with the first example counted. */
async function playground(options) {
  const found = await opened(browser, options);
  await found.page.goto(`${server.origin}/wire/playground.html`);
  await says(found.page, "254 → 184 tokens");
  return found;
}
async function paste(page, text, editor = "in-editor") {
  await page.locator(`#${editor} .cm-content`).focus();
  await page.keyboard.press("Control+a");
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  if (editor === "in-editor") await shows(page, "#in-meta", `${Buffer.byteLength(text).toLocaleString("en-US")} bytes`);
}
const drop = (page, name, text) => page.evaluate(([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  document.querySelector("#in").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}, [name, text]);
const form = (page, name) => page.locator("#forms .form", { has: page.locator(`input[value="${name}"]`) });
const choose = (page, name) => page.locator(`#forms input[value="${name}"]`).check({ force: true });
const example = (page, name) => page.locator("#examples label", { hasText: name }).locator("input").check({ force: true });

test("a paste is counted, and nothing leaves the page", async (context) => {
  const { page, requests, errors } = await playground();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  context.diagnostic(`first paint after ${Math.round(paint)} ms`);
  await paste(page, ROWS);
  await says(page, "→ .* tokens.*same value, checked");
  assert.match(await form(page, "json").innerText(), /minified JSON\s+\d+\s+[\d,]+ bytes\s+baseline/);
  await choose(page, "gcf");
  assert.match(await inText(page, "out-editor"), /^GCF profile=generic\n## \[40\]\{id,name,isOdd\}\n0\|row 0\|false\n/);
  assert.deepEqual(requests.filter((url) => !url.startsWith(server.origin)), []);
  assert.deepEqual(errors, []);
});

test("little is loaded before a vocabulary", async (context) => {
  const { page, requests } = await playground();
  const sizes = requests.filter((url) => !/(?:o200k|cl100k)_bg/.test(url)).map((url) => {
    const file = new URL(url).pathname.replace(/^\/wire/, "");
    return [file, gzipSync(readFileSync(join(site, file)), { level: 9 }).length];
  });
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  context.diagnostic(`${all.toLocaleString("en-US")} bytes, gzipped: ${sizes.map(([file, size]) => `${file} ${size}`).join(", ")}`);
  assert.ok(all <= 400_000);
  const loads = () => requests.filter((url) => /page_bg/.test(url)).length;
  // A text with the words of other contents is none of them, and JSON is edited without the other module.
  await paste(page, '[{"role":"user","content":"hi","symbols":[]},{"role":"x","content":"ho","symbols":[]}]');
  await shows(page, "#in-meta", "JSON");
  await says(page, "tokens");
  await choose(page, "json");
  await paste(page, '[{"edited":1}]', "out-editor");
  await shows(page, "#in-editor", '"edited": 1');
  assert.equal(loads(), 0);
  // What else it is, is found by the members, however they are written.
  for (const [text, content] of [
    ['{"\\u0063ontent":[{"type":"text","text":"[{\\"id\\": 1}, {\\"id\\": 2}]"}]}', "tool result"],
    [JSON.stringify(["a", "b"].map((name) => ({ tool: "t", tokens_used: 0, token_budget: 0, symbols: [{ ...SYMBOL, qualified_name: name }], edges: [] }))).replaceAll("symbols", "s\\u0079mbols"), "two payloads"],
  ]) {
    await paste(page, text);
    await shows(page, "#in-meta", content);
  }
  assert.equal(loads(), 1);
});

test("the page's policy lets nothing out", async () => {
  const { page, errors } = await playground();
  const isSent = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => true, () => false));
  assert.equal(isSent, false);
  assert.match(errors.join(), /Content Security Policy/);
});

test("files are dropped and picked, and other formats are read", async () => {
  const { page, errors } = await playground();
  await drop(page, "x.csv", "id,name\n1,Ann\n2,Bo\n");
  await shows(page, "#in-meta", "CSV");
  await page.setInputFiles("#file", { name: "x.yaml", mimeType: "text/yaml", buffer: Buffer.from("- id: 1\n- id: 2\n") });
  await shows(page, "#in-meta", "YAML");
  await choose(page, "json");
  assert.equal((await inText(page, "out-editor")).trim(), '[{"id":1},{"id":2}]');
  for (const [text, name] of [["{\"a\":1}\n{\"a\":2}\n", "JSON lines"], ["GCX1 tool=t fields=a rows=1\n7\n", "GCX1"], ["GCF profile=generic\na=1\n", "GCF"]]) {
    await paste(page, text);
    await shows(page, "#in-meta", name);
  }
  assert.deepEqual(errors, []);
});

test("a format that does not show is guessed, and others are offered until the next paste", async () => {
  const { page, errors } = await playground();
  // YAML with brackets is no text with JSON in it.
  await paste(page, "services:\n  web:\n    image: nginx\n    ports: [80, 443]\n  db:\n    image: postgres\n    ports: [5432]\n");
  await shows(page, "#in-meta", "YAML");
  await says(page, "it is read as YAML. Read as CSV · text");
  await choose(page, "gcf");
  assert.match(await inText(page, "out-editor"), /^GCF profile=generic\n/);
  // Sentences and CSV are texts; a button says what they are.
  await paste(page, 'Found 2 rows:\n[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]\n');
  await shows(page, "#in-meta", "text with JSON");
  await paste(page, "id,name,city\n1,Ann,Rome\n2,Bo,Oslo\n3,Cy,Rome\n");
  await says(page, "The text stays: 24 tokens");
  assert.deepEqual(await violations(page), []);
  await page.locator("#verdict .guess", { hasText: "CSV" }).click();
  await shows(page, "#in-meta", "CSV");
  assert.equal(await page.inputValue("#from"), "csv");
  // What it is compared with is what was pasted, which is smaller than JSON.
  await says(page, "It stays as you pasted it: 24 tokens");
  assert.doesNotMatch(await verdict(page), /%.*%|−/);
  assert.match(await form(page, "gcf").innerText(), /37\s+\+54/);
  assert.match(await page.locator("#in-note").innerText(), /could have a type: try Types/);
  await choose(page, "json");
  assert.match(await inText(page, "out-editor"), /"id":"1"/);
  await page.locator("#in-note .guess").click();
  await page.waitForFunction(() => document.querySelector("#out-editor").textContent.includes('"id":1,'));
  assert.deepEqual(await violations(page), []);
  // The next paste is another text.
  await paste(page, '[{"id":1}]');
  await shows(page, "#in-meta", "JSON");
  assert.equal(await page.inputValue("#from"), "");
  assert.deepEqual(errors, []);
});

test("each flag that a message names is a switch", async () => {
  const { page, errors } = await playground();
  const json = async (text) => {
    await choose(page, "json");
    await page.waitForFunction((text) => document.querySelector("#out-editor").textContent.includes(text), text);
    assert.doesNotMatch((await verdict(page)) + (await page.locator("#in-note").innerText()), /--/);
  };
  const press = (place, words) => page.locator(`${place} button`, { hasText: words }).click();
  await drop(page, "x.csv", "id,id\n1,2\n");
  await says(page, "expected once; Rename duplicates tells them apart");
  assert.match(await page.locator("#in-editor .caret").innerText(), /“Rename duplicates” tells them apart/);
  assert.deepEqual(await violations(page), []);
  await press("#verdict", "Rename duplicates");
  await json('{"id":"1","id_2":"2"}');
  await press("#in .acts", "Rename duplicates");
  await says(page, "expected once");
  await drop(page, "x.csv", "a;b,c\n1;2,3\n");
  await press("#in-note", "Commas");
  await json('{"a;b":"1;2","c":"3"}');
  await press("#in .acts", "Commas");
  await press("#in-note", "Semicolons");
  await json('{"a":"1","b,c":"2,3"}');
  await drop(page, "x.yaml", "a: !Sub b\n");
  await says(page, "Drop tags leaves tags out, Keep tags writes objects");
  await press("#verdict", "Keep tags");
  await json('{"a":{"!Sub":"b"}}');
  await press("#in .acts", "Keep tags");
  await press("#verdict", "Drop tags");
  await json('{"a":"b"}');
  await paste(page, "[1,\n2]\n3\n");
  await says(page, "values on lines of their own are JSON lines");
  await press("#verdict", "JSON lines");
  await json("[[1,2],3]");
  // The page does not read TOML.
  await paste(page, '[package]\nname = "x"\n');
  await says(page, "Line 1, column 2");
  assert.doesNotMatch(await verdict(page), /--|TOML/);
  assert.deepEqual(errors, []);
});

test("what is shown and copied is what is taken, until a row is picked", async () => {
  const { page } = await playground();
  const rows = (count) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: "Ann" })));
  const name = () => page.locator("#out-name").innerText();
  await paste(page, rows(20));
  await says(page, "same value, checked");
  assert.equal(await name(), "GCF");
  await paste(page, '{"a":1}');
  await says(page, "JSON stays");
  assert.equal(await name(), "Minified JSON");
  assert.match(await form(page, "gcf").locator(".tag").innerText(), /JSON stays/);
  await choose(page, "gcf");
  assert.equal(await name(), "GCF");
  await page.locator("#in-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" ");
  await shows(page, "#in-meta", "8 bytes");
  assert.equal(await name(), "GCF");
  await paste(page, '{"b":2}');
  await page.waitForFunction(() => document.querySelector("#out-editor").textContent.includes('{"b":2}'));
  assert.equal(await name(), "Minified JSON");
});

test("a form in which a result is not written is not shown", async () => {
  const { page } = await playground();
  const text = JSON.stringify([{ id: 1, name: "Ann" }, { id: 2, name: "Bo" }, { id: 3, name: "Cy" }]);
  await paste(page, JSON.stringify({ content: [{ type: "text", text }] }));
  await shows(page, "#in-meta", "tool result");
  await says(page, "tokens");
  assert.match(await form(page, "gcx").innerText(), /GCX1\s+JSON stays/);
  assert.equal(await form(page, "gcx").locator("input").isDisabled(), true);
  for (const name of ["json", "gcf"]) {
    await choose(page, name);
    assert.equal((await inText(page, "out-editor")).startsWith("GCF "), name === "gcf");
  }
});

test("another project’s smaller form is named", async () => {
  const { page } = await playground();
  await paste(page, '{"id":1,"name":"Ann","tags":["x","y","z"],"on":true}');
  await says(page, "No form that wire writes keeps every value");
  const [stays, toon] = [Number((await verdict(page)).match(/JSON stays: (\d+)/)[1]), Number(await form(page, "toon").locator(".n").innerText())];
  assert.ok(toon < stays, `${toon} of ${stays}`);
  assert.match(await verdict(page), new RegExp(`TOON, which wire does not write, has ${toon}\\.`));
});

test("a text is pasted anywhere, also beside a drawing", async () => {
  const { page } = await playground();
  await example(page, "Code graph");
  await page.locator("#graph g[role=button]").first().waitFor();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", '{"pasted":true}');
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await shows(page, "#in-editor", '"pasted"');
  assert.equal(await page.locator("#graph").isVisible(), false);
});

test("until a vocabulary is loaded, counts are estimates", async (context) => {
  const { page, requests, errors } = await opened(browser);
  let load;
  const loads = new Promise((resolve) => (load = resolve));
  await page.route(/_bg-.*\.wasm/, async (route) => (await loads, route.continue()));
  await page.goto(`${server.origin}/wire/playground.html`);
  await says(page, "about 25\\d → 1\\d\\d tokens");
  assert.match(await verdict(page), /An estimate/);
  assert.equal(await page.locator("#forms .best").count(), 0);
  assert.match(await form(page, "gcf").locator(".n").innerText(), /^≈ /);
  assert.match(await inText(page, "out-editor"), /^GCF profile=generic\n/);
  assert.deepEqual(await violations(page), []);
  await picture(page, "draft");
  await paste(page, ROWS);
  await says(page, "about [\\d,]+ → ");
  // The estimate is not that of a text before.
  await paste(page, "It is said in words.");
  await says(page, "^Counting…");
  await paste(page, ROWS);
  // All that was loaded for that.
  const files = requests.filter((url) => url.startsWith(server.origin) && !url.endsWith(".wasm")).map((url) => new URL(url).pathname.replace(/^\/wire/, ""));
  const size = (pattern) => files.filter((file) => pattern.test(file)).reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file)), { level: 9 }).length, 0);
  const early = size(/\/(?:playground|theme)[^/]*\.js$/);
  context.diagnostic(`scripts of the first screen, gzipped: ${early} bytes; of all: ${size(/\.js$/)}`);
  assert.ok(early > 50_000 && early <= 100_000, `${early} bytes`);
  load();
  await says(page, "same value, checked");
  assert.deepEqual(errors, []);
});

test("either side is edited, and the other one follows", async () => {
  const { page, errors } = await playground();
  await paste(page, '[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"},{"id":3,"name":"Cy"}]');
  await says(page, "GCF is the form that our programs take");
  await choose(page, "gcf");
  await paste(page, "GCF profile=generic\n## [1]{id,name}\n9|Zoe\n", "out-editor");
  await shows(page, "#in-editor", "Zoe");
  assert.deepEqual(JSON.parse(await inText(page, "in-editor")), [{ id: 9, name: "Zoe" }]);
  // An error stands under its character, and the left side stays.
  await paste(page, "GCF profile=generic\n## [2]{id,name}\n9|Zoe\n", "out-editor");
  await shows(page, "#out-editor .caret", "count_mismatch");
  assert.deepEqual(JSON.parse(await inText(page, "in-editor")), [{ id: 9, name: "Zoe" }]);
  assert.deepEqual(errors, []);
});

test("an error stands under the character that is wrong", async () => {
  const { page } = await playground();
  await paste(page, '[\n  {"é": "😀", "paid": True}\n]');
  await says(page, "Line 2, column 22:");
  assert.equal(await page.locator("#in-editor .bad").innerText(), "T");
  assert.match(await page.locator("#in-editor .caret").innerText(), /\^ json_syntax found True, a word of Python, expected a value/);
  assert.match(await verdict(page), /json_syntax/);
  assert.deepEqual(await violations(page), []);
  await picture(page, "error");
});

test("an error in a long line, which is broken, stands under its character, too", async () => {
  const { page } = await playground();
  await paste(page, `[${"123456789,".repeat(80)}true, False, 2]`);
  await says(page, "Line 1, column 808:");
  await page.waitForFunction(() => {
    const [bad, caret] = [".bad", ".caret b"].map((name) => document.querySelector(`#in-editor ${name}`)?.getBoundingClientRect());
    const isScrolled = document.querySelector("#in-editor .cm-scroller").scrollLeft > 0;
    return bad !== undefined && caret !== undefined && !isScrolled && Math.abs(bad.left - caret.left) < 3 && caret.top >= bad.bottom - 4 && caret.top - bad.bottom < bad.height;
  });
});

test("a file stays what its name says while it is edited, and when it is shared", async () => {
  const { page, context } = await playground({ permissions: ["clipboard-read", "clipboard-write"] });
  const file = join(made, "people.csv");
  writeFileSync(file, "id,name\n1,Ann\n2,Bo\n");
  await page.setInputFiles("#file", file);
  await shows(page, "#in-meta", "CSV");
  await page.locator("#in-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("3,Cy");
  await shows(page, "#out-editor", "Cy");
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.length > 1);
  const other = await context.newPage();
  await other.goto(page.url());
  await shows(other, "#out-editor", "Cy");
  // Another text is not.
  await paste(page, '[{"id":4,"name":"Di"}]');
  await page.waitForFunction(() => /JSON/.test(document.querySelector("#in-meta").innerText));
});

test("a link that unpacks to more than 8 MB is refused", async () => {
  const { page } = await playground();
  for (const [length, isShown] of [[7_000_000, true], [9_000_000, false]]) {
    const shared = deflateRawSync(JSON.stringify({ text: " ".repeat(length), form: "gcf" })).toString("base64url");
    await page.goto("about:blank");
    await page.goto(`${server.origin}/wire/playground.html#1${shared}`);
    await shows(page, isShown ? "#in-meta" : "#toast", isShown ? "7.0 MB" : "more than 8 MB");
  }
});

test("what loses something looks so", async () => {
  const { page } = await playground();
  await paste(page, '[{"id":12345678901234567890},{"id":12345678901234567891}]');
  await says(page, "same value");
  // The other package has doubles.
  assert.match(await form(page, "toon").getAttribute("class"), /lossy/);
  assert.match(await form(page, "toon").getAttribute("title"), /not every value decodes to an equal one/);
  for (const kept of ["gcf", "gcx"]) assert.doesNotMatch(await form(page, kept).getAttribute("class"), /lossy/);
});

test("every example is what it is for", async () => {
  const { page, errors } = await playground();
  for (const [name, words] of [
    ["MCP result", "tokens −2\\d"], ["Kubernetes list", "GCF is the form that our programs take"], ["Code graph", "GCF, shown here, needs"], ["Query response", "GCF is the form that our programs take|JSON stays"],
    ["Damaged answer", "11 repairs.*2 lose something"], ["Changes of a graph", "GCF delta is the form that our programs take"], ["Nested config", "JSON stays"], ["One long text", "JSON stays"],
  ]) {
    await example(page, name);
    await says(page, words.replaceAll(" ", "\\s*"));
    assert.deepEqual(await violations(page), [], name);
    if (name !== "Code graph") continue;
    await page.locator("#graph g[role=button]").first().waitFor();
    assert.equal(await page.locator("#graph g[role=button]").count(), 10);
    await page.locator("#graph g[role=button]").first().focus();
    await page.waitForFunction(() => document.querySelectorAll("#out-editor .hit").length >= 3);
    assert.equal(await page.locator("#graph .edge.on").count(), 6);
    // Its many forms leave the panes in the first screen; what is lost is below the text.
    assert.equal(await form(page, "gcb").isVisible(), false);
    assert.ok((await page.locator("#out").boundingBox()).y < 400);
    assert.match(await page.locator("#notes").innerText(), /signatures are dropped/);
    await page.locator("#forms summary").click();
    assert.equal(await form(page, "gcb").locator(".n").innerText(), "1,573 bytes");
    assert.deepEqual(await violations(page), []);
    await picture(page, "graph");
  }
  assert.deepEqual(errors, []);
});

test("tokens are shown in both sides, and counted by kind", async () => {
  const { page } = await playground();
  await page.locator("#heat").click();
  await page.waitForFunction(() => document.querySelectorAll("#out-editor .t1").length > 40);
  // Neighbours differ.
  const colours = await page.evaluate(() => [...document.querySelectorAll("#out-editor .cm-line span")].map((token) => token.className));
  assert.ok(colours.length > 150 && colours.every((colour, at) => /^t[1-4]$/.test(colour) && colour !== colours[at + 1]));
  // The tokens of the shown text together are as many as are counted.
  const shown = await page.evaluate(() => [...document.querySelectorAll("#parts tbody tr")].map((row) => [row.querySelector("th").textContent, [...row.querySelectorAll("td:not(.stack)")].reduce((sum, cell) => sum + Number(cell.textContent), 0)]));
  assert.deepEqual(Object.fromEntries(shown), { "as pasted": 334, "minified JSON": 254, GCF: 184, GCX1: 177, TOON: 184 });
  // The site's first page shows the same.
  const front = JSON.parse(readFileSync(new URL("../src/front.json", import.meta.url), "utf8"));
  assert.deepEqual([front.json.cuts.length, front.gcf.cuts.length], [254, 184]);
  assert.match(readFileSync(join(site, "index.html"), "utf8"), /GCX1, which has 177 tokens here/);
  assert.deepEqual(await violations(page), []);
  await picture(page, "tokens");
  await paste(page, '["größer als 日本語のテキスト"]');
  await says(page, "JSON stays");
  const before = await verdict(page);
  await page.selectOption("#vocabulary", "cl100k");
  await page.waitForFunction((before) => /JSON stays: \d/.test(document.querySelector("#verdict").innerText) && document.querySelector("#verdict").innerText !== before, before);
});

test("a form is copied and downloaded as it is shown", async () => {
  const { page } = await playground({ permissions: ["clipboard-read", "clipboard-write"] });
  await paste(page, ROWS);
  await says(page, "same value, checked");
  await choose(page, "gcf");
  await page.locator("#copy").click();
  await shows(page, "#toast", "Copied: GCF");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^GCF profile=generic\n## \[40\]\{id,name,isOdd\}\n/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  assert.match(download.suggestedFilename(), /\.gcf$/);
  assert.equal(readFileSync(await download.path(), "utf8"), copied);
});

test("a link has the text in itself", async () => {
  const { page, context } = await playground({ permissions: ["clipboard-read", "clipboard-write"] });
  await paste(page, ROWS);
  await says(page, "same value, checked");
  await choose(page, "gcf");
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.length > 1);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, page.url());
  const other = await context.newPage();
  await other.goto(link);
  await says(other, "same value, checked");
  assert.equal(await other.locator("#out-name").innerText(), "GCF");
  assert.match(await other.locator("#in-editor").innerText(), /row 0/);
  await other.goto(`${link.slice(0, -40)}`);
  await other.reload();
  await shows(other, "#toast", "cut");
});

test("20 MB don't freeze the page, and can be cancelled", async () => {
  const { page, errors } = await playground();
  const large = `[${Array.from({ length: 200_000 }, (_, id) => JSON.stringify({ id, name: `row ${id}`, city: "Vienna", total: id / 7, isPaid: id % 2 === 0 })).join(",\n")}]`;
  assert.ok(large.length > 16_000_000);
  // Of a file, so that the page is not given its bytes by the test.
  const file = join(made, "large.json");
  writeFileSync(file, large);
  await page.setInputFiles("#file", file);
  await page.locator("#cancel").click();
  await says(page, "Cancelled");
  await page.setInputFiles("#file", file);
  await page.waitForFunction(() => /of .* MB counted/.test(document.querySelector("#progress").textContent), null, { timeout: 60_000 });
  await picture(page, "large");
  // The page can be used meanwhile.
  await page.fill("#server", "uvx some-server");
  await shows(page, "#configuration", "some-server");
  await page.waitForFunction(() => document.querySelector("#verdict").textContent.includes("same value, checked"), null, { timeout: 120_000 });
  assert.match(await page.locator("#in-note").innerText(), /the first lines/);
  // Seven digits have their column.
  const overlap = await page.evaluate(() => [...document.querySelectorAll("#forms .form")].filter((row) => {
    const [name, bar, number] = [".name", ".bar", ".n"].map((part) => row.querySelector(part)?.getBoundingClientRect());
    const text = row.querySelector(".name").firstChild;
    const range = document.createRange();
    range.selectNodeContents(text);
    return bar !== undefined && (number.left < bar.right || range.getBoundingClientRect().right >= bar.left || name.right > bar.left);
  }).map((row) => row.textContent));
  assert.deepEqual(overlap, []);
  assert.match(await form(page, "json").locator(".n").innerText(), /^\d,\d{3},\d{3}$/);
  assert.deepEqual(errors, []);
});

test("it is read aloud, dark, on a phone and by the keyboard", async () => {
  for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true }]]) {
    const { page } = await playground({ reducedMotion: "reduce", ...options });
    assert.deepEqual(await violations(page), [], name);
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inner <= outer, `${name} scrolls sideways: ${inner} of ${outer}`);
    await picture(page, name);
  }
  const { page } = await playground();
  // From the skip link into the editor, and out of it by the same key.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  const places = [];
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press("Tab");
    places.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.name));
  }
  for (const place of ["from", "open", "clear", "cm-content", "form", "heat", "copy", "download", "share", "server", "client"]) {
    assert.ok(places.some((found) => found.includes(place)), `${place} is not reached: ${places.join(" ")}`);
  }
});

test("the configuration of a client is that of init", async () => {
  const { page } = await playground();
  await page.fill("#server", 'npx -y "@scope/server-x" --path "/a b"');
  await page.selectOption("#client", "opencode");
  const text = async () => (await page.locator("#configuration").innerText()).split("\n").slice(2).join("\n");
  assert.deepEqual(JSON.parse(await text()), { mcp: { x: { type: "local", command: ["wire-proxy", "--", "npx", "-y", "@scope/server-x", "--path", "/a b"] } } });
  await page.selectOption("#client", "codex");
  assert.match(await text(), /^\[mcp_servers\.x\]\ncommand = "wire-proxy"\nargs = \["--", "npx", /);
  await page.fill("#server", "https://example.com/mcp");
  await page.selectOption("#client", "cursor");
  assert.deepEqual(JSON.parse(await text()), { mcpServers: { example: { command: "wire-proxy", args: ["--structured", "drop", "https://example.com/mcp"] } } });
});

test("the page in one file works without a server", async () => {
  const { page, requests, errors } = await opened(browser);
  await page.goto(pathToFileURL(oneFile).href);
  await says(page, "254 → 184 tokens");
  await example(page, "Code graph");
  await page.locator("#graph g[role=button]").first().waitFor();
  assert.deepEqual(requests.filter((url) => /^(https?|ws):/.test(url)), []);
  assert.deepEqual(errors, []);
});
