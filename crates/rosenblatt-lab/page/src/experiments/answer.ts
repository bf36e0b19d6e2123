// The answer of `separable` in words.

import type { Choices, Points, SeparableAnswer } from "../contract.js";
import { type Crossing, crossing, shapeOf } from "./certificate.js";
import { type Child, el, table } from "../dom.js";
import { allowed, bracket, plural, short, shortWhole, vector } from "../numbers.js";

/** What else is known: whether a bias would help where none is allowed. */
export interface Context {
  points: Points;
  choices: Choices;
  withBias?: SeparableAnswer["separable"] | undefined;
}

export function words(answer: SeparableAnswer, context: Context): Child[] {
  const proof = answer.verified
    ? [el("p", { class: "verified", "data-test": "separable-verified" },
      "✓ Verified exactly: the proof was checked in whole numbers, without rounding.")]
    : [];
  const rest = [...proof, ...remarks(answer, context)];
  if (new Set(context.points.signs).size < 2 && answer.separable === "yes") return oneClass();
  if (answer.separable === "yes") return [...yes(answer, context), ...rest];
  return answer.separable === "no" ? [...no(answer, context), ...rest] : [...unknown(answer), ...rest];
}

const oneClass = (): Child[] => [verdict("yes", "Yes, for there is only one class."),
  el("p", {}, "Put points of the other class on the plane: then there is something to separate.")];

function yes(answer: SeparableAnswer, { choices }: Context): Child[] {
  const { bound, radius, margin, free_bias: free } = answer;
  const bias = choices.bias ?? "unit";
  const promise = bound === undefined ? "." : `; from zero weights, after at most ${plural(allowed(bound), "update")}.`;
  const facts: [string, string][] = [];
  if (margin) facts.push([`Margin γ ${SPACE[bias]}`, bracket(margin)]);
  if (radius !== undefined) facts.push(["Radius R = max‖x‖", short(radius)]);
  if (bound !== undefined) facts.push([`Novikoff's bound ${FORMULA[bias]}`, plural(allowed(bound), "update")]);
  if (free && bias !== "radius") {
    facts.push(["Margin in the plane: distance of the closest points from the best line", bracket(free.margin)]);
  }
  return [
    verdict("yes", choices.kernel === undefined ? "Yes, it can converge." : "Yes, a line separates them."),
    el("p", {}, "A line separates the classes. In whatever order the examples come, the perceptron rule ends with "
      + `an epoch without a mistake${promise}`),
    el("dl", { class: "facts", "data-test": "separable-facts", "data-lower": margin?.lower,
      "data-upper": margin?.upper, "data-bound": bound },
      ...facts.flatMap(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])),
  ];
}

const SPACE = { unit: "of the rows (x, 1)", none: "through the origin", radius: "in the plane" };
const FORMULA = { unit: "(R² + 1)/γ²", none: "(R/γ)²", radius: "(2R/γ)²" };

function no(answer: SeparableAnswer, { points, choices }: Context): Child[] {
  const head = [verdict("no", choices.kernel === undefined ? "No, it cannot converge." : "No line separates them.")];
  if (answer.contradiction) {
    const [one, other] = answer.contradiction;
    const [x = 0, y = 0] = points.rows[one - 1] ?? [];
    return [...head, el("p", { "data-test": "separable-reason" },
      `Points ${one} and ${other} lie at the same place ${vector([x, y])} with different signs. Whatever the weights, `
      + "one of them is on the wrong side.")];
  }
  if (answer.certificate?.separable !== "no") return head;
  const proof = crossing(answer.certificate, points);
  return [...head, el("p", { "data-test": "separable-reason" }, ...why(proof)),
    multipliers(proof), el("p", {}, geometry(proof))];
}

function why(proof: Crossing): Child[] {
  const count = proof.witnesses.length;
  const sum = proof.withBias ? "Σ λᵢ yᵢ (xᵢ, 1) = 0" : "Σ λᵢ yᵢ xᵢ = 0";
  const score = proof.withBias ? "w·xᵢ + b" : "w·xᵢ";
  return [`${count === 1 ? "This point proves it" : `These ${count} points prove it`}: `, el("strong", {}, sum),
    `, with every λ positive. If a line had all of them on the right side, every term λᵢ yᵢ (${score}) would be `
    + "positive. But their sum is 0 for all weights. So a straight line makes a mistake in every epoch, for ever."];
}

function geometry(proof: Crossing): string {
  if (!proof.withBias) {
    if (proof.witnesses.length === 1) return "The point lies at the origin, where the score is 0 whatever the weights are.";
    return "On the plane: mirror each − point through the origin. The origin then lies among the points, "
      + "and no line through the origin has them all on one side.";
  }
  const both = `the ${shapeOf(proof.plus)} of + and the ${shapeOf(proof.minus)} of −`;
  const lone = proof.plus.length === 1 || proof.minus.length === 1;
  return `On the plane: ${both} meet at ${vector([...proof.common])}, marked by a ${lone ? "second ring" : "target"}. `
    + "A point of both cannot be on both sides of a line.";
}

function multipliers(proof: Crossing): HTMLElement {
  const rows = proof.witnesses.map(({ row, at, sign, multiplier, share }) => [
    String(row + 1), vector([...at]), sign > 0 ? "+1" : "−1",
    el("span", { title: multiplier }, shortWhole(multiplier)), `${short(100 * share, 3)} %`,
  ]);
  const share = proof.withBias ? "share of its class" : "share";
  return table("The proof", ["point", "x", "y", "λ", share], rows, "certificate");
}

function unknown({ ended_by: why }: SeparableAnswer): Child[] {
  return [verdict("unknown", "Not known."), el("p", {}, why === "precision"
    ? "The points are so nearly inseparable that the search found no proof either way."
    : "The search ended before it found a proof either way.")];
}

/** What the answer does not speak of. */
function remarks(answer: SeparableAnswer, { choices, withBias }: Context): Child[] {
  const said: string[] = [];
  if (withBias === "yes") said.push("With a bias it could: choose the bias “unit”.");
  if (choices.kernel !== undefined) {
    said.push("This speaks of straight lines. The run uses a kernel, and in its space the answer may be another.");
  } else if (answer.separable === "no" && withBias !== "yes") {
    const kernel = answer.contradiction ? "; no kernel can tell equal points apart" : ", or choose a kernel";
    said.push(`What helps: keep the average or the pocket weights${kernel}.`);
  }
  if (choices.bias === "none" && choices.mistake === "label" && answer.separable === "no") {
    const [zero, other] = choices.zero === "negative" ? ["−1", "+"] : ["+1", "−"];
    said.push(`Mistakes are counted by the label, and a score of 0 counts as ${zero}: `
      + `with all its ${other} points on the right side, such a run may still end.`);
  }
  return said.map((text) => el("p", { class: "remark" }, text));
}

const verdict = (answer: string, text: string): HTMLElement =>
  el("p", { class: `verdict ${answer}`, "data-test": "separable-answer", "data-answer": answer }, text);
