// What follows from a visit for the line, in a sentence. The signs of the example's scores say whether the line moves past it;
// otherwise its distances before and after are compared.

import type { Hyperplane, Sign } from "../contract.js";
import { hasLine } from "../plane/shapes.js";
import type { Visit } from "../run/run.js";
import { marginOf, signOf } from "../run/score.js";

/** What follows from a visit; `after` are the weights after it, unless a kernel has no line. */
export function effect(visit: Visit, after: Hyperplane | undefined): string {
  const { before, mistake, row, score, scoreAfter, sign, stepSize } = visit;
  if (stepSize === 0 && signOf(score) === 0 && !mistake) return "That counts as its class.";
  if (stepSize === 0) return mistake ? "Nothing can change." : "So nothing changes.";
  if (before && after) {
    // The example is 0 and there is no bias, or the step is lost to rounding.
    if (before.every((weight, k) => weight === after[k])) return "So nothing moves.";
    if (!hasLine(after)) return hasLine(before) ? "So the line vanishes: w is 0." : "So the bias changes, but w stays 0.";
    if (!hasLine(before)) return "So the first line appears.";
    const [verb, direction] = [isParallel(before, after) ? "moves" : "turns", directionOf(visit, before, after)];
    if (direction === "past it" && isSameLine(before, after)) return "So the line stays, and its sides change places.";
    if (direction) return `So the line ${verb} ${direction}.`;
  }
  // A kernel may be 0 only for x = 0.
  if (!before && row.every(value => value === 0)) return "So the example counts more.";
  // The weights of a rule with precisions may move against one another.
  const isAway = typeof score === "number" && typeof scoreAfter === "number" && marginOf(sign, scoreAfter) < marginOf(sign, score);
  return `So its score moves ${isAway ? "away from" : "towards"} its class.`;
}

/** Bounds on the signed distance y·s/‖w‖ of an example from a line: negative on the wrong side. */
interface Distance {
  low: number;
  high: number;
}

/** Where the line moves, seen from the example; `undefined` if its distances are equal or too close to tell. */
function directionOf({ row, sign, score, scoreAfter }: Visit, before: Hyperplane, after: Hyperplane): string | undefined {
  const [side, end] = [signOf(marginOf(sign, score)), signOf(marginOf(sign, scoreAfter))];
  if (side === 0) return end === 0 ? undefined : "off it";
  if (end === 0) return "onto it";
  if (side !== end) return "past it";
  const [old, now] = [distance(before, row, sign), distance(after, row, sign)];
  if (now.low > old.high) return side < 0 ? "towards it" : "away from it";
  if (now.high < old.low) return side < 0 ? "away from it" : "towards it";
  return undefined;
}

/** The distance, with a bound on the roundings: a few units of the sum of the terms' sizes. */
function distance([a = 0, b = 0, c = 0]: Hyperplane, [x = 0, y = 0]: number[], sign: Sign): Distance {
  const [terms, length] = [[a * x, b * y, c], Math.hypot(a, b)];
  const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
  // At the ends of the range the roundings have no such bound.
  const isZero = (a === 0 || x === 0) && (b === 0 || y === 0) && c === 0;
  const isOrdinary = [isZero ? 1 : size, length].every(number => number > 1e-290 && number < 1e290);
  if (!isOrdinary) return { low: -Infinity, high: Infinity };
  const value = (sign * terms.reduce((sum, term) => sum + term, 0)) / length;
  const error = (16 * Number.EPSILON * size) / length;
  return { low: value - error, high: value + error };
}

const isSameLine = ([a = 0, b = 0, e = 0]: Hyperplane, [c = 0, d = 0, f = 0]: Hyperplane): boolean =>
  a * d === b * c && a * f === c * e && b * f === d * e;
const isParallel = ([a = 0, b = 0]: Hyperplane, [c = 0, d = 0]: Hyperplane): boolean => a * d === b * c;
