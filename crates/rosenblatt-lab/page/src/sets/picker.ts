// The form that chooses a ready-made set and its parameters.

import { type FileAnswer, LIMITS } from "../contract.js";
import { button, checkbox, el, field, select } from "../dom.js";
import { plural, short } from "../numbers.js";
import { type ColumnTable, defaultSource, type DroppedFile, type SetName, SETS, type Source, tableOf } from "./source.js";

type Choose = (source: Source, gesture?: string) => void;

export class SetPicker {
  readonly root = el("div", { class: "sets", role: "group", "aria-label": "Ready-made sets" });
  private readonly setSelect: HTMLSelectElement;
  private readonly details = el("div", { class: "set-details" });
  private shownSet = "";
  private shownTable: ColumnTable | undefined;
  private update: (source: Source) => void = () => {};

  /** `reread` reads a dropped file again with another class as +1. */
  constructor(
    private readonly choose: Choose, private readonly file: () => FileAnswer | undefined,
    private readonly reread: (file: DroppedFile, positive: string) => void,
  ) {
    this.setSelect = select([], "own", set => this.choose(defaultSource(set as SetName, this.file())), "set");
    this.root.append(field("Points", this.setSelect), this.details);
    this.offerSets();
  }

  /** Offers the user's file only if there is one. */
  offerSets(): void {
    const sets = SETS.filter(([set]) => set !== "dropped" && (set !== "file" || this.file()));
    this.setSelect.replaceChildren(...sets.map(([set, text]) =>
      el("option", { value: set }, set === "file" ? `my file: ${this.file()?.name.split(/[\\/]/).at(-1)}` : text)));
    this.shownSet = "";
  }

  show(source: Source): void {
    const table = tableOf(source, this.file());
    this.offerDropped(source);
    this.setSelect.value = source.set;
    if (this.shownSet !== source.set || ("file" in source && this.shownTable !== table)) this.build(source, table);
    this.shownSet = source.set;
    this.shownTable = table;
    this.update(source);
  }

  /** A dropped file is a set as long as it is shown. */
  private offerDropped(source: Source): void {
    const offered = this.setSelect.querySelector<HTMLOptionElement>("option[value=dropped]");
    if (source.set !== "dropped") return offered?.remove();
    const option = offered ?? el("option", { value: "dropped" });
    option.textContent = source.file.table.name;
    if (!offered) this.setSelect.append(option);
  }

  private build(source: Source, table: ColumnTable | undefined): void {
    this.details.replaceChildren();
    this.update = () => {};
    if ("count" in source) this.buildRandom();
    if (table) this.buildColumns(table);
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
  private buildColumns(table: ColumnTable): void {
    let current: Source | undefined;
    const put = (change: { x?: string; y?: string; positive?: string; standardized?: boolean }): void => {
      if (!current || !("x" in current)) return;
      if (current.set === "dropped" && change.positive !== undefined) this.reread(current.file, change.positive);
      else this.choose({ ...current, ...change });
    };
    const names = (values: string[]): [string, string][] => values.map(value => [value, value]);
    const x = select(names(table.features), "", x => put({ x }), "set-x");
    const y = select(names(table.features), "", y => put({ y }), "set-y");
    const positive = select(names(table.classes), "", positive => put({ positive }), "set-class");
    const pairs = new BestPairs(table, pair => put(pair));
    const standardized = checkbox("Standardize: mean 0, deviation 1", "set-standardized", false, standardized => put({ standardized }));
    this.details.append(pairs.root, field("x₁", x), field("x₂", y), field("Class +1", positive), standardized);
    if (typeof table.rows === "number" && table.shown !== undefined && table.shown < table.rows) {
      this.details.append(el("p", { class: "note" }, `The page shows a sample of ${table.shown} of ${table.rows} rows.`));
    }
    const box = standardized.querySelector("input");
    this.update = source => {
      current = source;
      if (!("x" in source)) return;
      [x.value, y.value, positive.value] = [source.x, source.y, source.positive];
      if (box) box.checked = source.standardized ?? false;
      pairs.show(source);
    };
  }
}

/** Offers the pairs of columns that separate a class best. */
class BestPairs {
  readonly root: HTMLElement;
  private readonly choice: HTMLSelectElement;

  constructor(private readonly table: ColumnTable, chosen: (pair: { x: string; y: string }) => void) {
    const { pairs = [], features } = table;
    const names = pairs.map(({ x, y, errors }, k): [string, string] =>
      [String(k), `${features[x]} × ${features[y]}: ${plural(errors, "error")}`]);
    this.choice = select([["", "another pair"], ...names], "", k => {
      const pair = pairs[Number(k || NaN)];
      if (pair) chosen({ x: features[pair.x] ?? "", y: features[pair.y] ?? "" });
    }, "set-pair");
    this.root = field("Columns that separate best", this.choice);
  }

  show(source: Source): void {
    if (!("x" in source)) return;
    const { pairs = [], features, positive } = this.table;
    // They were found for one class.
    this.root.hidden = pairs.length === 0 || source.positive !== positive;
    this.choice.value = String(pairs.findIndex(({ x, y }) => features[x] === source.x && features[y] === source.y)).replace("-1", "");
  }
}
