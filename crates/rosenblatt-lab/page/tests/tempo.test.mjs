// The pace of playing: the milliseconds of a whole run are a function of its updates, so they are summed, not awaited.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noteTexts } from "./inspect.mjs";
import { at, close, open, settles } from "./open.mjs";

after(close);

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));
const contents = 'export * from "./steps/tempo.js"; export { SETS, defaultSource, loadPoints } from "./sets/source.js";';
const built = await build({
  stdin: { contents, resolveDir: SOURCE, loader: "ts" }, bundle: true, write: false, format: "esm", loader: { ".csv": "text" },
});
// The sets know the engine of the page, which is an element of it; here is none.
globalThis.document = { getElementById: () => null };
const { ALL, PACES, SETS, Tempo, UPDATE_TIME, defaultSource, loadPoints } =
  await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

/** The run of the perceptron rule in the given order: for each visit whether it was a mistake. */
function mistakes({ rows, signs }, { epochs = 1000 } = {}) {
  const found = [];
  let [a, b, c] = [0, 0, 0];
  for (let epoch = 0, made = 1; epoch < epochs && made > 0; epoch++) {
    made = 0;
    for (const [k, [x, y]] of rows.entries()) {
      const isMistake = signs[k] * (a * x + b * y + c) <= 0;
      if (isMistake) [a, b, c] = [a + signs[k] * x, b + signs[k] * y, c + signs[k]];
      made += isMistake;
      found.push(isMistake);
    }
  }
  return found;
}

/** The milliseconds of each visit at the normal pace. */
function times(news, count) {
  const converged = !news.slice(-count).includes(true);
  const tempo = new Tempo({ visits: news.length, count, report: { converged } }, 0);
  return news.map((isNews, visit) => tempo.next(visit, isNews));
}

const sum = times => times.reduce((all, time) => all + time, 0);

function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test("every set of the page plays to its end within 25 s at the normal pace", async () => {
  const offered = SETS.map(([set]) => set).filter(set => !["own", "file", "dropped"].includes(set));
  assert.ok(offered.length >= 8);
  for (const set of offered) for (const draw of [1, 2, 3]) for (const margin of [0, 0.5]) {
    const points = await loadPoints({ ...defaultSource(set), draw, margin });
    const all = sum(times(mistakes(points), points.rows.length));
    assert.ok(all <= ALL && all > 2000, `${set}, draw ${draw}: ${all} ms`);
    assert.ok(all / PACES.rush <= 5000, set);
  }
});

test("no run takes longer, whatever its length and its updates", () => {
  const draw = random(43);
  let longest = 0;
  for (let k = 0; k < 400; k++) {
    const count = 1 + Math.floor(draw() ** 3 * 500);
    const epochs = 1 + Math.floor(draw() ** 2 * Math.min(3000, 200_000 / count));
    // The share of updates, at first and at the end.
    const [first, last] = [draw(), draw() ** 4];
    const news = Array.from({ length: count * epochs }, (_, visit) => draw() < first + ((last - first) * visit) / (count * epochs));
    if (k % 3 === 0) news.fill(false, -count);
    longest = Math.max(longest, sum(times(news, count)));
  }
  // Each update when the pause before it has passed most of its time: the longest gaps.
  const sparse = Array.from({ length: 100_000 }, (_, visit) => visit % 40 === 39).fill(false, -40);
  longest = Math.max(longest, sum(times(sparse, 40)));
  assert.ok(longest <= ALL, `${longest}`);
  assert.ok(longest > 0.8 * ALL, `the draws reach the bound: ${longest}`);
});

test("the first six updates take 0.9 s each, then each is 12 % faster, down to 80 epochs a second", () => {
  const found = times(Array(2000).fill(true), 4);
  assert.deepEqual(found.slice(0, 6), Array(6).fill(UPDATE_TIME));
  for (let k = 6; k < 40; k++) assert.ok(Math.abs(found[k] / found[k - 1] - 0.88) < 1e-12, `${k}`);
  assert.equal(found.at(-1), 1000 / 80 / 4);
});

test("visits without an update pass fast, except for a whole epoch without a mistake", () => {
  const count = 40;
  const news = Array(4 * count).fill(false).map((_, visit) => visit < 3);
  const found = times(news, count);
  assert.ok(sum(found.slice(3, 3 * count)) < 250);
  assert.ok(Math.abs(sum(found.slice(-count)) - 1000) < 1e-9);
});

for (const [name, options] of [["wide", { viewport: { width: 1280, height: 720 } }], ["small", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["flat", { viewport: { width: 844, height: 390 }, hasTouch: true }]]) {
  test(`a ${name} window has three paces, and a run that never settles arrives`, async () => {
    const page = await open("#set=xor&epochs=300", options);
    await settles(page, "visits", 0);
    for (const pace of Object.keys(PACES)) {
      const box = await at(page, `pace-${pace}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= options.viewport.width && box.y + box.height <= options.viewport.height, pace);
    }
    await at(page, "pace-rush").click();
    assert.equal(await at(page, "pace-rush").getAttribute("aria-pressed"), "true");
    assert.equal(await at(page, "pace-normal").getAttribute("aria-pressed"), "false");
    await at(page, "play").click();
    await at(page, "outcome").filter({ hasText: /without converging, after 300 epochs/ }).waitFor({ state: "attached" });
    await at(page, "play").filter({ hasText: "Play" }).waitFor();
    await page.done();
  });
}

test("the average is drawn while updates are too fast to be seen, and not before", async () => {
  const page = await open("", { reducedMotion: "reduce" });
  await noteTexts(page);
  await page.reload();
  await page.evaluate(() => { location.hash = "#set=blobs&order=given"; });
  await page.waitForFunction(() => document.querySelector("[data-test=thumb-blobs]").getAttribute("aria-pressed") === "true");
  await settles(page, "visits", 0);
  const isNamed = () => globalThis.texts.some(([text]) => text === "average");
  await at(page, "next-mistake").click();
  await at(page, "next-mistake").click();
  assert.equal(await page.evaluate(isNamed), false);
  await at(page, "pace-rush").click();
  await at(page, "play").click();
  await page.waitForFunction(isNamed);
  assert.equal(await at(page, "show-average").getAttribute("aria-pressed"), "false");
  await at(page, "play").click();
  await page.evaluate(() => { globalThis.texts = []; });
  await at(page, "fit").click();
  assert.equal(await page.evaluate(isNamed), false);
  await page.done();
});
