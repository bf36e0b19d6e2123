// Shows the predicted class of the drawing.

import { el } from "../dom.js";
import { type Prediction, scoreBars } from "./scores.js";

export class PredictionView {
  private readonly predicted = el("p", { class: "predicted-class", role: "status", "data-test": "pattern-predicted" });
  private readonly scores = el("div");
  readonly parts = [this.predicted, this.scores, el("p", { class: "remark" }, "Each class has a score w·x + b, where x is 1 "
    + "for a filled cell and 0 for an empty one. The model predicts the class with the highest score.")];

  /** Shows scores and class. An empty drawing has scores but no class. */
  show(prediction: Prediction | undefined, empty: boolean): void {
    this.scores.replaceChildren(...(prediction ? [scoreBars(prediction, !empty)] : []));
    const text = !prediction ? "" : empty ? "Draw something." : `The model predicts ${prediction.predicted}.`;
    this.predicted.dataset.predicted = prediction && !empty ? prediction.predicted : "";
    // Screen readers would announce an unchanged text again.
    if (this.predicted.textContent !== text) this.predicted.textContent = text;
  }
}
