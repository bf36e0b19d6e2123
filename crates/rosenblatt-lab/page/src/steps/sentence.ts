// The sentence on the plane: what a visit found, and what follows for the line.

import { el } from "../dom.js";
import type { Statement } from "../lab.js";
import type { Hyperplane } from "../contract.js";
import { short } from "../numbers.js";
import type { Run, Step, Visit } from "../run/run.js";


export class Sentence {
  private readonly cause = el("span", { class: "cause" });
  private readonly effect = el("span");
  /** Screen readers get the status of the steps instead. */
  readonly root = el("p", { class: "sentence", "data-test": "sentence", "aria-hidden": "true" }, this.cause, this.effect);

  /** Replaces the sentences of the steps. */
  pinned: Statement | undefined;

  show(run: Run, step: Step, playing: boolean): void {
    this.write(sentence(run, step, playing));
  }

  showMessage(message: string): void {
    this.write({ cause: message, effect: "", mistake: false });
  }

  private write(statement: Statement): void {
    const { cause, effect, mistake } = this.pinned ?? statement;
    this.cause.textContent = cause;
    this.effect.textContent = effect;
    this.root.dataset.mistake = String(mistake);
  }
}

function sentence(run: Run, step: Step, playing: boolean): Statement {
  const { visit } = step;
  if (step.step > 0 && step.step === run.visits) return end(run);
  const line = run.options.kernel === undefined ? "line" : "boundary";
  if (!visit) return { cause: hasLine(step.last) ? "Before the first visit." : `There is no ${line} yet.`, effect: "Play shows how it learns.", mistake: false };
  const isQuiet = playing && !visit.mistake && visit.stepSize === 0;
  const cause = isQuiet ? "These are on the right side." : `Example ${visit.example + 1} ${found(visit, line)}.`;
  return { cause, effect: effect(visit, step.last), mistake: visit.mistake };
}

function end({ report, options }: Run): Statement {
  const what = options.update?.startsWith("margin") || options.update?.startsWith("pa") ? "update" : "mistake";
  if (report.converged) return { cause: `The last epoch made no ${what}.`, effect: "The run has converged.", mistake: false };
  if (report.stopped_by === "allowed_mistakes") return { cause: "Its last epoch is good enough.", effect: "The run stops.", mistake: false };
  return { cause: `The last epoch made ${what}s.`, effect: "It ends without converging.", mistake: true };
}

function found(visit: Visit, line: string): string {
  const { before, score, mistake, stepSize } = visit;
  if (before && !hasLine(before)) return `scores ${short(score)}`;
  if (score === 0) return mistake ? `lies on the ${line}` : `lies on the ${line}`;
  if (mistake) return "is on the wrong side";
  return stepSize === 0 ? "is on the right side" : "is inside the margin";
}

function effect({ before, mistake, score, stepSize }: Visit, after: Hyperplane | undefined): string {
  if (stepSize === 0 && score === 0 && !mistake) return "That counts as its class.";
  if (stepSize === 0) return mistake ? "Nothing can change." : "So nothing changes.";
  if (before && after) {
    if (!hasLine(after)) return hasLine(before) ? "So the line vanishes: w is 0." : "So the bias changes, but w stays 0.";
    if (!hasLine(before)) return "So the first line appears.";
    const direction = directionOf(before, after, mistake, score);
    if (direction) return `So the line ${isParallel(before, after) ? "moves" : "turns"} ${direction}.`;
  }
  return "So its score moves towards its class.";
}

/**
 * Where the line is certain to move, by the signed distance of the example, y·s/‖w‖. An update raises y·s, so a negative distance grows if ‖w‖ does
 * not fall, and a positive one if ‖w‖ does not grow. Otherwise either is possible.
 */
function directionOf(before: Hyperplane, after: Hyperplane, mistake: boolean, score: number): string | undefined {
  if (score === 0) return "off it";
  const growth = norm(after) - norm(before);
  if (mistake) return growth >= 0 ? "towards it" : undefined;
  return growth <= 0 ? "away from it" : undefined;
}

const norm = ([a = 0, b = 0]: Hyperplane): number => Math.hypot(a, b);

const hasLine = (hyperplane: Hyperplane | undefined): boolean => hyperplane !== undefined && (hyperplane[0] !== 0 || hyperplane[1] !== 0);

const isParallel = ([a = 0, b = 0]: Hyperplane, [c = 0, d = 0]: Hyperplane): boolean => a * d === b * c;
