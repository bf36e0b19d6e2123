// The pace of playing, by news: the first updates take their time, then each takes 12% less, and visits without an
// update pass in a blur. So a run of any length ends within ALL milliseconds at the normal pace.

/** Milliseconds of each of the first updates. */
export const UPDATE_TIME = 900;
const SLOW_UPDATES = 6;
const FASTER = 0.88; // the time of a later update, as a share of the one before
const QUIET_TIME = 1000 / 30; // of the first visit without news after an update; the next ones take less
const QUIET_FASTER = 0.8;
const CLEAN_EPOCH = 1000; // at most, of the last epoch of a run that converges: no mistake is news
const LEAST_EPOCH = 1000 / 80;
/** The least times of all epochs together; a long run has shorter ones. */
const LEAST_EPOCHS = 9500;

/** The sum of the above: updates 12.0 s, visits without one 2.4 s, the blur 9.5 s and the last epoch 1 s. */
export const ALL = 25_000;

/** The paces, relative to the normal one. */
export const PACES = { slow: 0.4, normal: 1, rush: 5 } as const;
export type Pace = keyof typeof PACES;

/** What the pace depends on. */
export interface Length {
  visits: number;
  /** The number of visits of an epoch. */
  count: number;
  report: { converged: boolean };
}

export class Tempo {
  /** No visit takes less. */
  private readonly least: number;
  private readonly cleanFrom: number;
  private readonly cleanTime: number;
  /** The visits without news since the last update. */
  private quiet = 0;

  /** The pace of a run that has made so many updates. */
  constructor({ visits, count, report }: Length, private updates: number) {
    this.least = Math.min(LEAST_EPOCH, (LEAST_EPOCHS * count) / visits) / count;
    this.cleanFrom = report.converged ? visits - count : Infinity;
    this.cleanTime = Math.min(QUIET_TIME, CLEAN_EPOCH / count);
  }

  /** The milliseconds of an update now. */
  get updateTime(): number {
    return Math.max(this.least, UPDATE_TIME * this.faster(this.updates));
  }

  /** Whether all visits take the same time from now on, up to those of a last epoch without a mistake. */
  get isEven(): boolean {
    return UPDATE_TIME * this.faster(this.updates + 1) <= this.least;
  }

  /** The milliseconds of the next visit, counted from 0; `isNews` for an update or a mistake. Called in their order. */
  next(visit: number, isNews: boolean): number {
    if (isNews) {
      this.quiet = 0;
      this.updates++;
      return this.updateTime;
    }
    if (visit >= this.cleanFrom) return Math.max(this.least, this.cleanTime);
    return Math.max(this.least, QUIET_TIME * this.faster(this.updates) * QUIET_FASTER ** this.quiet++);
  }

  private faster(updates: number): number {
    return FASTER ** Math.max(0, updates - SLOW_UPDATES);
  }
}
