// One dot of the margin experiment: how many updates a run made, and how many it could have made.

import { separable, train } from "../ask.js";
import type { Choices, Points } from "../contract.js";
import { band } from "./certificate.js";
import { plural } from "../numbers.js";

export interface Dot {
  /** Novikoff's bound for the bias chosen. */
  bound: number;
  updates: number;
  examples: number;
  margin: number;
  radius: number;
  /** Whether the theorem speaks of this run. */
  promised: boolean;
}

/** A margin that shrinks needs more epochs than the command's default; a number that was chosen is kept. */
const EPOCHS = 100_000;

/** A dot, or why there is none. */
export type Measured = { dot: Dot } | { without: string };

export async function measure(points: Points, choices: Choices, signal?: AbortSignal): Promise<Measured> {
  if (!(points.signs.includes(1) && points.signs.includes(-1))) return { without: "Both classes need a point." };
  if (choices.kernel !== undefined) return { without: "The bound here is about lines in the plane, and the run uses a kernel." };
  const answer = await separable({ points, bias: choices.bias ?? "unit" }, signal);
  if (answer.separable === "no") return { without: "No line separates these points, so there is no bound." };
  if (answer.bound === undefined || !answer.margin?.lower) return { without: "The margin of these points is not known." };
  const { report } = await train({ points, options: { ...choices, epochs: choices.epochs ?? EPOCHS } }, signal);
  if (!report.converged) {
    return { without: `The run stopped after ${plural(report.epochs, "epoch")} and ${plural(report.updates, "update")} `
      + "without an epoch free of mistakes. Give it more epochs." };
  }
  const { bound, margin, radius = report.radius } = answer;
  return { dot: { bound, updates: report.updates, examples: points.rows.length, margin: margin.lower ?? 0,
    radius, promised: promised(choices) } };
}

/** Novikoff's theorem is about the perceptron rule, started from zero. */
export function promised({ update = "perceptron", init = "zero" }: Choices): boolean {
  return update === "perceptron" && init === "zero";
}

/** The separator and its band, as far as one is known. */
export async function bandOf(points: Points, choices: Choices, signal?: AbortSignal) {
  const { certificate } = await separable({ points, bias: choices.bias ?? "unit" }, signal);
  return certificate?.separable === "yes" ? band(certificate, points) : undefined;
}
