// What the page asks and what the engine answers: the JSON of `question.rs` and `answer/`.
//
// A question goes to POST /ask as an object with one key. A question that cannot be answered comes back
// with a status of 400 or more and a `Refusal`.

export type Sign = 1 | -1;
export type Kept = "last" | "average" | "pocket" | "vote";
export type ZeroScore = "positive" | "negative"; // the class of a score of 0

export interface Points {
  rows: number[][];
  signs: Sign[];
}

/** Options of a run, as the command writes them; what is left out has the command's default. */
export interface Choices {
  update?: string; // perceptron, margin:M, pa, pa1:C, pa2:C
  keep?: Kept | "auto";
  kernel?: string; // linear, poly:D, rbf:G; absent: the space of the features
  bias?: "unit" | "none" | "radius";
  mistake?: "margin" | "label";
  zero?: ZeroScore;
  order?: "shuffle" | "given";
  init?: "zero" | "random";
  seed?: number;
  epochs?: number; // at most 100 000
  allow_mistakes?: number;
  eta?: number;
}

export interface Grid {
  x: [number, number];
  y: [number, number];
  columns: number; // corners included; at most 40 000 places in all
  rows: number;
}

export interface TrainQuestion {
  points: Points; // at most 5000 points
  options?: Choices;
  /** Stop after so many visits; absent: to the end of the run. */
  until?: number;
  /** The visits from, …, from + count − 1, counted from 0; at most 5000 of them. */
  window?: { from: number; count: number };
  /** Scores over a grid, by the weights as they stand at the end (or at `until`). */
  surfaces?: { keep: Kept[]; grid: Grid };
}

/** Weights and bias: [w₁, …, w_d, b]. The line is w·x + b = 0; as a threshold on w·x the bias is −b. */
export type Plane = number[];

/** The visits of a window, one by one. */
export interface Trace {
  from: number;
  /** Updates and mistakes before the first visit of the window. */
  updates_before: number;
  mistakes_before: number;
  /** Of each visit: the example (from 0), its score before any update, whether it was a mistake, and the
   * signed step by which the weights moved along the example (ηy for the perceptron; 0 if they did not). */
  examples: number[];
  scores: number[];
  mistakes: boolean[];
  steps: number[];
  /** One longer than the visits: before the first, and after each. `average` is null before any visit of
   * the run. Absent for kernels. */
  last?: Plane[];
  average?: (Plane | null)[];
  pocket?: Plane[];
}

export interface Bracket {
  lower?: number;
  upper?: number;
}

/** What happened: the keys of `train --json`. */
export interface Report {
  examples: number;
  features: number;
  epochs: number; // begun, the last one included
  updates: number;
  converged: boolean; // the last epoch was without a mistake
  stopped_by: "clean_epoch" | "allowed_mistakes" | "max_epochs" | "observer"; // observer: at `until`, where the run is not over anyway
  mistakes_per_epoch: number[];
  kept: Kept;
  errors: { last: number; average?: number; pocket?: number; vote?: number };
  training_errors: number;
  training_error_rate: number;
  radius: number; // R = max‖x‖
  min_margin?: number;
  separator?: Kept;
  margin: Bracket; // what the run proves of γ
  novikoff_bound?: number;
  support?: number;
  seed: number;
}

export interface TrainAnswer {
  /** Visits made in all. */
  visits: number;
  report: Report;
  /** What one step adds to the bias: 1, 0 or R². */
  bias_unit: number;
  /** The weights now; absent for kernels. */
  last?: Plane;
  average?: Plane;
  pocket?: Plane;
  trace?: Trace;
  /** One for each kept that was asked for: scores, row after row of the grid from y[0] on; the class
   * changes where they pass 0 (a score of 0 is of the class that `zero` says). */
  surfaces?: { kept: Kept; scores: number[] }[];
}

/** How many points these hyperplanes get wrong, by the exact signs of the scores. */
export interface ErrorsQuestion {
  points: Points;
  planes: Plane[]; // at most 4
  zero?: ZeroScore;
}

export interface ErrorsAnswer {
  /** In the order of the planes. */
  errors: number[];
}

export interface SeparableQuestion {
  points: Points;
  bias?: "unit" | "none" | "radius";
}

/** Rows are counted from 1. Where no floats separate, weights and bias are integers in digits. */
export type Certificate =
  | { separable: "yes"; with_bias: boolean; weights: (number | string)[]; bias: number | string }
  | { separable: "no"; with_bias: boolean; rows: number[]; multipliers: string[] };

/** The keys of `separable --json`. */
export interface SeparableAnswer {
  separable: "yes" | "no" | "unknown";
  margin?: Bracket; // in the space of the theorem for this bias
  radius?: number;
  bound?: number; // Novikoff's, for this bias
  ended_by?: "work" | "stopped" | "precision"; // why the search ended before it was content
  free_bias?: { margin: Bracket; bound?: number }; // the geometric margin in the plane
  contradiction?: [number, number]; // equal points with different signs, from 1
  certificate?: Certificate;
  verified?: boolean;
}

export interface StudyQuestion {
  points: Points;
  options?: Choices; // order must be shuffle
  runs: number; // at most 1000
  bins?: number; // about so many; 20 if absent
}

export interface Summary {
  min: number; q1: number; median: number; q3: number; max: number; mean: number;
}

/** The keys of `study --json`, and the histogram of the updates of the runs that converged. */
export interface StudyAnswer {
  runs: number;
  converged: number;
  updates?: Summary;
  epochs?: Summary;
  separable: "yes" | "no" | "unknown";
  bound?: number;
  margin?: Bracket;
  radius: number;
  per_run: { seed: number; updates: number; epochs: number; converged: boolean }[];
  histogram: { from: number; to: number; count: number }[];
}

export interface PatternQuestion {
  rows: number[][]; // at most 1024 features
  labels: string[];
  options?: Choices;
  queries?: number[][];
}

export interface PatternAnswer {
  classes: string[]; // in sorted order
  report: Report & { per_class?: { examples: number; updates: number; converged: boolean }[] };
  /** One for each class against the rest; also for two classes. Absent for kernels. */
  planes?: Plane[];
  /** Of each query: the class with the highest score, and all scores in the order of the classes. */
  predictions: { class: string; scores: number[] }[];
}

export interface Refusal {
  error: { message: string; hint?: string };
}

/** GET /file: the file that the lab was started with; 204 (no content) if there is none. */
export interface FileAnswer {
  name: string;
  /** Rows in the file, and how many of them the page gets: a sample by seed 0 where there are more than 2000. */
  rows: number;
  shown: number;
  features: string[];
  classes: string[];
  /** The class that is +1; with more than two classes, the first, against the rest. */
  positive: string;
}

/** GET /file/points?x=3&y=17&positive=LABEL: two columns (from 0) as points. */
export type FilePoints = Points;
