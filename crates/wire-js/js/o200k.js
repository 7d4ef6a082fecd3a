// Counts by the vocabulary o200k_base.
import { utf8 } from "./convert.js";
import { calling } from "./error.js";
import wasm from "./o200k.module.js";

export const countTokens = (text) => calling(() => wasm().count(utf8(text)));
// The name by which `smallest` reports it.
Object.defineProperty(countTokens, "name", { value: "o200k_base" });
