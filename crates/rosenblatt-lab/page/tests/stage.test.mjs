// The stage: its size, its movement, the timeline, and the place of its texts.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axe } from "./axe.mjs";
import { controls, coveredByControls, cutTexts, FIELDS, fieldContrast, noteShifts, noteTexts, SETS, textsOnPoints } from "./inspect.mjs";
import { at, close, fragment, open, settles, value } from "./open.mjs";

after(close);

const box = (page, selector) => page.locator(selector).first().boundingBox();
const isInside = (inner, width, height) => inner.x >= 0 && inner.y >= 0 && inner.x + inner.width <= width + 0.5 && inner.y + inner.height <= height + 0.5;
const visits = page => value(page, "visits");

/** Waits until the run has a number of visits that fits. */
const reaches = (page, visits) => page.waitForFunction(
  visits => Number(document.querySelector("[data-test=visits]").dataset.value) >= visits, visits);

for (const [width, height, least, options] of [
  [1280, 720, 0.55], [1440, 900, 0.55], [1920, 1080, 0.55], [1024, 768, 0.55], [390, 844, 0.6, { hasTouch: true }],
  [640, 360, 0.5, { deviceScaleFactor: 2 }],
]) {
  test(`at ${width}×${height} the plane is large, and Play is on the screen with it`, async () => {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("#set=xor&step=9", { viewport: { width, height }, colorScheme, ...options });
      await settles(page, "visits", 9);
      const [plane, play] = [await box(page, "canvas.plane"), await box(page, "[data-test=play]")];
      assert.ok(plane.width * plane.height >= least * width * height, `${plane.width}×${plane.height}`);
      assert.ok(isInside(plane, width, height) && isInside(play, width, height));
      for (const name of ["sentence", "plus", "minus", "show-last", "fit", "scrubber", "next", "previous", "reset", "end"]) {
        assert.ok(isInside(await box(page, `[data-test=${name}]`), width, height), name);
      }
      assert.deepEqual(await axe(page), []);
      assert.deepEqual(page.faults, []);
    }
  });
}

test("the page opens with a moving line, without a click, and pauses after a moment", async () => {
  const page = await open("");
  const picture = () => at(page, "plane").evaluate(canvas => canvas.toDataURL());
  await reaches(page, 1);
  const first = await picture();
  await reaches(page, 5);
  assert.notEqual(await picture(), first);
  await page.waitForFunction(() => document.querySelector("[data-test=play]").textContent.includes("Play"), undefined, { timeout: 6000 });
  assert.match(await fragment(page), /^#set=margin&/);
  assert.ok(await visits(page) < await page.evaluate(() => 80), "the run goes on for a moment only");
});

test("without motion nothing moves by itself, and an update shows its end at once", async () => {
  const page = await open("", { reducedMotion: "reduce" });
  await settles(page, "visits", 0);
  await page.waitForTimeout(400);
  assert.equal(await visits(page), 0);
  const picture = () => at(page, "plane").evaluate(async canvas => {
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
    return canvas.toDataURL();
  });
  for (let k = 0; k < 2; k++) await at(page, "next").click();
  await at(page, "next-mistake").click();
  await at(page, "errors-last").filter({ hasText: /\d/ }).waitFor();
  await page.waitForTimeout(100);
  const shown = await picture();
  await page.waitForTimeout(300);
  assert.equal(await picture(), shown);
});

test("an update moves the line from its place before to its place after", async () => {
  const page = await open("#set=margin&step=1");
  await settles(page, "visits", 1);
  const picture = () => at(page, "plane").evaluate(canvas => canvas.toDataURL());
  await page.waitForTimeout(200);
  const frames = await at(page, "plane").evaluate(async canvas => {
    const pictures = new Set();
    document.querySelector("[data-test=next]").click();
    for (const end = performance.now() + 900; performance.now() < end;) {
      await new Promise(requestAnimationFrame);
      pictures.add(canvas.toDataURL());
    }
    return pictures.size;
  });
  await settles(page, "visits", 2);
  assert.equal(await at(page, "status").getAttribute("data-mistake"), "true");
  assert.ok(frames >= 4, `${frames} pictures`);
  await page.waitForTimeout(1000);
  const end = await picture();
  await page.waitForTimeout(200);
  assert.equal(await picture(), end);
});

test("no element moves while the page plays a run", async () => {
  for (const [link, viewport] of [["#set=margin&margin=0.2", { width: 1280, height: 720 }], ["#set=blobs&epochs=2&show=last,average,sides", { width: 390, height: 844 }]]) {
    const page = await open(link, { viewport });
    await settles(page, "visits", 0);
    await at(page, "end").click();
    await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
    await at(page, "reset").click();
    await settles(page, "visits", 0);
    await page.waitForTimeout(700);
    await noteShifts(page);
    await at(page, "pace-rush").click();
    await at(page, "play").click();
    await page.waitForTimeout(2500);
    await at(page, "end").click();
    await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.shift), []);
  }
});

