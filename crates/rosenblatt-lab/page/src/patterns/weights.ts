// Shows the weights of each class as an image.

import type { PatternAnswer, Plane } from "../contract.js";
import { el, svg } from "../dom.js";
import { plural, short } from "../numbers.js";
import { CELLS, SIDE } from "./picture.js";

export function weightImages({ classes, planes, report }: PatternAnswer): HTMLElement {
  const cards = classes.map((name, k) => {
    const own = report.per_class?.[k] ?? report;
    const plane = planes?.[k];
    return el("li", { "data-test": "pattern-class", "data-class": name, "data-converged": String(own.converged),
      "data-updates": own.updates },
      el("h3", {}, name), ...(plane ? [image(plane, name)] : []),
      el("p", {}, own.converged ? `✓ ${plural(own.updates, "update")}` : `✗ ${plural(own.updates, "update")}, not converged`),
      ...(plane ? [el("p", { class: "bias" }, `w to ±${short(most(plane), 3)}`),
        el("p", { class: "bias" }, `b = ${short(plane[CELLS] ?? 0, 3)}`)] : []));
  });
  return el("div", { class: "weights" }, ...(planes ? [legend()] : [noWeights()]), el("ul", {}, ...cards));
}

/** The largest absolute weight. Each image has its own scale, so that classes with small weights stay visible. */
const most = (plane: Plane): number => Math.max(...plane.slice(0, CELLS).map(Math.abs));

function image(plane: Plane, name: string): SVGSVGElement {
  const scale = most(plane) || 1;
  const cells = plane.slice(0, CELLS).map((weight, k) => {
    const cell = svg("rect", { x: k % SIDE, y: Math.floor(k / SIDE), width: 1.02, height: 1.02 },
      svg("title", {}, `row ${Math.floor(k / SIDE) + 1}, column ${(k % SIDE) + 1}: ${short(weight, 3)}`));
    cell.style.fill = colour(weight / scale);
    return cell;
  });
  const speaks = plane.slice(0, CELLS).filter((weight) => weight > 0).length;
  const against = plane.slice(0, CELLS).filter((weight) => weight < 0).length;
  return svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "data-test": "pattern-weights",
    "aria-label": `Weights of ${name}: ${speaks} positive, ${against} negative` }, ...cells);
}

/** The color of a weight from −1 to 1 in the current theme. */
function colour(part: number): string {
  const end = part < 0 ? "--against" : "--for";
  return `color-mix(in oklab, var(${end}) ${(100 * Math.abs(part)).toFixed(1)}%, var(--nothing))`;
}

function legend(): HTMLElement {
  return el("div", { class: "scale" }, el("span", {}, "negative"),
    el("span", { class: "ramp", "aria-hidden": "true" }), el("span", {}, "positive; each image has its own scale"));
}

const noWeights = (): HTMLElement => el("p", { class: "remark" },
  "With a kernel, cells have no weights: the model consists of the patterns that caused updates.");
