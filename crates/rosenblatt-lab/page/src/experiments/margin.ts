// Margin experiment: a smaller margin allows more updates.

import type { Lab, Panel } from "../lab.js";
import { Chart, ChartFrame, type ChartSize } from "../chart.js";
import { button, checkbox, el, table } from "../dom.js";
import { addPairInMargin } from "./margin-pair.js";
import { findMarginBand, measure, type Measurement, type MeasurementResult } from "./measurement.js";
import { LatestRequest } from "../latest-request.js";
import { messageWithHint } from "../notices.js";
import { allowedUpdates, grouped, plural, short } from "../numbers.js";

const PAIR_COUNT = 8;

class MarginExperiment implements Panel {
  readonly id = "growth";
  readonly title = "Margin";
  private readonly frame = new ChartFrame(0.75);
  private readonly status = el("p", { class: "status", role: "status", "data-test": "margin-status" });
  private readonly list = el("div");
  private readonly latest = new LatestRequest();
  private readonly measurements: Measurement[] = [];
  private buttons: HTMLButtonElement[] = [];
  private lab!: Lab;
  private visible = false;
  private busy = false;
  private logarithmic = true;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.buttons = [
      button("Add a pair inside the margin", () => void this.addPairs(1), { "data-test": "margin-add" }),
      button(`Add ${PAIR_COUNT} pairs`, () => void this.addPairs(PAIR_COUNT), { "data-test": "margin-add-many" }),
      button("Clear the dots", () => this.clear(), { "data-test": "margin-clear" }),
    ];
    root.append(
      el("p", {}, "Each dot is a run that converged. The horizontal axis shows Novikoff's bound on the updates "
        + "for these points, the vertical axis the updates made. No run of the perceptron rule from zero weights can reach "
        + "the gray area."),
      el("div", { class: "buttons" }, ...this.buttons), this.status, this.frame.root,
      checkbox("Logarithmic axes", "margin-log", true, (on) => { this.logarithmic = on; this.draw(); }),
      this.list,
      el("p", { class: "remark" }, "Added examples can only reduce the margin or increase the radius, so the bound never "
        + "falls. The updates can fall, because an added example can turn the weights in the right direction early."));
    lab.onChange(() => { if (!this.busy) void this.update(250); });
    this.draw();
  }

  show(): void {
    this.visible = true;
    void this.update(0);
  }

  hide(): void {
    this.visible = false;
    this.latest.stop();
  }

  /** Measures the current points. */
  private async update(wait: number): Promise<void> {
    if (!this.visible) return;
    try {
      const { lab } = this;
      const result = await this.latest.ask((signal) => measure(lab.points, lab.options, signal), wait);
      if (result) this.showResult(result);
    } catch (error) {
      this.status.textContent = messageWithHint(error);
    }
  }

  private async addPairs(times: number): Promise<void> {
    this.setBusy(true);
    try {
      for (let done = 0; done < times; done++) if (!(await this.addPair())) break;
    } catch (error) {
      this.status.textContent = messageWithHint(error);
      this.lab.showError(error);
    } finally {
      this.setBusy(false);
    }
  }

  /** Returns whether another pair can be added. */
  private async addPair(): Promise<boolean> {
    const { points, options } = this.lab;
    const band = await findMarginBand(points, options);
    if (!band || band.margin <= 0 || !(points.signs.includes(1) && points.signs.includes(-1))) {
      this.status.textContent = "There is no margin: the points must be separable and have both classes.";
      return false;
    }
    const morePoints = addPairInMargin(points, band, points.rows.length);
    this.lab.set({ points: morePoints });
    const result = await measure(morePoints, options);
    this.showResult(result);
    return "measurement" in result;
  }

  private showResult(result: MeasurementResult): void {
    if ("reason" in result) {
      this.status.textContent = `No dot: ${result.reason}`;
      return;
    }
    const { measurement } = result;
    const before = this.measurements.at(-1);
    const { bound, updates, epochs, examples } = measurement;
    const same = before && before.bound === bound && before.updates === updates && before.examples === examples;
    if (!same) this.measurements.push(measurement);
    this.status.textContent = `${plural(examples, "example")}: ${plural(updates, "update")} in ${plural(epochs, "epoch")}, `
      + `the bound allows ${grouped(allowedUpdates(bound))}.`;
    this.draw();
  }

  private clear(): void {
    this.measurements.length = 0;
    this.status.textContent = "";
    this.draw();
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
    // A disabled button would lose the focus.
    for (const control of this.buttons) control.setAttribute("aria-disabled", String(busy));
  }

  private draw(): void {
    this.frame.show((size) => chart(this.measurements, this.logarithmic, size));
    const rows = this.measurements.map((measurement) => [short(measurement.examples), short(measurement.margin), short(measurement.radius),
      grouped(allowedUpdates(measurement.bound)), grouped(measurement.updates) + (measurement.covered ? "" : " *"), grouped(measurement.epochs)]);
    this.list.replaceChildren(...(rows.length > 0
      ? [table("The dots, oldest first", ["examples", "γ", "R", "bound", "updates", "epochs"], rows, "margin-table")] : []),
      ...(this.measurements.every(({ covered }) => covered) ? [] : [el("p", { class: "remark" },
        "* An open dot: the bound covers runs from zero weights by the perceptron rule and those like it, not this run.")]));
  }
}

