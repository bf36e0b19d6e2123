// The controls below the plane: steps, play, the timeline of the visits and the pace.

import { button, el, roving } from "../dom.js";
import { plural, short, vector } from "../numbers.js";
import type { Run, Step, Visit } from "../run/run.js";
import { equals } from "../run/score.js";
import { Scrubber } from "./scrubber.js";
import type { Stepper } from "./stepper.js";

const SLOWEST = 0.25;
const FASTEST = 5000;
const USUAL = "14"; // the position of the pace 1

export class Deck {
  readonly root: HTMLElement;
  private readonly scrubber: Scrubber;
  private readonly icon = el("span", { class: "icon", "aria-hidden": "true" }, "▶");
  private readonly name = el("span", { class: "visually-hidden" }, "Play");
  private readonly sum = el("p", { class: "sum", "aria-hidden": "true" });
  private readonly rate = el("output", { class: "rate" });

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
      this.speed());
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

  private speed(): HTMLElement {
    const slider = el("input", {
      type: "range", min: 0, max: 100, "data-test": "speed", "aria-label": "Pace of playing",
      input: () => this.setSpeed(slider),
    });
    slider.value = USUAL;
    this.setSpeed(slider);
    return el("div", { class: "speed" }, el("span", { class: "field-name" }, "pace ", this.rate), slider);
  }

  /** Sets the pace on a logarithmic scale. */
  private setSpeed(slider: HTMLInputElement): void {
    this.stepper.speed = SLOWEST * (FASTEST / SLOWEST) ** (Number(slider.value) / 100);
    const pace = `${short(this.stepper.speed, 2)}×`;
    this.rate.textContent = pace;
    slider.setAttribute("aria-valuetext", pace);
  }
}

/** The step in one line, for windows that show no panel beside the plane. */
function sumOf({ updates, last }: Step, { score, sign, stepSize }: Visit): string {
  const weights = stepSize !== 0 && last ? `  w ← ${vector(last.slice(0, -1))}` : "";
  return `s ${equals(score, 3)}, y = ${sign === 1 ? "+1" : "−1"}${weights}  ${plural(updates, "update")}`;
}
