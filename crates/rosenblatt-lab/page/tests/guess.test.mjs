// The user's own line: moved by pointer and numbers, counted by the engine, and the start of a run.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "./axe.mjs";
import { at, close, fragment, open, screen, settles, value } from "./open.mjs";

after(close);

const VIEW = "&view=0,0,5";
/** Two points on each side of x₁ = 0, and one of class +1 at (−1, 3). */
const POINTS = `#points=2,0,+;2,2,+;-1,3,+;-2,0,-;-2,-2,-${VIEW}&order=given`;
const line = async page => Promise.all(["w1", "w2", "b"].map(async name => Number(await at(page, `guess-${name}`).inputValue())));

/** Drags from one place of the plane to another. */
async function drag(page, from, to) {
  await page.mouse.move(...await screen(page, ...from));
  await page.mouse.down();
  await page.mouse.move(...await screen(page, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2), { steps: 3 });
  await page.mouse.move(...await screen(page, ...to), { steps: 3 });
  await page.mouse.up();
}

test("a dragged line has its errors and margin from the engine, and a link keeps it", async () => {
  const page = await open(`${POINTS}&tab=guess&guess=1,0,0`);
  // By x₁ = 0 only (−1, 3) is on the wrong side, at the distance 1.
  await settles(page, "guess-errors", 1);
  await settles(page, "guess-margin", -1);
  await at(page, "sentence").filter({ hasText: "Your line makes 1 error." }).waitFor();
  // The line takes a press where no point is; the points stay.
  await drag(page, [0, -4], [-1.5, -4]);
  const [w1, w2, b] = await line(page);
  assert.deepEqual([w1, w2], [1, 0]);
  assert.ok(Math.abs(b - 1.5) < 0.03, `${b}`);
  await settles(page, "guess-errors", 0);
  // The errors were 0 on the way, too, with another margin.
  await page.waitForFunction(() => Math.abs(Number(document.querySelector("[data-test=guess-margin]").dataset.value) - 0.5) < 0.03);
  const link = await fragment(page);
  assert.match(link, /points=2,0,\+;2,2,\+;-1,3,\+;-2,0,-;-2,-2,-/);
  const again = await open(link);
  await settles(again, "guess-errors", 0);
  assert.deepEqual(await line(again), [w1, w2, b]);
  assert.deepEqual(await axe(again), []);
  for (const each of [page, again]) await each.done();
});

test("the handles at its sides turn the line around one another, and swapped sides have the other errors", async () => {
  const page = await open(`${POINTS}&tab=guess&guess=1,0,0`);
  await settles(page, "guess-errors", 1);
  const { height } = await at(page, "plane").boundingBox();
  // A handle is at most 130 pixels from the middle.
  const side = Math.min(130, 0.3 * height) / ((height - 2) / 10);
  await drag(page, [0, side], [side, -side]);
  // The line now goes from (0, −side) to the right, with +1 above or below as before.
  const [w1, w2, b] = await line(page);
  assert.ok(Math.abs(w1) < 0.02 && Math.abs(Math.abs(w2) - 1) < 0.001 && Math.abs(Math.abs(b) - side) < 0.05, `${[w1, w2, b]}`);
  const signed = [[2, 0, 1], [2, 2, 1], [-1, 3, 1], [-2, 0, -1], [-2, -2, -1]];
  const errors = signed.filter(([x1, x2, y]) => y * (w1 * x1 + w2 * x2 + b) <= 0).length;
  await settles(page, "guess-errors", errors);
  await at(page, "guess-swap").click();
  await settles(page, "guess-errors", 5 - errors);
  assert.deepEqual(await line(page), [w1, w2, b].map(value => -value || 0));
  await page.done();
});

test("without a bias the line stays on the origin", async () => {
  const page = await open(`${POINTS}&bias=none&tab=guess&guess=1,0,2`);
  await page.waitForFunction(() => document.querySelector("[data-test=guess-b]").value === "0");
  assert.equal(await at(page, "guess-b").isDisabled(), true);
  await drag(page, [0, 3], [3, 3]);
  const [w1, w2, b] = await line(page);
  assert.ok(b === 0 && Math.abs(w1 + w2) < 0.02, `${[w1, w2, b]}`);
  await page.done();
});

