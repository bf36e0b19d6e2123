// Questions before a step is shown: the user chooses an answer, then the page shows the step.

import { button, el, select } from "../dom.js";
import type { Lab, Panel } from "../lab.js";
import { NOTES, type NotesQuestions, type Prediction } from "./questions.js";

class PredictPanel implements Panel {
  readonly id = "predict";
  readonly title = "Predict";
  private readonly menu = select(NOTES.map(({ id, title }) => [id, title]), NOTES[0]?.id ?? "",
    id => this.go(id, 0), "predict-notes");
  private readonly question = el("div", { "data-test": "predict-question" });
  private lab!: Lab;
  /** Whether the page is on its way to the state that shows an answer; the answer stays visible there. */
  private revealing = false;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment", "predict");
    this.menu.setAttribute("aria-label", "Notes");
    root.append(el("h2", {}, "Predict, then look"), this.menu, this.question);
  }

  show(): void {
    const [id = "", place = ""] = (this.lab.parameter(this.id) ?? "").split(":");
    const notes = NOTES.find(notes => notes.id === id);
    if (this.revealing) {
      this.revealing = false;
      return;
    }
    if (!notes) return this.begin();
    const at = Math.min(notes.questions.length, Math.max(1, Number(place) || 1)) - 1;
    // A link may name only the question.
    if (this.lab.points.rows.length === 0) this.reopen((notes.questions[at] as Prediction).at, notes.id, at);
    else this.ask(notes, at);
  }

  /** Offers the first question. A question replaces the points, so opening the tab asks none. */
  private begin(): void {
    this.question.replaceChildren(
      el("p", {}, "Questions from five sets of lecture notes. Each shows its own points; the browser's Back button brings yours back."),
      button("Begin", () => this.go(this.menu.value, 0), { "data-test": "predict-begin" }));
  }

  /** Shows the state of a question. */
  private go(id: string, place: number): void {
    const question = NOTES.find(notes => notes.id === id)?.questions[place];
    if (question) location.href = this.url(question.at, id, place);
  }

  /** Shows a state of the question that the address names already; Back leads to what was there before the question. */
  private reopen(state: string, id: string, place: number): void {
    const newURL = this.url(state, id, place);
    // The address may still show this state although the run has moved on; then the browser tells of no change.
    if (location.href === newURL) dispatchEvent(new HashChangeEvent("hashchange", { newURL }));
    else location.replace(newURL);
  }

  private url(state: string, id: string, place: number): string {
    return new URL(`#${state}&tab=${this.id}&predict=${id}:${place + 1}`, location.href).href;
  }

  private ask(notes: NotesQuestions, place: number): void {
    const question = notes.questions[place] as Prediction;
    this.menu.value = notes.id;
    const buttons = question.choices.map((choice, k) =>
      button(choice, () => this.answer(notes, place, k), { class: "chip toggle", "aria-pressed": "false", "data-test": `predict-choice-${k}` }));
    this.question.replaceChildren(
      el("p", { class: "remark" }, `Question ${place + 1} of ${notes.questions.length}`), el("p", { "data-test": "predict-ask" }, question.ask),
      el("div", { class: "buttons" }, ...buttons), button("Show this step again", () => this.reopen(question.at, notes.id, place), { "data-test": "predict-again" }),
      el("div", { class: "reveal", role: "status", "data-test": "predict-reveal" }));
  }

  /** Says whether the choice is right, and shows the step. */
  private answer(notes: NotesQuestions, place: number, chosen: number): void {
    const question = notes.questions[place] as Prediction;
    const right = chosen === question.right;
    this.question.querySelectorAll(".chip").forEach((chip, k) => {
      chip.setAttribute("aria-pressed", String(k === chosen));
      (chip as HTMLButtonElement).disabled = true;
    });
    const next = place + 1 < notes.questions.length;
    const onward = next ? button("Next question", () => this.go(notes.id, place + 1), { "data-test": "predict-next" })
      : button("Begin again", () => this.go(notes.id, 0), { "data-test": "predict-next" });
    this.question.querySelector(".reveal")?.replaceChildren(
      el("p", { class: `verdict ${right ? "yes" : "no"}` }, right ? "Right." : `No: ${question.choices[question.right]}.`),
      el("p", {}, question.why), el("div", { class: "buttons" }, onward));
    this.revealing = true;
    this.reopen(question.then, notes.id, place);
    onward.focus();
  }
}

export const predictPanel: Panel = new PredictPanel();
