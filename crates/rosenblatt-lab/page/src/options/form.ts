// The form of a run's options: first the options of the lectures, then the others under "More options".

import type { RunOptions } from "../contract.js";
import { button, el, field, select } from "../dom.js";
import { short } from "../numbers.js";
import { INITIAL_OPTIONS } from "../state.js";

/** Powers of two scale without rounding; 0.1 shows the effect of rounding. A link may have any rate. */
const ETAS = [1 / 64, 1 / 32, 1 / 16, 0.1, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

type ChangeOptions = (options: RunOptions, gesture?: string) => void;

export class OptionsForm {
  readonly root: HTMLDetailsElement;
  private options: RunOptions = {};
  private readonly refresh: ((options: RunOptions) => void)[] = [];

  constructor(private readonly change: ChangeOptions) {
    this.root = el("details", { class: "options", open: !this.isSmallScreen(), "data-test": "options" }, el("summary", {}, "Options"),
      el("div", { class: "fields" },
        this.choiceWithParameter("update", "Update", "perceptron", [
          ["perceptron", "perceptron"], ["margin", "with margin", "1"], ["pa", "passive-aggressive"],
          ["pa1", "passive-aggressive I", "1"], ["pa2", "passive-aggressive II", "1"],
        ]),
        this.eta(),
        this.choice("order", "Order", "shuffle", [["given", "as given"], ["shuffle", "shuffled each epoch"]]),
        this.choice("bias", "Bias", "unit", [["unit", "b ← b + η y"], ["radius", "b ← b + η y R²"], ["none", "none"]]),
        this.choice("mistake", "A mistake is", "margin", [["margin", "y·s ≤ 0"], ["label", "wrong label"]]),
        this.choiceWithParameter("kernel", "Kernel", "", [
          ["", "none (line)"], ["poly", "polynomial", "2"], ["rbf", "Gaussian", "1"], ["linear", "linear"],
        ])),
      this.moreOptions());
  }

  show(options: RunOptions): void {
    this.options = options;
    for (const refresh of this.refresh) refresh(options);
  }

  /** On small screens the options start closed, so that the steps are visible. */
  private isSmallScreen(): boolean {
    return document.documentElement.dataset.size === "big" || innerWidth < 1100;
  }

  private moreOptions(): HTMLElement {
    return el("details", {}, el("summary", {}, "More options"), el("div", { class: "fields" },
      this.choice("keep", "Weights kept", "auto", [
        ["auto", "last if converged, else average"], ["last", "last weights"], ["average", "average weights"],
        ["pocket", "pocket weights"], ["vote", "voted weights"],
      ]),
      this.choice("zero", "Class of a score of 0", "positive", [["positive", "positive"], ["negative", "negative"]]),
      this.choice("init", "Initial weights", "zero", [["zero", "zero"], ["random", "random"]]),
      this.number("seed", "Seed", 0, 0, Number.MAX_SAFE_INTEGER),
      this.number("epochs", "Maximum epochs", 1000, 1, 100_000),
      this.number("allow_mistakes", "Allowed mistakes", 0, 0, 5000),
      button("Default options", () => this.change({ ...INITIAL_OPTIONS }), { "data-test": "default-options" })));
  }

  /** Sets an option; a default value removes it. */
  private setOption(key: keyof RunOptions, value: string | number, fallback: string | number, gesture?: string): void {
    const { [key]: _, ...others } = this.options;
    this.change(value === fallback ? others : { ...others, [key]: value }, gesture);
  }

  private choice(key: keyof RunOptions, label: string, fallback: string, words: [string, string][]): HTMLElement {
    const control = select(words, fallback, value => this.setOption(key, value, fallback), `option-${key}`);
    this.refresh.push(options => { control.value = String(options[key] ?? fallback); });
    return field(label, control);
  }

  /** A choice with a parameter, as in `margin:0.5`. */
  private choiceWithParameter(key: "update" | "kernel", label: string, fallback: string, words: [string, string, string?][]): HTMLElement {
    const parameter = el("input", {
      type: "text", inputmode: "decimal", class: "parameter", "data-test": `option-${key}-parameter`,
      "aria-label": `Parameter of: ${label}`, change: () => setOption(),
    });
    const standard = (choice: string): string | undefined => words.find(([name]) => name === choice)?.[2];
    const setOption = (): void => {
      const wanted = standard(control.value);
      const value = wanted === undefined ? control.value : `${control.value}:${parameter.value.trim() || wanted}`;
      this.setOption(key, value, fallback);
    };
    const control = select(words.map(([choice, text]) => [choice, text] as const), fallback, choice => {
      parameter.value = standard(choice) ?? "";
      setOption();
    }, `option-${key}`);
    this.refresh.push(options => {
      const [choice = "", ...values] = String(options[key] ?? fallback).split(":");
      control.value = choice;
      parameter.hidden = standard(choice) === undefined;
      parameter.value = values.join(":") || standard(choice) || "";
    });
    return el("div", { class: "pair" }, field(label, control), parameter);
  }

  private eta(): HTMLElement {
    const value = el("output", { class: "rate" });
    const slider = el("input", {
      type: "range", min: 0, max: ETAS.length - 1, "data-test": "option-eta",
      input: () => this.setOption("eta", ETAS[Number(slider.value)] ?? 1, 1, "eta"),
    });
    this.refresh.push(({ eta = 1 }) => {
      slider.value = String(nearestPlace(eta));
      slider.setAttribute("aria-valuetext", short(eta));
      value.textContent = short(eta);
    });
    return field("Learning rate η", el("span", { class: "slider" }, slider, value));
  }

  private number(key: "seed" | "epochs" | "allow_mistakes", label: string, fallback: number, min: number, max: number): HTMLElement {
    const control = el("input", {
      type: "number", min, max, step: 1, "data-test": `option-${key}`,
      change: () => {
        const value = Math.round(Math.min(max, Math.max(min, control.valueAsNumber)));
        this.setOption(key, Number.isFinite(value) ? value : fallback, fallback);
      },
    });
    this.refresh.push(options => { control.value = String(options[key] ?? fallback); });
    return field(label, control);
  }
}

function nearestPlace(eta: number): number {
  const distance = (value: number): number => Math.abs(Math.log(value / eta));
  return ETAS.reduce((best, value, k) => (distance(value) < distance(ETAS[best] ?? 1) ? k : best), 0);
}
