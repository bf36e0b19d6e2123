// The visible part of the plane. Usually both axes have the same scale, so normals are perpendicular and circles round.

import type { Points } from "../contract.js";
import type { Box, View } from "../lab.js";

const EMPTY = 5;
/** The largest coordinate of the view. */
const FARTHEST = 1e12;
const clamp = (value: number): number => Math.min(FARTHEST, Math.max(-FARTHEST, value));

export class PlaneView implements View {
  width = 600;
  height = 450;
  /** The center of the view, and its smallest distance to an edge, in units of the first axis. */
  center: [number, number] = [0, 0];
  span = EMPTY;
  /** The pixels of a unit of the second axis for each of the first. */
  stretch = 1;
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

  /** Pixels per unit of each axis. */
  get scale(): number {
    return Math.min(this.width, this.height) / (2 * this.span);
  }

  get scaleY(): number {
    return this.scale * this.stretch;
  }

  resize(width: number, height: number): void {
    this.width = Math.max(50, width);
    this.height = Math.max(50, height);
    this.update();
  }

  showRegion(x: number, y: number, span: number, stretch = 1): void {
    // With a smaller span, neighboring pixels would have equal coordinates.
    this.center = [clamp(x), clamp(y)];
    const far = Math.max(Math.abs(this.center[0]), Math.abs(this.center[1]));
    this.stretch = Math.min(FARTHEST, Math.max(1 / FARTHEST, stretch));
    this.span = Math.min(FARTHEST, Math.max(1e-9, stretch === 1 ? 1e-9 * far : 1e-9 * Math.abs(x), span));
    this.update();
  }

  toScreen(x: number, y: number): [number, number] {
    return [this.left(x), this.top(y)];
  }

  left(x: number): number {
    return this.width / 2 + (x - this.center[0]) * this.scale;
  }

  top(y: number): number {
    return this.height / 2 - (y - this.center[1]) * this.scaleY;
  }

  toPlane(left: number, top: number): [number, number] {
    return [
      this.center[0] + (left - this.width / 2) / this.scale,
      this.center[1] - (top - this.height / 2) / this.scaleY,
    ];
  }

  /** Rounds a clicked coordinate to a pixel and at most three decimals. */
  round(value: number, scale = this.scale): number {
    const decimals = Math.min(3, Math.max(0, Math.ceil(Math.log10(scale))));
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

  /**
   * Shows all points, a nearby origin and the circle of a given `radius`; `clear` of the controls or in the whole view,
   * and with `free` axes each with a scale of its own.
   */
  fit(points: Points, radius = 0, { clear = false, free = false } = {}): void {
    const whole = { left: 0, top: 0, right: this.width, bottom: this.height };
    const inset = (clear && this.inset) || whole;
    if (points.rows.length === 0) return this.showRegion(0, 0, EMPTY);
    const [x, y] = [range(points, 0), range(points, 1)];
    for (const sides of free ? [[x], [y]] : [[x, y]]) if (radius > 0 || isNearZero(sides)) for (const side of sides) widen(side, 0);
    if (radius > 0) for (const side of [x, y]) { widen(side, -radius); widen(side, radius); }
    const [wide, high] = [inset.right - inset.left, inset.bottom - inset.top];
    const slack = clear && this.inset ? 1.08 : 1.3;
    let [across, up] = [(slack * (x[1] - x[0])) / wide, (slack * (y[1] - y[0])) / high];
    if (!free) across = up = Math.max(across, up);
    across ||= 2 / Math.min(wide, high);
    up ||= 2 / Math.min(wide, high);
    const [right, down] = [(inset.left + inset.right - this.width) / 2, (inset.top + inset.bottom - this.height) / 2];
    this.showRegion((x[0] + x[1]) / 2 - right * across, (y[0] + y[1]) / 2 + down * up,
      (across * Math.min(this.width, this.height)) / 2, across / up);
  }

  private update(): void {
    const [halfX, halfY] = [this.width / 2 / this.scale, this.height / 2 / this.scaleY];
    this.x = [this.center[0] - halfX, this.center[0] + halfX];
    this.y = [this.center[1] - halfY, this.center[1] + halfY];
  }
}

function range({ rows }: Points, column: number): [number, number] {
  const found: [number, number] = [Infinity, -Infinity];
  for (const row of rows) widen(found, clamp(row[column] ?? 0));
  return found;
}

/** Whether the ranges lie so near to 0 that the view includes it. */
function isNearZero(sides: [number, number][]): boolean {
  const size = Math.max(...sides.map(([low, high]) => high - low));
  const far = Math.max(...sides.flat().map(Math.abs));
  return far < 2.5 * size || size === 0;
}

/** How much wider one column of the points is than the other; 1 for equal ones. */
export function disproportion(points: Points): number {
  const [x, y] = [range(points, 0), range(points, 1)];
  const share = (x[1] - x[0]) / (y[1] - y[0]);
  return share > 0 && Number.isFinite(share) ? Math.max(share, 1 / share) : 1;
}

function widen(side: [number, number], value: number): void {
  side[0] = Math.min(side[0], value);
  side[1] = Math.max(side[1], value);
}
