// Explains a step in words and numbers.

import type { Hyperplane, Report, RunOptions } from "../contract.js";
import { bracketed, exampleName, grouped, joined, plural, short, subscript, vector } from "../numbers.js";
import { ruleOf } from "../rules.js";
import type { Run, Step, Visit } from "../run/run.js";
import { equals, margin, marginOf, signOf } from "../run/score.js";

/** The lines of an explanation. Every step has all lines, so the layout is stable. */
export interface Explanation {
  headline: string;
  example: string;
  score: string;
  margin: string;
  weights: string;
  bias: string;
  /** Empty for a rule without precisions. */
  precisions: string;
  after: string;
}

/** What the notes call b: the bias, w·x + b ≥ 0, or the threshold, w·x ≥ b. */
export interface Offset {
  /** The sign of b in the score, and of its change by an example of the class +1. */
  sign: "+" | "−";
  value(bias: number): number;
}

const BIAS: Offset = { sign: "+", value: bias => bias };
const THRESHOLD: Offset = { sign: "−", value: bias => -bias || 0 };
export const offset = (hasThreshold: boolean): Offset => (hasThreshold ? THRESHOLD : BIAS);

export function explain(run: Run, step: Step, hasThreshold: boolean): Explanation {
  const { visit } = step;
  return visit ? explainVisit(run, step, visit, offset(hasThreshold)) : explainStart(run, step, offset(hasThreshold));
}

function explainStart(run: Run, step: Step, { value }: Offset): Explanation {
  const [w, b] = weightsAndBias(step.last);
  return {
    headline: "Before the first visit.",
    example: "—", score: "—", margin: "—",
    weights: w ? `w = ${vector(w)}` : "all α are 0",
    bias: b === undefined ? "—" : `b = ${short(value(b))}`,
    precisions: ruleOf(run.options).moves ? "—" : "",
    after: "—",
  };
}

function explainVisit(run: Run, step: Step, visit: Visit, b: Offset): Explanation {
  return {
    headline: headline(visit),
    example: `${exampleName(visit.example)} = ${vector(visit.row)},  y = ${visit.sign === 1 ? "+1" : "−1"}`,
    score: score(visit, b),
    margin: margin(visit.sign, visit.score) + marginText(visit),
    weights: visit.before ? weights(run, step, visit) : coefficient(run, visit),
    bias: visit.before ? bias(run, step, visit, b) : kernelBias(run, visit, b),
    precisions: precisions(run, visit),
    after: scoreAfter(run, step, visit, b),
  };
}

function headline({ example, mistake, stepSize }: Visit): string {
  const subject = `Example ${example + 1}:`;
  if (mistake) return stepSize === 0 ? `${subject} a mistake.` : `${subject} a mistake. The weights change.`;
  return stepSize === 0 ? `${subject} correct. The weights do not change.` : `${subject} correct, but inside the margin. The weights change.`;
}

function marginText({ mistake, score, sign }: Visit): string {
  switch (signOf(marginOf(sign, score))) {
    case 1: return " > 0: correct";
    case 0: return mistake ? ": on the line, a mistake" : ": on the line, correct";
    case -1: return " < 0: a mistake";
  }
}

function score({ before, row, score }: Visit, b: Offset): string {
  return before ? `s = ${sum(before, row, b)} ${equals(score)}` : `s ${equals(score)}`;
}

/** The terms of a score. */
function sum(hyperplane: Hyperplane, row: number[], { sign }: Offset): string {
  const [w = [], b = 0] = weightsAndBias(hyperplane);
  const terms = w.map((weight, k) => `${k === 0 ? short(weight) : bracketed(weight)}·${bracketed(row[k] ?? 0)}`);
  return `w·x ${sign} b = ${terms.join(" + ")}${joined(b)}`;
}

/** The symbol of the length of a step. */
const factor = (run: Run): string => ruleOf(run.options).symbol;

function weights(run: Run, step: Step, visit: Visit): string {
  const [before] = weightsAndBias(visit.before);
  const [after] = weightsAndBias(step.last);
  if (!before || !after) return "—";
  if (visit.stepSize === 0) return `w stays ${vector(after)}`;
  const { moves } = ruleOf(run.options);
  if (moves) return `w ← ${moves[0]} = ${vector(after)}`;
  const length = `${short(Math.abs(visit.stepSize))}·${bracketed(visit.sign)}`;
  return `w ← w + ${factor(run)} y x = ${vector(before)} + ${length}·${vector(visit.row)} = ${vector(after)}`;
}

