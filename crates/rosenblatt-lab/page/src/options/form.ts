// The form of a run's options: first the options of the lectures, then the others under "More options".

import type { Choices } from "../contract.js";
import { button, el, field, select } from "../dom.js";
import { short } from "../numbers.js";
import { BEGIN } from "../state.js";

/** Powers of two scale without rounding; 0.1 shows the effect of rounding. A link may have any rate. */
const ETAS = [1 / 64, 1 / 32, 1 / 16, 0.1, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

type Change = (choices: Choices, gesture?: string) => void;

export class OptionsForm {
  readonly root: HTMLDetailsElement;
  private choices: Choices = {};
  private readonly refresh: ((choices: Choices) => void)[] = [];

  constructor(private readonly change: Change) {
    this.root = el("details", { class: "options", open: !this.crowded(), "data-test": "options" }, el("summary", {}, "Options"),
      el("div", { class: "fields" },
        this.parametric("update", "Update", "perceptron", [
          ["perceptron", "perceptron"], ["margin", "with margin", "1"], ["pa", "passive-aggressive"],
          ["pa1", "passive-aggressive I", "1"], ["pa2", "passive-aggressive II", "1"],
        ]),
        this.eta(),
        this.word("order", "Order", "shuffle", [["given", "as given"], ["shuffle", "shuffled each epoch"]]),
        this.word("bias", "Bias", "unit", [["unit", "b ← b + η y"], ["radius", "b ← b + η y R²"], ["none", "none"]]),
        this.word("mistake", "A mistake is", "margin", [["margin", "y·s ≤ 0"], ["label", "wrong label"]]),
        this.parametric("kernel", "Kernel", "", [
          ["", "none (line)"], ["poly", "polynomial", "2"], ["rbf", "Gaussian", "1"], ["linear", "linear"],
        ])),
      this.more());
  }

  show(choices: Choices): void {
    this.choices = choices;
    for (const refresh of this.refresh) refresh(choices);
  }

  /** On small screens the options start closed, so that the steps are visible. */
  private crowded(): boolean {
    return document.documentElement.dataset.size === "big" || innerWidth < 1100;
  }

  private more(): HTMLElement {
    return el("details", {}, el("summary", {}, "More options"), el("div", { class: "fields" },
      this.word("keep", "Weights kept", "auto", [
        ["auto", "last if converged, else average"], ["last", "last weights"], ["average", "average weights"],
        ["pocket", "pocket weights"], ["vote", "voted weights"],
      ]),
      this.word("zero", "Class of a score of 0", "positive", [["positive", "positive"], ["negative", "negative"]]),
      this.word("init", "Initial weights", "zero", [["zero", "zero"], ["random", "random"]]),
      this.number("seed", "Seed", 0, 0, Number.MAX_SAFE_INTEGER),
      this.number("epochs", "Maximum epochs", 1000, 1, 100_000),
      this.number("allow_mistakes", "Allowed mistakes", 0, 0, 5000),
      button("Default options", () => this.change({ ...BEGIN }), { "data-test": "default-options" })));
  }

  /** Sets an option; a default value removes it. */
  private put(key: keyof Choices, value: string | number, absent: string | number, gesture?: string): void {
    const { [key]: _, ...others } = this.choices;
    this.change(value === absent ? others : { ...others, [key]: value }, gesture);
  }

  private word(key: keyof Choices, label: string, absent: string, words: [string, string][]): HTMLElement {
    const control = select(words, absent, value => this.put(key, value, absent), `option-${key}`);
    this.refresh.push(choices => { control.value = String(choices[key] ?? absent); });
    return field(label, control);
  }

  /** A choice with a parameter, as in `margin:0.5`. */
  private parametric(key: "update" | "kernel", label: string, absent: string, words: [string, string, string?][]): HTMLElement {
    const parameter = el("input", {
      type: "text", inputmode: "decimal", class: "parameter", "data-test": `option-${key}-parameter`,
      "aria-label": `Parameter of: ${label}`, change: () => put(),
    });
    const standard = (word: string): string | undefined => words.find(([name]) => name === word)?.[2];
    const put = (): void => {
      const wanted = standard(control.value);
      const value = wanted === undefined ? control.value : `${control.value}:${parameter.value.trim() || wanted}`;
      this.put(key, value, absent);
    };
    const control = select(words.map(([word, text]) => [word, text] as const), absent, word => {
      parameter.value = standard(word) ?? "";
      put();
    }, `option-${key}`);
    this.refresh.push(choices => {
      const [word = "", ...values] = String(choices[key] ?? absent).split(":");
      control.value = word;
      parameter.hidden = standard(word) === undefined;
      parameter.value = values.join(":") || standard(word) || "";
    });
    return el("div", { class: "pair" }, field(label, control), parameter);
  }

  private eta(): HTMLElement {
    const value = el("output", { class: "rate" });
    const slider = el("input", {
      type: "range", min: 0, max: ETAS.length - 1, "data-test": "option-eta",
      input: () => this.put("eta", ETAS[Number(slider.value)] ?? 1, 1, "eta"),
    });
    this.refresh.push(({ eta = 1 }) => {
      slider.value = String(nearestPlace(eta));
      slider.setAttribute("aria-valuetext", short(eta));
      value.textContent = short(eta);
    });
    return field("Learning rate η", el("span", { class: "slide" }, slider, value));
  }

  private number(key: "seed" | "epochs" | "allow_mistakes", label: string, absent: number, min: number, max: number): HTMLElement {
    const control = el("input", {
      type: "number", min, max, step: 1, "data-test": `option-${key}`,
      change: () => {
        const value = Math.round(Math.min(max, Math.max(min, control.valueAsNumber)));
        this.put(key, Number.isFinite(value) ? value : absent, absent);
      },
    });
    this.refresh.push(choices => { control.value = String(choices[key] ?? absent); });
    return field(label, control);
  }
}

function nearestPlace(eta: number): number {
  const distance = (value: number): number => Math.abs(Math.log(value / eta));
  return ETAS.reduce((best, value, k) => (distance(value) < distance(ETAS[best] ?? 1) ? k : best), 0);
}
