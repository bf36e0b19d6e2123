// Where the page leads back to: the sets and tabs before, the user's points, and the questions.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { at, close, fragment, open, settles } from "./open.mjs";

after(close);

const VIEW = { viewport: { width: 1280, height: 720 } };
const shows = (page, set) => page.waitForFunction(set => document.querySelector(`[data-test=thumb-${set}]`).getAttribute("aria-pressed") === "true", set);
const tab = (page, id) => page.waitForFunction(id => document.querySelector(`[data-test=tab-${id}]`).getAttribute("aria-selected") === "true", id);

test("Back leads to the set and the tab before, and steps are no places", async () => {
  const page = await open("#set=and", VIEW);
  await settles(page, "visits", 0);
  for (let k = 0; k < 3; k++) await at(page, "next").click();
  await settles(page, "visits", 3);
  await fragment(page);
  await at(page, "thumb-xor").click();
  await shows(page, "xor");
  await fragment(page);
  await at(page, "tab-separable").click();
  await page.locator("[data-test=separable-answer][data-answer=no]").waitFor();
  await page.goBack();
  await tab(page, "steps");
  await shows(page, "xor");
  await page.goBack();
  await shows(page, "and");
  await settles(page, "visits", 3);
  await page.goForward();
  await shows(page, "xor");
  assert.match(await fragment(page), /^#set=xor&order=given$/);
  await page.done();
});

test("a link that the page completes is one place, to which Back leads", async () => {
  const page = await open("#set=or", VIEW);
  await settles(page, "visits", 0);
  await page.evaluate(() => { location.hash = "#notes=lauer"; });
  await shows(page, "margin");
  assert.match(await fragment(page), /^#set=margin&.*notes=lauer/);
  await page.goBack();
  await shows(page, "or");
  await page.done();
});

test("“my points” shows the user's points again", async () => {
  const own = "#points=1,2,+;-1,-2,-&view=0,0,5&order=given";
  const page = await open(own, VIEW);
  await settles(page, "visits", 0);
  await at(page, "thumb-own").click();
  assert.match(await fragment(page), /points=1,2,\+;-1,-2,-/);
  await at(page, "thumb-and").click();
  await shows(page, "and");
  await at(page, "thumb-own").click();
  await shows(page, "own");
  assert.match(await fragment(page), /points=1,2,\+;-1,-2,-/);
  await page.done();
});

test("“Begin” of the questions begins them", async () => {
  const page = await open("#set=margin&tab=predict", VIEW);
  await at(page, "predict-begin").click();
  await at(page, "predict-ask").waitFor();
  assert.match(await fragment(page), /predict=varner:1$/);
  await page.done();
});

test("numbers at the end of their range leave a plane that is drawn", async () => {
  for (const link of ["#points=1e308,0,+;-1e308,0,-", "#points=0,0,+;1,1,-&start=1e308,1e308,1e308", "#points=1e-320,0,+;-1e-320,0,-", "#set=and&eta=5e-324"]) {
    const page = await open(`${link}&order=given`, VIEW);
    await settles(page, "visits", 0);
    for (let step = 1; step <= 2; step++) {
      await at(page, "next").click();
      await settles(page, "visits", step);
    }
    // A painter that fails leaves paper, or one color.
    const colors = await at(page, "plane").evaluate(async canvas => {
      for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colors > 3, `${link}: ${colors}`);
    await page.done();
  }
});
