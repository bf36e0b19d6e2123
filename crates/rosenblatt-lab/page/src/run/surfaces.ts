// Requests the scores over the plane, one request at a time.

import { train } from "../ask.js";
import type { Grid, Kept, Points, Report, RunOptions } from "../contract.js";
import { SerialRequests } from "../serial-requests.js";

export interface Surface {
  step: number;
  grid: Grid;
  scores: Map<Kept, Float32Array>;
  report: Report;
}

interface SurfaceRequest {
  points: Points;
  options: RunOptions;
  step: number;
  keep: Kept[];
  grid: Grid;
}

export class Surfaces {
  current: Surface | undefined;
  private readonly requests = new SerialRequests<SurfaceRequest>(request => this.answer(request));
  private key = "";
  private keyPoints: Points | undefined;
  private generation = 0;

  constructor(private readonly onAnswer: () => void, private readonly onError: (error: unknown) => void) {}

  /** Requests surfaces; `current` changes when the answer arrives. */
  request(request: SurfaceRequest): void {
    const key = `${request.step} ${request.keep} ${JSON.stringify([request.grid, request.options])}`;
    if (key === this.key && request.points === this.keyPoints) return;
    this.key = key;
    this.keyPoints = request.points;
    this.requests.ask(request);
  }

  /** Drops the surface, because it belongs to other points or options. */
  forget(): void {
    this.current = undefined;
    this.requests.forget();
    this.key = "";
    this.generation++;
  }

  private async answer(request: SurfaceRequest): Promise<void> {
    const { generation } = this;
    // Errors of an earlier generation are ignored.
    await this.ask(request).catch(error => { if (generation === this.generation) this.onError(error); });
  }

  private async ask({ points, options, step, keep, grid }: SurfaceRequest): Promise<void> {
    const generation = this.generation;
    const answer = await train({ points, options, until: step, surfaces: { keep, grid } });
    // A surface of an earlier step is better than none; one of other points is not.
    if (generation !== this.generation) return;
    const scores = new Map((answer.surfaces ?? []).map(({ kept, scores }) => [kept, Float32Array.from(scores)]));
    this.current = { step, grid, scores, report: answer.report };
    this.onAnswer();
  }
}
