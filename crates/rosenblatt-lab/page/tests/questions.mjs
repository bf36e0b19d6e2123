// Questions of all kinds, the same in every run: what a page asks, what it may ask, and what is refused.

import { readFileSync } from "node:fs";

/** Numbers from 0 to 1, drawn by a seed (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const data = name => readFileSync(new URL(`../../../../data/${name}`, import.meta.url), "utf8");
const GRID = { x: [-3, 3], y: [-2, 4], columns: 13, rows: 9 };
const UPDATES = ["perceptron", "margin:0.5", "pa", "pa1:0.25", "pa2:1"];
const KERNELS = ["linear", "poly:2", "poly:3:0.5:2", "rbf:0.7"];
const KEPT = ["last", "average", "pocket", "vote"];
const cycle = (values, place) => values[place % values.length];

/** Points of two classes: around two centers, whose distance decides whether they overlap. */
function cloud(draw, count, features, distance) {
  const rows = [], signs = [];
  for (let place = 0; place < count; place++) {
    const sign = place % 2 === 0 ? 1 : -1;
    rows.push(Array.from({ length: features }, () => 2 * (draw() + draw() - 1) + (sign * distance) / 2));
    signs.push(sign);
  }
  return { rows, signs };
}

/** Points with whole coordinates, whose classes mostly overlap. */
function wholePoints(draw, count) {
  const coordinate = () => Math.floor(21 * draw()) - 10;
  return { rows: Array.from({ length: count }, () => [coordinate(), coordinate()]), signs: Array.from({ length: count }, (_, k) => (k === 0 || (k > 1 && draw() < 0.5) ? 1 : -1)) };
}

function training(draw, place) {
  const points = cloud(draw, 4 + (place % 37), 2, (place % 5) / 2);
  const options = {
    update: cycle(UPDATES, place), keep: cycle(KEPT, place + (place >> 2)), order: cycle(["given", "shuffle"], place >> 1),
    bias: cycle(["unit", "none", "radius"], place >> 2), mistake: cycle(["margin", "label"], place >> 3),
    zero: cycle(["positive", "negative"], place >> 4), init: cycle(["zero", "zero", "random"], place), seed: place,
    epochs: 1 + (place % 30), eta: cycle([1, 0.1, 3], place),
  };
  if (place % 3 === 0) options.kernel = cycle(KERNELS, place / 3);
  const question = { points, options, window: { from: place % 50, count: 40 } };
  if (!options.kernel && options.keep !== "vote" && options.bias !== "none" && place % 4 === 1) question.start = [draw() - 0.5, draw() - 0.5, draw() - 0.5];
  if (place % 2 === 0) question.until = 1 + (place % 90);
  if (place % 5 === 0) question.surfaces = { keep: [cycle(KEPT, place / 5)], grid: GRID };
  return { train: question };
}

function table(draw, place) {
  const { points, options, start } = training(draw, 3 * place + 1).train;
  return { trace: { points, options, ...(start && { start }), format: cycle(["csv", "md", "tex", "json"], place), ...(place % 3 === 0 && { threshold: true }) } };
}

function errors(draw, place) {
  const points = cloud(draw, 3 + place, 2, 1);
  const plane = () => [draw() - 0.5, draw() - 0.5, draw() - 0.5];
  return { errors: { points, planes: [plane(), plane(), [0, 0, 0]], zero: cycle(["positive", "negative"], place), ...(place % 2 === 0 && { margins: true }) } };
}

function study(draw, place) {
  const options = { order: "shuffle", seed: place, epochs: 50, update: cycle(UPDATES, place) };
  return { study: { points: cloud(draw, 12 + place, 2, 2 + (place % 3)), options, runs: 20 + place, bins: 5 + place } };
}

