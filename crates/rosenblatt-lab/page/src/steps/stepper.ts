// The current step of the run, and moves to other steps.

import { Run, type Step } from "../run/run.js";
import { type Pace, PACES, Tempo, UPDATE_TIME } from "./tempo.js";

/** Updates that take less are seen as a blur of lines. */
const BLUR = 100; // milliseconds

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
  pace: Pace = "normal";
  /** The last step that was shown of this run. */
  seen = 0;
  /** Whether the last change was a move to a next step, which the plane shows as a movement. */
  moving = false;
  /** The milliseconds of the movement of a step that was asked for. */
  private stepTime = UPDATE_TIME;
  private frame = 0;
  private lastTick = 0;
  private tempo: Tempo | undefined;
  /** The visits that playing has reached. They may still be loading. */
  private reached = 0;
  /** The milliseconds of the visit reached, and those that it has had. */
  private visitTime = 0;
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

  /** The milliseconds of the update that is shown. */
  get updateTime(): number {
    return this.playing ? this.visitTime / PACES[this.pace] : this.stepTime;
  }

  /** Whether updates follow too fast to be seen one by one. */
  get isBlur(): boolean {
    return this.playing && this.tempo !== undefined && this.tempo.updateTime / PACES[this.pace] < BLUR;
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

  /** Stops playing and shows a step, as a movement of some milliseconds if it is `moving`. */
  async jump(step: number, moving = false, milliseconds = UPDATE_TIME): Promise<void> {
    this.pause();
    this.moving = moving;
    this.stepTime = milliseconds;
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

  async nextMistake(milliseconds = UPDATE_TIME): Promise<void> {
    this.pause();
    const { run } = this;
    if (!run) return;
    const found = await run.nextMistake(this.step).catch((error: unknown) => this.listener.showError(error));
    if (typeof found === "number" && run === this.run) await this.jump(found, true, milliseconds);
  }

  async play(): Promise<void> {
    if (this.playing) return this.pause();
    if (!this.run) return;
    if (this.atEnd) await this.go(0);
    this.lastTick = performance.now();
    this.tempo = new Tempo(this.run, this.current?.updates ?? 0);
    this.reached = this.step;
    this.visitTime = this.current?.visit?.stepSize ? this.tempo.updateTime : 0;
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
    const { run, tempo } = this;
    if (!run || !tempo) return;
    // The limit keeps the run from jumping after the browser paused.
    this.pendingTime += Math.min(100, now - this.lastTick) * PACES[this.pace];
    this.lastTick = now;
    this.frame = requestAnimationFrame(later => this.tick(later));
    this.reach(run, tempo);
    if (run.hasWindow(this.reached)) this.advance(run, this.reached);
    if (this.playing) void this.prefetch(run, Math.min(run.visits, this.reached + 1));
  }

  /** Passes the visits whose time is over. */
  private reach(run: Run, tempo: Tempo): void {
    // Each step stays for its time before the next one is shown.
    while (this.reached < run.visits && this.pendingTime >= this.visitTime) {
      const isNews = run.isUpdate(this.reached);
      // Time waits for visits that are still loading, unless all visits take the same time.
      if (isNews === undefined && !tempo.isEven) {
        this.pendingTime = this.visitTime;
        return;
      }
      this.pendingTime -= this.visitTime;
      this.visitTime = tempo.next(this.reached, isNews ?? false);
      this.reached++;
    }
  }

  private advance(run: Run, step: number): void {
    if (step <= this.step) return;
    this.moving = true;
    this.showStep(run, step);
    this.moving = false;
    if (step >= run.visits) this.pause();
  }

  /** Loads what playing needs next. */
  private async prefetch(run: Run, step: number): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    await this.reportErrors(run.hasWindow(step) ? run.prefetch(step) : run.load(step));
    this.loading = false;
    // Meanwhile a fast run may have left these visits behind; they are shown nevertheless.
    if (this.playing && run === this.run && !run.hasWindow(this.reached)) this.advance(run, step);
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
