// The source of the points: the user, or a ready-made set.

import { columnPoints, file as ownFile, filePoints } from "../ask.js";
import type { ColumnPair, FileAnswer, FileQuestion, FileTable, Points } from "../contract.js";
import { project, tables } from "./bundled.js";
import { standardized } from "./standardize.js";
import { and, blobs, circles, or, separableSet, xor } from "./synthetic.js";

export type Source =
  | { set: "own" | "and" | "or" | "xor" }
  | { set: "margin"; count: number; draw: number; margin: number }
  | { set: "blobs" | "circles"; count: number; draw: number }
  | Columns & { set: "iris" | "sonar" | "file" }
  | Columns & { set: "dropped"; file: DroppedFile };

/** Two columns of a table; one class is +1, the others are −1. */
interface Columns {
  x: string;
  y: string;
  positive: string;
  /** All classes. */
  classes?: string[];
  standardized?: boolean;
}

/** A file that the user gave to the page, with the question that reads it. Only the page has it, so a link has its points. */
export interface DroppedFile {
  question: FileQuestion;
  table: FileTable;
}

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
  ["dropped", "dropped file"],
];

/** The columns and classes of a set. */
export interface ColumnTable {
  features: string[];
  classes: string[];
  /** The pairs of columns that separate `positive` best, the best first. */
  pairs?: ColumnPair[];
  positive?: string;
  rows?: unknown;
  shown?: number;
}

/** The table behind a set with columns. */
export function tableOf(source: Source, file?: FileAnswer): ColumnTable | undefined {
  switch (source.set) {
    case "iris": case "sonar": return { features: tables[source.set].features, classes: tables[source.set].classes };
    case "file": return file;
    case "dropped": return source.file.table;
    default: return undefined;
  }
}

/** A set with its default parameters. */
export function defaultSource(set: SetName, file?: FileAnswer): Source {
  switch (set) {
    case "margin": return { set, count: 40, draw: 1, margin: 0.5 };
    case "blobs": case "circles": return { set, count: 60, draw: 1 };
    case "iris": return { set, x: "petal_length", y: "petal_width", positive: "Iris-setosa", classes: tables.iris.classes };
    case "sonar": return { set, x: "band_11", y: "band_12", positive: "M", classes: tables.sonar.classes };
    case "file": return { set, ...bestPair(file), positive: file?.positive ?? "", classes: file?.classes ?? [] };
    // A file that is no longer here leaves nothing to show.
    case "dropped": return { set: "own" };
    default: return { set };
  }
}

/** The columns that separate best, if they are known. */
function bestPair(file: FileAnswer | undefined): { x: string; y: string } {
  const [pair] = file?.pairs ?? [];
  const name = (column: number): string => file?.features[column] ?? file?.features[0] ?? "";
  return { x: name(pair?.x ?? 0), y: name(pair?.y ?? 1) };
}

/** Fills in the columns that a link leaves out. */
export function withDefaultColumns(source: Source, file?: FileAnswer): Source {
  const defaults = defaultSource(source.set, file);
  if (!("x" in source) || !("x" in defaults)) return source;
  return { ...source, x: source.x || defaults.x, y: source.y || defaults.y, positive: source.positive || defaults.positive,
    ...(defaults.classes && { classes: defaults.classes }) };
}

/** The points of a set; empty for `own` points. */
export async function loadPoints(source: Source, file?: FileAnswer): Promise<Points> {
  const points = await loadRaw(source, file);
  return "x" in source && source.standardized ? standardized(points) : points;
}

/** More points from the distribution of a random set, if not said otherwise as many as it has; `undefined` for other sets. */
export function freshPoints(source: Source, { rows }: Points, more = rows.length): Points | undefined {
  // A larger random set begins with the same points.
  const larger = "count" in source ? randomPoints({ ...source, count: rows.length + more }) : undefined;
  return larger && { rows: larger.rows.slice(rows.length), signs: larger.signs.slice(rows.length) };
}

function randomPoints(source: Extract<Source, { count: number }>): Points {
  switch (source.set) {
    case "margin": return separableSet(source.count, source.margin, source.draw);
    case "blobs": return blobs(source.count, source.draw);
    case "circles": return circles(source.count, source.draw);
  }
}

async function loadRaw(source: Source, file?: FileAnswer): Promise<Points> {
  switch (source.set) {
    case "own": return { rows: [], signs: [] };
    case "and": return and();
    case "or": return or();
    case "xor": return xor();
    case "margin": case "blobs": case "circles": return randomPoints(source);
    case "iris": case "sonar": return project(tables[source.set], source.x, source.y, source.positive);
    case "file": return fromFile(source, file);
    case "dropped": {
      const { table } = source.file;
      return columnPoints(table, column(table, source.x), column(table, source.y), source.positive);
    }
  }
}

function column({ name, features }: FileAnswer, feature: string): number {
  const found = features.indexOf(feature);
  if (found < 0) throw new Error(`${name} has no column named ${feature}`);
  return found;
}

async function fromFile(source: Columns, known?: FileAnswer): Promise<Points> {
  // The lab itself says why there is none: it may want its token, or not run any more.
  const file = known ?? await ownFile();
  if (!file) throw new Error("the lab was started without a file: `rosenblatt lab DATA` opens one");
  return filePoints(column(file, source.x), column(file, source.y), source.positive);
}
