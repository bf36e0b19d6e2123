// The background of the plane: grid, axes and ticks.

import { short } from "../numbers.js";
import type { Context2D, View } from "../lab.js";

/** The distance between ticks: 1, 2 or 5 times a power of ten, at least `apart` pixels. */
export function tickStep(view: View, apart = 64): number {
  const unit = ((view.x[1] - view.x[0]) / view.width) * apart;
  const power = 10 ** Math.floor(Math.log10(unit));
  const lead = unit / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

export function drawAxes(context: Context2D, view: View): void {
  const step = tickStep(view, 64 * view.fontScale);
  context.fillStyle = view.color("--background");
  context.fillRect(0, 0, view.width, view.height);
  context.lineWidth = 1;
  context.font = `${15 * view.fontScale}px ${view.color("--font")}`;
  verticals(context, view, step);
  horizontals(context, view, step);
  names(context, view);
}

function verticals(context: Context2D, view: View, step: number): void {
  const base = clamp(view.toScreen(0, 0)[1], 0, view.height - 24 * view.fontScale);
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const x of ticks(view.x, step)) {
    const left = Math.round(view.toScreen(x, 0)[0]) + 0.5;
    stroke(context, view, x === 0, left, 0, left, view.height);
    if (x !== 0 && left > 14 && left < view.width - 30) label(context, view, x, step, left, base + 5);
  }
}

const MAX_TICKS = 100;

function horizontals(context: Context2D, view: View, step: number): void {
  const base = clamp(view.toScreen(0, 0)[0], 40, view.width);
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const y of ticks(view.y, step)) {
    const top = Math.round(view.toScreen(0, y)[1]) + 0.5;
    stroke(context, view, y === 0, 0, top, view.width, top);
    if (y !== 0 && top > 24 && top < view.height - 14) label(context, view, y, step, base - 6, top);
  }
}

function ticks([from, to]: [number, number], step: number): number[] {
  const found: number[] = [];
  const first = Math.ceil(from / step);
  const count = Math.min(MAX_TICKS, Math.floor(to / step) - first + 1);
  for (let k = 0; k < count; k++) found.push((first + k) * step || 0);
  return found;
}

function stroke(
  context: Context2D, view: View, axis: boolean, x0: number, y0: number, x1: number, y1: number,
): void {
  context.strokeStyle = view.color(axis ? "--axis" : "--grid");
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

function label(context: Context2D, view: View, value: number, step: number, x: number, y: number): void {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  context.fillStyle = view.color("--muted");
  context.fillText(short(Number(value.toFixed(Math.min(12, decimals))), 6), x, y);
}

function names(context: Context2D, view: View): void {
  const [left, top] = view.toScreen(0, 0);
  context.fillStyle = view.color("--text");
  context.font = `italic ${18 * view.fontScale}px ${view.color("--serif")}`;
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.fillText("x₁", view.width - 6, clamp(top, 26, view.height) - 4);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillText("x₂", clamp(left, 0, view.width - 34 * view.fontScale) + 7, 4);
}

export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
