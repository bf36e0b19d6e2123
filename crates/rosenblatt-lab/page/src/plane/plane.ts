// The canvas of the plane. Background and points are cached layers; a frame is drawn only after a change.

import type { Points } from "../contract.js";
import type { Overlay } from "../lab.js";
import { lowered, minus } from "../numbers.js";
import { drawAxes } from "./axes.js";
import { drawCursor, drawMark, drawRing, markSize } from "./marks.js";
import { tag } from "./figures.js";
import { drawScene, type Scene } from "./scene.js";
import { PlaneView } from "./view.js";

/** The state of pointer and keyboard. */
export interface Pointing {
  /** The keyboard's cursor, while the plane has the focus. */
  cursor: [number, number] | undefined;
  carrying: boolean;
  /** The point under the mouse. */
  hover: number | undefined;
}

export class Plane {
  readonly view: PlaneView;
  readonly overlays = new Map<string, Overlay>();
  readonly pointing: Pointing = { cursor: undefined, carrying: false, hover: undefined };
  scene: Scene = { step: undefined, show: new Set(), surface: undefined, curved: false, zero: "positive", radius: 0, gap: undefined };
  private points: Points = { rows: [], signs: [] };
  private readonly context: CanvasRenderingContext2D;
  private readonly paper = document.createElement("canvas");
  private readonly marks = document.createElement("canvas");
  private stale = { paper: true, marks: true };
  private frame = 0;
  private ratio = 1;

  constructor(readonly canvas: HTMLCanvasElement, private readonly viewed: () => void) {
    this.context = canvas.getContext("2d") as CanvasRenderingContext2D;
    this.view = new PlaneView(canvas);
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  setPoints(points: Points): void {
    this.points = points;
    this.stale.marks = true;
    this.draw();
  }

  /** Draws all layers again after a change of the view or the theme. */
  redraw(): void {
    this.view.forgetTheme();
    this.stale.paper = this.stale.marks = true;
    this.draw();
    this.viewed();
  }

  /** Requests a frame. */
  draw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  get size(): number {
    return markSize(this.points.rows.length) * this.view.letters;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.paper, this.marks]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.view.resize(width, height);
    this.redraw();
    // Painted immediately, because an empty canvas would flicker.
    this.paint();
  }

  private paint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.stale.paper) this.layer(this.paper, context => drawAxes(context, this.view));
    if (this.stale.marks) this.layer(this.marks, context => this.paintMarks(context));
    this.stale.paper = this.stale.marks = false;
    const { context, view } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    drawScene(context, view, this.scene, this.paper, this.overlays.values());
    context.drawImage(this.marks, 0, 0, view.width, view.height);
    this.paintPointing(context);
  }

  private layer(canvas: HTMLCanvasElement, paint: (context: CanvasRenderingContext2D) => void): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    paint(context);
  }

  private paintMarks(context: CanvasRenderingContext2D): void {
    const size = this.size;
    this.points.rows.forEach((_, index) => this.mark(context, index, size));
  }

  private mark(context: CanvasRenderingContext2D, index: number, size: number): void {
    const row = this.points.rows[index];
    if (row) drawMark(context, this.view, this.points.signs[index] ?? 1, this.view.left(row[0] ?? 0), this.view.top(row[1] ?? 0), size);
  }

  private paintPointing(context: CanvasRenderingContext2D): void {
    const { view, size } = this;
    const { cursor, carrying, hover } = this.pointing;
    const visit = this.scene.step?.visit;
    if (visit) {
      // Drawn above its neighbors.
      this.mark(context, visit.example, size + 2);
      drawRing(context, view, view.left(visit.row[0] ?? 0), view.top(visit.row[1] ?? 0), size, visit.mistake);
    }
    if (hover !== undefined) this.paintHover(context, hover, size);
    if (cursor) drawCursor(context, view, view.left(cursor[0]), view.top(cursor[1]), carrying);
  }

  /** Draws the point under the mouse larger, with its number and coordinates. */
  private paintHover(context: CanvasRenderingContext2D, index: number, size: number): void {
    const [x, y] = this.points.rows[index] ?? [];
    if (x === undefined || y === undefined) return;
    this.mark(context, index, size + 3);
    const above = this.view.top(y) > 60 ? -1 : 1;
    const text = minus(`x${lowered(index + 1)} = (${x}, ${y})`);
    tag(context, this.view, text, this.view.left(x), this.view.top(y) + above * (size + 20 * this.view.letters), "--ink");
  }
}

/** The point nearest to a position on the screen, within `reach` pixels. */
export function nearest(points: Points, view: PlaneView, left: number, top: number, reach: number): number | undefined {
  let best = reach * reach;
  let found: number | undefined;
  points.rows.forEach((row, index) => {
    const [dx, dy] = [view.left(row[0] ?? 0) - left, view.top(row[1] ?? 0) - top];
    const distance = dx * dx + dy * dy;
    if (distance <= best) {
      best = distance;
      found = index;
    }
  });
  return found;
}
