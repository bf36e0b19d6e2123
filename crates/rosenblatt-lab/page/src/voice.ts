// Shows notices and announces texts to screen readers.

import { Refused } from "./ask.js";
import { button, el } from "./dom.js";

// The position of an error in the JSON question, which is not shown.
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

  /** Shows an error; `undefined` hides it. */
  refused(error: unknown): void {
    this.alert.hidden = error === undefined;
    if (error === undefined) return;
    const hint = error instanceof Refused && error.hint ? ` ${sentence(error.hint)}` : "";
    this.text.textContent = reason(error) + hint;
  }

  /** Shows a note that is not an error; an empty text hides it. */
  note(text: string): void {
    this.words.textContent = text;
    this.hint.hidden = text === "";
  }
}

/** The message of an error as a sentence. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sentence(message.replace(PLACE, "").replace(PATH, "").replace(/^allow_mistakes: /, "allowed mistakes: "));
}

/** The engine's messages start in lower case and have no full stop. */
function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
