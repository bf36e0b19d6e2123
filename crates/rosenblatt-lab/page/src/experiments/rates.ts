// Learning rate and start: from zero η only scales the weights, from elsewhere it does more.

import { train } from "../ask.js";
import { Chart, Figure, type Shape } from "../chart.js";
import type { Choices, Points } from "../contract.js";
import type { Lab, Panel } from "../lab.js";
import { button, el, table } from "../dom.js";
import { Newest, reason } from "./newest.js";
import { plural, short, grouped } from "../numbers.js";

/** Powers of two: they scale numbers without rounding. */
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
      el("p", {}, "Does the learning rate η matter? By the perceptron rule from w = 0 and b = 0, after every update the "
        + "weights are η times what they would be with η = 1, and a factor that is positive changes no decision. So η only "
        + "scales the weights; mistakes and updates stay the same. From random weights this no longer holds: the start "
        + "weighs less the larger η is."),
      el("p", { class: "remark" }, "The rates here are powers of two, which scale numbers exactly. With η = 0.1, which is no "
        + "binary fraction, sums are rounded, and a score that should be 0 may come out a hair beside it: then a run from "
        + "zero can differ, by rounding alone."),
      el("div", { class: "buttons" }, button("Try the learning rates", () => void this.run(), { "data-test": "rates-run" })),
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
    this.status.textContent = stale ? "The points or options have changed since: these are the numbers of before."
      : passive(this.lab.choices) ? "Passive-aggressive rules have no η, so these runs are by the perceptron rule." : "";
  }
}

const passive = ({ update = "" }: Choices): boolean => update.startsWith("pa");

async function both(points: Points, choices: Choices, signal: AbortSignal): Promise<Curves> {
  // Which weights are kept changes no update, and a vote could not begin at random weights.
  const others = { ...choices };
  delete others.keep;
  const zero = await curve(points, { ...others, init: "zero" }, signal);
  // Weights in a kernel's space are sums of examples: they can only begin at zero.
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

/** What these numbers show. */
function told({ zero, random }: Curves, { update = "" }: Choices): string {
  const counts = new Set(zero.map(({ updates }) => updates));
  const flat = counts.size === 1
    ? `From zero every η makes the same ${plural(zero[0]?.updates ?? 0, "update")}.`
    : update.startsWith("margin")
      ? "From zero the counts differ, because the margin M of this rule is not scaled by η: it is M/η that counts."
      : "From zero the counts differ: somewhere on the way numbers are so large or small that they are rounded.";
  const spread = random.map(({ updates }) => updates);
  const [least, most] = [Math.min(...spread), Math.max(...spread)];
  const other = spread.length === 0 ? "With a kernel the weights can only begin at zero." : least === most ? `From random weights it happens to be ${short(least)} each time.`
    : `From random weights it is between ${short(least)} and ${short(most)}.`;
  const open = [...zero, ...random].some(({ converged }) => !converged);
  return `${flat} ${other}${open ? " Open marks are runs that ended without converging." : ""}`;
}

const cell = (outcome: Outcome | undefined): string =>
  outcome ? grouped(outcome.updates) + (outcome.converged ? "" : " (no end)") : "";

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
