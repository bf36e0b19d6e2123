// Edits points by keyboard with a cursor.

import type { Editing } from "./editing.js";
import { place } from "./editing.js";
import { tickStep } from "./axes.js";
import { nearest } from "./plane.js";

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/** The minimum pixels of a large step. */
const COARSE = 36;

export class Keys {
  private carried: number | undefined;
  private gesture = "";
  private gestures = 0;

  constructor(private readonly editing: Editing, private readonly choose: (sign: 1 | -1) => void) {
    const { canvas } = editing.plane;
    canvas.addEventListener("keydown", event => this.key(event));
    canvas.addEventListener("focus", () => this.focus());
    canvas.addEventListener("blur", () => this.blur());
  }

  private focus(): void {
    if (!this.editing.plane.canvas.matches(":focus-visible")) return;
    this.cursor();
    this.editing.plane.draw();
  }

  private blur(): void {
    this.drop();
    this.editing.plane.pointing.cursor = undefined;
    this.editing.plane.draw();
  }

  /** The cursor; it starts at a round position near the center. */
  private cursor(): [number, number] {
    const { view, pointing } = this.editing.plane;
    const step = tickStep(view, COARSE);
    const round = (value: number): number => Math.round(value / step) * step || 0;
    return (pointing.cursor ??= [round(view.middle[0]), round(view.middle[1])]);
  }

  private under(): number | undefined {
    const { plane, points } = this.editing;
    const [x, y] = this.cursor();
    return nearest(points, plane.view, plane.view.left(x), plane.view.top(y), plane.size + 2);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.walk(arrow, event.shiftKey);
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

  private walk([dx, dy]: readonly [number, number], far: boolean): void {
    const { view, pointing } = this.editing.plane;
    const step = tickStep(view, COARSE) * (far ? 1 : 0.25);
    const [x, y] = this.cursor();
    const at: [number, number] = [keep(x + dx * step, view.x), keep(y + dy * step, view.y)];
    pointing.cursor = at;
    if (this.carried !== undefined) this.editing.move(this.carried, ...at, this.gesture);
    this.tell();
  }

  private tell(): void {
    const [x, y] = this.cursor();
    const under = this.carried === undefined ? this.under() : undefined;
    const where = place([this.editing.plane.view.round(x), this.editing.plane.view.round(y)]);
    this.editing.say(under === undefined ? where : `${where}: ${this.editing.describe(under)}`);
  }

  private enter(): void {
    if (this.carried !== undefined) return this.drop();
    const under = this.under();
    if (under === undefined) return this.editing.add(...this.cursor());
    this.carried = under;
    this.gesture = `carry ${++this.gestures}`;
    this.editing.plane.pointing.carrying = true;
    this.editing.say(`${this.editing.describe(under)}, picked up. Arrow keys move it, Enter puts it down.`);
  }

  private drop(): void {
    if (this.carried === undefined) return;
    this.editing.say(`${this.editing.describe(this.carried)}, put down.`);
    this.carried = undefined;
    this.editing.plane.pointing.carrying = false;
    this.editing.store.settle();
  }

  private delete(index: number): void {
    this.carried = undefined;
    this.editing.plane.pointing.carrying = false;
    this.editing.remove(index);
  }

  private onPoint(act: (index: number) => void): void {
    const index = this.carried ?? this.under();
    if (index === undefined) this.editing.say("There is no point under the cursor.");
    else act(index);
  }
}

const keep = (value: number, [least, most]: [number, number]): number => {
  const kept = Math.min(most, Math.max(least, value));
  return Math.abs(kept) < 1e-12 ? 0 : kept;
};
