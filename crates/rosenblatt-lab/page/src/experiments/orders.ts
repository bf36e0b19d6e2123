// Orders experiment: trains on the points in many random orders.

import { study } from "../ask.js";
import { Chart, ChartFrame, type ChartSize, labelRows, type ReferenceLine } from "../chart.js";
import { type Hyperplane, LIMITS, type StudyAnswer } from "../contract.js";
import type { Lab, Panel } from "../lab.js";
import { button, el, labeled, table } from "../dom.js";
import { drawLine, hasLine } from "../plane/shapes.js";
import { LatestRequest } from "../latest-request.js";
import { MarginErrorsChart, measureMarginErrors } from "./margin-errors.js";
import { messageWithHint } from "../notices.js";
import { allowedUpdates, grouped, plural, short } from "../numbers.js";

const MIN_RUNS = 20;

class OrdersExperiment implements Panel {
  readonly id = "orders";
  readonly title = "Orders";
  private readonly runs = el("input", { type: "number", min: MIN_RUNS, max: LIMITS.runs, step: 20, value: 200,
    "data-test": "orders-runs" });
  private readonly status = el("p", { class: "status", role: "status", "data-test": "orders-status" });
  private readonly text = el("div", { "data-test": "orders-words" });
  private readonly frame = new ChartFrame(0.7);
  private readonly readout = el("p", { class: "chart-readout", "data-test": "orders-readout" });
  private readonly list = el("div");
  private readonly marginErrors = new MarginErrorsChart();
  private readonly result = el("div", { class: "result", "data-test": "orders" });
  private readonly latest = new LatestRequest();
  private lab!: Lab;
  private lines: Hyperplane[] | undefined;
  private visible = false;
  /** The fingerprint of the result's points and options. */
  private shownFingerprint = "";

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.result.append(this.text, this.frame.root, this.readout, this.list, this.marginErrors.root);
    this.result.hidden = true;
    root.append(
      el("p", {}, "The number of updates depends on the order of the examples. This experiment trains from "
        + "scratch many times, shuffles the examples in each epoch, and counts the updates."),
      el("div", { class: "buttons" }, labeled("Number of runs", this.runs),
        button("Start the runs", () => void this.run(), { "data-test": "orders-run" })),
      this.status, this.result);
    lab.onChange(() => this.markOutdated());
  }

  private async run(): Promise<void> {
    const { points, options, source } = this.lab;
    const runs = Math.min(LIMITS.runs, Math.max(MIN_RUNS, Math.round(Number(this.runs.value)) || 200));
    this.runs.value = String(runs);
    this.status.textContent = `Training ${runs} times …`;
    try {
      const shuffled = { ...options, order: "shuffle" as const };
      const found = await this.latest.ask(async (signal) => {
        const answer = await study({ points, options: shuffled, runs, bins: 20, lines: true }, signal);
        return { answer, marginErrors: await measureMarginErrors(points, source, options, answer, signal) };
      });
      if (!found) return;
      const { answer, marginErrors } = found;
      this.shownFingerprint = this.fingerprint(points, options);
      this.display(answer, points.rows.length, options.order === "given");
      this.marginErrors.show(marginErrors);
      this.markOutdated();
    } catch (error) {
      this.status.textContent = messageWithHint(error);
    }
  }

  private display(answer: StudyAnswer, examples: number, given: boolean): void {
    const counts = `${plural(examples, "example")}, ${plural(answer.runs, "random order")}.`;
    this.text.replaceChildren(el("p", {}, `${counts} ${convergenceText(answer)}`),
      ...(given ? [el("p", { class: "remark" },
        "Your run uses the given order. This study shuffles anyway, because there is only one given order.")] : []));
    this.readout.textContent = "";
    this.result.hidden = false;
    this.frame.show(answer.updates && ((size) => histogram(answer, size, (text) => { this.readout.textContent = text; })));
    this.lines = answer.lines;
    this.list.replaceChildren(...this.extremes(answer), ...numbers(answer));
  }

  show(): void {
    this.visible = true;
    this.drawLines();
  }

  hide(): void {
    this.visible = false;
    this.lab.overlay(this.id, undefined);
  }

  /** Draws the last lines of the runs on the plane. */
  private drawLines(): void {
    if (!this.visible) return;
    const lines = (this.result.dataset.outdated === "true" ? undefined : this.lines)?.filter(hasLine) ?? [];
    const opacity = Math.max(0.08, Math.min(0.5, 6 / lines.length));
    this.lab.overlay(this.id, lines.length === 0 ? undefined : {
      draw: (context, view) => lines.forEach(line => drawLine(context, view, line, { color: "--w", width: 1.5, dash: [], opacity })),
    });
  }

  /** Buttons that make the fastest and the slowest run the run of the page. */
  private extremes({ per_run }: StudyAnswer): HTMLElement[] {
    const ordered = per_run.filter(({ converged }) => converged).sort((a, b) => a.updates - b.updates);
    const [fastest, slowest] = [ordered[0], ordered.at(-1)];
    if (!fastest || !slowest || fastest.updates === slowest.updates) return [];
    const open = (name: string, { seed, updates }: typeof fastest, test: string): HTMLElement =>
      button(`See the ${name} order: ${plural(updates, "update")}`, () => {
        this.lab.set({ options: { ...this.lab.options, order: "shuffle", seed } });
      }, { "data-test": test });
    return [el("div", { class: "buttons" }, open("fastest", fastest, "orders-fastest"), open("slowest", slowest, "orders-slowest"))];
  }

  /** Dims an outdated result. */
  private markOutdated(): void {
    if (this.shownFingerprint === "") return;
    const outdated = this.shownFingerprint !== this.fingerprint(this.lab.points, this.lab.options);
    this.result.classList.toggle("outdated", outdated);
    this.result.dataset.outdated = String(outdated);
    this.drawLines();
    this.status.textContent = outdated ? "The points or options have changed since; this result is outdated." : "";
  }

  /** What a study depends on: another order or seed of the page's run leaves it as it is. */
  private fingerprint(points: Lab["points"], { order: _, seed: __, ...options }: Lab["options"]): string {
    return JSON.stringify([points, options]);
  }
}

