// A picture of 12 × 12 cells.
//
// An example has 144 features: 1 for a filled cell, 0 for an empty one. So a cell that no picture fills keeps the
// weight 0, and the weights resemble the patterns. With −1, every such cell would act as another bias.

import { uniform } from "../experiments/margin-pair.js";

export const SIDE = 12;
export const CELLS = SIDE * SIDE;

/** 0 or 1 for each cell, row by row from the top. */
export type Picture = readonly number[];

export interface Pattern {
  picture: Picture;
  label: string;
}

export const blank: Picture = Array<number>(CELLS).fill(0);

export const isBlank = (picture: Picture): boolean => !picture.includes(1);

export const cellAt = (column: number, row: number): number | undefined =>
  column >= 0 && column < SIDE && row >= 0 && row < SIDE ? row * SIDE + column : undefined;

/** The cells under a brush of size 1, 2 or 3. */
export function brushCells(column: number, row: number, size: number): number[] {
  const from = size === 3 ? -1 : 0;
  const offsets = Array.from({ length: size }, (_, k) => k + from);
  return offsets.flatMap((dy) => offsets.map((dx) => cellAt(column + dx, row + dy))).filter((cell) => cell !== undefined);
}

/** The cells of a line, so that a fast stroke has no gaps. */
export function lineCells([x0, y0]: [number, number], [x1, y1]: [number, number]): [number, number][] {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  return Array.from({ length: steps + 1 }, (_, k) =>
    [Math.round(x0 + ((x1 - x0) * k) / steps), Math.round(y0 + ((y1 - y0) * k) / steps)]);
}

/** Shifts a picture and drops the cells outside. `tilt` also shifts the top third right and the bottom third left. */
export function shifted(picture: Picture, dx: number, dy: number, tilt = 0): Picture {
  return picture.map((_, cell) => {
    const [column, row] = [cell % SIDE, Math.floor(cell / SIDE)];
    const offset = row < SIDE / 3 ? tilt : row >= (2 * SIDE) / 3 ? -tilt : 0;
    const from = cellAt(column - dx - offset, row - dy);
    return from === undefined ? 0 : picture[from] ?? 0;
  });
}

/** The picture, its shifts by one cell in eight directions, and its tilts in two directions. */
export function copies(picture: Picture): Picture[] {
  const steps = [-1, 0, 1];
  const shifts = steps.flatMap((dy) => steps.map((dx) => shifted(picture, dx, dy)));
  return [...shifts, shifted(picture, 0, 0, 1), shifted(picture, 0, 0, -1)];
}

/** Flips `flips` cells, chosen by a seed. */
export function withNoise(picture: Picture, flips: number, seed: number): Picture {
  const order = picture.map((_, cell) => ({ cell, draw: uniform(seed * CELLS + cell) })).sort((a, b) => a.draw - b.draw);
  const flipped = new Set(order.slice(0, flips).map(({ cell }) => cell));
  return picture.map((value, cell) => (flipped.has(cell) ? 1 - value : value));
}

/** 144 bits as 24 characters of base64url. */
export function encode(picture: Picture): string {
  let text = "";
  for (let byte = 0; byte < CELLS; byte += 8) {
    text += String.fromCharCode(picture.slice(byte, byte + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_");
}

/** Returns `undefined` if the text is not a picture. */
export function decode(text: string): Picture | undefined {
  if (!/^[\w-]{24}$/.test(text)) return undefined;
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return [...bytes].flatMap((byte) => [...byte.charCodeAt(0).toString(2).padStart(8, "0")].map(Number));
}
