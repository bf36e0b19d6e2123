// Shows the training set as thumbnails, grouped by label.

import { el, svg } from "../dom.js";
import { type Pattern, type Picture, SIDE } from "./picture.js";

export interface TrainingSetActions {
  edit(index: number): void;
  remove(index: number): void;
}

export function trainingSet(patterns: Pattern[], edited: number | undefined, actions: TrainingSetActions): HTMLElement {
  const labels = [...new Set(patterns.map(({ label }) => label))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const groups = labels.map((label) => el("section", { class: "group", "aria-label": `Patterns labeled ${label}` },
    el("h3", {}, label),
    el("ul", {}, ...patterns.flatMap((pattern, index) => (pattern.label === label ? [item(pattern, index, index === edited, actions)] : [])))));
  return el("div", { class: "training-set", "data-test": "pattern-training-set", "data-count": patterns.length }, ...groups);
}

function item({ picture, label }: Pattern, index: number, edited: boolean, actions: TrainingSetActions): HTMLElement {
  const open = el("button", { type: "button", class: "thumbnail", "data-test": "pattern-thumbnail", "data-index": index,
    "aria-label": `Edit pattern ${index + 1}, ${label}`, "aria-keyshortcuts": "Delete", "aria-pressed": String(edited) },
    thumbnail(picture));
  open.addEventListener("click", () => actions.edit(index));
  open.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") actions.remove(index);
  });
  // Not in the tab order, because the Delete key of the thumbnail also removes the pattern.
  const cross = el("button", { type: "button", class: "remove", tabindex: -1, "data-test": "pattern-remove",
    "aria-label": `Remove pattern ${index + 1}, ${label}` }, "×");
  cross.addEventListener("click", () => actions.remove(index));
  return el("li", {}, open, cross);
}

export function thumbnail(picture: Picture): SVGSVGElement {
  const cells = picture.flatMap((value, k) => (value === 1 ? [`M${k % SIDE} ${Math.floor(k / SIDE)}h1v1h-1z`] : []));
  return svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" }, svg("path", { d: cells.join("") }));
}
