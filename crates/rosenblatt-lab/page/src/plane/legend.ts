// The legend, whose entries show and hide parts of the plane.

import { KEPT, type Kept } from "../contract.js";
import { el, roving, toggle } from "../dom.js";
import type { ErrorsByKept } from "../run/error-counts.js";
import { type LegendItem, styleNumber } from "./scene.js";

export const INITIALLY_SHOWN: readonly LegendItem[] = ["last", "sides", "w"];

const OTHERS: readonly [LegendItem, string, string][] = [
  ["sides", "sides", "Tint the side of each class"],
  ["w", "w", "Draw the weights: the normal of the line, pointing to its positive side"],
  ["sum", "w + y x", "Draw how the update that is shown adds its example to the weights"],
  ["R", "R", "Draw the circle around the origin that contains all examples"],
  ["margin", "γ", "Fill the band between the line at the end of the run and the nearest example"],
];

export const isLegendItem = (name: string): name is LegendItem =>
  KEPT.some(kept => kept === name) || OTHERS.some(([other]) => other === name);

export class Legend {
  /** The chips of the lines, on the plane. */
  readonly lines: HTMLElement;
  /** The other parts of the drawing. */
  readonly others: HTMLElement;
  readonly shown = new Set<LegendItem>(INITIALLY_SHOWN);
  private readonly counts = new Map<Kept, HTMLElement>();
  private readonly toggles = new Map<LegendItem, HTMLButtonElement>();

  constructor(private readonly changed: (name: LegendItem) => void) {
    this.lines = el("div", { class: "chips", role: "group", "aria-label": "Lines, and the number of examples that each misclassifies at this step" },
      ...KEPT.map(kept => this.line(kept)));
    roving(this.lines);
    this.others = el("div", { class: "switches", role: "group", "aria-label": "Shown on the plane" },
      ...OTHERS.map(([name, text, hint]) => this.toggle(name, text, { title: hint })));
  }

  set(names: Iterable<LegendItem>): void {
    this.shown.clear();
    for (const name of names) this.shown.add(name);
    for (const [name, control] of this.toggles) control.setAttribute("aria-pressed", String(this.shown.has(name)));
  }

  /** Reserves the space of the largest number of errors. */
  reserve(points: number): void {
    this.lines.style.setProperty("--digits", String(String(points).length));
  }

  /** Shows the errors of each line after `step` visits. */
  count(errors: ErrorsByKept, step: number | undefined): void {
    for (const [kept, element] of this.counts) {
      const found = this.shown.has(kept) ? errors[kept] : undefined;
      const text = found === undefined ? "" : `${found} ${found === 1 ? "error" : "errors"}`;
      if (element.textContent !== text) element.textContent = text;
      element.dataset.value = found === undefined ? "" : String(found);
      element.dataset.step = String(step ?? "");
    }
  }

  private line(kept: Kept): HTMLElement {
    const count = el("span", { class: "errors", "data-test": `errors-${kept}` });
    this.counts.set(kept, count);
    const control = this.toggle(kept, "", { class: "toggle chip" });
    control.append(el("span", { class: `swatch line-${styleNumber(kept)}`, "aria-hidden": "true" }), kept, count);
    return control;
  }

  private toggle(name: LegendItem, text: string, attributes: Record<string, string>): HTMLButtonElement {
    const control = toggle(text, this.shown.has(name), on => {
      if (on) this.shown.add(name);
      else this.shown.delete(name);
      this.changed(name);
    }, { "data-test": `show-${name}`, ...attributes });
    this.toggles.set(name, control);
    return control;
  }
}
