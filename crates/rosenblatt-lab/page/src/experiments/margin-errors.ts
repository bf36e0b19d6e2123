// The margin of each of many runs against its errors on points that no run has seen.

import { errors } from "../ask.js";
import { Chart, ChartFrame, type ChartSize } from "../chart.js";
import type { Points, RunOptions, StudyAnswer } from "../contract.js";
import { el } from "../dom.js";
import { grouped, plural, short } from "../numbers.js";
import { freshPoints, type Source } from "../sets/source.js";

const TEST_POINTS = 2000;

/** The runs that converged, by their margins. */
export interface MarginErrors {
  runs: { margin: number; errors: number }[];
  testPoints: number;
}

/** Counts the errors of the lines of a study; `undefined` for a set that has no more points. */
export async function measureMarginErrors(
  points: Points, source: Source, { zero }: RunOptions, { lines, per_run }: StudyAnswer, signal: AbortSignal,
): Promise<MarginErrors | undefined> {
  const test = freshPoints(source, points, TEST_POINTS);
  if (!test) return undefined;
  const planes = lines?.filter((_, k) => per_run[k]?.converged) ?? [];
  const of = (points: Points) => errors({ points, planes, margins: true, ...(zero && { zero }) }, signal);
  const [seen, unseen] = [await of(points), await of(test)];
  const runs = planes.flatMap((_, k) => {
    const [margin, count] = [seen.margins?.[k], unseen.errors[k]];
    return typeof margin === "number" && count !== undefined ? [{ margin, errors: count }] : [];
  });
  return { runs: runs.sort((a, b) => a.margin - b.margin), testPoints: test.rows.length };
}

export class MarginErrorsChart {
  private readonly text = el("p", { "data-test": "margin-errors-words" });
  private readonly frame = new ChartFrame(0.6);
  readonly root = el("div", {}, this.text, this.frame.root);

  show(found: MarginErrors | undefined): void {
    this.text.textContent = found ? words(found) : "Of a random set (a gap, clouds, a ring) this shows the errors of each run on new points, too.";
    this.frame.show(found && found.runs.length > 1 ? size => chart(found, size) : undefined);
  }
}

function words({ runs, testPoints }: MarginErrors): string {
  if (runs.length < 2) return "Fewer than two runs converged, so no margins are compared.";
  const middle = Math.ceil(runs.length / 2);
  const share = (some: MarginErrors["runs"]): string =>
    `${short((100 * some.reduce((sum, { errors }) => sum + errors, 0)) / (some.length * testPoints), 2)}%`;
  return `Each dot is one of ${plural(runs.length, "run")} that converged. On ${grouped(testPoints)} new points the half with the smaller margins errs `
    + `in ${share(runs.slice(0, middle))}, the other half in ${share(runs.slice(middle))}.`;
}

function chart({ runs, testPoints }: MarginErrors, size: ChartSize): Node {
  const percent = (count: number): number => (100 * count) / testPoints;
  const most = Math.max(...runs.map(({ errors }) => percent(errors)));
  const plot = new Chart(size, { label: "margin γ on the examples", range: [0, 1.05 * (runs.at(-1)?.margin ?? 1)] },
    { label: "errors on new points (%)", range: [0, 1.1 * most || 1] }, words({ runs, testPoints }));
  for (const { margin, errors } of runs) {
    plot.dot(margin, percent(errors), "one-of-many", { "data-test": "margin-errors-dot", "data-margin": margin, "data-errors": errors });
  }
  return plot.svg;
}
