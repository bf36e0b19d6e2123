// The questions of the page and the answers of the engine: the JSON of `question.rs` and `answer/`.
//
// POST /ask takes a question as an object with one key. An error has a status of 400 or more and a `Refusal`.

import { type KEPT, LINES, type RunOptions as EngineOptions, SURFACES } from "./contract.generated.js";

export * from "./contract.generated.js";
export * from "./rule-info.js";

/** The options of a run, and the weights from which it starts in place of `init`. */
export interface RunOptions extends EngineOptions {
  start?: Hyperplane;
}

export type Sign = 1 | -1;
export type Kept = (typeof KEPT)[number];
export type Line = (typeof LINES)[number];
export const isLine = (kept: Kept): kept is Line => LINES.some(line => line === kept);
/** Whether these weights have no line, so that a run cannot start from one. */
export const isSurface = (keep: string | undefined): boolean => SURFACES.some(kept => kept === keep);
export type Bias = NonNullable<RunOptions["bias"]>;
export type ZeroScore = NonNullable<RunOptions["zero"]>; // the class of a score of 0

export interface Points {
  rows: number[][];
  signs: Sign[];
}

export interface Grid {
  x: [number, number];
  y: [number, number];
  columns: number; // corners included; columns × rows is at most LIMITS.places
  rows: number;
}

export interface TrainQuestion {
  points: Points; // at most LIMITS.points
  options?: RunOptions;
  /** Stop after this many visits; absent: at the end of the run. */
  until?: number;
  /** Return the visits from, …, from + count − 1, counted from 0; at most LIMITS.visits. */
  window?: { from: number; count: number };
  /** Return the scores over a grid, by the weights at the end or at `until`. */
  surfaces?: { keep: Kept[]; grid: Grid };
  /** Return the number of updates on each point. */
  counts?: boolean;
}

/** Weights and bias: [w₁, …, w_d, b]. The hyperplane is w·x + b = 0; the threshold on w·x is −b. */
export type Hyperplane = number[];

/** The weights that are a line. */
export type LineWeights = { [kept in Line]?: Hyperplane };

/** A score w·x + b, rounded once; of one past the range of doubles, its sign. */
export type Score = number | "positive" | "negative";

/** The visits of a window. */
export interface Trace extends KeptTrace {
  from: number;
  /** Updates and mistakes before the first visit of the window. */
  updates_before: number;
  mistakes_before: number;
  /** One entry per visit: the example (from 0), its score before any update and after it, whether it was a mistake, and
   * the signed length of the step (ηy for the perceptron; 0 without an update). */
  examples: number[];
  scores: Score[];
  scores_after: Score[];
  mistakes: boolean[];
  steps: number[];
  /** The precisions of the last weights before the first visit and after each visit, as a hyperplane has them; of a rule with
   * precisions. */
  precisions?: Hyperplane[];
}

/** The weights before the first visit and after each visit; a mean is null before the run's first visit. Absent for kernels. */
type KeptTrace = { [kept in Line]?: (Hyperplane | null)[] };

/** A run visit by visit as a table, as `train --trace` writes it. */
export interface TraceQuestion {
  points: Points;
  options?: RunOptions;
  format: TraceFormat;
  threshold?: boolean; // whether b is told as a threshold, w·x ≥ b
}

export type TraceFormat = "csv" | "md" | "tex" | "json";

export interface TraceAnswer {
  text: string;
  visits: number; // in the table
  whole: boolean; // whether these are all visits of the run
}

export interface Bracket {
  lower?: number;
  upper?: number;
}

/** The report, with the keys of `train --json`. */
export interface Report {
  examples: number;
  features: number;
  epochs: number; // begun, the last one included
  updates: number;
  converged: boolean; // the last epoch had no mistakes
  /** `observer`: at `until`, before the end of the run. */
  stopped_by: "clean_epoch" | "allowed_mistakes" | "max_epochs" | "plateau" | "patience" | "observer";
  mistakes_per_epoch: number[];
  kept: Kept;
  errors: { [kept in Kept]?: number };
  training_errors?: number;
  training_error_rate?: number;
  radius: number | null; // R = max‖x‖; null past the range of doubles
  min_margin?: number;
  separator?: Kept;
  margin: Bracket; // the run's bounds on γ
  novikoff_bound?: number;
  support?: number;
  seed: number;
}

/** The weights at the end are absent for kernels. */
export interface TrainAnswer extends LineWeights {
  /** The number of visits. */
  visits: number;
  report: Report;
  /** The value of the bias feature: 1, 0 or R². */
  bias_unit: number;
  trace?: Trace;
  /** The requested scores, row by row from y[0]. The class changes at a score of 0, whose class is `zero`. */
  surfaces?: { kept: Kept; scores: number[] }[];
  /** The number of updates on each point: the α of the dual form. */
  counts?: number[];
}

/** The number of points that each hyperplane misclassifies, by the exact signs of the scores. */
export interface ErrorsQuestion {
  points: Points;
  planes: Hyperplane[]; // at most LIMITS.planes
  zero?: ZeroScore;
  margins?: boolean; // return the margins as well
}

export interface ErrorsAnswer {
  /** In the order of the planes. */
  errors: number[];
  /** The smallest y·s/‖w‖ of the points, in the order of the planes; null if w is 0. */
  margins?: (number | null)[];
}

