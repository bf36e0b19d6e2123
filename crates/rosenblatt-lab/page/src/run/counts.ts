// Counts the examples that the lines of a step misclassify. The engine counts, one request at a time.

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
  /** The newest count. It may belong to an earlier step while the page steps on. */
  current: Counted | undefined;
  private wished: Wish | undefined;
  private readonly turns = new Turns<Wish>(wish => this.answer(wish));

  constructor(private readonly arrived: () => void, private readonly refused: (error: unknown) => void) {}

  /** Requests the errors at a step; `current` changes when the answer arrives. */
  wish(run: Run | undefined, step: Step | undefined): void {
    if (!run || !step) return this.forget();
    if (this.wished?.run === run && this.wished.step.step === step.step) return;
    this.wished = { run, step };
    if (step.step !== run.visits) return this.turns.ask(this.wished);
    // The report has the errors at the end of the run.
    this.turns.forget();
    this.current = { run, step: step.step, errors: run.report.errors };
  }

  private forget(): void {
    this.current = undefined;
    this.wished = undefined;
    this.turns.forget();
  }

  private async answer(wish: Wish): Promise<void> {
    const { run, step } = wish;
    try {
      const counted = { run, step: step.step, errors: await count(wish) };
      // An older count of this run is better than none, but not if the count at its end is known.
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

/** Kernel runs have no lines; their surfaces include the errors. */
async function count({ run, step }: Wish): Promise<Errors> {
  const lines = LINES.filter(kept => step[kept] !== undefined);
  if (lines.length === 0) return {};
  const planes = lines.map(kept => step[kept] as Plane);
  const { zero } = run.choices;
  const counted = await errors({ points: run.points, planes, ...(zero && { zero }) });
  return Object.fromEntries(lines.map((kept, k) => [kept, counted.errors[k]]));
}
