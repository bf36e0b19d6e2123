// Light or dark, usual or big; kept by the browser.

import { button, toggle } from "./dom.js";

const THEMES = ["auto", "light", "dark"] as const;
const NAMES = { auto: "◐ as the system", light: "☀ light", dark: "☾ dark" };
const system = matchMedia("(prefers-color-scheme: dark)");

/** The buttons for theme and size; `changed` is called when colours or sizes are other ones. */
export function themeButtons(changed: () => void): HTMLElement[] {
  let theme = THEMES.find(name => name === stored("theme")) ?? "auto";
  const apply = (): void => {
    const dark = theme === "auto" ? system.matches : theme === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    control.textContent = NAMES[theme];
    control.setAttribute("aria-label", `Colours: ${NAMES[theme].slice(2)}`);
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
    document.documentElement.dataset.size = big ? "big" : "usual";
  };
  const begin = stored("size") === "big";
  apply(begin);
  return toggle("Aa big", begin, big => {
    apply(big);
    changed();
    store("size", big ? "big" : "usual");
  }, { "data-test": "big", class: "toggle quiet", title: "Larger letters, for the back of a room" });
}

// A browser may refuse to store anything; then the choice lasts as long as the page.
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
