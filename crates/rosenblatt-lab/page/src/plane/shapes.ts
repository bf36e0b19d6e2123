// Draws lines, half-planes, bands, the normal and the circle of the radius.

import type { Hyperplane } from "../contract.js";
import type { Box, Context2D, Position, View } from "../lab.js";
import { placesOfScores } from "./field.js";

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

/** Where a line meets the border of the view: two places, or none. */
export function lineEnds(view: View, hyperplane: Hyperplane): Position[] {
  const { ends } = halfPlane(hyperplane, view);
  return ends.length === 2 ? ends : [];
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

export interface LineStyle {
  color: string;
  width: number;
  dash: number[];
  label?: string;
  opacity?: number;
}

export function drawLine(context: Context2D, view: View, hyperplane: Hyperplane, style: LineStyle): void {
  const { ends } = halfPlane(hyperplane, view);
  if (ends.length !== 2) return;
  tracePath(context, view, ends);
  context.strokeStyle = view.color(style.color);
  context.globalAlpha = style.opacity ?? 1;
  context.lineWidth = style.width;
  context.setLineDash(style.dash);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Where to look for a line that does not cross the view: a place on the border, and an arrow. */
export function outside(view: View, [w1 = 0, w2 = 0, b = 0]: Hyperplane): { place: Position; arrow: string } | undefined {
  if (halfPlane([w1, w2, b], view).ends.length === 2) return undefined;
  const [left, top] = [view.width / 2, view.height / 2];
  const [footLeft, footTop] = placesOfScores(view, [w1, w2, b])(0);
  const [dx, dy] = [footLeft - left, footTop - top];
  // The farthest place within the view, on the way to the line.
  const share = Math.min(left / Math.abs(dx), top / Math.abs(dy));
  const turn = Math.round((4 * Math.atan2(dy, dx)) / Math.PI + 8) % 8;
  return { place: [left + share * dx, top + share * dy], arrow: "→↘↓↙←↖↑↗"[turn] ?? "" };
}

/** Draws a tag at the free place nearest to the border, from a place on it towards the middle. */
export function drawOutside(context: Context2D, view: View, text: string, [left, top]: Position, isFree: (box: Box) => boolean): void {
  const inwards = Array.from({ length: 9 }, (_, k): Position =>
    [left + (k / 10) * (view.width / 2 - left), top + (k / 10) * (view.height / 2 - top)]);
  drawFreeTag(context, view, text, inwards, isFree);
}

/** Draws the label of a line at the first place, from the left, that is free. */
export function drawLabel(
  context: Context2D, view: View, hyperplane: Hyperplane, text: string, isFree: (box: Box) => boolean,
): Box | undefined {
  const [from, to] = halfPlane(hyperplane, view).ends;
  if (!from || !to) return undefined;
  // The places count from the left end, or from the top of a vertical line.
  const [a, b] = from[0] < to[0] || (from[0] === to[0] && from[1] > to[1]) ? [from, to] : [to, from];
  for (let at = 0.04; at < 1; at += 0.04) {
    const [left, top] = view.toScreen(a[0] + at * (b[0] - a[0]), a[1] + at * (b[1] - a[1]));
    const box = tagBox(context, view, text, left, top);
    if (!isFree(box)) continue;
    drawTag(context, view, text, left, top, "--ink");
    return box;
  }
  return undefined;
}

const tagFont = (view: View): string => `600 ${13 * view.fontScale}px ${view.color("--sans")}`;

/** The box of a tag around a place, moved into the view. */
function tagBox(context: Context2D, view: View, text: string, left: number, top: number): Box {
  context.font = tagFont(view);
  const [wide, high] = [context.measureText(text).width + 12, 22 * view.fontScale];
  const x = Math.min(view.width - wide / 2 - 4, Math.max(wide / 2 + 4, left));
  const y = Math.min(view.height - high / 2 - 4, Math.max(high / 2 + 4, top));
  return { left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 };
}

/** Draws a text with a background inside the view. */
export function drawTag(context: Context2D, view: View, text: string, left: number, top: number, color: string): void {
  const box = tagBox(context, view, text, left, top);
  context.fillStyle = view.color("--veil");
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, box.bottom - box.top, 6);
  context.fill();
  context.fillStyle = view.color(color);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, (box.left + box.right) / 2, (box.top + box.bottom) / 2 + 1);
}

/** An update in progress: the weights before it, its step of them, and how much of the step's arrow is shown. */
export interface WeightStep {
  before: Hyperplane;
  step: Position;
  plus: boolean;
  grown: number;
}

/** Draws the weights as an arrow from the line to its positive side, with a limited length; during an update also the
 * weights before it and the step that grows from their tip. */
