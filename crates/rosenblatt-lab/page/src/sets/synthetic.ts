// Logic gates and random sets.

import type { Points, Sign } from "../contract.js";
import { normal, random, type Random, round3 } from "./random.js";

const CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]];

const corners = (...signs: Sign[]): Points => ({ rows: CORNERS.map(row => [...row]), signs });

export const and = (): Points => corners(-1, -1, -1, 1);
export const or = (): Points => corners(-1, 1, 1, 1);
export const xor = (): Points => corners(-1, 1, 1, -1);

/** Uniform points at least `margin` away from a line. A larger margin moves the points of a seed away from the line. */
export function separableSet(count: number, margin: number, seed: number): Points {
  const next = random(seed);
  const [a, b] = direction(next);
  const offset = next() - 0.5;
  return collect(count, sign => {
    const along = (2 * next() - 1) * 4;
    const away = sign * (margin + next() * (4 - margin)) - offset;
    return [along * -b + away * a, along * a + away * b];
  });
}

/** Two overlapping clouds. */
export function blobs(count: number, seed: number): Points {
  const next = random(seed);
  return collect(count, sign => [1.1 * sign + normal(next), 0.8 * sign + normal(next)]);
}

/** A disk and a ring around it. */
export function circles(count: number, seed: number): Points {
  const next = random(seed);
  return collect(count, sign => {
    const [a, b] = direction(next);
    const radius = sign > 0 ? 1.3 * Math.sqrt(next()) : 2.2 + 1.1 * next();
    return [radius * a, radius * b];
  });
}

function collect(count: number, draw: (sign: Sign) => number[]): Points {
  const signs = Array.from({ length: count }, (_, k): Sign => (k % 2 === 0 ? 1 : -1));
  return { rows: signs.map(sign => draw(sign).map(round3)), signs };
}

/** A point on the unit circle, by rejection sampling. */
function direction(next: Random): [number, number] {
  for (;;) {
    const x = 2 * next() - 1;
    const y = 2 * next() - 1;
    const length = Math.sqrt(x * x + y * y);
    if (length > 0.1 && length < 1) return [x / length, y / length];
  }
}
