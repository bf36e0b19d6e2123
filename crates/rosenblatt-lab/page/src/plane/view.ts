// The visible part of the plane. Both axes have the same scale, so normals are perpendicular and circles round.

import type { Points } from "../contract.js";
import type { Box, View } from "../lab.js";

const EMPTY = 5;
/** The largest coordinate of the view. */
const FARTHEST = 1e12;
const clamp = (value: number): number => Math.min(FARTHEST, Math.max(-FARTHEST, value));

export class PlaneView implements View {
  width = 600;
  height = 450;
  /** The center of the view, and its smallest distance to an edge, in units of the plane. */
  center: [number, number] = [0, 0];
  span = EMPTY;
  x: [number, number] = [0, 0];
  y: [number, number] = [0, 0];
  fontScale = 1;
  covered: readonly Box[] = [];
  /** The part that no control covers. */
  inset: Box | undefined;
  private colors = new Map<string, string>();

  constructor(private readonly element: HTMLElement) {
    this.update();
  }

  /** Pixels per unit. */
  get scale(): number {
    return Math.min(this.width, this.height) / (2 * this.span);
  }

  resize(width: number, height: number): void {
    this.width = Math.max(50, width);
    this.height = Math.max(50, height);
    this.update();
  }

  showRegion(x: number, y: number, span: number): void {
    // With a smaller span, neighboring pixels would have equal coordinates.
    this.center = [clamp(x), clamp(y)];
    const far = Math.max(Math.abs(this.center[0]), Math.abs(this.center[1]));
    this.span = Math.min(FARTHEST, Math.max(1e-9, 1e-9 * far, span));
    this.update();
  }

  toScreen(x: number, y: number): [number, number] {
    return [this.left(x), this.top(y)];
  }

  left(x: number): number {
    return this.width / 2 + (x - this.center[0]) * this.scale;
  }

  top(y: number): number {
    return this.height / 2 - (y - this.center[1]) * this.scale;
  }

  toPlane(left: number, top: number): [number, number] {
    return [
      this.center[0] + (left - this.width / 2) / this.scale,
      this.center[1] - (top - this.height / 2) / this.scale,
    ];
  }

  /** Rounds a clicked coordinate to a pixel and at most three decimals. */
  round(value: number): number {
    const decimals = Math.min(3, Math.max(0, Math.ceil(Math.log10(this.scale))));
    return Number(value.toFixed(decimals)) || 0;
  }

  contains(row: readonly number[]): boolean {
    const [x = NaN, y = NaN] = row;
    return x >= this.x[0] && x <= this.x[1] && y >= this.y[0] && y <= this.y[1];
  }

  color(name: string): string {
    let color = this.colors.get(name);
    if (color === undefined) {
      color = getComputedStyle(this.element).getPropertyValue(name).trim();
      this.colors.set(name, color);
    }
    return color;
  }

  /** Reads the theme again. */
  readTheme(): void {
    this.fontScale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
    this.colors.clear();
  }

  /** Shows all points, a nearby origin and the circle of a given `radius`; `clear` of the controls or in the whole view. */
  fit(points: Points, radius = 0, clear = false): void {
    const whole = { left: 0, top: 0, right: this.width, bottom: this.height };
    const inset = (clear && this.inset) || whole;
    if (points.rows.length === 0) return this.showRegion(0, 0, EMPTY);
    const [x, y] = [range(points, 0), range(points, 1)];
    const size = Math.max(x[1] - x[0], y[1] - y[0]);
    const far = Math.max(Math.abs(x[0]), Math.abs(x[1]), Math.abs(y[0]), Math.abs(y[1]));
    if (far < 2.5 * size || size === 0 || radius > 0) for (const side of [x, y]) widen(side, 0);
    if (radius > 0) for (const side of [x, y]) { widen(side, -radius); widen(side, radius); }
    const [wide, high] = [inset.right - inset.left, inset.bottom - inset.top];
    const perPixel = (clear && this.inset ? 1.08 : 1.3) * Math.max((x[1] - x[0]) / wide, (y[1] - y[0]) / high) || 2 / Math.min(wide, high);
    const [right, down] = [(inset.left + inset.right - this.width) / 2, (inset.top + inset.bottom - this.height) / 2];
    this.showRegion((x[0] + x[1]) / 2 - right * perPixel, (y[0] + y[1]) / 2 + down * perPixel,
      (perPixel * Math.min(this.width, this.height)) / 2);
  }

  private update(): void {
    const [halfX, halfY] = [this.width / 2 / this.scale, this.height / 2 / this.scale];
    this.x = [this.center[0] - halfX, this.center[0] + halfX];
    this.y = [this.center[1] - halfY, this.center[1] + halfY];
  }
}

function range({ rows }: Points, column: number): [number, number] {
  const found: [number, number] = [Infinity, -Infinity];
  for (const row of rows) widen(found, row[column] ?? 0);
  return found;
}

function widen(side: [number, number], value: number): void {
  side[0] = Math.min(side[0], value);
  side[1] = Math.max(side[1], value);
}
