// The address of the page, which shows its state after the #.

/** The state in the address, or the one that is inside the page; empty if there is none. */
export function startState(): string {
  if (location.hash.length > 1) return location.hash;
  return document.getElementById("link")?.textContent ?? "";
}

/** Where the state in the address is; `undefined` for a link that the page has not written yet. */
let shown: string | undefined;

/** Where a state is: its scene, or its set and its tab. */
function place(state: string): string {
  const query = new URLSearchParams(state.slice(1));
  return JSON.stringify(["story", "set", "tab"].map(key => query.get(key) ?? ""));
}

/**
 * Writes the state to the address; the browser's Back leads from another set or tab to the one before. A page inside a
 * notebook (`srcdoc`) has no address of its own, and Back belongs to the page around a frame.
 */
export function showState(state: string): void {
  if (!hasAddress()) return;
  const now = place(state);
  const isElsewhere = shown !== undefined && shown !== now && window.parent === window;
  if (isElsewhere) history.pushState(null, "", state);
  else history.replaceState(null, "", state);
  shown = now;
}

/** Notes that the address has a new link, in whose place the page will write the state that it shows. */
export function arrived(): void {
  shown = undefined;
}

export const hasAddress = (): boolean => location.protocol !== "about:";
