// A link to a step shows it in the lab of its section instead of leaving the page; a click with a modifier key still opens it.

document.addEventListener("DOMContentLoaded", () => {
  for (const link of document.querySelectorAll("td a.lab-state")) {
    const frame = link.closest("section").querySelector("figure.lab iframe");
    if (!frame) continue;
    link.addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      frame.src = link.href;
      document.querySelector("tr.shown")?.classList.remove("shown");
      link.closest("tr").classList.add("shown");
    });
  }
  // What scrolls in itself can be reached and scrolled by the keyboard.
  const reachable = () => {
    for (const box of document.querySelectorAll("article pre, article .table-wrapper")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reachable();
  addEventListener("resize", reachable);
  for (const details of document.querySelectorAll("details")) details.addEventListener("toggle", reachable);
  // Furo sets the scheme on the body; the tokens are those of the root element.
  const scheme = () => {
    const chosen = document.body.dataset.theme;
    const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  scheme();
  new MutationObserver(scheme).observe(document.body, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", scheme);
});
