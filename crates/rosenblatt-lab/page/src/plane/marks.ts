// Draws points: a filled disk with a plus for +1, an open square with a minus for −1. Shape, filling and sign
// distinguish the classes without color.

import type { Sign } from "../contract.js";
import type { Context2D, View } from "../lab.js";

/** The radius of a point in pixels, smaller for many points. */
export const markSize = (count: number): number => (count <= 60 ? 11 : count <= 250 ? 8 : count <= 800 ? 5.5 : 4);

export function drawMark(
  context: Context2D, view: View, sign: Sign, left: number, top: number, size: number,
): void {
  if (sign === 1) drawDisk(context, view, left, top, size);
  else drawSquare(context, view, left, top, size);
  if (size >= 7) drawSign(context, view, sign, left, top, size * 0.5);
}

function drawDisk(context: Context2D, view: View, left: number, top: number, size: number): void {
  context.beginPath();
  context.arc(left, top, size, 0, 2 * Math.PI);
  context.fillStyle = view.color("--plus");
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = view.color("--background");
  context.stroke();
}

function drawSquare(context: Context2D, view: View, left: number, top: number, size: number): void {
  const half = size * 0.86;
  context.fillStyle = view.color("--background");
  context.fillRect(left - half, top - half, 2 * half, 2 * half);
  context.lineWidth = Math.max(1.6, size * 0.26);
  context.strokeStyle = view.color("--minus");
  context.strokeRect(left - half, top - half, 2 * half, 2 * half);
}

function drawSign(context: Context2D, view: View, sign: Sign, left: number, top: number, arm: number): void {
  context.lineWidth = Math.max(1.8, arm * 0.45);
  context.strokeStyle = view.color(sign === 1 ? "--background" : "--minus");
  context.beginPath();
  context.moveTo(left - arm, top);
  context.lineTo(left + arm, top);
  if (sign === 1) {
    context.moveTo(left, top - arm);
    context.lineTo(left, top + arm);
  }
  context.stroke();
}

/** Draws the ring around the visited example; a mistake has two rings. */
export function drawRing(context: Context2D, view: View, left: number, top: number, size: number, mistake: boolean): void {
  context.strokeStyle = view.color(mistake ? "--mistake" : "--accent");
  context.lineWidth = 3;
  for (const radius of mistake ? [size + 6, size + 12] : [size + 6]) {
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** Draws the keyboard's cursor. */
export function drawCursor(context: Context2D, view: View, left: number, top: number, grabbing: boolean): void {
  context.strokeStyle = view.color("--text");
  context.lineWidth = 2;
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
    context.moveTo(left + 7 * dx, top + 7 * dy);
    context.lineTo(left + 22 * dx, top + 22 * dy);
  }
  context.stroke();
  if (grabbing) context.strokeRect(left - 18, top - 18, 36, 36);
}
