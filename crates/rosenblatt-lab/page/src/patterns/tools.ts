// The tools of the drawing: brush, clear, undo, noise, label.

import { button, el, labelled } from "../dom.js";

export interface Tools {
  brush(size: number): void;
  clear(): void;
  noise(): void;
  back(): void;
  keep(label: string): void;
}

export const FLIPS = 10;

/** The label of the drawing, and the button that adds it to the training set. */
export class LabelForm {
  readonly input = el("input", { type: "text", maxlength: 12, size: 4, autocomplete: "off", "data-test": "pattern-label" });
  private readonly submit = el("button", { type: "submit", "data-test": "pattern-keep", class: "primary" }, "Add it");
  readonly root = el("form", { class: "row" }, labelled("This is a", this.input), this.submit);

  constructor(keep: (label: string) => void) {
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      keep(this.input.value.trim());
    });
  }

  editing(on: boolean): void {
    this.submit.textContent = on ? "Save the change" : "Add it";
  }
}

export function toolRow(does: Tools): HTMLElement {
  return el("div", { class: "row" }, brushes(does),
    button("Clear", () => does.clear(), { "data-test": "pattern-clear" }),
    button("Undo", () => does.back(), { "data-test": "pattern-back" }),
    button(`Flip ${FLIPS} cells`, () => does.noise(), { "data-test": "pattern-noise" }));
}

function brushes(does: Tools): HTMLElement {
  const choices = [1, 2, 3].map((size) => {
    const radio = el("input", { type: "radio", name: "pattern-brush", value: size, checked: size === 1,
      "data-test": `pattern-brush-${size}` });
    radio.addEventListener("change", () => does.brush(size));
    return el("label", { class: "labelled" }, radio, el("span", {}, String(size)));
  });
  return el("fieldset", { class: "brushes" }, el("legend", {}, "Brush"), ...choices);
}
