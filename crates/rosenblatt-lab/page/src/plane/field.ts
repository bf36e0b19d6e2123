// The color field: paper at a score of 0, and on each side the color of its class, stronger for larger scores.

import type { Hyperplane, Grid, Points, ZeroScore } from "../contract.js";
import type { Context2D, View } from "../lab.js";

const CELL = 4; // pixels per cell of the image, which is scaled smoothly
const FULL = 1.6; // the score of the full color, in typical scores
const STOPS = 12; // stops of the gradient on each side
const SAMPLE = 200; // points that give the typical score
const ZERO = 0.15; // the share of the color of a class where the score is exactly 0

/** Scores over a grid, and the class of a score of 0. */
export interface ScoreGrid {
  grid: Grid;
  scores: Float32Array;
  zero: ZeroScore;
}

/** The share of the full color for a score relative to that of the full color. */
const strength = (size: number): number => Math.min(1, size) ** 0.75;

function sample({ rows }: Points): number[][] {
  const stride = Math.ceil(rows.length / SAMPLE) | 1;
  return rows.filter((_, k) => k % stride === 0);
}

/** The median size of the line's scores of the points. */
export function typicalScore(points: Points, [w1 = 0, w2 = 0, b = 0]: Hyperplane): number {
  return median(sample(points).map(([x = 0, y = 0]) => Math.abs(w1 * x + w2 * y + b))) || Math.hypot(w1, w2, b) || 1;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

interface FieldColors {
  base: number[];
  minus: number[];
  plus: number[];
  most: number;
}

function fieldColors(view: View): FieldColors {
  const color = (name: string): number[] => view.color(name).split(",").map(Number);
  return { base: color("--f-base"), minus: color("--f-minus"), plus: color("--f-plus"), most: Number(view.color("--f-max")) };
}

function mixed({ base, minus, plus, most }: FieldColors, isPlus: boolean, share: number): number[] {
  const to = isPlus ? plus : minus;
  return base.map((from, k) => Math.round(from + ((to[k] ?? 0) - from) * most * share));
}

/** Draws the field of a line as one gradient along its normal. */
export function drawLineField(context: Context2D, view: View, hyperplane: Hyperplane, typical: number): void {
  const [w1 = 0, w2 = 0, b = 0] = hyperplane;
  const colors = fieldColors(view);
  const norm = Math.hypot(w1, w2);
  const rgb = (isPlus: boolean, share: number): string => `rgb(${mixed(colors, isPlus, share).join(" ")})`;
  if (norm === 0) {
    if (b === 0) return;
    context.fillStyle = rgb(b > 0, strength(1 / FULL));
  } else {
    const place = placesOfScores(view, hyperplane);
    const ends = [...place(-FULL * typical), ...place(FULL * typical)] as const;
    // Past the range of numbers there is no gradient.
    if (!ends.every(Number.isFinite)) return;
    const gradient = context.createLinearGradient(...ends);
    for (let k = -STOPS; k <= STOPS; k++) {
      gradient.addColorStop((k + STOPS) / (2 * STOPS), rgb(k > 0, strength(Math.abs(k) / STOPS)));
    }
    context.fillStyle = gradient;
  }
  context.fillRect(0, 0, view.width, view.height);
}

/** Where the line through the middle of the view, perpendicular to the boundary on the screen, has a score. */
export function placesOfScores(view: View, [w1 = 0, w2 = 0, b = 0]: Hyperplane): (score: number) => [number, number] {
  const [left, top] = [view.width / 2, view.height / 2];
  const [x, y] = view.toPlane(left, top);
  // The change of the score for each pixel.
  const [across, down] = [(w1 * (view.x[1] - view.x[0])) / view.width, (-w2 * (view.y[1] - view.y[0])) / view.height];
  const square = across * across + down * down;
  const middle = w1 * x + w2 * y + b;
  return score => [left + (across * (score - middle)) / square, top + (down * (score - middle)) / square];
}

/** The field of scores over a grid, cached as an image. */
export class ScoreField {
  private readonly canvas = document.createElement("canvas");
  private scores: Float32Array | undefined;
  private key = "";

  draw(context: Context2D, view: View, scoreGrid: ScoreGrid, points: Points): void {
    const { grid, scores, zero } = scoreGrid;
    const key = `${view.width} ${view.height} ${view.color("--f-plus")} ${zero}`;
    if (scores !== this.scores || key !== this.key) this.paint(view, scoreGrid, points);
    this.scores = scores;
    this.key = key;
    const [left, bottom] = view.toScreen(grid.x[0], grid.y[0]);
    const [right, top] = view.toScreen(grid.x[1], grid.y[1]);
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, left, top, right - left, bottom - top);
  }

  private paint(view: View, { grid, scores, zero }: ScoreGrid, points: Points): void {
    const [wide, high] = [Math.ceil(view.width / CELL), Math.ceil(view.height / CELL)];
    this.canvas.width = wide;
    this.canvas.height = high;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const image = context.createImageData(wide, high);
    const colors = fieldColors(view);
    const share = ([low, high]: [number, number], value: number): number => Math.min(1, Math.max(0, (value - low) / (high - low)));
    const near = sample(points).map(([x = 0, y = 0]) => Math.abs(interpolate(grid, scores, share(grid.x, x), share(grid.y, y))));
    const typical = median(near) || 1;
    // A side whose scores are all smaller has the full color at its largest score.
    const full = [-1, 1].map(sign => Math.min(FULL * typical, scores.reduce((most, score) => Math.max(most, sign * score), 0)) || 1);
    for (let j = 0; j < high; j++) {
      for (let i = 0; i < wide; i++) {
        const score = interpolate(grid, scores, (i + 0.5) / wide, 1 - (j + 0.5) / high);
        const strong = score === 0 ? ZERO : strength(Math.abs(score) / (full[score > 0 ? 1 : 0] ?? 1));
        const [red = 0, green = 0, blue = 0] = mixed(colors, isPlus(score, zero), strong);
        image.data.set([red, green, blue, 255], 4 * (j * wide + i));
      }
    }
    context.putImageData(image, 0, 0);
  }
}

export const isPlus = (score: number, zero: ZeroScore): boolean => (zero === "positive" ? score >= 0 : score > 0);

function interpolate(grid: Grid, scores: Float32Array, across: number, up: number): number {
  const [x, y] = [across * (grid.columns - 1), up * (grid.rows - 1)];
  const [i, j] = [Math.min(grid.columns - 2, Math.floor(x)), Math.min(grid.rows - 2, Math.floor(y))];
  const [s, t] = [x - i, y - j];
  const at = j * grid.columns + i;
  const low = (scores[at] ?? 0) * (1 - s) + (scores[at + 1] ?? 0) * s;
  const high = (scores[at + grid.columns] ?? 0) * (1 - s) + (scores[at + grid.columns + 1] ?? 0) * s;
  return low * (1 - t) + high * t;
}
