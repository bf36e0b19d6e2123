// The timeline of a run: a block for each epoch and a tick for each visit that was shown, tall for updates. A page of a
// few epochs is shown until the end was seen, because the length of the run would tell the outcome; then the whole run.

import { el } from "../dom.js";
import { grouped } from "../numbers.js";
import { type Run, WHOLE_RUN } from "../run/run.js";
import type { Stepper } from "./stepper.js";

const GAP = 6;
const LEAST_BLOCK = 14; // pixels; narrower blocks become one curve of mistakes per epoch
const WIDE_BLOCK = 84; // pixels of a block on a page
const MOST_BLOCKS = 8; // on a page
const [TOP, HEIGHT] = [20, 24];

/** The epochs shown. */
interface Page {
  first: number;
  count: number;
}

export class Scrubber {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
  private run: Run | undefined;
  private width = 0;
  private frame = 0;

  constructor(private readonly stepper: Stepper) {
    this.root = el("div", {
      class: "scrubber", role: "slider", tabindex: 0, "data-test": "scrubber", "aria-label": "Visit", "aria-valuemin": 0, "aria-valuemax": 0,
      "aria-valuenow": 0, title: "Drag to any visit; arrow keys step", keydown: (event: KeyboardEvent) => this.key(event),
    }, this.canvas);
    this.root.addEventListener("pointerdown", event => {
      this.root.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    this.root.addEventListener("pointermove", event => { if (this.root.hasPointerCapture(event.pointerId)) this.seek(event); });
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  show(run: Run | undefined): void {
    this.run = run;
    const { step } = this.stepper;
    const last = run ? (this.stepper.ended ? run.visits : this.lastOfPage(run)) : 0;
    this.root.setAttribute("aria-valuemax", String(last));
    this.root.setAttribute("aria-valuenow", String(step));
    this.root.setAttribute("aria-valuetext", run ? `Visit ${grouped(step)}, epoch ${this.stepper.current?.epoch ?? 1}` : "No run");
    if (run && !this.stepper.playing) void this.load(run);
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  /** Loads the visits of the page that were shown. */
  private async load(run: Run): Promise<void> {
    const page = this.page(run);
    const from = page.first * run.count;
    const until = Math.min(run.visits, this.stepper.seen, from + page.count * run.count);
    if (this.isCurve(run, page) || until - from > WHOLE_RUN || run.isUpdate(from) !== undefined) return;
    // Without these visits the timeline has no ticks for them, which is no error of the run.
    await run.loadAll(from, until).catch(() => undefined);
    if (run === this.run) this.paint();
  }

  private resize(): void {
    this.width = this.root.clientWidth;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.root.clientHeight * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint();
  }

  private page(run: Run): Page {
    const all = Math.max(1, Math.ceil(run.visits / run.count));
    if (this.stepper.ended) return { first: 0, count: all };
    const wanted = Math.max(WIDE_BLOCK, Math.min(this.width, 4 * run.count));
    const count = Math.max(1, Math.min(MOST_BLOCKS, Math.floor(this.width / wanted)));
    const epoch = (this.stepper.current?.epoch ?? 1) - 1;
    return { first: Math.floor(epoch / count) * count, count };
  }

  private lastOfPage(run: Run): number {
    const { first, count } = this.page(run);
    return (first + count) * run.count;
  }

  /** Whether the blocks would be too narrow, or the run too long for ticks. */
  private isCurve({ visits }: Run, { count }: Page): boolean {
    return (this.stepper.ended && visits > WHOLE_RUN) || (this.width - GAP * (count - 1)) / count < LEAST_BLOCK;
  }

  /** The horizontal place of a number of visits. */
  private place(run: Run, page: Page, visits: number): number {
    if (this.isCurve(run, page)) return (visits / run.visits) * this.width;
    const block = (this.width - GAP * (page.count - 1)) / page.count;
    const epoch = Math.min(page.count - 1, Math.max(0, Math.ceil(visits / run.count) - 1 - page.first));
    const within = visits - (epoch + page.first) * run.count;
    return epoch * (block + GAP) + (within / run.count) * block;
  }

  private seek(event: PointerEvent): void {
    const { run } = this;
    if (!run) return;
    const page = this.page(run);
    const left = event.clientX - this.root.getBoundingClientRect().left;
    const share = Math.min(1, Math.max(0, left / this.width));
    if (this.isCurve(run, page)) return void this.stepper.jump(Math.round(share * run.visits));
    const block = (this.width + GAP) / page.count;
    const epoch = Math.min(page.count - 1, Math.max(0, Math.floor(left / block)));
    const within = Math.min(1, Math.max(0, (left - epoch * block) / (block - GAP)));
    void this.stepper.jump(Math.round((page.first + epoch + within) * run.count));
  }

  private key(event: KeyboardEvent): void {
    const { stepper } = this;
    const act = {
      ArrowRight: stepper.next, ArrowUp: stepper.next, ArrowLeft: stepper.previous, ArrowDown: stepper.previous,
      PageUp: stepper.nextEpoch, Home: stepper.reset, End: stepper.end,
    }[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    void act.call(stepper);
  }

  // The drawing.

  private paint(): void {
    this.frame = 0;
    const { context, run } = this;
    context.clearRect(0, 0, this.width, this.root.clientHeight);
    if (!run || this.width === 0) return;
    const style = getComputedStyle(this.root);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const page = this.page(run);
    context.font = `${style.fontSize} ${color("--sans")}`;
    if (this.isCurve(run, page)) this.paintCurve(run, color);
    else for (let epoch = 0; epoch < page.count; epoch++) this.paintBlock(run, page, epoch, color);
    this.paintKnob(this.place(run, page, this.stepper.step), color);
  }

  private paintBlock(run: Run, page: Page, epoch: number, color: (name: string) => string): void {
    const { context } = this;
    const block = (this.width - GAP * (page.count - 1)) / page.count;
    const left = epoch * (block + GAP);
    context.fillStyle = color("--sunk");
    context.beginPath();
    context.roundRect(left, TOP, block, HEIGHT, 6);
    context.fill();
    const name = String(page.first + epoch + 1);
    context.fillStyle = color("--mut");
    const text = block > 66 ? `epoch ${name}` : name;
    if (context.measureText(text).width < block) context.fillText(text, left + 1, TOP - 6);
    const spacing = block / run.count;
    const from = (page.first + epoch) * run.count;
    const wide = Math.max(1.5, Math.min(4, spacing - 0.5));
    for (let visit = from; visit < Math.min(from + run.count, this.stepper.seen); visit++) {
      const update = run.isUpdate(visit);
      if (update === undefined || (!update && spacing < 3)) continue;
      const middle = left + (visit - from + 0.5) * spacing;
      context.fillStyle = color(update ? "--bad" : "--line");
      if (update) context.fillRect(middle - wide / 2, TOP + 2, wide, HEIGHT - 4);
      else context.fillRect(middle - 1, TOP + 9, 2, HEIGHT - 18);
    }
  }

  /** The whole run as the mistakes per epoch. */
  private paintCurve(run: Run, color: (name: string) => string): void {
    const { context, width } = this;
    const counts = run.report.mistakes_per_epoch;
    const most = Math.max(1, ...counts);
    context.fillStyle = color("--sunk");
    context.fillRect(0, TOP, width, HEIGHT);
    context.fillStyle = color("--bad");
    for (let left = 0; left < width; left++) {
      const mistakes = counts[Math.floor((left / width) * counts.length)] ?? 0;
      const high = (mistakes / most) * (HEIGHT - 2);
      context.fillRect(left, TOP + HEIGHT - high, 1, high);
    }
    context.fillStyle = color("--mut");
    context.fillText(`mistakes in each of ${grouped(counts.length)} epochs`, 1, TOP - 6);
  }

  private paintKnob(left: number, color: (name: string) => string): void {
    const { context } = this;
    const at = Math.min(this.width - 6, Math.max(6, left));
    context.fillStyle = color("--ink");
    context.fillRect(at - 1.5, TOP - 3, 3, HEIGHT + 8);
    context.beginPath();
    context.arc(at, TOP + HEIGHT + 8, 6, 0, 2 * Math.PI);
    context.fill();
  }
}
