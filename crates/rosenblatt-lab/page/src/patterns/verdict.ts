// Shows the predicted class of the drawing.

import { el } from "../dom.js";
import { bars, type Verdict } from "./scores.js";

export class VerdictView {
  private readonly winner = el("p", { class: "winner-line", role: "status", "data-test": "pattern-winner" });
  private readonly scores = el("div");
  readonly parts = [this.winner, this.scores, el("p", { class: "remark" }, "Each class has a score w·x + b, where x is 1 "
    + "for a filled cell and 0 for an empty one. The model predicts the class with the highest score.")];

  /** Shows scores and class. An empty drawing has scores but no class. */
  show(verdict: Verdict | undefined, empty: boolean): void {
    this.scores.replaceChildren(...(verdict ? [bars(verdict, !empty)] : []));
    const text = !verdict ? "" : empty ? "Draw something." : `The model predicts ${verdict.winner}.`;
    this.winner.dataset.winner = verdict && !empty ? verdict.winner : "";
    // Screen readers would announce an unchanged text again.
    if (this.winner.textContent !== text) this.winner.textContent = text;
  }
}
