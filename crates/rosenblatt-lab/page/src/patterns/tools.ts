// The tools of the drawing: brush, clear, undo, noise, label.

import { button, el, labeled } from "../dom.js";

export interface DrawingActions {
  brush(size: number): void;
  clear(): void;
  noise(): void;
  undo(): void;
  add(label: string): void;
}

export const FLIPS = 10;

/** The label of the drawing, and the button that adds it to the training set. */
export class LabelForm {
  readonly input = el("input", { type: "text", maxlength: 12, size: 4, autocomplete: "off", "data-test": "pattern-label" });
  private readonly submit = el("button", { type: "submit", "data-test": "pattern-keep", class: "primary" }, "Add it");
  readonly root = el("form", { class: "row" }, labeled("This is a", this.input), this.submit);

  constructor(add: (label: string) => void) {
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      add(this.input.value.trim());
    });
  }

  editing(on: boolean): void {
    this.submit.textContent = on ? "Save the change" : "Add it";
  }
}

export function toolRow(actions: DrawingActions): HTMLElement {
  return el("div", { class: "row" }, brushes(actions),
    button("Clear", () => actions.clear(), { "data-test": "pattern-clear" }),
    button("Undo", () => actions.undo(), { "data-test": "pattern-back" }),
    button(`Flip ${FLIPS} cells`, () => actions.noise(), { "data-test": "pattern-noise" }));
}

function brushes(actions: DrawingActions): HTMLElement {
  const radios = [1, 2, 3].map((size) => {
    const radio = el("input", { type: "radio", name: "pattern-brush", value: size, checked: size === 1,
      "data-test": `pattern-brush-${size}` });
    radio.addEventListener("change", () => actions.brush(size));
    return el("label", { class: "labeled" }, radio, el("span", {}, String(size)));
  });
  return el("fieldset", { class: "brushes" }, el("legend", {}, "Brush"), ...radios);
}
