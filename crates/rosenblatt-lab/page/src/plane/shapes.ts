// Draws lines, half-planes, bands, the normal and the circle of the radius.

import type { Hyperplane } from "../contract.js";
import type { Context2D, Position, View } from "../lab.js";

/** The part of the view where w·x + b ≥ level, and the ends of its line on the border. */
interface HalfPlane {
  polygon: Position[];
  ends: Position[];
}

function halfPlane(hyperplane: Hyperplane, view: View, level = 0): HalfPlane {
  const [w1 = 0, w2 = 0, b = 0] = hyperplane;
  const corners: Position[] = [[view.x[0], view.y[0]], [view.x[1], view.y[0]], [view.x[1], view.y[1]], [view.x[0], view.y[1]]];
  const found: HalfPlane = { polygon: [], ends: [] };
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % 4] as Position;
    const here = w1 * corner[0] + w2 * corner[1] + b - level;
    const there = w1 * next[0] + w2 * next[1] + b - level;
    if (here >= 0) found.polygon.push(corner);
    if (here >= 0 === there >= 0) return;
    const fraction = here / (here - there);
    const end: Position = [corner[0] + fraction * (next[0] - corner[0]), corner[1] + fraction * (next[1] - corner[1])];
    found.polygon.push(end);
    found.ends.push(end);
  });
  return found;
}

export const hasLine = (hyperplane: Hyperplane | undefined): hyperplane is Hyperplane =>
  hyperplane !== undefined && (hyperplane[0] !== 0 || hyperplane[1] !== 0);

function tracePath(context: Context2D, view: View, positions: Position[]): void {
  context.beginPath();
  positions.forEach(([x, y], k) => {
    const [left, top] = view.toScreen(x, y);
    if (k === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  });
}

/** Tints both sides of a line. */
export function drawSides(context: Context2D, view: View, hyperplane: Hyperplane): void {
  tracePath(context, view, halfPlane(hyperplane, view).polygon);
  context.fillStyle = view.color("--plus-tint");
  context.fill();
  tracePath(context, view, halfPlane(hyperplane.map(value => -value), view).polygon);
  context.fillStyle = view.color("--minus-tint");
  context.fill();
}

export interface LineStyle {
  color: string;
  width: number;
  dash: number[];
  label?: string;
  /** The position of the label along the line, from 0 to 1. */
  at?: number;
}

export function drawLine(context: Context2D, view: View, hyperplane: Hyperplane, style: LineStyle): void {
  const { ends } = halfPlane(hyperplane, view);
  if (ends.length !== 2) return;
  tracePath(context, view, ends);
  context.strokeStyle = view.color(style.color);
  context.lineWidth = style.width;
  context.setLineDash(style.dash);
  context.stroke();
  context.setLineDash([]);
}

/** Draws the label of a line. */
export function drawLabel(context: Context2D, view: View, hyperplane: Hyperplane, style: LineStyle): void {
  const [from, to] = halfPlane(hyperplane, view).ends;
  if (!from || !to) return;
  // The label's position counts from the left end, or from the top of a vertical line.
  const [a, b] = from[0] < to[0] || (from[0] === to[0] && from[1] > to[1]) ? [from, to] : [to, from];
  const at = style.at ?? 0.1;
  const [left, top] = view.toScreen(a[0] + at * (b[0] - a[0]), a[1] + at * (b[1] - a[1]));
  drawTag(context, view, style.label ?? "", left, top, style.color);
}

/** Draws a text with a background inside the view. */
export function drawTag(context: Context2D, view: View, text: string, left: number, top: number, color: string): void {
  context.font = `600 ${16 * view.fontScale}px ${view.color("--font")}`;
  const wide = context.measureText(text).width + 12;
  const x = Math.min(view.width - wide / 2 - 4, Math.max(wide / 2 + 4, left));
  const y = Math.min(view.height - 16, Math.max(16, top));
  context.fillStyle = view.color("--background");
  const high = 24 * view.fontScale;
  context.fillRect(x - wide / 2, y - high / 2, wide, high);
  context.fillStyle = view.color(color);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 1);
}

