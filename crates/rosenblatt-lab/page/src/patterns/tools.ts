// What one does with the drawing: brush, clear, noise, a step back, a label.

import { button, html, labelled } from "../experiments/elements.js";

export interface Tools {
  brush(size: number): void;
  clear(): void;
  noise(): void;
  back(): void;
  keep(label: string): void;
}

export const FLIPS = 10;

/** The label that is typed, and the button that keeps the drawing under it. */
export class LabelForm {
  readonly input = html("input", { type: "text", maxlength: 12, size: 4, autocomplete: "off", "data-test": "pattern-label" });
  private readonly submit = html("button", { type: "submit", "data-test": "pattern-keep", class: "primary" }, "Keep it");
  readonly root = html("form", { class: "row" }, labelled("This is a", this.input), this.submit);

  constructor(keep: (label: string) => void) {
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      keep(this.input.value.trim());
    });
  }

  editing(on: boolean): void {
    this.submit.textContent = on ? "Keep the change" : "Keep it";
  }
}

export function toolRow(does: Tools): HTMLElement {
  return html("div", { class: "row" }, brushes(does),
    button("Clear", "pattern-clear", () => does.clear()),
    button("Back", "pattern-back", () => does.back()),
    button(`Flip ${FLIPS} cells`, "pattern-noise", () => does.noise()));
}

function brushes(does: Tools): HTMLElement {
  const choices = [1, 2, 3].map((size) => {
    const radio = html("input", { type: "radio", name: "pattern-brush", value: size, checked: size === 1,
      "data-test": `pattern-brush-${size}` });
    radio.addEventListener("change", () => does.brush(size));
    return html("label", { class: "labelled" }, radio, html("span", {}, String(size)));
  });
  return html("fieldset", { class: "brushes" }, html("legend", {}, "Brush"), ...choices);
}
