// Test points: fresh points of the same random set, which no run sees, and the errors that its lines make on them.

import { errors } from "../ask.js";
import { type Hyperplane, type Line, LINES, type Points } from "../contract.js";
import { el } from "../dom.js";
import type { Context2D, Lab, Overlay, Panel, View } from "../lab.js";
import { messageWithHint } from "../notices.js";
import { plural, short, writeNumber } from "../numbers.js";
import { drawOpenMark, markSize } from "../plane/marks.js";
import type { Step } from "../run/run.js";
import { SerialRequests } from "../serial-requests.js";
import { freshPoints } from "../sets/source.js";

interface Asked {
  training: Points;
  test: Points;
  lines: Line[];
  planes: Hyperplane[];
}

class TestPanel implements Panel {
  readonly id = "test";
  readonly title = "Test";
  private readonly status = el("p", { class: "status", "data-test": "test-status" });
  private readonly cells = Object.fromEntries(LINES.map(kept => [kept, { training: cell(`training-${kept}`), test: cell(`test-${kept}`) }])) as
    Record<Line, { training: HTMLElement; test: HTMLElement }>;
  private readonly table = this.build();
  private readonly requests = new SerialRequests<Asked>(asked => this.count(asked));
  private lab!: Lab;
  private visible = false;
  private asked = "";
  private askedOf: Points | undefined;
  private drawn: { training: Points; test: Points | undefined } | undefined;

  mount(root: HTMLElement, lab: Lab): void {
    this.lab = lab;
    root.classList.add("experiment", "test-points");
    root.append(el("h2", {}, "Points that no run has seen"),
      el("p", {}, "Open marks are test points: as many as there are examples, from the same distribution. The run does not visit them. "
        + "The engine counts the errors of each line on both."),
      this.status, this.table,
      el("p", { class: "remark" }, "A wide margin on the examples leaves space for new points. On overlapping clouds, the average often errs less than the last line."));
    lab.onChange(() => this.update());
    lab.onStep(() => this.update());
  }

  show(): void {
    this.visible = true;
    this.asked = "";
    this.update();
  }

  hide(): void {
    this.visible = false;
    this.requests.forget();
    this.lab.overlay(this.id, undefined);
  }

  private build(): HTMLElement {
    const row = (kept: Line): HTMLElement => el("tr", {}, el("th", { scope: "row" }, kept), this.cells[kept].training, this.cells[kept].test);
    return el("table", { class: "numbers" }, el("caption", { class: "visually-hidden" }, "Errors of the lines"),
      el("thead", {}, el("tr", {}, ...["line", "errors on examples", "on test points"].map(text => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...LINES.map(row)));
  }

  private update(): void {
    if (!this.visible) return;
    const { points: training, step } = this.lab;
    if (this.drawn?.training !== training) this.drawn = { training, test: freshPoints(this.lab.source, training) };
    const { test } = this.drawn;
    this.table.hidden = test === undefined;
    this.lab.overlay(this.id, test && overlay(test));
    if (!test) {
      this.requests.forget();
      this.status.textContent = "Only the random sets have more points: a gap, clouds, a ring. Choose one of them, unchanged.";
      return;
    }
    const lines = LINES.filter(kept => step?.[kept] !== undefined);
    this.status.textContent = describe(test, step, lines);
    const planes = lines.map(kept => step?.[kept] as Hyperplane);
    const key = JSON.stringify([planes, this.lab.options.zero]);
    if (key === this.asked && this.askedOf === training) return;
    [this.asked, this.askedOf] = [key, training];
    if (lines.length > 0) this.requests.ask({ training, test, lines, planes });
    else this.showCounts([], [], [], test);
  }

  private async count({ training, test, lines, planes }: Asked): Promise<void> {
    const { zero } = this.lab.options;
    try {
      const both = await Promise.all([training, test].map(points => errors({ points, planes, ...(zero && { zero }) })));
      if (this.visible && training === this.lab.points) this.showCounts(lines, both[0]?.errors ?? [], both[1]?.errors ?? [], test);
    } catch (error) {
      this.asked = "";
      this.status.textContent = messageWithHint(error);
    }
  }

  private showCounts(lines: Line[], onTraining: number[], onTest: number[], { rows }: Points): void {
    for (const kept of LINES) {
      const place = lines.indexOf(kept);
      writeNumber(this.cells[kept].training, onTraining[place], share(onTraining[place], rows.length));
      writeNumber(this.cells[kept].test, onTest[place], share(onTest[place], rows.length));
    }
  }
}

const share = (count: number | undefined, of: number): string | undefined => count === undefined ? undefined : `${count} (${short((100 * count) / of, 3)}%)`;

function describe({ rows }: Points, step: Step | undefined, lines: Line[]): string {
  if (!step) return "There is no run yet.";
  const when = `After ${plural(step.step, "visit")}, on ${plural(rows.length, "test point")}:`;
  return lines.length > 0 ? when : "With a kernel, or before the first line, there is nothing to count.";
}

const overlay = ({ rows, signs }: Points): Overlay => ({
  draw(context: Context2D, view: View) {
    const size = 0.8 * markSize(rows.length);
    rows.forEach(([x = 0, y = 0], k) => drawOpenMark(context, view, signs[k] ?? 1, ...view.toScreen(x, y), size));
  },
});

const cell = (test: string): HTMLElement => el("td", { "data-test": test });

export const testPanel: Panel = new TestPanel();
