// The current step of the run, and moves to other steps.

import { Run, type Step } from "../run/run.js";

export interface StepperListener {
  /** Called after the step or the run changed. */
  stepped(step: Step | undefined): void;
  /** Called when playing starts or ends. */
  played(playing: boolean): void;
  showError(error: unknown): void;
}

export class Stepper {
  run: Run | undefined;
  current: Step | undefined;
  /** Visits per second while playing. */
  speed = 2;
  private frame = 0;
  private lastTick = 0;
  private pendingSteps = 0;
  private requestCount = 0;
  private loading = false;

  constructor(private readonly listener: StepperListener) {}

  get step(): number {
    return this.current?.step ?? 0;
  }

  get playing(): boolean {
    return this.frame !== 0;
  }

  get atEnd(): boolean {
    return this.run !== undefined && this.step >= this.run.visits && this.step > 0;
  }

  /** Shows `step` of another run. */
  async setRun(run: Run | undefined, step: number): Promise<void> {
    if (this.run !== run) this.run?.stop();
    this.run = run;
    if (run) return this.go(step);
    this.pause();
    this.current = undefined;
    this.listener.stepped(undefined);
  }

  /** Shows a step, unless a newer request replaces it. */
  async go(step: number): Promise<void> {
    const { run } = this;
    if (!run) return;
    const request = ++this.requestCount;
    const wanted = Math.min(run.visits, Math.max(0, step));
    if (!run.hasWindow(wanted)) await this.reportErrors(run.load(wanted));
    if (request === this.requestCount && run === this.run) this.showStep(run, wanted);
  }

  /** Stops playing and shows a step. */
  async jump(step: number): Promise<void> {
    this.pause();
    await this.go(step);
  }

  next(): Promise<void> {
    return this.jump(this.step + 1);
  }

  previous(): Promise<void> {
    return this.jump(this.step - 1);
  }

  reset(): Promise<void> {
    return this.jump(0);
  }

  end(): Promise<void> {
    return this.jump(this.run?.visits ?? 0);
  }

  /** Shows the end of this epoch; at its end, the end of the next epoch. */
  nextEpoch(): Promise<void> {
    const count = this.run?.count ?? 1;
    return this.jump((Math.floor(this.step / count) + 1) * count);
  }

  async nextMistake(): Promise<void> {
    this.pause();
    const { run } = this;
    if (!run) return;
    const found = await run.nextMistake(this.step).catch((error: unknown) => this.listener.showError(error));
    if (typeof found === "number" && run === this.run) await this.go(found);
  }

  async play(): Promise<void> {
    if (this.playing) return this.pause();
    if (!this.run) return;
    if (this.atEnd) await this.go(0);
    this.lastTick = performance.now();
    this.pendingSteps = this.speed < 20 ? 1 : 0;
    this.frame = requestAnimationFrame(now => this.tick(now));
    this.listener.played(true);
  }

  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.listener.played(false);
  }

  private tick(now: number): void {
    const { run } = this;
    if (!run) return;
    // The limit keeps the run from jumping after the browser paused.
    this.pendingSteps += (Math.min(100, now - this.lastTick) * this.speed) / 1000;
    this.lastTick = now;
    this.frame = requestAnimationFrame(later => this.tick(later));
    const steps = Math.floor(this.pendingSteps);
    if (steps === 0) return;
    this.pendingSteps -= steps;
    this.advance(run, Math.min(run.visits, this.step + steps));
  }

  private advance(run: Run, step: number): void {
    if (run.hasWindow(step)) this.showStep(run, step);
    void this.prefetch(run, step);
    if (this.step >= run.visits) this.pause();
  }

  private async prefetch(run: Run, step: number): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    await this.reportErrors(run.hasWindow(step) ? run.prefetch(step) : run.load(step));
    this.loading = false;
  }

  private showStep(run: Run, step: number): void {
    this.current = run.at(step);
    this.listener.stepped(this.current);
  }

  private async reportErrors(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      this.pause();
      this.listener.showError(error);
    });
  }
}
