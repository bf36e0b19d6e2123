// Separability experiment: shows whether a line separates the current points.

import { separable } from "../ask.js";
import type { SeparableAnswer } from "../contract.js";
import type { Lab, Overlay, Panel } from "../lab.js";
import { type Context, words } from "./answer.js";
import { band, crossing, type Place } from "./certificate.js";
import { bandOverlay, contradictionOverlay, crossingOverlay } from "./drawing.js";
import { checkbox, type Child, el } from "../dom.js";
import { Newest, reason } from "./newest.js";

class Separability implements Panel {
  readonly id = "separable";
  readonly title = "Can it converge?";
  private readonly answer = el("div", { "aria-live": "polite", class: "answer", "data-test": "separable" });
  private readonly newest = new Newest();
  private lab!: Lab;
  private seen = false;
  private drawn = true;
  private overlay: Overlay | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    root.append(this.answer, checkbox("Draw the proof on the plane", "separable-draw", true, (on) => {
      this.drawn = on;
      this.paint();
    }));
    lab.onChange(() => this.follow(120));
  }

  show(): void {
    this.seen = true;
    this.follow(0);
  }

  hide(): void {
    this.seen = false;
    this.newest.stop();
    this.paint();
  }

  private async follow(wait: number): Promise<void> {
    if (!this.seen) return;
    const { points, choices } = this.lab;
    // A proof about earlier points must not be shown.
    this.overlay = undefined;
    this.paint();
    this.answer.setAttribute("aria-busy", "true");
    try {
      const found = await this.newest.ask((signal) => this.find(signal), wait);
      if (found) this.tell(found.answer, { points, choices, withBias: found.withBias });
    } catch (error) {
      this.fill(el("p", { class: "refusal" }, reason(error)));
    }
  }

  private async find(signal: AbortSignal) {
    const { points, choices } = this.lab;
    const bias = choices.bias ?? "unit";
    if (points.rows.length === 0) return { answer: undefined, withBias: undefined };
    const answer = await separable({ points, bias }, signal);
    const lacking = bias === "none" && answer.separable === "no";
    const other = lacking ? await separable({ points, bias: "unit" }, signal) : undefined;
    return { answer, withBias: other?.separable };
  }

  private tell(answer: SeparableAnswer | undefined, context: Context): void {
    if (!answer) {
      this.fill(el("p", {}, "Add points of both classes, or choose a ready-made set."));
      return;
    }
    this.fill(...words(answer, context));
    this.overlay = overlayOf(answer, context);
    this.paint();
  }

  private fill(...children: Child[]): void {
    this.answer.replaceChildren(...children.filter(child => child !== undefined));
    this.answer.removeAttribute("aria-busy");
  }

  private paint(): void {
    this.lab.overlay(this.id, this.seen && this.drawn ? this.overlay : undefined);
  }
}

function overlayOf({ certificate, contradiction }: SeparableAnswer, { points }: Context): Overlay | undefined {
  if (contradiction) {
    const [x = 0, y = 0] = points.rows[contradiction[0] - 1] ?? [];
    return contradictionOverlay([x, y] satisfies Place);
  }
  if (certificate?.separable === "no") return crossingOverlay(crossing(certificate, points));
  const found = certificate && band(certificate, points);
  return found && bandOverlay(found, points);
}

export const separability: Panel = new Separability();
