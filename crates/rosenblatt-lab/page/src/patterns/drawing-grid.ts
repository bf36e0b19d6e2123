// The grid on which the user draws, by pointer or keyboard.

import { el } from "../dom.js";
import { brushCells, cellAt, lineCells, type Picture, SIDE } from "./picture.js";

export class DrawingGrid {
  readonly root: HTMLElement;
  brush = 1;
  private readonly cells: HTMLElement[] = [];
  private picture: Picture;
  private focused = 0;
  /** The current stroke: the value that it paints, and its last cell. */
  private stroke: { value: number; last: [number, number] } | undefined;

  constructor(picture: Picture, private readonly changed: (picture: Picture, isNewStroke: boolean) => void) {
    this.picture = picture;
    const rows = Array.from({ length: SIDE }, (_, row) => el("div", { role: "row" },
      ...Array.from({ length: SIDE }, (_, column) => this.cell(column, row))));
    this.root = el("div", { class: "drawing-grid", role: "grid", "aria-label": "Drawing, 12 by 12 cells",
      "aria-multiselectable": "true", "aria-describedby": "drawing-help", "data-test": "pattern-grid" }, ...rows);
    this.root.addEventListener("pointerdown", (event) => this.down(event));
    this.root.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.root.addEventListener(end, () => { this.stroke = undefined; });
    this.root.addEventListener("contextmenu", (event) => event.preventDefault());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.show(picture);
  }

  show(picture: Picture): void {
    this.picture = picture;
    this.cells.forEach((cell, k) => cell.setAttribute("aria-selected", String(picture[k] === 1)));
  }

  private cell(column: number, row: number): HTMLElement {
    const cell = el("div", { role: "gridcell", tabindex: column + row === 0 ? 0 : -1,
      "aria-label": `row ${row + 1}, column ${column + 1}`, "data-test": "pattern-cell", "data-cell": this.cells.length });
    this.cells.push(cell);
    return cell;
  }

  private paint(cells: (number | undefined)[], value: number, isNewStroke: boolean): void {
    const painted = [...this.picture];
    for (const cell of cells) if (cell !== undefined) painted[cell] = value;
    if (painted.every((each, k) => each === this.picture[k])) return;
    this.show(painted);
    this.changed(painted, isNewStroke);
  }

  // Pointer.

  private at(event: PointerEvent): [number, number] {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    return [Math.floor(((event.clientX - left) / width) * SIDE), Math.floor(((event.clientY - top) / height) * SIDE)];
  }

  private down(event: PointerEvent): void {
    if (event.button > 2 || event.button === 1) return;
    const last = this.at(event);
    const cell = cellAt(...last);
    if (cell === undefined) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.focus(cell);
    // A stroke that starts on a filled cell erases; so does the right button.
    const value = event.button === 2 || this.picture[cell] === 1 ? 0 : 1;
    this.stroke = { value, last };
    this.paint(brushCells(...last, this.brush), value, true);
  }

  private move(event: PointerEvent): void {
    if (!this.stroke) return;
    // A fast pointer makes several moves per frame.
    const moves = event.getCoalescedEvents();
    const cells: number[] = [];
    for (const each of moves.length > 0 ? moves : [event]) {
      const to = this.at(each);
      for (const [column, row] of lineCells(this.stroke.last, to)) cells.push(...brushCells(column, row, this.brush));
      this.stroke.last = to;
    }
    this.paint(cells, this.stroke.value, false);
  }

  // Keyboard.

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [column, row] = [this.focused % SIDE, Math.floor(this.focused / SIDE)];
    const to = { ArrowLeft: [column - 1, row], ArrowRight: [column + 1, row], ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1], Home: [0, row], End: [SIDE - 1, row] }[event.key];
    if (to) {
      const cell = cellAt(to[0] ?? 0, to[1] ?? 0);
      // With Shift, the movement draws.
      if (cell !== undefined && event.shiftKey) this.paint([this.focused, cell], 1, true);
      if (cell !== undefined) this.focus(cell);
    } else if (event.key === " " || event.key === "Enter") {
      this.paint(brushCells(column, row, this.brush), this.picture[this.focused] === 1 ? 0 : 1, true);
    } else return;
    event.preventDefault();
  }

  private focus(cell: number): void {
    this.cells[this.focused]?.setAttribute("tabindex", "-1");
    this.focused = cell;
    this.cells[cell]?.setAttribute("tabindex", "0");
    this.cells[cell]?.focus({ preventScroll: true });
  }
}
