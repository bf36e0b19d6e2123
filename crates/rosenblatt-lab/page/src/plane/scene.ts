// Draws everything below the points: background, sides, overlays and lines.

import type { Kept, Plane, ZeroScore } from "../contract.js";
import type { Overlay } from "../lab.js";
import type { Step } from "../run/run.js";
import type { Surface } from "../run/surfaces.js";
import { Bands, drawBoundary } from "./contours.js";
import { drawBand, drawLabel, drawLine, drawNormal, drawRadius, drawSides, hasLine, type LineLook } from "./figures.js";
import type { PlaneView } from "./view.js";

/** A part of the drawing that the legend shows or hides. */
export type Switch = Kept | "sides" | "w" | "R" | "margin";

export interface Scene {
  step: Step | undefined;
  show: ReadonlySet<Switch>;
  surface: Surface | undefined;
  /** Whether the run uses a kernel and shows surfaces instead of lines. */
  curved: boolean;
  /** The class of a score of 0. */
  zero: ZeroScore;
  radius: number;
  /** The last line of a converged run, and its distance to the nearest example. */
  gap: { plane: Plane; margin: number } | undefined;
}

export const LOOKS: Record<Kept, LineLook> = {
  last: { colour: "--line", width: 4, dash: [], label: "last", at: 0.06 },
  average: { colour: "--average", width: 3.5, dash: [14, 6], label: "average", at: 0.2 },
  pocket: { colour: "--pocket", width: 3.5, dash: [14, 5, 3, 5], label: "pocket", at: 0.34 },
  vote: { colour: "--vote", width: 3.5, dash: [3, 5], label: "vote", at: 0.48 },
};

const BEFORE: LineLook = { colour: "--before", width: 2.5, dash: [8, 7] };
const KEPT = ["last", "average", "pocket", "vote"] as const;
const bands = new Bands();

export function drawScene(
  context: CanvasRenderingContext2D, view: PlaneView, scene: Scene, paper: HTMLCanvasElement, overlays: Iterable<Overlay>,
): void {
  context.drawImage(paper, 0, 0, view.width, view.height);
  context.save();
  if (scene.show.has("sides")) drawTint(context, view, scene);
  if (scene.show.has("margin") && scene.gap) drawBand(context, view, scene.gap.plane, scene.gap.margin);
  if (scene.show.has("R") && scene.radius > 0) drawRadius(context, view, scene.radius);
  for (const overlay of overlays) isolated(context, () => overlay.draw(context, view));
  drawLines(context, view, scene);
  context.restore();
}

/** Tints both sides of the first shown line; kernels have bands of scores. */
function drawTint(context: CanvasRenderingContext2D, view: PlaneView, scene: Scene): void {
  const { step, surface } = scene;
  if (scene.curved) {
    const filled = KEPT.find(kept => scene.show.has(kept) && surface?.scores.has(kept));
    const scores = filled && surface?.scores.get(filled);
    if (surface && scores) bands.draw(context, view, { ...surface, scores, zero: scene.zero });
    return;
  }
  const kept = (["last", "average", "pocket"] as const).find(kept => scene.show.has(kept));
  const plane = kept && step?.[kept];
  if (hasLine(plane)) drawSides(context, view, plane);
}

function drawLines(context: CanvasRenderingContext2D, view: PlaneView, { step, show, surface, zero }: Scene): void {
  // The solid line is first, so the dashes of coinciding lines stay visible.
  for (const kept of KEPT) {
    if (!show.has(kept)) continue;
    const plane = kept === "vote" ? undefined : step?.[kept];
    const scores = surface?.scores.get(kept);
    if (kept === "last" && step) drawBefore(context, view, step);
    if (hasLine(plane)) drawLine(context, view, plane, LOOKS[kept]);
    else if (surface && scores) drawBoundary(context, view, { ...surface, scores, zero }, LOOKS[kept]);
  }
  // The labels are last, so that no line crosses them.
  for (const kept of ["last", "average", "pocket"] as const) {
    const plane = step?.[kept];
    if (show.has(kept) && hasLine(plane)) drawLabel(context, view, plane, LOOKS[kept]);
  }
  if (show.has("w") && show.has("last") && step?.last) drawNormal(context, view, step.last);
}

/** Draws the line before the update of this step. */
function drawBefore(context: CanvasRenderingContext2D, view: PlaneView, { visit }: Step): void {
  if (visit && visit.moved !== 0 && hasLine(visit.before)) drawLine(context, view, visit.before, BEFORE);
}

/** Keeps the faults of an overlay from the rest of the drawing. */
function isolated(context: CanvasRenderingContext2D, draw: () => void): void {
  context.save();
  try {
    draw();
  } catch (error) {
    console.error(error);
  }
  context.restore();
}