/** Draws the weights as an arrow from the line to its positive side, with a limited length. */
export function drawNormal(context: Context2D, view: View, hyperplane: Hyperplane): void {
  const [w1 = 0, w2 = 0, b = 0] = hyperplane;
  const square = w1 * w1 + w2 * w2;
  const { ends } = halfPlane(hyperplane, view);
  if (square === 0 || ends.length !== 2) return;
  const foot: Position = [(-b * w1) / square, (-b * w2) / square];
  const isVisible = foot[0] > view.x[0] && foot[0] < view.x[1] && foot[1] > view.y[0] && foot[1] < view.y[1];
  const [p, q] = ends as [Position, Position];
  const start = isVisible ? foot : ([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2] as Position);
  const [left, top] = view.toScreen(start[0], start[1]);
  const perUnit = view.width / (view.x[1] - view.x[0]);
  const norm = Math.sqrt(square);
  const length = Math.min(0.35 * Math.min(view.width, view.height), Math.max(34, norm * perUnit));
  drawArrow(context, view, left, top, (w1 / norm) * length, (-w2 / norm) * length);
}

function drawArrow(context: Context2D, view: View, left: number, top: number, dx: number, dy: number): void {
  const [tipX, tipY] = [left + dx, top + dy];
  const angle = Math.atan2(dy, dx);
  context.strokeStyle = context.fillStyle = view.color("--normal");
  context.lineWidth = 3.5;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(tipX - 10 * Math.cos(angle), tipY - 10 * Math.sin(angle));
  context.stroke();
  context.beginPath();
  context.moveTo(tipX, tipY);
  for (const side of [-1, 1]) context.lineTo(tipX - 16 * Math.cos(angle + side * 0.4), tipY - 16 * Math.sin(angle + side * 0.4));
  context.closePath();
  context.fill();
  drawTag(context, view, "w", tipX + 15 * Math.cos(angle), tipY + 15 * Math.sin(angle), "--normal");
}

/** Draws the circle around the origin that contains all examples. */
export function drawRadius(context: Context2D, view: View, radius: number): void {
  const [left, top] = view.toScreen(0, 0);
  const size = (radius * view.width) / (view.x[1] - view.x[0]);
  context.strokeStyle = context.fillStyle = view.color("--radius");
  context.lineWidth = 2.5;
  context.setLineDash([2, 5]);
  context.beginPath();
  context.arc(left, top, size, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  const [dx, dy] = [size * Math.SQRT1_2, -size * Math.SQRT1_2];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left + dx, top + dy);
  context.stroke();
  drawTag(context, view, "R", left + dx * 0.6, top + dy * 0.6, "--radius");
}

/** Fills the band within `margin` of a line. */
export function drawBand(context: Context2D, view: View, hyperplane: Hyperplane, margin: number): void {
  const norm = Math.hypot(hyperplane[0] ?? 0, hyperplane[1] ?? 0);
  const [low, high] = [halfPlane(hyperplane, view, -margin * norm), halfPlane(hyperplane, view, margin * norm)];
  context.save();
  tracePath(context, view, low.polygon);
  context.clip();
  // The even-odd rule leaves out the part beyond the upper edge.
  tracePath(context, view, high.polygon);
  context.rect(0, 0, view.width, view.height);
  context.fillStyle = view.color("--band");
  context.fill("evenodd");
  context.restore();
  for (const { ends } of [low, high]) if (ends.length === 2) drawEdge(context, view, ends);
  if (high.ends.length === 2) drawBandLabel(context, view, high.ends as [Position, Position]);
}

function drawEdge(context: Context2D, view: View, ends: Position[]): void {
  tracePath(context, view, ends);
  context.strokeStyle = view.color("--band-edge");
  context.lineWidth = 1.5;
  context.stroke();
}

function drawBandLabel(context: Context2D, view: View, [p, q]: [Position, Position]): void {
  const [left, top] = view.toScreen(0.3 * p[0] + 0.7 * q[0], 0.3 * p[1] + 0.7 * q[1]);
  drawTag(context, view, "γ", left, top, "--band-edge");
}
