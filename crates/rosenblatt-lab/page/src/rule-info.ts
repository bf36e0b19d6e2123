// The properties of an update rule that the page tells.

/** An update rule: what people are told of it. */
export interface RuleInfo {
  label: string;
  parameter: string | null; // its letter
  /** The length of a step: the learning rate, the rule's own, or its own divided by the precisions of the weights. */
  step: "rate" | "own" | "own-per-weight";
  symbol: string; // of that length
  takes_rate: boolean; // whether η multiplies it
  clean_of: "mistake" | "update"; // what the epoch that ends a run has none of
  moves?: [weight: string, precision: string]; // of a rule with precisions, as formulas
  has_margin: boolean; // whether M is in the bound
  bound: BoundFormulas | { none_because: string };
}

/** Novikoff's bound for each bias; S² stands for the square of a bias feature. */
export interface BoundFormulas {
  unit: string; none: string; radius: string; size: string;
}
