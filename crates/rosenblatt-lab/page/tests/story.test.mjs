// The story: each scene by its link, in each window; its ways forward and back; and its sentences against the engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { axe } from "./axe.mjs";
import { cutTexts } from "./inspect.mjs";
import { instantiate } from "./module.mjs";
import { at, close, fragment, open, settles, value } from "./open.mjs";

after(close);

const PAGE = fileURLToPath(new URL("../", import.meta.url));
const built = await build({ entryPoints: [`${PAGE}src/story/scenes.ts`], bundle: true, write: false, format: "esm" });
const { SCENES } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
const module = instantiate(readFileSync(`${PAGE}dist/engine.wasm`));

/** The engine's answer to a question. */
async function ask(question) {
  const answer = (await module)(JSON.stringify(question));
  assert.match(answer, /^200 /);
  return JSON.parse(answer.slice(4));
}

const WINDOWS = [["wide", { width: 1280, height: 720 }], ["phone", { width: 390, height: 844 }]];
const scene = number => page => page.waitForFunction(
  ([number, title]) => document.documentElement.dataset.story === String(number) && document.querySelector("h1:not([hidden])[data-test=story-title]").textContent === title,
  [number, SCENES[number - 1].title]);
const shows = (page, number) => scene(number)(page);
/** Shows a scene of the same page by its link. */
async function goTo(page, number) {
  await page.evaluate(number => { location.hash = `#story=${number}`; }, number);
  await shows(page, number);
}

/** Waits until the words of a scene are there. */
const told = page => page.waitForFunction(() => document.querySelector("[data-test=story-now]").childElementCount > 0
  || document.querySelector("[data-test=question] button"));

for (const [name, viewport] of WINDOWS) for (const colorScheme of ["light", "dark"]) {
  test(`each scene opens by its link, whole and accessible: ${name}, ${colorScheme}`, async () => {
    for (let number = 1; number <= SCENES.length; number++) {
      const page = await open(`#story=${number}`, { viewport, colorScheme, hasTouch: name === "phone" });
      await shows(page, number);
      await told(page);
      if (number === 6) await page.locator(".chart").waitFor();
      assert.equal(await fragment(page), `#story=${number}`);
      for (const selector of ["canvas.plane", "[data-test=story-title]", "[data-test=story-now]", "[data-test=story-free]", "[data-test=story-back]",
        ...number < SCENES.length ? ["[data-test=story-next]"] : [], ...number === 2 ? ["[data-test=dial-b]"] : [], ...number === 6 ? [".chart", ".weight-walk svg"] : []]) {
        const { x, y, width, height } = await page.locator(selector).last().boundingBox();
        assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width + 0.5 && y + height <= viewport.height + 0.5, `${number}: ${selector} ${x} ${y} ${width} ${height}`);
      }
      const hidden = await page.evaluate(() => ["body", ".story", ".side"].filter(name => {
        const { scrollHeight, clientHeight } = document.querySelector(name);
        return scrollHeight > clientHeight + 1;
      }));
      assert.deepEqual(hidden, [], `scene ${number} needs no scrolling`);
      assert.deepEqual(await cutTexts(page), [], `scene ${number}`);
      assert.deepEqual(await axe(page), [], `scene ${number}`);
      await page.done();
    }
  });
}

test("Space, arrows, buttons, dots, the wheel and the browser's Back lead through the scenes", async () => {
  const page = await open("#story=1", { viewport: WINDOWS[0][1] });
  await shows(page, 1);
  for (const [key, number] of [["Space", 2], ["ArrowRight", 3], ["ArrowLeft", 2], ["PageDown", 3], ["PageUp", 2]]) {
    await page.keyboard.press(key);
    await shows(page, number);
  }
  await at(page, "story-next").click();
  await shows(page, 3);
  // The focus is on the button now, which Space presses; the arrows are still free.
  await page.keyboard.press("Space");
  await shows(page, 4);
  await page.keyboard.press("ArrowLeft");
  await shows(page, 3);
  await page.keyboard.press("ArrowRight");
  await shows(page, 4);
  await at(page, "story-back").click();
  await shows(page, 3);
  await page.locator(".dots a").nth(6).click();
  await shows(page, 7);
  await page.goBack();
  await shows(page, 3);
  await page.mouse.move(200, 300);
  // One movement of the wheel, whose events follow each other, is one scene.
  await page.evaluate(() => {
    for (let k = 0; k < 12; k++) document.body.dispatchEvent(new WheelEvent("wheel", { deltaY: 40, bubbles: true }));
  });
  await shows(page, 4);
  await page.keyboard.press("ArrowRight");
  await shows(page, 5);
  await page.done();
});

