// Requests the scores over the plane, one request at a time.

import { train } from "../ask.js";
import type { Choices, Grid, Kept, Points, Report } from "../contract.js";
import { Turns } from "../turns.js";

export interface Surface {
  step: number;
  grid: Grid;
  scores: Map<Kept, Float32Array>;
  report: Report;
}

interface Wish {
  points: Points;
  choices: Choices;
  step: number;
  keep: Kept[];
  grid: Grid;
}

export class Surfaces {
  current: Surface | undefined;
  private readonly turns = new Turns<Wish>(wish => this.answer(wish));
  private cast = "";
  private castOf: Points | undefined;
  private era = 0;

  constructor(private readonly arrived: () => void, private readonly refused: (error: unknown) => void) {}

  /** Requests surfaces; `current` changes when the answer arrives. */
  wish(wish: Wish): void {
    const cast = `${wish.step} ${wish.keep} ${JSON.stringify([wish.grid, wish.choices])}`;
    if (cast === this.cast && wish.points === this.castOf) return;
    this.cast = cast;
    this.castOf = wish.points;
    this.turns.ask(wish);
  }

  /** Drops the surface, because it belongs to other points or options. */
  forget(): void {
    this.current = undefined;
    this.turns.forget();
    this.cast = "";
    this.era++;
  }

  private async answer(wish: Wish): Promise<void> {
    const { era } = this;
    // Errors of an earlier generation are ignored.
    await this.ask(wish).catch(error => { if (era === this.era) this.refused(error); });
  }

  private async ask({ points, choices, step, keep, grid }: Wish): Promise<void> {
    const era = this.era;
    const answer = await train({ points, options: choices, until: step, surfaces: { keep, grid } });
    // A surface of an earlier step is better than none; one of other points is not.
    if (era !== this.era) return;
    const scores = new Map((answer.surfaces ?? []).map(({ kept, scores }) => [kept, Float32Array.from(scores)]));
    this.current = { step, grid, scores, report: answer.report };
    this.arrived();
  }
}
