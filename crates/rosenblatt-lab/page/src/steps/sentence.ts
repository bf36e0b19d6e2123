// The sentence on the plane: what a visit found, and what follows for the line.

import { el } from "../dom.js";
import type { Statement } from "../lab.js";
import { short } from "../numbers.js";
import { hasLine } from "../plane/shapes.js";
import type { Run, Step, Visit } from "../run/run.js";
import { ruleOf } from "../rules.js";
import { equals, signOf } from "../run/score.js";
import { effect } from "./effect.js";

export class Sentence {
  private readonly cause = el("span", { class: "cause" });
  private readonly effect = el("span");
  /** Screen readers get the status of the steps instead. */
  readonly root = el("p", { class: "sentence", "data-test": "sentence", "aria-hidden": "true" }, this.cause, this.effect);

  /** Replaces the sentences of the steps. */
  pinned: Statement | undefined;
  /** What the plane says now. */
  current: Statement = { cause: "", effect: "", mistake: false };

  show(run: Run, step: Step, playing: boolean): void {
    this.write(sentence(run, step, playing));
  }

  showMessage(message: string): void {
    this.write({ cause: message, effect: "", mistake: false });
  }

  private write(statement: Statement): void {
    this.current = this.pinned ?? statement;
    const { cause, effect, mistake } = this.current;
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
  const what = ruleOf(options).clean_of;
  if (report.converged) return { cause: `The last epoch made no ${what}.`, effect: "The run has converged.", mistake: false };
  if (report.stopped_by === "allowed_mistakes") return { cause: "Its last epoch is good enough.", effect: "The run stops.", mistake: false };
  return { cause: `The last epoch made ${what}s.`, effect: "It ends without converging.", mistake: true };
}

function found(visit: Visit, line: string): string {
  const { before, score, mistake, stepSize } = visit;
  if (before && !hasLine(before)) return `scores ${typeof score === "number" ? short(score) : equals(score)}`;
  if (signOf(score) === 0) return `lies on the ${line}`;
  if (mistake) return "is on the wrong side";
  return stepSize === 0 ? "is on the right side" : "is inside the margin";
}
