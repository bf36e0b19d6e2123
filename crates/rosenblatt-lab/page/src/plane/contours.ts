// Draws the decision boundary of scores over a grid.

import type { Context2D, View } from "../lab.js";
import { isPlus, type ScoreGrid } from "./field.js";
import type { LineStyle } from "./shapes.js";

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
