// The current step of the run, and moves to other steps.

import { Run, type Step } from "../run/run.js";

/** Milliseconds of an update, and of a visit without one. */
const UPDATE_TIME = 900;
const VISIT_TIME = 1000 / 30;

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
  /** The pace of playing; at 1, correct visits pass at 30 a second and an update takes 0.9 s. */
  speed = 1;
  /** The last step that was shown of this run. */
  seen = 0;
  /** Whether the last change was a move to a next step, which the plane shows as a movement. */
  moving = false;
  private frame = 0;
  private lastTick = 0;
  private pendingTime = 0;
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

  /** Whether the end of the run was shown: only then does the page say how it ends. */
  get ended(): boolean {
    return this.run !== undefined && this.seen >= this.run.visits;
  }

  /** The milliseconds of an update. */
  get updateTime(): number {
    return UPDATE_TIME / (this.playing ? this.speed : 1);
  }

  /** Shows `step` of another run. */
  async setRun(run: Run | undefined, step: number): Promise<void> {
    if (this.run !== run) this.run?.stop();
    this.run = run;
    this.seen = 0;
    this.moving = false;
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
  async jump(step: number, moving = false): Promise<void> {
    this.pause();
    this.moving = moving;
    await this.go(step);
    this.moving = false;
  }

  next(): Promise<void> {
    return this.jump(this.step + 1, true);
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
    if (typeof found === "number" && run === this.run) await this.jump(found, true);
  }

  async play(): Promise<void> {
    if (this.playing) return this.pause();
    if (!this.run) return;
    if (this.atEnd) await this.go(0);
    this.lastTick = performance.now();
    this.pendingTime = 0;
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
    this.pendingTime += Math.min(100, now - this.lastTick) * this.speed;
    this.lastTick = now;
    this.frame = requestAnimationFrame(later => this.tick(later));
    let step = this.step;
    // Each step stays for its time before the next one is shown.
    while (step < run.visits) {
      const time = step > 0 && run.isUpdate(step - 1) ? UPDATE_TIME : VISIT_TIME;
      if (this.pendingTime < time) break;
      this.pendingTime -= time;
      step++;
    }
    if (step > this.step) this.advance(run, step);
  }

  private advance(run: Run, step: number): void {
    this.moving = true;
    if (run.hasWindow(step)) this.showStep(run, step);
    this.moving = false;
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
    this.seen = Math.max(this.seen, step);
    this.listener.stepped(this.current);
  }

  private async reportErrors(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      this.pause();
      this.listener.showError(error);
    });
  }
}