export interface SeparableQuestion {
  points: Points;
  options?: RunOptions;
}

/** Rows are counted from 1. If no floats separate, weights and bias are integers as text. */
export type Certificate =
  | { separable: "yes"; with_bias: boolean; weights: (number | string)[]; bias: number | string }
  | { separable: "no"; with_bias: boolean; rows: number[]; multipliers: string[] };

/** Whether a run ends with an epoch without mistakes: in every order, in every order from zero, in some orders, or never. */
export type Convergence = "always" | "from-zero" | "depends-on-order" | "never";

/** Of a run without a bias that counts a score of 0 as right for one class. Rows are counted from 1. */
export interface ConvergenceCertificate {
  convergence: Convergence;
  strict: "positive" | "negative"; // the class for which a score of 0 is a mistake
  weights: string[]; // right on all points; none for never
  rows: number[]; // for never
  multipliers: string[];
}

/** The keys of `separable --json`, and the answer about the run. */
export interface SeparableAnswer {
  separable: "yes" | "no" | "unknown";
  margin?: Bracket; // for the examples as this bias extends them
  radius?: number;
  bound?: number; // Novikoff's, for this bias
  ended_by?: "work" | "stopped" | "precision"; // why the search ended early
  free_bias?: { margin: Bracket; bound?: number }; // the geometric margin in the plane
  contradiction?: [number, number]; // the rows of equal points with different signs
  certificate?: Certificate;
  verified?: boolean;
  convergence?: Convergence; // absent where no theorem says so
  convergence_certificate?: ConvergenceCertificate; // if it is not that of `separable`
}

export interface InseparableQuestion {
  points: Points;
  bias?: Bias;
  work: number; // of each of two searches; more may bring the bounds closer together
}

/** How far points are from separable. Each statement has a checked proof. */
export interface InseparableAnswer {
  least_errors: { lower: number; upper: number }; // of any line; a point on the line is an error
  ended: boolean; // whether the search for them ended at the limit of work
  /** Of a quasi-complete separation the line without a point on its wrong side, in integers as text. */
  separation?: { separation: "complete" | "quasi-complete" | "overlap"; with_bias: boolean; weights: string[]; bias: string };
  on_line?: number; // how many points lie on this line
}

export interface StudyQuestion {
  points: Points;
  options?: RunOptions; // order must be shuffle
  runs: number; // at most LIMITS.runs
  bins?: number; // approximate number of bins; 20 if absent
  lines?: boolean; // return the last weights of the first 200 runs
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
  convergence?: Convergence;
  bound?: number;
  margin?: Bracket;
  radius: number | null;
  per_run: { seed: number; updates: number; epochs: number; converged: boolean }[];
  histogram: { from: number; to: number; count: number }[];
  /** The last weights of the first runs, in the order of `per_run`. */
  lines?: Hyperplane[];
}

export interface PatternQuestion {
  rows: number[][]; // at most LIMITS.features
  labels: string[];
  options?: RunOptions;
  queries?: number[][];
}

export interface PatternAnswer {
  classes: string[]; // in sorted order
  report: Report & { per_class?: { examples: number; updates: number; converged: boolean }[] };
  /** One hyperplane per class (one-vs-rest), also for two classes. Absent for kernels. */
  planes?: Hyperplane[];
  /** For each query: the class with the highest score, and all scores in the order of the classes. */
  predictions: { class: string; scores: Score[] }[];
}

export interface Refusal {
  error: { message: string; hint?: string };
}

/** GET /file: the file with which the lab was started; status 204 without a file. */
export interface FileAnswer {
  name: string;
  /** Rows in the file, and rows that the page gets: a sample with seed 0 if there are more than 2000. */
  rows: number;
  shown: number;
  features: string[];
  classes: string[];
  /** The class that is +1; the first class if there are more than two. */
  positive: string;
  /** The pairs of columns that separate `positive` best, the best first; at most 10. */
  pairs: ColumnPair[];
}

/** Two columns, counted from 0, and the errors of a line between their points. */
export interface ColumnPair {
  x: number;
  y: number;
  errors: number;
}

/** The content of a file: a text whose UTF-8 are the bytes of the file, or any bytes. */
export type FileText = string | { base64: string };
export type FileEncoding = "utf-8" | "latin1" | "utf-16";

/** Reads a file as the command does. */
export interface FileQuestion {
  name: string; // its ending chooses CSV, TSV, LIBSVM or JSON; otherwise the first lines do
  text: FileText; // at most LIMITS.file_bytes
  encoding?: FileEncoding; // absent: UTF-8
  label?: string; // the column of the labels; absent: the last one
  header?: boolean; // whether the first line names the columns; absent: it does, and a number there is an error
  positive?: string; // the class that is +1
}

/** The columns of a file: one list for each feature, with the values of the `shown` rows. */
export interface FileTable extends FileAnswer {
  label?: string; // the column of the classes, if columns have names
  notes: string[]; // what was found out about the file
  columns: number[][];
  numbers: number[]; // the class of each row, counted from 0 in `classes`
}

/** GET /file/points?x=3&y=17&positive=LABEL: two columns (counted from 0) as points. */
export type FilePoints = Points;
