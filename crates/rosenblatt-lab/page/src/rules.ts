// The update rule of a run, by its properties.

import { type BoundFormulas, DEFAULTS, RULES, type RuleInfo, type RunOptions } from "./contract.js";
import { short } from "./numbers.js";

const USUAL = RULES[DEFAULTS.update] as RuleInfo;

/** The rule that stands first in its lists, whose runs may have any learning rate. */
export const usualRule = USUAL.label;

/** The rule of a run. The engine refuses names that it does not know. */
export const ruleOf = ({ update = DEFAULTS.update }: RunOptions): RuleInfo => RULES[update.split(":")[0] ?? ""] ?? USUAL;

/** Whether Novikoff's theorem bounds the updates of such a run, by R and γ alone. */
export function covered(options: RunOptions): boolean {
  const rule = ruleOf(options);
  return !("none_because" in rule.bound) && !rule.has_margin && (options.init ?? "zero") === "zero" && !options.start;
}

/** The formula of Novikoff's bound for the rule and the bias, whose feature may have a square; empty without a bound. */
export function boundFormula(options: RunOptions, square: number): string {
  const { bound } = ruleOf(options);
  if ("none_because" in bound) return "";
  const bias = options.bias ?? "unit";
  return (bound as BoundFormulas & Record<string, string>)[bias] ?? bound.size.replace("S²", short(square));
}
