// A measurement of the margin experiment: the updates of a run and Novikoff's bound.

import { separable, train } from "../ask.js";
import { LIMITS, type Points, type RunOptions } from "../contract.js";
import { marginBand } from "./certificate.js";
import { plural } from "../numbers.js";
import { covered } from "../rules.js";

export interface Measurement {
  /** Novikoff's bound for the chosen bias. */
  bound: number;
  updates: number;
  epochs: number;
  examples: number;
  margin: number;
  radius: number;
  /** Whether the bound covers this run. */
  covered: boolean;
}

/** A measurement, or the reason why there is none. */
export type MeasurementResult = { measurement: Measurement } | { reason: string };

export async function measure(points: Points, options: RunOptions, signal?: AbortSignal): Promise<MeasurementResult> {
  if (!(points.signs.includes(1) && points.signs.includes(-1))) return { reason: "Both classes need a point." };
  if (options.kernel !== undefined) return { reason: "This bound is about lines in the plane, but the run uses a kernel." };
  const answer = await separable({ points, options }, signal);
  if (answer.separable === "no") return { reason: "No line separates these points, so there is no bound." };
  const { lower } = answer.margin ?? {};
  if (answer.bound === undefined || !lower) return { reason: "The margin of these points is unknown." };
  // Small margins need more epochs than the command's default.
  const { report } = await train({ points, options: { epochs: LIMITS.epochs, ...options } }, signal);
  if (!report.converged) {
    return { reason: `The run stopped after ${plural(report.epochs, "epoch")} and ${plural(report.updates, "update")} `
      + "without converging. Increase the maximum epochs." };
  }
  const { bound, radius = report.radius } = answer;
  if (radius === null) return { reason: "The radius of these points is past the range of numbers." };
  return { measurement: { bound, updates: report.updates, epochs: report.epochs, examples: points.rows.length, margin: lower,
    radius, covered: covered(options) } };
}

/** The separator and its margin, if the search found one. */
export async function findMarginBand(points: Points, options: RunOptions, signal?: AbortSignal) {
  const { certificate } = await separable({ points, options }, signal);
  return certificate?.separable === "yes" ? marginBand(certificate, points) : undefined;
}
