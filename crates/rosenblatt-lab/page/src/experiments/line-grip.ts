// Moves a line by the pointer: its middle and any place on it shift it, the handles at its sides turn it.

import type { Hyperplane } from "../contract.js";
import type { Context2D, Grip, Lab, Position, View } from "../lab.js";
import { lineEnds } from "../plane/shapes.js";

const SIDE = 130; // pixels from the middle to a handle that turns
const SIZE = 9; // pixels, the radius of a handle
const DIGITS = { weight: 4, bias: 5 };

/** The places of the handles on the screen. */
interface Handles {
  middle: Position;
  sides: Position[];
}

interface Drag {
  /** The place in the plane where the drag began. */
  from: Position;
  line: Hyperplane;
  /** The place around which the line turns; `undefined` to shift it. */
  pivot: Position | undefined;
  /** 1 if the weights are to the left of the way from the pivot to the pointer, otherwise −1. */
  side: number;
}

export class LineGrip implements Grip {
  private dragged: Drag | undefined;

  constructor(
    private readonly lab: Lab, readonly line: () => Hyperplane, private readonly put: (line: Hyperplane) => void,
    private readonly ended: () => void,
  ) {}

  /** The handles of a line that crosses the view. */
  handles(view: View): Handles | undefined {
    const [from, to] = lineEnds(view, this.line()).map(end => view.toScreen(...end));
    if (!from || !to) return undefined;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const middle: Position = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const share = length > 0 ? Math.min(SIDE, 0.3 * length) / length : 0;
    const side = (sign: number): Position => [middle[0] + sign * share * (to[0] - from[0]), middle[1] + sign * share * (to[1] - from[1])];
    return { middle, sides: [side(1), side(-1)] };
  }

  at(left: number, top: number, reach: number): "first" | "near" | undefined {
    const handles = this.handles(this.lab.view);
    if (!handles) return undefined;
    if ([handles.middle, ...handles.sides].some(handle => distance(handle, [left, top]) <= SIZE + reach)) return "first";
    return this.awayFromLine([left, top]) <= reach ? "near" : undefined;
  }

  start(left: number, top: number): void {
    const { view } = this.lab;
    const [line, handles] = [this.line(), this.handles(view)];
    const from = view.toPlane(left, top);
    const sides = handles?.sides ?? [];
    const grabbed = sides.findIndex(handle => distance(handle, [left, top]) <= 2 * SIZE);
    const other = sides[1 - grabbed];
    const pivot: Position | undefined = this.lab.options.bias === "none" ? [0, 0] : grabbed >= 0 && other ? view.toPlane(...other) : undefined;
    const [dx, dy] = pivot ? [from[0] - pivot[0], from[1] - pivot[1]] : [0, 0];
    this.dragged = { from, line, pivot, side: -dy * (line[0] ?? 0) + dx * (line[1] ?? 0) < 0 ? -1 : 1 };
  }

  drag(left: number, top: number): void {
    if (!this.dragged) return;
    const { from, line: [w1 = 0, w2 = 0, b = 0], pivot, side } = this.dragged;
    const [x, y] = this.lab.view.toPlane(left, top);
    if (!pivot) return this.put([w1, w2, rounded(b - w1 * (x - from[0]) - w2 * (y - from[1]), DIGITS.bias)]);
    const [dx, dy] = [x - pivot[0], y - pivot[1]];
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const weights: Position = [rounded((-side * dy) / length, DIGITS.weight), rounded((side * dx) / length, DIGITS.weight)];
    const bias = this.lab.options.bias === "none" ? 0 : rounded(-weights[0] * pivot[0] - weights[1] * pivot[1], DIGITS.bias);
    this.put([...weights, bias]);
  }

  end(): void {
    this.dragged = undefined;
    this.ended();
  }

  /** The distance of a place on the screen from the line. */
  private awayFromLine([left, top]: Position): number {
    const [from, to] = lineEnds(this.lab.view, this.line()).map(end => this.lab.view.toScreen(...end));
    if (!from || !to) return Infinity;
    const length = distance(from, to);
    return length === 0 ? Infinity : Math.abs((to[0] - from[0]) * (from[1] - top) - (from[0] - left) * (to[1] - from[1])) / length;
  }
}

/** Draws the handles as rings; the middle one, which shifts the line, has a dot. */
export function drawHandles(context: Context2D, view: View, handles: Handles | undefined): void {
  if (!handles) return;
  context.strokeStyle = view.color("--ink");
  context.fillStyle = view.color("--paper");
  context.lineWidth = 2.5;
  for (const [left, top] of [handles.middle, ...handles.sides]) {
    context.beginPath();
    context.arc(left, top, SIZE, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
  context.fillStyle = view.color("--ink");
  context.beginPath();
  context.arc(...handles.middle, 3, 0, 2 * Math.PI);
  context.fill();
}

const distance = ([a, b]: Position, [c, d]: Position): number => Math.hypot(a - c, b - d);

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits)) || 0;
