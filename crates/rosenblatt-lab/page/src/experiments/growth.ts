// Margin experiment: a smaller margin allows more updates.

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
      button(`Add ${TIMES} pairs`, () => void this.grow(TIMES), { "data-test": "margin-add-many" }),
      button("Clear the dots", () => this.clear(), { "data-test": "margin-clear" }),
    ];
    root.append(
      el("p", {}, "Each dot is a run that converged. The horizontal axis shows Novikoff's bound on the updates "
        + "for these points, the vertical axis the updates made. No run of the perceptron rule from zero weights can reach the gray area."),
      el("div", { class: "buttons" }, ...this.buttons), this.status, this.figure.root,
      checkbox("Logarithmic axes", "margin-log", true, (on) => { this.logarithmic = on; this.paint(); }),
      this.list,
      el("p", { class: "remark" }, "Added examples can only reduce the margin or increase the radius, so the bound never "
        + "falls. The updates can fall, because an added example can turn the weights in the right direction early."));
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

  /** Measures the current points. */
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

  /** Returns whether another pair can be added. */
  private async addPair(): Promise<boolean> {
    const { points, choices } = this.lab;
    const band = await bandOf(points, choices);
    if (!band || band.margin <= 0 || !(points.signs.includes(1) && points.signs.includes(-1))) {
      this.status.textContent = "There is no margin: the points must be separable and have both classes.";
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
      + `the bound allows ${grouped(allowed(dot.bound))}.`;
    this.paint();
  }

  private clear(): void {
    this.dots.length = 0;
    this.status.textContent = "";
    this.paint();
  }

  private occupied(busy: boolean): void {
    this.busy = busy;
    // A disabled button would lose the focus.
    for (const each of this.buttons) each.setAttribute("aria-disabled", String(busy));
  }

  private paint(): void {
    this.figure.show((shape) => chart(this.dots, this.logarithmic, shape));
    const rows = this.dots.map((dot) => [short(dot.examples), short(dot.margin), short(dot.radius),
      grouped(allowed(dot.bound)), grouped(dot.updates) + (dot.promised ? "" : " *")]);
    this.list.replaceChildren(...(rows.length > 0
      ? [table("The dots, oldest first", ["examples", "γ", "R", "bound", "updates"], rows, "margin-table")] : []),
      ...(this.dots.every(({ promised }) => promised) ? [] : [el("p", { class: "remark" },
        "* An open dot: the bound covers only the perceptron rule from zero weights, not this run.")]));
  }
}

function chart(dots: Dot[], log: boolean, shape: Shape): Node {
  const bounds = dots.map(({ bound }) => bound);
  const updates = dots.map((dot) => dot.updates);
  const across = range(bounds.length > 0 ? bounds : [1, 100], log);
  // The bound's line is always visible above the smallest bound.
  const up = range([...(log ? [Math.min(...across)] : [0]), ...(updates.length > 0 ? updates : [1, 100])], log);
  const made = new Chart(shape, { label: "bound on the updates", range: across, log, whole: !log },
    { label: "updates made", range: up, log, whole: !log }, summary(dots));
  // The line updates = bound, inside the plot.
  const from = Math.max(across[0], up[0]);
  const to = Math.min(across[1], up[1]);
  if (from < to) {
    const above: [number, number][] = to < across[1] ? [[from, up[1]], [to, to]] : [[from, up[1]], [to, up[1]], [to, to]];
    made.area([[from, from], ...above], "forbidden");
    made.line([[from, from], [to, to]], "ceiling");
    // The label of the gray area, if it fits.
    const words = "more than the bound";
    if (made.x(to) - made.x(from) > shape.em * words.length * 0.7) made.text(from, up[1], `\u2002${words}`, "start", -1.4);
  }
  dots.forEach((dot, index) => made.dot(dot.bound, log ? Math.max(1, dot.updates) : dot.updates,
    `${dot.promised ? "" : "hollow"} ${index === dots.length - 1 ? "newest" : ""}`,
    { "data-test": "margin-dot", "data-bound": dot.bound, "data-updates": dot.updates }));
  return made.svg;
}

/** A range with space on both sides; at least a decade on a logarithmic axis. */
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
    + `the bound allows ${grouped(allowed(newest.bound))}. The table below has all numbers.`;
}

export const growth: Panel = new Growth();
