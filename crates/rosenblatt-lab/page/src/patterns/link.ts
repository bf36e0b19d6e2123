// Reads and writes the link's parameters of the pattern workspace.

import { type Line, LINES } from "../contract.js";
import type { Lab } from "../lab.js";
import { blank, decode, encode, isBlank, type Pattern, type Picture } from "./picture.js";
import { READY_SETS, readySet, type ReadySetName } from "./ready-sets.js";

export interface PatternOptions {
  keep: Line;
  kernel: "none" | "poly:2";
  epochs: number;
  copies: boolean;
}

export interface PatternState {
  patterns: Pattern[];
  drawing: Picture;
  options: PatternOptions;
}

export const DEFAULT_OPTIONS: PatternOptions = { keep: "average", kernel: "none", epochs: 200, copies: false };

/** The maximum number of patterns in a link; browsers and chats limit its length. */
const MAX_PATTERNS = 400;

export function readPatternState(lab: Lab): PatternState {
  const drawing = decode(lab.parameter("drawing") ?? "") ?? blank;
  return { patterns: readPatterns(lab.parameter("patterns")), drawing, options: readOptions(lab.parameter("learn")) };
}

export function writeTrainingSet(lab: Lab, { patterns, options }: PatternState): void {
  lab.setParameter("patterns", writePatterns(patterns));
  lab.setParameter("learn", writeOptions(options));
}

/** Separate, because every movement of the pointer writes the drawing. */
export function writeDrawing(lab: Lab, { drawing }: PatternState): void {
  lab.setParameter("drawing", isBlank(drawing) ? undefined : encode(drawing));
}

const KEYS = ["patterns", "drawing", "learn"];

/** The parameters as text, to detect another link. */
export const linkText = (lab: Lab): string => JSON.stringify(KEYS.map((key) => lab.parameter(key)));

/** Whether the link says nothing about the workspace. */
export const isBare = (lab: Lab): boolean => KEYS.every((key) => lab.parameter(key) === undefined);

function readPatterns(text = "letters"): Pattern[] {
  if (isReadySet(text)) return readySet(text);
  return text.split("!").slice(0, MAX_PATTERNS).flatMap((item) => {
    const picture = decode(item.slice(0, 24));
    const label = decodeLabel(item.slice(24));
    return picture && label ? [{ picture, label }] : [];
  });
}

function writePatterns(patterns: Pattern[]): string | undefined {
  const text = encodePatterns(patterns);
  const known = READY_SETS.map(([name]) => name).find((name) => encodePatterns(readySet(name)) === text);
  if (known === "letters") return undefined; // the default
  return known ?? (text === "" ? "none" : text);
}

const encodePatterns = (patterns: Pattern[]): string =>
  patterns.map(({ picture, label }) => encode(picture) + encodeURIComponent(label).replaceAll("!", "%21")).join("!");

const isReadySet = (text: string): text is ReadySetName => READY_SETS.some(([name]) => name === text);

function decodeLabel(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function readOptions(text: string | undefined): PatternOptions {
  const [keep, kernel, epochs, copied] = (text ?? "").split(",");
  const count = Number(epochs);
  return {
    keep: LINES.find((line) => line === keep) ?? DEFAULT_OPTIONS.keep,
    kernel: kernel === "poly:2" ? kernel : "none",
    epochs: Number.isInteger(count) && count >= 1 && count <= 10_000 ? count : DEFAULT_OPTIONS.epochs,
    copies: copied === "copies",
  };
}

const asText = ({ keep, kernel, epochs, copies }: PatternOptions): string => [keep, kernel, epochs, copies ? "copies" : "plain"].join(",");

function writeOptions(options: PatternOptions): string | undefined {
  const text = asText(options);
  return text === asText(DEFAULT_OPTIONS) ? undefined : text;
}
