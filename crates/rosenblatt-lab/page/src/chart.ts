// A chart with two axes, bars, dots and lines.
//
// It is drawn again for each width, so its letters have the size of the page's letters. Screen readers read its
// summary; a table next to it has the numbers.

import "./chart.css";
import { type Attributes, el, svg } from "./dom.js";
import { short } from "./numbers.js";
import { linearTicks, logTicks } from "./ticks.js";

export interface Axis {
  label: string;
  range: [number, number];
  log?: boolean;
  /** Allows ticks only at integers. */
  whole?: boolean;
  /** Replaces the computed ticks. */
  ticks?: number[];
}

/** A vertical line across the plot with its label above. */
export interface Mark {
  at: number;
  label: string;
  kind: "plain" | "soft" | "bound";
  hook?: string;
}

export interface Shape {
  width: number;
  height: number;
  /** The font size. */
  em: number;
}

type Side = { left: number; right: number; top: number; bottom: number };

export class Chart {
  readonly svg: SVGSVGElement;
  private readonly inner: Side;
  private readonly plot: SVGGElement;

  constructor(private readonly shape: Shape, private readonly across: Axis, private readonly up: Axis,
    summary: string, rowsAbove = 0) {
    const { width, height, em } = shape;
    this.inner = {
      left: em * (1.6 + 0.6 * widest(this.ticks(up, height))), right: width - em,
      top: em * (1 + 1.35 * rowsAbove), bottom: height - em * 3.1,
    };
    this.svg = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`,
      role: "img", "aria-label": summary });
    this.plot = svg("g");
    this.axes();
    this.svg.append(this.plot);
  }

  x(value: number): number {
    return this.inner.left + part(this.across, value) * (this.inner.right - this.inner.left);
  }

  y(value: number): number {
    return this.inner.bottom - part(this.up, value) * (this.inner.bottom - this.inner.top);
  }

  bar(from: number, to: number, height: number, attributes: Attributes): SVGRectElement {
    const top = this.y(height);
    return this.add(svg("rect", { class: "bar", x: this.x(from), width: Math.max(1, this.x(to) - this.x(from)),
      y: top, height: Math.max(0, this.inner.bottom - top), ...attributes }));
  }

  dot(x: number, y: number, kind: string, attributes: Attributes = {}): SVGCircleElement {
    return this.add(svg("circle", { class: `dot ${kind}`, cx: this.x(x), cy: this.y(y), r: this.shape.em * 0.5,
      ...attributes }));
  }

  line(points: [number, number][], kind: string): void {
    this.add(svg("polyline", { class: kind, points: this.path(points) }));
  }

  area(points: [number, number][], kind: string): void {
    this.add(svg("polygon", { class: kind, points: this.path(points) }));
  }

  text(x: number, y: number, words: string, anchor: "start" | "middle" | "end", rise = 0): void {
    this.add(svg("text", { x: this.x(x), y: this.y(y) - rise * this.shape.em, "text-anchor": anchor }, words));
  }

  /** Draws vertical lines with labels that do not overlap. */
  marks(marks: Mark[]): void {
    const { em } = this.shape;
    for (const { mark, row, left } of placed(marks, this.shape, (at) => this.x(at))) {
      const line = this.inner.top - em * (0.35 + 1.35 * row);
      const at = this.x(mark.at);
      this.add(svg("line", { class: "leader", x1: at, x2: at, y1: line + em * 0.2, y2: this.inner.top }));
      this.add(svg("line", { class: `mark ${mark.kind}`, x1: at, x2: at, y1: this.inner.top,
        y2: this.inner.bottom, "data-test": mark.hook, "data-at": mark.at }));
      this.add(svg("text", { x: left, y: line, "text-anchor": "start" }, mark.label));
    }
  }

  private add<E extends SVGElement>(element: E): E {
    this.plot.append(element);
    return element;
  }

  private path(points: [number, number][]): string {
    return points.map(([x, y]) => `${this.x(x)},${this.y(y)}`).join(" ");
  }

  private ticks(axis: Axis, length: number): number[] {
    if (axis.ticks) return axis.ticks;
    const wanted = Math.max(2, length / (this.shape.em * (axis === this.up ? 3 : 5)));
    return axis.log ? logTicks(axis.range, wanted) : linearTicks(axis.range, wanted, axis.whole);
  }

  private axes(): void {
    const { left, right, top, bottom } = this.inner;
    const { em } = this.shape;
    for (const tick of this.ticks(this.up, bottom - top)) {
      const y = this.y(tick);
      this.svg.append(svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
        svg("text", { class: "tick", x: left - em * 0.4, y: y + em * 0.35, "text-anchor": "end" }, short(tick)));
    }
    for (const tick of this.ticks(this.across, right - left)) {
      const x = this.x(tick);
      this.svg.append(svg("line", { class: "grid", x1: x, x2: x, y1: bottom, y2: bottom + em * 0.3 }),
        svg("text", { class: "tick", x, y: bottom + em * 1.3, "text-anchor": "middle" }, short(tick)));
    }
    const middle = (top + bottom) / 2;
    this.svg.append(
      svg("polyline", { class: "frame", points: `${left},${top} ${left},${bottom} ${right},${bottom}` }),
      svg("text", { class: "axis-label", x: (left + right) / 2, y: bottom + em * 2.7, "text-anchor": "middle" },
        this.across.label),
      svg("text", { class: "axis-label", x: em, y: middle, "text-anchor": "middle",
        transform: `rotate(-90 ${em} ${middle})` }, this.up.label));
  }
}

/** The number of label rows above the plot. */
export function rowsOf(marks: Mark[], shape: Shape, x: (at: number) => number): number {
  return Math.max(0, ...placed(marks, shape, x).map(({ row }) => row + 1));
}

/**
 * Places each label to the right of its line, in the lowest free row. The order from right to left keeps the lines
 * from crossing labels.
 */
function placed(marks: Mark[], shape: Shape, x: (at: number) => number) {
  const taken: number[] = [];
  return [...marks].sort((a, b) => b.at - a.at).map((mark) => {
    const width = mark.label.length * shape.em * 0.56;
    const left = Math.min(Math.max(0, x(mark.at) - shape.em * 0.2), shape.width - width);
    const free = taken.findIndex((begin) => begin > left + width);
    const row = free < 0 ? taken.length : free;
    taken[row] = left - shape.em * 0.7;
    return { mark, row, left };
  });
}

function part(axis: Axis, value: number): number {
  const [from, to] = axis.range;
  return axis.log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

const widest = (ticks: number[]): number => Math.max(1, ...ticks.map((tick) => short(tick).length));

/** A container that draws its chart again when its width changes. */
export class Figure {
  readonly root = el("div", { class: "chart-place" });
  private width = 0;
  private draw: ((shape: Shape) => Node) | undefined;

  constructor(private readonly proportion = 0.62) {
    new ResizeObserver(() => {
      if (Math.abs(this.root.clientWidth - this.width) >= 1) this.redraw();
    }).observe(this.root);
  }

  /** Sets the function that draws the chart; `undefined` removes the chart. */
  show(draw: ((shape: Shape) => Node) | undefined): void {
    this.draw = draw;
    this.redraw();
  }

  private redraw(): void {
    const width = this.root.clientWidth;
    this.width = width;
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const height = Math.round(Math.min(Math.max(width * this.proportion, em * 15), em * 27));
    this.root.replaceChildren(...(this.draw && width > 0 ? [this.draw({ width, height, em })] : []));
  }
}
