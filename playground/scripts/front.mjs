// Makes `src/front.json`, the figures of the site's first page: a list of eight orders as minified JSON and as GCF, each with its tokens.
import { readFileSync, writeFileSync } from "node:fs";
import { gcf } from "../../target/js/package/index.js";
import o200k from "../../target/js/package/o200k.module.js";

const file = (path) => new URL(path, import.meta.url);
const orders = JSON.parse(readFileSync(file("../../fixtures/payloads/real/tables/open_orders.json"), "utf8"));

/** A text, and the lengths of its tokens in bytes. */
const cut = (text) => ({ text, cuts: [...o200k().tokens(new TextEncoder().encode(text))] });
const json = JSON.stringify(orders);
writeFileSync(file("../src/front.json"), `${JSON.stringify({ json: cut(json), gcf: cut(gcf.fromJSON(json)) })}\n`);
