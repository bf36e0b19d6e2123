// The dual form: the updates on each example, the α of w = η Σ α y x. Examples with updates are the support.

import { train } from "../ask.js";
import type { Points } from "../contract.js";
import { el, table } from "../dom.js";
import type { Lab, Overlay, Panel } from "../lab.js";
import { LatestRequest } from "../latest-request.js";
import { messageWithHint } from "../notices.js";
import { plural, short, subscript } from "../numbers.js";
import type { Run, Step } from "../run/run.js";
import { drawCircle } from "./overlays.js";

const MOST_ROWS = 200;
const PAUSE = 120; // milliseconds without a step before the engine is asked

class DualPanel implements Panel {
  readonly id = "dual";
  readonly title = "Dual";
  private readonly status = el("p", { class: "status", "data-test": "dual-status" });
  private readonly list = el("div");
  private readonly latest = new LatestRequest();
  private lab!: Lab;
  private visible = false;
  private shown: { run: Run; step: number } | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    root.append(el("p", {}, "Each update adds η y x to the weights. So w is a sum over the examples: w = η Σ α y x, where α counts the "
      + "updates on an example. An update on example i sets αᵢ ← αᵢ + 1; no α ever falls. Rings mark the support, the examples with α > 0."),
    this.status, this.list,
    el("p", { class: "remark" }, "With a kernel, the score of x is η Σ α y K(xᵢ, x) + b: the bias is not part of the sum. Some rules "
      + "choose their own step; there the counts are no coefficients. A run that does not begin at zero adds its first weights to the sum."));
    lab.onStep(() => this.update(PAUSE));
  }

  show(): void {
    this.visible = true;
    this.update(0);
  }

  hide(): void {
    this.visible = false;
    this.latest.stop();
    this.shown = undefined;
    this.lab.overlay(this.id, undefined);
  }

  private update(wait: number): void {
    const { run, step } = this.lab;
    if (!this.visible) return;
    if (!run || !step) return this.clear("There is no run yet.");
    if (this.shown?.run === run && this.shown.step === step.step) return;
    this.shown = { run, step: step.step };
    void this.count(run, step, wait);
  }

  private async count({ points, options }: Run, step: Step, wait: number): Promise<void> {
    try {
      // Before the first visit there is nothing to ask.
      const counts = step.step === 0 ? points.rows.map(() => 0)
        : await this.latest.ask(async signal => (await train({ points, options, until: step.step, counts: true }, signal)).counts, wait);
      if (counts && this.visible) this.display(points, step, counts);
    } catch (error) {
      this.shown = undefined;
      this.clear(messageWithHint(error));
    }
  }

  private display(points: Points, step: Step, counts: number[]): void {
    const support = counts.flatMap((count, row) => (count > 0 ? [row] : []));
    const sum = counts.reduce((total, count) => total + count, 0);
    const bias = step.last ? `, b = ${short(step.last.at(-1) ?? 0)}` : "";
    this.status.textContent = `After ${plural(step.step, "visit")}: Σ α = ${plural(sum, "update")}, support of ${support.length}${bias}.`;
    const order = [...support].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b).slice(0, MOST_ROWS);
    const rows = order.map(row => [String(row + 1), points.signs[row] === 1 ? "+1" : "−1", short(counts[row] ?? 0)]);
    const missing = support.length > order.length ? ` (the largest ${order.length} of ${support.length})` : "";
    this.list.replaceChildren(table(`The support${missing}`, ["example", "y", "α"], rows, "dual-table"));
    this.lab.overlay(this.id, supportOverlay(points, counts));
  }

  private clear(text: string): void {
    this.status.textContent = text;
    this.list.replaceChildren();
    this.lab.overlay(this.id, undefined);
  }
}

/** Rings around the support, labeled with α if there are few points. */
function supportOverlay(points: Points, counts: number[]): Overlay {
  return {
    draw(context, view) {
      context.save();
      context.fillStyle = view.color("--ink");
      context.font = `600 ${13 * view.fontScale}px ${view.color("--sans")}`;
      context.textAlign = "left";
      counts.forEach((count, row) => {
        const [x = 0, y = 0] = points.rows[row] ?? [];
        if (count === 0) return;
        drawCircle(context, view, [x, y], view.color("--ink"));
        const [left, top] = view.toScreen(x, y);
        if (counts.length <= 12) context.fillText(`α${subscript(row + 1)} = ${count}`, left + 16, top - 14);
      });
      context.restore();
    },
  };
}

export const dualPanel: Panel = new DualPanel();
