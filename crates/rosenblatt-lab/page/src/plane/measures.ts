// Lengths for the drawing: the radius and the margin of a line.

import type { Hyperplane, Points } from "../contract.js";

/** The largest norm of an example. */
export const radius = ({ rows }: Points): number => Math.max(0, ...rows.map(row => Math.hypot(row[0] ?? 0, row[1] ?? 0)));

/** The distance from a line to the nearest example, if it separates them. */
export function lineMargin({ rows, signs }: Points, hyperplane: Hyperplane): number | undefined {
  const [w1 = 0, w2 = 0, b = 0] = hyperplane;
  const norm = Math.hypot(w1, w2);
  let least = Infinity;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k] as number[];
    least = Math.min(least, (signs[k] ?? 1) * (w1 * (row[0] as number) + w2 * (row[1] as number) + b));
  }
  return norm > 0 && least > 0 && Number.isFinite(least) ? least / norm : undefined;
}
