// Edits points; each edit is one undo step.

import type { Points, Sign } from "../contract.js";
import { minus } from "../numbers.js";
import { added, moved, relabelled, removed, type Store } from "../state.js";
import type { Plane } from "./plane.js";

export const MOST_POINTS = 5000;

export class Editing {
  /** The class of the next point. */
  sign: Sign = 1;
  /** Whether a click removes instead of adding. */
  erasing = false;

  constructor(readonly store: Store, readonly plane: Plane, readonly say: (text: string) => void) {}

  get points(): Points {
    return this.store.state.points;
  }

  add(x: number, y: number): void {
    if (this.points.rows.length >= MOST_POINTS) return this.say(`The lab accepts at most ${MOST_POINTS} points.`);
    const row = this.round(x, y);
    this.change(added(this.points, row, this.sign));
    this.say(`Point ${this.points.rows.length} added at ${place(row)}, class ${name(this.sign)}.`);
  }

  move(index: number, x: number, y: number, gesture: string): void {
    if (index >= this.points.rows.length) return;
    this.change(moved(this.points, index, this.round(x, y)), gesture);
  }

  flip(index: number): void {
    this.change(relabelled(this.points, index));
    this.say(`Point ${index + 1} is now ${name(this.points.signs[index] ?? 1)}.`);
  }

  remove(index: number, gesture = ""): void {
    this.plane.pointing.hover = undefined;
    this.change(removed(this.points, index), gesture);
    this.say(`Point ${index + 1} removed; ${this.points.rows.length} points left.`);
  }

  describe(index: number): string {
    const row = this.points.rows[index] ?? [];
    return `Point ${index + 1}, ${place(row)}, class ${name(this.points.signs[index] ?? 1)}`;
  }

  private change(points: Points, gesture = ""): void {
    this.store.change({ points, source: { set: "own" } }, gesture);
  }

  private round(x: number, y: number): number[] {
    return [this.plane.view.round(x), this.plane.view.round(y)];
  }
}

export const name = (sign: Sign): string => (sign === 1 ? "+1" : "−1");
export const place = (row: readonly number[]): string => minus(`(${row.join(", ")})`);
