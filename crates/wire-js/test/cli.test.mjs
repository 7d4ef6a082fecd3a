// The package as people install it: its command, and `require`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { estimateTokens } from "wire-formats";
import { countTokens as countCl100k } from "wire-formats/cl100k";
import { countTokens } from "wire-formats/o200k";

const folder = mkdtempSync(join(tmpdir(), "wire-formats-"));
const rows = Array.from({ length: 20 }, (_, id) => ({ order_id: 58100 + id, customer: "Dev Okafor", total: id / 4 }));
writeFileSync(join(folder, "data.json"), `\ufeff${JSON.stringify(rows, null, 2)}`);
writeFileSync(join(folder, "bad.json"), "[1,\n");
execFileSync("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix", folder, process.env.WIRE_PACKAGE]);
const npx = (...args) => spawnSync("npx", ["--offline", "wire-formats", ...args], { cwd: folder, encoding: "utf8" });

test("stats", () => {
  const { stdout, stderr, status } = npx("stats", "data.json");
  assert.deepEqual([status, stderr], [0, ""]);
  const json = countTokens(JSON.stringify(rows));
  const [verdict, ...table] = stdout.trimEnd().split("\n");
  assert.match(verdict, /^data\.json: gcf has \d\d % fewer tokens than minified JSON \(\d+ of \d+, o200k_base\)$/);
  assert.equal(table.length, 3);
  assert.match(table[1], new RegExp(`^  json +${json}$`));
  assert.match(npx("stats", "--counter", "cl100k", "data.json").stdout, new RegExp(`json +${countCl100k(JSON.stringify(rows))}`));
});

test("what is wrong", () => {
  for (const [args, status, message] of [
    [["stats", "bad.json"], 1, /^error: bad\.json: line 2, column 1: /],
    [["stats", "none.json"], 1, /^error: .*none\.json/],
    [["stats"], 2, /a FILE is missing\n\nusage:/],
    [["stats", "--counter", "x", "data.json"], 2, /expected o200k or cl100k/],
    [["stats", "--what"], 2, /Unknown option '--what'/],
    [["count"], 2, /there is no command count/],
  ]) {
    const found = npx(...args);
    assert.equal(found.status, status, found.stderr);
    assert.match(found.stderr, message);
    assert.doesNotMatch(found.stderr, /    at /);
  }
  assert.match(npx("--help").stdout, /^usage: wire-formats stats/);
});

test("require", () => {
  const script = `const { gcf } = require("wire-formats"); console.log(gcf.stringify({ a: 1 }));`;
  assert.equal(execFileSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8" }), "GCF profile=generic\na=1\n\n");
});

test("vocabularies count", () => {
  for (const count of [countTokens, countCl100k]) {
    assert.equal(count("tiktoken is great!"), 6);
    assert.equal(count(""), 0);
    assert.ok(count("größe 漢字 \u{1f9ff}".repeat(1000)) > 4000);
  }
  assert.equal(estimateTokens("tiktoken is great!"), 4);
  assert.deepEqual(["", " ", "\ud800", "é"].map(estimateTokens), [0, 0, 1, 1]);
  assert.throws(() => countTokens("\ud800"), { code: "invalid_utf8" });
});
