// Stepping through runs whose numbers docs/lectures computes by hand.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "./axe.mjs";
import { at, close, drawer, expect, fragment, open, settles, value } from "./open.mjs";

after(close);

test("AND by the margin rule: 18 updates, 9 epochs, w = (3, 2), b = −4", async () => {
  const page = await open("#set=and&order=given&mistake=margin");
  await at(page, "next").click();
  await settles(page, "visits", 1);
  assert.equal(await value(page, "score"), 0);
  assert.deepEqual(await value(page, "weights-before"), [0, 0]);
  assert.deepEqual([await value(page, "weights"), await value(page, "bias"), await value(page, "threshold")], [[0, 0], -1, 1]);
  assert.match(await at(page, "status").textContent(), /Example 1: a mistake/);
  assert.match(await at(page, "bias-update").textContent(), /b ← b \+ η y = 0 \+ 1·\(−1\) = −1/);
  await at(page, "next-mistake").click();
  await settles(page, "visits", 4);
  assert.match(await at(page, "update").textContent(), /w ← w \+ η y x = \(0, 0\) \+ 1·1·\(1, 1\) = \(1, 1\)/);
  await at(page, "previous").click();
  await settles(page, "visits", 3);
  await at(page, "next-epoch").click();
  await settles(page, "visits", 4);
  await at(page, "next-epoch").click();
  await settles(page, "visits", 8);
  await at(page, "end").click();
  await settles(page, "updates", 18);
  assert.deepEqual([await value(page, "epochs"), await value(page, "weights"), await value(page, "bias")], [9, [3, 2], -4]);
  assert.equal(await value(page, "threshold"), 4);
  assert.equal(Math.floor(await value(page, "bound")), 87);
  await at(page, "reset").click();
  await settles(page, "visits", 0);
  assert.deepEqual(page.faults, []);
});

test("AND by the label rule: 11 updates, 6 epochs, w = (2, 1), b = −3", async () => {
  const page = await open("#set=and&order=given");
  await drawer(page);
  await at(page, "option-mistake").selectOption("label");
  let mistakes = 0;
  for (; !(await at(page, "status").textContent()).includes("The run ends"); mistakes++) {
    const before = await value(page, "visits");
    await at(page, "next-mistake").click();
    await page.waitForFunction(before => document.querySelector("[data-test=visits]").dataset.value !== String(before), before);
  }
  assert.equal(mistakes, 12, "eleven mistakes, and the end");
  assert.deepEqual(
    [await value(page, "updates"), await value(page, "epochs"), await value(page, "weights"), await value(page, "bias")],
    [11, 6, [2, 1], -3]);
});

test("playing continues to the end", async () => {
  const page = await open("#set=or&order=given");
  await at(page, "pace-rush").click();
  await at(page, "play").click();
  await page.waitForFunction(() => document.querySelector("[data-test=status]").textContent.includes("The run ends"));
  assert.match(await at(page, "play").textContent(), /Play/);
});

test("the page shows that XOR does not converge", async () => {
  const page = await open("#set=xor");
  await settles(page, "visits", 0);
  for (const name of ["outcome", "bound"]) assert.equal(await at(page, name).textContent(), "", `${name} before the end`);
  assert.equal(await at(page, "proof").isHidden(), true);
  await at(page, "end").click();
  await settles(page, "visits", 4000);
  assert.match(await at(page, "outcome").textContent(), /without converging, after 1000 epochs .*: the last epoch still makes 4 mistakes/);
  await at(page, "previous").click();
  await settles(page, "visits", 3999);
  assert.match(await at(page, "outcome").textContent(), /without converging/);
});

