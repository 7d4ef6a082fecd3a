// The site's first page: draws the picture of eight orders from their tokens, and hands a pasted text over to the playground.
import figures from "./front.json";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const values = JSON.parse(figures.json.text).flatMap(Object.values).map(String);
const drawn = { json: draw("json"), gcf: draw("gcf") };
const saved = Math.round(100 - (100 * figures.gcf.cuts.length) / figures.json.cuts.length);
write("saved", `−${saved} %`);
write("data", drawn.json.data);
write("rest-json", drawn.json.rest);
write("rest-gcf", drawn.gcf.rest);

/**
 * Shows a text with its values marked, and a mark for each token: first those that have a byte of a value, then those of names and
 * punctuation alone.
 *
 * @param {"json" | "gcf"} form
 */
function draw(form) {
  const { text, cuts } = figures[form]; // ASCII, so bytes are characters
  const isValue = new Array(text.length).fill(false);
  const parts = [];
  let end = 0;
  for (const value of values) {
    const start = text.indexOf(value, end);
    for (const part of text.slice(end, start).split(/(?<=,)/)) parts.push(part, document.createElement("wbr"));
    parts.splice(-1, 1, marked("b", value));
    end = start + value.length;
    isValue.fill(true, start, end);
  }
  parts.push(text.slice(end).trimEnd());
  let at = 0;
  const data = cuts.filter((length) => isValue.slice(at, (at += length)).includes(true)).length;
  const rest = cuts.length - data;
  const marks = [...Array(cuts.length).keys()].map((index) => marked(index < data ? "b" : "i", ""));
  write(`count-${form}`, `${cuts.length} tokens`);
  element(form).replaceChildren(...parts);
  element(`ticks-${form}`).replaceChildren(...marks);
  return { data, rest };
}

/**
 * @param {string} tag
 * @param {string} text
 */
function marked(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/**
 * @param {string} id
 * @param {string | number} text
 */
function write(id, text) {
  element(id).textContent = String(text);
}

const area = /** @type {HTMLTextAreaElement} */ (element("pasted"));
const form = /** @type {HTMLFormElement} */ (element("paste"));
// As a file, the page has the playground in one file beside its folder: browsers run no modules of files.
const playground = location.protocol === "file:" ? "../playground.html" : "playground.html";
for (const link of document.querySelectorAll('a[href="playground.html"]')) link.setAttribute("href", playground);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    if (area.value.trim() !== "") sessionStorage.setItem("pasted", area.value);
  } catch {
    write("note", "The text is too large to be handed over. Open it as a file in the playground.");
    return;
  }
  location.assign(playground);
});
// After the paste, when the area has the text.
area.addEventListener("paste", () => setTimeout(() => form.requestSubmit()));

for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
}
