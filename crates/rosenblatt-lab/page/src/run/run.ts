// A run of the engine, loaded in windows of visits.
//
// The engine stores nothing: each question trains again. The first question trains to the end and returns the
// report; later questions stop at the end of their window.

import { train } from "../ask.js";
import {
  type Hyperplane, type Line, LIMITS, LINES, type LineWeights, type Points, type Report, type RunOptions, type Score, type Sign, type Trace,
  type TrainAnswer, type TrainQuestion,
} from "../contract.js";

const MIN_WINDOW = 1000;
const MAX_WINDOWS = 4;
/** A run of at most this many visits can be loaded as a whole. */
export const WHOLE_RUN = MIN_WINDOW * MAX_WINDOWS;

/** The state of a run after `step` visits; it has no weights for kernels. */
export interface Step extends LineWeights {
  step: number;
  /** The epoch of the last visit, counted from 1; at step 0, the first epoch. */
  epoch: number;
  updates: number;
  mistakesThisEpoch: number;
  visit?: Visit;
}

/** The visit before a step. */
export interface Visit {
  example: number;
  row: number[];
  sign: Sign;
  score: Score;
  scoreAfter: Score;
  mistake: boolean;
  /** The signed length of the step; 0 without an update. */
  stepSize: number;
  before?: Hyperplane;
  /** The precisions of the weights before and after the visit, for a rule with precisions. */
  precisions?: [before: Hyperplane, after: Hyperplane];
}

/** A trace with its running sums. */
interface TraceWindow {
  trace: Trace;
  count: number;
  /** The step after its last visit. */
  end: number;
  updates: Int32Array;
  mistakes: Int32Array;
}

export class Run {
  private windows: TraceWindow[] = [];
  private loading = new Map<number, Promise<void>>();
  private readonly abort = new AbortController();

  private constructor(readonly points: Points, readonly options: RunOptions, readonly answer: TrainAnswer) {}

  /** Trains to the end and loads the window of `step`. */
  static async start(points: Points, options: RunOptions, step: number, signal: AbortSignal): Promise<Run> {
    const window = windowAt(points, step);
    const answer = await train({ points, options, window }, signal);
    const run = new Run(points, options, answer);
    if (answer.trace) run.addWindow(answer.trace);
    await run.load(Math.min(step, answer.visits));
    return run;
  }

  get report(): Report {
    return this.answer.report;
  }

  get visits(): number {
    return this.answer.visits;
  }

  get count(): number {
    return this.points.rows.length;
  }

  /** Aborts the pending requests. */
  stop(): void {
    this.abort.abort();
  }

  hasWindow(step: number): boolean {
    return this.window(step) !== undefined;
  }

  /** Loads the window of a step, unless it is loaded. */
  load(step: number): Promise<void> {
    if (this.hasWindow(step)) return Promise.resolve();
    const window = windowAt(this.points, step);
    const pending = this.loading.get(window.from);
    if (pending) return pending;
    const question: TrainQuestion = {
      points: this.points, options: this.options, window, until: window.from + window.count,
    };
    const loaded = train(question, this.abort.signal)
      .then(answer => { if (answer.trace) this.addWindow(answer.trace); })
      .finally(() => this.loading.delete(window.from));
    this.loading.set(window.from, loaded);
    return loaded;
  }

  /** Loads the windows of the visits from `first` until `last`. */
  async loadAll(first: number, last: number): Promise<void> {
    for (let step = first + 1; step <= last; step = (this.window(step)?.end ?? last) + 1) await this.load(step);
  }

  /** Loads the next window if the step is in the second half of its window. */
  async prefetch(step: number): Promise<void> {
    const window = this.window(step);
    if (!window) return;
    const { end } = window;
    if (end < this.visits && end - step < window.count / 2) await this.load(end + 1);
  }

  /** The state after `step` visits; `undefined` if its window is not loaded. */
  at(step: number): Step | undefined {
    const window = this.window(step);
    if (!window) return undefined;
    const { trace } = window;
    const k = step - trace.from;
    const epoch = Math.max(0, Math.floor((step - 1) / this.count));
    const epochStart = Math.max(0, epoch * this.count - trace.from);
    const found: Step = {
      step,
      epoch: epoch + 1,
      updates: trace.updates_before + (window.updates[k] ?? 0),
      mistakesThisEpoch: (window.mistakes[k] ?? 0) - (window.mistakes[epochStart] ?? 0),
    };
    setWeights(found, kept => trace[kept]?.[k]);
    // At the end of the run, the pocket also compares the last weights.
    if (step === this.visits) setWeights(found, kept => this.answer[kept]);
    if (k > 0) found.visit = this.visit(trace, k - 1);
    return found;
  }

