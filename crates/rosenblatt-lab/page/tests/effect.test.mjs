// The sentences on the plane: each sentence about runs on whole numbers, against distances in exact arithmetic.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCE = fileURLToPath(new URL("../src/steps/effect.ts", import.meta.url));
const built = await build({ entryPoints: [SOURCE], bundle: true, write: false, format: "esm" });
const { effect } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const score = ([a, b, c], [x, y]) => a * x + b * y + c;

/** The visits of the rule that updates up to a functional margin, on whole numbers. */
function* visits(rows, signs, { margin = 0, unit = 1, start = [0, 0, 0], epochs = 4 }) {
  let before = start;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const [example, row] of rows.entries()) {
      const [sign, s] = [signs[example], score(before, row)];
      const stepSize = sign * s <= margin ? sign : 0;
      const after = stepSize === 0 ? before : [before[0] + sign * row[0], before[1] + sign * row[1], before[2] + sign * unit];
      yield { visit: { example, row, sign, score: s, scoreAfter: score(after, row), mistake: sign * s <= 0, stepSize, before }, after };
      before = after;
    }
  }
}

/** Compares the distances of the example from the lines after and before, exactly: −1, 0 or 1. */
function farther({ row, before }, after) {
  const square = line => ({ over: BigInt(score(line, row)) ** 2n, under: BigInt(line[0] ** 2 + line[1] ** 2) });
  const [old, now] = [square(before), square(after)];
  const difference = now.over * old.under - old.over * now.under;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** On the way from one line to the other there is one that has the example on it. */
function passes({ row, score: s, scoreAfter, before }, after, where) {
  const between = before.map((weight, k) => weight * scoreAfter - after[k] * s);
  assert.equal(Math.abs(score(between, row)), 0, where);
  assert.ok(hasLine(between), where);
}

const SAYS = /^So the line (?:turns|moves) (off it|onto it|past it|towards it|away from it)\.$/;
const SAME = "So the line stays, and its sides change places.";
const isSameLine = ([a, b, c], [d, e, f]) => a * e === b * d && a * f === c * d && b * f === c * e;
const hasLine = ([a, b]) => a !== 0 || b !== 0;

test("a sentence says where the line moves, as the distances do", () => {
  const draw = random(18);
  const whole = most => Math.floor(draw() * (2 * most + 1)) - most;
  const counts = {};
  for (let set = 0; set < 3000; set++) {
    const most = 1 + (set % 9);
    const rows = Array.from({ length: 2 + (set % 5) }, () => [whole(most), set % 3 === 0 ? 0 : whole(most)]);
    const signs = rows.map(() => (draw() < 0.5 ? 1 : -1));
    for (const { visit, after } of visits(rows, signs, { margin: set % 4 === 0 ? 3 : 0, unit: set % 2 })) {
      if (visit.stepSize === 0) continue;
      const text = effect(visit, after);
      const where = `${JSON.stringify(visit)} ${after}: ${text}`;
      counts[text] = (counts[text] ?? 0) + 1;
      const said = SAYS.exec(text)?.[1];
      if (String(after) === String(visit.before)) assert.equal(text, "So nothing moves.", where);
      else if (!hasLine(visit.before) || !hasLine(after)) assert.equal(said, undefined, where);
      else {
        const [side, end] = [visit.score, visit.scoreAfter].map(s => Math.sign(visit.sign * s));
        const grows = farther(visit, after);
        const onOneSide = grows === 0 ? undefined : grows > 0 ? "away from it" : "towards it";
        const expected = side === 0 ? "off it" : end === 0 ? "onto it" : end !== side ? "past it" : onOneSide;
        if (expected === "past it" && isSameLine(visit.before, after)) assert.equal(text, SAME, where);
        else assert.equal(said, expected, where);
        if (said === "past it") passes(visit, after, where);
      }
    }
  }
  // All cases of the theory occur: also a line that moves away from a mistake, and an example that stays as far.
  for (const text of ["So the line turns away from it.", "So the line moves towards it.", "So the line turns past it.", "So the line moves onto it.",
    "So the line turns off it.", "So its score moves towards its class.", "So nothing moves.", "So the first line appears."]) assert.ok(counts[text] > 0, `${text} ${JSON.stringify(counts)}`);
});

/** The sentence at the last of some visits. */
const at = (number, rows, signs, run) => {
  const all = [...visits(rows.map(x => [x, 0]), signs, { epochs: number, ...run })];
  return effect(all[number - 1].visit, all[number - 1].after);
};

test("worked examples", () => {
  // w 2, b −3 becomes 1, −2: the distance of x = −1 from the threshold grows from 2.5 to 3, on the wrong side.
  assert.equal(at(13, [-1, 2, -3], [1, -1, -1], {}), "So the line moves away from it.");
  // Without a bias w −2 becomes −1: the distance stays 1.
  assert.equal(at(2, [-2, -1], [1, -1], { unit: 0 }), "So its score moves towards its class.");
  // On the right side, within the margin 3: w −1, b 2 becomes −2, 3, and the distance falls from 3 to 2.5.
  assert.equal(at(3, [-1, 0], [1, 1], { margin: 3 }), "So the line moves towards it.");
  // x = 0 without a bias: whatever the step, nothing moves.
  assert.equal(at(2, [1, 0], [1, -1], { unit: 0 }), "So nothing moves.");
  // x = −1 from w = 1.2, b = −8, on the wrong side: the distance grows.
  const visit = { example: 0, row: [-1, 0], sign: 1, score: -9.2, scoreAfter: -7.2, mistake: true, stepSize: 1, before: [1.2, 0, -8] };
  assert.equal(effect(visit, [1.2 - 1, 0, -7]), "So the line moves away from it.");
  // x = 1 from w = −1, b = 0 to 2, 1: the line passes x on its way from 0 to −1/2.
  const passed = { ...visit, row: [1, 0], score: -1, scoreAfter: 3, before: [-1, 0, 0] };
  assert.equal(effect(passed, [2, 0, 1]), "So the line moves past it.");
  assert.equal(effect({ ...passed, row: [2, 0], score: -3, scoreAfter: 2, before: [-1, 0, -1] }, [1, 0, 0]), "So the line moves past it.");
  // With precisions the weights may grow on the wrong side: the distance of x = 1 from 0 stays 1, its score falls from −1 to −2.
  assert.equal(effect({ ...passed, score: -1, scoreAfter: -2 }, [-2, 0, 0]), "So its score moves away from its class.");
  // A step along the weights themselves.
  assert.equal(effect({ ...passed, score: -1, scoreAfter: 1, before: [-0.5, 0, -0.5] }, [0.5, 0, 0.5]), SAME);
});

test("of a score past the range of numbers the side is known", () => {
  const visit = { example: 0, row: [1e200, 0], sign: 1, score: "negative", scoreAfter: "negative", mistake: true, stepSize: 1, before: [-1e200, 0, 0] };
  assert.equal(effect(visit, [-1e199, 0, 1]), "So its score moves towards its class.");
  assert.equal(effect({ ...visit, scoreAfter: 2 }, [1e-200, 0, 1]), "So the line moves past it.");
  assert.equal(effect({ ...visit, stepSize: 0, mistake: false, score: "positive" }, visit.before), "So nothing changes.");
});
