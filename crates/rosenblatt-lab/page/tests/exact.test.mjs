// Thirty random sets: each number of a step that the page shows is that of a run in exact arithmetic.
//
// A double is a whole number times a power of two, so scores are sums of whole numbers, rounded once. The weights are sums of
// doubles, each rounded once, as the engine adds them.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { at, close, open } from "./open.mjs";

after(close);

const built = await build({ entryPoints: [fileURLToPath(new URL("../src/numbers.ts", import.meta.url))], write: false, format: "esm" });
const { short, vector, grouped } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

const PLACES = 300n; // binary places of a whole number that stands for a double

/** A double as a whole number of units 2^−300. */
function whole(value) {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const mantissa = (word & 0xfffffffffffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = BigInt(Math.max(1, exponent) - 1075) + PLACES;
  assert.ok(value === 0 || shift >= 0n);
  const size = value === 0 ? 0n : mantissa << shift;
  return value < 0 ? -size : size;
}

/** The exact score in units 2^−600. */
const score = ([w1, w2, b], [x, y]) => whole(w1) * whole(x) + whole(w2) * whole(y) + (whole(b) << PLACES);

/** The double nearest to a whole number of units 2^−600. */
const rounded = units => Number(units) / 2 ** 600;

/** The double next to a quotient of whole numbers. */
function quotient(over, under) {
  const size = (2n ** 200n * (over < 0n ? -over : over)) / (under < 0n ? -under : under);
  return (Number(size) / 2 ** 200) * (over < 0n === under < 0n ? 1 : -1);
}

function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Points with up to three decimals: separated by a line with a gap, or with some signs flipped. */
function randomSet(seed) {
  const draw = random(seed);
  const count = 4 + Math.floor(37 * draw());
  const decimals = seed % 4;
  const [a, b, c] = [draw() - 0.5, draw() - 0.5, draw() - 0.5];
  const rows = [], signs = [];
  while (rows.length < count) {
    const row = [8 * draw() - 4, 8 * draw() - 4].map(value => Number(value.toFixed(decimals)) || 0);
    const distance = (a * row[0] + b * row[1] + c) / Math.hypot(a, b);
    if (Math.abs(distance) < 0.25) continue;
    rows.push(row);
    signs.push(distance > 0 !== (seed % 3 === 0 && draw() < 0.15) ? 1 : -1);
  }
  if (signs.every(sign => sign === signs[0])) signs[0] = -signs[0];
  const bias = decimals === 0 ? "radius" : seed % 5 === 0 ? "none" : "unit";
  return { points: { rows, signs }, options: { mistake: seed % 2 === 0 ? "margin" : "label", bias, eta: seed % 7 === 0 ? 0.5 : 1, epochs: 40 } };
}

/** All steps of a run. */
function run({ points: { rows, signs }, options: { mistake, bias, eta, epochs } }) {
  // Only whole coordinates have a bias with the step R².
  const unit = bias === "none" ? 0 : bias === "unit" ? 1 : Math.max(...rows.map(([x, y]) => x * x + y * y));
  let plane = [0, 0, 0];
  const steps = [{ visits: 0, epoch: 0, updates: 0, mistakes: 0, after: plane }];
  for (let epoch = 1, updates = 0; epoch <= epochs; epoch++) {
    let mistakes = 0;
    rows.forEach((row, example) => {
      const exact = score(plane, row);
      const wrong = mistake === "margin" ? BigInt(signs[example]) * exact <= 0n : (exact >= 0n ? 1 : -1) !== signs[example];
      const before = plane;
      const step = eta * signs[example];
      if (wrong) plane = [plane[0] + step * row[0], plane[1] + step * row[1], plane[2] + step * unit].map(value => value || 0);
      updates += wrong;
      mistakes += wrong;
      steps.push({ visits: steps.length, epoch, updates, mistakes, example, score: rounded(exact), before, after: plane });
    });
    if (mistakes === 0) return { steps, converged: true, epochs: epoch };
  }
  return { steps, converged: false, epochs };
}

const errors = (plane, { rows, signs }) => rows.filter((row, k) => (score(plane, row) >= 0n ? 1 : -1) !== signs[k]).length;

/** The numbers that the page shows at a step, by the names of their elements. */
function shown({ visits, epoch, updates, mistakes, example, score, before, after }, { points }) {
  const line = ([w1, w2, b], name) => ({ [`weights${name}`]: [w1, w2], [`bias${name}`]: b, [`threshold${name}`]: -b || 0 });
  const visit = visits === 0 ? line(after, "-before") : { score, margin: points.signs[example] * score, ...line(before, "-before") };
  return { visits, epochs: epoch, updates, mistakes, "errors-last": errors(after, points), ...visit, ...line(after, "") };
}

/** The line in numbers; `undefined` where it has none. */
function geometry([w1, w2, b]) {
  const [a, c, d] = [w1, w2, b].map(whole);
  if (a === 0n && c === 0n) return {};
  const square = a * a + c * c;
  return { ...(c !== 0n && { slope: quotient(-a, c), intercept: quotient(-d, c) }), foot: [quotient(-d * a, square), quotient(-d * c, square)] };
}

const link = ({ points: { rows, signs }, options: { mistake, bias, eta, epochs } }, step) =>
  `#points=${rows.map(([x, y], k) => `${x},${y},${signs[k] === 1 ? "+" : "-"}`).join(";")}&view=0,0,5&bias=${bias}&order=given&mistake=${mistake}&epochs=${epochs}`
  + `&eta=${eta}&step=${step}&tab=steps`;

/** Waits until all numbers are shown; fails with those that are not. */
async function compare(page, expected, where) {
  const wanted = Object.entries(expected).map(([name, value]) => [name, JSON.stringify(value)]);
  await page.waitForFunction(wanted => wanted.every(([name, value]) => document.querySelector(`[data-test="${name}"]`)?.dataset.value === value), wanted, { timeout: 10_000 })
    .catch(async () => {
      const found = await page.evaluate(names => names.map(name => document.querySelector(`[data-test="${name}"]`)?.dataset.value), wanted.map(([name]) => name));
      assert.deepEqual(found.map((value, k) => `${wanted[k][0]} ${value}`), wanted.map(([name, value]) => `${name} ${value}`), where);
    });
}

const close15 = (found, exact) => Math.abs(found - exact) <= 4e-16 * Math.abs(exact) || found === exact;

test("thirty random sets: the numbers of the steps are those of exact arithmetic", async () => {
  const page = await open("#points=0,0,+;1,1,-");
  await page.evaluate(() => { document.querySelector("[data-test=geometry]").open = true; });
  let numbers = 0, converged = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const set = randomSet(seed);
    const whole = run(set);
    const last = whole.steps.length - 1;
    converged += whole.converged;
    for (const visits of new Set([0, 1, 2, set.points.rows.length, Math.floor(last / 2), last - 1, last])) {
      const step = whole.steps[visits];
      await page.evaluate(hash => { location.hash = hash; }, link(set, visits));
      const expected = shown(step, set);
      await compare(page, expected, `set ${seed}, visit ${visits}`);
      numbers += Object.keys(expected).length;
      // The short texts are those of the exact numbers.
      const [w1, w2, b] = step.after;
      for (const [name, text] of [["weights", vector([w1, w2])], ["bias", short(b)], ["updates", grouped(step.updates)]]) {
        assert.equal(await at(page, name).textContent(), text, `set ${seed}, visit ${visits}: ${name}`);
      }
      const measures = geometry(step.after);
      const found = await page.evaluate(names => names.map(name => JSON.parse(document.querySelector(`[data-test="${name}"]`).dataset.value || "null")), Object.keys(measures));
      Object.entries(measures).forEach(([name, exact], k) => {
        for (const [place, value] of [exact].flat().entries()) assert.ok(close15([found[k]].flat()[place], value), `set ${seed}, visit ${visits}: ${name} is ${found[k]}, not ${exact}`);
        numbers++;
      });
    }
    const says = await at(page, "outcome").textContent();
    const counts = whole.converged ? `epoch ${grouped(whole.epochs)} makes no mistake, after ${grouped(whole.steps[last].updates)} update` : `after ${grouped(whole.epochs)} epochs and ${grouped(whole.steps[last].updates)} update`;
    assert.ok(says.includes(counts), `set ${seed}: ${says}`);
  }
  assert.ok(numbers >= 2000 && converged >= 12 && converged <= 28, `${numbers} numbers, ${converged} converged`);
  await page.done();
});

