// Shows epochs, visits, updates and mistakes so far, and Novikoff's bound.

import { el } from "../dom.js";
import { grouped, short, writeNumber } from "../numbers.js";
import type { Run, Step } from "../run/run.js";
import { equals } from "../run/score.js";
import { boundFormula, ruleOf } from "../rules.js";

export class Counters {
  readonly counts: HTMLElement;
  readonly bounded: HTMLElement;
  private readonly epoch = counter("epochs");
  private readonly visit = counter("visits");
  private readonly updates = counter("updates");
  private readonly mistakes = counter("mistakes");
  private readonly bound = el("span", { "data-test": "bound" });
  private readonly why = el("span", { "data-test": "bounded-why" });
  private readonly bar = el("progress", { max: 1, value: 0, "aria-label": "Updates so far, as a fraction of the bound" });

  constructor() {
    const { epoch, visit, updates, mistakes } = this;
    this.counts = el("dl", { class: "counts" },
      ...pair("epoch", epoch), ...pair("visit", visit), ...pair("updates", updates), ...pair("mistakes this epoch", mistakes));
    this.bounded = el("div", { class: "bounded" }, el("p", {}, this.why, this.bound), this.bar);
  }

  /** Sums and bound belong to the end of the run; they are shown when it has `ended` on the page. */
  show(run: Run | undefined, step: Step | undefined, ended: boolean): void {
    const report = ended ? run?.report : undefined;
    count(this.epoch, run && step ? (step.step === 0 ? 0 : step.epoch) : undefined, report?.epochs);
    count(this.visit, step?.step, ended ? run?.visits : undefined);
    count(this.updates, step?.updates, report?.updates);
    writeNumber(this.mistakes.now, step?.mistakesThisEpoch);
    this.showBound(run, step, ended);
  }

  private showBound(run: Run | undefined, step: Step | undefined, ended: boolean): void {
    const bound = ended ? run?.report.novikoff_bound : undefined;
    this.why.textContent = !run ? "" : ended ? why(run) : `R ${radius(run)}; the end of the run shows the bound.`;
    writeNumber(this.bound, bound, bound === undefined ? "" : grouped(Math.floor(bound)));
    this.bar.value = bound && step ? Math.min(1, step.updates / bound) : 0;
    this.bounded.dataset.bounded = String(bound !== undefined);
  }
}

/** The radius after its name. */
const radius = ({ report }: Run): string => (report.radius === null ? equals("positive") : equals(report.radius));

/** The terms of the bound, or the reason why there is none. */
function why(run: Run): string {
  const { report, options } = run;
  const { lower } = report.margin;
  if (report.novikoff_bound !== undefined && lower !== undefined) {
    const rows = (options.bias ?? "unit") === "unit" && options.kernel === undefined ? " for the rows (x, 1)" : "";
    return `R ${radius(run)}, γ ≥ ${short(lower)}${rows}; updates are at most ${boundFormula(options, run.answer.bias_unit)} ≤ `;
  }
  const known = `R ${radius(run)}; `;
  const { bound } = ruleOf(options);
  if ("none_because" in bound) return `${known}no bound: ${bound.none_because}.`;
  if (options.start || options.init === "random") return `${known}no bound: Novikoff's theorem needs zero initial weights.`;
  return `${known}no bound: this run found no separator, so it proves no γ > 0.`;
}

interface CounterElements {
  now: HTMLElement;
  all: HTMLElement;
}

const counter = (test: string): CounterElements => ({ now: el("span", { class: "now", "data-test": test }), all: el("span", { class: "all" }) });

const pair = (name: string, { now, all }: CounterElements): HTMLElement[] => [el("div", {}, el("dt", {}, name), el("dd", {}, now, all))];

function count({ now, all }: CounterElements, value: number | undefined, most: number | undefined): void {
  writeNumber(now, value, value === undefined ? undefined : grouped(value));
  all.textContent = most === undefined ? "" : ` of ${grouped(most)}`;
}
