// Draws everything below the points: field, grid, overlays and lines.

import { type Hyperplane, isLine, KEPT, type Kept, LINES, type Points, type ZeroScore } from "../contract.js";
import type { Context2D, Overlay } from "../lab.js";
import type { Step } from "../run/run.js";
import type { Surface } from "../run/surfaces.js";
import { drawBoundary } from "./contours.js";
import { drawLineField, ScoreField, typicalScore } from "./field.js";
import type { FreeSpace } from "./free-space.js";
import type { Moment } from "./motion.js";
import { drawBand, drawLabel, drawLine, drawNormal, drawOutside, drawRadius, hasLine, outside, type LineStyle, type WeightStep } from "./shapes.js";
import type { PlaneView } from "./view.js";

/** A part of the drawing that the legend shows or hides. */
export type LegendItem = Kept | "sides" | "w" | "sum" | "R" | "margin";

export interface Scene {
  step: Step | undefined;
  /** The lines before the last updates, the oldest first. */
  trail: readonly Hyperplane[];
  show: ReadonlySet<LegendItem>;
  surface: Surface | undefined;
  /** Whether the run uses a kernel and shows surfaces instead of lines. */
  usesKernel: boolean;
  /** The class of a score of 0. */
  zero: ZeroScore;
  radius: number;
  /** The last line of a converged run, and its distance to the nearest example. */
  separator: { hyperplane: Hyperplane; margin: number } | undefined;
}

/** The layers and measures of one frame. */
export interface Frame {
  /** Draws the grid. */
  background: (context: Context2D) => void;
  overlays: readonly Overlay[];
  points: Points;
  space: FreeSpace;
  /** The moment of a movement. */
  moment: Moment | undefined;
}

/** The dashes of the lines, in the order of `KEPT`. The swatches of the legend have them too. */
const DASHES: readonly number[][] = [[], [14, 6], [14, 5, 3, 5], [3, 5], [20, 5, 3, 5, 3, 5], [8, 4]];

export const styleNumber = (kept: Kept): number => KEPT.indexOf(kept) % DASHES.length;

function lineStyle(kept: Kept): LineStyle {
  const dash = DASHES[styleNumber(kept)] ?? [];
  return { color: "--ink", width: dash.length === 0 ? 4.5 : 2.5, dash, label: kept };
}

const lineOf = (step: Step | undefined, kept: Kept): Hyperplane | undefined => (isLine(kept) ? step?.[kept] : undefined);

const BEFORE: LineStyle = { color: "--ink", width: 2, dash: [7, 6], opacity: 0.5 };
const field = new ScoreField();

export function drawScene(context: Context2D, view: PlaneView, scene: Scene, frame: Frame): void {
  const { moment, space } = frame;
  // During a movement the last line is on its way to the line of the step.
  const step = scene.step && moment ? { ...scene.step, last: moment.line } : scene.step;
  const shown = { ...scene, step };
  context.fillStyle = view.color("--paper");
  context.fillRect(0, 0, view.width, view.height);
  context.save();
  if (scene.show.has("sides")) drawField(context, view, shown, frame.points);
  const tinting = scene.show.has("sides") ? frame.overlays : [];
  for (const overlay of tinting) drawIsolated(context, () => overlay.below?.(context, view));
  frame.background(context);
  if (scene.show.has("margin") && scene.separator) drawBand(context, view, scene.separator.hyperplane, scene.separator.margin, space.isFree);
  if (scene.show.has("R") && scene.radius > 0) drawRadius(context, view, scene.radius, space.isFree);
  for (const overlay of frame.overlays) drawIsolated(context, () => overlay.draw(context, view, space));
  drawLines(context, view, shown);
  drawTexts(context, view, shown, frame, scene.step?.last);
  context.restore();
}

/** Draws the field of the first shown rule. */
function drawField(context: Context2D, view: PlaneView, { show, step, surface, zero }: Scene, points: Points): void {
  for (const kept of KEPT) {
    const hyperplane = lineOf(step, kept);
    const scores = surface?.scores.get(kept);
    if (!show.has(kept) || !(hyperplane ?? scores)) continue;
    if (hyperplane) drawLineField(context, view, hyperplane, typicalScore(points, hyperplane));
    else if (surface && scores) field.draw(context, view, { ...surface, scores, zero }, points);
    return;
  }
}

function drawLines(context: Context2D, view: PlaneView, { step, trail, show, surface, zero }: Scene): void {
  if (show.has("last")) {
    trail.forEach((line, k) => {
      drawLine(context, view, line, { ...BEFORE, width: 1.75, dash: [], opacity: 0.07 + (0.2 * (k + 1)) / trail.length });
    });
  }
  // The solid line is first, so the dashes of coinciding lines stay visible.
  for (const kept of KEPT) {
    if (!show.has(kept)) continue;
    const hyperplane = lineOf(step, kept);
    const scores = surface?.scores.get(kept);
    if (kept === "last" && step) drawBefore(context, view, step);
    if (hasLine(hyperplane)) drawLine(context, view, hyperplane, lineStyle(kept));
    else if (surface && scores) drawBoundary(context, view, { ...surface, scores, zero }, lineStyle(kept));
  }
}

/** Draws the arrow of the weights, and labels if there are several lines. */
function drawTexts(
  context: Context2D, view: PlaneView, { step, show }: Scene, { space, moment }: Frame, after: Hyperplane | undefined,
): void {
  const lines = LINES.filter(kept => show.has(kept) && hasLine(step?.[kept]));
  for (const kept of lines.length > 1 ? lines : []) {
    space.take(drawLabel(context, view, step?.[kept] as Hyperplane, kept, space.isFree));
  }
  for (const kept of lines) {
    const found = outside(view, step?.[kept] as Hyperplane);
    if (found) drawOutside(context, view, `${kept}: outside ${found.arrow}`, found.place, space.isFree);
  }
  // With axes of different scales the weights are not perpendicular to their line on the screen.
  if (!show.has("w") || view.stretch !== 1 || !show.has("last") || !step?.last) return;
  const time = moment?.time ?? (show.has("sum") ? 1 : undefined);
  drawNormal(context, view, step.last, space.isFree, weightStep(step, time, after));
}

/** The movement of the weights from those before the visit to those after it, at a time from 0 to 1. */
function weightStep({ visit }: Step, time: number | undefined, after: Hyperplane | undefined): WeightStep | undefined {
  if (time === undefined || !visit?.before || !after || visit.stepSize === 0) return undefined;
  const [[v1 = 0, v2 = 0], [w1 = 0, w2 = 0]] = [visit.before, after];
  return {
    before: visit.before, step: [w1 - v1, w2 - v2], plus: visit.sign === 1,
    grown: Math.min(1, time / 0.6),
  };
}

/** Draws the line before the update of this step. */
function drawBefore(context: Context2D, view: PlaneView, { visit }: Step): void {
  if (visit && visit.stepSize !== 0 && hasLine(visit.before)) drawLine(context, view, visit.before, BEFORE);
}

/** Keeps the faults of an overlay from the rest of the drawing. */
function drawIsolated(context: Context2D, draw: () => void): void {
  context.save();
  try {
    draw();
  } catch (error) {
    console.error(error);
  }
  context.restore();
}
