// Trains when points or options change: one request is pending, the newest waits.

import type { Choices, Points } from "./contract.js";
import { Run } from "./run/run.js";

const PATIENCE = 400; // milliseconds before an outdated request is aborted

interface Wish {
  points: Points;
  choices: Choices;
  step: number;
}

export class Training {
  private waiting: Wish | undefined;
  private abort: AbortController | undefined;
  private begun = 0;

  constructor(
    private readonly trained: (run: Run, step: number) => Promise<void>,
    private readonly refused: (error: unknown) => void,
  ) {}

  /** Requests a run that the page shows at `step`. */
  wish(points: Points, choices: Choices, step: number): void {
    this.waiting = { points, choices, step };
    if (!this.abort) void this.work();
    else if (performance.now() - this.begun > PATIENCE) this.abort.abort();
    else window.setTimeout(() => { if (this.waiting) this.abort?.abort(); }, PATIENCE);
  }

  /** Aborts the pending request and drops the waiting one. */
  forget(): void {
    this.waiting = undefined;
    this.abort?.abort();
  }

  private async work(): Promise<void> {
    for (let wish = this.waiting; wish; wish = this.waiting) {
      this.waiting = undefined;
      this.abort = new AbortController();
      this.begun = performance.now();
      await this.train(wish, this.abort.signal);
    }
    this.abort = undefined;
  }

  private async train({ points, choices, step }: Wish, signal: AbortSignal): Promise<void> {
    try {
      const run = await Run.start(points, choices, step, signal);
      if (!signal.aborted) await this.trained(run, Math.min(step, run.visits));
    } catch (error) {
      if (!signal.aborted) this.refused(error);
    }
  }
}
