// Edits points by keyboard with a cursor.

import type { Editing } from "./editing.js";
import { coordinates } from "./editing.js";
import { tickSteps } from "./axes.js";
import { nearest } from "./plane.js";

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/** The minimum pixels of a large step. */
const LARGE_STEP = 48;

export class Keyboard {
  private grabbed: number | undefined;
  private gesture = "";
  private gestures = 0;

  constructor(private readonly editing: Editing, private readonly choose: (sign: 1 | -1) => void) {
    const { canvas } = editing.plane;
    canvas.addEventListener("keydown", event => this.key(event));
    canvas.addEventListener("focus", () => this.focus());
    canvas.addEventListener("blur", () => this.blur());
  }

  private focus(): void {
    if (this.editing.pressed || !this.editing.plane.canvas.matches(":focus-visible")) return;
    this.cursor();
    this.editing.plane.draw();
  }

  private blur(): void {
    this.drop();
    this.editing.plane.interaction.cursor = undefined;
    this.editing.plane.draw();
  }

  /** The cursor; it starts at a round position near the center. */
  private cursor(): [number, number] {
    const { view, interaction } = this.editing.plane;
    const round = (value: number, step: number): number => Math.round(value / step) * step || 0;
    const [across, up] = tickSteps(view, LARGE_STEP);
    return (interaction.cursor ??= [round(view.center[0], across), round(view.center[1], up)]);
  }

  private pointUnderCursor(): number | undefined {
    const { plane, points } = this.editing;
    const [x, y] = this.cursor();
    return nearest(points, plane.view, plane.view.left(x), plane.view.top(y), plane.size + 2);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || this.editing.pressed) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.moveCursor(arrow, event.shiftKey);
    else if (!this.act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.editing.plane.draw();
  }

  private act(key: string): boolean {
    switch (key) {
      case "Enter": case " ": this.enter(); return true;
      case "l": case "L": this.onPoint(index => this.editing.flip(index)); return true;
      case "Delete": case "Backspace": this.onPoint(index => this.delete(index)); return true;
      case "+": case "1": this.choose(1); return true;
      case "-": case "−": case "2": this.choose(-1); return true;
      case "Escape": this.drop(); return true;
      default: return false;
    }
  }

  private moveCursor([dx, dy]: readonly [number, number], far: boolean): void {
    const { view, interaction } = this.editing.plane;
    const [across, up] = tickSteps(view, LARGE_STEP).map(step => step * (far ? 1 : 0.25)) as [number, number];
    const [x, y] = this.cursor();
    const at: [number, number] = [clampToRange(x + dx * across, view.x), clampToRange(y + dy * up, view.y)];
    interaction.cursor = at;
    if (this.grabbed !== undefined) this.editing.move(this.grabbed, ...at, this.gesture);
    this.announcePosition();
  }

  private announcePosition(): void {
    const [x, y] = this.cursor();
    const index = this.grabbed === undefined ? this.pointUnderCursor() : undefined;
    const { view } = this.editing.plane;
    const where = coordinates([view.round(x), view.round(y, view.scaleY)]);
    this.editing.announce(index === undefined ? where : `${where}: ${this.editing.describe(index)}`);
  }

  private enter(): void {
    if (this.grabbed !== undefined) return this.drop();
    const index = this.pointUnderCursor();
    if (index === undefined) return this.editing.add(...this.cursor());
    this.grabbed = index;
    this.gesture = `move ${++this.gestures}`;
    this.editing.plane.interaction.grabbing = true;
    this.editing.announce(`${this.editing.describe(index)}, picked up. Arrow keys move it, Enter puts it down.`);
  }

  private drop(): void {
    if (this.grabbed === undefined) return;
    this.editing.announce(`${this.editing.describe(this.grabbed)}, put down.`);
    this.grabbed = undefined;
    this.editing.plane.interaction.grabbing = false;
    this.editing.store.endGesture();
  }

  private delete(index: number): void {
    this.grabbed = undefined;
    this.editing.plane.interaction.grabbing = false;
    this.editing.remove(index);
  }

  private onPoint(act: (index: number) => void): void {
    const index = this.grabbed ?? this.pointUnderCursor();
    if (index === undefined) this.editing.announce("There is no point under the cursor.");
    else act(index);
  }
}

const clampToRange = (value: number, [least, most]: [number, number]): number => {
  const clamped = Math.min(most, Math.max(least, value));
  return Math.abs(clamped) < 1e-12 ? 0 : clamped;
};