function convergenceText({ runs, converged, separable, convergence, bound }: StudyAnswer): string {
  const most = bound === undefined ? "" : ` Novikoff's bound allows ${plural(allowedUpdates(bound), "update")}.`;
  if (converged === runs) return `All of them converged.${most}`;
  const some = converged === 0 ? "None converged" : `${converged} of ${runs} converged`;
  if (convergence === "never") return `${some}. No line is right on all points, so no run can converge.`;
  if (convergence === "depends-on-order") return `${some}. Some lines are right on all points, but the order decides whether a run finds one.`;
  if (convergence === undefined && separable === "no") return `${some}. No line separates these points.`;
  return `${some}; ${converged === 0 ? "all" : "the others"} reached the maximum epochs. Increase them.${most}`;
}

function histogram(answer: StudyAnswer, size: ChartSize, showText: (text: string) => void): Node {
  const bins = answer.histogram;
  // The bar of the integers 4 and 5 extends from 3.5 to 5.5.
  const first = Math.min(...bins.map(({ from }) => from)) - 0.5;
  const last = Math.max(...bins.map(({ to }) => to)) + 0.5;
  const { references, beyond } = referenceLines(answer, last);
  const to = Math.max(last, ...references.map(({ at }) => at));
  const margin = (to - first) * 0.03;
  const range: [number, number] = [Math.max(Math.min(0, first), first - margin), to + margin];
  const xAxis = { label: beyond ? `updates (bound: ${beyond} →)` : "updates", range, whole: true };
  const yAxis = { label: "runs", range: [0, Math.max(1, ...bins.map(({ count }) => count)) * 1.05] as [number, number], whole: true };
  // A first layout gives the positions of the lines, which determine the rows of their labels.
  const draft = new Chart(size, xAxis, yAxis, "");
  const plot = new Chart(size, xAxis, yAxis, summary(answer), labelRows(references, size, (at) => draft.x(at)));
  plot.svg.setAttribute("data-test", "histogram");
  for (const bin of bins) {
    const bar = plot.bar(bin.from - 0.5, bin.to + 0.5, bin.count, { "data-test": "histogram-bar", "data-from": bin.from,
      "data-to": bin.to, "data-count": bin.count });
    bar.addEventListener("pointerenter", () => showText(`${interval(bin)} updates: ${plural(bin.count, "run")}`));
    bar.addEventListener("pointerleave", () => showText(""));
  }
  plot.referenceLines(references);
  return plot.svg;
}

/** The lines of the chart. A bound far beyond the bars is given as text. */
function referenceLines({ updates, bound }: StudyAnswer, last: number): { references: ReferenceLine[]; beyond?: string } {
  const references: ReferenceLine[] = [];
  if (updates) {
    if (updates.min < updates.max) {
      references.push({ at: updates.min, label: `min ${short(updates.min)}`, kind: "soft", test: "mark-min" },
        { at: updates.max, label: `max ${short(updates.max)}`, kind: "soft", test: "mark-max" });
    }
    references.push({ at: updates.median, label: `median ${short(updates.median)}`, kind: "plain", test: "mark-median" },
      { at: updates.mean, label: `mean ${short(updates.mean, 3)}`, kind: "plain", test: "mark-mean" });
  }
  if (bound === undefined) return { references };
  const whole = allowedUpdates(bound);
  if (whole > 3 * last) return { references, beyond: grouped(whole) };
  return { references: [...references, { at: whole, label: `bound ${grouped(whole)}`, kind: "bound", test: "mark-bound" }] };
}

/** Both ends are integers and belong to the bar. */
const interval = ({ from, to }: { from: number; to: number }): string =>
  to > from ? `${grouped(from)} to ${grouped(to)}` : grouped(from);

function summary({ runs, converged, updates, bound }: StudyAnswer): string {
  if (!updates) return "No run converged.";
  return `Histogram of updates: ${converged} of ${runs} runs converged; from ${short(updates.min)} to ${short(updates.max)}, `
    + `median ${short(updates.median)}, mean ${short(updates.mean)}`
    + (bound === undefined ? "." : `; the bound is ${grouped(allowedUpdates(bound))}.`);
}

function numbers(answer: StudyAnswer): HTMLElement[] {
  const { updates, epochs } = answer;
  if (!updates || !epochs) return [];
  const row = (name: string, key: keyof typeof updates) => [name, short(updates[key]), short(epochs[key])];
  const spread = table("Runs that converged", ["statistic", "updates", "epochs"], [row("min", "min"), row("first quartile", "q1"),
    row("median", "median"), row("mean", "mean"), row("third quartile", "q3"), row("max", "max")], "orders-summary");
  const bars = answer.histogram.filter(({ count }) => count > 0).map((bin) => [interval(bin), short(bin.count)]);
  return [spread, el("details", {}, el("summary", {}, "Histogram as a table"),
    table("Updates and runs", ["updates", "runs"], bars, "orders-bars"))];
}

export const ordersExperiment: Panel = new OrdersExperiment();
