// The form of the training options.

import { LINES } from "../contract.js";
import { checkbox, el, labeled } from "../dom.js";
import type { PatternOptions } from "./link.js";

export function patternOptionsForm(options: PatternOptions, changed: (options: PatternOptions) => void): HTMLElement {
  const edited = { ...options };
  const notify = (): void => changed({ ...edited });
  const keep = select("pattern-option-keep", edited.keep, LINES.map((line) => [line, line]),
    (value) => { edited.keep = value; notify(); });
  const kernel = select("pattern-option-kernel", edited.kernel, [["none", "none"], ["poly:2", "poly:2: pairs of cells"]],
    (value) => { edited.kernel = value; notify(); });
  const epochs = el("input", { type: "number", min: 1, max: 10_000, value: edited.epochs, "data-test": "pattern-option-epochs" });
  epochs.addEventListener("change", () => {
    edited.epochs = Math.min(10_000, Math.max(1, Math.round(Number(epochs.value)) || 1));
    epochs.value = String(edited.epochs);
    notify();
  });
  return el("div", { class: "row learning" }, labeled("weights kept", keep), labeled("kernel", kernel),
    labeled("maximum epochs", epochs),
    checkbox("also train on shifted and tilted copies", "pattern-option-copies", edited.copies, (on) => { edited.copies = on; notify(); }));
}

function select<V extends string>(test: string, value: V, items: [V, string][], change: (value: V) => void): HTMLSelectElement {
  const control = el("select", { "data-test": test },
    ...items.map(([name, text]) => el("option", { value: name, selected: name === value }, text)));
  control.addEventListener("change", () => change(control.value as V));
  return control;
}
