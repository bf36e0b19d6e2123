// The ready-made sets as pictures to choose from.

import type { FileAnswer, Points } from "../contract.js";
import { el, roving, svg } from "../dom.js";
import { defaultSource, loadPoints, type SetName, SETS, type Source } from "./source.js";

const MOST_POINTS = 36;
const [WIDTH, HEIGHT] = [68, 38];

const NAMES: Record<SetName, string> = {
  own: "my points", margin: "a gap", and: "AND", or: "OR", xor: "XOR", blobs: "clouds", circles: "a ring", iris: "iris",
  sonar: "sonar", file: "my file", dropped: "dropped file",
};

/** Offers each set; `clear` begins own points. */
export class Thumbnails {
  readonly root = el("div", { class: "thumbnails", role: "group", "aria-label": "Sets to start from" });
  private readonly buttons = new Map<SetName, HTMLButtonElement>();

  constructor(private readonly choose: (source: Source) => void, private readonly clear: () => void) {
    roving(this.root);
  }

  /** Offers the sets, and the user's file if there is one. */
  offer(file: FileAnswer | undefined): void {
    const sets = SETS.map(([set]) => set).filter(set => set !== "own" && set !== "dropped" && (set !== "file" || file));
    if (file) sets.unshift(...sets.splice(sets.indexOf("file"), 1));
    this.root.replaceChildren(...[...sets, "own" as const].map(set => this.button(set, file)));
  }

  show(source: Source): void {
    for (const [set, button] of this.buttons) button.setAttribute("aria-pressed", String(set === source.set));
  }

  private button(set: SetName, file: FileAnswer | undefined): HTMLButtonElement {
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
    const button = el("button", {
      type: "button", class: "thumbnail-set", "data-test": `thumb-${set}`, "aria-pressed": "false",
      click: () => (set === "own" ? this.clear() : this.choose(defaultSource(set, file))),
    }, picture as unknown as HTMLElement, el("span", {}, NAMES[set]));
    this.buttons.set(set, button);
    if (set === "own") picture.append(svg("path", { d: "M34 11v16M26 19h16", class: "plus-sign" }));
    else if (set === "file") picture.append(svg("path", { d: "M27 8h10l5 5v17H27z", class: "plus-sign" }));
    else void loadPoints(defaultSource(set, file), file).then(points => picture.append(...drawing(points)));
    return button;
  }
}

/** The points, scaled into the picture. */
function drawing({ rows, signs }: Points): SVGElement[] {
  // Neighbors alternate between the classes in random sets, so the stride is odd.
  const stride = Math.ceil(rows.length / MOST_POINTS) | 1;
  const shown = rows.map((_, k) => k).filter(k => k % stride === 0);
  const range = (column: number): [number, number] => {
    const values = rows.map(row => row[column] ?? 0);
    return [Math.min(...values), Math.max(...values)];
  };
  const [x, y] = [range(0), range(1)];
  const scale = (value: number, [low, high]: [number, number], size: number): number => 7 + ((value - low) / (high - low || 1)) * (size - 14);
  const size = rows.length > 8 ? 2.4 : 4;
  return shown.map(k => {
    const [left, top] = [scale(rows[k]?.[0] ?? 0, x, WIDTH), HEIGHT - scale(rows[k]?.[1] ?? 0, y, HEIGHT)];
    return signs[k] === 1
      ? svg("circle", { cx: left.toFixed(1), cy: top.toFixed(1), r: size, class: "plus-mark" })
      : svg("rect", { x: (left - 0.87 * size).toFixed(1), y: (top - 0.87 * size).toFixed(1), width: 1.74 * size, height: 1.74 * size, class: "minus-mark" });
  });
}
