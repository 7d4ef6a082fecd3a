// The first answer: JSON and GCF by the small encoder, with estimated tokens, until the modules and a vocabulary are loaded.
import { type Json, encode, estimate, rewrite } from "../../crates/wire-js/lite/index.js";
import type { Form, Opened } from "./protocol";

const encoder = new TextEncoder();

/** The forms of a JSON array or object; undefined of other texts, of values that JavaScript can't hold, and of those that have other forms. */
export function drafted(text: string): { opened: Opened; taken: string } | undefined {
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value !== "object" || value === null || hasOtherForms(value)) return undefined;
    const [json, gcf, taken] = [JSON.stringify(value), encode(value), rewrite(text)];
    // The text itself is returned where JavaScript's values do not hold its digits or keys.
    if (taken !== json && taken !== gcf) return undefined;
    const form = (format: string, text: string): Form => ({ format, isText: true, losses: [], bytes: encoder.encode(text), tokens: estimate(text) });
    const forms = [form("input", text), form("json", json), form("gcf", gcf)];
    return { opened: { format: "json", content: "value", isAround: false, isDraft: true, warnings: [], forms }, taken: taken === gcf ? "gcf" : "json" };
  } catch {
    return undefined; // no JSON, or too deep for GCF
  }
}

/** Whether it may be a payload, two of them, a query's response or a tool's result. */
function hasOtherForms(value: Json[] | { [name: string]: Json }): boolean {
  const [first] = Array.isArray(value) && value.length === 2 ? value : [value];
  return typeof first === "object" && first !== null && ["symbols", "query_type", "content"].some((name) => Object.hasOwn(first, name));
}
