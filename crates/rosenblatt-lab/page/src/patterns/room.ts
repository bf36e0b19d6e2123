// The pattern workspace: the user draws and labels patterns; each change starts training and predicts the drawing.

import type { PatternAnswer } from "../contract.js";
import { button, el } from "../dom.js";
import { Newest, reason } from "../experiments/newest.js";
import { plural } from "../numbers.js";
import type { Lab, Panel } from "../lab.js";
import { Turns } from "../turns.js";
import { Board } from "./board.js";
import { lacking, learn } from "./lesson.js";
import { readRoom, type RoomState, USUAL, writeDrawing, writeLesson, written } from "./link.js";
import { learningForm } from "./options.js";
import { blank, isBlank, noisy, type Picture } from "./picture.js";
import { READY, ready } from "./ready.js";
import { predicted, type Verdict } from "./scores.js";
import { shelf } from "./shelf.js";
import { FLIPS, LabelForm, toolRow } from "./tools.js";
import { VerdictView } from "./verdict.js";
import { weightImages } from "./weights.js";

const PAUSE = 80; // milliseconds without a change before training starts
const MOST_BACK = 200;

export class PatternRoom implements Panel {
  readonly id = "patterns";
  readonly title = "Patterns";
  private lab!: Lab;
  private state: RoomState = { patterns: [], drawing: blank, learning: USUAL };
  private board!: Board;
  private readonly label = new LabelForm((text) => this.keep(text));
  private readonly verdict = new VerdictView();
  private readonly learned = el("div", { "data-test": "pattern-learned" });
  private readonly options = el("div");
  private readonly set = el("div");
  private readonly status = el("p", { class: "status", role: "status", "data-test": "pattern-status" });
  private readonly newest = new Newest();
  private readonly drawings = new Turns<RoomState>((state) => this.predict(state));
  /** Aborts the predictions when another training starts. */
  private lessons = new AbortController();
  private answer: PatternAnswer | undefined;
  private past: Picture[] = [];
  private edited: number | undefined;
  private seed = 0;
  private link = "";

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    this.board = new Board(blank, (picture, began) => this.drawn(picture, began));
    root.classList.add("pattern-room");
    root.append(el("div", { class: "columns" }, this.draw(), this.judgement(), this.lesson()), this.collection());
    this.open();
    lab.onChange(() => this.show());
  }

  /** Reads the link again if it has changed. */
  show(): void {
    if (written(this.lab) !== this.link) this.open();
  }

  private open(): void {
    this.state = readRoom(this.lab);
    this.link = written(this.lab);
    this.edited = undefined;
    this.past = [];
    this.options.replaceChildren(learningForm(this.state.learning, (learning) => this.change({ learning })));
    this.board.show(this.state.drawing);
    this.changed();
  }

  // The parts.

  private draw(): HTMLElement {
    return el("section", { class: "draw" }, el("h2", {}, "Draw"), this.board.root, toolRow({
      brush: (size) => { this.board.brush = size; },
      clear: () => this.redraw(blank),
      back: () => this.back(),
      noise: () => this.noise(),
      keep: (text) => this.keep(text),
    }), this.label.root, this.status,
    el("p", { class: "remark", id: "board-help" }, "Arrow keys move, Space flips a cell, Shift with an arrow key draws. "
      + "A stroke that starts on a filled cell erases."));
  }

  private judgement(): HTMLElement {
    return el("section", {}, el("h2", {}, "Prediction"), ...this.verdict.parts,
      el("h2", {}, "Training options"), this.options);
  }

  private lesson(): HTMLElement {
    return el("section", { class: "lesson" }, el("h2", {}, "Learned weights"), this.learned);
  }

  private collection(): HTMLElement {
    const sets = READY.map(([name, title]) => button(`Use the ${title}`, () => this.change({ patterns: ready(name) }), { "data-test": `pattern-set-${name}` }));
    return el("section", { class: "collection" }, el("h2", {}, "Training set"),
      el("div", { class: "row" }, ...sets, button("Remove all", () => this.change({ patterns: [] }), { "data-test": "pattern-set-none" })),
      this.set, el("p", { class: "remark" }, "Click a picture to edit it; press Delete to remove it."));
  }

  // The drawing.

  private drawn(drawing: Picture, began: boolean): void {
    if (began) this.remember();
    this.state = { ...this.state, drawing };
    writeDrawing(this.lab, this.state);
    this.link = written(this.lab);
    this.judge();
  }

  private redraw(picture: Picture): void {
    this.remember();
    this.board.show(picture);
    this.drawn(picture, false);
  }

  private remember(): void {
    this.past = [...this.past.slice(1 - MOST_BACK), this.state.drawing];
  }

  private back(): void {
    const before = this.past.pop();
    if (!before) return;
    this.board.show(before);
    this.drawn(before, false);
  }

  private noise(): void {
    this.redraw(noisy(this.state.drawing, FLIPS, this.seed++));
    this.status.textContent = `${FLIPS} cells flipped.`;
  }

  /** Requests a prediction of the drawing, unless the pending training returns one. */
  private judge(): void {
    if (this.answer) this.drawings.ask(this.state);
  }

  private async predict(state: RoomState): Promise<void> {
    const { signal } = this.lessons;
    try {
      const answer = await learn(state, signal);
      if (!signal.aborted) this.tell(predicted(answer));
    } catch (error) {
      if (!signal.aborted) this.forget(reason(error));
    }
  }

  private tell(verdict: Verdict | undefined): void {
    this.verdict.show(verdict, isBlank(this.state.drawing));
  }

  // The training set.

  private keep(label: string): void {
    const { drawing, patterns } = this.state;
    if (label === "" || isBlank(drawing)) {
      this.status.textContent = label === "" ? "Type a label first: a letter or a digit." : "Draw something first.";
      if (label === "") this.label.input.focus();
      return;
    }
    const pattern = { picture: drawing, label };
    const kept = this.edited === undefined ? [...patterns, pattern] : patterns.with(this.edited, pattern);
    this.status.textContent = this.edited === undefined ? `Added as ${label}.` : `Pattern ${this.edited + 1} changed.`;
    this.change({ patterns: kept });
    this.redraw(blank);
    this.label.input.value = "";
  }

  private edit(index: number): void {
    const pattern = this.state.patterns[index];
    if (!pattern) return;
    const again = this.edited === index;
    this.edited = again ? undefined : index;
    this.label.input.value = again ? "" : pattern.label;
    this.label.editing(!again);
    this.redraw(again ? blank : pattern.picture);
    this.fillSet(index);
  }

  private remove(index: number): void {
    this.change({ patterns: this.state.patterns.toSpliced(index, 1) });
    this.thumbnail(Math.min(index, this.state.patterns.length - 1))?.focus();
  }

  private change(change: Partial<RoomState>): void {
    this.state = { ...this.state, ...change };
    this.edited = undefined;
    this.label.editing(false);
    this.changed();
  }

  private changed(): void {
    this.fillSet();
    writeLesson(this.lab, this.state);
    this.link = written(this.lab);
    void this.train(PAUSE);
  }

  private fillSet(focus?: number): void {
    this.set.replaceChildren(shelf(this.state.patterns, this.edited,
      { edit: (index) => this.edit(index), remove: (index) => this.remove(index) }));
    if (focus !== undefined) this.thumbnail(focus)?.focus();
  }

  private thumbnail(index: number): HTMLElement | null {
    return this.set.querySelector(`[data-index="${index}"]`);
  }

  // Training.

  private async train(wait: number): Promise<void> {
    this.lessons.abort();
    this.lessons = new AbortController();
    this.drawings.forget();
    const missing = lacking(this.state);
    if (missing !== undefined) {
      this.newest.stop();
      this.forget(missing);
      return;
    }
    try {
      let asked = this.state;
      const answer = await this.newest.ask((signal) => {
        asked = this.state;
        return learn(asked, signal);
      }, wait);
      if (answer) this.taught(answer, asked.drawing);
    } catch (error) {
      this.forget(reason(error));
    }
  }

  private taught(answer: PatternAnswer, drawing: Picture): void {
    const { report } = answer;
    this.answer = answer;
    const end = report.converged ? "every class converged"
      : "not every class converged. More epochs, other copies or a kernel may help";
    this.learned.replaceChildren(el("p", { "data-test": "pattern-report", "data-updates": report.updates },
      `${plural(report.examples, "example")}, ${plural(report.updates, "update")}: ${end}.`), weightImages(answer));
    // The drawing may have changed since.
    if (drawing === this.state.drawing) this.tell(predicted(answer));
    else this.judge();
  }

  private forget(why: string): void {
    this.answer = undefined;
    this.learned.replaceChildren(el("p", {}, why));
    this.tell(undefined);
  }
}
