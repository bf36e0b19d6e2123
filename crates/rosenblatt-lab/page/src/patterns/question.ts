// The question of the pattern workspace.

import { patterns as ask } from "../ask.js";
import type { PatternAnswer } from "../contract.js";
import type { PatternState } from "./link.js";
import { copies } from "./picture.js";

/** Trains one-vs-rest and predicts the class of the drawing. */
export function trainAndPredict({ patterns, drawing, options }: PatternState, signal: AbortSignal): Promise<PatternAnswer> {
  const { keep, kernel, epochs } = options;
  const examples = options.copies
    ? patterns.flatMap(({ picture, label }) => copies(picture).map((copy) => ({ picture: copy, label })))
    : patterns;
  return ask({
    rows: examples.map(({ picture }) => [...picture]), labels: examples.map(({ label }) => label),
    options: { keep, epochs, ...(kernel === "none" ? {} : { kernel }) },
    queries: [[...drawing]],
  }, signal);
}

/** The reason why training cannot start yet, if there is one. */
export function missingData({ patterns }: PatternState): string | undefined {
  const classes = new Set(patterns.map(({ label }) => label)).size;
  if (classes >= 2) return undefined;
  return classes === 0 ? "Draw something and add it to the training set, or use a ready-made set."
    : "The training set has one class. Add a pattern of another class.";
}
