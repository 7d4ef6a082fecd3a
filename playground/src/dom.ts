// Elements and words of the page.

export const $ = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;

/** An element with a class, from text and other elements. */
export function element(tag: string, className: string, ...inner: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...inner);
  return made;
}

export const count = (number: number) => number.toLocaleString("en-US");
export const plural = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

/** The change from a number to another: `−30 %`. */
export function change(from: number, to: number): string {
  const percent = from === 0 ? 0 : Math.abs((to - from) / from) * 100;
  const sign = to < from ? "−" : to > from ? "+" : "";
  return `${sign}${percent > 0 && percent < 1 ? percent.toFixed(1) : percent.toFixed(0)}\u00a0%`;
}

export function size(bytes: number): string {
  if (bytes < 10_000) return plural(bytes, "byte");
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function tick(): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = '<path d="M2.5 8.5l3.5 3.5 7.5-8" fill="none" stroke="currentColor" stroke-width="2"/>';
  return svg;
}

let timer = 0;

/** A message that goes away by itself. */
export function toast(message: string): void {
  $("toast").textContent = message;
  clearTimeout(timer);
  timer = window.setTimeout(() => ($("toast").textContent = ""), 5000);
}
