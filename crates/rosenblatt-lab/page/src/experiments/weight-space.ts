// The walk of the weights and the proof of Novikoff's theorem on it: k·γ ≤ w*·w ≤ ‖w‖ ≤ √k·R after k updates, for rows with their
// bias feature and w* of length 1. With the bias feature R the margin is that of the plane, so w* is at most √2 long (Cristianini and
// Shawe-Taylor 2000, Theorem 2.3): k·γ ≤ w*·w ≤ √2·‖w‖ ≤ 2√k·R.

import { separable } from "../ask.js";
import { Chart, ChartFrame, type ChartSize } from "../chart.js";
import type { Hyperplane, SeparableAnswer } from "../contract.js";
import { el, svg, table } from "../dom.js";
import type { Lab, Panel, Position } from "../lab.js";
import { LatestRequest } from "../latest-request.js";
import { grouped, short } from "../numbers.js";
import { covered, ruleOf } from "../rules.js";
import { type Run, type Step, WHOLE_RUN } from "../run/run.js";
import { offset } from "../steps/explain.js";
import { marginBand } from "./certificate.js";
import { insideHalfPlanes, withMargin } from "./half-planes.js";

const MOST_DOTS = 60;
/** The margins whose weights are shaded darker, as shares of the greatest. */
const SHARES = [1 / 4, 1 / 2, 3 / 4];
const PAUSE = 80; // milliseconds between two drawings while playing

/** A separator in the space of the rows with their bias feature, and its margin. Its length is 1; with the bias feature R, that of w. */
interface BestSeparator {
  weights: number[];
  margin: number;
  /** Its margin in the plane of the points. */
  geometric: number;
}

/** The lengths of the proof after each update, divided by the learning rate. */
interface ProofCurves {
  /** w*·w, and ‖w*‖·‖w‖ or more, after k updates. */
  along: number[];
  lengths: number[];
  margin: number;
  /** The bound on the lengths after one update. */
  radius: number;
  names: ProofNames;
}

/** The names of the curves, the lowest first, and of the bound. */
interface ProofNames {
  curves: [string, string, string, string];
  bound: string;
  vectors: string;
}

class WeightSpacePanel implements Panel {
  readonly id = "weights";
  readonly title = "Weights";
  private readonly walk = el("div", { class: "weight-walk" });
  private readonly status = el("p", { class: "status", "data-test": "weights-status" });
  private readonly frame = new ChartFrame(0.8);
  private readonly numbers = el("div", { class: "proof-numbers" });
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
    const b = offset(this.lab.notes?.threshold ?? false).value(bias);
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
    const isSeen = (corner: Position): boolean => at(corner).every((value, axis) => value >= 0 && value <= (axis === 0 ? width : height));
    let remark = "";
    picture.append(svg("path", { class: "axes", d: `M0 ${top}H${width}M${left} 0V${height}` }));
    if (best) {
      const cone = insideHalfPlanes(run.points, bias, far);
      if (cone.length > 2) picture.append(svg("polygon", { class: "separators", points: line(cone), "data-test": "separators" }));
      for (const share of SHARES) {
        const inner = withMargin(run.points, bias, share * best.geometric, far);
        if (inner.some(isSeen)) remark = "; darker, those with a quarter, a half and three quarters of the greatest margin in the plane, which are fewer";
        if (inner.length > 2) picture.append(svg("polygon", { class: "separators", points: line(inner), "data-test": "separators-margin", "data-share": share }));
      }
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
      ? `Shaded: the weights that separate all points with b = ${short(b)}${remark}. w* is the best separator found, with the margin γ ≥ ${short(best.margin)}.`
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
    const { names } = curves;
    const values = [updates * curves.margin, curves.along[updates] ?? 0, curves.lengths[updates] ?? 0, Math.sqrt(updates) * curves.radius];
    this.numbers.replaceChildren(
      table(`After ${grouped(step.updates)} updates`, names.curves, [values.map(value => short(value))], "proof-numbers"),
      el("p", { class: "remark" }, `${names.curves[0]} grows faster than ${names.curves[3]}, so the curves meet: `
        + `k ≤ ${names.bound} = ${short(curves.radius ** 2 / curves.margin ** 2)}. ${names.vectors}`));
  }
}

