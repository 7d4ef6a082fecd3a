// What the tools of all tests return: rows with dates and nulls, and the text that a model gets of them; and what the page says.
import { readFileSync } from "node:fs";

export const orders = Array.from({ length: 6 }, (_, index) => ({
  id: 1000 + index,
  customer: ["Ann", "Bo", "Cy"][index % 3],
  total: 10.5 * index,
  placed: new Date(1_700_000_000_000 + index * 86_400_000),
  note: index % 2 ? null : "call first",
}));
export const ordersAsText = `GCF profile=generic
## [6]{id,customer,total,placed,note}
1000|Ann|0|2023-11-14T22:13:20.000Z|call first
1001|Bo|10.5|2023-11-15T22:13:20.000Z|-
1002|Cy|21|2023-11-16T22:13:20.000Z|call first
1003|Ann|31.5|2023-11-17T22:13:20.000Z|-
1004|Bo|42|2023-11-18T22:13:20.000Z|call first
1005|Cy|52.5|2023-11-19T22:13:20.000Z|-
`;
export const ordersAsJSON = JSON.stringify(orders);
export const ordersAsValue = JSON.parse(ordersAsJSON);

const page = readFileSync(new URL("frameworks.md", import.meta.url), "utf8");
/** Code of the page with these names; `…` is what else a tool has. */
const valueOf = (code, names) => new Function(...Object.keys(names), `return ${code.replace("…", "...own")}`)(...Object.values(names));
/** What the page has for a framework: for one of its tools (2), or for all (3). */
export function lineOf(framework, column, names) {
  const row = page.split("\n").find((line) => line.startsWith(`| ${framework}`) && line.includes("wire-formats/"));
  return valueOf(/`(.+)`/.exec(row.split("|")[column])[1], names);
}
/** What the page has for options. */
export const optionsOf = (names) => valueOf(/^```js\n([^`]+);\n```$/m.exec(page)[1], names);
