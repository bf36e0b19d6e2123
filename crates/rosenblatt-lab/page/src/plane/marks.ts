// Draws points: a filled disk for +1, a filled square for −1, each with a ring of paper.

import type { Sign } from "../contract.js";
import type { Context2D, View } from "../lab.js";

/** The radius of a point in pixels, smaller for many points. */
export const markSize = (count: number): number => (count <= 8 ? 12 : count <= 60 ? 8.5 : count <= 250 ? 6.5 : count <= 800 ? 5 : 4);

export function drawMark(context: Context2D, view: View, sign: Sign, left: number, top: number, size: number): void {
  context.beginPath();
  if (sign === 1) context.arc(left, top, size, 0, 2 * Math.PI);
  else context.rect(left - 0.87 * size, top - 0.87 * size, 1.74 * size, 1.74 * size);
  context.fillStyle = view.color(sign === 1 ? "--plus" : "--minus");
  context.fill();
  context.lineWidth = size < 6 ? 1 : 2;
  context.strokeStyle = view.color("--paper");
  context.stroke();
}

/** Draws a test point: the outline of a mark. */
export function drawOpenMark(context: Context2D, view: View, sign: Sign, left: number, top: number, size: number): void {
  context.beginPath();
  if (sign === 1) context.arc(left, top, size, 0, 2 * Math.PI);
  else context.rect(left - 0.87 * size, top - 0.87 * size, 1.74 * size, 1.74 * size);
  context.fillStyle = view.color("--paper");
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = view.color(sign === 1 ? "--plus" : "--minus");
  context.stroke();
}

/** Draws a ring around the visited example; a mistake has three rings that grow, from time 0 to 1. */
export function drawRings(context: Context2D, view: View, left: number, top: number, size: number, mistake: boolean, time: number): void {
  context.strokeStyle = view.color(mistake ? "--bad" : "--ink");
  context.lineWidth = mistake ? 3 : 2;
  const rings = mistake ? [[8, 0.95], [17, 0.45], [28, 0.2]] as const : [[6, 0.9]] as const;
  rings.forEach(([distance, opacity], k) => {
    const grown = Math.min(1, 2.5 * time - 0.18 * k);
    if (grown <= 0) return;
    context.globalAlpha = opacity;
    context.beginPath();
    context.arc(left, top, size + distance * grown, 0, 2 * Math.PI);
    context.stroke();
  });
  context.globalAlpha = 1;
}

/** Draws the keyboard's cursor. */
export function drawCursor(context: Context2D, view: View, left: number, top: number, grabbing: boolean): void {
  context.strokeStyle = view.color("--ink");
  context.lineWidth = 2;
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
    context.moveTo(left + 7 * dx, top + 7 * dy);
    context.lineTo(left + 22 * dx, top + 22 * dy);
  }
  context.stroke();
  if (grabbing) context.strokeRect(left - 18, top - 18, 36, 36);
}
