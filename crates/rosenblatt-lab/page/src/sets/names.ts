// The names of the columns and classes behind the points.

import type { Source } from "./source.js";

export interface Names {
  x: string;
  y: string;
  plus: string;
  minus: string;
}

/** The names of a set with columns; `undefined` for other sets. */
export function namesOf(source: Source): Names | undefined {
  if (!("x" in source) || !source.x) return undefined;
  const unit = source.standardized ? " (standardized)" : "";
  const { x, y, positive, classes = [] } = source;
  const others = classes.filter(name => name !== positive);
  return { x: x + unit, y: y + unit, plus: positive, minus: others.length === 1 ? others[0] ?? "" : `not ${positive}` };
}

const KEYS = ["x", "y", "plus", "minus"] as const;

/** Reads names from a link: `malic,proline,1,not 1`, each percent-encoded once more. */
export function readNames(text: string): Names | undefined {
  const parts = text.split(",");
  if (parts.length !== KEYS.length) return undefined;
  try {
    const [x = "", y = "", plus = "", minus = ""] = parts.map(decodeURIComponent);
    return { x, y, plus, minus };
  } catch {
    return undefined;
  }
}

export const writeNames = (names: Names): string => KEYS.map(key => encodeURIComponent(names[key])).join(",");
