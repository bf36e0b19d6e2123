// The tools of the plane: class, eraser, undo, zoom.

import type { Sign } from "./contract.js";
import { button, el, toggle, uniqueId } from "./dom.js";
import type { Editing } from "./plane/editing.js";

export interface ToolbarActions {
  undo(): void;
  redo(): void;
  clear(): void;
  zoom(factor: number): void;
  fit(): void;
}

export class Toolbar {
  readonly root: HTMLElement;
  /** Shows all points. */
  readonly zoom: HTMLElement;
  /** The buttons that zoom. */
  readonly scale: HTMLElement;
  private readonly eraser: HTMLButtonElement;
  private readonly radios = new Map<Sign, HTMLInputElement>();
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  readonly clear: HTMLButtonElement;

  constructor(private readonly editing: Editing, actions: ToolbarActions) {
    const round = (text: string, test: string, name: string, hint: string, click: () => void, keys?: string): HTMLButtonElement =>
      button(text, click, { class: "round", "data-test": test, title: hint, "aria-label": name, "aria-keyshortcuts": keys });
    this.undo = round("↶", "undo", "Undo", "Undo (Ctrl+Z)", () => actions.undo(), "Control+Z");
    this.redo = round("↷", "redo", "Redo", "Redo (Ctrl+Shift+Z or Ctrl+Y)", () => actions.redo(), "Control+Shift+Z");
    this.clear = button("Remove all points", () => actions.clear(), { "data-test": "clear" });
    this.eraser = toggle("⌫", false, on => { editing.erasing = on; },
      { class: "toggle round", "data-test": "eraser", "aria-label": "Eraser", title: "Eraser: click or drag over points to remove them" });
    this.root = el("div", { class: "tools", role: "group", "aria-label": "Tools" }, this.classes(), this.eraser, this.undo, this.redo);
    this.scale = el("div", { class: "switches", role: "group", "aria-label": "Zoom" },
      round("−", "zoom-out", "Zoom out", "Zoom out", () => actions.zoom(1.5)),
      round("+", "zoom-in", "Zoom in", "Zoom in", () => actions.zoom(1 / 1.5)));
    this.zoom = el("div", { class: "zoom", role: "group", "aria-label": "View" },
      button("Fit", () => actions.fit(), { class: "chip", title: "Show all points", "data-test": "fit" }));
  }

  /** Chooses the class of the next point. */
  choose(sign: Sign): void {
    this.editing.sign = sign;
    const radio = this.radios.get(sign);
    if (radio) radio.checked = true;
    this.editing.announce(`The next point is ${sign === 1 ? "+1" : "−1"}.`);
  }

  /** Shows the tools that have something to do; the others keep their places. */
  show(canUndo: boolean, canRedo: boolean, empty: boolean, own: boolean): void {
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    this.clear.disabled = empty;
    const erases = !empty && (own || this.editing.erasing);
    for (const [tool, useful] of [[this.undo, canUndo], [this.redo, canRedo], [this.eraser, erases]] as const) tool.classList.toggle("idle", !useful);
  }

  private classes(): HTMLElement {
    const name = uniqueId("class");
    const radio = (sign: Sign, test: string, text: string): HTMLElement => {
      const control = el("input", {
        type: "radio", name, checked: sign === this.editing.sign, "data-test": test, change: () => this.choose(sign),
      });
      this.radios.set(sign, control);
      return el("label", { class: test, title: `Add points of class ${text}` }, control, el("span", { class: "shape", "aria-hidden": "true" }),
        el("span", { class: "visually-hidden" }, text));
    };
    return el("fieldset", { class: "classes" }, el("legend", { class: "visually-hidden" }, "Class of the next point"),
      radio(1, "plus", "+1"), radio(-1, "minus", "−1"));
  }
}
