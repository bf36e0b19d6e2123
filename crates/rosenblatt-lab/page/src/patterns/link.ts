// Reads and writes the link's parameters of the pattern workspace.

import type { Lab } from "../lab.js";
import { blank, decode, encode, isBlank, type Pattern, type Picture } from "./picture.js";
import { READY, ready, type ReadyName } from "./ready.js";

export interface Learning {
  keep: "last" | "average" | "pocket";
  kernel: "none" | "poly:2";
  epochs: number;
  copies: boolean;
}

export interface RoomState {
  patterns: Pattern[];
  drawing: Picture;
  learning: Learning;
}

export const USUAL: Learning = { keep: "average", kernel: "none", epochs: 200, copies: false };

/** The maximum number of patterns in a link; browsers and chats limit its length. */
const MOST = 400;

export function readRoom(lab: Lab): RoomState {
  const drawing = decode(lab.parameter("drawing") ?? "") ?? blank;
  return { patterns: readPatterns(lab.parameter("patterns")), drawing, learning: readLearning(lab.parameter("learn")) };
}

export function writeLesson(lab: Lab, { patterns, learning }: RoomState): void {
  lab.setParameter("patterns", writePatterns(patterns));
  lab.setParameter("learn", writeLearning(learning));
}

/** Separate, because every movement of the pointer writes the drawing. */
export function writeDrawing(lab: Lab, { drawing }: RoomState): void {
  lab.setParameter("drawing", isBlank(drawing) ? undefined : encode(drawing));
}

/** The parameters as text, to detect another link. */
export const written = (lab: Lab): string =>
  JSON.stringify(["patterns", "drawing", "learn"].map((key) => lab.parameter(key)));

function readPatterns(text = "letters"): Pattern[] {
  if (isReady(text)) return ready(text);
  return text.split("!").slice(0, MOST).flatMap((item) => {
    const picture = decode(item.slice(0, 24));
    const label = decoded(item.slice(24));
    return picture && label ? [{ picture, label }] : [];
  });
}

function writePatterns(patterns: Pattern[]): string | undefined {
  const text = listed(patterns);
  const known = READY.map(([name]) => name).find((name) => listed(ready(name)) === text);
  if (known === "letters") return undefined; // the default
  return known ?? (text === "" ? "none" : text);
}

const listed = (patterns: Pattern[]): string =>
  patterns.map(({ picture, label }) => encode(picture) + encodeURIComponent(label).replaceAll("!", "%21")).join("!");

const isReady = (text: string): text is ReadyName => READY.some(([name]) => name === text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function readLearning(text: string | undefined): Learning {
  const [keep, kernel, epochs, copied] = (text ?? "").split(",");
  const count = Number(epochs);
  return {
    keep: keep === "last" || keep === "pocket" ? keep : "average",
    kernel: kernel === "poly:2" ? kernel : "none",
    epochs: Number.isInteger(count) && count >= 1 && count <= 10_000 ? count : USUAL.epochs,
    copies: copied === "copies",
  };
}

function writeLearning({ keep, kernel, epochs, copies }: Learning): string | undefined {
  const text = [keep, kernel, epochs, copies ? "copies" : "plain"].join(",");
  return text === "average,none,200,plain" ? undefined : text;
}
