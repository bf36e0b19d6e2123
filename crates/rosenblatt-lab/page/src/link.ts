// The link: the page's state after the # of the address, in readable words.
//
//     #set=and&order=given&mistake=label&step=11
//     #points=0,0,-;1,1,+&update=pa1:0.5&show=last,average,R
//     #set=or&notes=lauer

import { DEFAULTS, type Hyperplane, LIMITS, NOTES, NUMBER_OPTIONS, type Points, type RunOptions, type Sign, TEXT_OPTIONS } from "./contract.js";
import { type Notes, notesNamed } from "./notes.js";
import { defaultSource, type SetName, SETS, type Source } from "./sets/source.js";
import { type Names, namesOf, readNames, writeNames } from "./sets/names.js";
import { INITIAL_OPTIONS } from "./state.js";

/** The content of a link; missing parts have their defaults. */
export interface Link {
  source: Source;
  /** Own points. */
  points?: Points;
  options: RunOptions;
  /** The lecture notes whose options these are. */
  notes?: Notes | undefined;
  step: number;
  show?: string[];
  /** The names of the columns and classes of own points. */
  names?: Names | undefined;
  /** Whether both axes have the same scale, if it is not as usual for these points. */
  axes?: "equal" | "free";
  /** Center and span of the view, and how much the second axis is stretched, for own points. */
  view?: [number, number, number, number?];
  tab?: string;
  /** The parts of the page that are hidden. */
  hide?: string | undefined;
  /** The parameters of the panels. */
  panelParameters: Map<string, string>;
}

// `order` and `init` follow the other texts.
const TEXT_KEYS = [...TEXT_OPTIONS.filter(key => key !== "order" && key !== "init"), "order", "init"] as const;
const PAGE_KEYS = ["set", "points", "n", "draw", "margin", "x", "y", "class", "standardized", "names", "notes", "start",
  "axes", "hide", "step", "show", "view", "tab", "story"];

/** The keys of the panels. */
const PANEL_KEYS = ["patterns", "learn", "drawing", "guess", "predict"];

/** Whether the page itself uses this key. */
export const reserved = (key: string): boolean =>
  PAGE_KEYS.includes(key) || ([...TEXT_KEYS, ...NUMBER_OPTIONS] as string[]).includes(key.replace("-", "_"));

/** Reads a link. Parts that cannot be read are left out; `faults` gets a message for each. */
export function readLink(fragment: string, faults: string[]): Link {
  const query = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B"));
  const link: Link = { source: { set: "own" }, options: { ...INITIAL_OPTIONS }, step: 0, panelParameters: new Map() };
  const own = query.get("points");
  if (own !== null) link.points = readPoints(own, faults);
  else link.source = readSource(query, faults);
  link.notes = readLectureNotes(query, faults);
  if (link.notes) link.options = { ...link.notes.options };
  readOptions(query, link.options, faults);
  link.step = whole(query, "step", 0, faults);
  const show = query.get("show");
  if (show !== null) link.show = show.split(",").filter(Boolean);
  const view = query.get("view")?.split(",").map(Number);
  if ((view?.length === 3 || view?.length === 4) && view.every(Number.isFinite) && (view[2] ?? 0) > 0 && (view[3] ?? 1) > 0) {
    link.view = view as [number, number, number, number?];
  }
  const names = query.get("names");
  if (names !== null) link.names = readNames(names);
  const axes = query.get("axes");
  if (axes === "equal" || axes === "free") link.axes = axes;
  const tab = query.get("tab");
  if (tab) link.tab = tab;
  const hide = query.get("hide");
  if (hide) link.hide = hide;
  for (const [key, value] of query) {
    if (PANEL_KEYS.includes(key)) link.panelParameters.set(key, value);
    else if (!reserved(key)) faults.push(`“${key.slice(0, 40)}” is not a part of a link`);
  }
  return link;
}

function readPoints(text: string, faults: string[]): Points {
  const points: Points = { rows: [], signs: [] };
  for (const part of text.split(";").filter(Boolean)) {
    const [x, y, sign, ...more] = part.split(",");
    const row = [Number(x || NaN), Number(y || NaN)];
    const value: Sign | undefined = sign === "+" || sign === "1" ? 1 : sign === "-" || sign === "-1" || sign === "−" ? -1 : undefined;
    if (value === undefined || more.length > 0 || !row.every(Number.isFinite)) {
      faults.push(`the point “${part.slice(0, 40)}” does not have the form 1.5,2,+`);
      continue;
    }
    points.rows.push(row);
    points.signs.push(value);
  }
  return points;
}

