// Shows the scenes on the stage of the lab: their words beside the plane, and the ways to the next scene.

import { KEPT } from "../contract.js";
import { button, el } from "../dom.js";
import { LineGrip } from "../experiments/line-grip.js";
import type { Page } from "../page.js";
import { Question } from "./question.js";
import { type Scene, SCENES, type Shown, type Stage } from "./scenes.js";
import { Turning } from "./turning.js";

const stills = matchMedia("(prefers-reduced-motion: reduce)");
const hash = (number: number): string => `#story=${number}`;

export class Story {
  /** The words of a scene, beside the plane. */
  readonly root: HTMLElement;
  /** The ways to other scenes, below. */
  readonly foot: HTMLElement;
  private readonly title = el("h1", { "data-test": "story-title" });
  private readonly text = el("div");
  private readonly now = el("div", { class: "now", role: "status", "data-test": "story-now" });
  private readonly buttons = el("div", { class: "buttons" });
  private readonly dots = SCENES.map(({ title }, k) =>
    el("a", { href: hash(k + 1), title, "aria-label": `Scene ${k + 1}: ${title}` }));
  private readonly back = button("Back", () => this.turn(-1), { "data-test": "story-back" });
  private readonly next = button("Next", () => this.turn(1), {
    class: "go", "data-test": "story-next", title: "The next scene (Space)", "aria-keyshortcuts": "Space ArrowRight",
  });
  private readonly leave = button("Play with it", () => this.end(),
    { "data-test": "story-free", title: "This state in the lab (Escape)", "aria-keyshortcuts": "Escape" });
  private readonly question: Question;
  private readonly stage: Stage;
  /** The scene that is shown, from 1. */
  private number: number | undefined;
  /** Whether the scene waits for its run. */
  private arriving = false;

  /** `open` shows a state of the lab; `free` is the link of the state that is shown. */
  constructor(private readonly page: Page, open: (state: string) => void, private readonly free: () => string) {
    this.question = new Question(page, () => this.write());
    const show = (state: string): void => {
      this.arriving = true;
      open(state);
    };
    const ask = (): void => void this.question.ask().catch((error: unknown) => page.showError(error));
    this.stage = { stepper: page.stepper, show, ask };
    const brand = el("p", { class: "brand" }, "Rosenblatt", el("span", {}, " · the story"));
    const attributes = { class: "story", tabindex: 0, "aria-label": "The story", "data-test": "story", hidden: true };
    this.root = el("section", attributes, brand, this.title, this.text, this.question.root, this.now, this.buttons);
    this.foot = el("section", { class: "story-foot", "aria-label": "Scenes", hidden: true },
      el("nav", { class: "dots", "aria-label": "Scenes" }, ...this.dots), this.leave, this.back, this.next);
    new Turning([this.root, this.foot], by => this.turn(by), () => this.scene !== undefined);
    page.onStep(() => this.stepped());
    page.onCount(() => this.write());
  }

  /** The address of the scene; `undefined` if none is shown. */
  get link(): string | undefined {
    return this.number === undefined ? undefined : hash(this.number);
  }

  private get scene(): Scene | undefined {
    return SCENES[(this.number ?? 0) - 1];
  }

  /** Shows the scene of a link, or none. Returns the state of the lab to show; `undefined` without such a scene. */
  read(link: string, faults: string[]): string | undefined {
    const wanted = new URLSearchParams(link.slice(1)).get("story");
    const before = this.scene;
    this.number = wanted !== null && SCENES[Number(wanted) - 1] ? Number(wanted) : undefined;
    const isWrong = wanted !== null && !this.scene;
    if (isWrong) faults.push(`the story has the scenes 1 to ${SCENES.length}, and not ${wanted.slice(0, 40)}`);
    this.arriving = this.scene !== undefined;
    this.layOut();
    if (!this.scene) return wanted === null ? link : undefined;
    // A line that was drawn in one scene is the line of the next one.
    const line = before?.state.includes("guess=") && this.page.parameter("guess");
    return line ? this.scene.state.replace(/guess=[^&]*/, `guess=${line}`) : this.scene.state;
  }

