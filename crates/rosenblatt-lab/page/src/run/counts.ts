// How many examples the lines of a step get wrong: counted by the engine, one question at a time.

import { errors } from "../ask.js";
import type { Kept, Plane } from "../contract.js";
import { Turns } from "../turns.js";
import type { Run, Step } from "./run.js";

export type Errors = Partial<Record<Kept, number>>;

/** The errors of a run's lines after some visits. */
export interface Counted {
  run: Run;
  step: number;
  errors: Errors;
}

interface Wish {
  run: Run;
  step: Step;
}

const LINES = ["last", "average", "pocket"] as const;

export class Counts {
  /** The newest count. While steps go on it may be one of the steps before. */
  current: Counted | undefined;
  private wished: Wish | undefined;
  private readonly turns = new Turns<Wish>(wish => this.answer(wish));

  constructor(private readonly arrived: () => void, private readonly refused: (error: unknown) => void) {}

  /** Wishes for the errors at a step; `current` follows when they are here. */
  wish(run: Run | undefined, step: Step | undefined): void {
    if (!run || !step) return this.forget();
    if (this.wished?.run === run && this.wished.step.step === step.step) return;
    this.wished = { run, step };
    if (step.step !== run.visits) return this.turns.ask(this.wished);
    // Of the end of the run the report has told.
    this.turns.forget();
    this.current = { run, step: step.step, errors: run.report.errors };
  }

  /** Nothing is shown of which there are errors. */
  private forget(): void {
    this.current = undefined;
    this.wished = undefined;
    this.turns.forget();
  }

  private async answer(wish: Wish): Promise<void> {
    const { run, step } = wish;
    try {
      const counted = { run, step: step.step, errors: await count(wish) };
      // While steps go on, an older count is better than none; of another run, or after a later one, it is not.
      if (this.wished?.run !== run || this.isAtEnd(run)) return;
      this.current = counted;
    } catch (error) {
      if (this.wished !== wish) return;
      this.current = undefined;
      this.wished = undefined;
      this.refused(error);
    }
    this.arrived();
  }

  private isAtEnd(run: Run): boolean {
    return this.wished?.step.step === run.visits;
  }
}

/** Of a kernel there are no lines, and its surfaces bring their errors along. */
async function count({ run, step }: Wish): Promise<Errors> {
  const lines = LINES.filter(kept => step[kept] !== undefined);
  if (lines.length === 0) return {};
  const planes = lines.map(kept => step[kept] as Plane);
  const { zero } = run.choices;
  const counted = await errors({ points: run.points, planes, ...(zero && { zero }) });
  return Object.fromEntries(lines.map((kept, k) => [kept, counted.errors[k]]));
}