function chart(measurements: Measurement[], log: boolean, size: ChartSize): Node {
  const bounds = measurements.map(({ bound }) => bound);
  const updates = measurements.map((measurement) => measurement.updates);
  const xAxis = range(bounds.length > 0 ? bounds : [1, 100], log);
  // The bound's line is always visible above the smallest bound.
  const yAxis = range([...(log ? [Math.min(...xAxis)] : [0]), ...(updates.length > 0 ? updates : [1, 100])], log);
  const plot = new Chart(size, { label: "bound on the updates", range: xAxis, log, whole: !log },
    { label: "updates made", range: yAxis, log, whole: !log }, summary(measurements));
  // The line updates = bound, inside the plot.
  const from = Math.max(xAxis[0], yAxis[0]);
  const to = Math.min(xAxis[1], yAxis[1]);
  if (from < to) {
    const above: [number, number][] = to < xAxis[1] ? [[from, yAxis[1]], [to, to]] : [[from, yAxis[1]], [to, yAxis[1]], [to, to]];
    plot.area([[from, from], ...above], "beyond-bound");
    plot.line([[from, from], [to, to]], "bound-line");
    // The label of the gray area, if it fits.
    const label = "more than the bound";
    if (plot.x(to) - plot.x(from) > size.em * label.length * 0.7) plot.text(from, yAxis[1], `\u2002${label}`, "start", -1.4);
  }
  measurements.forEach(({ bound, updates, covered }, index) => plot.dot(bound, log ? Math.max(1, updates) : updates,
    `${covered ? "" : "hollow"} ${index === measurements.length - 1 ? "newest" : ""}`,
    { "data-test": "margin-dot", "data-bound": bound, "data-updates": updates }));
  return plot.svg;
}

/** A range with space on both sides; at least a decade on a logarithmic axis. */
function range(values: number[], log: boolean): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (!log) return [Math.min(0, low), Math.max(1, high) * 1.12];
  return [Math.max(0.8, low / 2), Math.max(high * 2, low * 10, 10)];
}

function summary(measurements: Measurement[]): string {
  const latest = measurements.at(-1);
  if (!latest) return "Updates against Novikoff's bound: no dots yet.";
  return `Updates against Novikoff's bound: ${plural(measurements.length, "dot")}. The newest: ${plural(latest.updates, "update")}, `
    + `the bound allows ${grouped(allowedUpdates(latest.bound))}. The table below has all numbers.`;
}

export const marginExperiment: Panel = new MarginExperiment();
