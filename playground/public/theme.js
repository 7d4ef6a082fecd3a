// The colours that the reader chose, set before anything is painted, and the button that changes them.
{
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("wire-theme");
    } catch {
      return null; // the browser keeps nothing for this page
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem("wire-theme", theme);
    } catch {
      // It lasts until the page is left.
    }
  };
  if (kept() !== null) root.dataset.theme = kept();
  addEventListener("DOMContentLoaded", () => {
    const button = document.createElement("button");
    button.className = "theme";
    button.innerHTML = '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z"/></svg>';
    const other = () => ((root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark" ? "light" : "dark");
    const tell = () => button.setAttribute("aria-label", `Use ${other()} colours`);
    button.addEventListener("click", () => {
      root.dataset.theme = other();
      keep(root.dataset.theme);
      tell();
    });
    tell();
    document.querySelector(".top nav").append(button);
  });
}