  /** Whether visit `step`, counted from 0, changed the weights or was a mistake; `undefined` if it is not loaded. */
  isUpdate(step: number): boolean | undefined {
    const window = this.window(step + 1);
    if (!window) return undefined;
    const k = step - window.trace.from;
    return window.trace.steps[k] !== 0 || (window.trace.mistakes[k] ?? false);
  }

  /** The lines before the last updates until `step`, at most `count` of them, the oldest first. */
  trail(step: number, count: number): Hyperplane[] {
    const found: Hyperplane[] = [];
    const window = this.window(step);
    for (let k = step - 1 - (window?.trace.from ?? step); k >= 0 && found.length < count; k--) {
      const before = window?.trace.last?.[k];
      if (before && window?.trace.steps[k] !== 0) found.unshift(before);
    }
    return found;
  }

  /** The weights at the start and after each update until `step`; `undefined` if not all windows are loaded. */
  weightsAfterUpdates(step: number): Hyperplane[] | undefined {
    const found: Hyperplane[] = [];
    for (let visit = 0; visit < Math.max(1, step);) {
      const window = this.window(visit + 1);
      if (!window?.trace.last) return undefined;
      const { trace } = window;
      if (visit === 0 && trace.last?.[0]) found.push(trace.last[0]);
      for (; visit < Math.min(step, window.end); visit++) {
        const after = trace.last?.[visit - trace.from + 1];
        if (after && trace.steps[visit - trace.from] !== 0) found.push(after);
      }
      if (step === 0) break;
    }
    return found;
  }

  /** The step after the next mistake, or the last step if there is none. */
  async nextMistake(step: number): Promise<number> {
    let from = step;
    while (from < this.visits) {
      await this.load(from + 1);
      const window = this.window(from + 1);
      if (!window) return this.visits;
      const { end } = window;
      for (let visit = from; visit < end; visit++) {
        if (window.trace.mistakes[visit - window.trace.from]) return visit + 1;
      }
      from = this.epochWithMistake(end);
    }
    return this.visits;
  }

  /** The first visit, from `visit` on, in an epoch with mistakes. */
  private epochWithMistake(visit: number): number {
    const epochs = this.report.mistakes_per_epoch;
    let epoch = Math.floor(visit / this.count);
    if (visit > epoch * this.count) return visit;
    while (epoch < epochs.length && epochs[epoch] === 0) epoch++;
    return epoch < epochs.length ? epoch * this.count : this.visits;
  }

  private visit(trace: Trace, k: number): Visit {
    const example = entry(trace.examples, k);
    const visit: Visit = {
      example,
      row: entry(this.points.rows, example),
      sign: entry(this.points.signs, example),
      score: entry(trace.scores, k),
      scoreAfter: entry(trace.scores_after, k),
      mistake: entry(trace.mistakes, k),
      stepSize: entry(trace.steps, k),
    };
    const before = trace.last?.[k];
    if (before) visit.before = before;
    const { precisions } = trace;
    if (precisions) visit.precisions = [entry(precisions, k), entry(precisions, k + 1)];
    return visit;
  }

  private addWindow(trace: Trace): void {
    this.windows.unshift({
      trace,
      count: trace.examples.length,
      end: trace.from + trace.examples.length,
      updates: sums(trace.steps, step => step !== 0),
      mistakes: sums(trace.mistakes, mistake => mistake),
    });
    this.windows.length = Math.min(this.windows.length, MAX_WINDOWS);
  }

  private window(step: number): TraceWindow | undefined {
    const visit = Math.max(0, step - 1);
    return this.windows.find(({ trace, end }) => trace.from <= visit && step <= end);
  }
}

/** An entry that an answer must have: nothing stands for one that it lacks. */
function entry<T extends object | number | string | boolean>(list: readonly T[], place: number): T {
  const found: T | null | undefined = list[place];
  if (found === undefined || found === null) throw new RangeError(`the answer has no entry ${place}`);
  return found;
}

function setWeights(step: Step, weights: (kept: Line) => Hyperplane | null | undefined): void {
  for (const kept of LINES) {
    const hyperplane = weights(kept);
    if (hyperplane) step[kept] = hyperplane;
  }
}

/** Whole epochs, starting with the step's epoch. */
function windowAt(points: Points, step: number): { from: number; count: number } {
  const epoch = points.rows.length;
  const from = Math.floor(Math.max(0, step - 1) / epoch) * epoch;
  const epochs = Math.max(1, Math.floor(MIN_WINDOW / epoch));
  return { from, count: Math.min(LIMITS.visits, epochs * epoch) };
}

function sums<T>(values: readonly T[], counts: (value: T) => boolean): Int32Array {
  const running = new Int32Array(values.length + 1);
  for (let k = 0; k < values.length; k++) running[k + 1] = (running[k] ?? 0) + (counts(values[k] as T) ? 1 : 0);
  return running;
}
