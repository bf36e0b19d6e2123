// Counts the examples that the lines of a step misclassify. The engine counts, one request at a time.

import { errors } from "../ask.js";
import { type Hyperplane, type Kept, LINES } from "../contract.js";
import { SerialRequests } from "../serial-requests.js";
import type { Run, Step } from "./run.js";

export type ErrorsByKept = Partial<Record<Kept, number>>;

/** The errors of a run's lines after some visits. */
export interface CountedErrors {
  run: Run;
  step: number;
  errors: ErrorsByKept;
}

interface CountRequest {
  run: Run;
  step: Step;
}

export class ErrorCounts {
  /** The newest count. It may belong to an earlier step while the page steps on. */
  current: CountedErrors | undefined;
  private requested: CountRequest | undefined;
  private readonly requests = new SerialRequests<CountRequest>(request => this.answer(request));

  constructor(private readonly onAnswer: () => void, private readonly onError: (error: unknown) => void) {}

  /** Requests the errors at a step; `current` changes when the answer arrives. */
  request(run: Run | undefined, step: Step | undefined): void {
    if (!run || !step) return this.forget();
    if (this.requested?.run === run && this.requested.step.step === step.step) return;
    this.requested = { run, step };
    if (step.step !== run.visits) return this.requests.ask(this.requested);
    // The report has the errors at the end of the run.
    this.requests.forget();
    this.current = { run, step: step.step, errors: run.report.errors };
  }

  private forget(): void {
    this.current = undefined;
    this.requested = undefined;
    this.requests.forget();
  }

  private async answer(request: CountRequest): Promise<void> {
    const { run, step } = request;
    try {
      const counted = { run, step: step.step, errors: await count(request) };
      // An older count of this run is better than none, but not if the count at its end is known.
      if (this.requested?.run !== run || this.isAtEnd(run)) return;
      this.current = counted;
    } catch (error) {
      if (this.requested !== request) return;
      this.current = undefined;
      this.requested = undefined;
      this.onError(error);
    }
    this.onAnswer();
  }

  private isAtEnd(run: Run): boolean {
    return this.requested?.step.step === run.visits;
  }
}

/** Kernel runs have no lines; their surfaces include the errors. */
async function count({ run, step }: CountRequest): Promise<ErrorsByKept> {
  const lines = LINES.filter(kept => step[kept] !== undefined);
  if (lines.length === 0) return {};
  const planes = lines.map(kept => step[kept] as Hyperplane);
  const { zero } = run.options;
  const counted = await errors({ points: run.points, planes, ...(zero && { zero }) });
  return Object.fromEntries(lines.map((kept, k) => [kept, counted.errors[k]]));
}
