// The current step of the run, and moves to other steps.

import { Run, type Step } from "../run/run.js";

export interface Audience {
  /** Called after the step or the run changed. */
  stepped(step: Step | undefined): void;
  /** Called when playing starts or ends. */
  played(playing: boolean): void;
  refused(error: unknown): void;
}

export class Stepper {
  run: Run | undefined;
  current: Step | undefined;
  /** Visits per second while playing. */
  speed = 2;
  private frame = 0;
  private clock = 0;
  private owed = 0;
  private asked = 0;
  private loading = false;

  constructor(private readonly audience: Audience) {}

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
    this.audience.stepped(undefined);
  }

  /** Shows a step, unless a newer request replaces it. */
  async go(step: number): Promise<void> {
    const { run } = this;
    if (!run) return;
    const asked = ++this.asked;
    const wanted = Math.min(run.visits, Math.max(0, step));
    if (!run.covers(wanted)) await this.guarded(run.load(wanted));
    if (asked === this.asked && run === this.run) this.stand(run, wanted);
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
    const found = await run.nextMistake(this.step).catch((error: unknown) => this.audience.refused(error));
    if (typeof found === "number" && run === this.run) await this.go(found);
  }

  async play(): Promise<void> {
    if (this.playing) return this.pause();
    if (!this.run) return;
    if (this.atEnd) await this.go(0);
    this.clock = performance.now();
    this.owed = this.speed < 20 ? 1 : 0;
    this.frame = requestAnimationFrame(now => this.tick(now));
    this.audience.played(true);
  }

  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.audience.played(false);
  }

  private tick(now: number): void {
    const { run } = this;
    if (!run) return;
    // The limit keeps the run from jumping after the browser paused.
    this.owed += (Math.min(100, now - this.clock) * this.speed) / 1000;
    this.clock = now;
    this.frame = requestAnimationFrame(later => this.tick(later));
    const steps = Math.floor(this.owed);
    if (steps === 0) return;
    this.owed -= steps;
    this.advance(run, Math.min(run.visits, this.step + steps));
  }

  private advance(run: Run, step: number): void {
    if (run.covers(step)) this.stand(run, step);
    void this.ahead(run, step);
    if (this.step >= run.visits) this.pause();
  }

  private async ahead(run: Run, step: number): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    await this.guarded(run.covers(step) ? run.ahead(step) : run.load(step));
    this.loading = false;
  }

  private stand(run: Run, step: number): void {
    this.current = run.at(step);
    this.audience.stepped(this.current);
  }

  private async guarded(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      this.pause();
      this.audience.refused(error);
    });
  }
}
