// The form of a run's options: first the options of the lectures, then the others under "More options".

import { DEFAULTS, KEPT_TITLES, type KERNELS, LEAST, LIMITS, NOTES, RULES, type RunOptions, type TEXT_OPTIONS } from "../contract.js";
import { button, el, field, select } from "../dom.js";
import { short } from "../numbers.js";
import { INITIAL_OPTIONS } from "../state.js";
import { type Notes, notesLike, notesNamed } from "../notes.js";

/** Powers of two scale without rounding; 0.1 shows the effect of rounding. A link may have any rate. */
const ETAS = [1 / 64, 1 / 32, 1 / 16, 0.1, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

/** The options whose values are words. */
type WordOption = Exclude<(typeof TEXT_OPTIONS)[number], "update" | "kernel">;

const UPDATE_LABELS = Object.fromEntries(Object.entries(RULES).map(([name, { label }]) => [name, label]));
const UPDATE_PARAMETERS = Object.fromEntries(Object.entries(RULES).filter(([, { parameter }]) => parameter).map(([name]) => [name, "1"]));
const KERNEL_LABELS: Record<(typeof KERNELS)[number] | "", string> = {
  "": "none (line)", poly: "polynomial", rbf: "Gaussian", linear: "linear",
};

type ChangeOptions = (options: RunOptions, gesture?: string) => void;

export class OptionsForm {
  readonly root: HTMLElement;
  private options: RunOptions = {};
  private readonly refresh: ((options: RunOptions) => void)[] = [];
  private readonly notes: HTMLSelectElement;
  private readonly remark = el("p", { class: "note", "data-test": "notes-remark" });

  /** `choose` sets the options of lecture notes; without notes they are the user's own, and stay as they are. */
  constructor(private readonly change: ChangeOptions, choose: (notes: Notes | undefined) => void) {
    const items = NOTES.map(({ name, title }) => [name, title] as const);
    this.notes = select([["", "own options"], ...items], "", name => choose(notesNamed(name)), "option-notes");
    this.root = el("div", { class: "options", "data-test": "options" },
      field("Lecture notes", this.notes, "The options of an algorithm as these notes have it"), this.remark,
      el("div", { class: "fields" },
        this.choiceWithParameter("update", "Update", DEFAULTS.update, UPDATE_LABELS, UPDATE_PARAMETERS),
        this.eta(),
        this.choice("order", "Order", { given: "as given", shuffle: "shuffled each epoch" }),
        this.choice("bias", "Bias", { unit: "b ← b + η y", radius: "b ← b + η y R²", none: "none" }),
        this.choice("mistake", "A mistake is", { margin: "y·s ≤ 0", label: "wrong label" }),
        this.choiceWithParameter("kernel", "Kernel", "", KERNEL_LABELS, { poly: "2", rbf: "1" })),
      this.moreOptions());
  }

  show(options: RunOptions, notes: Notes | undefined): void {
    this.options = options;
    this.notes.value = notes?.name ?? "";
    this.remark.textContent = remark(options, notes);
    for (const refresh of this.refresh) refresh(options);
  }

  private moreOptions(): HTMLElement {
    return el("details", {}, el("summary", {}, "More options"), el("div", { class: "fields" },
      this.choice("keep", "Weights kept", {
        auto: "average (in the command, of a longer run if it errs)", ...KEPT_TITLES,
      }),
      this.choice("zero", "Class of a score of 0", { positive: "positive", negative: "negative" }),
      this.init(),
      this.number("seed", "Seed", Number.MAX_SAFE_INTEGER),
      this.number("epochs", "Maximum epochs", LIMITS.epochs),
      this.number("allow_mistakes", "Allowed mistakes", LIMITS.points),
      button("Default options", () => this.change({ ...INITIAL_OPTIONS }), { "data-test": "default-options" })));
  }

  /** Sets an option; a default value removes it. */
  private setOption(key: keyof RunOptions, value: string | number, fallback: string | number, gesture?: string): void {
    const { [key]: _, ...others } = this.options;
    this.change(value === fallback ? others : { ...others, [key]: value }, gesture);
  }

  /** The initial weights; a line that the user has drawn is offered while the run starts from it. */
  private init(): HTMLElement {
    const own = el("option", { value: "start" }, "my line");
    const control = select([["zero", "zero"], ["random", "random"]], "zero", value => {
      if (value === "start") return;
      const { start: _, init: __, ...others } = this.options;
      this.change(value === "random" ? { ...others, init: value } : others);
    }, "option-init");
    this.refresh.push(({ init = DEFAULTS.init, start }) => {
      if (start) control.append(own);
      else own.remove();
      control.value = start ? "start" : init;
    });
    return field("Initial weights", control);
  }

  private choice<K extends WordOption>(key: K, label: string, labels: Record<NonNullable<RunOptions[K]>, string>): HTMLElement {
    const fallback: string = DEFAULTS[key];
    const control = select(Object.entries(labels), fallback, value => this.setOption(key, value, fallback), `option-${key}`);
    this.refresh.push(options => {
      const value = String(options[key] ?? fallback);
      // A link may have a value that is not offered, such as `unit:0.5`.
      if (!(value in labels)) control.append(el("option", { value }, value));
      control.value = value;
    });
    return field(label, control);
  }

  /** A choice with a parameter, as in `margin:0.5`. */
  private choiceWithParameter<Names extends string>(
    key: "update" | "kernel", label: string, fallback: string, labels: Record<Names, string>, parameters: Partial<Record<Names, string>>,
  ): HTMLElement {
    const parameter = el("input", {
      type: "text", inputmode: "decimal", class: "parameter", "data-test": `option-${key}-parameter`,
      "aria-label": `Parameter of: ${label}`, change: () => setOption(),
    });
    const standard = (choice: string): string | undefined => parameters[choice as Names];
    const setOption = (): void => {
      const wanted = standard(control.value);
      const value = wanted === undefined ? control.value : `${control.value}:${parameter.value.trim() || wanted}`;
      this.setOption(key, value, fallback);
    };
    const control = select(Object.entries<string>(labels), fallback, choice => {
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
    const fallback = DEFAULTS.eta;
    const value = el("output", { class: "rate" });
    const slider = el("input", {
      type: "range", min: 0, max: ETAS.length - 1, "data-test": "option-eta",
      input: () => this.setOption("eta", ETAS[Number(slider.value)] ?? fallback, fallback, "eta"),
    });
    this.refresh.push(({ eta = fallback }) => {
      slider.value = String(nearestPlace(eta));
      slider.setAttribute("aria-valuetext", short(eta));
      value.textContent = short(eta);
    });
    return field("Learning rate η", el("span", { class: "slider" }, slider, value));
  }

  private number(key: keyof typeof LEAST, label: string, max: number): HTMLElement {
    const [min, fallback] = [LEAST[key], DEFAULTS[key]];
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

function remark(options: RunOptions, notes: Notes | undefined): string {
  if (notes) return notes.threshold ? "In these notes b is a threshold: w·x ≥ b." : "";
  const like = notesLike(options);
  return like ? `These are the options of ${like.title}.` : "";
}

function nearestPlace(eta: number): number {
  const distance = (value: number): number => Math.abs(Math.log(value / eta));
  return ETAS.reduce((best, value, k) => (distance(value) < distance(ETAS[best] ?? 1) ? k : best), 0);
}
