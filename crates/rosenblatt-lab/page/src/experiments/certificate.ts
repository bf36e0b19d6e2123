// The geometry of a certificate of `separable`.

import type { Certificate, InseparableAnswer, Points, Sign } from "../contract.js";
import type { Position } from "../lab.js";

export type SeparabilityCertificate = Extract<Certificate, { separable: "yes" }>;
export type InseparabilityCertificate = Extract<Certificate, { separable: "no" }>;

/** A separating line and its margin. */
export interface MarginBand {
  weights: Position;
  bias: number;
  /** The distance of the closest examples from the line. */
  margin: number;
  /** The examples at that distance, counted from 0. */
  closest: number[];
}

/** An example in a proof that no line separates. */
export interface ProofExample {
  /** Counted from 0. */
  row: number;
  position: Position;
  sign: Sign;
  multiplier: string;
  /** λ over the sum of the λ of its class. */
  share: number;
}

/** A proof that the convex hulls of both classes intersect. */
export interface HullIntersection {
  withBias: boolean;
  examples: ProofExample[];
  plus: ProofExample[];
  minus: ProofExample[];
  /** Σλ⁺x/Σλ⁺ = Σλ⁻x/Σλ⁻; without a bias the origin. */
  commonPoint: Position;
}

export function marginBand(certificate: SeparabilityCertificate, points: Points): MarginBand | undefined {
  const [w1 = 0, w2 = 0] = certificate.weights.map(Number);
  const bias = Number(certificate.bias);
  const length = Math.hypot(w1, w2);
  if (length === 0 || !Number.isFinite(length) || points.rows.length === 0) return undefined;
  const distances = points.rows.map(([x = 0, y = 0], row) =>
    ((points.signs[row] ?? 1) * (w1 * x + w2 * y + bias)) / length);
  const margin = Math.min(...distances);
  const near = margin + 1e-6 * Math.max(margin, 1e-9);
  const closest = distances.flatMap((distance, row) => (distance <= near ? [row] : []));
  return { weights: [w1 / length, w2 / length], bias: bias / length, margin, closest };
}

/** The line of a quasi-complete separation, and the points on it. */
export function touchingLine({ separation }: InseparableAnswer, points: Points): MarginBand | undefined {
  if (separation?.separation !== "quasi-complete") return undefined;
  const [w1 = 0, w2 = 0] = separation.weights.map(Number);
  const length = Math.hypot(w1, w2);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  const weights: Position = [w1 / length, w2 / length];
  const bias = Number(separation.bias) / length;
  // The engine counts the points exactly; for the picture they are those at a distance of rounding errors.
  const closest = points.rows.flatMap(([x = 0, y = 0], row) => {
    const terms = [weights[0] * x, weights[1] * y, bias];
    const size = Math.max(...terms.map(Math.abs));
    return Math.abs(terms.reduce((sum, term) => sum + term, 0)) <= 1e-12 * size ? [row] : [];
  });
  return { weights, bias, margin: 0, closest };
}

export function hullIntersection(certificate: InseparabilityCertificate, points: Points): HullIntersection {
  const multipliers = certificate.multipliers.map(BigInt);
  const signOf = (row: number): Sign => points.signs[row - 1] ?? 1;
  const totals = { [1]: 0n, [-1]: 0n };
  certificate.rows.forEach((row, index) => (totals[signOf(row)] += multipliers[index] ?? 0n));
  const examples = certificate.rows.map((row, index): ProofExample => {
    const [x = 0, y = 0] = points.rows[row - 1] ?? [];
    const sign = signOf(row);
    // Without a bias, the classes may have different sums, and a −1 example counts as its reflection.
    const whole = certificate.with_bias ? totals[sign] : totals[1] + totals[-1];
    return { row: row - 1, position: [x, y], sign, multiplier: certificate.multipliers[index] ?? "0",
      share: ratio(multipliers[index] ?? 0n, whole) };
  });
  const used = examples.filter(({ multiplier }) => multiplier !== "0");
  const plus = used.filter(({ sign }) => sign > 0);
  const minus = used.filter(({ sign }) => sign < 0);
  const commonPoint: Position = certificate.with_bias ? weighted(plus) : [0, 0];
  return { withBias: certificate.with_bias, examples: used, plus, minus, commonPoint };
}

function weighted(examples: ProofExample[]): Position {
  return examples.reduce<Position>(([x, y], { position, share }) => [x + share * position[0], y + share * position[1]], [0, 0]);
}

/** A quotient of integers of any length as a double. */
function ratio(part: bigint, whole: bigint): number {
  const scale = 10n ** 17n;
  return whole === 0n ? 0 : Number((part * scale) / whole) / 1e17;
}

/** The shape of a class's convex hull. */
export function shapeOf(examples: ProofExample[]): string {
  return ["nothing", "point", "segment", "triangle"][examples.length] ?? "polygon";
}
