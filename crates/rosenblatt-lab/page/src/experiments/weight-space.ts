// The walk of the weights and the proof of Novikoff's theorem on it: k·γ ≤ w*·w ≤ ‖w‖ ≤ √k·R after k updates.

import { separable } from "../ask.js";
import { Chart, ChartFrame, type ChartSize } from "../chart.js";
import type { Hyperplane, SeparableAnswer } from "../contract.js";
import { el, svg, table } from "../dom.js";
import type { Lab, Panel, Position } from "../lab.js";
import { LatestRequest } from "../latest-request.js";
import { grouped, short } from "../numbers.js";
import { type Run, type Step, WHOLE_RUN } from "../run/run.js";
import { insideHalfPlanes } from "./half-planes.js";
import { covered } from "./measurement.js";

const MOST_DOTS = 60;
const PAUSE = 80; // milliseconds between two drawings while playing

/** A separator of length 1 in the space of the rows with their bias feature, and its margin. */
interface BestSeparator {
  weights: number[];
  margin: number;
}

/** The lengths of the proof after each update, divided by the learning rate. */
interface ProofCurves {
  /** w*·w and ‖w‖ after k updates. */
  along: number[];
  lengths: number[];
  margin: number;
  radius: number;
}

class WeightSpacePanel implements Panel {
  readonly id = "weights";
  readonly title = "Weights";
  private readonly walk = el("div", { class: "weight-walk" });
  private readonly status = el("p", { class: "status", "data-test": "weights-status" });
  private readonly frame = new ChartFrame(0.8);
  private readonly numbers = el("div");
  private readonly latest = new LatestRequest();
  private lab!: Lab;
  private visible = false;
  private timer = 0;
  /** The run whose points were examined, and its best separator. */
  private examined: Run | undefined;
  private best: BestSeparator | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    root.append(
      el("p", {}, "Each point of this picture is a pair of weights. Each update adds η y x to them."),
      this.walk, this.status, this.frame.root, this.numbers);
    lab.onStep(() => this.schedule());
  }

  show(): void {
    this.visible = true;
    this.draw();
  }

  hide(): void {
    this.visible = false;
    this.latest.stop();
    this.examined = undefined;
  }

  private schedule(): void {
    if (this.visible && this.timer === 0) this.timer = window.setTimeout(() => this.draw(), PAUSE);
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    if (!this.visible) return;
    const { run, step } = this.lab;
    const reason = !run || !step ? "There is no run yet." : run.options.kernel ? "The weights of a kernel are no point of the plane." : "";
    if (!run || !step || reason) return this.clear(reason);
    if (step.step > WHOLE_RUN) return this.clear(`The walk is drawn for the first ${grouped(WHOLE_RUN)} visits.`);
    const weights = run.weightsAfterUpdates(step.step);
    if (!weights) return void run.loadAll(0, step.step).then(() => this.schedule(), (error: unknown) => this.lab.showError(error));
    if (this.lab.ended) this.examine(run);
    const best = this.lab.ended && this.examined === run ? this.best : undefined;
    this.drawWalk(run, weights, best);
    this.drawProof(run, step, weights, best);
  }

  private clear(reason: string): void {
    this.walk.replaceChildren();
    this.status.textContent = reason;
    this.frame.show(undefined);
    this.numbers.replaceChildren();
  }

  /** Asks the engine for the best separator; only the end of a run leads to it. */
  private examine(run: Run): void {
    if (this.examined === run) return;
    this.examined = run;
    this.best = undefined;
    this.latest.ask(signal => separable({ points: run.points, options: run.options }, signal)).then(answer => {
      if (!answer || this.examined !== run) return;
      this.best = bestSeparator(answer, run);
      this.draw();
    }, (error: unknown) => this.lab.showError(error));
  }

  // The walk.

  private drawWalk(run: Run, weights: Hyperplane[], best: BestSeparator | undefined): void {
    const places = weights.map(([x = 0, y = 0]): Position => [x, y]);
    const bias = weights.at(-1)?.at(-1) ?? 0;
    const [width, height] = [300, 190];
    const [x, y] = [span(places, 0), span(places, 1)];
    // The origin and the walk fill the picture, with one scale for both axes.
    const fitting = Math.min(width / (x.most - x.least), height / (y.most - y.least)) / 1.35;
    const scale = Number.isFinite(fitting) ? fitting : 1;
    const at = ([a, b]: Position): Position => [width / 2 + (a - x.middle) * scale, height / 2 - (b - y.middle) * scale];
    const far = (width + height) / scale;
    const line = (points: Position[]): string => points.map(point => at(point).map(value => value.toFixed(1)).join(",")).join(" ");
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "data-test": "weight-walk", "data-updates": weights.length - 1,
      "aria-label": `The weights after ${weights.length - 1} updates` });
    const [left, top] = at([0, 0]);
    picture.append(svg("path", { class: "axes", d: `M0 ${top}H${width}M${left} 0V${height}` }));
    if (best) {
      const cone = insideHalfPlanes(run.points, bias, far);
      if (cone.length > 2) picture.append(svg("polygon", { class: "separators", points: line(cone), "data-test": "separators" }));
      const [a = 0, b = 0] = best.weights;
      const length = Math.hypot(a, b) || 1;
      const beyond = 0.8 * Math.max(...places.map(place => Math.hypot(...place)), 0);
      const tip: Position = [(a / length) * beyond, (b / length) * beyond];
      picture.append(svg("polyline", { class: "best", points: line([[0, 0], [(a / length) * far, (b / length) * far]]) }), name(at(tip), "w*", -26));
    }
    picture.append(svg("polyline", { class: "walk", points: line(places) }));
    if (places.length <= MOST_DOTS) for (const place of places) picture.append(dot(at(place), 3));
    const end = places.at(-1) ?? [0, 0];
    picture.append(dot(at(end), 6), name(at(end), "w"));
    this.walk.replaceChildren(picture, el("p", { class: "note" }, best
      ? `Shaded: the weights that separate all points with b = ${short(bias)}. w* is the best separator found, with the margin γ ≥ ${short(best.margin)}.`
      : "The end of the run shows the weights that separate the points, if there are any."));
  }

  // The proof.

  private drawProof(run: Run, step: Step, weights: Hyperplane[], best: BestSeparator | undefined): void {
    const curves = best && proofCurves(run, weights, best);
    this.status.textContent = curves ? "The proof, update by update" : why(run, this.lab.ended, this.examined === run && best === undefined);
    const updates = weights.length - 1;
    if (!curves || updates === 0) {
      this.frame.show(undefined);
      return this.numbers.replaceChildren();
    }
    this.frame.show(size => proofChart(size, curves, Math.max(updates, 1)));
    const values = [updates * curves.margin, curves.along[updates] ?? 0, curves.lengths[updates] ?? 0, Math.sqrt(updates) * curves.radius];
    this.numbers.replaceChildren(
      table(`After ${grouped(step.updates)} updates`, ["k·γ", "w*·w", "‖w‖", "√k·R"], [values.map(value => short(value))], "proof-numbers"),
      el("p", { class: "remark" }, `k·γ grows faster than √k·R, so the curves meet: k ≤ R²/γ² = ${short(curves.radius ** 2 / curves.margin ** 2)}. `
        + (run.answer.bias_unit > 0 ? "Vectors include the bias: (w, b) and (x, 1)." : "")));
  }
}