test("the perceptron learns from the user's line, and undo brings the earlier start back", async () => {
  // AND from x₁ + x₂ = 1, by hand: (0, 1) lies on the line and moves it to x₁ = 2, then (1, 1) moves it to 2x₁ + x₂ = 1.
  const page = await open("#set=and&order=given&tab=guess&guess=1,1,-1", { reducedMotion: "reduce" });
  await settles(page, "guess-errors", 2);
  await at(page, "guess-learn").click();
  await page.waitForFunction(() => Number(document.querySelector("[data-test=visits]").dataset.value) >= 4);
  await at(page, "play").click();
  const link = await fragment(page);
  assert.match(link, /start=1,1,-1/);
  const at4 = await open(link.replace(/&step=\d+/, "&step=4").replace(/&tab=guess/, ""));
  await settles(at4, "visits", 4);
  assert.deepEqual([await value(at4, "weights"), await value(at4, "bias"), await value(at4, "updates")], [[2, 1], -1, 2]);
  for (const [step, weights] of [[0, [1, 1]], [2, [1, 0]]]) {
    const page = await open(`#set=and&order=given&start=1,1,-1&step=${step}`);
    await settles(page, "visits", step);
    assert.deepEqual(await value(page, "weights"), weights);
    await page.done();
  }
  await at(at4, "end").click();
  await at(at4, "outcome").filter({ hasText: /converges/ }).waitFor();
  assert.match(await page.locator(".bounded").first().textContent().then(() => at4.locator(".bounded").first().textContent()), /needs zero initial weights/);
  await at(at4, "drawer-toggle").click();
  assert.equal(await at(at4, "option-init").inputValue(), "start");
  assert.match(await at(at4, "command").textContent(), / --start 1,1,-1$/);
  // Another set has another start.
  await at(at4, "set").selectOption("or");
  await at4.waitForFunction(() => location.hash.startsWith("#set=or"));
  assert.doesNotMatch(await fragment(at4), /start=/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !location.hash.includes("start="));
  for (const each of [page, at4]) await each.done();
});

test("a link with another start than three numbers says so", async () => {
  const page = await open("#set=and&start=1,2");
  await page.waitForSelector("[data-test=note]:not([hidden])");
  assert.match(await at(page, "note").textContent(), /start=1,2 does not have the form/);
  await page.done();
});

test("the saved picture as SVG has the points, the line and the names of the axes", async () => {
  const page = await open("#set=and&order=given&step=36&show=last,average,w,sides,R,margin");
  await settles(page, "visits", 36);
  await at(page, "drawer-toggle").click();
  const [download] = await Promise.all([page.waitForEvent("download"), at(page, "save-svg").click()]);
  assert.equal(download.suggestedFilename(), "plane.svg");
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const found = await page.evaluate(text => {
    const svg = new DOMParser().parseFromString(text, "image/svg+xml");
    const plus = getComputedStyle(document.documentElement).getPropertyValue("--plus").trim();
    const minus = getComputedStyle(document.documentElement).getPropertyValue("--minus").trim();
    const filled = color => svg.querySelectorAll(`path[fill="${color}"]`).length;
    return {
      faults: svg.querySelectorAll("parsererror").length, plus: filled(plus), minus: filled(minus),
      texts: [...svg.querySelectorAll("text")].map(text => text.textContent), images: svg.querySelectorAll("image").length,
      gradients: svg.querySelectorAll("linearGradient stop").length,
    };
  }, text);
  // The example of the last visit is drawn once more, above its neighbors.
  assert.deepEqual([found.faults, found.plus, found.minus, found.images], [0, 2, 3, 0]);
  for (const name of ["x₁", "x₂", "w", "R", "γ", "last", "average"]) assert.ok(found.texts.includes(name), `${name}: ${found.texts}`);
  assert.ok(found.gradients > 10);
  assert.doesNotMatch(text, /NaN|undefined|Infinity/);
  await page.done();
});
