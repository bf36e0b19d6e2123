// Overlays that draw a certificate on the plane.

import type { Points } from "../contract.js";
import type { Context2D, Overlay, Position, View } from "../lab.js";
import type { HullIntersection, MarginBand, ProofExample } from "./certificate.js";

/** Draws the separator, its margin, and rings around the closest examples. */
export function bandOverlay(band: MarginBand, points: Points): Overlay {
  return {
    draw(context, view) {
      context.save();
      fillBand(context, view, band);
      const edges: [number, string, number[]][] =
        [[0, "--ink", []], [band.margin, "--plus", [8, 6]], [-band.margin, "--minus", [8, 6]]];
      for (const [offset, color, dash] of edges) strokeLine(context, view, band, offset, view.color(color), dash);
      for (const row of band.closest) drawCircle(context, view, points.rows[row], view.color("--ink"));
      context.restore();
    },
  };
}

/** Draws several overlays, one over the other. */
export function together(...overlays: Overlay[]): Overlay {
  return { draw: (...parts) => overlays.forEach((overlay) => overlay.draw(...parts)) };
}

/** Draws a line that has no point on its wrong side, and rings around the points on it. */
export function touchingOverlay(line: MarginBand, points: Points): Overlay {
  return {
    draw(context, view) {
      context.save();
      strokeLine(context, view, line, 0, view.color("--ink"), [8, 6]);
      for (const row of line.closest) drawCircle(context, view, points.rows[row], view.color("--ink"));
      context.restore();
    },
  };
}

/** Draws the convex hulls of both classes and their common point. */
export function intersectionOverlay(intersection: HullIntersection): Overlay {
  return {
    draw(context, view) {
      context.save();
      if (intersection.withBias) {
        drawHull(context, view, intersection.plus.map(({ position }) => position), "--plus");
        drawHull(context, view, intersection.minus.map(({ position }) => position), "--minus");
      } else {
        drawReflected(context, view, intersection.examples);
      }
      for (const { position } of intersection.examples) drawCircle(context, view, position, view.color("--ink"));
      drawTarget(context, view, intersection.commonPoint, intersection.examples);
      context.restore();
    },
  };
}

/** Marks two equal points with different signs. */
export function contradictionOverlay(at: Position): Overlay {
  return {
    draw(context, view) {
      context.save();
      drawCircle(context, view, at, view.color("--ink"));
      drawTarget(context, view, at, [{ position: at }]);
      context.restore();
    },
  };
}

function fillBand(context: Context2D, view: View, band: MarginBand): void {
  const [from, to] = lineEnds(view, band, band.margin);
  const [back, start] = lineEnds(view, band, -band.margin).reverse() as [Position, Position];
  context.beginPath();
  for (const at of [from, to, back, start]) context.lineTo(...view.toScreen(...at));
  context.globalAlpha = 0.14;
  context.fillStyle = view.color("--ink");
  context.fill();
  context.globalAlpha = 1;
}

function strokeLine(context: Context2D, view: View, band: MarginBand, offset: number, color: string, dash: number[]): void {
  const [from, to] = lineEnds(view, band, offset);
  context.beginPath();
  context.moveTo(...view.toScreen(...from));
  context.lineTo(...view.toScreen(...to));
  context.lineWidth = dash.length > 0 ? 2 : 3;
  context.setLineDash(dash);
  context.strokeStyle = color;
  context.stroke();
  context.setLineDash([]);
}

/** Two positions of the line w·x + b = offset, outside of the view. */
function lineEnds(view: View, { weights: [w1, w2], bias }: MarginBand, offset: number): [Position, Position] {
  const center: Position = [(view.x[0] + view.x[1]) / 2, (view.y[0] + view.y[1]) / 2];
  const distance = offset - bias - (w1 * center[0] + w2 * center[1]);
  const foot: Position = [center[0] + w1 * distance, center[1] + w2 * distance];
  const length = 2 * (view.x[1] - view.x[0] + view.y[1] - view.y[0]);
  return [[foot[0] - w2 * length, foot[1] + w1 * length], [foot[0] + w2 * length, foot[1] - w1 * length]];
}

function drawHull(context: Context2D, view: View, corners: Position[], color: string): void {
  context.beginPath();
  for (const at of corners) context.lineTo(...view.toScreen(...at));
  context.closePath();
  context.fillStyle = context.strokeStyle = view.color(color);
  context.globalAlpha = 0.16;
  if (corners.length > 2) context.fill();
  context.globalAlpha = 0.25;
  context.lineWidth = 24;
  if (corners.length === 2) context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 3.5;
  context.stroke();
}

/** Without a bias, a −1 example at x is equivalent to a +1 example at −x; their hull contains the origin. */
function drawReflected(context: Context2D, view: View, examples: ProofExample[]): void {
  drawHull(context, view, examples.map(({ position, sign }): Position => [sign * position[0], sign * position[1]]), "--ink");
  context.setLineDash([3, 5]);
  context.lineWidth = 2;
  context.strokeStyle = view.color("--minus");
  for (const { position, sign } of examples) {
    if (sign > 0) continue;
    context.beginPath();
    context.moveTo(...view.toScreen(...position));
    context.lineTo(...view.toScreen(-position[0], -position[1]));
    context.stroke();
  }
  context.setLineDash([]);
}

export function drawCircle(context: Context2D, view: View, at: number[] | undefined, color: string, radius = 15): void {
  if (!at) return;
  context.beginPath();
  context.arc(...view.toScreen(at[0] ?? 0, at[1] ?? 0), radius, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = color;
  context.stroke();
}

/** Marks the common point with a target, or with a second ring if an example covers it. */
function drawTarget(context: Context2D, view: View, at: Position, examples: readonly { position: Position }[]): void {
  const [left, top] = view.toScreen(...at);
  const covered = examples.some((example) => {
    const [x, y] = view.toScreen(...example.position);
    return Math.hypot(x - left, y - top) < 12;
  });
  if (covered) return drawCircle(context, view, at, view.color("--ink"), 21);
  for (const [radius, color] of [[12, "--ink"], [9.5, "--paper"], [4.5, "--ink"]] as const) {
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.fillStyle = view.color(color);
    context.fill();
  }
}