test("thirty random sets: the answer to “Can it converge?” is proven by whole numbers", async () => {
  const page = await open("#points=0,0,+;1,1,-&tab=separable");
  let proven = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const set = randomSet(seed);
    const { points: { rows, signs }, options: { bias } } = set;
    await page.evaluate(hash => { location.hash = hash; }, link(set, 0).replace("tab=steps", "tab=separable"));
    await page.waitForFunction(points => location.hash.includes(points) && !document.querySelector("[data-test=separable]").hasAttribute("aria-busy"), link(set, 0).slice(1).split("&")[0]);
    const answer = await at(page, "separable-answer").getAttribute("data-answer");
    if (run(set).converged && set.options.mistake === "margin") assert.equal(answer, "yes", `set ${seed}`);
    if (answer !== "no") continue;
    const table = await at(page, "certificate").locator("tbody tr").evaluateAll(rows =>
      rows.map(row => [row.children[0].textContent, row.children[3].querySelector("[title]").title]));
    // Σ λ y (x, 1) = 0 with all λ > 0; without a bias, Σ λ y x = 0.
    const sum = [0n, 0n, 0n];
    for (const [place, multiplier] of table) {
      const [k, factor] = [Number(place) - 1, BigInt(multiplier)];
      assert.ok(factor > 0n);
      [whole(rows[k][0]), whole(rows[k][1]), bias === "none" ? 0n : 1n].forEach((part, axis) => { sum[axis] += factor * BigInt(signs[k]) * part; });
    }
    assert.deepEqual(sum, [0n, 0n, 0n], `set ${seed}`);
    proven++;
  }
  assert.ok(proven >= 2, `${proven} proofs`);
  await page.done();
});
