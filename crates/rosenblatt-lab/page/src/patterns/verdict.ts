// What the drawing is taken for.

import { el } from "../dom.js";
import { bars, type Verdict } from "./scores.js";

export class VerdictView {
  private readonly winner = el("p", { class: "winner-line", role: "status", "data-test": "pattern-winner" });
  private readonly scores = el("div");
  readonly parts = [this.winner, this.scores, el("p", { class: "remark" }, "Each class has a score w·x + b, where x is 1 "
    + "for a full cell and 0 for an empty one. The highest score wins.")];

  /** Without a verdict nothing has been learned; an empty board has scores but no winner. */
  show(verdict: Verdict | undefined, empty: boolean): void {
    this.scores.replaceChildren(...(verdict ? [bars(verdict, !empty)] : []));
    const text = !verdict ? "" : empty ? "Draw something on the board." : `It looks like ${verdict.winner}.`;
    this.winner.dataset.winner = verdict && !empty ? verdict.winner : "";
    // The same words again would be read out again.
    if (this.winner.textContent !== text) this.winner.textContent = text;
  }
}