/** Whether every update of the run adds η y x on a mistake, from zero. */
const isProven = ({ options }: Run): boolean => covered(options) && ruleOf(options).step === "rate";

function why(run: Run, ended: boolean, isExamined: boolean): string {
  if (!ended) return "The proof follows at the end of the run.";
  if (!isProven(run)) return "The proof is for the perceptron rule from zero weights.";
  if (run.options.bias?.startsWith("unit:")) return "The proof is drawn for the bias b ← b + η y or b ← b + η y R², and without a bias.";
  return isExamined ? "No separator is known, so there is no γ." : "";
}

/** The separator of a certificate, scaled to its length. */
function bestSeparator({ certificate, margin }: SeparableAnswer, run: Run): BestSeparator | undefined {
  if (certificate?.separable !== "yes" || margin?.lower === undefined) return undefined;
  const { margin: geometric = 0 } = marginBand(certificate, run.points) ?? {};
  const weights = extended([...certificate.weights.map(Number), Number(certificate.bias)], run);
  const length = Math.hypot(...(run.options.bias === "radius" ? weights.slice(0, -1) : weights));
  return length > 0 && Number.isFinite(length) ? { weights: weights.map(value => value / length), margin: margin.lower, geometric } : undefined;
}

/** Weights in the space of the rows with their bias feature, 1 or R: (w, b) or (w, b/R). */
function extended(hyperplane: Hyperplane, { answer }: Run): number[] {
  const [weights, bias] = [hyperplane.slice(0, -1), hyperplane.at(-1) ?? 0];
  return answer.bias_unit > 0 ? [...weights, bias / Math.sqrt(answer.bias_unit)] : weights;
}

const USUAL: ProofNames = { curves: ["k·γ", "w*·w", "‖w‖", "√k·R"], bound: "R²/γ²", vectors: "" };
const OF_BIAS: Record<string, ProofNames> = {
  unit: { ...USUAL, vectors: "Vectors include the bias: (w, b) and (x, 1)." },
  radius: {
    curves: ["k·γ", "w*·w", "√2·‖w‖", "2√k·R"], bound: "(2R/γ)²",
    vectors: "Vectors include the bias: (w, b/R) and (x, R). With w* of length 1 in the plane, (w*, b*/R) is at most √2 long.",
  },
};

function proofCurves(run: Run, weights: Hyperplane[], best: BestSeparator): ProofCurves | undefined {
  const { bias = "unit", eta = 1 } = run.options;
  const { radius } = run.report;
  if (radius === null || !isProven(run)) return undefined;
  const most = bias === "radius" ? Math.SQRT2 : 1; // the length of w*, or more
  const vectors = weights.map(hyperplane => extended(hyperplane, run).map(value => value / eta));
  return {
    along: vectors.map(vector => vector.reduce((sum, value, k) => sum + value * (best.weights[k] ?? 0), 0)),
    lengths: vectors.map(vector => most * Math.hypot(...vector)),
    margin: best.margin, radius: most * Math.hypot(radius, Math.sqrt(run.answer.bias_unit)), names: OF_BIAS[bias] ?? USUAL,
  };
}

function proofChart(size: ChartSize, { along, lengths, margin, radius, names }: ProofCurves, updates: number): SVGSVGElement {
  const chart = new Chart(size, { label: "updates k", range: [0, updates], whole: true }, { label: "length", range: [0, Math.sqrt(updates) * radius] },
    `The curves ${names.curves.join(", ")} over the updates: each is at most the next.`, 0);
  const steps = Array.from({ length: updates + 1 }, (_, k) => k);
  const fine = Array.from({ length: 81 }, (_, k) => (k * updates) / 80);
  chart.line(fine.map(k => [k, k * margin]), "bound-line");
  chart.line(fine.map(k => [k, Math.sqrt(k) * radius]), "bound-line");
  chart.line(steps.map(k => [k, along[k] ?? 0]), "curve soft");
  chart.line(steps.map(k => [k, lengths[k] ?? 0]), "curve w");
  chart.text(updates, updates * margin, names.curves[0], "end", -1.1);
  chart.text(updates, Math.sqrt(updates) * radius, names.curves[3], "end", -1.4);
  chart.text(0.62 * updates, lengths[Math.round(0.62 * updates)] ?? 0, names.curves[2], "end", 0.4);
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
