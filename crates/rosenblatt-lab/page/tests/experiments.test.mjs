// The panels of the experiments.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "./axe.mjs";
import { at, close, open, screen, value } from "./open.mjs";

after(close);

const words = async (page, name) => (await at(page, name).innerText()).replaceAll(/\s+/g, " ");
const answered = (page, answer) => page.waitForSelector(`[data-test=separable-answer][data-answer=${answer}]`);
const numbers = (page, name, key) => at(page, name).evaluateAll((all, key) => all.map((each) => Number(each.dataset[key])), key);

test("XOR has a proof that it cannot converge", async () => {
  const page = await open("#set=xor&tab=separable");
  await answered(page, "no");
  assert.equal(await words(page, "separable-answer"), "No, it cannot converge.");
  assert.match(await words(page, "separable-reason"), /These 4 points prove it: Σ λᵢ yᵢ \(xᵢ, 1\) = 0/);
  const rows = await at(page, "certificate").locator("tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split("\t")), [["1", "(0, 0)", "−1", "1", "50%"], ["2", "(0, 1)", "+1", "1", "50%"],
    ["3", "(1, 0)", "+1", "1", "50%"], ["4", "(1, 1)", "−1", "1", "50%"]]);
  assert.match(await words(page, "separable"), /the segment of \+ and the segment of − meet at \(0\.5, 0\.5\)/);
  assert.match(await words(page, "separable-verified"), /Verified exactly/);
  assert.deepEqual(page.faults, []);
});

test("the answer follows the points", async () => {
  const page = await open("#points=0,0,-;0,1,+;1,0,+&view=0,0,5&tab=separable");
  await answered(page, "yes");
  assert.ok(await at(page, "separable-facts").getAttribute("data-bound"));
  await at(page, "minus").check();
  await page.mouse.click(...await screen(page, 1, 1));
  await answered(page, "no");
  await page.waitForSelector("[data-test=least-errors]");
  await page.keyboard.press("Control+z");
  await answered(page, "yes");
  assert.equal(await words(page, "distance"), "");
});

test("inseparable points overlap or touch, and the best line's errors are bracketed", async () => {
  const xor = await open("#set=xor&tab=separable");
  await answered(xor, "no");
  await xor.waitForSelector("[data-test=weak][data-answer=overlap]");
  assert.equal(await words(xor, "least-errors"), "The best line makes 1 error.");
  // −, + and − on the line x = 1, with a − on its left and a + on its right.
  const touching = await open("#points=1,0,-;1,1,+;1,2,-;0,0,-;2,0,+&view=1,1,4&tab=separable");
  await answered(touching, "no");
  await touching.waitForSelector("[data-test=weak][data-answer=quasi-complete]");
  assert.match(await words(touching, "weak"), /a line has no point on its wrong side, but 3 points on it/);
  assert.equal(await words(touching, "least-errors"), "The best line makes 1 error.");
  const pairs = await open("#points=0,0,+;0,0,-;1,1,+;1,1,-&tab=separable");
  await pairs.waitForSelector("[data-test=least-errors]");
  assert.equal(await words(pairs, "least-errors"), "The best line makes 2 errors.");
  for (const page of [xor, touching, pairs]) assert.deepEqual(page.faults, []);
  const origin = await open("#points=0,1,+;0,-1,+;1,0,-;-1,0,-&bias=none&tab=separable");
  await origin.waitForSelector("[data-test=weak]");
  assert.match(await words(origin, "distance"), /line through the origin/);
});

test("the answer names equal points with different signs, a single class, and the origin without a bias", async () => {
  const contradiction = await open("#points=1,2,+;1,2,-&tab=separable");
  await answered(contradiction, "no");
  assert.match(await words(contradiction, "separable-reason"), /Points 1 and 2 have the same coordinates \(1, 2\)/);
  const alone = await open("#points=1,2,+;2,2,+&tab=separable");
  await answered(alone, "yes");
  assert.match(await words(alone, "separable"), /only one class/);
  const origin = await open("#points=0,0,-;0,1,+;1,0,+&bias=none&tab=separable");
  await answered(origin, "no");
  assert.match(await words(origin, "separable"), /lies at the origin.*With a bias it could/);
});

