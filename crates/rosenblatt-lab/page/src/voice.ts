// What the page says: to the eye in a line under its head, to the ear through live regions.

import { Refused } from "./ask.js";
import { button, el } from "./dom.js";

// Where in the question a fault is: of use to a program, not to a person.
const PLACE = / at line \d+ column \d+$/;
const PATH = /^(train|study|separable|patterns)\.(options\.)?/;

export class Voice {
  readonly spoken = el("p", { class: "unseen", "aria-live": "polite", "data-test": "spoken" });
  private readonly text = el("p");
  private readonly alert = el("div", { class: "notice refusal", role: "alert", "data-test": "refused", hidden: true }, this.text,
    button("✕", () => this.refused(undefined), { "aria-label": "Close the message" }));
  private readonly words = el("p");
  private readonly hint = el("div", { class: "notice", role: "status", "data-test": "note", hidden: true }, this.words,
    button("✕", () => this.note(""), { "aria-label": "Close the message" }));
  readonly root = el("div", { class: "notices" }, this.alert, this.hint);

  say(text: string): void {
    this.spoken.textContent = text;
  }

  /** Why something could not be done. */
  refused(error: unknown): void {
    this.alert.hidden = error === undefined;
    if (error === undefined) return;
    const hint = error instanceof Refused && error.hint ? ` ${sentence(error.hint)}` : "";
    this.text.textContent = reason(error) + hint;
  }

  /** Something to know that is no fault. */
  note(text: string): void {
    this.words.textContent = text;
    this.hint.hidden = text === "";
  }
}

/** Why something could not be done, as a sentence. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sentence(message.replace(PLACE, "").replace(PATH, "").replace(/^allow_mistakes: /, "allowed mistakes: "));
}

/** The engine's messages begin small and have no full stop. */
function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
