// Separability experiment: shows whether a line separates the current points.

import { inseparable, separable } from "../ask.js";
import type { InseparableAnswer, SeparableAnswer } from "../contract.js";
import type { Lab, Overlay, Panel, Position, Statement } from "../lab.js";
import { type AnswerContext, explainAnswer, explainDistance, proofOfNo } from "./answer.js";
import { hullIntersection, marginBand, touchingLine } from "./certificate.js";
import { bandOverlay, contradictionOverlay, intersectionOverlay, together, touchingOverlay } from "./overlays.js";
import { checkbox, type Child, el } from "../dom.js";
import { LatestRequest } from "../latest-request.js";
import { messageWithHint } from "../notices.js";

/** The work of the searches for inseparable points: the first answer comes at once, and the bounds close while one looks. */
const WORK = [3e6, 1e8, 1e9];

class SeparabilityExperiment implements Panel {
  readonly id = "separable";
  readonly title = "Can it converge?";
  private readonly answer = el("div", { "aria-live": "polite", class: "answer", "data-test": "separable" });
  private readonly distance = el("div", { "aria-live": "polite", "data-test": "distance" });
  private readonly latest = new LatestRequest();
  private readonly latestDistance = new LatestRequest();
  private lab!: Lab;
  private visible = false;
  private drawsProof = true;
  private overlay: Overlay | undefined;
  /** The line of a quasi-complete separation. */
  private touching: Overlay | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment");
    root.append(this.answer, this.distance, checkbox("Draw the proof on the plane", "separable-draw", true, (on) => {
      this.drawsProof = on;
      this.updateOverlay();
    }));
    lab.onChange(() => this.update(120));
  }

  show(): void {
    this.visible = true;
    this.update(0);
  }

  hide(): void {
    this.visible = false;
    this.latest.stop();
    this.latestDistance.stop();
    this.updateOverlay();
    this.lab.state(undefined);
  }

  private async update(wait: number): Promise<void> {
    if (!this.visible) return;
    const { points, options } = this.lab;
    // A proof about earlier points must not be shown.
    this.overlay = this.touching = undefined;
    this.updateOverlay();
    this.lab.state(undefined);
    this.latestDistance.stop();
    this.answer.setAttribute("aria-busy", "true");
    try {
      const found = await this.latest.ask((signal) => this.request(signal), wait);
      if (!found) return;
      this.distance.replaceChildren();
      this.showAnswer(found.answer, { points, options, withBias: found.withBias });
      if (found.answer?.separable === "no") await this.closeBounds({ points, options });
    } catch (error) {
      this.setContent(el("p", { class: "refusal" }, messageWithHint(error)));
    }
  }

  /** Asks with more and more work how far the points are from separable, until the bounds meet or nothing is left to search. */
  private async closeBounds(context: AnswerContext): Promise<void> {
    const { points, options } = context;
    for (const [index, work] of WORK.entries()) {
      const found = await this.latestDistance.ask((signal) => inseparable({ points, bias: options.bias ?? "unit", work }, signal), 0);
      if (!found) return;
      const isDone = !found.ended || found.least_errors.lower === found.least_errors.upper || index + 1 === WORK.length;
      this.showDistance(found, context, !isDone);
      if (isDone) return;
    }
  }

  private showDistance(found: InseparableAnswer, context: AnswerContext, searching: boolean): void {
    const { points } = context;
    this.distance.replaceChildren(...explainDistance(found, context, searching).filter(child => child !== undefined));
    const line = touchingLine(found, points);
    if (line) this.touching = touchingOverlay(line, points);
    this.updateOverlay();
  }

  private async request(signal: AbortSignal) {
    const { points, options } = this.lab;
    if (points.rows.length === 0) return { answer: undefined, withBias: undefined };
    const answer = await separable({ points, options }, signal);
    const needsBias = options.bias === "none" && answer.separable === "no";
    const other = needsBias ? await separable({ points, options: { bias: "unit" } }, signal) : undefined;
    return { answer, withBias: other?.separable };
  }

  private showAnswer(answer: SeparableAnswer | undefined, context: AnswerContext): void {
    if (!answer) {
      this.setContent(el("p", {}, "Add points of both classes, or choose a ready-made set."));
      return;
    }
    this.setContent(...explainAnswer(answer, context));
    this.overlay = overlayOf(answer, context);
    this.updateOverlay();
    this.lab.state(statementOf(answer));
  }

  private setContent(...children: Child[]): void {
    this.answer.replaceChildren(...children.filter(child => child !== undefined));
    this.answer.removeAttribute("aria-busy");
  }

  private updateOverlay(): void {
    const parts = [this.overlay, this.touching].filter(part => part !== undefined);
    this.lab.overlay(this.id, this.visible && this.drawsProof && parts.length > 0 ? together(...parts) : undefined);
  }
}

/** The answer about the run in a sentence, where a theorem gives one. */
function statementOf({ separable, convergence, contradiction, certificate }: SeparableAnswer): Statement | undefined {
  if (convergence === undefined) return undefined;
  if (convergence !== "never") {
    const cause = separable === "yes" ? "A line separates the classes." : "A line through the origin is right on all points.";
    const effect = convergence === "depends-on-order" ? "Whether the run finds one depends on the order." : "So the run can converge.";
    return { cause, effect, mistake: false };
  }
  const effect = "So each epoch has a mistake.";
  if (contradiction) return { cause: "Two equal points differ in sign.", effect, mistake: true };
  const cause = certificate?.with_bias ? "No line: the two hulls meet." : "No line through the origin.";
  return { cause, effect, mistake: true };
}

function overlayOf(answer: SeparableAnswer, { points }: AnswerContext): Overlay | undefined {
  const { certificate, contradiction } = answer;
  if (contradiction) {
    const [x = 0, y = 0] = points.rows[contradiction[0] - 1] ?? [];
    return contradictionOverlay([x, y] satisfies Position);
  }
  if (certificate?.separable === "yes") {
    const found = marginBand(certificate, points);
    return found && bandOverlay(found, points);
  }
  const no = proofOfNo(answer);
  return no && intersectionOverlay(hullIntersection(no, points));
}

export const separabilityExperiment: Panel = new SeparabilityExperiment();
