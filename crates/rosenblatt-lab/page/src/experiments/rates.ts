// Learning rate experiment: compares learning rates from zero and from random weights.

import { train } from "../ask.js";
import { Chart, Figure, type Shape } from "../chart.js";
import type { Choices, Points } from "../contract.js";
import type { Lab, Panel } from "../lab.js";
import { button, el, table } from "../dom.js";
import { Newest, reason } from "./newest.js";
import { plural, short, grouped } from "../numbers.js";

/** Powers of two scale numbers without rounding. */
const RATES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];

interface Outcome {
  eta: number;
  updates: number;
  converged: boolean;
}

interface Curves {
  zero: Outcome[];
  random: Outcome[];
}

class Rates implements Panel {
  readonly id = "rates";
  readonly title = "Learning rate";
  private readonly status = el("p", { class: "status", role: "status", "data-test": "rates-status" });
  private readonly words = el("p", { "data-test": "rates-words" });
  private readonly figure = new Figure(0.66);
  private readonly list = el("div");
  private readonly result = el("div", { class: "result", "data-test": "rates" });
  private readonly newest = new Newest();
  private lab!: Lab;
  private asked = "";

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    this.result.append(this.words, this.figure.root, legend(), this.list);
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
    lab.onChange(() => this.age());
  }

  private async run(): Promise<void> {
    const { points, choices } = this.lab;
    this.status.textContent = "Training …";
    try {
      const curves = await this.newest.ask((signal) => both(points, choices, signal));
      if (!curves) return;
      this.asked = JSON.stringify([points, choices]);
      this.display(curves, choices);
      this.age();
    } catch (error) {
      this.status.textContent = reason(error);
    }
  }

  private display(curves: Curves, choices: Choices): void {
    this.words.textContent = told(curves, choices);
    this.result.hidden = false;
    this.figure.show((shape) => chart(curves, shape));
    const rows = RATES.map((eta, k) => [short(eta), cell(curves.zero[k]), cell(curves.random[k])]);
    this.list.replaceChildren(table("Updates by learning rate", ["η", "from zero", "from random"], rows, "rates-table"));
  }

  private age(): void {
    if (this.asked === "") return;
    const stale = this.asked !== JSON.stringify([this.lab.points, this.lab.choices]);
    this.result.classList.toggle("stale", stale);
    this.result.dataset.stale = String(stale);
    this.status.textContent = stale ? "The points or options have changed since; this result is outdated."
      : passive(this.lab.choices) ? "Passive-aggressive rules have no η, so these runs use the perceptron rule." : "";
  }
}

const passive = ({ update = "" }: Choices): boolean => update.startsWith("pa");

async function both(points: Points, choices: Choices, signal: AbortSignal): Promise<Curves> {
  // The kept weights do not change the updates, and a vote does not allow random initial weights.
  const others = { ...choices };
  delete others.keep;
  const zero = await curve(points, { ...others, init: "zero" }, signal);
  // A kernel's weights are sums of examples, so they start at zero.
  const random = choices.kernel === undefined ? await curve(points, { ...others, init: "random" }, signal) : [];
  return { zero, random };
}

async function curve(points: Points, choices: Choices, signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const eta of RATES) {
    const { update, ...others } = choices;
    const rule = update === undefined || passive(choices) ? {} : { update };
    const { report } = await train({ points, options: { ...others, ...rule, eta } }, signal);
    outcomes.push({ eta, updates: report.updates, converged: report.converged });
  }
  return outcomes;
}

/** Describes the results. */
function told({ zero, random }: Curves, { update = "" }: Choices): string {
  const counts = new Set(zero.map(({ updates }) => updates));
  const flat = counts.size === 1
    ? `From zero, every η makes ${plural(zero[0]?.updates ?? 0, "update")}.`
    : update.startsWith("margin")
      ? "From zero, the counts differ: η does not scale the rule's margin M, so the updates depend on M/η."
      : "From zero, the counts differ because some numbers were rounded.";
  const spread = random.map(({ updates }) => updates);
  const [least, most] = [Math.min(...spread), Math.max(...spread)];
  const other = spread.length === 0 ? "With a kernel, the weights can only start at zero." : least === most ? `From random weights, every η makes ${plural(least, "update")}.`
    : `From random weights, the count is between ${short(least)} and ${short(most)}.`;
  const open = [...zero, ...random].some(({ converged }) => !converged);
  return `${flat} ${other}${open ? " Open dots are runs that did not converge." : ""}`;
}

const cell = (outcome: Outcome | undefined): string =>
  outcome ? grouped(outcome.updates) + (outcome.converged ? "" : " (not converged)") : "";

function legend(): HTMLElement {
  return el("p", { class: "chart-legend" }, el("span", { class: "key first" }), "from zero",
    el("span", { class: "key second" }), "from random weights");
}

function chart({ zero, random }: Curves, shape: Shape): Node {
  const most = Math.max(1, ...[...zero, ...random].map(({ updates }) => updates));
  const made = new Chart(shape,
    { label: "learning rate η", range: [0.055, 4.6], log: true, ticks: RATES },
    { label: "updates", range: [0, most * 1.1], whole: true },
    `Updates for ${RATES.length} learning rates, from zero and from random weights. The table below has the numbers.`);
  for (const [outcomes, kind] of [[random, "second"], [zero, ""]] as const) {
    made.line(outcomes.map(({ eta, updates }) => [eta, updates]), `curve ${kind}`);
    for (const { eta, updates, converged } of outcomes) {
      made.dot(eta, updates, `${kind} ${converged ? "" : "hollow"}`, { "data-test": "rate-dot",
        "data-start": kind === "" ? "zero" : "random", "data-eta": eta, "data-updates": updates });
    }
  }
  return made.svg;
}

export const rates: Panel = new Rates();
