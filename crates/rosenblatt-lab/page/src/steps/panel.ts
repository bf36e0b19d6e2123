// The panel of the steps: buttons, explanation and counters.

import { button, el } from "../dom.js";
import { short, writeNumber } from "../numbers.js";
import type { Run, Step } from "../run/run.js";
import { Counters } from "./counters.js";
import { explain, outcome, weightsAndBias } from "./explain.js";
import type { Stepper } from "./stepper.js";

/** The minimum milliseconds between two texts while playing, so that they stay readable. */
const TEXT_PAUSE = 90;
const SLOWEST = 0.5;
const FASTEST = 5000;

export class StepsPanel {
  readonly root = el("div", { class: "steps" });
  private readonly headline = el("p", { class: "headline", "data-test": "status", role: "status" });
  private readonly outcome = el("p", { class: "outcome", "data-test": "outcome" });
  private readonly lines = {
    example: el("dd", { "data-test": "example" }), score: el("dd", { "data-test": "score" }),
    margin: el("dd", { "data-test": "margin" }), weights: el("dd", { "data-test": "update" }),
    bias: el("dd", { "data-test": "bias-update" }),
  };
  private readonly cells = { before: buildCells("before"), after: buildCells("") };
  private readonly counters = new Counters();
  private readonly playButton: HTMLButtonElement;
  private readonly rate = el("output", { class: "rate" });
  private readonly weights: HTMLElement;
  private writtenAt = 0;
  private timer = 0;

  constructor(private readonly stepper: Stepper) {
    this.playButton = button("▶ Play", () => void stepper.play(), {
      "data-test": "play", class: "primary", title: "Play or pause (P)", "aria-keyshortcuts": "P",
    });
    this.weights = this.buildTable();
    this.root.append(this.buttons(), this.headline, this.explanation(), this.weights, this.counters.counts,
      this.outcome, this.counters.bounded);
  }

  /** Shows a step, or `message` without one. */
  show(run: Run | undefined, step: Step | undefined, message: string): void {
    clearTimeout(this.timer);
    const wait = this.stepper.playing ? this.writtenAt + TEXT_PAUSE - performance.now() : 0;
    if (wait > 0) this.timer = window.setTimeout(() => this.write(run, step, message), wait);
    else this.write(run, step, message);
  }

  played(playing: boolean): void {
    this.playButton.textContent = playing ? "❚❚ Pause" : "▶ Play";
    // Screen readers announce only the step at which playing ends.
    this.headline.setAttribute("aria-live", playing ? "off" : "polite");
  }

  private write(run: Run | undefined, step: Step | undefined, message: string): void {
    this.writtenAt = performance.now();
    this.counters.show(run, step);
    // A kernel's weights have no coordinates in the plane.
    this.weights.hidden = run?.options.kernel !== undefined;
    this.outcome.textContent = run ? outcome(run.report, run.options) : "";
    this.outcome.dataset.converged = String(run?.report.converged ?? "");
    if (run && step) this.explain(run, step);
    else this.clear(message);
  }

  private explain(run: Run, step: Step): void {
    const { headline, ...lines } = explain(run, step);
    const end = step.step === run.visits && step.step > 0 ? " The run ends." : "";
    this.headline.textContent = headline + end;
    this.headline.dataset.mistake = String(step.visit?.mistake ?? false);
    for (const key of Object.keys(this.lines) as (keyof typeof this.lines)[]) this.lines[key].textContent = lines[key];
    const { visit } = step;
    setDigits(this.lines.score, visit?.score);
    setDigits(this.lines.margin, visit && visit.sign * visit.score);
    fill(this.cells.before, visit ? visit.before : step.last);
    fill(this.cells.after, step.last);
  }

  private clear(message: string): void {
    this.headline.textContent = message;
    this.headline.dataset.mistake = "false";
    for (const line of Object.values(this.lines)) {
      line.textContent = "—";
      setDigits(line, undefined);
    }
    fill(this.cells.before, undefined);
    fill(this.cells.after, undefined);
  }

  private buttons(): HTMLElement {
    const { stepper } = this;
    const make = (text: string, test: string, key: string, hint: string, act: () => Promise<void>): HTMLButtonElement =>
      button(text, () => void act.call(stepper), { "data-test": test, title: `${hint} (${key})`, "aria-keyshortcuts": key });
    return el("div", { class: "controls", role: "group", "aria-label": "Steps" },
      make("↺ Reset", "reset", "Home", "Go back to the start", stepper.reset),
      make("◂ Previous", "previous", "B", "Go back one visit", stepper.previous),
      make("Next ▸", "next", "N", "Visit the next example", stepper.next),
      make("Next mistake", "next-mistake", "M", "Continue to the next mistake", stepper.nextMistake),
      make("Next epoch", "next-epoch", "E", "Continue to the end of the epoch", stepper.nextEpoch),
      make("To the end", "end", "End", "Continue to the end of the run", stepper.end),
      this.playButton, this.speed());
  }

  private speed(): HTMLElement {
    const slider = el("input", {
      type: "range", min: 0, max: 100, "data-test": "speed", "aria-label": "Playback speed",
      input: () => this.setSpeed(Number(slider.value)),
    });
    slider.value = "15";
    this.setSpeed(15);
    return el("div", { class: "speed" }, slider, this.rate);
  }

  /** Sets the speed on a logarithmic scale. */
  private setSpeed(position: number): void {
    this.stepper.speed = SLOWEST * (FASTEST / SLOWEST) ** (position / 100);
    this.rate.textContent = `${short(this.stepper.speed, 2)} visits/s`;
  }

  private explanation(): HTMLElement {
    const { example, score, margin, weights, bias } = this.lines;
    return el("dl", { class: "explanation" },
      el("dt", {}, "example"), example, el("dt", {}, "score s"), score, el("dt", {}, "margin y·s"), margin,
      el("dt", {}, "weights"), weights, el("dt", {}, "bias"), bias);
  }

  private buildTable(): HTMLElement {
    const head = ["", "weights w", "bias b", "threshold −b"].map(text => el(text ? "th" : "td", { scope: text ? "col" : undefined }, text));
    const row = (name: string, { weights, bias, threshold }: WeightCells): HTMLElement =>
      el("tr", {}, el("th", { scope: "row" }, name), weights, bias, threshold);
    return el("table", { class: "weights" }, el("caption", { class: "visually-hidden" }, "The line w·x + b = 0, before and after this visit"),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, row("before", this.cells.before), row("after", this.cells.after)));
  }
}

interface WeightCells {
  weights: HTMLElement;
  bias: HTMLElement;
  threshold: HTMLElement;
}

function buildCells(when: string): WeightCells {
  const cell = (name: string): HTMLElement => el("td", { "data-test": when ? `${name}-${when}` : name });
  return { weights: cell("weights"), bias: cell("bias"), threshold: cell("threshold") };
}

function fill({ weights, bias, threshold }: WeightCells, hyperplane: number[] | undefined): void {
  const [w, b] = weightsAndBias(hyperplane);
  writeNumber(weights, w);
  writeNumber(bias, b);
  writeNumber(threshold, b === undefined ? undefined : -b || 0);
}

function setDigits(element: HTMLElement, value: number | undefined): void {
  element.dataset.value = value === undefined ? "" : JSON.stringify(value);
  element.title = value === undefined ? "" : String(value).replace("-", "−");
}
