// Overlays that draw a certificate on the plane.

import type { Points } from "../contract.js";
import type { Overlay, View } from "../lab.js";
import type { Band, Crossing, Place, Witness } from "./certificate.js";

type Pen = CanvasRenderingContext2D;

/** Draws the separator, its margin, and rings around the closest examples. */
export function bandOverlay(band: Band, points: Points): Overlay {
  return {
    draw(pen, view) {
      pen.save();
      fillBand(pen, view, band);
      const edges: [number, string, number[]][] =
        [[0, "--ink", []], [band.margin, "--plus", [8, 6]], [-band.margin, "--minus", [8, 6]]];
      for (const [offset, colour, dash] of edges) strokeLine(pen, view, band, offset, view.colour(colour), dash);
      for (const row of band.closest) ring(pen, view, points.rows[row], view.colour("--ink"));
      pen.restore();
    },
  };
}

/** Draws the convex hulls of both classes and their common point. */
export function crossingOverlay(crossing: Crossing): Overlay {
  return {
    draw(pen, view) {
      pen.save();
      if (crossing.withBias) {
        hull(pen, view, crossing.plus.map(({ at }) => at), "--plus");
        hull(pen, view, crossing.minus.map(({ at }) => at), "--minus");
      } else {
        mirrored(pen, view, crossing.witnesses);
      }
      for (const { at } of crossing.witnesses) ring(pen, view, at, view.colour("--ink"));
      target(pen, view, crossing.common, crossing.witnesses);
      pen.restore();
    },
  };
}

/** Marks two equal points with different signs. */
export function contradictionOverlay(at: Place): Overlay {
  return { draw(pen, view) { pen.save(); ring(pen, view, at, view.colour("--ink")); target(pen, view, at, [{ at }]); pen.restore(); } };
}

function fillBand(pen: Pen, view: View, band: Band): void {
  const [from, to] = ends(view, band, band.margin);
  const [back, start] = ends(view, band, -band.margin).reverse() as [Place, Place];
  pen.beginPath();
  for (const at of [from, to, back, start]) pen.lineTo(...view.toScreen(...at));
  pen.globalAlpha = 0.14;
  pen.fillStyle = view.colour("--accent");
  pen.fill();
  pen.globalAlpha = 1;
}

function strokeLine(pen: Pen, view: View, band: Band, offset: number, colour: string, dash: number[]): void {
  const [from, to] = ends(view, band, offset);
  pen.beginPath();
  pen.moveTo(...view.toScreen(...from));
  pen.lineTo(...view.toScreen(...to));
  pen.lineWidth = dash.length > 0 ? 2 : 3;
  pen.setLineDash(dash);
  pen.strokeStyle = colour;
  pen.stroke();
  pen.setLineDash([]);
}

/** Two positions of the line w·x + b = offset, outside of the view. */
function ends(view: View, { weights: [w1, w2], bias }: Band, offset: number): [Place, Place] {
  const middle: Place = [(view.x[0] + view.x[1]) / 2, (view.y[0] + view.y[1]) / 2];
  const away = offset - bias - (w1 * middle[0] + w2 * middle[1]);
  const foot: Place = [middle[0] + w1 * away, middle[1] + w2 * away];
  const reach = 2 * (view.x[1] - view.x[0] + view.y[1] - view.y[0]);
  return [[foot[0] - w2 * reach, foot[1] + w1 * reach], [foot[0] + w2 * reach, foot[1] - w1 * reach]];
}

function hull(pen: Pen, view: View, corners: Place[], colour: string): void {
  pen.beginPath();
  for (const at of corners) pen.lineTo(...view.toScreen(...at));
  pen.closePath();
  pen.fillStyle = pen.strokeStyle = view.colour(colour);
  pen.globalAlpha = 0.16;
  if (corners.length > 2) pen.fill();
  pen.globalAlpha = 1;
  pen.lineWidth = 4;
  pen.stroke();
}

/** Without a bias, a −1 example at x is equivalent to a +1 example at −x; their hull contains the origin. */
function mirrored(pen: Pen, view: View, witnesses: Witness[]): void {
  hull(pen, view, witnesses.map(({ at, sign }): Place => [sign * at[0], sign * at[1]]), "--accent");
  pen.setLineDash([3, 5]);
  pen.lineWidth = 2;
  pen.strokeStyle = view.colour("--minus");
  for (const { at, sign } of witnesses) {
    if (sign > 0) continue;
    pen.beginPath();
    pen.moveTo(...view.toScreen(...at));
    pen.lineTo(...view.toScreen(-at[0], -at[1]));
    pen.stroke();
  }
  pen.setLineDash([]);
}

function ring(pen: Pen, view: View, at: number[] | undefined, colour: string, radius = 15): void {
  if (!at) return;
  pen.beginPath();
  pen.arc(...view.toScreen(at[0] ?? 0, at[1] ?? 0), radius, 0, 2 * Math.PI);
  pen.lineWidth = 2.5;
  pen.strokeStyle = colour;
  pen.stroke();
}

/** Marks the common point with a target, or with a second ring if an example covers it. */
function target(pen: Pen, view: View, at: Place, witnesses: readonly { at: Place }[]): void {
  const [left, top] = view.toScreen(...at);
  const covered = witnesses.some((witness) => {
    const [x, y] = view.toScreen(...witness.at);
    return Math.hypot(x - left, y - top) < 12;
  });
  if (covered) return ring(pen, view, at, view.colour("--ink"), 21);
  for (const [radius, colour] of [[12, "--ink"], [9.5, "--paper"], [4.5, "--ink"]] as const) {
    pen.beginPath();
    pen.arc(left, top, radius, 0, 2 * Math.PI);
    pen.fillStyle = view.colour(colour);
    pen.fill();
  }
}
