// Shows the scores of all classes as bars.

import type { PatternAnswer } from "../contract.js";
import { el } from "../dom.js";
import { short } from "../numbers.js";

export interface Prediction {
  classes: string[];
  scores: number[];
  predicted: string;
}

/** The engine's prediction of the drawing. */
export function firstPrediction({ classes, predictions }: PatternAnswer): Prediction | undefined {
  const [first] = predictions;
  return first && { classes, scores: first.scores, predicted: first.class };
}

/** Draws the bars; `named` marks the predicted class. */
export function scoreBars({ classes, scores, predicted }: Prediction, named: boolean): HTMLElement {
  const largest = Math.max(...scores.map(Math.abs)) || 1;
  const rows = classes.map((name, k) => {
    const score = scores[k] ?? 0;
    const bar = el("span", { class: score < 0 ? "bar negative" : "bar positive" });
    bar.style.width = `${(50 * Math.abs(score)) / largest}%`;
    return el("li", { class: named && name === predicted ? "predicted" : "", "data-test": "pattern-score", "data-class": name,
      "data-score": score }, el("span", { class: "name" }, name), el("span", { class: "track", "aria-hidden": "true" }, bar),
      el("span", { class: "number" }, short(score, 3)));
  });
  return el("ul", { class: "scores", "aria-label": "Scores of the classes" }, ...rows);
}
