// A seeded generator, so that a link gives identical points everywhere.

export type Random = () => number;

/** Mulberry32, uniform in [0, 1). */
export function random(seed: number): Random {
  let state = (seed * 0x9e3779b9 + 0x85ebca6b) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Approximately normal, as a sum of twelve uniforms: logarithms and cosines differ between machines. */
export function normal(next: Random): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += next();
  return sum;
}

export const round3 = (value: number): number => Math.round(value * 1000) / 1000 || 0;
