// The points as an editable table with exact numbers.

import type { Points, Sign } from "../contract.js";
import { button, el, select } from "../dom.js";
import { added, moved, relabeled, removed } from "../state.js";

const MAX_ROWS = 200;

export class PointTable {
  readonly root: HTMLDetailsElement;
  private readonly body = el("tbody");
  private readonly note = el("p", { class: "note" });
  private readonly summary = el("summary", {}, "Points as a table");
  private points: Points = { rows: [], signs: [] };
  private shown: Points | undefined;

  constructor(private readonly change: (points: Points) => void) {
    const heads = ["number", "x₁", "x₂", "class", "remove"].map(text => el("th", { scope: "col" }, text));
    this.root = el("details", { class: "point-table", "data-test": "table", toggle: () => this.fill() }, this.summary,
      el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Points" }, el("table", {},
        el("caption", { class: "visually-hidden" }, "The points and their classes"), el("thead", {}, el("tr", {}, ...heads)), this.body)),
      this.note,
      button("Add a point", () => this.change(added(this.points, [0, 0], 1)), { "data-test": "table-add" }));
  }

  show(points: Points): void {
    this.points = points;
    const count = points.rows.length;
    this.summary.textContent = `Points as a table (${count})`;
    this.fill();
  }

  /** Updates the rows of an open table; unchanged rows keep the focus. */
  private fill(): void {
    if (!this.root.open || this.shown === this.points) return;
    const { rows, signs } = this.points;
    const before = this.shown;
    this.shown = this.points;
    const count = Math.min(rows.length, MAX_ROWS);
    while (this.body.rows.length > count) this.body.deleteRow(-1);
    for (let index = 0; index < count; index++) {
      const there = this.body.rows[index];
      if (there && before?.rows[index] === rows[index] && before?.signs[index] === signs[index]) continue;
      if (there) this.refresh(there, index);
      else this.body.append(this.row(index));
    }
    this.note.textContent = rows.length > count ? `The first ${count} of ${rows.length} points.` : "";
  }

  private row(index: number): HTMLTableRowElement {
    const number = (column: number): HTMLInputElement => {
      const control = el("input", {
        type: "number", step: "any", "aria-label": `x${"₁₂"[column]} of point ${index + 1}`,
        change: () => this.edit(index, column, control.valueAsNumber),
      });
      return control;
    };
    const label = select([["1", "+1"], ["-1", "−1"]], "1", value => this.change(relabeled(this.points, index, Number(value) as Sign)));
    label.setAttribute("aria-label", `Class of point ${index + 1}`);
    const remove = button("✕", () => this.change(removed(this.points, index)), { "aria-label": `Remove point ${index + 1}` });
    const row = el("tr", {}, el("th", { scope: "row" }, String(index + 1)),
      el("td", {}, number(0)), el("td", {}, number(1)), el("td", {}, label), el("td", {}, remove));
    this.refresh(row, index);
    return row;
  }

  private refresh(row: HTMLTableRowElement, index: number): void {
    const [x, y] = row.querySelectorAll("input");
    const [label] = row.querySelectorAll("select");
    if (x) x.value = String(this.points.rows[index]?.[0] ?? 0);
    if (y) y.value = String(this.points.rows[index]?.[1] ?? 0);
    if (label) label.value = String(this.points.signs[index] ?? 1);
  }

  private edit(index: number, column: number, value: number): void {
    const row = this.points.rows[index];
    if (row && Number.isFinite(value)) this.change(moved(this.points, index, row.with(column, value)));
  }
}
