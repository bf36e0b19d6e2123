// Adds a pair of examples inside the margin: the classes stay separable, the margin shrinks.

import type { Points } from "../contract.js";
import type { Position } from "../lab.js";
import type { MarginBand } from "./certificate.js";

/** The distance of the pair from the separator, in units of the margin. */
export const PAIR_DISTANCE = 0.6;

/** Adds one point of each class between the separator and its margin. */
export function addPairInMargin(points: Points, band: MarginBand, seed: number): Points {
  const foot = positionOnLine(points, band, uniform(seed));
  const step = PAIR_DISTANCE * band.margin;
  const at = (sign: number): Position =>
    [foot[0] + sign * step * band.weights[0], foot[1] + sign * step * band.weights[1]];
  return { rows: [...points.rows, at(1), at(-1)], signs: [...points.signs, 1, -1] };
}

/** A position on the separator within the examples' range, so that the radius does not grow. */
function positionOnLine(points: Points, { weights: [w1, w2], bias }: MarginBand, fraction: number): Position {
  const along = (x: number, y: number): number => -w2 * x + w1 * y;
  const spread = points.rows.map(([x = 0, y = 0]) => along(x, y));
  const radius = Math.max(...points.rows.map(([x = 0, y = 0]) => Math.hypot(x, y)));
  // Half of the separator's length within the radius.
  const half = 0.95 * Math.sqrt(Math.max(0, radius ** 2 - bias ** 2));
  const from = Math.max(Math.min(...spread), -half);
  const to = Math.min(Math.max(...spread), half);
  const position = from < to ? from + fraction * (to - from) : Math.min(Math.max(from, -half), half);
  return [-bias * w1 - w2 * position, -bias * w2 + w1 * position];
}

/** A number in [0, 1) that depends only on the seed (mulberry32). */
export function uniform(seed: number): number {
  let bits = (seed + 1) * 0x6d2b79f5 | 0;
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}
