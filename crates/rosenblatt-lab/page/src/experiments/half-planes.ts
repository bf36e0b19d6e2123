// The weights that separate all points for a fixed bias: an intersection of half-planes, and within it those with a margin.

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

const DIRECTIONS = 1440;

/** The corners of the weights w with y (w·x + b) ≥ m‖w‖ for all points, at most `most` long: a convex set without the origin. */
export function withMargin(points: Points, bias: number, margin: number, most: number): Position[] {
  const ranges = Array.from({ length: DIRECTIONS }, (_, k) => {
    const angle = (2 * Math.PI * k) / DIRECTIONS;
    const direction: Position = [Math.cos(angle), Math.sin(angle)];
    return { direction, range: lengths(points, direction, bias, margin, most) };
  });
  // The set begins after a direction without weights.
  const gap = ranges.findIndex(({ range }) => range === undefined);
  const [near, far]: [Position[], Position[]] = [[], []];
  for (const { direction: [a, b], range } of [...ranges.slice(gap), ...ranges.slice(0, gap)]) {
    if (!range) continue;
    near.push([range[0] * a, range[0] * b]);
    far.push([range[1] * a, range[1] * b]);
  }
  return [...far, ...near.reverse()];
}

/** The least and the greatest length of such weights in a direction. */
function lengths({ rows, signs }: Points, [a, b]: Position, bias: number, margin: number, most: number): [number, number] | undefined {
  let [least, greatest] = [0, most];
  rows.forEach(([x = 0, y = 0], k) => {
    const sign = signs[k] ?? 1;
    // r·slope + y·b ≥ 0 for weights of the length r.
    const [slope, start] = [sign * (a * x + b * y) - margin, sign * bias];
    if (slope > 0) least = Math.max(least, -start / slope);
    else if (slope < 0) greatest = Math.min(greatest, -start / slope);
    else if (start < 0) greatest = -1;
  });
  return greatest > 0 && least <= greatest ? [least, greatest] : undefined;
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
