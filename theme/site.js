// Makes the book's boxes and buttons work with the keyboard, and known to screen readers.
document.body.prepend(document.querySelector(".skip"));

// A box that scrolls can be focused; its arrow keys don't turn the page.
for (const box of document.querySelectorAll(".table-wrapper, pre > code")) {
  if (box.scrollWidth <= box.clientWidth) continue;
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.matches("code") ? "Code, scrolls" : "Table, scrolls");
  box.addEventListener("keydown", (event) => event.stopPropagation());
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
