// Ready-made training sets, defined as strokes of a brush.
//
// A stroke is a list of cells, each with two digits to the base 12: column and row. For example, "313a8a" goes from
// column 3, row 1 down to row 10 and right to column 8: an L. The first variant of each label also has a thick stroke.

import { blank, brushCells, lineCells, type Pattern, type Picture, SIDE } from "./picture.js";

export type ReadySetName = "digits" | "letters";

const STROKES: Record<ReadySetName, Record<string, string[]>> = {
  digits: {
    0: ["417183887a4a383341", "516193986a5a282351", "516173786a5a484351"],
    1: ["34616a", "616a", "43616a 4a8a"],
    2: ["33417183843a8a", "325161828466483a8a", "318185353a8a"],
    3: ["32417182847555 7586897a4a39", "3181557587897a3a", "31818a3a 4585"],
    4: ["313686 717a", "7a712797", "513686 747a"],
    5: ["8131357586897a3a", "8141356587886a39", "813135858a3a"],
    6: ["715133384a7a88867536", "714437394a7a89867546", "81313a8a8535"],
    7: ["31815a", "31815a 5676", "323181845a"],
    8: ["417182847545343241 4536394a7a898675", "31818a3a31 3585", "417183384a7a883341"],
    9: ["8475453432417182886a4a", "846545334171827a", "853531818a3a"],
  },
  letters: {
    A: ["2a51619a 3787", "3a31818a 3686", "3a345161848a 3686"],
    T: ["2191 515a", "3181 616a", "2191 515a 4a6a"],
    L: ["313a8a", "414a9a", "212a8a"],
    X: ["219a 912a", "318a 813a", "2299 9229"],
    O: ["417183887a4a383341", "516193986a5a282351", "31818a3a31"],
  },
};

export const READY_SETS: readonly (readonly [ReadySetName, string])[] = [["letters", "letters A, T, L, X, O"], ["digits", "digits 0 to 9"]];

export function readySet(name: ReadySetName): Pattern[] {
  return Object.entries(STROKES[name]).flatMap(([label, variants]) => [
    ...variants.map((strokes) => ({ label, picture: drawStrokes(strokes, 1) })),
    { label, picture: drawStrokes(variants[0] ?? "", 2) },
  ]);
}

function drawStrokes(strokes: string, brush: number): Picture {
  const picture = [...blank];
  for (const index of strokeCells(strokes, brush)) picture[index] = 1;
  return picture;
}

/** The cells of strokes in the order in which a pen draws them. */
function strokeCells(strokes: string, brush: number): number[] {
  return strokes.split(" ").flatMap((stroke) => {
    const cells = (stroke.match(/../g) ?? []).map((cell): [number, number] =>
      [parseInt(cell[0] ?? "0", SIDE), parseInt(cell[1] ?? "0", SIDE)]);
    return cells.flatMap((cell, k) => lineCells(cells[k - 1] ?? cell, cell))
      .flatMap(([column, row]) => brushCells(column, row, brush));
  });
}

/** The letter that a pen draws when the workspace opens, cell by cell: no letter of the training set, but like one. */
export const PEN_LETTER = { name: "L", cells: strokeCells("323a9a", 1) };
