// Theme and font size, stored by the browser.

import { button, toggle } from "./dom.js";

const THEMES = ["auto", "light", "dark"] as const;
const NAMES = { auto: "◐ system", light: "☀ light", dark: "☾ dark" };
const system = matchMedia("(prefers-color-scheme: dark)");

/** The buttons for theme and font size; `changed` is called after each change. */
export function themeButtons(changed: () => void): HTMLElement[] {
  let theme = THEMES.find(name => name === stored("theme")) ?? "auto";
  const apply = (): void => {
    const dark = theme === "auto" ? system.matches : theme === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    control.textContent = NAMES[theme];
    control.setAttribute("aria-label", `Colors: ${NAMES[theme].slice(2)}`);
    changed();
  };
  const control = button("", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    store("theme", theme);
    apply();
  }, { "data-test": "theme", class: "quiet" });
  system.addEventListener("change", apply);
  apply();
  return [bigButton(changed), control];
}

function bigButton(changed: () => void): HTMLElement {
  const apply = (big: boolean): void => {
    document.documentElement.dataset.size = big ? "big" : "normal";
  };
  const begin = stored("size") === "big";
  apply(begin);
  return toggle("Aa big", begin, big => {
    apply(big);
    changed();
    store("size", big ? "big" : "normal");
  }, { "data-test": "big", class: "toggle quiet", title: "Larger text, for presentations" });
}

// If the browser refuses to store the choice, it lasts until the page closes.
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See above.
  }
}
