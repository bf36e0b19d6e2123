// Shows the weights of each class as an image.

import type { Hyperplane, PatternAnswer } from "../contract.js";
import { el, svg } from "../dom.js";
import { plural, short } from "../numbers.js";
import { CELLS, SIDE } from "./picture.js";

export function weightImages({ classes, planes, report }: PatternAnswer): HTMLElement {
  const cards = classes.map((name, k) => {
    const result = report.per_class?.[k] ?? report;
    const hyperplane = planes?.[k];
    return el("li", { "data-test": "pattern-class", "data-class": name, "data-converged": String(result.converged),
      "data-updates": result.updates },
      el("h3", {}, name), ...(hyperplane ? [image(hyperplane, name)] : []),
      el("p", {}, result.converged ? `✓ ${plural(result.updates, "update")}` : `✗ ${plural(result.updates, "update")}, not converged`),
      ...(hyperplane ? [el("p", { class: "bias" }, `w to ±${short(most(hyperplane), 3)}`),
        el("p", { class: "bias" }, `b = ${short(hyperplane[CELLS] ?? 0, 3)}`)] : []));
  });
  return el("div", { class: "weights" }, ...(planes ? [legend()] : [noWeights()]), el("ul", {}, ...cards));
}

/** The largest absolute weight. Each image has its own scale, so that classes with small weights stay visible. */
const most = (hyperplane: Hyperplane): number => Math.max(...hyperplane.slice(0, CELLS).map(Math.abs));

function image(hyperplane: Hyperplane, name: string): SVGSVGElement {
  const scale = most(hyperplane) || 1;
  const cells = hyperplane.slice(0, CELLS).map((weight, k) => {
    const cell = svg("rect", { x: k % SIDE, y: Math.floor(k / SIDE), width: 1.02, height: 1.02 },
      svg("title", {}, `row ${Math.floor(k / SIDE) + 1}, column ${(k % SIDE) + 1}: ${short(weight, 3)}`));
    cell.style.fill = color(weight / scale);
    return cell;
  });
  const positive = hyperplane.slice(0, CELLS).filter((weight) => weight > 0).length;
  const negative = hyperplane.slice(0, CELLS).filter((weight) => weight < 0).length;
  return svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "data-test": "pattern-weights",
    "aria-label": `Weights of ${name}: ${positive} positive, ${negative} negative` }, ...cells);
}

/** The color of a weight from −1 to 1 in the current theme. */
function color(part: number): string {
  const end = part < 0 ? "--negative" : "--positive";
  return `color-mix(in oklab, var(${end}) ${(100 * Math.abs(part)).toFixed(1)}%, var(--zero-weight))`;
}

function legend(): HTMLElement {
  return el("div", { class: "scale" }, el("span", {}, "negative"),
    el("span", { class: "gradient", "aria-hidden": "true" }), el("span", {}, "positive; each image has its own scale"));
}

const noWeights = (): HTMLElement => el("p", { class: "remark" },
  "With a kernel, cells have no weights: the model consists of the patterns that caused updates.");
