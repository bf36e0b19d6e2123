// What the user takes along: the picture of the plane, the points, and the command that makes the same run.

import { trace } from "./ask.js";
import { DEFAULTS, isSurface, NUMBER_OPTIONS, type Points, type RunOptions, TEXT_OPTIONS, type TraceFormat } from "./contract.js";
import { button, el } from "./dom.js";
import type { Lab } from "./lab.js";
import { plural } from "./numbers.js";
import type { Notes } from "./notes.js";
import type { Plane } from "./plane/plane.js";

const POINTS = "points.csv";
const FORMATS: Record<TraceFormat, [name: string, type: string]> = {
  csv: ["CSV", "text/csv"], md: ["Markdown", "text/markdown"], tex: ["LaTeX", "application/x-tex"], json: ["JSON", "application/json"],
};

/** The points as a file of the command: two columns and the class. */
export function pointsFile({ rows, signs }: Points): string {
  return ["x1,x2,class", ...rows.map(([x, y], k) => `${x},${y},${signs[k]}`)].join("\n") + "\n";
}

/** The command that makes the same run from the file of the points. It scales nothing, as the page and the lecture notes do. */
export function commandLine(options: RunOptions, notes: Notes | undefined): string {
  const known: RunOptions = notes?.options ?? {};
  const given = [...TEXT_OPTIONS, ...NUMBER_OPTIONS].flatMap(key => {
    const value = options[key];
    const isKnown = value === undefined || value === known[key] || (key === "seed" && !drawsAtRandom(options));
    return isKnown || (key === "init" && options.start) ? [] : [`--${key.replace("_", "-")} ${value}`];
  });
  const start = options.start ? [`--start ${options.start.slice(0, options.bias === "none" ? 2 : 3).join(",")}`] : [];
  return ["rosenblatt train", POINTS, "--positive 1", notes ? `--notes ${notes.name}` : "--scale none", ...given, ...start].join(" ");
}

/** Whether a run has random choices; the command takes a seed only then. */
const drawsAtRandom = ({ order = DEFAULTS.order, init, keep, start }: RunOptions): boolean =>
  order !== "given" || (init === "random" && !start) || isSurface(keep);

/** The buttons and the command. */
export function exportSection(lab: Lab, plane: Plane): HTMLElement {
  const command = el("code", { class: "command", "data-test": "command", tabindex: 0, role: "textbox", "aria-readonly": "true",
    "aria-label": "The command that makes this run" });
  const show = (): void => { command.textContent = commandLine(lab.options, lab.notes); };
  lab.onChange(show);
  show();
  const run = runButtons(lab);
  return el("section", {}, el("h2", {}, "Take along"),
    el("div", { class: "switches" },
      button("Picture (SVG)", () => save("plane.svg", new Blob([plane.svg()], { type: "image/svg+xml" })), { "data-test": "save-svg" }),
      button("Picture (PNG)", () => plane.canvas.toBlob(picture => { if (picture) save("plane.png", picture); }), { "data-test": "save-png" }),
      button("Points (CSV)", () => save(POINTS, new Blob([pointsFile(lab.points)], { type: "text/csv" })), { "data-test": "save-csv" }),
      ...run.buttons),
    run.status,
    el("p", { class: "note" }, `The same run with the points in ${POINTS}:`), command);
}

/** The run visit by visit as a file. */
function runButtons(lab: Lab): { buttons: HTMLElement[]; status: HTMLElement } {
  const status = el("p", { class: "note", role: "status", "data-test": "save-run-status" });
  lab.onChange(() => { status.textContent = ""; });
  const write = async (format: TraceFormat): Promise<void> => {
    const { points, options, notes } = lab;
    try {
      const { text, visits, whole } = await trace({ points, options, format, threshold: notes?.threshold ?? false });
      save(`run.${format}`, new Blob([text], { type: FORMATS[format][1] }));
      status.textContent = `${plural(visits, "visit")}${whole ? "." : "; the run has more."}`;
    } catch (error) {
      lab.showError(error);
    }
  };
  const buttons = Object.entries(FORMATS).map(([format, [name]]) =>
    button(`Run (${name})`, () => void write(format as TraceFormat), { "data-test": `save-run-${format}` }));
  return { buttons, status };
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  el("a", { href: address, download: name }).click();
  // The download has begun by then.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