test("a link restores points, options, step and legend", async () => {
  const page = await open("#set=and&order=given&mistake=label&step=11&show=last,average,R");
  await settles(page, "visits", 11);
  await drawer(page);
  assert.equal(await at(page, "set").inputValue(), "and");
  assert.equal(await at(page, "option-mistake").inputValue(), "label");
  assert.equal(await at(page, "show-average").getAttribute("aria-pressed"), "true");
  assert.equal(await at(page, "show-w").getAttribute("aria-pressed"), "false");
  await at(page, "next").click();
  await settles(page, "visits", 12);
  const weights = await value(page, "weights");
  const again = await open(await fragment(page));
  await settles(again, "visits", 12);
  assert.deepEqual(await value(again, "weights"), weights);
  const own = await open("#points=0,0,-;1.5,-2,+&view=0,0,5&update=pa1:0.5&bias=radius&eta=1&seed=4&order=shuffle&step=2");
  await settles(own, "visits", 2);
  assert.match(await fragment(own), /points=0,0,-;1\.5,-2,\+&view=0,0,5&update=pa1:0\.5&bias=radius&order=shuffle&seed=4&eta=1&step=2/);
});

test("a page with an invalid link shows a message and works", async () => {
  const page = await open("#set=nothing&points=1,2;a,b,+;1,1,+&eta=much&step=-3&%E0%A4%A=1");
  await page.waitForSelector("[data-test=note]:not([hidden])");
  assert.match(await at(page, "note").textContent(), /could not be read/);
  const refused = await open("#set=and&update=nonsense");
  await refused.waitForSelector("[data-test=refused]:not([hidden])");
  assert.ok((await at(refused, "refused").textContent()).length > 10);
  await drawer(refused);
  await at(refused, "option-update").selectOption("perceptron");
  await settles(refused, "visits", 0);
  assert.equal(await at(refused, "refused").isHidden(), true);
  expect(refused, /status of 4/);
  expect(page, /status of 4/);
  assert.deepEqual([...page.faults, ...refused.faults], []);
});

test("the plane shows the boundary of a kernel and of a vote", async () => {
  const page = await open("#set=circles&kernel=poly:2&order=given&step=60&show=last,vote,sides");
  await settles(page, "visits", 60);
  await page.waitForFunction(() => document.querySelector("[data-test=errors-vote]").textContent);
  await at(page, "end").click();
  await at(page, "outcome").filter({ hasText: /\S/ }).waitFor();
  assert.match(await at(page, "outcome").textContent(), /converges/);
  assert.deepEqual(page.faults, []);
});

test("late in a run that does not converge a kernel's scores are numbers, and the verdicts agree", async () => {
  const page = await open("#set=blobs&n=60&draw=1&kernel=poly:2&order=given&epochs=20&step=1100");
  for (let visits = 1100; visits < 1112; visits++) {
    await settles(page, "visits", visits);
    const margin = await value(page, "margin");
    assert.equal(typeof margin, "number");
    const isMistake = await at(page, "status").getAttribute("data-mistake") === "true";
    assert.equal(isMistake, margin <= 0, `${visits}`);
    assert.match(await at(page, "margin").textContent(), isMistake ? /a mistake$/ : /correct$/);
    await at(page, "next").click();
  }
  assert.deepEqual(page.faults, []);
});

test("errors are counted by the exact signs of the scores", async () => {
  // After the first visit w = (1 + ε, 1): the score of the second point is −ε², which f64 sums round to 0.
  const page = await open("#points=1.0000000000000002,1,+;-1.0000000000000002,1.0000000000000004,+;-1,-1,-&bias=none&order=given&step=1");
  await settles(page, "visits", 1);
  await settles(page, "errors-last", 1);
});

test("errors use the option's class for a score of 0 at every step", async () => {
  // Before the first visit all four scores are 0, and three points of AND are −.
  for (const [zero, counts] of [["positive", [3, 1, 1]], ["negative", [1, 1, 1]]]) {
    const page = await open(`#set=and&order=given&zero=${zero}&show=last,pocket`);
    for (const [visits, count] of counts.entries()) {
      await settles(page, "visits", visits);
      await page.waitForSelector(`[data-test=errors-last][data-step="${visits}"][data-value="${count}"]`);
      await at(page, "next").click();
    }
    await at(page, "end").click();
    await settles(page, "updates", 18);
    await page.waitForSelector('[data-test=errors-last][data-step="36"][data-value="0"]');
    await page.waitForSelector('[data-test=errors-pocket][data-step="36"][data-value="0"]');
  }
});

