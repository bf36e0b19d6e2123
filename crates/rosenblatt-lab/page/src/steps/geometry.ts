// The line in numbers: slope and intercept, its distance from the origin, and the point under the pointer.

import type { Hyperplane } from "../contract.js";
import { el } from "../dom.js";
import type { Context2D, Position, View } from "../lab.js";
import { short, vector, writeNumber } from "../numbers.js";
import type { Plane } from "../plane/plane.js";
import { hasLine } from "../plane/shapes.js";

const OVERLAY = "geometry";

export class Geometry {
  /** Closed at first, so that the steps stay in view. */
  readonly root: HTMLDetailsElement;
  private readonly cells = {
    slope: cell("slope"), intercept: cell("intercept"), distance: cell("origin-distance"), foot: cell("foot"),
    position: cell("pointer"), score: cell("pointer-score"), signed: cell("pointer-distance"),
  };
  /** Whether b is the threshold, w·x ≥ b, instead of the bias. */
  hasThreshold = false;
  private readonly names: [bias: string, threshold: string, name: HTMLElement][];
  private line: Hyperplane | undefined;
  private pointer: Position | undefined;

  constructor(private readonly plane: Plane) {
    const { slope, intercept, distance, foot, position, score, signed } = this.cells;
    const rows: [string, HTMLElement, string?][] = [
      ["slope −w₁/w₂", slope], ["intercept −b/w₂", intercept, "intercept b/w₂"], ["distance of the origin |b|/‖w‖", distance],
      ["foot of its perpendicular −b w/‖w‖²", foot, "foot of its perpendicular b w/‖w‖²"], ["under the pointer x", position],
      ["its score w·x + b", score, "its score w·x − b"],
      ["its signed distance (w·x + b)/‖w‖", signed, "its signed distance (w·x − b)/‖w‖"],
    ];
    this.names = rows.map(([bias, _, threshold = bias]) => [bias, threshold, el("dt")]);
    this.root = el("details", { class: "card geometry", "data-test": "geometry", toggle: () => this.write() },
      el("summary", {}, "The line in numbers"),
      el("dl", {}, ...rows.map(([, value], k) => el("div", {}, this.names[k]?.[2], value))));
    const { canvas } = plane;
    canvas.addEventListener("pointermove", event => {
      const { left, top } = canvas.getBoundingClientRect();
      this.at(plane.view.toPlane(event.clientX - left, event.clientY - top));
    });
    canvas.addEventListener("pointerleave", () => this.at(undefined));
  }

  /** Shows the line of a step; a kernel has none. */
  show(line: Hyperplane | undefined): void {
    this.line = line;
    this.write();
  }

  private at(pointer: Position | undefined): void {
    this.pointer = pointer;
    this.write();
    if (this.root.open) this.plane.draw();
  }

  private write(): void {
    const { cells, line, plane } = this;
    for (const [bias, threshold, name] of this.names) name.textContent = this.hasThreshold ? threshold : bias;
    const [w1 = 0, w2 = 0, b = 0] = line ?? [];
    const norm = Math.hypot(w1, w2);
    const exists = hasLine(line);
    const is = <V>(value: V, known: boolean): V | undefined => (known ? value : undefined);
    writeNumber(cells.slope, is(-w1 / w2, exists && w2 !== 0), exists && w2 === 0 ? "∞: it is vertical" : undefined);
    writeNumber(cells.intercept, is(-b / w2, exists && w2 !== 0));
    writeNumber(cells.distance, is(Math.abs(b) / norm, exists));
    const nearest = is(foot([w1, w2, b], [0, 0]), exists);
    writeNumber(cells.foot, nearest, nearest && brief(nearest));
    const at = this.pointer;
    const score = at && w1 * at[0] + w2 * at[1] + b;
    writeNumber(cells.position, at, at && brief(at));
    writeNumber(cells.score, is(score, line !== undefined), line && score !== undefined ? short(score, 3) : undefined);
    writeNumber(cells.signed, score === undefined ? undefined : is(score / norm, exists));
    if (at && exists && this.root.open) plane.overlays.set(OVERLAY, { draw: (context, view) => drawPerpendicular(context, view, at, foot([w1, w2, b], at)) });
    else plane.overlays.delete(OVERLAY);
  }
}

/** A position with three digits. */
const brief = (at: Position): string => vector(at.map(value => Number(value.toPrecision(3))));

/** The point of a line nearest to a position. */
function foot([w1 = 0, w2 = 0, b = 0]: Hyperplane, [x, y]: Position): Position {
  const share = (w1 * x + w2 * y + b) / (w1 * w1 + w2 * w2);
  return [x - share * w1 || 0, y - share * w2 || 0];
}

function drawPerpendicular(context: Context2D, view: View, from: Position, to: Position): void {
  context.strokeStyle = context.fillStyle = view.color("--w");
  context.lineWidth = 2;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(...view.toScreen(...from));
  context.lineTo(...view.toScreen(...to));
  context.stroke();
  context.beginPath();
  context.arc(...view.toScreen(...to), 4, 0, 2 * Math.PI);
  context.fill();
}

const cell = (test: string): HTMLElement => el("dd", { "data-test": test });
