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
export interface ReferenceLine {
  at: number;
  label: string;
  kind: "plain" | "soft" | "bound";
  test?: string;
}

export interface ChartSize {
  width: number;
  height: number;
  /** The font size. */
  em: number;
}

type PlotArea = { left: number; right: number; top: number; bottom: number };

export class Chart {
  readonly svg: SVGSVGElement;
  private readonly plotArea: PlotArea;
  private readonly plot: SVGGElement;

  constructor(private readonly size: ChartSize, private readonly xAxis: Axis, private readonly yAxis: Axis,
    summary: string, rowsAbove = 0) {
    const { width, height, em } = size;
    this.plotArea = {
      left: em * (1.6 + 0.6 * longestTick(this.ticks(yAxis, height))), right: width - em,
      top: em * (1 + 1.35 * rowsAbove), bottom: height - em * 3.1,
    };
    this.svg = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`,
      role: "img", "aria-label": summary });
    this.plot = svg("g");
    this.axes();
    this.svg.append(this.plot);
  }

  x(value: number): number {
    return this.plotArea.left + fraction(this.xAxis, value) * (this.plotArea.right - this.plotArea.left);
  }

  y(value: number): number {
    return this.plotArea.bottom - fraction(this.yAxis, value) * (this.plotArea.bottom - this.plotArea.top);
  }

  bar(from: number, to: number, height: number, attributes: Attributes): SVGRectElement {
    const top = this.y(height);
    return this.add(svg("rect", { class: "bar", x: this.x(from), width: Math.max(1, this.x(to) - this.x(from)),
      y: top, height: Math.max(0, this.plotArea.bottom - top), ...attributes }));
  }

  dot(x: number, y: number, kind: string, attributes: Attributes = {}): SVGCircleElement {
    return this.add(svg("circle", { class: `dot ${kind}`, cx: this.x(x), cy: this.y(y), r: this.size.em * 0.5,
      ...attributes }));
  }

  line(points: [number, number][], kind: string): void {
    this.add(svg("polyline", { class: kind, points: this.path(points) }));
  }

  area(points: [number, number][], kind: string): void {
    this.add(svg("polygon", { class: kind, points: this.path(points) }));
  }

  text(x: number, y: number, text: string, anchor: "start" | "middle" | "end", rise = 0): void {
    this.add(svg("text", { x: this.x(x), y: this.y(y) - rise * this.size.em, "text-anchor": anchor }, text));
  }

  /** Draws vertical lines with labels that do not overlap. */
  referenceLines(references: ReferenceLine[]): void {
    const { em } = this.size;
    for (const { reference, row, left } of placeLabels(references, this.size, (at) => this.x(at))) {
      const baseline = this.plotArea.top - em * (0.35 + 1.35 * row);
      const at = this.x(reference.at);
      this.add(svg("line", { class: "label-line", x1: at, x2: at, y1: baseline + em * 0.2, y2: this.plotArea.top }));
      this.add(svg("line", { class: `reference-line ${reference.kind}`, x1: at, x2: at, y1: this.plotArea.top,
        y2: this.plotArea.bottom, "data-test": reference.test, "data-at": reference.at }));
      this.add(svg("text", { x: left, y: baseline, "text-anchor": "start" }, reference.label));
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
    const wanted = Math.max(2, length / (this.size.em * (axis === this.yAxis ? 3 : 5)));
    return axis.log ? logTicks(axis.range, wanted) : linearTicks(axis.range, wanted, axis.whole);
  }

  private axes(): void {
    const { left, right, top, bottom } = this.plotArea;
    const { em } = this.size;
    for (const tick of this.ticks(this.yAxis, bottom - top)) {
      const y = this.y(tick);
      this.svg.append(svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
        svg("text", { class: "tick", x: left - em * 0.4, y: y + em * 0.35, "text-anchor": "end" }, short(tick)));
    }
    for (const tick of this.ticks(this.xAxis, right - left)) {
      const x = this.x(tick);
      this.svg.append(svg("line", { class: "grid", x1: x, x2: x, y1: bottom, y2: bottom + em * 0.3 }),
        svg("text", { class: "tick", x, y: bottom + em * 1.3, "text-anchor": "middle" }, short(tick)));
    }
    const center = (top + bottom) / 2;
    this.svg.append(
      svg("polyline", { class: "frame", points: `${left},${top} ${left},${bottom} ${right},${bottom}` }),
      svg("text", { class: "axis-label", x: (left + right) / 2, y: bottom + em * 2.7, "text-anchor": "middle" },
        this.xAxis.label),
      svg("text", { class: "axis-label", x: em, y: center, "text-anchor": "middle",
        transform: `rotate(-90 ${em} ${center})` }, this.yAxis.label));
  }
}

/** The number of label rows above the plot. */
export function labelRows(references: ReferenceLine[], size: ChartSize, x: (at: number) => number): number {
  return Math.max(0, ...placeLabels(references, size, x).map(({ row }) => row + 1));
}

/**
 * Places each label to the right of its line, in the lowest free row. The order from right to left keeps the lines
 * from crossing labels.
 */
function placeLabels(references: ReferenceLine[], size: ChartSize, x: (at: number) => number) {
  const taken: number[] = [];
  return [...references].sort((a, b) => b.at - a.at).map((reference) => {
    const width = reference.label.length * size.em * 0.56;
    const left = Math.min(Math.max(0, x(reference.at) - size.em * 0.2), size.width - width);
    const free = taken.findIndex((begin) => begin > left + width);
    const row = free < 0 ? taken.length : free;
    taken[row] = left - size.em * 0.7;
    return { reference, row, left };
  });
}

function fraction(axis: Axis, value: number): number {
  const [from, to] = axis.range;
  return axis.log ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

const longestTick = (ticks: number[]): number => Math.max(1, ...ticks.map((tick) => short(tick).length));

/** A container that draws its chart again when its width changes. */
export class ChartFrame {
  readonly root = el("div", { class: "chart-frame" });
  private width = 0;
  private draw: ((size: ChartSize) => Node) | undefined;

  constructor(private readonly proportion = 0.62) {
    new ResizeObserver(() => {
      if (Math.abs(this.root.clientWidth - this.width) >= 1) this.redraw();
    }).observe(this.root);
  }

  /** Sets the function that draws the chart; `undefined` removes the chart. */
  show(draw: ((size: ChartSize) => Node) | undefined): void {
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