test("a surface is tinted with the option's class where the score is 0", async () => {
  // By the label rule the first example is correct, so all coefficients and scores are still 0.
  const tint = async fragment => {
    const page = await open(`${fragment}&view=0,0,4&kernel=poly:2&mistake=label&order=given&step=1&show=last,sides`);
    await settles(page, "updates", 0);
    await at(page, "errors-last").filter({ hasText: "1 error" }).waitFor();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    return page.evaluate(() => {
      const canvas = document.querySelector("[data-test=plane]");
      const { data } = canvas.getContext("2d").getImageData(Math.round(0.37 * canvas.width), Math.round(0.61 * canvas.height), 1, 1);
      const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim().split(/[ ,]+/).map(Number);
      return { pixel: [...data].slice(0, 3), plus: color("--f-plus"), minus: color("--f-minus") };
    });
  };
  const positive = await tint("#points=1,0,+;0,1,-");
  const negative = await tint("#points=0,1,-;1,0,+&zero=negative");
  const towardsMinus = positive.minus.reduce((sum, minus, k) =>
    sum + (minus - positive.plus[k]) * (negative.pixel[k] - positive.pixel[k]), 0);
  assert.ok(towardsMinus > 0, JSON.stringify({ positive, negative }));
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in ${colorScheme}`, async () => {
    for (const [fragment, viewport] of [["#set=and&step=4&show=last,average,pocket,vote,R,margin,w,sides", { width: 1440, height: 900 }],
      ["#points=1,1,+;2,2,+", { width: 420, height: 900 }], ["#set=margin&update=margin:1", { width: 1440, height: 900 }]]) {
      const page = await open(fragment, { colorScheme, viewport, bypassCSP: true });
      await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
      assert.deepEqual(await axe(page), []);
    }
  });
}

for (const update of ["perceptron", "pa", "arow:1"]) {
  test(`stepping with ${update} does not move any element of the page`, async () => {
    const page = await open(`#set=margin&margin=0.2&show=last,average,pocket&update=${update}`);
    await settles(page, "visits", 0);
    const places = () => page.evaluate(() => [...document.querySelectorAll("[data-test]")]
      .filter(element => element.checkVisibility() && !element.dataset.test.startsWith("errors"))
      .map(element => `${element.dataset.test} ${Math.round(element.getBoundingClientRect().top)}`));
    await at(page, "next").click();
    await settles(page, "visits", 1);
    const before = await places();
    for (let visit = 2; visit < 30; visit++) {
      await at(page, "next").click();
      await settles(page, "visits", visit);
      assert.deepEqual(await places(), before);
    }
  });
}

test("the page shows an error while the lab does not answer, and works again afterwards", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  await drawer(page);
  await page.route("**/ask", route => route.abort());
  await at(page, "set").selectOption("or");
  await page.waitForSelector("[data-test=refused]:not([hidden])");
  assert.match(await at(page, "refused").textContent(), /does not answer.*still running/);
  assert.match(await at(page, "status").textContent(), /Training did not start/);
  await page.unroute("**/ask");
  await at(page, "set").selectOption("and");
  await settles(page, "visits", 0);
  assert.equal(await at(page, "refused").isHidden(), true);
  expect(page, /ERR_FAILED/);
});

test("a run longer than one answer is loaded in windows", async () => {
  const page = await open("#set=xor&epochs=2000&step=2999");
  await settles(page, "visits", 2999);
  assert.equal(await value(page, "epochs"), 750);
  for (const visits of [3000, 3001]) {
    await at(page, "next").click();
    await settles(page, "visits", visits);
  }
  await at(page, "end").click();
  await settles(page, "visits", 8000);
  await at(page, "reset").click();
  await settles(page, "visits", 0);
  await at(page, "next-epoch").click();
  await settles(page, "visits", 4);
});

