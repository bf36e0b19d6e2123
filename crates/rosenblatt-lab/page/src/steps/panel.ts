// The panel of the steps: explanation and counters. Its sentence floats on the plane.

import { button, el } from "../dom.js";
import { writeNumber } from "../numbers.js";
import type { Score } from "../contract.js";
import { ruleOf } from "../rules.js";
import type { Run, Step } from "../run/run.js";
import { digits, marginOf } from "../run/score.js";
import { Counters } from "./counters.js";
import { explain, outcome, weightsAndBias } from "./explain.js";
import { Sentence } from "./sentence.js";
import type { Stepper } from "./stepper.js";

/** The minimum milliseconds between two texts while playing, so that they stay readable. */
const TEXT_PAUSE = 90;

export class StepsPanel {
  readonly root = el("div", { class: "steps" });
  private readonly headline = el("p", { class: "headline", "data-test": "status", role: "status" });
  readonly sentence = new Sentence();
  private readonly outcome = el("p", { class: "outcome", "data-test": "outcome" });
  /** Floats on the plane at the end of a run that did not converge. */
  readonly proof = button("See the proof", () => this.prove(),
    { "data-test": "proof", class: "chip", hidden: true, title: "Can it converge? The answer with its proof" });
  private readonly lines = {
    example: el("dd", { "data-test": "example" }), score: el("dd", { "data-test": "score" }),
    margin: el("dd", { "data-test": "margin" }), weights: el("dd", { "data-test": "update" }),
    bias: el("dd", { "data-test": "bias-update" }), precisions: el("dd", { "data-test": "precisions", hidden: true }), after: el("dd", { "data-test": "score-after" }),
  };
  private readonly heads = { bias: el("th", { scope: "col" }), threshold: el("th", { scope: "col" }) };
  private readonly cells = { before: buildCells("before"), after: buildCells("") };
  /** Whether b is the threshold, w·x ≥ b, instead of the bias. */
  hasThreshold = false;
  private readonly counters = new Counters();
  private readonly weights: HTMLElement;
  private writtenAt = 0;
  private timer = 0;

  /** `prove` shows whether the points are separable, with the proof. */
  constructor(private readonly stepper: Stepper, private readonly prove: () => void) {
    this.weights = this.buildTable();
    this.root.append(
      el("div", { class: "card" }, this.headline, this.explanation(), this.weights),
      el("div", { class: "card" }, this.counters.counts, this.outcome, this.counters.bounded));
  }

  /** Shows a step, or `message` without one. */
  show(run: Run | undefined, step: Step | undefined, message: string): void {
    clearTimeout(this.timer);
    const wait = this.stepper.playing ? this.writtenAt + TEXT_PAUSE - performance.now() : 0;
    if (wait > 0) this.timer = window.setTimeout(() => this.write(run, step, message), wait);
    else this.write(run, step, message);
  }

  played(playing: boolean): void {
    // Screen readers announce only the step at which playing ends.
    this.headline.setAttribute("aria-live", playing ? "off" : "polite");
  }

  private write(run: Run | undefined, step: Step | undefined, message: string): void {
    this.writtenAt = performance.now();
    const { ended } = this.stepper;
    this.counters.show(run, step, ended);
    // A kernel's weights have no coordinates in the plane.
    this.weights.hidden = run?.options.kernel !== undefined;
    this.heads.bias.textContent = this.hasThreshold ? "bias −b" : "bias b";
    this.heads.threshold.textContent = this.hasThreshold ? "threshold b" : "threshold −b";
    // How the run ends is said only when its end was shown.
    const known = run && ended ? run : undefined;
    this.outcome.textContent = known ? outcome(known.report, known.options) : "";
    this.outcome.dataset.converged = String(known?.report.converged ?? "");
    const doubtful = known !== undefined && !known.report.converged && known.options.kernel === undefined;
    this.proof.hidden = !doubtful || step?.step !== known.visits;
    if (run && step) this.explain(run, step);
    else this.clear(message);
  }

  private explain(run: Run, step: Step): void {
    const { headline, ...lines } = explain(run, step, this.hasThreshold);
    const end = step.step === run.visits && step.step > 0 ? " The run ends." : "";
    this.headline.textContent = headline + end;
    this.sentence.show(run, step, this.stepper.playing);
    this.headline.dataset.mistake = String(step.visit?.mistake ?? false);
    for (const key of Object.keys(this.lines) as (keyof typeof this.lines)[]) this.lines[key].textContent = lines[key];
    this.root.dataset.step = ruleOf(run.options).step;
    this.lines.precisions.hidden = lines.precisions === "";
    const { visit } = step;
    setDigits(this.lines.score, visit?.score);
    setDigits(this.lines.margin, visit && marginOf(visit.sign, visit.score));
    setDigits(this.lines.after, visit?.scoreAfter);
    fill(this.cells.before, visit ? visit.before : step.last);
    fill(this.cells.after, step.last);
  }

  private clear(message: string): void {
    this.headline.textContent = message;
    this.sentence.showMessage(message);
    this.headline.dataset.mistake = "false";
    for (const line of Object.values(this.lines)) {
      line.textContent = "—";
      setDigits(line, undefined);
    }
    fill(this.cells.before, undefined);
    fill(this.cells.after, undefined);
  }

  private explanation(): HTMLElement {
    const { example, score, margin, weights, bias, precisions, after } = this.lines;
    return el("dl", { class: "explanation" },
      ...Object.entries({ example, "score s": score, "margin y·s": margin, weights, bias, precisions, "score after": after })
        .flatMap(([name, line]) => [el("dt", { class: "visually-hidden" }, name), line]));
  }

  private buildTable(): HTMLElement {
    const head = [el("td"), el("th", { scope: "col" }, "weights w"), this.heads.bias, this.heads.threshold];
    const row = (name: string, { weights, bias, threshold }: WeightCells): HTMLElement =>
      el("tr", {}, el("th", { scope: "row" }, name), weights, bias, threshold);
    return el("table", { class: "weights" }, el("caption", { class: "visually-hidden" }, "The line w·x + b = 0, before and after this visit"),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, row("before", this.cells.before), row("after", this.cells.after)));
  }
}

interface WeightCells {
  weights: HTMLElement;
  bias: HTMLElement;
  threshold: HTMLElement;
}

function buildCells(when: string): WeightCells {
  const cell = (name: string): HTMLElement => el("td", { "data-test": when ? `${name}-${when}` : name });
  return { weights: cell("weights"), bias: cell("bias"), threshold: cell("threshold") };
}

function fill({ weights, bias, threshold }: WeightCells, hyperplane: number[] | undefined): void {
  const [w, b] = weightsAndBias(hyperplane);
  writeNumber(weights, w);
  writeNumber(bias, b);
  writeNumber(threshold, b === undefined ? undefined : -b || 0);
}

function setDigits(element: HTMLElement, value: Score | undefined): void {
  element.dataset.value = value === undefined ? "" : JSON.stringify(value);
  element.title = value === undefined ? "" : digits(value);
}
