// The form that chooses a ready-made set and its parameters.

import { type FileAnswer, LIMITS } from "../contract.js";
import { button, el, field, select } from "../dom.js";
import { short } from "../numbers.js";
import { defaultSource, type SetName, SETS, type Source } from "./source.js";
import { tables } from "./bundled.js";

type Choose = (source: Source, gesture?: string) => void;

export class SetPicker {
  readonly root = el("div", { class: "sets", role: "group", "aria-label": "Ready-made sets" });
  private readonly setSelect: HTMLSelectElement;
  private readonly details = el("div", { class: "set-details" });
  private shownSet = "";
  private update: (source: Source) => void = () => {};

  constructor(private readonly choose: Choose, private readonly file: () => FileAnswer | undefined) {
    this.setSelect = select([], "own", set => this.choose(defaultSource(set as SetName, this.file())), "set");
    this.root.append(field("Points", this.setSelect), this.details);
    this.offerSets();
  }

  /** Offers the user's file only if there is one. */
  offerSets(): void {
    const sets = SETS.filter(([set]) => set !== "file" || this.file());
    this.setSelect.replaceChildren(...sets.map(([set, text]) =>
      el("option", { value: set }, set === "file" ? `my file: ${this.file()?.name.split(/[\\/]/).at(-1)}` : text)));
    this.shownSet = "";
  }

  show(source: Source): void {
    this.setSelect.value = source.set;
    if (this.shownSet !== source.set) this.build(source);
    this.shownSet = source.set;
    this.update(source);
  }

  private build(source: Source): void {
    this.details.replaceChildren();
    this.update = () => {};
    if ("count" in source) this.buildRandom();
    if ("x" in source) this.buildColumns(source.set);
  }

  /** The controls of a random set. */
  private buildRandom(): void {
    let current: Source | undefined;
    const value = el("output", { class: "rate" });
    const slider = el("input", {
      type: "range", min: 0, max: 2, step: 0.05, "data-test": "set-margin",
      input: () => { if (current?.set === "margin") this.choose({ ...current, margin: Number(slider.value) }, "margin"); },
    });
    const count = el("input", {
      type: "number", min: 2, max: LIMITS.points, "data-test": "set-count",
      change: () => {
        const rounded = Math.min(LIMITS.points, Math.max(2, Math.round(count.valueAsNumber) || 2));
        if (current && "count" in current) this.choose({ ...current, count: rounded });
      },
    });
    const margin = field("Margin", el("span", { class: "slider" }, slider, value));
    const drawAgain = button("Draw again", () => {
      if (current && "count" in current) this.choose({ ...current, draw: current.draw + 1 });
    }, { "data-test": "draw" });
    this.details.append(margin, field("Count", count), drawAgain);
    this.update = source => {
      current = source;
      margin.hidden = source.set !== "margin";
      if (source.set === "margin") {
        slider.value = String(source.margin);
        value.textContent = short(source.margin);
      }
      if ("count" in source) count.value = String(source.count);
    };
  }

  /** The controls for two columns and the positive class of a table. */
  private buildColumns(set: SetName): void {
    const file = this.file();
    const table = set === "file" ? file : tables[set as "iris" | "sonar"];
    if (!table) return;
    let current: Source | undefined;
    const put = (key: "x" | "y" | "positive") => (value: string): void => {
      if (current && "x" in current) this.choose({ ...current, [key]: value });
    };
    const names = (values: string[]): [string, string][] => values.map(value => [value, value]);
    const x = select(names(table.features), "", put("x"), "set-x");
    const y = select(names(table.features), "", put("y"), "set-y");
    const positive = select(names(table.classes), "", put("positive"), "set-class");
    this.details.append(field("x₁", x), field("x₂", y), field("Class +1", positive));
    if (file && set === "file" && file.shown < file.rows) {
      this.details.append(el("p", { class: "note" }, `The page shows a sample of ${file.shown} of ${file.rows} rows.`));
    }
    this.update = source => {
      current = source;
      if ("x" in source) [x.value, y.value, positive.value] = [source.x, source.y, source.positive];
    };
  }
}
