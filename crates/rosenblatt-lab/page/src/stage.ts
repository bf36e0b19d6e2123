// The plane with the controls that float on it.

import { el } from "./dom.js";
import type { Box } from "./lab.js";
import type { Page } from "./page.js";

/** Pixels between points and controls. */
const APART = 26;

/** `more` floats on the plane as well, and `invite` below the sentence. */
export function stage(page: Page, more: HTMLElement, invite: HTMLElement): HTMLElement {
  const { canvas } = page.plane;
  // The place of the button is kept while it is hidden.
  const proof = el("div", { class: "proof-place" }, page.steps.proof);
  const floating = [page.steps.sentence.root, page.toolbar.root, page.legend.lines, page.toolbar.zoom, proof, page.classKey.root, invite];
  page.toolbar.zoom.prepend(more);
  const root = el("section", { class: "stage", "aria-label": "The plane" },
    el("p", { class: "visually-hidden", id: "plane-help" }, "Arrow keys move a cursor; with Shift the steps are larger. Enter adds a point, "
      + "or picks up and puts down the point under the cursor. L changes its label, Delete removes it, plus and minus choose the class."),
    canvas, ...floating);
  const measure = (): void => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    if (width === 0) return;
    const boxes = floating.map((element): Box => {
      const box = element.getBoundingClientRect();
      // What is hidden covers nothing: its box has no place.
      if (!element.checkVisibility()) return { left: width, top: height, right: 0, bottom: 0 };
      return { left: box.left - left, top: box.top - top, right: box.right - left, bottom: box.bottom - top };
    });
    page.plane.view.covered = boxes;
    page.plane.view.inset = inset(boxes, width, height);
    page.resized();
  };
  const observer = new ResizeObserver(measure);
  for (const element of [canvas, ...floating]) observer.observe(element);
  return root;
}

/** The part of the plane between the sentence above, the tools on the right and the chips below. */
function inset([sentence, tools, chips, , proof, key, invite]: Box[], width: number, height: number): Box {
  const top = Math.min(0.35 * height, Math.max(...[sentence, proof, invite].map(box => box?.bottom ?? 0)) + APART);
  const bottom = Math.max(0.75 * height, Math.min(chips?.top ?? height, key?.top ?? height) - APART);
  return { left: APART, top, right: Math.max(0.8 * width, (tools?.left ?? width) - APART), bottom };
}
