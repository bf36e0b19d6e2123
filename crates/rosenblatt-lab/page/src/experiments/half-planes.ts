// The weights that separate all points for a fixed bias: an intersection of half-planes.

import type { Points } from "../contract.js";
import type { Position } from "../lab.js";

/** The corners of the weights w with y (w·x + b) > 0 for all points, within ±`most`. */
export function insideHalfPlanes({ rows, signs }: Points, bias: number, most: number): Position[] {
  let corners: Position[] = [[-most, -most], [most, -most], [most, most], [-most, most]];
  rows.forEach(([x = 0, y = 0], k) => {
    const sign = signs[k] ?? 1;
    corners = clipped(corners, ([a, b]) => sign * (a * x + b * y + bias));
  });
  return corners;
}

/** The part of a convex polygon where a linear function is positive. */
function clipped(corners: Position[], value: (corner: Position) => number): Position[] {
  return corners.flatMap((corner, k) => {
    const next = corners[(k + 1) % corners.length] as Position;
    const [here, there] = [value(corner), value(next)];
    const kept: Position[] = here > 0 ? [corner] : [];
    if (here > 0 !== there > 0) {
      const share = here / (here - there);
      kept.push([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])]);
    }
    return kept;
  });
}