test("by the label and without a bias, a run may end although no line separates: the answer is that of its run", async () => {
  const cases = [
    // The point at the origin is a mistake for all weights, or for none.
    ["0,0,-;0,1,+;1,0,+&zero=positive", "No, it cannot converge.", /This point proves it/],
    ["0,0,-;0,1,+;1,0,+&zero=negative", "Yes, it converges in every order.", /lie at the origin/],
    ["1,0,+;-1,0,+;0,1,-&zero=positive", "Yes, from zero it converges in every order.", /other points are at right angles to these/],
    ["1,0,+;-1,0,+;0,1,-&zero=positive&start=1,0,0", "It depends on the order.", /on the start/],
    ["-1,-1,+;1,0,-;1,1,+&zero=positive", "It depends on the order.", /exactly at right angles/],
    ["1,0,+;-1,0,+;0,1,-&zero=negative", "No, it cannot converge.", /positive for the \+ points/],
  ];
  for (const [points, verdict, reason] of cases) {
    const page = await open(`#points=${points}&bias=none&mistake=label&order=given&tab=separable`);
    await answered(page, "no");
    assert.equal(await words(page, "separable-answer"), verdict, points);
    assert.match(await words(page, "separable-reason"), reason, points);
    assert.equal((await words(page, "separable")).includes("With a bias it could"), verdict.startsWith("No"), points);
    await page.waitForSelector("[data-test=least-errors]");
    assert.match(await words(page, "least-errors"), /where a point on it counts as one/);
    assert.deepEqual(page.faults, []);
  }
});

test("the plane shows the proof while its tab is open", async () => {
  const page = await open("#set=xor&tab=separable");
  await answered(page, "no");
  const drawn = () => at(page, "plane").evaluate(async (canvas) => {
    // A change is drawn with the next frame.
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
    return canvas.toDataURL();
  });
  const proof = await drawn();
  await at(page, "separable-draw").uncheck();
  const plain = await drawn();
  assert.notEqual(plain, proof);
  await at(page, "separable-draw").check();
  assert.equal(await drawn(), proof);
  await at(page, "tab-steps").click();
  assert.notEqual(await drawn(), proof);
});

test("weight space shows the walk of w, and at the end the separators and the proof", async () => {
  const page = await open("#set=and&order=given&step=4&tab=weights");
  await page.waitForSelector('[data-test=weight-walk][data-updates="2"]');
  assert.match(await words(page, "weights-status"), /end of the run/);
  assert.equal(await at(page, "separators").count(), 0);
  await at(page, "end").click();
  await at(page, "proof-numbers").waitFor();
  assert.equal(await at(page, "weight-walk").getAttribute("data-updates"), "18");
  assert.equal(await at(page, "separators").count(), 1);
  assert.equal(await at(page, "separators-margin").count(), 3);
  assert.match(await page.locator(".weight-walk p").textContent(), /three quarters of the greatest margin in the plane, which are fewer\./);
  const values = (await at(page, "proof-numbers").locator("td").allInnerTexts()).map(Number);
  // k·γ ≤ w*·w ≤ ‖w‖ ≤ √k·R for k = 18, γ = 1/√17, (w, b) = (3, 2, −4) and R² = 2 + 1.
  const expected = [18 / 17 ** 0.5, (2 * 3 + 2 * 2 + 3 * 4) / 17 ** 0.5, 29 ** 0.5, 54 ** 0.5];
  values.forEach((value, k) => assert.ok(Math.abs(value - expected[k]) < 0.001, `${values}`));
  assert.ok(values.every((value, k) => k === 0 || values[k - 1] <= value + 0.001), `${values}`);
  assert.deepEqual(await axe(page), []);
  for (const [link, reason] of [["#set=and&update=pa", /perceptron rule/], ["#set=and&bias=unit:0.5", /without a bias/], ["#set=xor&epochs=5", /no γ/], ["#set=and&kernel=poly:2", /kernel/]]) {
    const other = await open(`${link}&order=given&tab=weights`);
    // The steps are there.
    await value(other, "updates");
    await at(other, "end").click();
    await at(other, "weights-status").filter({ hasText: reason }).waitFor();
  }
  assert.deepEqual(page.faults, []);
});

