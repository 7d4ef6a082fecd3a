// The configuration of a client for a server with the proxy in front, by the table from which `wire-proxy init` writes it.
import agents from "../../crates/wire-proxy/src/agents/agents.json";
import { $, element } from "./dom";

interface Shape {
  syntax: string;
  servers: string[][];
  is_command_a_list?: boolean;
  project?: string[];
  home?: string[];
  user?: string[];
  structured?: string;
}

const SHAPES: Record<string, Shape> = Object.fromEntries(agents.flatMap(({ name, config }) => config === undefined ? [] : [[name, config as Shape]]));
const TITLES: Record<string, string> = {
  "claude-code": "Claude Code", codex: "Codex", cursor: "Cursor", vscode: "VS Code", opencode: "OpenCode", copilot: "GitHub Copilot CLI", cline: "Cline",
};

/** The words of a command, as a shell reads them. */
export function words(command: string): string[] {
  const found = command.matchAll(/((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/g);
  return [...found].map(([word]) => word.replace(/\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, one, double, single) => one ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single));
}

/** The name of a server, by the package, program or URL that it is. */
function nameOf([program = "server", ...args]: string[]): string {
  const named = args.find((word) => !word.startsWith("-")) ?? program;
  const url = /^https?:\/\/([^/:]+)/.exec(named)?.[1];
  return (url ?? named).replace(/@[\d.]+$|@latest$/, "").replace(/^.*\//, "").replace(/^(?:mcp-)?server-|\.\w+$/g, "").replace(/[^\w-]/g, "-") || "server";
}

/** The text for a client's configuration. */
export function configuration(client: string, command: string): string {
  const shape = SHAPES[client]!;
  const given = words(command);
  const server = given[0] === "wire-proxy" ? given.slice(given.indexOf("--") + 1) : given;
  const isUrl = server.length === 1 && /^https?:\/\//.test(server[0]!);
  const policy = shape.structured === undefined ? [] : ["--structured", shape.structured];
  const args = [...policy, ...(isUrl ? server : ["--", ...server])];
  const name = nameOf(server);
  if (shape.syntax === "toml") return `[${shape.servers[0]!.join(".")}.${name}]\ncommand = "wire-proxy"\nargs = [${args.map((word) => JSON.stringify(word)).join(", ")}]\n`;
  const entry = shape.is_command_a_list ? { type: "local", command: ["wire-proxy", ...args] } : { command: "wire-proxy", args };
  const wrapped = shape.servers.at(-1)!.reduceRight<object>((inner, member) => ({ [member]: inner }), { [name]: entry });
  return `${JSON.stringify(wrapped, null, 2)}\n`;
}

/** Fills in the part of the page. */
export function configure(): void {
  const client = $<HTMLSelectElement>("client");
  for (const name of Object.keys(SHAPES)) {
    const option = element("option", "", TITLES[name] ?? name) as HTMLOptionElement;
    option.value = name;
    client.append(option);
  }
  const update = () => {
    const { project, home, user } = SHAPES[client.value]!;
    const file = project?.[0] ?? ["~", home?.[1], user?.[0]].filter(Boolean).join("/");
    const command = $<HTMLInputElement>("server").value.trim();
    $("configuration").replaceChildren(element("span", "c-comment", `${file}\n\n`), command === "" ? "" : configuration(client.value, command));
  };
  client.addEventListener("change", update);
  $("server").addEventListener("input", update);
  update();
}
