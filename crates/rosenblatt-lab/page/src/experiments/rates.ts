// Learning rate experiment: compares learning rates from zero and from random weights.

import { train } from "../ask.js";
import { Chart, ChartFrame, type ChartSize } from "../chart.js";
import type { Points, RunOptions } from "../contract.js";
import type { Lab, Panel } from "../lab.js";
import { button, el, table } from "../dom.js";
import { LatestRequest } from "../latest-request.js";
import { messageWithHint } from "../notices.js";
import { grouped, plural, short } from "../numbers.js";
import { ruleOf, usualRule } from "../rules.js";

/** Powers of two scale numbers without rounding. */
const RATES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];

interface RateResult {
  eta: number;
  updates: number;
  converged: boolean;
}

interface Curves {
  zero: RateResult[];
  random: RateResult[];
}

class RatesExperiment implements Panel {
  readonly id = "rates";
  readonly title = "Rates";
  private readonly status = el("p", { class: "status", role: "status", "data-test": "rates-status" });
  private readonly text = el("p", { "data-test": "rates-words" });
  private readonly frame = new ChartFrame(0.66);
  private readonly list = el("div");
  private readonly result = el("div", { class: "result", "data-test": "rates" });
  private readonly latest = new LatestRequest();
  private lab!: Lab;
  private shownFingerprint = "";

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.result.append(this.text, this.frame.root, legend(), this.list);
    this.result.hidden = true;
    root.append(
      el("p", {}, "Does the learning rate η matter? With the perceptron rule and zero initial weights, η only scales the "
        + "weights. A positive factor changes no prediction, so mistakes and updates stay the same. With random initial "
        + "weights this does not hold: the larger η is, the less the initial weights matter."),
      el("p", { class: "remark" }, "These rates are powers of two, which scale numbers exactly. η = 0.1 is not a binary "
        + "fraction: sums are rounded, and a score that should be 0 may be slightly different. Then a run from zero can "
        + "differ through rounding alone."),
      el("div", { class: "buttons" }, button("Compare the learning rates", () => void this.run(), { "data-test": "rates-run" })),
      this.status, this.result);
    lab.onChange(() => this.markOutdated());
  }

  private async run(): Promise<void> {
    const { points, options } = this.lab;
    this.status.textContent = "Training …";
    try {
      const curves = await this.latest.ask((signal) => compareStarts(points, options, signal));
      if (!curves) return;
      this.shownFingerprint = JSON.stringify([points, options]);
      this.display(curves, options);
      this.markOutdated();
    } catch (error) {
      this.status.textContent = messageWithHint(error);
    }
  }

  private display(curves: Curves, options: RunOptions): void {
    this.text.textContent = describe(curves, options);
    this.result.hidden = false;
    this.frame.show((size) => chart(curves, size));
    const rows = RATES.map((eta, k) => [short(eta), cell(curves.zero[k]), cell(curves.random[k])]);
    this.list.replaceChildren(table("Updates by learning rate", ["η", "from zero", "from random"], rows, "rates-table"));
  }

  private markOutdated(): void {
    if (this.shownFingerprint === "") return;
    const outdated = this.shownFingerprint !== JSON.stringify([this.lab.points, this.lab.options]);
    this.result.classList.toggle("outdated", outdated);
    this.result.dataset.outdated = String(outdated);
    this.status.textContent = outdated ? "The points or options have changed since; this result is outdated."
      : hasRate(this.lab.options) ? "" : `The rule “${ruleOf(this.lab.options).label}” has no η, so these runs use the rule “${usualRule}”.`;
  }
}

const hasRate = (options: RunOptions): boolean => ruleOf(options).takes_rate;

async function compareStarts(points: Points, options: RunOptions, signal: AbortSignal): Promise<Curves> {
  // The kept weights do not change the updates, and a vote does not allow random initial weights.
  const rest = { ...options };
  delete rest.keep;
  delete rest.start;
  const zero = await runRates(points, { ...rest, init: "zero" }, signal);
  // A kernel's weights are sums of examples, so they start at zero.
  const random = options.kernel === undefined ? await runRates(points, { ...rest, init: "random" }, signal) : [];
  return { zero, random };
}

async function runRates(points: Points, options: RunOptions, signal: AbortSignal): Promise<RateResult[]> {
  const results: RateResult[] = [];
  for (const eta of RATES) {
    const { update, ...rest } = options;
    const rule = update !== undefined && hasRate(options) ? { update } : {};
    const { report } = await train({ points, options: { ...rest, ...rule, eta } }, signal);
    results.push({ eta, updates: report.updates, converged: report.converged });
  }
  return results;
}

/** Describes the results. */
function describe({ zero, random }: Curves, options: RunOptions): string {
  const counts = new Set(zero.map(({ updates }) => updates));
  const flat = counts.size === 1
    ? `From zero, every η makes ${plural(zero[0]?.updates ?? 0, "update")}.`
    : ruleOf(options).has_margin
      ? "From zero, the counts differ: η does not scale the rule's margin M, so the updates depend on M/η."
      : "From zero, the counts differ because some numbers were rounded.";
  const spread = random.map(({ updates }) => updates);
  const [least, most] = [Math.min(...spread), Math.max(...spread)];
  const other = spread.length === 0 ? "With a kernel, the weights can only start at zero."
    : least === most ? `From random weights, every η makes ${plural(least, "update")}.`
    : `From random weights, the count is between ${short(least)} and ${short(most)}.`;
  const open = [...zero, ...random].some(({ converged }) => !converged);
  return `${flat} ${other}${open ? " Open dots are runs that did not converge." : ""}`;
}

const cell = (result: RateResult | undefined): string =>
  result ? grouped(result.updates) + (result.converged ? "" : " (not converged)") : "";

function legend(): HTMLElement {
  return el("p", { class: "chart-legend" }, el("span", { class: "key first" }), "from zero",
    el("span", { class: "key second" }), "from random weights");
}

function chart({ zero, random }: Curves, size: ChartSize): Node {
  const most = Math.max(1, ...[...zero, ...random].map(({ updates }) => updates));
  const plot = new Chart(size,
    { label: "learning rate η", range: [0.055, 4.6], log: true, ticks: RATES },
    { label: "updates", range: [0, most * 1.1], whole: true },
    `Updates for ${RATES.length} learning rates, from zero and from random weights. The table below has the numbers.`);
  for (const [results, kind] of [[random, "second"], [zero, ""]] as const) {
    plot.line(results.map(({ eta, updates }) => [eta, updates]), `curve ${kind}`);
    for (const { eta, updates, converged } of results) {
      plot.dot(eta, updates, `${kind} ${converged ? "" : "hollow"}`, { "data-test": "rate-dot",
        "data-start": kind === "" ? "zero" : "random", "data-eta": eta, "data-updates": updates });
    }
  }
  return plot.svg;
}

export const ratesExperiment: Panel = new RatesExperiment();
