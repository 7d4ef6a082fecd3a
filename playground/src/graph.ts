// A payload as a picture: symbols, and the edges between them. Pointing at a symbol lights its edges.
import { graphlib, layout } from "@dagrejs/dagre";

export interface Payload {
  symbols: { qualified_name: string; distance?: number }[];
  edges?: { source: string; target: string; edge_type: string }[];
}

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 24;
/** The width of a character at the size of the labels. */
const CHARACTER = 6.95;
/** How the edges of a type are drawn; the others are dotted. */
const DASHED = ["references", "contains", "imports"];

function svg(tag: string, attributes: Record<string, string | number>, ...inner: (string | Node)[]): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...inner);
  return made;
}

const short = (name: string) => name.slice(name.lastIndexOf("/") + 1).replace(/^[a-z]\w*\.(?=\w)/, "");

/** Draws a payload; `onSymbol` gets the index of the symbol that is pointed at, and what is said of it. */
export function drawn({ symbols, edges = [] }: Payload, onSymbol: (index: number | undefined, says: string) => void): SVGElement {
  const names = new Map(symbols.map(({ qualified_name }, index) => [qualified_name, index]));
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ ranksep: 44, nodesep: 16, marginx: 8, marginy: 8 });
  symbols.forEach(({ qualified_name }, index) => graph.setNode(String(index), { width: short(qualified_name).length * CHARACTER + 14, height: HEIGHT }));
  edges.forEach(({ source, target }, index) => {
    const [from, to] = [names.get(source), names.get(target)];
    if (from !== undefined && to !== undefined) graph.setEdge(String(from), String(to), {}, String(index));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const paths = graph.edges().map(({ v, w, name }) => {
    const { points } = graph.edge({ v, w, name: name! }) as { points: { x: number; y: number }[] };
    const { edge_type } = edges[Number(name)]!;
    const style = edge_type === "calls" ? "" : DASHED.includes(edge_type) ? " references" : " tests";
    const d = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return { from: v, to: w, path: svg("path", { class: `edge${style}`, d, "marker-end": "url(#arrow)" }) };
  });
  const says = (index: number) => {
    const out = edges.filter(({ source }) => names.get(source) === index).map(({ edge_type, target }) => `${edge_type} ${short(target)}`);
    const into = edges.filter(({ target }) => names.get(target) === index).map(({ edge_type, source }) => `${short(source)} ${edge_type} it`);
    return [...out, ...into].join("; ") || "no edges";
  };
  const nodes = symbols.map(({ qualified_name, distance }, index) => {
    const { x = 0, y = 0, width = 0 } = graph.node(String(index));
    const label = short(qualified_name);
    const attributes = { tabindex: 0, role: "button", "aria-pressed": "false", class: distance === 0 ? "target" : "", "aria-label": `${label}: ${says(index)}` };
    return svg("g", attributes, svg("rect", { x: x - width / 2, y: y - HEIGHT / 2, width, height: HEIGHT, rx: 2 }), svg("text", { x, y }, label));
  });
  const lit = (chosen: number | undefined) => {
    const near = new Set([String(chosen)]);
    for (const { from, to, path } of paths) {
      const isOn = from === String(chosen) || to === String(chosen);
      if (isOn) near.add(from).add(to);
      path.classList.toggle("on", isOn);
      path.classList.toggle("dim", chosen !== undefined && !isOn);
    }
    nodes.forEach((node, index) => {
      node.classList.toggle("on", index === chosen);
      node.classList.toggle("dim", chosen !== undefined && !near.has(String(index)));
      node.setAttribute("aria-pressed", String(index === chosen));
    });
    onSymbol(chosen, chosen === undefined ? "" : `${short(symbols[chosen]!.qualified_name)}: ${says(chosen)}`);
  };
  nodes.forEach((node, index) => {
    for (const event of ["mouseenter", "focus", "click"]) node.addEventListener(event, () => lit(index));
    for (const event of ["mouseleave", "blur"]) node.addEventListener(event, () => lit(undefined));
  });
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 .8L7.5 4L0 7.2z" }));
  const label = `The graph: ${symbols.length} symbols and ${edges.length} edges`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, svg("defs", {}, arrow), ...paths.map(({ path }) => path), ...nodes);
}
