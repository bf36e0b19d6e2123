// The movement of an update: rings around the example, the arrow of the step, then the line turns.

import type { Hyperplane } from "../contract.js";
import type { Visit } from "../run/run.js";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
/** Shorter movements are left out. */
const SHORTEST = 250; // milliseconds

/** What the plane shows at a moment of the movement. */
export interface Moment {
  /** From 0 to 1 over the whole movement. */
  time: number;
  line: Hyperplane;
}

export class Motion {
  private startedAt = 0;
  private duration = 0;
  private from: Hyperplane = [];
  private to: Hyperplane = [];

  /** Starts the movement of a visit's update, of so many milliseconds. */
  start({ before, stepSize }: Visit, after: Hyperplane | undefined, milliseconds: number): void {
    this.stop();
    if (reduced.matches || milliseconds < SHORTEST || stepSize === 0 || !before || !after) return;
    [this.from, this.to] = [before, after];
    this.startedAt = performance.now();
    this.duration = milliseconds;
  }

  stop(): void {
    this.duration = 0;
  }

  /** The moment to draw; `undefined` without a movement. */
  moment(): Moment | undefined {
    if (this.duration === 0) return undefined;
    const time = (performance.now() - this.startedAt) / this.duration;
    if (time >= 1) {
      this.stop();
      return undefined;
    }
    // The line turns in the middle of the movement.
    const turned = Math.min(1, Math.max(0, (time - 0.35) / 0.5));
    const share = 1 - (1 - turned) ** 3;
    return { time: Math.max(0, time), line: this.from.map((value, k) => value + ((this.to[k] ?? 0) - value) * share) };
  }
}
