// Orders experiment: trains on the points in many random orders.

import { study } from "../ask.js";
import { Chart, Figure, type Mark, rowsOf, type Shape } from "../chart.js";
import type { StudyAnswer } from "../contract.js";
import type { Lab, Panel } from "../lab.js";
import { button, el, labelled, table } from "../dom.js";
import { Newest, reason } from "./newest.js";
import { allowed, plural, short, grouped } from "../numbers.js";

const FEWEST = 20;
const MOST = 1000;

class Orders implements Panel {
  readonly id = "orders";
  readonly title = "Orders";
  private readonly runs = el("input", { type: "number", min: FEWEST, max: MOST, step: 20, value: 200,
    "data-test": "orders-runs" });
  private readonly status = el("p", { class: "status", role: "status", "data-test": "orders-status" });
  private readonly words = el("div", { "data-test": "orders-words" });
  private readonly figure = new Figure(0.7);
  private readonly readout = el("p", { class: "chart-readout", "data-test": "orders-readout" });
  private readonly list = el("div");
  private readonly result = el("div", { class: "result", "data-test": "orders" });
  private readonly newest = new Newest();
  private lab!: Lab;
  /** The fingerprint of the result's points and options. */
  private asked = "";

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.result.append(this.words, this.figure.root, this.readout, this.list);
    this.result.hidden = true;
    root.append(
      el("p", {}, "The number of updates depends on the order of the examples. This experiment trains from "
        + "scratch many times, shuffles the examples in each epoch, and counts the updates."),
      el("div", { class: "buttons" }, labelled("Number of runs", this.runs),
        button("Start the runs", () => void this.run(), { "data-test": "orders-run" })),
      this.status, this.result);
    lab.onChange(() => this.age());
  }

  private async run(): Promise<void> {
    const { points, choices } = this.lab;
    const runs = Math.min(MOST, Math.max(FEWEST, Math.round(Number(this.runs.value)) || 200));
    this.runs.value = String(runs);
    this.status.textContent = `Training ${runs} times …`;
    try {
      const options = { ...choices, order: "shuffle" as const };
      const answer = await this.newest.ask((signal) => study({ points, options, runs, bins: 20 }, signal));
      if (!answer) return;
      this.asked = this.fingerprint(points, choices);
      this.display(answer, points.rows.length, choices.order === "given");
      this.age();
    } catch (error) {
      this.status.textContent = reason(error);
    }
  }

  private display(answer: StudyAnswer, examples: number, given: boolean): void {
    const what = `${plural(examples, "example")}, ${plural(answer.runs, "random order")}.`;
    this.words.replaceChildren(el("p", {}, `${what} ${outcome(answer)}`),
      ...(given ? [el("p", { class: "remark" },
        "Your run uses the given order. This study shuffles anyway, because there is only one given order.")] : []));
    this.readout.textContent = "";
    this.result.hidden = false;
    this.figure.show(answer.updates && ((shape) => histogram(answer, shape, (text) => { this.readout.textContent = text; })));
    this.list.replaceChildren(...numbers(answer));
  }

  /** Dims an outdated result. */
  private age(): void {
    if (this.asked === "") return;
    const stale = this.asked !== this.fingerprint(this.lab.points, this.lab.choices);
    this.result.classList.toggle("stale", stale);
    this.result.dataset.stale = String(stale);
    this.status.textContent = stale ? "The points or options have changed since; this result is outdated." : "";
  }

  private fingerprint(points: Lab["points"], choices: Lab["choices"]): string {
    return JSON.stringify([points, choices]);
  }
}

function outcome({ runs, converged, separable, bound }: StudyAnswer): string {
  const most = bound === undefined ? "" : ` Novikoff's bound allows ${plural(allowed(bound), "update")}.`;
  if (converged === runs) return `All of them converged.${most}`;
  const why = separable === "no" ? "No line separates these points, so no run can converge."
    : "The others reached the maximum epochs; increase them.";
  if (converged > 0) return `${converged} of ${runs} converged. ${why}${most}`;
  return separable === "no" ? `None converged. ${why}` : "None converged: all reached the maximum epochs. Increase them.";
}

function histogram(answer: StudyAnswer, shape: Shape, tell: (text: string) => void): Node {
  const bins = answer.histogram;
  // The bar of the integers 4 and 5 extends from 3.5 to 5.5.
  const first = Math.min(...bins.map(({ from }) => from)) - 0.5;
  const last = Math.max(...bins.map(({ to }) => to)) + 0.5;
  const { marks, beyond } = marksOf(answer, last);
  const to = Math.max(last, ...marks.map(({ at }) => at));
  const margin = (to - first) * 0.03;
  const range: [number, number] = [Math.max(Math.min(0, first), first - margin), to + margin];
  const across = { label: beyond ? `updates (bound: ${beyond} →)` : "updates", range, whole: true };
  const up = { label: "runs", range: [0, Math.max(1, ...bins.map(({ count }) => count)) * 1.05] as [number, number], whole: true };
  // A first layout gives the positions of the lines, which determine the rows of their labels.
  const draft = new Chart(shape, across, up, "");
  const made = new Chart(shape, across, up, summary(answer), rowsOf(marks, shape, (at) => draft.x(at)));
  made.svg.setAttribute("data-test", "histogram");
  for (const bin of bins) {
    const bar = made.bar(bin.from - 0.5, bin.to + 0.5, bin.count, { "data-test": "histogram-bar", "data-from": bin.from,
      "data-to": bin.to, "data-count": bin.count });
    bar.addEventListener("pointerenter", () => tell(`${interval(bin)} updates: ${plural(bin.count, "run")}`));
    bar.addEventListener("pointerleave", () => tell(""));
  }
  made.marks(marks);
  return made.svg;
}

/** The lines of the chart. A bound far beyond the bars is given as text. */
function marksOf({ updates, bound }: StudyAnswer, last: number): { marks: Mark[]; beyond?: string } {
  const marks: Mark[] = [];
  if (updates) {
    if (updates.min < updates.max) {
      marks.push({ at: updates.min, label: `min ${short(updates.min)}`, kind: "soft", hook: "mark-min" },
        { at: updates.max, label: `max ${short(updates.max)}`, kind: "soft", hook: "mark-max" });
    }
    marks.push({ at: updates.median, label: `median ${short(updates.median)}`, kind: "plain", hook: "mark-median" },
      { at: updates.mean, label: `mean ${short(updates.mean, 3)}`, kind: "plain", hook: "mark-mean" });
  }
  if (bound === undefined) return { marks };
  const whole = allowed(bound);
  if (whole > 3 * last) return { marks, beyond: grouped(whole) };
  return { marks: [...marks, { at: whole, label: `bound ${grouped(whole)}`, kind: "bound", hook: "mark-bound" }] };
}

/** Both ends are integers and belong to the bar. */
const interval = ({ from, to }: { from: number; to: number }): string =>
  to > from ? `${grouped(from)} to ${grouped(to)}` : grouped(from);

function summary({ runs, converged, updates, bound }: StudyAnswer): string {
  if (!updates) return "No run converged.";
  return `Histogram of updates: ${converged} of ${runs} runs converged; from ${short(updates.min)} to ${short(updates.max)}, `
    + `median ${short(updates.median)}, mean ${short(updates.mean)}`
    + (bound === undefined ? "." : `; the bound is ${grouped(allowed(bound))}.`);
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

export const orders: Panel = new Orders();
