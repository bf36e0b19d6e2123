// The question of the pattern workspace.

import { patterns as ask } from "../ask.js";
import type { PatternAnswer } from "../contract.js";
import type { RoomState } from "./link.js";
import { copies } from "./picture.js";

/** Trains one-vs-rest and predicts the class of the drawing. */
export function learn({ patterns, drawing, learning }: RoomState, signal: AbortSignal): Promise<PatternAnswer> {
  const { keep, kernel, epochs } = learning;
  const taught = learning.copies
    ? patterns.flatMap(({ picture, label }) => copies(picture).map((copy) => ({ picture: copy, label })))
    : patterns;
  return ask({
    rows: taught.map(({ picture }) => [...picture]), labels: taught.map(({ label }) => label),
    options: { keep, epochs, ...(kernel === "none" ? {} : { kernel }) },
    queries: [[...drawing]],
  }, signal);
}

/** The reason why training cannot start yet, if there is one. */
export function lacking({ patterns }: RoomState): string | undefined {
  const classes = new Set(patterns.map(({ label }) => label)).size;
  if (classes >= 2) return undefined;
  return classes === 0 ? "Draw something and add it to the training set, or use a ready-made set."
    : "The training set has one class. Add a pattern of another class.";
}
