// The pattern workspace.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "./axe.mjs";
import { at, close, fragment, open } from "./open.mjs";

after(close);

async function openPatterns(fragment = "", options = {}) {
  const page = await open(`#tab=patterns${fragment}`, options);
  await page.waitForSelector("[data-test=pattern-report]");
  return page;
}

/** Draws a stroke with the mouse over cells given as [column, row]. */
async function stroke(page, ...cells) {
  await at(page, "pattern-grid").scrollIntoViewIfNeeded();
  const box = await at(page, "pattern-grid").boundingBox();
  const place = ([column, row]) => [box.x + ((column + 0.5) * box.width) / 12, box.y + ((row + 0.5) * box.height) / 12];
  await page.mouse.move(...place(cells[0]));
  await page.mouse.down();
  for (const cell of cells.slice(1)) await page.mouse.move(...place(cell), { steps: 3 });
  await page.mouse.up();
}

const predicts = (page, label) => page.waitForSelector(`[data-test=pattern-predicted][data-predicted="${label}"]`, { timeout: 5000 });
const full = (page) => at(page, "pattern-cell").evaluateAll((cells) =>
  cells.flatMap((cell, k) => (cell.getAttribute("aria-selected") === "true" ? [k] : [])));
const clear = (page) => at(page, "pattern-clear").click();

test("the model predicts a letter drawn by mouse, and the page shows its scores", async () => {
  const page = await openPatterns();
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  await predicts(page, "L");
  const scores = await at(page, "pattern-score").evaluateAll((rows) => rows.map(({ dataset }) => [dataset.class, Number(dataset.score)]));
  assert.deepEqual(scores.map(([name]) => name), ["A", "L", "O", "T", "X"]);
  assert.equal(scores.toSorted((a, b) => b[1] - a[1])[0][0], "L");
  await clear(page);
  await stroke(page, [2, 1], [9, 1]);
  await stroke(page, [6, 1], [6, 10]);
  await predicts(page, "T");
  await clear(page);
  await stroke(page, [2, 2], [9, 9]);
  await stroke(page, [9, 2], [2, 9]);
  await predicts(page, "X");
  assert.deepEqual(page.faults, []);
});

test("the model predicts digits, also with shifted copies in the training set", async () => {
  const page = await openPatterns("&patterns=digits");
  await stroke(page, [3, 1], [8, 1], [5, 10]);
  await predicts(page, "7");
  await at(page, "pattern-option-copies").check();
  await page.waitForFunction(() => document.querySelector("[data-test=pattern-report]").textContent.startsWith("440 examples"), undefined, { timeout: 20_000 });
  await clear(page);
  await stroke(page, [5, 2], [5, 11]);
  await predicts(page, "1");
});

