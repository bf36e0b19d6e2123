// The question that the pattern room asks.

import { patterns as ask } from "../ask.js";
import type { PatternAnswer } from "../contract.js";
import type { RoomState } from "./link.js";
import { copies } from "./picture.js";

/** Trains one class against the rest; and predicts the drawing. */
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

/** Why it cannot be learned yet, if so. */
export function lacking({ patterns }: RoomState): string | undefined {
  const classes = new Set(patterns.map(({ label }) => label)).size;
  if (classes >= 2) return undefined;
  return classes === 0 ? "Draw something, label it and keep it; or take a ready-made set."
    : "One class is known. Keep a pattern of another, then there is something to tell apart.";
}
