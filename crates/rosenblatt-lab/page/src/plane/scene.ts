// Draws everything below the points: background, sides, overlays and lines.

import { type Hyperplane, KEPT, type Kept, LINES, type ZeroScore } from "../contract.js";
import type { Context2D, Overlay } from "../lab.js";
import type { Step } from "../run/run.js";
import type { Surface } from "../run/surfaces.js";
import { drawBoundary, ScoreBands } from "./contours.js";
import { drawBand, drawLabel, drawLine, drawNormal, drawRadius, drawSides, hasLine, type LineStyle } from "./shapes.js";
import type { PlaneView } from "./view.js";

/** A part of the drawing that the legend shows or hides. */
export type LegendItem = Kept | "sides" | "w" | "R" | "margin";

export interface Scene {
  step: Step | undefined;
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

export const LINE_STYLES: Record<Kept, LineStyle> = {
  last: { color: "--line", width: 4, dash: [], label: "last", at: 0.06 },
  average: { color: "--average", width: 3.5, dash: [14, 6], label: "average", at: 0.2 },
  pocket: { color: "--pocket", width: 3.5, dash: [14, 5, 3, 5], label: "pocket", at: 0.34 },
  vote: { color: "--vote", width: 3.5, dash: [3, 5], label: "vote", at: 0.48 },
};

const BEFORE: LineStyle = { color: "--before", width: 2.5, dash: [8, 7] };
const bands = new ScoreBands();

export function drawScene(
  context: Context2D, view: PlaneView, scene: Scene, background: HTMLCanvasElement, overlays: Iterable<Overlay>,
): void {
  context.drawImage(background, 0, 0, view.width, view.height);
  context.save();
  if (scene.show.has("sides")) drawTint(context, view, scene);
  if (scene.show.has("margin") && scene.separator) drawBand(context, view, scene.separator.hyperplane, scene.separator.margin);
  if (scene.show.has("R") && scene.radius > 0) drawRadius(context, view, scene.radius);
  for (const overlay of overlays) drawIsolated(context, () => overlay.draw(context, view));
  drawLines(context, view, scene);
  context.restore();
}

/** Tints both sides of the first shown line; kernels have bands of scores. */
function drawTint(context: Context2D, view: PlaneView, scene: Scene): void {
  const { step, surface } = scene;
  if (scene.usesKernel) {
    const filled = KEPT.find(kept => scene.show.has(kept) && surface?.scores.has(kept));
    const scores = filled && surface?.scores.get(filled);
    if (surface && scores) bands.draw(context, view, { ...surface, scores, zero: scene.zero });
    return;
  }
  const kept = LINES.find(kept => scene.show.has(kept));
  const hyperplane = kept && step?.[kept];
  if (hasLine(hyperplane)) drawSides(context, view, hyperplane);
}

function drawLines(context: Context2D, view: PlaneView, { step, show, surface, zero }: Scene): void {
  // The solid line is first, so the dashes of coinciding lines stay visible.
  for (const kept of KEPT) {
    if (!show.has(kept)) continue;
    const hyperplane = kept === "vote" ? undefined : step?.[kept];
    const scores = surface?.scores.get(kept);
    if (kept === "last" && step) drawBefore(context, view, step);
    if (hasLine(hyperplane)) drawLine(context, view, hyperplane, LINE_STYLES[kept]);
    else if (surface && scores) drawBoundary(context, view, { ...surface, scores, zero }, LINE_STYLES[kept]);
  }
  // The labels are last, so that no line crosses them.
  for (const kept of LINES) {
    const hyperplane = step?.[kept];
    if (show.has(kept) && hasLine(hyperplane)) drawLabel(context, view, hyperplane, LINE_STYLES[kept]);
  }
  if (show.has("w") && show.has("last") && step?.last) drawNormal(context, view, step.last);
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
