// The pattern workspace: the user draws and labels patterns; each change starts training and predicts the drawing.

import type { PatternAnswer } from "../contract.js";
import { button, el } from "../dom.js";
import { LatestRequest } from "../latest-request.js";
import { messageWithHint } from "../notices.js";
import { plural } from "../numbers.js";
import type { Lab, Panel } from "../lab.js";
import { SerialRequests } from "../serial-requests.js";
import { DrawingGrid } from "./drawing-grid.js";
import { missingData, trainAndPredict } from "./question.js";
import { DEFAULT_OPTIONS, isBare, linkText, type PatternState, readPatternState, writeDrawing, writeTrainingSet } from "./link.js";
import { patternOptionsForm } from "./options.js";
import { blank, isBlank, type Picture, withNoise } from "./picture.js";
import { PEN_LETTER, READY_SETS, readySet } from "./ready-sets.js";
import { firstPrediction, type Prediction } from "./scores.js";
import { trainingSet } from "./training-set.js";
import { FLIPS, LabelForm, toolRow } from "./tools.js";
import { PredictionView } from "./prediction.js";
import { weightImages } from "./weights.js";

const PAUSE = 80; // milliseconds without a change before training starts
const MAX_UNDO = 200;
const PEN_PAUSE = 90; // milliseconds between two cells of the pen

