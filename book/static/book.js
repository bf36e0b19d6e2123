// A link to a step shows it in the lab of the page instead of leaving the page; a click with a modifier key still opens it.

document.addEventListener("DOMContentLoaded", () => {
  const frame = document.querySelector("figure.lab iframe");
  if (!frame) return;
  for (const link of document.querySelectorAll("td a.lab-state")) {
    link.addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      frame.src = link.href;
      document.querySelector("tr.shown")?.classList.remove("shown");
      link.closest("tr").classList.add("shown");
    });
  }
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