export function drawNormal(
  context: Context2D, view: View, hyperplane: Hyperplane, isFree: (box: Box) => boolean, update?: WeightStep,
): void {
  const [w1 = 0, w2 = 0, b = 0] = hyperplane;
  const square = w1 * w1 + w2 * w2;
  const { ends } = halfPlane(hyperplane, view);
  if (square === 0 || ends.length !== 2) return;
  const foot: Position = [(-b * w1) / square, (-b * w2) / square];
  const isVisible = foot[0] > view.x[0] && foot[0] < view.x[1] && foot[1] > view.y[0] && foot[1] < view.y[1];
  const [p, q] = ends as [Position, Position];
  const start = isVisible ? foot : ([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2] as Position);
  const [left, top] = view.toScreen(start[0], start[1]);
  const [v1 = 0, v2 = 0] = update?.before ?? [];
  const perUnit = view.width / (view.x[1] - view.x[0]);
  const stretch = view.height / (view.y[1] - view.y[0]) / perUnit;
  const length = (x: number, y: number): number => Math.hypot(x, y * stretch);
  const longest = Math.max(length(w1, w2), length(v1, v2), update ? length(v1 + update.step[0], v2 + update.step[1]) : 0);
  const scale = Math.min(0.3 * Math.min(view.width, view.height), Math.max(34, longest * perUnit)) / longest;
  if (update) {
    const tip: Position = [left + v1 * scale, top - v2 * scale * stretch];
    context.globalAlpha = 0.4;
    drawArrow(context, view, [left, top], tip, "--w", 3);
    context.globalAlpha = 1;
    const [dx, dy] = [update.step[0] * scale * update.grown, -update.step[1] * scale * stretch * update.grown];
    drawArrow(context, view, tip, [tip[0] + dx, tip[1] + dy], update.plus ? "--plus" : "--minus", 3);
  }
  const end: Position = [left + w1 * scale, top - w2 * scale * stretch];
  drawArrow(context, view, [left, top], end, "--w", 3.5);
  // The name stands at the first free place around the tip.
  const angle = Math.atan2(end[1] - top, end[0] - left);
  const places = [0, 1, -1, 2, -2, 3, -3].map((turn): Position => [end[0] + 19 * Math.cos(angle + 0.6 * turn), end[1] + 19 * Math.sin(angle + 0.6 * turn)]);
  drawFreeTag(context, view, "w", places, isFree, "--w");
}

function drawArrow(context: Context2D, view: View, from: Position, to: Position, color: string, width: number): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 3) return;
  const [angle, head] = [Math.atan2(dy, dx), Math.min(14, 0.6 * length)];
  context.strokeStyle = context.fillStyle = view.color(color);
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(to[0] - 0.7 * head * Math.cos(angle), to[1] - 0.7 * head * Math.sin(angle));
  context.stroke();
  context.beginPath();
  context.moveTo(...to);
  for (const side of [-1, 1]) context.lineTo(to[0] - head * Math.cos(angle + side * 0.42), to[1] - head * Math.sin(angle + side * 0.42));
  context.closePath();
  context.fill();
}

/** Draws the circle around the origin that contains all examples. */
export function drawRadius(context: Context2D, view: View, radius: number, isFree: (box: Box) => boolean): void {
  const [left, top] = view.toScreen(0, 0);
  const [size, high] = [(radius * view.width) / (view.x[1] - view.x[0]), (radius * view.height) / (view.y[1] - view.y[0])];
  context.strokeStyle = context.fillStyle = view.color("--ink");
  context.lineWidth = 2.5;
  context.setLineDash([2, 5]);
  context.beginPath();
  context.ellipse(left, top, size, high, 0, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  const [dx, dy] = [size * Math.SQRT1_2, -high * Math.SQRT1_2];
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left + dx, top + dy);
  context.stroke();
  drawFreeTag(context, view, "R", [0.6, 0.7, 0.8, 0.5, 0.9, 0.4].map((share): Position => [left + dx * share, top + dy * share]), isFree);
}

/** Fills the band within `margin` of a line. */
export function drawBand(context: Context2D, view: View, hyperplane: Hyperplane, margin: number, isFree: (box: Box) => boolean): void {
  const norm = Math.hypot(hyperplane[0] ?? 0, hyperplane[1] ?? 0);
  const [low, high] = [halfPlane(hyperplane, view, -margin * norm), halfPlane(hyperplane, view, margin * norm)];
  context.save();
  tracePath(context, view, low.polygon);
  context.clip();
  // The even-odd rule leaves out the part beyond the upper edge.
  tracePath(context, view, high.polygon);
  context.rect(0, 0, view.width, view.height);
  context.fillStyle = view.color("--ink");
  context.globalAlpha = 0.1;
  context.fill("evenodd");
  context.restore();
  for (const { ends } of [low, high]) if (ends.length === 2) drawEdge(context, view, ends);
  if (high.ends.length === 2) drawBandLabel(context, view, high.ends as [Position, Position], isFree);
}

function drawEdge(context: Context2D, view: View, ends: Position[]): void {
  tracePath(context, view, ends);
  context.strokeStyle = view.color("--ink");
  context.lineWidth = 1.5;
  context.stroke();
}

function drawBandLabel(context: Context2D, view: View, [p, q]: [Position, Position], isFree: (box: Box) => boolean): void {
  const places = [0.7, 0.6, 0.8, 0.5, 0.4, 0.3, 0.2].map(share => view.toScreen(p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])));
  drawFreeTag(context, view, "γ", places, isFree);
}

/** Draws a tag at the first free place, if there is one. */
function drawFreeTag(
  context: Context2D, view: View, text: string, places: Position[], isFree: (box: Box) => boolean, color = "--ink",
): void {
  const place = places.find(at => isFree(tagBox(context, view, text, ...at)));
  if (place) drawTag(context, view, text, ...place, color);
}