function patterns(draw, place) {
  const count = 2 + (place % 4);
  const rows = Array.from({ length: 6 * count }, () => Array.from({ length: 9 }, () => Math.round(draw())));
  const labels = rows.map((_, row) => `class ${row % count}`);
  const options = { keep: cycle(KEPT.slice(0, 3), place), seed: place, epochs: 40 };
  if (place % 3 === 2) options.kernel = cycle(KERNELS, place);
  return { patterns: { rows, labels, options, queries: rows.slice(0, 5) } };
}

const FILES = [
  { name: "iris.csv", text: data("iris.csv") },
  { name: "iris.csv", text: data("iris.csv"), positive: "Iris-virginica" },
  { name: "sonar.csv", text: data("sonar.csv") },
  { name: "xor.csv", text: data("xor.csv"), label: "x1" },
  { name: "a.svm", text: "+1 1:0.5 3:2\n-1 2:1e-3\n+1 1:1\n" },
  { name: "words", text: "color,size,kind\nred,1,a\nblue,2.5,b\nred,3,b\n" },
  { name: "b.tsv", text: "1\t2\ta\n3\t4\tb\n", header: false },
  { name: "lines.json", text: '{"x": 1, "y": 2, "kind": "a"}\n{"x": 2, "y": 0.1, "kind": "b"}\n' },
  // What cannot be read.
  { name: "ragged.csv", text: "x,y,kind\n1,2,a\n1,b\n" },
  { name: "empty.csv", text: "" },
  { name: "numbers.csv", text: "1,2,3\n4,5,6\n" },
  { name: "one.csv", text: "x,kind\n1,a\n2,a\n" },
  { name: "x.parquet", text: "PAR1" },
  { name: "none.csv", text: "x,kind\n1,a\n2,b\n", label: "color" },
  { name: "none.csv", text: "x,kind\n1,a\n2,b\n", positive: "z" },
  { name: "hole.csv", text: "x,kind\n1,a\n,b\n3,b\n" },
  { name: "waste.csv", text: { base64: btoa("x,kind\n1,M\u00fcll\n2,M\u00f6ll\n") } },
  { name: "waste.csv", text: { base64: btoa("x,kind\n1,M\u00fcll\n2,M\u00f6ll\n") }, encoding: "latin1" },
];

const POINTS = { rows: [[0, 1], [2, 3]], signs: [1, -1] };
const REFUSED = [
  "", "{", "[]", "{}", '{"train": 1}', '{"separable": {}} x', '{"unknown": {}}',
  { train: { points: { rows: [[1, 2], [3]], signs: [1, -1] } } },
  { train: { points: { rows: [[1, 2], [3, 4]], signs: [1, 1] } } },
  { train: { points: POINTS, options: { update: "pa:1:2" } } },
  { train: { points: POINTS, options: { update: "arow:1", kernel: "rbf:1" } } },
  { train: { points: POINTS, options: { epochs: 1e9 } } },
  { train: { points: POINTS, until: 0 } },
  { train: { points: POINTS, surfaces: { keep: ["vote"], grid: { ...GRID, columns: 1e4 } } } },
  { train: { points: POINTS, start: [1, 2] } },
  { trace: { points: POINTS, format: "xlsx" } },
  { errors: { points: POINTS, planes: [[1]] } },
  { study: { points: POINTS, runs: 1e6 } },
];

/** At least 200 questions, each as text. */
export function questions() {
  const draw = random(1958);
  const many = (count, question) => Array.from({ length: count }, (_, place) => question(draw, place));
  return [
    ...many(120, training),
    ...many(24, table),
    ...many(12, errors),
    ...many(30, (draw, place) => ({
      separable: { points: cloud(draw, 4 + place, 1 + (place % 4), place % 4), bias: cycle(["unit", "none"], place) },
    })),
    ...many(150, (draw, place) => ({
      inseparable: { points: wholePoints(draw, 6 + (place % 6)), bias: cycle(["unit", "none"], place >> 1), work: 100_000_000 },
    })),
    ...many(12, study),
    ...many(12, patterns),
    ...FILES.map(file => ({ file })),
    ...REFUSED,
  ].map(question => (typeof question === "string" ? question : JSON.stringify(question)));
}
