// Counts by the vocabulary cl100k_base.
import { utf8 } from "./convert.js";
import { calling } from "./error.js";
import wasm from "./cl100k.module.js";

export const countTokens = (text) => calling(() => wasm().count(utf8(text)));
// The name by which `smallest` reports it.
Object.defineProperty(countTokens, "name", { value: "cl100k_base" });