test("a vote belongs to the points that are shown", async () => {
  const page = await open("#set=blobs&n=60&draw=1&order=given&epochs=50&show=last,vote,sides");
  // The button needs the run.
  await settles(page, "visits", 0);
  await at(page, "end").click();
  await at(page, "errors-vote").filter({ hasText: /\d/ }).waitFor();
  await drawer(page);
  await at(page, "draw").click();
  await settles(page, "visits", 3000);
  const fresh = await open(await fragment(page));
  await settles(fresh, "visits", 3000);
  await at(fresh, "errors-vote").filter({ hasText: /\d/ }).waitFor();
  const errors = await at(fresh, "errors-vote").textContent();
  await at(page, "errors-vote").filter({ hasText: errors }).waitFor();
});

test("the view's span is limited by the precision of numbers", async () => {
  for (const link of ["#points=0,0,+;1,1,-&view=1e308,1e308,1e308", "#points=1e17,1,+;1e17,2,-", "#points=1e300,1,+;-1e300,2,-"]) {
    const page = await open(link);
    await at(page, "status").filter({ hasText: /\S/ }).waitFor();
  }
  const page = await open("#points=50003,1,+;50004,2,-");
  assert.match(await fragment(page), /view=50003\.5,1\.5,/);
});

test("the outcome of a run depends on its rule", async () => {
  const outcome = async link => {
    const page = await open(link);
    await settles(page, "visits", 0);
    await at(page, "end").click();
    await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
    return at(page, "outcome").textContent();
  };
  const margin = "#points=1,0,+;-1,0,-&order=given&update=margin:1000";
  assert.match(await outcome(`${margin}&epochs=20`), /without converging, after 20 epochs and 40 updates: the last epoch still changes the weights/);
  assert.match(await outcome(`${margin}&epochs=1000`), /converges: epoch 50\d makes no update/);
  assert.match(await outcome("#points=1,0,+;-1,0,-&order=given&update=pa"), /converges: epoch \d+ makes no mistake/);
});

test("the steps of each rule have its symbol, and those of a second-order rule the precisions", async () => {
  const lines = async link => {
    const page = await open(`#points=1,2,+;-1,0,-&order=given&step=1&${link}`);
    await settles(page, "visits", 1);
    const text = {};
    for (const name of ["update", "bias-update", "precisions", "score-after"]) text[name] = await at(page, name).textContent();
    await at(page, "end").click();
    await at(page, "bounded-why").filter({ hasText: /bound|updates/ }).waitFor();
    text.bound = await at(page, "bounded-why").textContent();
    text.sentence = await at(page, "sentence").textContent();
    await page.done();
    return text;
  };
  const perceptron = await lines("update=perceptron");
  assert.equal(perceptron.update, "w ← w + η y x = (0, 0) + 1·1·(1, 2) = (1, 2)");
  assert.match(perceptron.bound, /at most \(R²\+1\)\/γ²/);
  const passive = await lines("update=pa");
  assert.match(passive.update, /^w ← w \+ τ y x = \(0, 0\) \+ 0\.16\d+·1·\(1, 2\)/);
  assert.match(passive.bound, /no bound: Novikoff's theorem does not cover passive-aggressive updates/);
  assert.match(passive.sentence, /^The last epoch made no mistake\./);
  // By hand in `tests/answers.rs`.
  const arow = await lines("update=arow:2");
  assert.equal(arow.update, "w ← w + α y x/a = (0.125, 0.25)");
  assert.equal(arow["bias-update"], "b ← 0.125, likewise with x = 1");
  assert.equal(arow.precisions, "α = 0.125, a = (1, 1, 1); a ← a + x²/r = (1.5, 3, 1.5)");
  assert.equal(perceptron.precisions, "");
  assert.equal(arow["score-after"], "s ← w·x + b = 0.125·1 + 0.25·2 + 0.125 = 0.75");
  assert.match(arow.bound, /no bound: Novikoff's theorem does not cover second-order updates/);
});