  /** Handles the keys of a scene. */
  key(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Buttons take Space themselves, and sliders the arrows as well.
    const takers = key === " " ? "button, a, input" : "input";
    const isTaken = target instanceof HTMLElement && target.closest(takers) !== null;
    const by = { " ": 1, ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[key];
    if (key === "Escape") return this.end();
    if (by === undefined || isTaken) return;
    event.preventDefault();
    this.turn(by);
  }

  /** Goes on to another scene, as its link does: the browser's Back leads to this one. */
  private turn(by: number): void {
    const to = (this.number ?? 0) + by;
    if (SCENES[to - 1]) location.hash = hash(to);
  }

  private end(): void {
    location.hash = this.free();
  }

  private layOut(): void {
    const { page, scene, number } = this;
    const root = document.documentElement;
    this.question.forget();
    this.root.hidden = this.foot.hidden = scene === undefined;
    if (number === undefined) delete root.dataset.story;
    else root.dataset.story = String(number);
    root.dataset.parts = scene?.parts ?? "";
    page.plane.canvas.tabIndex = scene ? -1 : 0;
    page.editing.pressed = scene && (point => this.pressed(point));
    if (!scene || number === undefined) return;
    this.title.textContent = scene.title;
    this.text.replaceChildren(...scene.text.map(sentence => el("p", {}, sentence)));
    this.buttons.replaceChildren(...(scene.buttons ?? []).map(([text, act], k) =>
      button(text, () => act(this.stage), { class: "chip", "data-test": `story-button-${k}` })));
    for (const dot of this.dots) dot.removeAttribute("aria-current");
    this.dots[number - 1]?.setAttribute("aria-current", "step");
    this.back.disabled = number === 1;
    this.next.hidden = number === SCENES.length;
    this.leave.classList.toggle("go", this.next.hidden);
    this.root.scrollTop = 0;
    page.announce(`Scene ${number} of ${SCENES.length}. ${scene.title} ${scene.text.join(" ")}`);
    this.write();
  }

  /** A press on a plane without a line to move or a question to answer goes on. */
  private pressed(point: number | undefined): void {
    if (this.question.root.childElementCount > 0) this.question.pressed(point);
    else if (!this.page.plane.grip) this.turn(1);
  }

  private stepped(): void {
    const { scene, page } = this;
    if (!scene) return;
    if (this.arriving && page.step && page.run?.points === page.points && page.run.options === page.options) {
      this.arriving = false;
      // After the page has shown the step.
      window.setTimeout(() => { if (scene === this.scene) scene.arrives?.(this.stage, stills.matches); });
    }
    this.question.stepped();
    this.write();
  }

  private write(): void {
    const { scene, page } = this;
    if (!scene) return;
    this.now.setAttribute("aria-live", page.stepper.playing ? "off" : "polite");
    const sentences = this.arriving ? [] : scene.now(this.shown()).filter(sentence => sentence !== "");
    const { cause, mistake } = page.steps.sentence.current;
    const said = sentences.map(sentence => el("p", { class: mistake && sentence === cause && "mistake" }, sentence));
    // Screen readers would read a sentence again that is written again.
    if (said.map(({ outerHTML }) => outerHTML).join("") !== this.now.innerHTML) this.now.replaceChildren(...said);
  }

  private shown(): Shown {
    const { page } = this;
    const { sentence } = page.steps;
    const { grip } = page.plane;
    return {
      step: page.step, statement: sentence.current, isPinned: sentence.pinned !== undefined,
      line: grip instanceof LineGrip ? grip.line() : undefined,
      counted: page.countedErrors, kept: KEPT.filter(kept => page.legend.shown.has(kept)),
      answered: this.question.answered,
    };
  }
}
