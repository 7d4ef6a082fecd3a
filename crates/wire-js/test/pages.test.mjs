// The blocks of JavaScript in the pages run, and what stands behind `//` is what comes out.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import test from "node:test";

for (const page of ["javascript.md", "README.md", "lite.md"]) {
  const blocks = [...readFileSync(join(import.meta.dirname, "pages", page), "utf8").matchAll(/```js\n([^]*?)```/g)].map((found) => found[1]);
  test(`the examples of ${page}`, async () => {
    assert.ok(blocks.length > 0);
    for (const [index, block] of blocks.entries()) {
      const file = join(import.meta.dirname, `pages/${page}.${index}.mjs`);
      const checks = block.match(/^\S.*;(?: \/\/ .*)?(?:\n\/\/ .*)*/gm).map(checked);
      writeFileSync(file, `import assert from "node:assert/strict";\n${checks.join("\n")}`);
      await import(pathToFileURL(file));
      rmSync(file);
    }
  });
}

/** A statement, with an assertion if comments say its value: behind it as a literal, or as text on the lines after it. */
function checked(statement) {
  const [first, ...lines] = statement.split("\n");
  const [, code, literal] = /^(.*?);(?: \/\/ (.*))?$/.exec(first);
  if (literal !== undefined) return `assert.deepEqual(${code}, ${literal});`;
  if (lines.length > 0) return `assert.equal(${code}.trimEnd(), ${JSON.stringify(lines.map((line) => line.slice(3)).join("\n"))});`;
  return first;
}
