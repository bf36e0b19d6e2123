// Draws lines, half-planes, bands, the normal and the circle of the radius.

import type { Plane } from "../contract.js";
import type { View } from "../lab.js";

type Place = [number, number];

/** The part of the view where w·x + b ≥ level, and the ends of its line on the border. */
interface Cut {
  polygon: Place[];
  ends: Place[];
}

function cut(plane: Plane, view: View, level = 0): Cut {
  const [w1 = 0, w2 = 0, b = 0] = plane;
  const corners: Place[] = [[view.x[0], view.y[0]], [view.x[1], view.y[0]], [view.x[1], view.y[1]], [view.x[0], view.y[1]]];
  const found: Cut = { polygon: [], ends: [] };
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % 4] as Place;
    const here = w1 * corner[0] + w2 * corner[1] + b - level;
    const there = w1 * next[0] + w2 * next[1] + b - level;
    if (here >= 0) found.polygon.push(corner);
    if (here >= 0 === there >= 0) return;
    const part = here / (here - there);
    const end: Place = [corner[0] + part * (next[0] - corner[0]), corner[1] + part * (next[1] - corner[1])];
    found.polygon.push(end);
    found.ends.push(end);
  });
  return found;
}

export const hasLine = (plane: Plane | undefined): plane is Plane => plane !== undefined && (plane[0] !== 0 || plane[1] !== 0);

function path(context: CanvasRenderingContext2D, view: View, places: Place[]): void {
  context.beginPath();
  places.forEach(([x, y], k) => {
    const [left, top] = view.toScreen(x, y);
    if (k === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  });
}

/** Tints both sides of a line. */
export function drawSides(context: CanvasRenderingContext2D, view: View, plane: Plane): void {
  path(context, view, cut(plane, view).polygon);
  context.fillStyle = view.colour("--plus-tint");
  context.fill();
  path(context, view, cut(plane.map(value => -value), view).polygon);
  context.fillStyle = view.colour("--minus-tint");
  context.fill();
}

export interface LineLook {
  colour: string;
  width: number;
  dash: number[];
  label?: string;
  /** The position of the label along the line, from 0 to 1. */
  at?: number;
}

export function drawLine(context: CanvasRenderingContext2D, view: View, plane: Plane, look: LineLook): void {
  const { ends } = cut(plane, view);
  if (ends.length !== 2) return;
  path(context, view, ends);
  context.strokeStyle = view.colour(look.colour);
  context.lineWidth = look.width;
  context.setLineDash(look.dash);
  context.stroke();
  context.setLineDash([]);
}

/** Draws the label of a line. */
export function drawLabel(context: CanvasRenderingContext2D, view: View, plane: Plane, look: LineLook): void {
  const [from, to] = cut(plane, view).ends;
  if (!from || !to) return;
  // The label's position counts from the left end, or from the top of a vertical line.
  const [a, b] = from[0] < to[0] || (from[0] === to[0] && from[1] > to[1]) ? [from, to] : [to, from];
  const at = look.at ?? 0.1;
  const [left, top] = view.toScreen(a[0] + at * (b[0] - a[0]), a[1] + at * (b[1] - a[1]));
  tag(context, view, look.label ?? "", left, top, look.colour);
}

/** Draws a text with a background inside the view. */
export function tag(context: CanvasRenderingContext2D, view: View, text: string, left: number, top: number, colour: string): void {
  context.font = `600 ${16 * view.letters}px ${view.colour("--font")}`;
  const wide = context.measureText(text).width + 12;
  const x = Math.min(view.width - wide / 2 - 4, Math.max(wide / 2 + 4, left));
  const y = Math.min(view.height - 16, Math.max(16, top));
  context.fillStyle = view.colour("--paper");
  const high = 24 * view.letters;
  context.fillRect(x - wide / 2, y - high / 2, wide, high);
  context.fillStyle = view.colour(colour);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 1);
}

/** Draws the weights as an arrow from the line to its positive side, with a limited length. */
export function drawNormal(context: CanvasRenderingContext2D, view: View, plane: Plane): void {
  const [w1 = 0, w2 = 0, b = 0] = plane;
  const square = w1 * w1 + w2 * w2;
  const { ends } = cut(plane, view);
  if (square === 0 || ends.length !== 2) return;
  const foot: Place = [(-b * w1) / square, (-b * w2) / square];
  const seen = foot[0] > view.x[0] && foot[0] < view.x[1] && foot[1] > view.y[0] && foot[1] < view.y[1];
  const [p, q] = ends as [Place, Place];
  const start = seen ? foot : ([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2] as Place);
  const [left, top] = view.toScreen(start[0], start[1]);
  const perUnit = view.width / (view.x[1] - view.x[0]);
  const norm = Math.sqrt(square);
  const length = Math.min(0.35 * Math.min(view.width, view.height), Math.max(34, norm * perUnit));
  arrow(context, view, left, top, (w1 / norm) * length, (-w2 / norm) * length);
}

function arrow(context: CanvasRenderingContext2D, view: View, left: number, top: number, dx: number, dy: number): void {
  const [tipX, tipY] = [left + dx, top + dy];
  const angle = Math.atan2(dy, dx);
  context.strokeStyle = context.fillStyle = view.colour("--normal");
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
  tag(context, view, "w", tipX + 15 * Math.cos(angle), tipY + 15 * Math.sin(angle), "--normal");
}

/** Draws the circle around the origin that contains all examples. */
export function drawRadius(context: CanvasRenderingContext2D, view: View, radius: number): void {
  const [left, top] = view.toScreen(0, 0);
  const size = (radius * view.width) / (view.x[1] - view.x[0]);
  context.strokeStyle = context.fillStyle = view.colour("--radius");
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
  tag(context, view, "R", left + dx * 0.6, top + dy * 0.6, "--radius");
}

/** Fills the band within `margin` of a line. */
export function drawBand(context: CanvasRenderingContext2D, view: View, plane: Plane, margin: number): void {
  const norm = Math.hypot(plane[0] ?? 0, plane[1] ?? 0);
  const [low, high] = [cut(plane, view, -margin * norm), cut(plane, view, margin * norm)];
  context.save();
  path(context, view, low.polygon);
  context.clip();
  // The even-odd rule leaves out the part beyond the upper edge.
  path(context, view, high.polygon);
  context.rect(0, 0, view.width, view.height);
  context.fillStyle = view.colour("--band");
  context.fill("evenodd");
  context.restore();
  for (const { ends } of [low, high]) if (ends.length === 2) edge(context, view, ends);
  if (high.ends.length === 2) bandLabel(context, view, high.ends as [Place, Place]);
}

function edge(context: CanvasRenderingContext2D, view: View, ends: Place[]): void {
  path(context, view, ends);
  context.strokeStyle = view.colour("--band-edge");
  context.lineWidth = 1.5;
  context.stroke();
}

function bandLabel(context: CanvasRenderingContext2D, view: View, [p, q]: [Place, Place]): void {
  const [left, top] = view.toScreen(0.3 * p[0] + 0.7 * q[0], 0.3 * p[1] + 0.7 * q[1]);
  tag(context, view, "γ", left, top, "--band-edge");
}
