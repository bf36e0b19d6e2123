// The address of the page, which shows its state after the #.

/** The state in the address, or the one that is inside the page; empty if there is none. */
export function startState(): string {
  if (location.hash.length > 1) return location.hash;
  return document.getElementById("link")?.textContent ?? "";
}

/** Writes the state to the address. A page inside a notebook (`srcdoc`) has no address of its own. */
export function showState(state: string): void {
  if (hasAddress()) history.replaceState(null, "", state);
}

export const hasAddress = (): boolean => location.protocol !== "about:";
