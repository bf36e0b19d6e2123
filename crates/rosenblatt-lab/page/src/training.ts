// Trains when points or options change: one request is pending, the newest waits.

import type { Points, RunOptions } from "./contract.js";
import { Run } from "./run/run.js";

const ABORT_AFTER = 400; // milliseconds before an outdated request is aborted

interface TrainingRequest {
  points: Points;
  options: RunOptions;
  step: number;
}

export class Training {
  private waiting: TrainingRequest | undefined;
  private abort: AbortController | undefined;
  private startedAt = 0;

  constructor(
    private readonly onTrained: (run: Run, step: number) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Requests a run that the page shows at `step`. */
  request(points: Points, options: RunOptions, step: number): void {
    this.waiting = { points, options, step };
    if (!this.abort) void this.work();
    else if (performance.now() - this.startedAt > ABORT_AFTER) this.abort.abort();
    else window.setTimeout(() => { if (this.waiting) this.abort?.abort(); }, ABORT_AFTER);
  }

  /** Aborts the pending request and drops the waiting one. */
  forget(): void {
    this.waiting = undefined;
    this.abort?.abort();
  }

  private async work(): Promise<void> {
    for (let request = this.waiting; request; request = this.waiting) {
      this.waiting = undefined;
      this.abort = new AbortController();
      this.startedAt = performance.now();
      await this.train(request, this.abort.signal);
    }
    this.abort = undefined;
  }

  private async train({ points, options, step }: TrainingRequest, signal: AbortSignal): Promise<void> {
    try {
      const run = await Run.start(points, options, step, signal);
      if (!signal.aborted) await this.onTrained(run, Math.min(step, run.visits));
    } catch (error) {
      if (!signal.aborted) this.onError(error);
    }
  }
}
