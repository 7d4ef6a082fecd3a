// Makes the book's boxes and buttons work with the keyboard, and known to screen readers.
document.body.prepend(document.querySelector(".skip"));

// The headings at the right of the page; tables of many columns are given the room.
const main = document.querySelector(".content main");
const isWide = [...document.querySelectorAll("table")].some(({ rows }) => rows[0].cells.length > 8);
const headings = [...main.querySelectorAll(":is(h2, h3)[id]")];
if (isWide) main.classList.add("wide");
else if (headings.length > 1) {
  const contents = document.createElement("nav");
  contents.className = "page-toc";
  contents.setAttribute("aria-label", "On this page");
  const list = document.createElement("ul");
  for (const heading of headings) {
    const [item, link] = ["li", "a"].map((name) => document.createElement(name));
    link.href = `#${heading.id}`;
    link.textContent = heading.textContent;
    if (heading.tagName === "H3") item.className = "sub";
    item.append(link);
    list.append(item);
  }
  const title = document.createElement("p");
  title.textContent = "On this page";
  contents.append(title, list);
  main.after(contents);
}

// A table that does not fit has its code in several lines, where the screen is wide enough for that.
for (const box of document.querySelectorAll(".table-wrapper")) box.classList.toggle("tight", box.scrollWidth > box.clientWidth);

// A box that scrolls can be focused; its arrow keys don't turn the page.
for (const box of document.querySelectorAll(".table-wrapper, pre > code")) {
  if (box.scrollWidth <= box.clientWidth) continue;
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.matches("code") ? "Code, scrolls" : "Table, scrolls");
  box.addEventListener("keydown", (event) => event.stopPropagation());
}

// As a file, the site has the playground in one file beside its folder: browsers run no modules of files.
if (location.protocol === "file:") {
  for (const link of document.querySelectorAll('.top a[href$="playground.html"]')) link.setAttribute("href", link.getAttribute("href").replace(/(?=playground\.html$)/, "../"));
}

for (const toggle of document.querySelectorAll(".chapter-fold-toggle")) {
  toggle.setAttribute("role", "button");
  toggle.setAttribute("aria-label", `Pages below ${toggle.previousElementSibling.textContent}`);
  toggle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle.click();
  });
}

// mdBook opens the table of contents by a label, which can't be focused: this button presses it.
const label = document.getElementById("mdbook-sidebar-toggle");
const button = document.createElement("button");
button.className = "icon-button";
button.append(...label.childNodes);
button.setAttribute("aria-label", "Table of contents");
const tell = () => button.setAttribute("aria-expanded", label.getAttribute("aria-expanded"));
button.addEventListener("click", () => label.click());
new MutationObserver(tell).observe(label, { attributeFilter: ["aria-expanded"] });
tell();
label.before(button);
