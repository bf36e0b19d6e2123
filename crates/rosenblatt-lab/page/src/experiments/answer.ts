// Explains the answer of `separable`.

import type { Bias, Convergence, InseparableAnswer, Points, RunOptions, SeparableAnswer } from "../contract.js";
import { type HullIntersection, hullIntersection, type InseparabilityCertificate, shapeOf } from "./certificate.js";
import { type Child, el, table } from "../dom.js";
import { allowedUpdates, bracket, plural, short, shortWhole, vector } from "../numbers.js";
import { boundFormula, covered } from "../rules.js";

/** The run's points and options, and whether a bias would make the points separable. */
export interface AnswerContext {
  points: Points;
  options: RunOptions;
  withBias?: SeparableAnswer["separable"] | undefined;
}

export function explainAnswer(answer: SeparableAnswer, context: AnswerContext): Child[] {
  const proof = answer.verified
    ? [el("p", { class: "verified", "data-test": "separable-verified" },
      "✓ Verified exactly: the engine checked the proof in integer arithmetic, without rounding.")]
    : [];
  const rest = [...proof, ...remarks(answer, context)];
  if (new Set(context.points.signs).size < 2 && answer.separable === "yes") return oneClass();
  if (answer.separable === "yes") return [...yes(answer, context), ...rest];
  const ending = halfOpen(answer);
  if (ending) return [...ending, ...rest];
  return answer.separable === "no" ? [...no(answer, context), ...rest] : [...unknown(answer), ...rest];
}

/** Whether the run ends, in a few words; absent where no theorem says so. */
const ENDINGS: Record<Convergence, string> = {
  "always": "Yes, it converges in every order.",
  "from-zero": "Yes, from zero it converges in every order.",
  "depends-on-order": "It depends on the order.",
  "never": "No, it cannot converge.",
};

/** Without a bias, a run that counts a score of 0 as right for one class may end although no line separates the classes. */
function halfOpen({ convergence, convergence_certificate: proof }: SeparableAnswer): Child[] | undefined {
  if (!proof || convergence === undefined || convergence === "never") return undefined;
  const [strict, other] = proof.strict === "positive" ? ["+", "−"] : ["−", "+"];
  const right = `This run counts a score of 0 as a mistake for ${strict} points only. A line through the origin has every ${strict} `
    + `point on its right side, and no ${other} point on its wrong side, but some on it. `;
  const why = {
    "always": "These lie at the origin, where no weights make a mistake. So the run ends as if they were not there.",
    "from-zero": "All other points are at right angles to these. So a run from zero never makes a mistake on them, and it ends, if no "
      + "update is rounded.",
    "depends-on-order": "The weights must be exactly at right angles to these, and whether a run gets there depends on "
      + "the order and on the start.",
  }[convergence];
  const mark = convergence === "depends-on-order" ? "unknown" : "yes";
  return [verdict("no", ENDINGS[convergence], mark), el("p", { "data-test": "separable-reason" }, right + why)];
}

const oneClass = (): Child[] => [verdict("yes", "Yes, because there is only one class."),
  el("p", {}, "Add points of the other class to have something to separate.")];

