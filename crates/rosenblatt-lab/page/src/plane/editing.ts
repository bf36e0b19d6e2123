// Edits points; each edit is one undo step.

import { LIMITS, type Points, type Sign } from "../contract.js";
import { minus } from "../numbers.js";
import { added, moved, relabeled, removed, type Store } from "../state.js";
import type { Plane } from "./plane.js";

export class Editing {
  /** The class of the next point. */
  sign: Sign = 1;
  /** Whether a click removes instead of adding. */
  erasing = false;
  /** Gets the pressed point in place of any edit; `undefined` if the user may edit. */
  pressed: ((point: number | undefined) => void) | undefined;

  constructor(readonly store: Store, readonly plane: Plane, readonly announce: (text: string) => void) {}

  get points(): Points {
    return this.store.state.points;
  }

  add(x: number, y: number): void {
    if (this.points.rows.length >= LIMITS.points) return this.announce(`The lab accepts at most ${LIMITS.points} points.`);
    const row = this.round(x, y);
    this.change(added(this.points, row, this.sign));
    this.announce(`Point ${this.points.rows.length} added at ${coordinates(row)}, class ${signText(this.sign)}.`);
  }

  move(index: number, x: number, y: number, gesture: string): void {
    if (index >= this.points.rows.length) return;
    this.change(moved(this.points, index, this.round(x, y)), gesture);
  }

  flip(index: number): void {
    this.change(relabeled(this.points, index));
    this.announce(`Point ${index + 1} is now ${signText(this.points.signs[index] ?? 1)}.`);
  }

  remove(index: number, gesture = ""): void {
    this.plane.interaction.hover = undefined;
    this.change(removed(this.points, index), gesture);
    this.announce(`Point ${index + 1} removed; ${this.points.rows.length} points left.`);
  }

  describe(index: number): string {
    const row = this.points.rows[index] ?? [];
    return `Point ${index + 1}, ${coordinates(row)}, class ${signText(this.points.signs[index] ?? 1)}`;
  }

  private change(points: Points, gesture = ""): void {
    this.store.change({ points, source: { set: "own" } }, gesture);
  }

  private round(x: number, y: number): number[] {
    const { view } = this.plane;
    return [view.round(x), view.round(y, view.scaleY)];
  }
}

export const signText = (sign: Sign): string => (sign === 1 ? "+1" : "−1");
export const coordinates = (row: readonly number[]): string => minus(`(${row.join(", ")})`);
