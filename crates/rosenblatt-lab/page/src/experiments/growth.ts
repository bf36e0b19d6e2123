// Margin and updates: the smaller the margin, the more updates there can be.

import type { Lab, Panel } from "../lab.js";
import { Chart, Figure, type Shape } from "../chart.js";
import { button, checkbox, el, table } from "../dom.js";
import { withPairInside } from "./inside.js";
import { bandOf, type Dot, measure, type Measured } from "./measurement.js";
import { Newest, reason } from "./newest.js";
import { allowed, plural, short, grouped } from "../numbers.js";

const TIMES = 8;

class Growth implements Panel {
  readonly id = "growth";
  readonly title = "Margin";
  private readonly figure = new Figure(0.75);
  private readonly status = el("p", { class: "status", role: "status", "data-test": "margin-status" });
  private readonly list = el("div");
  private readonly newest = new Newest();
  private readonly dots: Dot[] = [];
  private buttons: HTMLButtonElement[] = [];
  private lab!: Lab;
  private seen = false;
  private busy = false;
  private logarithmic = true;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.buttons = [
      button("Add a pair inside the margin", () => void this.grow(1), { "data-test": "margin-add" }),
      button(`Do it ${TIMES} times`, () => void this.grow(TIMES), { "data-test": "margin-add-many" }),
      button("Clear the dots", () => this.clear(), { "data-test": "margin-clear" }),
    ];
    root.append(
      el("p", {}, "Each dot is one run from scratch that converged: across, the updates that Novikoff's bound "
        + "allows for these points; up, the updates it made. No run can get into the grey, above the dashed line."),
      el("div", { class: "buttons" }, ...this.buttons), this.status, this.figure.root,
      checkbox("Logarithmic axes", "margin-log", true, (on) => { this.logarithmic = on; this.paint(); }),
      this.list,
      el("p", { class: "remark" }, "More examples can only shrink the margin or widen the radius, so the bound never "
        + "falls. The updates may: an added example can turn the weights the right way early."));
    lab.onChange(() => { if (!this.busy) void this.follow(250); });
    this.paint();
  }

  show(): void {
    this.seen = true;
    void this.follow(0);
  }

  hide(): void {
    this.seen = false;
    this.newest.stop();
  }

  /** The dot of the points as they stand. */
  private async follow(wait: number): Promise<void> {
    if (!this.seen) return;
    try {
      const { lab } = this;
      const measured = await this.newest.ask((signal) => measure(lab.points, lab.choices, signal), wait);
      if (measured) this.take(measured);
    } catch (error) {
      this.status.textContent = reason(error);
    }
  }

  private async grow(times: number): Promise<void> {
    this.occupied(true);
    try {
      for (let done = 0; done < times; done++) if (!(await this.addPair())) break;
    } catch (error) {
      this.status.textContent = reason(error);
      this.lab.refused(error);
    } finally {
      this.occupied(false);
    }
  }

  /** False where it makes no sense to go on. */
  private async addPair(): Promise<boolean> {
    const { points, choices } = this.lab;
    const band = await bandOf(points, choices);
    if (!band || band.margin <= 0 || !(points.signs.includes(1) && points.signs.includes(-1))) {
      this.status.textContent = "There is no margin to add a pair to: the points must be separable, with both classes.";
      return false;
    }
    const grown = withPairInside(points, band, points.rows.length);
    this.lab.set({ points: grown });
    const measured = await measure(grown, choices);
    this.take(measured);
    return "dot" in measured;
  }

  private take(measured: Measured): void {
    if ("without" in measured) {
      this.status.textContent = `No dot: ${measured.without}`;
      return;
    }
    const { dot } = measured;
    const before = this.dots.at(-1);
    const same = before && before.bound === dot.bound && before.updates === dot.updates && before.examples === dot.examples;
    if (!same) this.dots.push(dot);
    this.status.textContent = `${plural(dot.examples, "example")}: ${plural(dot.updates, "update")}, `
      + `at most ${grouped(allowed(dot.bound))} possible.`;
    this.paint();
  }

  private clear(): void {
    this.dots.length = 0;
    this.status.textContent = "";
    this.paint();
  }

  private occupied(busy: boolean): void {
    this.busy = busy;
    // The focus stays where it is: a disabled button would lose it.
    for (const each of this.buttons) each.setAttribute("aria-disabled", String(busy));
  }

  private paint(): void {
    this.figure.show((shape) => chart(this.dots, this.logarithmic, shape));
    const rows = this.dots.map((dot) => [short(dot.examples), short(dot.margin), short(dot.radius),
      grouped(allowed(dot.bound)), grouped(dot.updates) + (dot.promised ? "" : " *")]);
    this.list.replaceChildren(...(rows.length > 0
      ? [table("The dots, oldest first", ["examples", "γ", "R", "bound", "updates"], rows, "margin-table")] : []),
      ...(this.dots.every(({ promised }) => promised) ? [] : [el("p", { class: "remark" },
        "* an open dot: the bound is about the perceptron rule from zero weights, and this run was another.")]));
  }
}

function chart(dots: Dot[], log: boolean, shape: Shape): Node {
  const bounds = dots.map(({ bound }) => bound);
  const updates = dots.map((dot) => dot.updates);
  const across = range(bounds.length > 0 ? bounds : [1, 100], log);
  // The ceiling over the smallest bound is always seen.
  const up = range([...(log ? [Math.min(...across)] : [0]), ...(updates.length > 0 ? updates : [1, 100])], log);
  const made = new Chart(shape, { label: "bound on the updates", range: across, log, whole: !log },
    { label: "updates made", range: up, log, whole: !log }, summary(dots));
  // The ceiling updates = bound, where it runs through the plot.
  const from = Math.max(across[0], up[0]);
  const to = Math.min(across[1], up[1]);
  if (from < to) {
    const above: [number, number][] = to < across[1] ? [[from, up[1]], [to, to]] : [[from, up[1]], [to, up[1]], [to, to]];
    made.area([[from, from], ...above], "forbidden");
    made.line([[from, from], [to, to]], "ceiling");
    // The name of the grey stands in it, if it fits.
    const words = "more than the bound";
    if (made.x(to) - made.x(from) > shape.em * words.length * 0.7) made.text(from, up[1], `\u2002${words}`, "start", -1.4);
  }
  dots.forEach((dot, index) => made.dot(dot.bound, log ? Math.max(1, dot.updates) : dot.updates,
    `${dot.promised ? "" : "hollow"} ${index === dots.length - 1 ? "newest" : ""}`,
    { "data-test": "margin-dot", "data-bound": dot.bound, "data-updates": dot.updates }));
  return made.svg;
}

/** A range with room on both sides; on a logarithmic axis at least a decade. */
function range(values: number[], log: boolean): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (!log) return [Math.min(0, low), Math.max(1, high) * 1.12];
  return [Math.max(0.8, low / 2), Math.max(high * 2, low * 10, 10)];
}

function summary(dots: Dot[]): string {
  const newest = dots.at(-1);
  if (!newest) return "Updates against Novikoff's bound: no dots yet.";
  return `Updates against Novikoff's bound: ${plural(dots.length, "dot")}. The newest: ${plural(newest.updates, "update")}, `
    + `at most ${grouped(allowed(newest.bound))} possible. The table below has all numbers.`;
}

export const growth: Panel = new Growth();
