// Beat the perceptron: the user's own line, moved by hand, against the line of the run. The engine counts for both.

import { errors } from "../ask.js";
import { type ErrorsAnswer, type Hyperplane, isSurface, type Points } from "../contract.js";
import { button, el, field } from "../dom.js";
import type { Context2D, Grip, Lab, Overlay, Panel, Space, Statement, View } from "../lab.js";
import { readLine } from "../link.js";
import { messageWithHint } from "../notices.js";
import { plural, writeNumber } from "../numbers.js";
import { drawLineField, typicalScore } from "../plane/field.js";
import { radius } from "../plane/measures.js";
import { drawLabel, drawLine, hasLine } from "../plane/shapes.js";
import { SerialRequests } from "../serial-requests.js";
import { drawHandles, LineGrip } from "./line-grip.js";

const MOST_WEIGHT = 2; // on the dials

/** The errors and margins of the user's line and, if there is one, the run's. */
interface Counted {
  line: Hyperplane;
  rival: Hyperplane | undefined;
  answer: ErrorsAnswer;
}

class GuessPanel implements Panel {
  readonly id = "guess";
  readonly title = "Your line";
  private readonly inputs = ["w₁", "w₂", "b"].map((name, k) => el("input", {
    type: "number", step: "any", "data-test": `guess-${["w1", "w2", "b"][k]}`, "aria-label": `${name} of your line`, input: () => this.typed(),
  }));
  /** The same numbers to turn. */
  private readonly dials = ["w₁", "w₂", "b"].map((name, k) => el("input", {
    type: "range", step: "any", "data-test": `dial-${["w1", "w2", "b"][k]}`, "aria-label": `${name}, to turn`,
    input: () => this.turned(),
  }));
  private readonly cells = { errors: cell("guess-errors"), margin: cell("guess-margin"), rivalErrors: cell("rival-errors"), rivalMargin: cell("rival-margin") };
  private readonly rivalName = el("th", { scope: "row" });
  private readonly status = el("p", { class: "status", role: "status", "data-test": "guess-status" });
  private readonly requests = new SerialRequests<{ points: Points; line: Hyperplane; rival: Hyperplane | undefined }>(asked => this.count(asked));
  private lab!: Lab;
  private grip!: LineGrip;
  private visible = false;
  private line: Hyperplane = [1, 0, 0];
  private asked = "";
  private askedOf: Points | undefined;
  /** Whether the sentence on the plane is about the user's line; otherwise it follows the steps. */
  private speaks = true;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    this.grip = new LineGrip(lab, () => this.line, line => this.put(line), () => this.store());
    root.classList.add("experiment", "guess");
    root.append(
      el("h2", {}, "Beat the perceptron"),
      el("p", {}, "Drag the line, or write its numbers. The engine counts its errors and its margin, as it does for the perceptron's line."),
      el("div", { class: "guess-line" }, ...["w₁", "w₂", "b"].map((name, k) =>
        el("div", {}, field(name, this.inputs[k] as HTMLInputElement), this.dials[k]))),
      el("div", { class: "buttons" },
        button("Let it learn from here", () => this.learn(), { "data-test": "guess-learn" }),
        button("Swap the sides", () => { this.put(this.line.map(value => -value || 0)); this.store(); }, { "data-test": "guess-swap" })),
      this.table(), this.status,
      el("p", { class: "remark" }, "The margin is the distance of the closest point. Below 0, it is that of the point farthest on the wrong side."));
    lab.onChange(() => this.update());
    lab.onStep(() => this.update());
  }

  show(): void {
    this.visible = true;
    this.speaks = true;
    const stored = readLine(this.lab.parameter(this.id) ?? "");
    this.line = stored ?? this.firstLine();
    this.lab.grip(this.grip satisfies Grip);
    this.put(this.line);
  }

  hide(): void {
    this.visible = false;
    this.asked = "";
    this.requests.forget();
    this.lab.grip(undefined);
    this.lab.overlay(this.id, undefined);
    this.lab.state(undefined);
  }

  /** An upright line through the middle of the points. */
  private firstLine(): Hyperplane {
    const places = this.lab.points.rows.map(([x = 0]) => x);
    const middle = places.length === 0 ? 0 : (Math.min(...places) + Math.max(...places)) / 2;
    return [1, 0, this.throughOrigin ? 0 : Number((-middle).toPrecision(5)) || 0];
  }

  private get throughOrigin(): boolean {
    return this.lab.options.bias === "none";
  }

  private table(): HTMLElement {
    const { errors, margin, rivalErrors, rivalMargin } = this.cells;
    return el("table", { class: "numbers" }, el("caption", { class: "visually-hidden" }, "Your line and the perceptron's"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "line"), el("th", { scope: "col" }, "errors"), el("th", { scope: "col" }, "margin"))),
      el("tbody", {}, el("tr", {}, el("th", { scope: "row" }, "yours"), errors, margin), el("tr", {}, this.rivalName, rivalErrors, rivalMargin)));
  }

  // The user's line.

  private typed(): void {
    const line = this.inputs.map(input => input.valueAsNumber);
    if (!line.every(Number.isFinite)) return;
    this.take(line);
    this.store();
  }

  private turned(): void {
    this.put(this.dials.map(dial => Number(dial.valueAsNumber.toPrecision(3)) || 0));
    this.store();
  }

  private put(line: Hyperplane): void {
    this.inputs.forEach((input, k) => { input.value = String(line[k] ?? 0); });
    this.take(line);
  }

  private take(line: Hyperplane): void {
    this.line = line;
    // The bias moves a line with weights of length 1 as far as the points lie.
    const far = Math.ceil(radius(this.lab.points)) || 1;
    this.dials.forEach((dial, k) => {
      const most = k < 2 ? MOST_WEIGHT : far;
      Object.assign(dial, { min: String(-most), max: String(most), value: String(line[k] ?? 0) });
    });
    this.speaks = true;
    this.update();
  }

  private store(): void {
    this.lab.setParameter(this.id, this.line.join(","));
  }

  /** Starts the run from the user's line. A kernel and a vote have no such start. */
  private learn(): void {
    const { kernel: _, init: __, ...options } = this.lab.options;
    this.speaks = false;
    this.store();
    this.lab.state(undefined);
    this.lab.play({ ...options, keep: isSurface(options.keep) ? "last" : options.keep ?? "last", start: this.line });
  }

  // The counts.

  private update(): void {
    if (!this.visible) return;
    for (const input of [this.inputs[2], this.dials[2]]) (input as HTMLInputElement).disabled = this.throughOrigin;
    if (this.throughOrigin && this.line[2] !== 0) return this.put([this.line[0] ?? 0, this.line[1] ?? 0, 0]);
    const { points, step } = this.lab;
    const rival = hasLine(step?.last) ? step?.last : undefined;
    this.lab.overlay(this.id, { ...overlay(this.line, this.grip), ...(!rival && { below: sides(this.line, points) }) });
    this.rivalName.textContent = rival ? `the perceptron's after ${plural(step?.step ?? 0, "visit")}` : "the perceptron's";
    const key = JSON.stringify([this.line, rival, this.lab.options.zero]);
    if (key === this.asked && points === this.askedOf) return;
    [this.asked, this.askedOf] = [key, points];
    if (points.rows.length === 0) return this.showCounts(undefined);
    this.requests.ask({ points, line: this.line, rival });
  }

  private async count({ points, line, rival }: { points: Points; line: Hyperplane; rival: Hyperplane | undefined }): Promise<void> {
    const { zero } = this.lab.options;
    try {
      const answer = await errors({ points, planes: rival ? [line, rival] : [line], margins: true, ...(zero && { zero }) });
      if (this.visible && points === this.lab.points) this.showCounts({ line, rival, answer });
    } catch (error) {
      this.asked = "";
      this.status.textContent = messageWithHint(error);
    }
  }

  private showCounts(counted: Counted | undefined): void {
    const { errors: wrong = [], margins = [] } = counted?.answer ?? {};
    const { cells } = this;
    writeNumber(cells.errors, wrong[0]);
    writeNumber(cells.margin, margins[0] ?? undefined);
    writeNumber(cells.rivalErrors, wrong[1]);
    writeNumber(cells.rivalMargin, margins[1] ?? undefined);
    const verdict = counted ? compare(counted.answer) : "There are no points yet.";
    this.status.textContent = verdict;
    this.lab.state(this.speaks && counted ? statement(wrong[0] ?? 0, verdict) : undefined);
  }
}