test("the proof with steps of R² has the bounds k·γ and 2√k·R", async () => {
  const page = await open("#set=and&order=given&bias=radius&eta=2&tab=weights");
  await at(page, "end").click();
  await at(page, "proof-numbers").waitFor();
  const [[w1, w2], b, k] = [await value(page, "weights"), await value(page, "bias"), await value(page, "updates")];
  // R² = 2, γ = 1/√8 and w* = (1, 1)/√2 with the bias −3/√8; the weights are divided by η = 2.
  const expected = [k / 8 ** 0.5, (w1 + w2 - 0.75 * b) / 8 ** 0.5, Math.hypot(w1, w2, b / 2 ** 0.5) / 2 ** 0.5, 8 ** 0.5 * k ** 0.5];
  const values = (await at(page, "proof-numbers").locator("td").allInnerTexts()).map(Number);
  values.forEach((value, place) => assert.ok(Math.abs(value - expected[place]) < 0.001 * expected[place], `${values} ${expected}`));
  assert.ok(values.every((value, place) => place === 0 || values[place - 1] <= value), `${values}`);
  assert.match(await at(page, "proof-numbers").locator("xpath=../following-sibling::p").textContent(), /2√k·R, so the curves meet: k ≤ \(2R\/γ\)² = 64\. /);
  await page.done();
});

test("a pair inside the margin raises the bound, and no dot is above it", async () => {
  const page = await open("#set=margin&tab=growth");
  await page.waitForSelector("[data-test=margin-dot]");
  const free = () => page.waitForSelector("[data-test=margin-add][aria-disabled=false]");
  for (let count = 2; count <= 3; count++) {
    await at(page, "margin-add").click();
    await page.waitForFunction((count) => document.querySelectorAll("[data-test=margin-dot]").length === count, count);
    await free();
  }
  const [bounds, updates] = [await numbers(page, "margin-dot", "bound"), await numbers(page, "margin-dot", "updates")];
  assert.equal(bounds.length, 3);
  bounds.slice(1).forEach((bound, k) => assert.ok(bound > 1.5 * bounds[k], `${bounds}`));
  bounds.forEach((bound, k) => assert.ok(updates[k] <= bound));
  assert.equal(await at(page, "margin-table").locator("tbody tr").count(), 3);
  const columns = await at(page, "margin-table").locator("thead th").allInnerTexts();
  assert.deepEqual(columns, ["examples", "γ", "R", "bound", "updates", "epochs"]);
  await at(page, "margin-clear").click();
  assert.equal(await at(page, "margin-dot").count(), 0);
  assert.deepEqual(page.faults, []);
});

for (const bias of ["unit", "none", "radius"]) {
  test(`the bound rises with bias ${bias}`, async () => {
    const page = await open(`#points=2,1,+;1,2,+;-1,-2,-;-2,-1,-&bias=${bias}&tab=growth`);
    await page.waitForSelector("[data-test=margin-dot]");
    await at(page, "margin-add").click();
    await page.waitForFunction(() => document.querySelectorAll("[data-test=margin-dot]").length === 2);
    const [before, after] = await numbers(page, "margin-dot", "bound");
    assert.ok(after > 1.5 * before, `${before} ${after}`);
  });
}

test("eight pairs are added in a row; inseparable points give a reason instead of a dot", async () => {
  const page = await open("#set=margin&tab=growth");
  await page.waitForSelector("[data-test=margin-dot]");
  await at(page, "margin-add-many").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-test=margin-dot]").length === 9, undefined, { timeout: 30_000 });
  const xor = await open("#set=xor&tab=growth");
  await xor.waitForFunction(() => document.querySelector("[data-test=margin-status]").textContent.includes("No line separates"));
  await at(xor, "margin-add").click();
  await xor.waitForFunction(() => document.querySelector("[data-test=margin-status]").textContent.includes("no margin"));
  assert.equal(await at(xor, "margin-dot").count(), 0);
});