function bias(run: Run, step: Step, visit: Visit, { sign, value }: Offset): string {
  const [, before = 0] = weightsAndBias(visit.before);
  const [, after = 0] = weightsAndBias(step.last);
  if (run.options.bias === "none") return "b is 0: this run has no bias";
  if (visit.stepSize === 0) return `b stays ${short(value(after))}`;
  const unit = biasUnit(run);
  if (visit.precisions) return `b ← ${short(value(after))}, likewise with x = ${unit.slice(0, 1)}`;
  const length = `${short(Math.abs(visit.stepSize))}·${bracketed(visit.sign)}`;
  const [symbol, times] = unit === "1" ? ["", ""] : [` ${unit}`, `·${short(run.answer.bias_unit)}`];
  return `b ← b ${sign} ${factor(run)} y${symbol} = ${short(value(before))} ${sign} ${length}${times} = ${short(value(after))}`;
}

/** The length of the step, and the precisions of the weights and, after them, of the bias. */
function precisions(run: Run, visit: Visit): string {
  const { moves } = ruleOf(run.options);
  if (!moves || !visit.precisions) return "";
  const [before, after] = visit.precisions.map(all => vector(run.options.bias === "none" ? all.slice(0, -1) : all));
  if (visit.stepSize === 0) return `a stays ${after}`;
  return `${factor(run)} = ${short(Math.abs(visit.stepSize))}, a = ${before}; a ← ${moves[1]} = ${after}`;
}

/** The change of the bias by a step of 1. */
function biasUnit({ options: { bias = "unit" } }: Run): string {
  return { unit: "1", none: "", radius: "R²" }[bias as string] ?? "S²";
}

/** The score of the example by the weights after the visit. */
function scoreAfter(run: Run, { last }: Step, { row, sign, score, scoreAfter, stepSize, before, precisions }: Visit, b: Offset): string {
  if (stepSize === 0) return typeof score === "number" ? `s stays ${short(score)}` : "s stays as it is";
  if (precisions && last) return `s ← ${sum(last, row, b)} ${equals(scoreAfter)}`;
  const unit = biasUnit(run);
  const [square, value] = before
    ? ["‖x‖²", row.reduce((sum, x) => sum + x * x, run.answer.bias_unit)] : ["K(x, x)", undefined];
  const gain = unit === "" ? square : `(${square} + ${before ? unit : run.answer.bias_unit === 1 ? "1" : "B"})`;
  const numbers = value === undefined || typeof score !== "number" ? ""
    : ` = ${short(score)} + ${short(Math.abs(stepSize))}·${bracketed(sign)}·${short(value)}`;
  return `s ← s + ${factor(run)} y ${gain}${numbers} ${equals(scoreAfter)}`;
}

/** The dual form counts the updates on each example; their sign is that of its class. */
function coefficient(run: Run, { example, sign, stepSize }: Visit): string {
  if (stepSize === 0) return "no α changes";
  const name = `α${subscript(example + 1)}`;
  const symbol = factor(run);
  const gained = `the score of x gains ${bracketed(sign)}·${symbol}·K(${exampleName(example)}, x)`;
  if (ruleOf(run.options).step === "rate") return `${name} ← ${name} + 1: ${gained}`;
  return `${name} ← ${name} + ${symbol}, ${symbol} = ${short(Math.abs(stepSize))}: ${gained}`;
}

/** The bias is not part of the kernel's sum. */
function kernelBias(run: Run, { stepSize }: Visit, { sign, value }: Offset): string {
  if (run.options.bias === "none") return "b is 0: this run has no bias";
  if (stepSize === 0) return "b stays as it is";
  return `b ← b ${sign} ${factor(run)} y${run.answer.bias_unit === 1 ? "" : " B"} = b${joined(value(stepSize * run.answer.bias_unit))}`;
}

/** Splits weights and bias. */
export function weightsAndBias(hyperplane: Hyperplane | undefined): [number[] | undefined, number | undefined] {
  return hyperplane ? [hyperplane.slice(0, -1), hyperplane.at(-1)] : [undefined, undefined];
}

/** Describes the end of the run. */
export function outcome(report: Report, options: RunOptions): string {
  const updates = plural(report.updates, "update");
  if (report.converged) return `This run converges: epoch ${grouped(report.epochs)} makes no ${ruleOf(options).clean_of}, after ${updates}.`;
  if (report.stopped_by === "allowed_mistakes") {
    return `This run stops after ${plural(report.epochs, "epoch")} and ${updates}: the last epoch makes no more mistakes than allowed.`;
  }
  const last = report.mistakes_per_epoch.at(-1) ?? 0;
  const still = last > 0 ? `makes ${plural(last, "mistake")}` : "changes the weights";
  return `This run ends without converging, after ${plural(report.epochs, "epoch")} and ${updates}: the last epoch still ${still}.`;
}
