// The examples to click. All are made up.
import answer from "../examples/answer.txt?raw";
import config from "../examples/config.json?raw";
import delta from "../examples/two-payloads.jsonl?raw";
import graph from "../examples/graph.json?raw";
import kubernetes from "../examples/kubernetes.json?raw";
import orders from "../examples/orders.json?raw";
import query from "../../fixtures/payloads/queries/path_finding.json?raw";
import text from "../examples/text.json?raw";
import tool from "../examples/tool-result.txt?raw";

/** Their names, and the form that is shown first, if it is not the one that is taken. */
export const EXAMPLES: { name: string; text: string; form?: string }[] = [
  { name: "Orders", text: orders },
  { name: "MCP result", text: tool },
  { name: "Kubernetes list", text: kubernetes },
  { name: "Code graph", text: graph, form: "gcf" },
  { name: "Query response", text: query },
  { name: "Damaged answer", text: answer },
  { name: "Changes of a graph", text: delta, form: "delta" },
  { name: "Nested config", text: config },
  { name: "One long text", text: text },
];