test("the timeline shows the run: keys step, and a press goes to its visit", async () => {
  const page = await open("#set=and&order=given");
  await settles(page, "visits", 0);
  const scrubber = at(page, "scrubber");
  await scrubber.focus();
  for (const [key, visits] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["PageUp", 4], ["End", 36], ["Home", 0]]) {
    await page.keyboard.press(key);
    await settles(page, "visits", visits);
    assert.equal(await scrubber.getAttribute("aria-valuenow"), String(visits));
  }
  // The end was seen: the timeline shows all nine epochs.
  assert.equal(await scrubber.getAttribute("aria-valuemax"), "36");
  const { x, y, width, height } = await scrubber.boundingBox();
  await page.mouse.move(x + width - 2, y + height / 2);
  await page.mouse.down();
  await settles(page, "visits", 36);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await settles(page, "visits", 18);
  await page.mouse.up();
  await page.mouse.move(x + 1, y + height / 2);
  await settles(page, "visits", 18);
});

test("Space plays, arrow keys step, and Home on a slider stays with the slider", async () => {
  const page = await open("#set=margin&margin=0.2");
  await settles(page, "visits", 0);
  await page.keyboard.press("ArrowRight");
  await settles(page, "visits", 1);
  await page.keyboard.press("ArrowLeft");
  await settles(page, "visits", 0);
  await page.keyboard.press("Space");
  await reaches(page, 3);
  await page.keyboard.press("Space");
  await at(page, "play").filter({ hasText: "Play" }).waitFor();
  await at(page, "drawer-toggle").click();
  await at(page, "set-margin").focus();
  await page.keyboard.press("Home");
  assert.equal(await at(page, "set-margin").inputValue(), "0");
});

test("on a phone the products of a step are one press away", async () => {
  const page = await open("#set=and&order=given&step=4", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await settles(page, "visits", 4);
  assert.match(await page.locator(".sum").innerText(), /s = −1, y = \+1\s+w ← \(1, 1\)\s+2 updates/);
  await at(page, "to-panel").tap();
  const { y } = await at(page, "example").boundingBox();
  assert.ok(y >= 0 && y < 844 / 2, `${y}`);
});

test("the timeline does not tell the length of a run before its end was shown", async () => {
  const [short, long] = [await open("#set=and&order=given&step=2"), await open("#set=xor&order=given&step=2")];
  for (const page of [short, long]) await settles(page, "visits", 2);
  const maximum = page => at(page, "scrubber").getAttribute("aria-valuemax");
  assert.equal(await maximum(short), await maximum(long));
  for (const page of [short, long]) {
    assert.doesNotMatch(await page.locator("body").innerText(), /of \d|converge[sd]|without converging/);
  }
});

test("the sentence on the plane says what the visit found and what follows", async () => {
  const page = await open("#set=and&order=given");
  const says = async (visits, text) => {
    await settles(page, "visits", visits);
    assert.equal((await at(page, "sentence").innerText()).replace("\n", " "), text);
  };
  await says(0, "There is no line yet. Play shows how it learns.");
  const steps = ["Example 1 scores 0. So the bias changes, but w stays 0.", "Example 2 scores −1. So nothing changes.",
    "Example 3 scores −1. So nothing changes.", "Example 4 scores −1. So the first line appears.",
    "Example 1 lies on the line. So the line moves off it.", "Example 2 lies on the line. So the line turns off it."];
  for (const [k, text] of steps.entries()) {
    await at(page, "next").click();
    await says(k + 1, text);
  }
  await at(page, "end").click();
  await says(36, "The last epoch made no mistake. The run has converged.");
  const wrong = await open("#set=margin&step=10");
  await settles(wrong, "visits", 10);
  assert.equal((await at(wrong, "sentence").innerText()).replace("\n", " "), "Example 10 is on the wrong side. So the line turns past it.");
  // The distance of the example grows from 9.2/1.2 to 7.2/0.2: ‖w‖ falls more than the score.
  const farther = await open("#points=-1,0,+;9,0,-&order=given&start=1.2,0,-8&step=1");
  await settles(farther, "visits", 1);
  assert.equal((await at(farther, "sentence").innerText()).replace("\n", " "), "Example 1 is on the wrong side. So the line moves away from it.");
  const nowhere = await open("#points=0,0,+;1,1,-&order=given&bias=none&start=1,1,0&step=1");
  await settles(nowhere, "visits", 1);
  assert.equal((await at(nowhere, "sentence").innerText()).replace("\n", " "), "Example 1 lies on the line. So nothing moves.");
});

test("XOR: no verdict before the end, then one click to the proof", async () => {
  const page = await open("#set=xor");
  await settles(page, "visits", 0);
  assert.equal(await at(page, "proof").isHidden(), true);
  assert.equal(await at(page, "outcome").innerText(), "");
  await at(page, "end").click();
  await settles(page, "visits", 4000);
  await at(page, "proof").click();
  await page.waitForSelector("[data-test=separable-answer][data-answer=no]");
  assert.match(await fragment(page), /tab=separable/);
  assert.equal(await at(page, "sentence").innerText(), "No line: the two hulls meet.\nSo each epoch has a mistake.");
  await at(page, "tab-steps").click();
  assert.match(await at(page, "sentence").innerText(), /ends without converging/);
  const converged = await open("#set=and");
  await at(converged, "end").click();
  await at(converged, "outcome").filter({ hasText: /converges/ }).waitFor();
  assert.equal(await at(converged, "proof").isHidden(), true);
});

for (const [name, link, shown, plus, minus] of FIELDS) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the field of ${name} has two sides that differ, ${colorScheme}`, async () => {
      const page = await open(link, { colorScheme });
      const found = await fieldContrast(page, shown, plus, minus);
      assert.ok(found.sides >= 1.4, JSON.stringify(found));
      assert.ok(found.plus >= 3 && found.minus >= 3, JSON.stringify(found));
    });
  }
}

test("each prepared set is shown clear of the controls, and a picture of it chooses it", async () => {
  for (const viewport of [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }]) {
    const page = await open("", { viewport });
    for (const set of SETS) {
      await at(page, `thumb-${set}`).click();
      await page.waitForFunction(set => location.hash.startsWith(`#set=${set}`), set);
      assert.equal(await at(page, `thumb-${set}`).getAttribute("aria-pressed"), "true");
      const covered = await coveredByControls(page);
      assert.deepEqual(covered, [], set);
    }
    await at(page, "thumb-own").click();
    await at(page, "status").filter({ hasText: "No points yet" }).waitFor();
  }
});