function yes(answer: SeparableAnswer, { options }: AnswerContext): Child[] {
  const { bound, radius, margin, free_bias: free, convergence } = answer;
  const bias = options.bias ?? "unit";
  const boundText = bound === undefined || !covered(options) ? "."
    : `; it needs at most ${plural(allowedUpdates(bound), "update")}.`;
  const ends = convergence === undefined ? "A line separates the classes."
    : `A line separates the classes. For every order of the examples, the run reaches an epoch with no mistakes${boundText}`;
  const facts: [string, string][] = [];
  if (margin) facts.push([`Margin γ ${SPACE[bias] ?? ""}`, bracket(margin)]);
  if (radius !== undefined) facts.push(["Radius R = max‖x‖", short(radius)]);
  if (bound !== undefined && covered(options)) facts.push([`Novikoff's bound ${boundFormula(options, 1)}`, plural(allowedUpdates(bound), "update")]);
  if (free && bias !== "radius") {
    facts.push(["Margin in the plane: distance from the best line to the closest points", bracket(free.margin)]);
  }
  return [
    verdict("yes", convergence === undefined ? "A line separates them." : ENDINGS[convergence]),
    el("p", {}, ends),
    el("dl", { class: "facts", "data-test": "separable-facts", "data-lower": margin?.lower,
      "data-upper": margin?.upper, "data-bound": bound },
      ...facts.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
  ];
}

// Of other rows than these the search gives no margin.
const SPACE: Partial<Record<Bias, string>> = { unit: "of the rows (x, 1)", none: "through the origin", radius: "in the plane" };

function no(answer: SeparableAnswer, { points }: AnswerContext): Child[] {
  const { convergence } = answer;
  const head = [verdict("no", convergence === undefined ? "No line separates them." : ENDINGS[convergence])];
  if (answer.contradiction) {
    const [one, other] = answer.contradiction;
    const [x = 0, y = 0] = points.rows[one - 1] ?? [];
    return [...head, el("p", { "data-test": "separable-reason" },
      `Points ${one} and ${other} have the same coordinates ${vector([x, y])} but different signs. `
      + "Every line misclassifies one of them.")];
  }
  const certificate = proofOfNo(answer);
  if (!certificate) return head;
  const proof = hullIntersection(certificate, points);
  return [...head, el("p", { "data-test": "separable-reason" }, ...why(proof, answer)),
    multipliers(proof), el("p", {}, geometry(proof))];
}

/** The proof that no line is right: the one about the run, if it is not that of separability. */
export function proofOfNo({ certificate, convergence_certificate: run }: SeparableAnswer): InseparabilityCertificate | undefined {
  if (run?.convergence === "never") return { separable: "no", with_bias: false, rows: run.rows, multipliers: run.multipliers };
  return certificate?.separable === "no" ? certificate : undefined;
}

function why(proof: HullIntersection, { convergence, convergence_certificate: run }: SeparableAnswer): Child[] {
  const count = proof.examples.length;
  const sum = proof.withBias ? "Σ λᵢ yᵢ (xᵢ, 1) = 0" : "Σ λᵢ yᵢ xᵢ = 0";
  const score = proof.withBias ? "w·xᵢ + b" : "w·xᵢ";
  return [`${count === 1 ? "This point proves it" : `These ${count} points prove it`}: `, el("strong", {}, sum),
    `, with every λ positive. If a line classified all of them correctly, every term λᵢ yᵢ (${score}) would be ${run
      ? `at least 0, and positive for the ${run.strict === "positive" ? "+" : "−"} points, for which a score of 0 is a mistake`
      : "positive"}. But the terms sum to 0 for all weights.${convergence === "never" ? " So the run makes a mistake in every epoch." : ""}`];
}

function geometry(proof: HullIntersection): string {
  if (!proof.withBias) {
    if (proof.examples.length === 1) return "The point lies at the origin, where the score is 0 for all weights.";
    return "In the plane, reflect each − point through the origin. The origin then lies in the convex hull of the points, "
      + "so no line through the origin has all of them on one side.";
  }
  const both = `the ${shapeOf(proof.plus)} of + and the ${shapeOf(proof.minus)} of −`;
  const covered = proof.plus.length === 1 || proof.minus.length === 1;
  return `In the plane, ${both} meet at ${vector([...proof.commonPoint])}, marked by a ${covered ? "second ring" : "target"}. `
    + "A point in both cannot be on both sides of a line.";
}

function multipliers(proof: HullIntersection): HTMLElement {
  const rows = proof.examples.map(({ row, position, sign, multiplier, share }) => [
    String(row + 1), vector([...position]), sign > 0 ? "+1" : "−1",
    el("span", { title: multiplier }, shortWhole(multiplier)), `${short(100 * share, 3)}%`,
  ]);
  const share = proof.withBias ? "share of its class" : "share";
  return table("The proof", ["point", "x", "y", "λ", share], rows, "certificate");
}

function unknown({ ended_by: why }: SeparableAnswer): Child[] {
  return [verdict("unknown", "Unknown."), el("p", {}, why === "precision"
    ? "The points are too close to the limit of separability: the search found no proof in either direction."
    : "The search ended before it found a proof in either direction.")];
}

/** How far inseparable points are from separable. */
export function explainDistance(answer: InseparableAnswer, { options }: AnswerContext, searching: boolean): Child[] {
  const { least_errors: { lower, upper }, ended, separation, on_line: onLine } = answer;
  const line = separation?.with_bias === false ? "line through the origin" : "line";
  const counted = options.bias === "none" && options.mistake === "label" ? ", where a point on it counts as one" : "";
  const errors = lower === upper
    ? `The best ${line} makes ${plural(lower, "error")}${counted}.`
    : `The best ${line} makes at least ${lower} and at most ${plural(upper, "error")}${counted}`
      + (searching ? "; the search goes on." : ended ? "; the search ended." : ".");
  const bracketText = el("p", { "data-test": "least-errors", "data-lower": lower, "data-upper": upper }, errors);
  if (separation === undefined || separation.separation === "complete") return [bracketText];
  const touches = separation.separation === "quasi-complete"
    ? `Quasi-complete separation: a ${line} has no point on its wrong side, but ${plural(onLine ?? 0, "point")} on it. `
      + "A logistic regression would have an infinite estimate."
    : `Overlap: every ${line} has a point on its wrong side, unless all points lie on it. `
      + "A logistic regression has a finite estimate.";
  return [bracketText, el("p", { "data-test": "weak", "data-answer": separation.separation }, touches)];
}

/** Remarks about cases that the answer does not cover. */
function remarks(answer: SeparableAnswer, { options, withBias }: AnswerContext): Child[] {
  const remarkTexts: string[] = [];
  const { convergence } = answer;
  if (withBias === "yes" && (convergence === undefined || convergence === "never")) remarkTexts.push("With a bias it could: choose the bias “unit”.");
  if (options.kernel !== undefined) {
    remarkTexts.push("This answer is about straight lines; with your kernel it may differ.");
  } else if (answer.separable !== "unknown" && convergence === undefined) {
    remarkTexts.push("No theorem says whether a run of this rule ends: it may move the weights where it makes no mistake.");
  } else if (convergence === "never" && withBias !== "yes") {
    const kernel = answer.contradiction ? "; no kernel can separate equal points" : ", or choose a kernel";
    remarkTexts.push(`Keep the average or the pocket weights${kernel}.`);
  }
  return remarkTexts.map((text) => el("p", { class: "remark" }, text));
}

/** A sentence about the run, after the mark of its own answer; `answer` is that about a line that separates. */
const verdict = (answer: string, text: string, mark = answer): HTMLElement =>
  el("p", { class: `verdict ${mark}`, "data-test": "separable-answer", "data-answer": answer }, text);
