// The form of the training options.

import { checkbox, el, labelled } from "../dom.js";
import type { Learning } from "./link.js";

export function learningForm(learning: Learning, changed: (learning: Learning) => void): HTMLElement {
  const now = { ...learning };
  const tell = (): void => changed({ ...now });
  const keep = select("pattern-option-keep", now.keep, [["last", "last"], ["average", "average"], ["pocket", "pocket"]],
    (value) => { now.keep = value; tell(); });
  const kernel = select("pattern-option-kernel", now.kernel, [["none", "none"], ["poly:2", "poly:2: pairs of cells"]],
    (value) => { now.kernel = value; tell(); });
  const epochs = el("input", { type: "number", min: 1, max: 10_000, value: now.epochs, "data-test": "pattern-option-epochs" });
  epochs.addEventListener("change", () => {
    now.epochs = Math.min(10_000, Math.max(1, Math.round(Number(epochs.value)) || 1));
    epochs.value = String(now.epochs);
    tell();
  });
  return el("div", { class: "row learning" }, labelled("weights kept", keep), labelled("kernel", kernel),
    labelled("maximum epochs", epochs),
    checkbox("also train on shifted and tilted copies", "pattern-option-copies", now.copies, (on) => { now.copies = on; tell(); }));
}

function select<V extends string>(hook: string, value: V, choices: [V, string][], does: (value: V) => void): HTMLSelectElement {
  const made = el("select", { "data-test": hook },
    ...choices.map(([name, text]) => el("option", { value: name, selected: name === value }, text)));
  made.addEventListener("change", () => does(made.value as V));
  return made;
}
