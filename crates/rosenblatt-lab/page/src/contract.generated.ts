// Generated from the engine's list of options and the limits of questions. To write it again:
// UPDATE_CONTRACT=1 cargo test --package rosenblatt-lab --lib contract

import type { RuleInfo } from "./rule-info.js";

/** The weights that a run can keep. */
export const KEPT = ["last", "average", "pocket", "vote"] as const;

/** The kept weights that are a line. */
export const LINES = ["last", "average", "pocket"] as const;

/** Those that are none. */
export const SURFACES = ["vote"] as const;

/** Their names in lists. */
export const KEPT_TITLES = {
  last: "last weights",
  average: "average of all weights",
  pocket: "weights of the pocket",
  vote: "vote of all weights",
} as const;

/** The update rules by name. */
export const RULES: Readonly<Record<string, RuleInfo>> = {
  "perceptron": {"label":"perceptron","parameter":null,"step":"rate","symbol":"η","takes_rate":true,"clean_of":"mistake","has_margin":false,"bound":{"unit":"(R²+1)/γ²","none":"(R/γ)²","radius":"(2R/γ)²","size":"(R²+S²)/γ²"}},
  "margin": {"label":"with margin","parameter":"M","step":"rate","symbol":"η","takes_rate":true,"clean_of":"update","has_margin":true,"bound":{"unit":"(R²+1+2M/η)/γ²","none":"(R²+2M/η)/γ²","radius":"4(R²+M/η)/γ²","size":"(R²+S²+2M/η)/γ²"}},
  "pa": {"label":"passive-aggressive","parameter":null,"step":"own","symbol":"τ","takes_rate":false,"clean_of":"mistake","has_margin":false,"bound":{"none_because":"Novikoff's theorem does not cover passive-aggressive updates"}},
  "pa1": {"label":"passive-aggressive I","parameter":"C","step":"own","symbol":"τ","takes_rate":false,"clean_of":"mistake","has_margin":false,"bound":{"none_because":"Novikoff's theorem does not cover passive-aggressive updates"}},
  "pa2": {"label":"passive-aggressive II","parameter":"C","step":"own","symbol":"τ","takes_rate":false,"clean_of":"mistake","has_margin":false,"bound":{"none_because":"Novikoff's theorem does not cover passive-aggressive updates"}},
  "arow": {"label":"AROW","parameter":"R","step":"own-per-weight","symbol":"α","takes_rate":false,"clean_of":"mistake","moves":["w + α y x/a","a + x²/r"],"has_margin":false,"bound":{"none_because":"Novikoff's theorem does not cover second-order updates"}},
  "second-order": {"label":"second-order","parameter":"A","step":"own-per-weight","symbol":"c","takes_rate":false,"clean_of":"mistake","moves":["(a w + c y x)/(a + c x²)","a + c x²"],"has_margin":false,"bound":{"none_because":"Novikoff's theorem does not cover second-order updates"}},
};

/** The names of the kernels. */
export const KERNELS = ["linear", "poly", "rbf"] as const;

/** The options whose values are texts. */
export const TEXT_OPTIONS = ["update", "keep", "kernel", "order", "init", "bias", "mistake", "zero"] as const;

/** The options whose values are numbers. */
export const NUMBER_OPTIONS = ["seed", "epochs", "allow_mistakes", "eta"] as const;

/** The options of a run, with the defaults of the command. */
export interface RunOptions {
  /** The update rule: on each mistake (perceptron), while the functional margin is at most M (margin:M), passive-aggressive (pa, pa1:C, pa2:C), or second-order, with a step of its own for each weight (arow:R, second-order:A). */
  update?: string;
  /** The weights of the model. */
  keep?: "auto" | "last" | "average" | "pocket" | "vote";
  /** Learn in the space of a kernel: linear, poly:D[:coef0[:gamma]] for (coef0 + gamma·x·z)^D with default coef0 = gamma = 1, rbf:G for exp(−G‖x−z‖²). */
  kernel?: string;
  /** The order of the examples in an epoch. */
  order?: "shuffle" | "given";
  /** The initial weights. */
  init?: "zero" | "random";
  /** The seed of every random choice. */
  seed?: number;
  /** Maximum number of epochs. */
  epochs?: number;
  /** Stop after an epoch with mistakes, but at most N. */
  allow_mistakes?: number;
  /** The learning rate η; RATE/t and RATE/sqrt(t) divide it by the number t of the epoch or by its root. */
  eta?: number;
  /** The update of the bias by the step τ (η for `perceptron`): b += τy (unit), b += τyS² for a bias feature of the size S (unit:S) or for the norm R of the longest row (radius), or no bias (none). */
  bias?: "unit" | "none" | "radius" | `unit:${number}`;
  /** Count a score of 0 as a mistake for both classes (margin), or only for the class that it does not predict (label). */
  mistake?: "margin" | "label";
  /** The class that a score of exactly 0 predicts, in training, report and model. */
  zero?: "positive" | "negative";
}

/** The defaults. By default there is no kernel. */
export const DEFAULTS = {
  update: "perceptron",
  keep: "auto",
  order: "shuffle",
  init: "zero",
  seed: 0,
  epochs: 1000,
  allow_mistakes: 0,
  eta: 1,
  bias: "unit",
  mistake: "margin",
  zero: "positive",
} as const;

/** The lecture notes: their options without defaults, and whether their b is a threshold, w·x ≥ b. */
export const NOTES = [
  { name: "varner", title: "Varner, Lecture 3a", options: { init: "random", order: "given", keep: "last" }, threshold: false },
  { name: "lauer", title: "Lauer, The perceptron", options: { order: "given", mistake: "label", keep: "last" }, threshold: true },
  { name: "shalizi", title: "Shalizi, 36-350", options: { order: "given", bias: "radius", mistake: "label", keep: "last" }, threshold: false },
  { name: "dsc255-1", title: "DSC 255, Algorithm 1", options: { keep: "last" }, threshold: false },
  { name: "dsc255-2", title: "DSC 255, Listing 2", options: { mistake: "label", keep: "last" }, threshold: false },
  { name: "carson", title: "Carson, Perceptron", options: { order: "given", zero: "negative", keep: "last" }, threshold: false },
] as const;

/** The least value of each whole number. */
export const LEAST = {
  seed: 0,
  epochs: 1,
  allow_mistakes: 0,
} as const;

/** The limits of a question. */
export const LIMITS = {
  points: 5000,
  features: 1024,
  epochs: 100000,
  visits: 5000,
  places: 40000,
  planes: 200,
  runs: 1000,
  file_bytes: 8388608,
} as const;