export class PatternWorkspace implements Panel {
  readonly id = "patterns";
  readonly title = "Patterns";
  private lab!: Lab;
  private state: PatternState = { patterns: [], drawing: blank, options: DEFAULT_OPTIONS };
  private grid!: DrawingGrid;
  private readonly label = new LabelForm((text) => this.addPattern(text));
  private readonly prediction = new PredictionView();
  private readonly weightsRoot = el("div", { "data-test": "pattern-learned" });
  private readonly optionsRoot = el("div");
  private readonly trainingSetRoot = el("div");
  private readonly status = el("p", { class: "status", role: "status", "data-test": "pattern-status" });
  private readonly latest = new LatestRequest();
  private readonly predictions = new SerialRequests<PatternState>((state) => this.predict(state));
  /** Aborts the predictions when another training starts. */
  private trainingAbort = new AbortController();
  private answer: PatternAnswer | undefined;
  private pastDrawings: Picture[] = [];
  private edited: number | undefined;
  private seed = 0;
  private lastLink = "";
  /** The drawing of the pen, until the user draws. */
  private penned: Picture | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    this.grid = new DrawingGrid(blank, (picture, isNewStroke) => this.drawingChanged(picture, isNewStroke));
    root.classList.add("pattern-workspace");
    root.append(
      el("div", { class: "columns" }, this.drawingSection(), this.predictionSection(), this.weightsSection()),
      this.trainingSetSection());
    this.grid.root.addEventListener("pointerdown", () => this.takeFromPen(), { capture: true });
    this.grid.root.addEventListener("keydown", ({ key }) => {
      if (/^( |Enter|Shift)$/.test(key)) this.takeFromPen();
    }, { capture: true });
    this.readLink();
    if (isBare(lab)) this.movePen(matchMedia("(prefers-reduced-motion: reduce)").matches ? PEN_LETTER.cells.length : 1);
    lab.onChange(() => this.show());
  }

  /** Draws the first cells of a letter, then one more; the scores follow. */
  private movePen(count: number): void {
    const { name, cells } = PEN_LETTER;
    const picture = [...blank];
    for (const cell of cells.slice(0, count)) picture[cell] = 1;
    this.penned = picture;
    this.grid.show(picture);
    this.state = { ...this.state, drawing: picture };
    this.requestPrediction();
    const goOn = (): void => { if (this.state.drawing === picture) this.movePen(count + 1); };
    if (count < cells.length) window.setTimeout(goOn, PEN_PAUSE);
    else this.status.textContent = `A pen drew this ${name}. Draw over it.`;
  }

  /** The user draws on an empty grid. */
  private takeFromPen(): void {
    if (this.state.drawing !== this.penned) return;
    this.status.textContent = "";
    this.setDrawing(blank);
  }

  /** Reads the link again if it has changed. */
  show(): void {
    if (linkText(this.lab) !== this.lastLink) this.readLink();
  }

  private readLink(): void {
    this.state = readPatternState(this.lab);
    this.lastLink = linkText(this.lab);
    this.edited = undefined;
    this.pastDrawings = [];
    this.optionsRoot.replaceChildren(patternOptionsForm(this.state.options, (options) => this.change({ options })));
    this.grid.show(this.state.drawing);
    this.changed();
  }

  // The parts.

  private drawingSection(): HTMLElement {
    return el("section", { class: "draw" }, el("h2", {}, "Draw"), this.grid.root, toolRow({
      brush: (size) => { this.grid.brush = size; },
      clear: () => this.setDrawing(blank),
      undo: () => this.undo(),
      noise: () => this.noise(),
      add: (text) => this.addPattern(text),
    }), this.label.root, this.status,
    el("p", { class: "remark", id: "drawing-help" }, "Arrow keys move, Space flips a cell, Shift with an arrow key draws. "
      + "A stroke that starts on a filled cell erases."));
  }

  private predictionSection(): HTMLElement {
    return el("section", {}, el("h2", {}, "Prediction"), ...this.prediction.parts,
      el("h2", {}, "Training options"), this.optionsRoot);
  }

  private weightsSection(): HTMLElement {
    return el("section", { class: "learned-weights" }, el("h2", {}, "Learned weights"), this.weightsRoot);
  }

  private trainingSetSection(): HTMLElement {
    const sets = READY_SETS.map(([name, title]) =>
      button(`Use the ${title}`, () => this.change({ patterns: readySet(name) }), { "data-test": `pattern-set-${name}` }));
    return el("section", { class: "collection" }, el("h2", {}, "Training set"),
      el("div", { class: "row" }, ...sets, button("Remove all", () => this.change({ patterns: [] }), { "data-test": "pattern-set-none" })),
      this.trainingSetRoot, el("p", { class: "remark" }, "Click a picture to edit it; press Delete to remove it."));
  }

  // The drawing.

  private drawingChanged(drawing: Picture, isNewStroke: boolean): void {
    if (isNewStroke) this.pushHistory();
    this.state = { ...this.state, drawing };
    writeDrawing(this.lab, this.state);
    this.lastLink = linkText(this.lab);
    this.requestPrediction();
  }

  private setDrawing(picture: Picture): void {
    this.pushHistory();
    this.grid.show(picture);
    this.drawingChanged(picture, false);
  }

  private pushHistory(): void {
    this.pastDrawings = [...this.pastDrawings.slice(1 - MAX_UNDO), this.state.drawing];
  }

  private undo(): void {
    const before = this.pastDrawings.pop();
    if (!before) return;
    this.grid.show(before);
    this.drawingChanged(before, false);
  }

  private noise(): void {
    this.setDrawing(withNoise(this.state.drawing, FLIPS, this.seed++));
    this.status.textContent = `${FLIPS} cells flipped.`;
  }

  /** Requests a prediction of the drawing, unless the pending training returns one. */
  private requestPrediction(): void {
    if (this.answer) this.predictions.ask(this.state);
  }

  private async predict(state: PatternState): Promise<void> {
    const { signal } = this.trainingAbort;
    try {
      const answer = await trainAndPredict(state, signal);
      if (!signal.aborted) this.showPrediction(firstPrediction(answer));
    } catch (error) {
      if (!signal.aborted) this.clearAnswer(messageWithHint(error));
    }
  }

  private showPrediction(prediction: Prediction | undefined): void {
    this.prediction.show(prediction, isBlank(this.state.drawing));
  }

  // The training set.

  private addPattern(label: string): void {
    const { drawing, patterns } = this.state;
    if (label === "" || isBlank(drawing)) {
      this.status.textContent = label === "" ? "Type a label first: a letter or a digit." : "Draw something first.";
      if (label === "") this.label.input.focus();
      return;
    }
    const pattern = { picture: drawing, label };
    const changed = this.edited === undefined ? [...patterns, pattern] : patterns.with(this.edited, pattern);
    this.status.textContent = this.edited === undefined ? `Added as ${label}.` : `Pattern ${this.edited + 1} changed.`;
    this.change({ patterns: changed });
    this.setDrawing(blank);
    this.label.input.value = "";
  }

  private edit(index: number): void {
    const pattern = this.state.patterns[index];
    if (!pattern) return;
    const closes = this.edited === index;
    this.edited = closes ? undefined : index;
    this.label.input.value = closes ? "" : pattern.label;
    this.label.editing(!closes);
    this.setDrawing(closes ? blank : pattern.picture);
    this.fillSet(index);
  }

  private remove(index: number): void {
    this.change({ patterns: this.state.patterns.toSpliced(index, 1) });
    this.thumbnail(Math.min(index, this.state.patterns.length - 1))?.focus();
  }

  private change(change: Partial<PatternState>): void {
    this.state = { ...this.state, ...change };
    this.edited = undefined;
    this.label.editing(false);
    this.changed();
  }

  private changed(): void {
    this.fillSet();
    writeTrainingSet(this.lab, this.state);
    this.lastLink = linkText(this.lab);
    void this.train(PAUSE);
  }

  private fillSet(focus?: number): void {
    this.trainingSetRoot.replaceChildren(trainingSet(this.state.patterns, this.edited,
      { edit: (index) => this.edit(index), remove: (index) => this.remove(index) }));
    if (focus !== undefined) this.thumbnail(focus)?.focus();
  }

  private thumbnail(index: number): HTMLElement | null {
    return this.trainingSetRoot.querySelector(`[data-index="${index}"]`);
  }

  // Training.

  private async train(wait: number): Promise<void> {
    this.trainingAbort.abort();
    this.trainingAbort = new AbortController();
    this.predictions.forget();
    const missing = missingData(this.state);
    if (missing !== undefined) {
      this.latest.stop();
      this.clearAnswer(missing);
      return;
    }
    try {
      let asked = this.state;
      const answer = await this.latest.ask((signal) => {
        asked = this.state;
        return trainAndPredict(asked, signal);
      }, wait);
      if (answer) this.trained(answer, asked.drawing);
    } catch (error) {
      this.clearAnswer(messageWithHint(error));
    }
  }

  private trained(answer: PatternAnswer, drawing: Picture): void {
    const { report } = answer;
    this.answer = answer;
    const end = report.converged ? "every class converged"
      : "not every class converged. More epochs, other copies or a kernel may help";
    this.weightsRoot.replaceChildren(el("p", { "data-test": "pattern-report", "data-updates": report.updates },
      `${plural(report.examples, "example")}, ${plural(report.updates, "update")}: ${end}.`), weightImages(answer));
    // The drawing may have changed since.
    if (drawing === this.state.drawing) this.showPrediction(firstPrediction(answer));
    else this.requestPrediction();
  }

  private clearAnswer(why: string): void {
    this.answer = undefined;
    this.weightsRoot.replaceChildren(el("p", {}, why));
    this.showPrediction(undefined);
  }
}
