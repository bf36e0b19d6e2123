// The question which of some points moves the line next, answered on the plane or by letters.

import { button, el } from "../dom.js";
import type { Context2D, View } from "../lab.js";
import type { Page } from "../page.js";
import { drawTag } from "../plane/shapes.js";
import type { Run, Step } from "../run/run.js";

const LETTERS = "ABCD";
const APART = 50; // pixels between two points of the question
const CLEAR = 0.02; // the least distance of a right point from the line, relative to the weights
const OVERLAY = "question";
const REVEAL = 2000; // milliseconds

/** The points asked about, from left to right, and the one that is the next mistake. */
interface Asked {
  run: Run;
  points: readonly number[];
  mistake: number;
  /** The step of the question, and the one after the mistake. */
  from: number;
  step: number;
}

export class Question {
  readonly root = el("div", { class: "question", "data-test": "question" });
  private readonly said = el("p", { role: "status", "data-test": "question-said" });
  private asked: Asked | undefined;
  answered = false;

  constructor(private readonly page: Page, private readonly changed: () => void) {}

  /** Asks about the next mistake after the step that is shown. */
  async ask(): Promise<void> {
    const { run, step } = this.page;
    this.forget();
    if (!run || !step) return;
    const next = await run.nextMistake(step.step);
    if (run !== this.page.run || step !== this.page.step) return;
    const visit = run.at(next)?.visit;
    if (!visit?.mistake) return this.say("None: all points are on their right sides.");
    const points = [visit.example, ...this.rightPoints(run, step, visit.example)];
    points.sort((a, b) => this.across(a) - this.across(b));
    this.asked = { run, points, mistake: visit.example, from: step.step, step: next };
    const above = (context: Context2D, view: View): void => this.drawLetters(context, view, points);
    this.page.overlay(OVERLAY, { draw: () => undefined, above });
    const letters = points.map((point, k) => button(LETTERS[k] ?? "", () => this.answer(point),
      { class: "chip", "data-test": `answer-${LETTERS[k]}`, "data-point": point }));
    this.root.replaceChildren(el("div", { class: "buttons" }, ...letters), this.said);
    this.changed();
  }

  /** Forgets a question about a step that is no longer shown, unless it was answered. */
  stepped(): void {
    if (this.asked && !this.answered && this.page.step?.step !== this.asked.from) this.forget();
  }

  /** Answers by a point of the plane; other points are no answer. */
  pressed(point: number | undefined): void {
    if (point !== undefined && this.asked?.points.includes(point)) this.answer(point);
  }

  forget(): void {
    this.asked = undefined;
    this.answered = false;
    this.said.textContent = "";
    this.root.replaceChildren();
    this.page.overlay(OVERLAY, undefined);
  }

  private answer(point: number): void {
    const { asked } = this;
    if (!asked || this.answered || asked.run !== this.page.run) return;
    this.answered = true;
    const letter = (of: number): string => LETTERS[asked.points.indexOf(of)] ?? "";
    const right = point === asked.mistake;
    this.root.querySelectorAll("button").forEach(control => { control.disabled = true; });
    const no = `No: ${letter(point)} is on its right side. ${letter(asked.mistake)} moves it.`;
    this.say(right ? `Yes, ${letter(point)}.` : no);
    void this.page.stepper.jump(asked.step, true, REVEAL);
  }

  private say(text: string): void {
    this.said.textContent = text;
    if (!this.said.isConnected) this.root.append(this.said);
    const again = button("Ask again", () => void this.ask(), { class: "chip", "data-test": "ask-again" });
    if (this.answered) this.root.firstElementChild?.append(again);
    this.changed();
  }

  /** Points on their right sides near the line, apart from one another on the screen. */
  private rightPoints({ points: { rows, signs } }: Run, { last = [] }: Step, mistake: number): number[] {
    const [w1 = 0, w2 = 0, b = 0] = last;
    const least = CLEAR * Math.hypot(w1, w2);
    const scores = rows.map(([x = 0, y = 0], k) => (signs[k] ?? 1) * (w1 * x + w2 * y + b));
    const right = [...scores.keys()].filter(k => (scores[k] ?? 0) > least);
    const chosen = [mistake];
    for (const k of right.sort((i, j) => (scores[i] ?? 0) - (scores[j] ?? 0))) {
      if (chosen.every(other => this.distance(k, other) > APART)) chosen.push(k);
    }
    return chosen.slice(1, LETTERS.length);
  }

  private place(point: number): [number, number] {
    const [x = 0, y = 0] = this.page.points.rows[point] ?? [];
    return this.page.view.toScreen(x, y);
  }

  private across(point: number): number {
    return this.place(point)[0];
  }

  private distance(one: number, other: number): number {
    const [[a, b], [c, d]] = [this.place(one), this.place(other)];
    return Math.hypot(a - c, b - d);
  }

  private drawLetters(context: Context2D, view: View, points: readonly number[]): void {
    points.forEach((point, k) => {
      const [left, top] = this.place(point);
      drawTag(context, view, LETTERS[k] ?? "", left, top + (top > 60 ? -26 : 26) * view.fontScale, "--ink");
    });
  }
}
