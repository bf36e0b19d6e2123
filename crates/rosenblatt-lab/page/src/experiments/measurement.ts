// A measurement of the margin experiment: the updates of a run and Novikoff's bound.

import { separable, train } from "../ask.js";
import type { Choices, Points } from "../contract.js";
import { band } from "./certificate.js";
import { plural } from "../numbers.js";

export interface Dot {
  /** Novikoff's bound for the chosen bias. */
  bound: number;
  updates: number;
  examples: number;
  margin: number;
  radius: number;
  /** Whether the bound covers this run. */
  promised: boolean;
}

/** The default number of epochs: small margins need more than the command's default. */
const EPOCHS = 100_000;

/** A measurement, or the reason why there is none. */
export type Measured = { dot: Dot } | { without: string };

export async function measure(points: Points, choices: Choices, signal?: AbortSignal): Promise<Measured> {
  if (!(points.signs.includes(1) && points.signs.includes(-1))) return { without: "Both classes need a point." };
  if (choices.kernel !== undefined) return { without: "This bound is about lines in the plane, but the run uses a kernel." };
  const answer = await separable({ points, bias: choices.bias ?? "unit" }, signal);
  if (answer.separable === "no") return { without: "No line separates these points, so there is no bound." };
  if (answer.bound === undefined || !answer.margin?.lower) return { without: "The margin of these points is unknown." };
  const { report } = await train({ points, options: { ...choices, epochs: choices.epochs ?? EPOCHS } }, signal);
  if (!report.converged) {
    return { without: `The run stopped after ${plural(report.epochs, "epoch")} and ${plural(report.updates, "update")} `
      + "without converging. Increase the maximum epochs." };
  }
  const { bound, margin, radius = report.radius } = answer;
  return { dot: { bound, updates: report.updates, examples: points.rows.length, margin: margin.lower ?? 0,
    radius, promised: promised(choices) } };
}

/** Novikoff's theorem covers the perceptron rule with zero initial weights. */
export function promised({ update = "perceptron", init = "zero" }: Choices): boolean {
  return update === "perceptron" && init === "zero";
}

/** The separator and its margin, if the search found one. */
export async function bandOf(points: Points, choices: Choices, signal?: AbortSignal) {
  const { certificate } = await separable({ points, bias: choices.bias ?? "unit" }, signal);
  return certificate?.separable === "yes" ? band(certificate, points) : undefined;
}