test("the page's scores are the engine's", async () => {
  const page = await openPatterns();
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  await predicts(page, "L");
  const drawing = (await full(page)).reduce((row, cell) => row.with(cell, 1), Array(144).fill(0));
  const question = page.waitForRequest((request) => request.postData()?.startsWith('{"patterns"') ?? false);
  await at(page, "pattern-option-epochs").fill("199");
  await at(page, "pattern-option-epochs").press("Enter");
  const asked = JSON.parse((await question).postData());
  const { predictions: [prediction] } = await page.evaluate(async ([patterns, row]) => {
    const body = JSON.stringify({ patterns: { ...patterns, queries: [row] } });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("token")}` };
    return (await fetch("/ask", { method: "POST", headers, body })).json();
  }, [asked.patterns, drawing]);
  const shown = await at(page, "pattern-score").evaluateAll((rows) => rows.map(({ dataset }) => Number(dataset.score)));
  assert.equal(prediction.class, "L");
  assert.deepEqual(shown, prediction.scores);
});

test("the shown prediction comes from the engine, also without a kernel", async () => {
  const page = await openPatterns();
  const prediction = { class: "X", scores: [-3, -2, -1, 0, 1.5] };
  await page.route("**/ask", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (answer.predictions) answer.predictions = answer.predictions.map(() => prediction);
    await route.fulfill({ response, json: answer });
  });
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  await predicts(page, "X");
  const shown = await at(page, "pattern-score").evaluateAll((rows) => rows.map(({ dataset }) => Number(dataset.score)));
  assert.deepEqual(shown, prediction.scores);
});

test("one prediction is requested at a time, and the newest drawing is shown", async () => {
  const page = await openPatterns();
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  await predicts(page, "L");
  let held = 0;
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route("**/ask", async (route) => {
    held++;
    await released;
    await route.continue();
  });
  await clear(page);
  await stroke(page, [2, 2], [9, 9]);
  await stroke(page, [9, 2], [2, 9]);
  assert.equal(held, 1, "the others wait");
  release();
  await predicts(page, "X");
});

test("the keyboard alone draws, labels, adds and removes", async () => {
  const page = await openPatterns();
  await at(page, "pattern-set-none").focus();
  await page.keyboard.press("Enter");
  await at(page, "pattern-cell").first().focus();
  for (const key of ["ArrowDown", "ArrowRight", "Space", "ArrowRight", "ArrowRight", "Space", "Shift+ArrowDown"]) await page.keyboard.press(key);
  assert.deepEqual(await full(page), [13, 15, 27]);
  await page.keyboard.press("Space");
  assert.deepEqual(await full(page), [13, 15]);
  await at(page, "pattern-label").focus();
  await page.keyboard.type("a");
  await page.keyboard.press("Enter");
  assert.equal(await at(page, "pattern-thumbnail").count(), 1);
  assert.deepEqual(await full(page), []);
  assert.match(await at(page, "pattern-learned").innerText(), /The training set has one class/);
  await at(page, "pattern-thumbnail").focus();
  await page.keyboard.press("Delete");
  assert.equal(await at(page, "pattern-thumbnail").count(), 0);
});

test("adding own patterns starts training, and a link restores them with the drawing", async () => {
  const page = await openPatterns();
  await at(page, "pattern-set-none").click();
  for (const [label, cells] of [["up", [[5, 1], [5, 10]]], ["flat", [[1, 5], [10, 5]]]]) {
    await stroke(page, ...cells);
    await at(page, "pattern-label").fill(label);
    await at(page, "pattern-keep").click();
  }
  await page.waitForSelector('[data-test=pattern-class][data-class="up"][data-converged="true"]');
  await stroke(page, [5, 2], [5, 9]);
  await predicts(page, "up");
  const drawn = await full(page);
  const again = await open(await fragment(page));
  await predicts(again, "up");
  assert.deepEqual(await full(again), drawn);
  assert.equal(await at(again, "pattern-thumbnail").count(), 2);
  await again.evaluate(() => { location.hash = "#tab=patterns&patterns=digits"; });
  await again.waitForFunction(() => document.querySelectorAll("[data-test=pattern-thumbnail]").length === 40);
  assert.deepEqual(await full(again), []);
});

test("a pattern is edited in its place; noise flips ten cells and can be undone", async () => {
  const page = await openPatterns();
  const count = await at(page, "pattern-thumbnail").count();
  await at(page, "pattern-thumbnail").first().click();
  assert.equal(await at(page, "pattern-label").inputValue(), "A");
  await at(page, "pattern-label").fill("B");
  await at(page, "pattern-keep").click();
  assert.equal(await at(page, "pattern-thumbnail").count(), count);
  await page.waitForSelector('[data-test=pattern-class][data-class="B"]');
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  const clean = await full(page);
  await at(page, "pattern-noise").click();
  const noisy = await full(page);
  const turned = [...clean.filter((cell) => !noisy.includes(cell)), ...noisy.filter((cell) => !clean.includes(cell))];
  assert.equal(turned.length, 10);
  await at(page, "pattern-back").click();
  assert.deepEqual(await full(page), clean);
});

test("with a kernel the engine predicts, and cells have no weights", async () => {
  const page = await openPatterns();
  await at(page, "pattern-option-kernel").selectOption("poly:2");
  await page.waitForFunction(() => document.querySelector("[data-test=pattern-learned]").textContent.includes("With a kernel"));
  assert.equal(await at(page, "pattern-weights").count(), 0);
  await stroke(page, [3, 2], [3, 10], [8, 10]);
  await predicts(page, "L");
});

test("touch draws, and a stroke from a filled cell erases", async () => {
  const page = await openPatterns("", { hasTouch: true });
  const box = await at(page, "pattern-grid").boundingBox();
  await page.touchscreen.tap(box.x + box.width / 24, box.y + box.height / 24);
  assert.deepEqual(await full(page), [0]);
  await at(page, "pattern-brush-2").check();
  await stroke(page, [0, 0], [1, 0]);
  assert.deepEqual(await full(page), []);
  await stroke(page, [4, 4]);
  assert.deepEqual(await full(page), [52, 53, 64, 65]);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong with the pattern workspace, ${colorScheme}`, async () => {
    const page = await openPatterns("&patterns=digits", { colorScheme });
    await stroke(page, [3, 1], [8, 1], [5, 10]);
    await predicts(page, "7");
    await at(page, "pattern-thumbnail").first().click();
    assert.deepEqual(await axe(page), []);
    await at(page, "pattern-set-none").click();
    assert.deepEqual(await axe(page), []);
  });
}

test("the tab opens with a pen that draws a letter, and the first stroke takes its place", async () => {
  const page = await openPatterns();
  await at(page, "pattern-status").filter({ hasText: "A pen drew this L. Draw over it." }).waitFor();
  await predicts(page, "L");
  const drawn = (await full(page)).length;
  assert.ok(drawn > 10);
  // The pen writes nothing into the link.
  assert.match(await fragment(page), /tab=patterns$/);
  await stroke(page, [2, 1], [9, 1]);
  assert.equal((await full(page)).length, 8);
  await page.done();
  const early = await openPatterns();
  await stroke(early, [2, 1], [9, 1]);
  await early.waitForTimeout(400);
  assert.equal((await full(early)).length, 8);
  await early.done();
  const still = await openPatterns("", { reducedMotion: "reduce" });
  assert.equal((await full(still)).length, drawn);
  await still.done();
  const linked = await openPatterns("&patterns=digits");
  assert.deepEqual(await full(linked), []);
  await linked.done();
});
