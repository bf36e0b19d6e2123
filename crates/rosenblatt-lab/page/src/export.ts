// What the user takes along: the picture of the plane, the points, and the command that makes the same run.

import { NUMBER_OPTIONS, type Points, type RunOptions, TEXT_OPTIONS } from "./contract.js";
import { button, el } from "./dom.js";
import type { Lab } from "./lab.js";
import { vector } from "./numbers.js";
import type { Plane } from "./plane/plane.js";

const POINTS = "points.csv";

/** The points as a file of the command: two columns and the class. */
export function pointsFile({ rows, signs }: Points): string {
  return ["x1,x2,class", ...rows.map(([x, y], k) => `${x},${y},${signs[k]}`)].join("\n") + "\n";
}

/** The command that makes the same run from the file of the points. It scales nothing, as the page does. */
export function commandLine(options: RunOptions): string {
  const given = [...TEXT_OPTIONS, ...NUMBER_OPTIONS].flatMap(key => {
    const value = options[key];
    return value === undefined ? [] : [`--${key.replace("_", "-")} ${value}`];
  });
  return ["rosenblatt train", POINTS, "--positive 1", "--scale none", ...given].join(" ");
}

/** The buttons and the command. */
export function exportSection(lab: Lab, plane: Plane): HTMLElement {
  const command = el("code", { class: "command", "data-test": "command", tabindex: 0, role: "textbox", "aria-readonly": "true",
    "aria-label": "The command that makes this run" });
  const start = el("p", { class: "note", "data-test": "command-start" });
  const show = (): void => {
    command.textContent = commandLine(lab.options);
    start.hidden = lab.options.start === undefined;
    // The command has no option for these.
    start.textContent = `The run of the page starts from (w₁, w₂, b) = ${vector(lab.options.start ?? [])}, the command from zero. `
      + "In Python, fit has coef_init and intercept_init.";
  };
  lab.onChange(show);
  show();
  return el("section", {}, el("h2", {}, "Take along"),
    el("div", { class: "switches" },
      button("Picture (SVG)", () => save("plane.svg", new Blob([plane.svg()], { type: "image/svg+xml" })), { "data-test": "save-svg" }),
      button("Picture (PNG)", () => plane.canvas.toBlob(picture => { if (picture) save("plane.png", picture); }), { "data-test": "save-png" }),
      button("Points (CSV)", () => save(POINTS, new Blob([pointsFile(lab.points)], { type: "text/csv" })), { "data-test": "save-csv" })),
    el("p", { class: "note" }, `The same run with the points in ${POINTS}:`), command, start);
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  el("a", { href: address, download: name }).click();
  // The download has begun by then.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