function readSource(query: URLSearchParams, faults: string[]): Source {
  const name = query.get("set") ?? "own";
  if (!SETS.some(([set]) => set === name)) {
    faults.push(`no set is named “${name.slice(0, 40)}”`);
    return { set: "own" };
  }
  const source = defaultSource(name as SetName);
  if ("count" in source) {
    source.count = Math.min(LIMITS.points, Math.max(2, whole(query, "n", source.count, faults)));
    source.draw = whole(query, "draw", source.draw, faults);
  }
  if (source.set === "margin") source.margin = Math.min(3, Math.max(0, number(query, "margin", source.margin, faults)));
  if ("x" in source) {
    source.x = query.get("x") ?? source.x;
    source.y = query.get("y") ?? source.y;
    source.positive = query.get("class") ?? source.positive;
    if (query.get("standardized") === "1") source.standardized = true;
  }
  return source;
}

function readLectureNotes(query: URLSearchParams, faults: string[]): Notes | undefined {
  const name = query.get("notes");
  const notes = name === null ? undefined : notesNamed(name);
  if (name !== null && !notes) {
    faults.push(`no notes are named “${name.slice(0, 40)}”; there are ${NOTES.map(known => known.name).join(", ")}`);
  }
  return notes;
}

function readOptions(query: URLSearchParams, options: RunOptions, faults: string[]): void {
  for (const key of TEXT_KEYS) {
    const value = query.get(key);
    // The engine checks the words.
    if (value !== null) (options as Record<string, string>)[key] = value;
  }
  for (const key of NUMBER_OPTIONS) {
    const name = query.has(key) ? key : key.replace("_", "-");
    const value = number(query, name, NaN, faults);
    if (Number.isFinite(value)) options[key] = value;
  }
  const start = query.get("start");
  if (start === null) return;
  const weights = readLine(start);
  if (weights) options.start = weights;
  else faults.push(`start=${start.slice(0, 40)} does not have the form 1,-2,0.5`);
}

/** Reads a line w₁,w₂,b; `undefined` if it is not one. */
export function readLine(text: string): Hyperplane | undefined {
  const numbers = text.split(",").map(part => Number(part.trim() || NaN));
  return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : undefined;
}

function number(query: URLSearchParams, key: string, fallback: number, faults: string[]): number {
  const text = query.get(key);
  if (text === null) return fallback;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  faults.push(`${key}=${text.slice(0, 40)} is not a number`);
  return fallback;
}

function whole(query: URLSearchParams, key: string, fallback: number, faults: string[]): number {
  const value = number(query, key, fallback, faults);
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}

export function writeLink(link: Link): string {
  const parts: string[] = [];
  const put = (key: string, value: string | number): void => {
    parts.push(`${key}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";").replace(/%2B/g, "+")}`);
  };
  const names = link.names ?? (link.source.set === "dropped" ? namesOf(link.source) : undefined);
  if (link.source.set === "own" || link.source.set === "dropped") put("points", writePoints(link.points));
  else writeSource(link.source, put);
  if (names) put("names", writeNames(names));
  if (link.axes) put("axes", link.axes);
  if (link.view) put("view", link.view.join(","));
  writeOptions(link, put);
  if (link.options.start) put("start", link.options.start.join(","));
  if (link.step > 0) put("step", link.step);
  if (link.show) put("show", link.show.join(","));
  if (link.tab) put("tab", link.tab);
  if (link.hide) put("hide", link.hide);
  for (const [key, value] of link.panelParameters) put(key, value);
  return `#${parts.join("&")}`;
}

/** Writes the options that a link without them would not restore. */
function writeOptions({ options, notes }: Link, put: (key: string, value: string | number) => void): void {
  if (notes) put("notes", notes.name);
  const initial: RunOptions = notes?.options ?? INITIAL_OPTIONS;
  for (const key of [...TEXT_KEYS, ...NUMBER_OPTIONS]) {
    const value = options[key] ?? (initial[key] === undefined ? undefined : (DEFAULTS as RunOptions)[key]);
    if (value !== undefined && (value !== initial[key] || (key === "order" && !notes))) put(key.replace("_", "-"), value);
  }
}

function writePoints(points: Points | undefined): string {
  return points?.rows.map((row, k) => `${row[0]},${row[1]},${points.signs[k] === 1 ? "+" : "-"}`).join(";") ?? "";
}

function writeSource(source: Source, put: (key: string, value: string | number) => void): void {
  put("set", source.set);
  if ("count" in source) {
    put("n", source.count);
    put("draw", source.draw);
  }
  if (source.set === "margin") put("margin", source.margin);
  if ("x" in source) {
    put("x", source.x);
    put("y", source.y);
    put("class", source.positive);
    if (source.standardized) put("standardized", 1);
  }
}
