// The source of the points: the user, or a ready-made set.

import { filePoints } from "../ask.js";
import type { FileAnswer, Points } from "../contract.js";
import { project, tables } from "./bundled.js";
import { and, blobs, circles, or, separableSet, xor } from "./synthetic.js";

export type Source =
  | { set: "own" | "and" | "or" | "xor" }
  | { set: "margin"; count: number; draw: number; margin: number }
  | { set: "blobs" | "circles"; count: number; draw: number }
  | { set: "iris" | "sonar" | "file"; x: string; y: string; positive: string };

export type SetName = Source["set"];

export const SETS: readonly (readonly [SetName, string])[] = [
  ["own", "own points"],
  ["margin", "separable, with a margin"],
  ["and", "AND"],
  ["or", "OR"],
  ["xor", "XOR"],
  ["blobs", "two overlapping clouds"],
  ["circles", "disk in a ring"],
  ["iris", "iris, two features"],
  ["sonar", "sonar, two features"],
  ["file", "my file"],
];

/** A set with its default parameters. */
export function defaultSource(set: SetName, file?: FileAnswer): Source {
  switch (set) {
    case "margin": return { set, count: 40, draw: 1, margin: 0.5 };
    case "blobs": case "circles": return { set, count: 60, draw: 1 };
    case "iris": return { set, x: "petal_length", y: "petal_width", positive: "Iris-setosa" };
    case "sonar": return { set, x: "band_11", y: "band_12", positive: "M" };
    case "file": return {
      set, x: file?.features[0] ?? "", y: file?.features[1] ?? file?.features[0] ?? "", positive: file?.positive ?? "",
    };
    default: return { set };
  }
}

/** Fills in the columns that a link leaves out. */
export function withDefaultColumns(source: Source, file?: FileAnswer): Source {
  const defaults = defaultSource(source.set, file);
  if (!("x" in source) || !("x" in defaults)) return source;
  return { ...source, x: source.x || defaults.x, y: source.y || defaults.y, positive: source.positive || defaults.positive };
}

/** The points of a set; empty for `own` points. */
export async function loadPoints(source: Source, file?: FileAnswer): Promise<Points> {
  switch (source.set) {
    case "own": return { rows: [], signs: [] };
    case "and": return and();
    case "or": return or();
    case "xor": return xor();
    case "margin": return separableSet(source.count, source.margin, source.draw);
    case "blobs": return blobs(source.count, source.draw);
    case "circles": return circles(source.count, source.draw);
    case "iris": case "sonar": return project(tables[source.set], source.x, source.y, source.positive);
    case "file": return fromFile(source, file);
  }
}

async function fromFile(source: Extract<Source, { x: string }>, file?: FileAnswer): Promise<Points> {
  if (!file) throw new Error("the lab was started without a file: `rosenblatt lab DATA` opens one");
  const [x, y] = [file.features.indexOf(source.x), file.features.indexOf(source.y)];
  if (x < 0 || y < 0) throw new Error(`${file.name} has no column named ${x < 0 ? source.x : source.y}`);
  return filePoints(x, y, source.positive);
}
