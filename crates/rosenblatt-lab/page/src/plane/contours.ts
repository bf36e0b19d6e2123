// Draws scores over the plane as bands, and the decision boundary.

import type { Grid, ZeroScore } from "../contract.js";
import type { Context2D, View } from "../lab.js";
import type { LineStyle } from "./shapes.js";

const CELL = 1.5; // pixels per cell of the image
const LEVELS = [0, 0.25, 0.6, 1.2];

/** Scores over a grid, and the class of a score of 0. */
export interface ScoreGrid {
  grid: Grid;
  scores: Float32Array;
  zero: ZeroScore;
}

const isPlus = (score: number, zero: ZeroScore): boolean => (zero === "positive" ? score >= 0 : score > 0);

/** Bands of scores, cached as an image. */
export class ScoreBands {
  private readonly canvas = document.createElement("canvas");
  private scores: Float32Array | undefined;
  private key = "";

  draw(context: Context2D, view: View, scoreGrid: ScoreGrid): void {
    const { grid, scores, zero } = scoreGrid;
    const key = `${view.width} ${view.height} ${view.color("--plus-rgb")} ${zero}`;
    if (scores !== this.scores || key !== this.key) this.paint(view, scoreGrid);
    this.scores = scores;
    this.key = key;
    const [left, bottom] = view.toScreen(grid.x[0], grid.y[0]);
    const [right, top] = view.toScreen(grid.x[1], grid.y[1]);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.canvas, left, top, right - left, bottom - top);
  }

  private paint(view: View, { grid, scores, zero }: ScoreGrid): void {
    const [wide, high] = [Math.ceil(view.width / CELL), Math.ceil(view.height / CELL)];
    this.canvas.width = wide;
    this.canvas.height = high;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const image = context.createImageData(wide, high);
    const colors = [rgb(view.color("--minus-rgb")), rgb(view.color("--plus-rgb"))] as const;
    const unit = meanSize(scores);
    for (let j = 0; j < high; j++) {
      for (let i = 0; i < wide; i++) {
        const score = interpolate(grid, scores, (i + 0.5) / wide, 1 - (j + 0.5) / high);
        const [red, green, blue] = colors[isPlus(score, zero) ? 1 : 0];
        const at = 4 * (j * wide + i);
        image.data[at] = red;
        image.data[at + 1] = green;
        image.data[at + 2] = blue;
        image.data[at + 3] = 24 + 24 * bandLevel(Math.abs(score) / unit);
      }
    }
    context.putImageData(image, 0, 0);
  }
}

function bandLevel(size: number): number {
  let k = 0;
  while (k + 1 < LEVELS.length && size >= (LEVELS[k + 1] ?? Infinity)) k++;
  return k;
}

/** The mean absolute score, which scales the bands. */
function meanSize(scores: Float32Array): number {
  let sum = 0;
  for (const score of scores) sum += Math.abs(score);
  return sum / scores.length || 1;
}

function interpolate(grid: Grid, scores: Float32Array, across: number, up: number): number {
  const [x, y] = [across * (grid.columns - 1), up * (grid.rows - 1)];
  const [i, j] = [Math.min(grid.columns - 2, Math.floor(x)), Math.min(grid.rows - 2, Math.floor(y))];
  const [s, t] = [x - i, y - j];
  const at = j * grid.columns + i;
  const low = (scores[at] ?? 0) * (1 - s) + (scores[at + 1] ?? 0) * s;
  const high = (scores[at + grid.columns] ?? 0) * (1 - s) + (scores[at + grid.columns + 1] ?? 0) * s;
  return low * (1 - t) + high * t;
}

const rgb = (text: string): [number, number, number] => text.split(/[ ,]+/).map(Number) as [number, number, number];

/** Draws the boundary cell by cell: it passes between neighbors of different classes. */
export function drawBoundary(
  context: Context2D, view: View, scoreGrid: ScoreGrid, style: LineStyle,
): void {
  const { grid } = scoreGrid;
  const [left, bottom] = view.toScreen(grid.x[0], grid.y[0]);
  const [right, top] = view.toScreen(grid.x[1], grid.y[1]);
  const [wide, high] = [(right - left) / (grid.columns - 1), (bottom - top) / (grid.rows - 1)];
  context.strokeStyle = view.color(style.color);
  context.lineWidth = style.width;
  context.lineCap = "round";
  context.beginPath();
  for (let j = 0; j + 1 < grid.rows; j++) {
    // Dashes would restart in each short piece, so some cells are left out instead.
    for (let i = 0; i + 1 < grid.columns; i++) {
      if (style.dash.length > 0 && (i + j) % 4 === 3) continue;
      cell(context, scoreGrid, i, j, left + i * wide, bottom - j * high, wide, high);
    }
  }
  context.stroke();
  context.lineCap = "butt";
}

function cell(
  context: Context2D, { grid, scores, zero }: ScoreGrid, i: number, j: number,
  left: number, bottom: number, wide: number, high: number,
): void {
  const at = j * grid.columns + i;
  const a = scores[at] ?? 0;
  const b = scores[at + 1] ?? 0;
  const c = scores[at + grid.columns + 1] ?? 0;
  const d = scores[at + grid.columns] ?? 0;
  let drawn = 0;
  const crossing = (here: number, there: number, x: number, y: number, dx: number, dy: number): void => {
    if (isPlus(here, zero) === isPlus(there, zero)) return;
    const fraction = here / (here - there);
    const [px, py] = [x + fraction * dx, y + fraction * dy];
    if (drawn++ % 2 === 0) context.moveTo(px, py);
    else context.lineTo(px, py);
  };
  crossing(a, b, left, bottom, wide, 0);
  crossing(b, c, left + wide, bottom, 0, -high);
  crossing(c, d, left + wide, bottom - high, -wide, 0);
  crossing(d, a, left, bottom - high, 0, high);
}