test("the histogram counts the runs that converged", async () => {
  const page = await open("#set=margin&tab=orders");
  await at(page, "orders-run").click();
  await page.waitForSelector("[data-test=histogram]");
  const counts = await numbers(page, "histogram-bar", "count");
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 200);
  assert.match(await words(page, "orders-words"), /200 random orders\. All of them converged\..*shuffles anyway/);
  for (const mark of ["min", "max", "median", "mean"]) assert.equal(await at(page, `mark-${mark}`).count(), 1);
  await at(page, "histogram-bar").first().hover({ force: true });
  assert.match(await words(page, "orders-readout"), /updates: \d+ runs?/);

  await page.keyboard.press("Control+z");
  await at(page, "minus").check();
  await page.mouse.click(...await screen(page, 4.5, 4.5));
  await page.waitForSelector("[data-test=orders][data-outdated=true]");
  assert.match(await words(page, "orders-status"), /changed since/);
  assert.deepEqual(await axe(page), []);
});

test("the margin of each run and its errors on new points are in a chart, if the set has new points", async () => {
  const page = await open("#set=margin&tab=orders");
  await at(page, "orders-runs").fill("60");
  await at(page, "orders-run").click();
  await at(page, "margin-errors-dot").first().waitFor();
  const [margins, errors] = [await numbers(page, "margin-errors-dot", "margin"), await numbers(page, "margin-errors-dot", "errors")];
  assert.equal(margins.length, 60);
  const share = (some) => Number(((100 * some.reduce((sum, count) => sum + count, 0)) / some.length / 2000).toPrecision(2));
  assert.ok(margins.every((margin, k) => margin > 0 && (k === 0 || margins[k - 1] <= margin)));
  const [small, large] = [share(errors.slice(0, 30)), share(errors.slice(30))];
  assert.ok(large < small);
  const text = await words(page, "margin-errors-words");
  assert.ok(text.includes(`smaller margins errs in ${small}%, the other half in ${large}%.`), `${text} ${small} ${large}`);
  assert.deepEqual(await axe(page), []);
  await page.done();
  const gate = await open("#set=and&tab=orders");
  await at(gate, "orders-run").click();
  await at(gate, "margin-errors-words").filter({ hasText: "Of a random set" }).waitFor();
  assert.equal(await at(gate, "margin-errors-dot").count(), 0);
  await gate.done();
});

test("orders that cannot converge have a message and no histogram", async () => {
  const page = await open("#set=xor&epochs=20&tab=orders");
  await at(page, "orders-runs").fill("20");
  await at(page, "orders-run").click();
  await page.waitForFunction(() => document.querySelector("[data-test=orders-words]").textContent.includes("None converged"));
  assert.match(await words(page, "orders-words"), /No line is right on all points, so no run can converge/);
  assert.equal(await at(page, "histogram").count(), 0);
});

test("from zero the learning rate changes no count", async () => {
  const page = await open("#set=margin&tab=rates");
  await at(page, "rates-run").click();
  await page.waitForSelector("[data-test=rate-dot]");
  const zero = await numbers(page, 'rate-dot"][data-start="zero', "updates");
  assert.equal(zero.length, 7);
  assert.equal(new Set(zero).size, 1);
  const random = await numbers(page, 'rate-dot"][data-start="random', "updates");
  assert.ok(new Set(random).size > 1, `${random}`);
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing wrong with the experiments, ${colorScheme}`, async () => {
    const page = await open("#set=xor&tab=separable", { colorScheme });
    await answered(page, "no");
    assert.deepEqual(await axe(page), []);
    const separable = await open("#set=margin&tab=separable", { colorScheme });
    await answered(separable, "yes");
    assert.deepEqual(await axe(separable), []);
    for (const [tab, button, result] of [["growth", "margin-add", "margin-dot"], ["orders", "orders-run", "histogram"], ["rates", "rates-run", "rate-dot"]]) {
      await at(separable, `tab-${tab}`).click();
      await at(separable, button).click();
      await separable.waitForSelector(`[data-test=${result}]`);
      assert.deepEqual(await axe(separable), [], tab);
    }
  });
}

test("with the margin rule the learning rate changes the counts, and the page explains why", async () => {
  const page = await open("#set=and&order=given&update=margin:1&tab=rates");
  await at(page, "rates-run").click();
  await at(page, "rates-words").filter({ hasText: "M/η" }).waitFor();
  await page.evaluate(() => { location.hash = "#set=xor&order=given&kernel=poly:2&tab=rates"; });
  await page.waitForSelector('[data-test=rates][data-outdated="true"]');
  await at(page, "rates-run").click();
  await at(page, "rates-words").filter({ hasText: "can only start at zero" }).waitFor();
});
