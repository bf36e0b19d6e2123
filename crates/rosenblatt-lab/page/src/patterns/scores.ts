// Shows the scores of all classes as bars.

import type { PatternAnswer, Score } from "../contract.js";
import { el } from "../dom.js";
import { short } from "../numbers.js";
import { equals, signOf } from "../run/score.js";

export interface Prediction {
  classes: string[];
  scores: Score[];
  predicted: string;
}

/** The engine's prediction of the drawing. */
export function firstPrediction({ classes, predictions }: PatternAnswer): Prediction | undefined {
  const [first] = predictions;
  return first && { classes, scores: first.scores, predicted: first.class };
}

/** Draws the bars; `named` marks the predicted class. */
export function scoreBars({ classes, scores, predicted }: Prediction, named: boolean): HTMLElement {
  const length = (score: Score): number => (typeof score === "number" ? Math.abs(score) : Infinity);
  const largest = Math.max(...scores.map(length)) || 1;
  const rows = scores.map((score, k) => {
    const name = classes[k] ?? "";
    const bar = el("span", { class: signOf(score) < 0 ? "bar negative" : "bar positive" });
    // Beside a score past the range of numbers all others are short.
    bar.style.width = length(score) === largest ? "50%" : `${(50 * length(score)) / largest}%`;
    return el("li", { class: named && name === predicted ? "predicted" : "", "data-test": "pattern-score", "data-class": name,
      "data-score": score }, el("span", { class: "name" }, name), el("span", { class: "track", "aria-hidden": "true" }, bar),
      el("span", { class: "number" }, typeof score === "number" ? short(score, 3) : equals(score, 3)));
  });
  return el("ul", { class: "scores", "aria-label": "Scores of the classes" }, ...rows);
}
