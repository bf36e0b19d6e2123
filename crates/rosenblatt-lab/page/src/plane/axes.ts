// The grid of the plane, its numbers and the names of the axes.

import { short } from "../numbers.js";
import type { Box, Context2D, View } from "../lab.js";
import type { FreeSpace } from "./free-space.js";

const MAX_TICKS = 100;

/** The distances between the ticks of both axes. */
export const tickSteps = (view: View, apart: number): [number, number] =>
  [tickStep((view.x[1] - view.x[0]) / view.width, apart), tickStep((view.y[1] - view.y[0]) / view.height, apart)];

/** The distance between ticks: 1, 2 or 5 times a power of ten, at least `apart` pixels. */
function tickStep(perPixel: number, apart: number): number {
  const unit = perPixel * apart;
  const power = 10 ** Math.floor(Math.log10(unit));
  const lead = unit / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/** Draws the grid and the names of the axes; texts stay clear of points and controls. */
export function drawAxes(context: Context2D, view: View, space: FreeSpace, markSize: number, [nameX, nameY]: readonly [string, string]): void {
  const [across, up] = tickSteps(view, 64 * view.fontScale);
  const [x, y] = [ticks(view.x, across), ticks(view.y, up)];
  context.lineWidth = 1;
  for (const value of x) line(context, view, value === 0, [value, view.y[0]], [value, view.y[1]]);
  for (const value of y) line(context, view, value === 0, [view.x[0], value], [view.x[1], value]);
  const [left, top] = view.toScreen(0, 0);
  const text = writer(context, view, space);
  const italic = `italic ${18 * view.fontScale}px ${view.color("--serif")}`;
  context.font = italic;
  const half = (name: string): number => context.measureText(name).width / 2;
  text(nameX, italic, names(view.width - 6 - half(nameX), -24, clamp(top, 24, view.height) - 14, true));
  text(nameY, italic, names(16, 24, clamp(left, 0, view.width - 2 * half(nameY) - 16) + 6 + half(nameY), false));
  const font = `${13 * view.fontScale}px ${view.color("--sans")}`;
  const [base, side] = [clamp(top, 0, view.height - 24), clamp(left, 34, view.width)];
  for (const value of x) if (value !== 0) {
    const at = view.toScreen(value, 0)[0];
    text(number(value, across), font, [[at, base + 13], [at, base + 13 + markSize], [at, base - 13 - markSize]]);
  }
  for (const value of y) if (value !== 0) {
    const at = view.toScreen(0, value)[1];
    const wide = 4 * number(value, up).length;
    text(number(value, up), font, [[side - 10 - wide, at], [side - 10 - wide - markSize, at], [side + 10 + wide + markSize, at]]);
  }
}

/** Places for the name of an axis: from the end of the axis inwards. */
function names(start: number, apart: number, other: number, across: boolean): [number, number][] {
  return Array.from({ length: 16 }, (_, k): [number, number] => (across ? [start + k * apart, other] : [other, start + k * apart]));
}

/** Writes a text centered on the first free place. */
function writer(context: Context2D, view: View, space: FreeSpace) {
  return (text: string, font: string, places: [number, number][]): void => {
    context.font = font;
    const [wide, high] = [context.measureText(text).width / 2, 8 * view.fontScale];
    const box = ([x, y]: [number, number]): Box => ({ left: x - wide, top: y - high, right: x + wide, bottom: y + high });
    const inside = ({ left, top, right, bottom }: Box): boolean => left >= 2 && top >= 2 && right <= view.width - 2 && bottom <= view.height - 2;
    const place = places.find(at => inside(box(at)) && space.isFree(box(at)));
    if (!place) return;
    space.take(box(place));
    context.fillStyle = view.color("--ink");
    context.globalAlpha = 0.78;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, place[0], place[1] + 1);
    context.globalAlpha = 1;
  };
}

function ticks([from, to]: [number, number], step: number): number[] {
  const found: number[] = [];
  const first = Math.ceil(from / step);
  const count = Math.min(MAX_TICKS, Math.floor(to / step) - first + 1);
  for (let k = 0; k < count; k++) found.push((first + k) * step || 0);
  return found;
}

function line(context: Context2D, view: View, axis: boolean, from: [number, number], to: [number, number]): void {
  context.strokeStyle = view.color(axis ? "--line" : "--grid");
  context.globalAlpha = axis ? 0.6 : 1;
  context.beginPath();
  for (const [k, at] of [from, to].entries()) {
    const [left, top] = view.toScreen(...at).map(value => Math.round(value) + 0.5) as [number, number];
    if (k === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function number(value: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return short(Number(value.toFixed(Math.min(12, decimals))), 6);
}

export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