/** Fewer errors are better; of two separators, the larger margin. */
function compare({ errors: [mine = 0, theirs], margins: [own, other] = [] }: ErrorsAnswer): string {
  if (theirs === undefined) return "The perceptron has no line yet.";
  if (mine !== theirs) return mine < theirs ? "Your line makes fewer errors." : "The perceptron's makes fewer.";
  if (mine > 0) return `Both make ${plural(mine, "error")}.`;
  if (typeof own !== "number" || typeof other !== "number") return "Neither makes an error. Without w there is no margin.";
  if (own === other) return "The margins are equal.";
  return own > other ? "Your margin is larger." : "The perceptron's margin is larger.";
}

const statement = (wrong: number, effect: string): Statement =>
  ({ cause: wrong === 0 ? "Your line separates the classes." : `Your line makes ${plural(wrong, "error")}.`, effect, mistake: wrong > 0 });

const overlay = (line: Hyperplane, grip: LineGrip): Overlay => ({
  draw(context: Context2D, view: View, space: Space) {
    drawLine(context, view, line, { color: "--paper", width: 7, dash: [] });
    drawLine(context, view, line, { color: "--ink", width: 3, dash: [] });
    drawHandles(context, view, grip.handles(view));
    space.take(drawLabel(context, view, line, "yours", box => space.isFree(box)));
  },
});

/** Tints the sides of the user's line, while the run has no line. */
const sides = (line: Hyperplane, points: Points) => (context: Context2D, view: View): void =>
  drawLineField(context, view, line, typicalScore(points, line));

const cell = (test: string): HTMLElement => el("td", { "data-test": test });

export const guessPanel: Panel = new GuessPanel();