test("on a phone swipes turn the scenes, and a tap on a plane with nothing to touch goes on", async () => {
  const page = await open("#story=5", { viewport: WINDOWS[1][1], hasTouch: true });
  await shows(page, 5);
  const swipe = (dx, dy) => page.locator(".story").evaluate((story, [dx, dy]) => {
    const touch = (x, y) => new Touch({ identifier: 1, target: story, clientX: 200 + x, clientY: 500 + y });
    story.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(0, 0)], changedTouches: [touch(0, 0)], bubbles: true }));
    story.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(dx, dy)], bubbles: true }));
  }, [dx, dy]);
  await swipe(-120, 10);
  await shows(page, 6);
  await swipe(90, 0);
  await shows(page, 5);
  await swipe(5, -90);
  await shows(page, 6);
  await page.touchscreen.tap(195, 100);
  await shows(page, 7);
  await page.done();
});

test("the story changes no points: presses and keys on the plane edit nothing", async () => {
  const page = await open("#story=1", { viewport: WINDOWS[0][1] });
  await told(page);
  const { x, y, width, height } = await at(page, "plane").boundingBox();
  await page.mouse.click(x + 0.2 * width, y + 0.9 * height);
  await page.mouse.click(x + 0.2 * width, y + 0.9 * height, { button: "right" });
  await page.keyboard.press("Delete");
  await at(page, "story-free").click();
  await page.waitForFunction(() => !document.documentElement.dataset.story);
  assert.match(await fragment(page), /^#set=margin&n=26&draw=149&margin=0.4&order=given&tab=guess&guess=1,-0.3,0$/);
  await page.done();
});

test("“play with it” shows the same state in the lab, and Back returns to the scene", async () => {
  for (let number = 1; number <= SCENES.length; number++) {
    const page = await open(`#story=${number}`, { viewport: WINDOWS[0][1], reducedMotion: "reduce" });
    await told(page);
    if (number === 3) {
      await settles(page, "visits", 13);
      await at(page, "story-button-1").click();
      await page.waitForFunction(() => document.querySelector("[data-test=visits]").dataset.value > "13");
    }
    if (number === 5 || number === 8) await page.waitForFunction(() => document.querySelector("[data-test=outcome]").textContent !== "");
    const state = () => page.evaluate(() => ["visits", "updates", "weights", "bias"].map(name => document.querySelector(`[data-test=${name}]`).dataset.value));
    const before = await state();
    await at(page, "story-free").click();
    await page.waitForFunction(() => !document.documentElement.dataset.story && !document.querySelector("[aria-busy=true]"));
    await settles(page, "visits", JSON.parse(before[0]));
    assert.deepEqual(await state(), before, `scene ${number}`);
    const link = new URLSearchParams((await fragment(page)).slice(1));
    const wanted = new URLSearchParams(SCENES[number - 1].state.slice(1));
    for (const name of ["set", "n", "draw", "margin", "tab", "guess", "show"]) assert.equal(link.get(name), wanted.get(name), `scene ${number}: ${name}`);
    assert.ok(await at(page, "play").isVisible());
    await page.goBack();
    await shows(page, number);
    await page.done();
  }
});

test("a visitor without a link is offered the story in one line, and a wrong scene is said", async () => {
  const page = await open("", { viewport: WINDOWS[0][1] });
  assert.equal(await at(page, "invite").isVisible(), true);
  assert.ok((await at(page, "invite").boundingBox()).height < 40);
  await at(page, "invite").click();
  await shows(page, 1);
  await page.goBack();
  await page.waitForFunction(() => !document.documentElement.dataset.story);
  assert.equal(await at(page, "invite").isVisible(), false);
  await page.done();
  const linked = await open("#set=and");
  assert.equal(await at(linked, "invite").isVisible(), false);
  await linked.done();
  for (const number of ["0", "9", "1.5", "x"]) {
    const wrong = await open(`#story=${number}`);
    await at(wrong, "note").filter({ hasText: `the story has the scenes 1 to ${SCENES.length}, and not ${number}` }).waitFor();
    await settles(wrong, "visits", 0);
    await wrong.done();
  }
});

test("a scene of lines: the drag, the dials and the formula are one line, and the next scene keeps it", async () => {
  const page = await open("#story=1", { viewport: WINDOWS[0][1] });
  await at(page, "story-now").filter({ hasText: "Your line makes 7 errors." }).waitFor();
  await at(page, "guess-swap").click();
  await at(page, "story-now").filter({ hasText: "Your line makes 19 errors." }).waitFor();
  await at(page, "guess-swap").click();
  await page.keyboard.press("ArrowRight");
  await shows(page, 2);
  // The arrows of a dial turn it.
  await at(page, "dial-w1").press("ArrowRight");
  await shows(page, 2);
  const turn = (name, to) => at(page, `dial-${name}`).evaluate((dial, to) => { dial.value = to; dial.dispatchEvent(new Event("input")); }, to);
  await turn("w1", "0.25");
  await turn("w2", "-1");
  await turn("b", "0.5");
  await at(page, "story-now").filter({ hasText: "s = 0.25 x₁ − 1 x₂ + 0.5" }).waitFor();
  assert.equal(await at(page, "guess-w2").inputValue(), "-1");
  await at(page, "story-now").filter({ hasText: "Your line separates the classes." }).waitFor();
  await at(page, "story-back").click();
  await shows(page, 1);
  await at(page, "story-now").filter({ hasText: "Your line separates the classes." }).waitFor();
  await page.done();
});

test("each question has one point on the wrong side, which moves the line next", async () => {
  const page = await open("#story=4", { viewport: WINDOWS[0][1], reducedMotion: "reduce" });
  const { points, run } = await storyRun();
  let asked = 0;
  for (let step = 13; ; asked++) {
    await page.waitForFunction(() => document.querySelector("[data-test=question] button:not(:disabled)") || /None/.test(document.querySelector("[data-test=question]").textContent));
    if (/None/.test(await at(page, "question").innerText())) break;
    const choices = await page.locator("[data-test^=answer-]").evaluateAll(all => all.map(({ dataset }) => Number(dataset.point)));
    const [a, b, c] = run.trace.last[step];
    const wrong = choices.filter(k => points.signs[k] * (a * points.rows[k][0] + b * points.rows[k][1] + c) <= 0);
    const next = run.trace.mistakes.indexOf(true, step);
    assert.equal(choices.length, 4);
    assert.deepEqual(wrong, [run.trace.examples[next]]);
    // Once by a wrong answer, then by the right ones, the first of them on the plane.
    const chosen = asked === 0 ? choices.find(k => k !== wrong[0]) : wrong[0];
    await page.locator(`[data-point="${chosen}"]`).click();
    await at(page, "question-said").filter({ hasText: asked === 0 ? /^No: [A-D] is on its right side\. [A-D] moves it\.$/ : /^Yes, [A-D]\.$/ }).waitFor();
    await settles(page, "visits", next + 1);
    await at(page, "story-now").filter({ hasText: `Example ${run.trace.examples[next] + 1} is on the wrong side.` }).waitFor();
    step = next + 1;
    await at(page, "ask-again").click();
  }
  assert.ok(asked >= 4, `${asked}`);
  await page.done();
});

/** The points of the first six scenes and their run. */
async function storyRun() {
  const page = await open(SCENES[4].state, { viewport: WINDOWS[0][1] });
  const points = await page.evaluate(() => new Promise(done => {
    const { fetch } = window;
    window.fetch = (path, init) => { done(JSON.parse(init.body).train?.points); return fetch(path, init); };
    document.querySelector("[data-test=end]").click();
    document.querySelector("[data-test=option-mistake]").value = "label";
    document.querySelector("[data-test=option-mistake]").dispatchEvent(new Event("change"));
  }));
  await page.done();
  return { points, run: await ask({ train: { points, options: { order: "given", keep: "last" }, window: { from: 0, count: 5000 } } }) };
}

test("the steps of the scenes are what they say: an update, the start of the last epoch, and the end", async () => {
  const { points, run } = await storyRun();
  const step = number => Number(new URLSearchParams(SCENES[number - 1].state.slice(1)).get("step"));
  assert.equal(run.report.converged, true);
  assert.ok(run.trace.mistakes[step(3)] && run.trace.mistakes[step(4) - 1]);
  assert.equal(step(5), run.visits - points.rows.length);
  assert.ok(run.trace.mistakes.slice(0, step(5)).some((mistake, k) => mistake && k >= step(5) - points.rows.length), "the epoch before has a mistake");
  assert.equal(step(6), run.visits);
});

test("the sentences of a scene hold in every step of drawn runs", async () => {
  let state = 43;
  const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const whole = most => Math.floor(draw() * (2 * most + 1)) - most;
  const seen = { sums: 0, clean: 0 };
  for (let set = 0; set < 60; set++) {
    const rows = Array.from({ length: 3 + (set % 8) }, () => (set % 2 ? [whole(6), whole(6)] : [whole(40000) / 1000, whole(40000) / 1000]));
    const signs = rows.map((_, k) => (k === 0 ? 1 : k === 1 ? -1 : draw() < 0.5 ? 1 : -1));
    const { trace, report, last } = await ask({ train: { points: { rows, signs }, options: { order: "given", keep: "last", epochs: 12 }, window: { from: 0, count: 5000 } } });
    trace.examples.forEach((example, k) => {
      const [before, after] = [trace.last[k], trace.last[k + 1]];
      const [row, sign] = [rows[example], signs[example]];
      const visit = { example, row, sign, score: trace.scores[k], scoreAfter: trace.scores_after[k], mistake: trace.mistakes[k], stepSize: trace.steps[k], before };
      if (!visit.mistake) return assert.deepEqual(after, before, "a point on its right side changes nothing");
      // Scene 3: the score moves by ‖x‖² + 1 towards its side, and the sum is the one of the weights.
      const moved = sign * (visit.scoreAfter - visit.score);
      assert.ok(Math.abs(moved - (row[0] ** 2 + row[1] ** 2 + 1)) <= 1e-9 * (1 + Math.abs(visit.score) + moved), `${moved}`);
      const shown = { step: { step: k + 1, visit, last: after }, statement: { cause: "", effect: "", mistake: true } };
      const said = SCENES[2].now(shown).at(-1).replaceAll("−", "-").replaceAll("\u00a0", " ");
      const [, v1, v2, by, x1, x2, w1, w2] = /^w ← \((.+), (.+)\) ([+-]) \((.+), (.+)\) = \((.+), (.+)\)$/.exec(said).map(part => (part === "+" ? 1 : part === "-" ? -1 : Number(part)));
      assert.ok(Math.abs(v1 + by * x1 - w1) < 1e-9 && Math.abs(v2 + by * x2 - w2) < 1e-9, said);
      assert.equal(by, sign);
      seen.sums++;
    });
    if (!report.converged) continue;
    // Scene 5: one more epoch from the last weights changes nothing.
    const more = await ask({ train: { points: { rows, signs }, options: { order: "given", keep: "last", epochs: 3 }, start: last } });
    assert.deepEqual([more.last, more.report.updates], [last, 0]);
    // Scene 6: no run from 0 makes more updates than R²/γ² allows, for vectors with the bias.
    const { margin, bound } = await ask({ separable: { points: { rows, signs } } });
    const square = Math.max(...rows.map(([x, y]) => x * x + y * y + 1));
    assert.ok(report.updates <= bound * (1 + 1e-9) && bound <= (square / margin.lower ** 2) * (1 + 1e-9));
    seen.clean++;
  }
  assert.ok(seen.sums > 400 && seen.clean > 10, JSON.stringify(seen));
});

test("the last scene tells the errors of the weights after the visits that it names", async () => {
  const page = await open("#story=8", { viewport: WINDOWS[0][1] });
  const said = at(page, "story-now").filter({ hasText: /After .* visits: last weights \d+ errors?, average \d+ errors?\./ });
  await said.waitFor();
  const text = (await said.innerText()).replaceAll(/\u202f/g, "");
  const [, visits, last, average] = /After (\d+) visits: last weights (\d+) errors?, average (\d+)/.exec(text).map(Number);
  await at(page, "story-button-1").click();
  await at(page, "story-now").filter({ hasText: /pocket \d+ error/ }).waitFor();
  await at(page, "story-button-2").click();
  await page.waitForFunction(() => document.querySelector("[data-test=update]").textContent !== "" && document.querySelector("table.weights").hidden);
  await page.done();
  const cloud = await open(`#set=blobs&n=60&draw=1&order=given&show=last,average&step=${visits}`);
  await settles(cloud, "visits", visits);
  for (const [name, errors] of [["last", last], ["average", average]]) {
    await cloud.waitForFunction(([name, visits]) => document.querySelector(`[data-test=errors-${name}]`).dataset.step === String(visits), [name, visits]);
    assert.equal(await value(cloud, `errors-${name}`), errors, name);
  }
  await cloud.done();
});

test("on a phone an answer moves nothing", async () => {
  const page = await open("#story=4", { viewport: WINDOWS[1][1], hasTouch: true, reducedMotion: "reduce" });
  await told(page);
  const { height } = await at(page, "plane").boundingBox();
  await at(page, "answer-A").tap();
  await at(page, "ask-again").waitFor();
  await at(page, "story-now").filter({ hasText: /wrong side/ }).waitFor();
  assert.equal((await at(page, "plane").boundingBox()).height, height);
  await page.done();
});

test("without motion the scenes show where their movements end", async () => {
  const page = await open("#story=5", { viewport: WINDOWS[0][1], reducedMotion: "reduce" });
  await at(page, "story-now").filter({ hasText: "The last epoch made no mistake." }).waitFor();
  assert.equal(await value(page, "visits"), 130);
  await goTo(page, 8);
  await at(page, "story-now").filter({ hasText: /^After 60.?000 visits/ }).waitFor();
  await page.done();
});