test("no text on the plane covers a point of a prepared set", async () => {
  for (const [viewport, colorScheme] of [[{ width: 1280, height: 720 }, "light"], [{ width: 390, height: 844 }, "dark"]]) {
    const page = await open("", { viewport, colorScheme, reducedMotion: "reduce" });
    await noteTexts(page);
    await page.reload();
    for (const set of SETS) {
      await page.evaluate(set => { location.hash = `#set=${set}&epochs=30&show=last,average,pocket,w,R,margin,sides`; }, set);
      await page.waitForFunction(set => document.querySelector(`[data-test=thumb-${set}]`).getAttribute("aria-pressed") === "true", set);
      await settles(page, "visits", 0);
      await at(page, "end").click();
      await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
      const covering = await textsOnPoints(page);
      assert.ok(covering.count > 4, set);
      assert.deepEqual(covering.covering, [], set);
    }
  }
});

test("a point or a pair that is added in mid-run leaves the line where it is", async () => {
  const page = await open("#set=margin&margin=0.5&step=12&tab=growth", { viewport: { width: 1280, height: 720 } });
  await settles(page, "visits", 12);
  const weights = await value(page, "weights");
  assert.notDeepEqual(weights, [0, 0]);
  // The twelve visits are those of the first examples, so a later example changes no weight.
  await at(page, "margin-add").click();
  await at(page, "margin-status").filter({ hasText: /^42 examples/ }).waitFor();
  await page.waitForFunction(() => document.querySelector(".steps").getAttribute("aria-busy") === null);
  await settles(page, "visits", 12);
  assert.deepEqual(await value(page, "weights"), weights);
  const box = await at(page, "plane").boundingBox();
  await page.mouse.click(box.x + 0.75 * box.width, box.y + 0.3 * box.height);
  await at(page, "undo").waitFor();
  await page.waitForFunction(() => document.querySelector(".steps").getAttribute("aria-busy") === null);
  await settles(page, "visits", 12);
  assert.deepEqual(await value(page, "weights"), weights);
  // Another set begins at its start.
  await at(page, "thumb-and").click();
  await settles(page, "visits", 0);
  await page.done();
});

test("groups are one stop of the Tab key, and about fourteen controls are visible in each window", async () => {
  for (const options of [{ viewport: { width: 1280, height: 720 } }, { viewport: { width: 1024, height: 768 } }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
    const page = await open("#set=margin&step=12", options);
    await settles(page, "visits", 12);
    const { stops } = await controls(page);
    assert.ok(stops.length <= 16, `${stops.length}: ${stops}`);
    await page.done();
  }
  const page = await open("#set=margin&step=12", { viewport: { width: 1280, height: 720 } });
  await settles(page, "visits", 12);
  await at(page, "show-last").focus();
  for (const [key, name] of [["ArrowRight", "show-average"], ["ArrowRight", "show-pocket"], ["ArrowLeft", "show-average"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.test), name);
  }
  await settles(page, "visits", 12);
  await page.done();
});

test("in a narrow window the tabs are a menu", async () => {
  const page = await open("#set=xor", { viewport: { width: 390, height: 844 }, hasTouch: true });
  await at(page, "tab-menu").selectOption("separable");
  await at(page, "separable-answer").waitFor();
  assert.match(await fragment(page), /tab=separable/);
  assert.deepEqual(await cutTexts(page), []);
  await page.done();
});
