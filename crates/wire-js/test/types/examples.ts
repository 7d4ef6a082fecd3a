// The examples of the declarations, and what types they have.
import { type Smallest, WireError, estimateTokens, gcb, gcf, gcx, goon, graph, keyed, smallest, smallestFromJSON } from "wire-formats";
import { countTokens } from "wire-formats/o200k";
import { countTokens as countCl100k } from "wire-formats/cl100k";

interface User {
  id: number;
  name: string;
}
const users: User[] = [{ id: 1, name: "Ann" }];
const text: string = gcf.stringify(users, { spec: "3.6", replacer: ["id"], maps: true });
const back = gcf.parse<User[]>(text, { bigint: true, reviver: (_key, value) => value });
const name: string | undefined = back[0]?.name;
const json: string = gcx.toJSON(gcx.fromJSON("[1]", { tool: "list", exact: true }));
const { value, repairs } = gcf.recover<User[]>(text);
const codes: string[] = repairs.map((repair) => repair.code);
const bytes: Uint8Array = gcb.stringify({ tool: "t" });
gcb.parse<{ tool: string }>(bytes).tool;
goon.stringify({}, { version: "4.0.1", truncation: false });
graph.stringify({}, { dialect: "v3" });
const found: Smallest = smallest(users, { counter: countTokens });
const tokens: number = found.tokens + smallestFromJSON(json, { counter: countCl100k }).saved + estimateTokens(name ?? "");

const orders = new keyed.KeyedSet(users, { key: "id", fields: ["id", "name"] });
const sent: keyed.Update = new keyed.Session(orders, { fullEvery: 2 }).next(orders);
const message = keyed.parse(sent.text);
const names: string[] = keyed.receive(sent.text, orders).rows<User>().map((user) => user.name);
const size: number | null = message instanceof keyed.KeyedSet || message instanceof keyed.Delta ? message.size : message.count;

async function streamed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const line of gcf.stringifyLines(users, { fields: ["id", "name"] })) line.trimEnd();
  for await (const user of gcf.parseLines<User>(chunks)) user.name.trim();
}

try {
  gcf.parse("");
} catch (error) {
  if (error instanceof WireError) [error.code, error.line?.toFixed(), error.path];
}

// @ts-expect-error: there is no such version.
gcf.stringify(users, { spec: "1" });
// @ts-expect-error: GCB1 is bytes.
gcb.parse("text");
// @ts-expect-error: an option of another format.
gcx.stringify(users, { dialect: "v1" });
export { codes, names, size, streamed, tokens, value };
