// The words of names by which the plugs leave results alone, beside the same rules in Rust.
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { mayBeQuoted } from "wire-formats/ai-sdk";

// They are no part of what the package exports.
const own = (name) => import(pathToFileURL(join(import.meta.dirname, "node_modules/wire-formats", name)));
const { readsFile } = await own("names.js");
const { default: tables } = await own("words.js");
const { left_verbatim: leftVerbatim } = (await own("gcf.module.js")).default();

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const SPELLINGS = [
  (words) => words.join("_"),
  (words) => words.join("-"),
  (words) => words[0] + words.slice(1).map(capital).join(""),
  (words) => `server__${words.join("_")}`,
  (words) => `get_file__${words.map(capital).join("")}2`,
];
/** JSON that only tools that read a file keep; and JSON with a text of two lines, which tools that read anything keep. */
const FILE = '{"a":1}';
const SOMETHING = '{"text":"two\\nlines","rows":[1,2,3,4,5,6,7,8,9,10]}';

function same(words) {
  for (const spelling of SPELLINGS) {
    const name = spelling(words);
    assert.equal(readsFile(name), leftVerbatim(name, "{}", FILE), name);
    assert.equal(mayBeQuoted(name, SOMETHING), leftVerbatim(name, "{}", SOMETHING), name);
  }
}

test("all pairs of a verb and a thing, alone and with a third word", () => {
  // Each third word is beside some pairs, and each pair beside some.
  const third = [...tables.others, ...tables.cuts, ...tables.reads, "rows"];
  let count = 0;
  for (const verb of [...tables.verbs, "list", "git", "fs"]) {
    for (const thing of [...tables.things, "orders", "show", "read"]) {
      for (const words of [[verb, thing], [thing, verb]]) {
        same(words);
        for (let each = 0; each < 6; each++) same([...words, third[count++ % third.length]]);
        same([third[count++ % third.length], ...words]);
        same([...words, "by", third[count++ % third.length]]);
      }
    }
  }
  assert.ok(count > 10_000);
});

test("names of one word, and odd ones", () => {
  const words = [...new Set(Object.values(tables).flat())];
  for (const word of words) same([word]);
  const odd = "|_|__|a__|READ_FILE|readHTMLFile|HTMLFileRead|getURL|Get2Files|read2file|fs_read|x_fs_read|fs_read_x|git_show|gitShow|by_read_file|read.file|read/file|files:read|lire_fichier|読む_file";
  for (const name of odd.split("|")) assert.equal(readsFile(name), leftVerbatim(name, "{}", FILE), name);
});

test("long texts are counted in bytes, and of values as of JSON", () => {
  const rows = Array.from({ length: 99 }, (_, id) => id);
  for (const text of ["x".repeat(256), "x".repeat(257), "é".repeat(128), `${"é".repeat(128)}x`, `${"語".repeat(85)}x`, "語".repeat(86), "😀".repeat(64), `${"😀".repeat(64)}x`, "one line\n", "one line\r\n\n", "\nx", "x\ry"]) {
    for (const value of [{ text, rows }, [[{ a: [text] }], rows], { [text]: 1, rows }]) {
      const json = JSON.stringify(value);
      const expected = leftVerbatim("read_query", "{}", json);
      for (const result of [json, JSON.stringify(value, null, 2), value]) assert.equal(mayBeQuoted("read_query", result), expected, json);
    }
    assert.equal(mayBeQuoted("query", text), false);
  }
  // A text that is no JSON is itself.
  assert.deepEqual(["done", "two\nlines", undefined, new Date(0), 1n].map((result) => mayBeQuoted("read_query", result)), [false, true, false, false, false]);
});
