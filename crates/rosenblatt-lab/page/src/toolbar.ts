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
  /** The buttons below the plane. */
  readonly zoom: HTMLElement;
  private readonly radios = new Map<Sign, HTMLInputElement>();
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly clear: HTMLButtonElement;

  constructor(private readonly editing: Editing, actions: ToolbarActions) {
    this.undo = button("↶ Undo", () => actions.undo(), { "data-test": "undo", title: "Undo (Ctrl+Z)", "aria-keyshortcuts": "Control+Z" });
    this.redo = button("↷ Redo", () => actions.redo(), { "data-test": "redo", title: "Redo (Ctrl+Shift+Z or Ctrl+Y)", "aria-keyshortcuts": "Control+Shift+Z" });
    this.clear = button("Clear", () => actions.clear(), { "data-test": "clear", title: "Remove all points" });
    this.root = el("div", { class: "toolbar", role: "group", "aria-label": "Tools" },
      this.classes(),
      toggle("Eraser", false, on => { editing.erasing = on; }, { "data-test": "eraser", title: "Click or drag over points to remove them" }),
      this.undo, this.redo, this.clear);
    this.zoom = el("div", { class: "zoom", role: "group", "aria-label": "View" },
      button("−", () => actions.zoom(1.5), { "aria-label": "Zoom out", title: "Zoom out", "data-test": "zoom-out" }),
      button("+", () => actions.zoom(1 / 1.5), { "aria-label": "Zoom in", title: "Zoom in", "data-test": "zoom-in" }),
      button("Fit", () => actions.fit(), { title: "Show all points", "data-test": "fit" }));
  }

  /** Chooses the class of the next point. */
  choose(sign: Sign): void {
    this.editing.sign = sign;
    const radio = this.radios.get(sign);
    if (radio) radio.checked = true;
    this.editing.announce(`The next point is ${sign === 1 ? "+1" : "−1"}.`);
  }

  show(canUndo: boolean, canRedo: boolean, empty: boolean): void {
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    this.clear.disabled = empty;
  }

  private classes(): HTMLElement {
    const name = uniqueId("class");
    const radio = (sign: Sign, test: string, text: string): HTMLElement => {
      const control = el("input", {
        type: "radio", name, checked: sign === this.editing.sign, "data-test": test, change: () => this.choose(sign),
      });
      this.radios.set(sign, control);
      return el("label", { class: test }, control, el("span", { class: "shape", "aria-hidden": "true" }), text);
    };
    return el("fieldset", { class: "classes" }, el("legend", { class: "visually-hidden" }, "Class of the next point"),
      radio(1, "plus", "+1"), radio(-1, "minus", "−1"));
  }
}
