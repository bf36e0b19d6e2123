// The controls below the plane: steps, play, the timeline of the visits and the pace.

import { button, el, roving, toggle } from "../dom.js";
import { plural, vector } from "../numbers.js";
import type { Run, Step, Visit } from "../run/run.js";
import { equals } from "../run/score.js";
import { Scrubber } from "./scrubber.js";
import type { Stepper } from "./stepper.js";
import { type Pace, PACES } from "./tempo.js";

const PACE_HINTS: Record<Pace, string> = {
  slow: "Each of the first updates takes two seconds",
  normal: "Slow at first, then faster and faster: every run ends within 25 seconds",
  rush: "Every run ends within five seconds",
};

export class Deck {
  readonly root: HTMLElement;
  private readonly scrubber: Scrubber;
  private readonly icon = el("span", { class: "icon", "aria-hidden": "true" }, "▶");
  private readonly name = el("span", { class: "visually-hidden" }, "Play");
  private readonly sum = el("p", { class: "sum", "aria-hidden": "true" });

  constructor(private readonly stepper: Stepper) {
    this.scrubber = new Scrubber(stepper);
    const play = el("button", {
      type: "button", class: "play", "data-test": "play", title: "Play or pause (P or Space)", "aria-keyshortcuts": "P Space",
      click: () => void stepper.play(),
    }, this.icon, this.name);
    const jumps = el("div", { class: "jumps", "aria-label": "Jumps" },
      this.chip("mistake", "next-mistake", "M", "Continue to the next mistake", stepper.nextMistake),
      this.chip("epoch", "next-epoch", "E", "Continue to the end of the epoch", stepper.nextEpoch),
      this.chip("end", "end", "End", "Continue to the end of the run", stepper.end));
    roving(jumps);
    this.root = el("section", { class: "deck", "aria-label": "Steps" },
      el("div", { class: "step-buttons" },
        this.round("↺", "reset", "Home", "Go back to the start", stepper.reset),
        this.round("◂", "previous", "B", "Go back one visit", stepper.previous), play,
        this.round("▸", "next", "N", "Visit the next example", stepper.next)),
      this.sum, this.scrubber.root,
      jumps,
      this.paces());
  }

  show(run: Run | undefined, step: Step | undefined): void {
    this.scrubber.show(run);
    this.sum.textContent = step?.visit ? sumOf(step, step.visit) : "";
  }

  played(playing: boolean): void {
    this.icon.textContent = playing ? "❚❚" : "▶";
    this.name.textContent = playing ? "Pause" : "Play";
  }

  private round(text: string, test: string, key: string, hint: string, act: () => Promise<void>): HTMLButtonElement {
    return button(text, () => void act.call(this.stepper), {
      class: "round", "data-test": test, title: `${hint} (${key})`, "aria-label": hint, "aria-keyshortcuts": key,
    });
  }

  private chip(text: string, test: string, key: string, hint: string, act: () => Promise<void>): HTMLButtonElement {
    return button(`${text} ⇥`, () => void act.call(this.stepper), {
      class: "chip", "data-test": test, title: `${hint} (${key})`, "aria-label": `${hint}: ${text}`, "aria-keyshortcuts": key,
    });
  }

  private paces(): HTMLElement {
    const names = Object.keys(PACES) as Pace[];
    const buttons = names.map(name => toggle(name, name === this.stepper.pace, () => choose(name),
      { class: "toggle", "data-test": `pace-${name}`, title: PACE_HINTS[name] }));
    const choose = (pace: Pace): void => {
      this.stepper.pace = pace;
      buttons.forEach((control, k) => control.setAttribute("aria-pressed", String(names[k] === pace)));
    };
    const group = el("div", { class: "paces", "aria-label": "Pace of playing" }, ...buttons);
    roving(group);
    return group;
  }
}

/** The step in one line, for windows that show no panel beside the plane. */
function sumOf({ updates, last }: Step, { score, sign, stepSize }: Visit): string {
  const weights = stepSize !== 0 && last ? `  w ← ${vector(last.slice(0, -1))}` : "";
  return `s ${equals(score, 3)}, y = ${sign === 1 ? "+1" : "−1"}${weights}  ${plural(updates, "update")}`;
}
