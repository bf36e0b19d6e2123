// Scores: a number, or a sign that is proven where the number is past the range of doubles.

import type { Score, Sign } from "../contract.js";
import { bracketed, minus, short } from "../numbers.js";

/** Whether a score is above 0, below it, or exactly 0. */
export function signOf(score: Score): Sign | 0 {
  if (typeof score !== "number") return score === "positive" ? 1 : -1;
  return score > 0 ? 1 : score < 0 ? -1 : 0;
}

/** The margin y·s. */
export function marginOf(sign: Sign, score: Score): Score {
  if (typeof score === "number") return sign * score;
  return signOf(score) === sign ? "positive" : "negative";
}

/** The score after an equals sign, or after the sign that fits. */
export function equals(score: Score, digits?: number): string {
  if (typeof score === "number") return `= ${short(score, digits)}`;
  return score === "positive" ? `> ${short(Number.MAX_VALUE, digits)}` : `< ${short(-Number.MAX_VALUE, digits)}`;
}

/** The score as a factor of the margin, with the margin. */
export function margin(sign: Sign, score: Score): string {
  const value = marginOf(sign, score);
  if (typeof score !== "number") return `y·s ${equals(value)}`;
  return `y·s = ${bracketed(sign)}·${bracketed(score)} ${equals(value)}`;
}

/** All digits of a score. */
export const digits = (score: Score): string => (typeof score === "number" ? minus(String(score)) : equals(score, 17));
