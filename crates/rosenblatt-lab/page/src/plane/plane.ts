// The canvas of the plane. Background and points are cached layers; a frame is drawn only after a change.

import type { Points } from "../contract.js";
import type { Box, Context2D, Grip, Overlay } from "../lab.js";
import { exampleName, minus } from "../numbers.js";
import { drawAxes } from "./axes.js";
import { FreeSpace } from "./free-space.js";
import { drawCursor, drawMark, drawRings, markSize } from "./marks.js";
import { Motion } from "./motion.js";
import { drawTag } from "./shapes.js";
import { drawScene, type Scene } from "./scene.js";
import { svgFile } from "./svg-context.js";
import { PlaneView } from "./view.js";

/** The state of pointer and keyboard. */
export interface InteractionState {
  /** The keyboard's cursor, while the plane has the focus. */
  cursor: [number, number] | undefined;
  grabbing: boolean;
  /** The point under the mouse. */
  hover: number | undefined;
}

const SMALL = 360; // pixels; on a smaller plane the points are smaller
const AXES = ["x₁", "x₂"] as const;

export class Plane {
  readonly view: PlaneView;
  readonly overlays = new Map<string, Overlay>();
  readonly interaction: InteractionState = { cursor: undefined, grabbing: false, hover: undefined };
  readonly motion = new Motion();
  /** What the pointer drags besides the points. */
  grip: Grip | undefined;
  /** The names of the axes. */
  private names: readonly [string, string] = AXES;
  scene: Scene = { step: undefined, trail: [], show: new Set(), surface: undefined, usesKernel: false, zero: "positive", radius: 0, separator: undefined };
  private points: Points = { rows: [], signs: [] };
  private order: readonly number[] = [];
  private readonly context: Context2D;
  private readonly background = document.createElement("canvas");
  private readonly marks = document.createElement("canvas");
  private outdated = { background: true, marks: true };
  /** The boxes of the numbers and names of the axes. */
  private axisTexts: readonly Box[] = [];
  private frame = 0;
  private ratio = 1;

  constructor(readonly canvas: HTMLCanvasElement, private readonly viewChanged: () => void) {
    this.context = canvas.getContext("2d") as Context2D;
    this.view = new PlaneView(canvas);
  }

  setPoints(points: Points, names: readonly [string, string] = AXES): void {
    this.points = points;
    this.names = names;
    this.outdated.background = this.outdated.marks = true;
    this.draw();
  }

  /** Draws all layers again after a change of the view or the theme. */
  redraw(): void {
    this.view.readTheme();
    this.outdated.background = this.outdated.marks = true;
    this.draw();
    this.viewChanged();
  }

  /** Requests a frame. */
  draw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  get size(): number {
    const { width, height, fontScale } = this.view;
    return markSize(this.points.rows.length) * Math.max(1, fontScale) * Math.min(1, Math.max(0.6, Math.min(width, height) / SMALL));
  }

  /** Takes the size of the canvas; the caller draws. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.background, this.marks]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.view.resize(width, height);
  }

  paint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.outdated.background) this.paintLayer(this.background, context => { this.axisTexts = this.paintAxes(context).texts; });
    if (this.outdated.marks) this.paintLayer(this.marks, context => this.paintMarks(context));
    this.outdated.background = this.outdated.marks = false;
    const { context, view } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const moment = this.motion.moment();
    const background = (context: Context2D): void => context.drawImage(this.background, 0, 0, view.width, view.height);
    const space = this.freeSpace();
    for (const text of this.axisTexts) space.take(text);
    drawScene(context, view, this.scene, { background, overlays: [...this.overlays.values()], points: this.points, space, moment });
    context.drawImage(this.marks, 0, 0, view.width, view.height);
    this.paintInteraction(context, moment?.time ?? 1);
    for (const overlay of this.overlays.values()) overlay.above?.(context, view);
    if (moment) this.draw();
  }

  private freeSpace(): FreeSpace {
    return new FreeSpace(this.view, this.points, this.size);
  }

  private paintAxes(context: Context2D, space = this.freeSpace()): FreeSpace {
    drawAxes(context, this.view, space, this.size, this.names);
    return space;
  }

  /** The plane as an SVG file. */
  svg(): string {
    const { view } = this;
    return svgFile(view.width, view.height, this.context, context => {
      const space = this.freeSpace();
      const background = (on: Context2D): void => { this.paintAxes(on, space); };
      drawScene(context, view, this.scene, { background, overlays: [...this.overlays.values()], points: this.points, space, moment: undefined });
      this.paintMarks(context);
      this.paintInteraction(context, 1);
    });
  }

  private paintLayer(canvas: HTMLCanvasElement, paint: (context: Context2D) => void): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    paint(context);
  }

  private paintMarks(context: Context2D): void {
    const size = this.size;
    if (this.order.length !== this.points.rows.length) this.order = paintOrder(this.points.rows.length);
    for (const index of this.order) this.paintMark(context, index, size);
  }

  private paintMark(context: Context2D, index: number, size: number): void {
    const row = this.points.rows[index];
    if (row) drawMark(context, this.view, this.points.signs[index] ?? 1, this.view.left(row[0] ?? 0), this.view.top(row[1] ?? 0), size);
  }

  private paintInteraction(context: Context2D, time: number): void {
    const { view, size } = this;
    const { cursor, grabbing, hover } = this.interaction;
    const visit = this.scene.step?.visit;
    if (visit) {
      drawRings(context, view, view.left(visit.row[0] ?? 0), view.top(visit.row[1] ?? 0), size, visit.mistake, time);
      // Drawn above its neighbors.
      this.paintMark(context, visit.example, size + 2);
    }
    if (hover !== undefined) this.paintHover(context, hover, size);
    if (cursor) drawCursor(context, view, view.left(cursor[0]), view.top(cursor[1]), grabbing);
  }

  /** Draws the point under the mouse larger, with its number and coordinates. */
  private paintHover(context: Context2D, index: number, size: number): void {
    const [x, y] = this.points.rows[index] ?? [];
    if (x === undefined || y === undefined) return;
    this.paintMark(context, index, size + 3);
    const above = this.view.top(y) > 60 ? -1 : 1;
    const text = minus(`${exampleName(index)} = (${x}, ${y})`);
    drawTag(context, this.view, text, this.view.left(x), this.view.top(y) + above * (size + 20 * this.view.fontScale), "--ink");
  }
}

/** Mixes the points: of rows that are sorted by class one class would cover the other. */
function paintOrder(count: number): number[] {
  const mixed = (index: number): number => Math.imul(index + 1, 0x9e3779b1) >>> 0;
  return Array.from({ length: count }, (_, index) => index).sort((i, j) => mixed(i) - mixed(j));
}

/** The point nearest to a position on the screen, within `maxDistance` pixels. */
export function nearest(points: Points, view: PlaneView, left: number, top: number, maxDistance: number): number | undefined {
  let best = maxDistance * maxDistance;
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
