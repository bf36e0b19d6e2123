// Shows notices and announces texts to screen readers.

import { RequestError } from "./ask.js";
import { button, el } from "./dom.js";

// The position of an error in the JSON question is not shown.
const JSON_POSITION = / at line \d+ column \d+$/;
const JSON_PATH = /^(train|study|separable|patterns)\.(options\.)?/;

export class Notices {
  readonly spoken = el("p", { class: "visually-hidden", "aria-live": "polite", "data-test": "spoken" });
  private readonly errorText = el("p");
  private readonly errorBox = el("div", { class: "notice refusal", role: "alert", "data-test": "refused", hidden: true }, this.errorText,
    button("✕", () => this.showError(undefined), { "aria-label": "Close the message" }));
  private readonly noteText = el("p");
  private readonly noteBox = el("div", { class: "notice", role: "status", "data-test": "note", hidden: true }, this.noteText,
    button("✕", () => this.note(""), { "aria-label": "Close the message" }));
  readonly root = el("div", { class: "notices" }, this.errorBox, this.noteBox);

  announce(text: string): void {
    this.spoken.textContent = text;
  }

  /** Shows an error; `undefined` hides it. */
  showError(error: unknown): void {
    this.errorBox.hidden = error === undefined;
    if (error !== undefined) this.errorText.textContent = messageWithHint(error);
  }

  /** Shows a note that is not an error; an empty text hides it. */
  note(text: string): void {
    this.noteText.textContent = text;
    this.noteBox.hidden = text === "";
  }
}

/** The message and the hint of an error as sentences. */
export function messageWithHint(error: unknown): string {
  const hint = error instanceof RequestError && error.hint ? ` ${sentence(error.hint)}` : "";
  return errorMessage(error) + hint;
}

/** The message of an error as a sentence. */
export function errorMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sentence(message.replace(JSON_POSITION, "").replace(JSON_PATH, "").replace(/^allow_mistakes: /, "allowed mistakes: "));
}

/** The engine's messages start in lower case and have no full stop. */
function sentence(text: string): string {
  // The name of a file keeps its letters.
  const whole = /^[^\s:]+:\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