function why(run: Run, ended: boolean, isExamined: boolean): string {
  if (!ended) return "The proof follows at the end of the run.";
  const { bias = "unit" } = run.options;
  if (!covered(run.options)) return "The proof is for the perceptron rule from zero weights.";
  if (bias !== "unit" && bias !== "none") return "The proof is drawn for the bias b ← b + η y, and without a bias.";
  return isExamined ? "No separator is known, so there is no γ." : "";
}

/** The separator of a certificate, scaled to the length 1. */
function bestSeparator({ certificate, margin }: SeparableAnswer, run: Run): BestSeparator | undefined {
  if (certificate?.separable !== "yes" || margin?.lower === undefined) return undefined;
  const weights = [...certificate.weights.map(Number), ...(run.answer.bias_unit > 0 ? [Number(certificate.bias)] : [])];
  const length = Math.hypot(...weights);
  return length > 0 && Number.isFinite(length) ? { weights: weights.map(value => value / length), margin: margin.lower } : undefined;
}

function proofCurves(run: Run, weights: Hyperplane[], best: BestSeparator): ProofCurves | undefined {
  const { bias = "unit", eta = 1 } = run.options;
  const { radius } = run.report;
  if (radius === null || !covered(run.options) || (bias !== "unit" && bias !== "none")) return undefined;
  const vectors = weights.map(hyperplane => (bias === "unit" ? hyperplane : hyperplane.slice(0, -1)).map(value => value / eta));
  return {
    along: vectors.map(vector => vector.reduce((sum, value, k) => sum + value * (best.weights[k] ?? 0), 0)),
    lengths: vectors.map(vector => Math.hypot(...vector)),
    margin: best.margin, radius: Math.sqrt(radius ** 2 + run.answer.bias_unit),
  };
}

function proofChart(size: ChartSize, { along, lengths, margin, radius }: ProofCurves, updates: number): SVGSVGElement {
  const chart = new Chart(size, { label: "updates k", range: [0, updates], whole: true }, { label: "length", range: [0, Math.sqrt(updates) * radius] },
    "The curves k·γ, w*·w, ‖w‖ and √k·R over the updates: each is at most the next.", 0);
  const steps = Array.from({ length: updates + 1 }, (_, k) => k);
  const fine = Array.from({ length: 81 }, (_, k) => (k * updates) / 80);
  chart.line(fine.map(k => [k, k * margin]), "bound-line");
  chart.line(fine.map(k => [k, Math.sqrt(k) * radius]), "bound-line");
  chart.line(steps.map(k => [k, along[k] ?? 0]), "curve soft");
  chart.line(steps.map(k => [k, lengths[k] ?? 0]), "curve w");
  chart.text(updates, updates * margin, "k·γ", "end", -1.1);
  chart.text(updates, Math.sqrt(updates) * radius, "√k·R", "end", -1.4);
  chart.text(0.62 * updates, lengths[Math.round(0.62 * updates)] ?? 0, "‖w‖", "end", 0.4);
  return chart.svg;
}

function dot([x, y]: Position, radius: number): SVGCircleElement {
  return svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: radius });
}

function name([x, y]: Position, text: string, beside = 9): SVGTextElement {
  return svg("text", { x: (x + beside).toFixed(1), y: (y - 8).toFixed(1) }, text);
}

/** The range of a coordinate, with the origin. */
function span(places: Position[], axis: 0 | 1): { least: number; most: number; middle: number } {
  const values = places.map(place => place[axis]);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return { least, most, middle: (least + most) / 2 };
}

export const weightSpacePanel: Panel = new WeightSpacePanel();
