// Editing points by mouse, touch and keyboard.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { at, close, drawer, linked, open, screen, settles } from "./open.mjs";

after(close);

async function click(page, x, y, options) {
  await page.mouse.click(...await screen(page, x, y), options);
}

/** Waits until the link has these points. */
async function shows(page, expected) {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline && JSON.stringify(await points(page)) !== JSON.stringify(expected));
  assert.deepEqual(await points(page), expected);
}

/** The points of the link, rounded because a pixel is a little less than 0.02. */
async function points(page) {
  const text = await linked(page);
  return (text ?? "").split(";").filter(Boolean).map(part => {
    const [x, y, sign] = part.split(",");
    return `${Math.round(Number(x) * 10) / 10},${Math.round(Number(y) * 10) / 10},${sign}`;
  });
}

test("the mouse adds, relabels, drags and removes points, and all of it can be undone", async () => {
  const page = await open("#points=");
  await click(page, 1, 2);
  await at(page, "minus").check();
  await click(page, -2, -1);
  await shows(page, ["1,2,+", "-2,-1,-"]);

  await page.mouse.move(...await screen(page, 1, 2));
  await page.mouse.wheel(0, 100);
  await shows(page, ["1,2,-", "-2,-1,-"]);
  await click(page, -2, -1, { button: "right" });
  await shows(page, ["1,2,-", "-2,-1,+"]);

  await page.mouse.move(...await screen(page, 1, 2));
  await page.mouse.down();
  await page.mouse.move(...await screen(page, 2, 3), { steps: 6 });
  await page.mouse.up();
  await shows(page, ["2,3,-", "-2,-1,+"]);

  await page.mouse.move(...await screen(page, 2, 3));
  await page.mouse.down();
  const box = await at(page, "plane").boundingBox();
  await page.mouse.move(box.x + 80, box.y - 30, { steps: 4 });
  await page.mouse.up();
  await shows(page, ["-2,-1,+"]);

  await at(page, "eraser").click();
  await click(page, -2, -1);
  await shows(page, []);

  for (const expected of [["-2,-1,+"], ["2,3,-", "-2,-1,+"], ["1,2,-", "-2,-1,+"], ["1,2,-", "-2,-1,-"], ["1,2,+", "-2,-1,-"], ["1,2,+"], []]) {
    await page.keyboard.press("Control+z");
    await shows(page, expected);
  }
  await page.keyboard.press("Control+y");
  await shows(page, ["1,2,+"]);
  await page.keyboard.press("Control+Shift+Z");
  await shows(page, ["1,2,+", "-2,-1,-"]);
  await at(page, "undo").click();
  await at(page, "redo").click();
  await shows(page, ["1,2,+", "-2,-1,-"]);
  assert.deepEqual(page.faults, []);
});

test("the wheel changes nothing outside of points", async () => {
  const page = await open("#points=1,1,+;2,2,-&view=0,0,5");
  await page.mouse.move(...await screen(page, -3, 0));
  await page.mouse.wheel(0, 40);
  await shows(page, ["1,1,+", "2,2,-"]);
});

test("a tap adds a point, a long press changes its label", async () => {
  const page = await open("#points=", { hasTouch: true });
  const [x, y] = await screen(page, 1, 1);
  await page.touchscreen.tap(x, y);
  await shows(page, ["1,1,+"]);
  const touch = (type, extra = {}) => page.evaluate(([type, x, y, extra]) => {
    const canvas = document.querySelector("[data-test=plane]");
    canvas.setPointerCapture = () => {};
    canvas.dispatchEvent(new PointerEvent(type, {
      pointerId: 7, pointerType: "touch", clientX: x, clientY: y, button: 0, bubbles: true, cancelable: true, ...extra,
    }));
  }, [type, x, y, extra]);
  await touch("pointerdown");
  await shows(page, ["1,1,-"]);
  await touch("pointerup");
  await shows(page, ["1,1,-"]);
});

test("the keyboard alone adds points of both classes, moves, relabels and removes them, and trains to convergence", async () => {
  const page = await open("#points=");
  const keys = async (...names) => { for (const name of names) await page.keyboard.press(name); };
  for (let k = 0; k < 30 && !await at(page, "plane").evaluate(plane => plane === document.activeElement); k++) await keys("Tab");
  await keys("Shift+ArrowRight", "Shift+ArrowUp", "Enter"); // +1 at (1, 1)
  await keys("-", "Shift+ArrowLeft", "Shift+ArrowLeft", "Space"); // −1 at (−1, 1)
  await keys("Shift+ArrowDown", "Enter", "l"); // (−1, 0), relabelled to +1
  await shows(page, ["1,1,+", "-1,1,-", "-1,0,+"]);
  await keys("Delete");
  await shows(page, ["1,1,+", "-1,1,-"]);
  await keys("Shift+ArrowUp", "Enter", "ArrowRight", "ArrowRight", "Enter"); // moved to (−0.5, 1)
  await shows(page, ["1,1,+", "-0.5,1,-"]);
  await keys("n");
  await settles(page, "visits", 1);
  await keys("m", "e", "End");
  await at(page, "outcome").filter({ hasText: /converges/ }).waitFor();
  await settles(page, "mistakes", 0);
  await keys("Home");
  await settles(page, "visits", 0);
  assert.deepEqual(page.faults, []);
});

test("a table shows and edits the points", async () => {
  const page = await open("#points=1,1,+;2,2,-");
  await drawer(page);
  await at(page, "table").locator("summary").click();
  await page.getByLabel("x₁ of point 2").fill("-3.25");
  await page.getByLabel("x₁ of point 2").press("Tab");
  await page.getByLabel("Class of point 1").selectOption("−1");
  await shows(page, ["1,1,-", "-3.2,2,-"]);
  assert.match(await at(page, "status").textContent(), /one class/);
  await page.getByLabel("Remove point 1").click();
  await shows(page, ["-3.2,2,-"]);
});

test("the seed of a ready-made set determines its points", async () => {
  const page = await open("#set=margin&margin=1&n=30&draw=5&step=1&show=last");
  await settles(page, "visits", 1);
  const first = await at(page, "example").textContent();
  await drawer(page);
  await at(page, "draw").click();
  await settles(page, "visits", 0);
  await at(page, "next").click();
  await settles(page, "visits", 1);
  assert.notEqual(await at(page, "example").textContent(), first);
  await page.keyboard.press("Control+z");
  await settles(page, "visits", 0);
  await at(page, "next").click();
  await settles(page, "visits", 1);
  assert.equal(await at(page, "example").textContent(), first);
  for (const set of ["or", "blobs", "circles", "iris", "sonar"]) {
    await at(page, "set").selectOption(set);
    await settles(page, "visits", 0);
  }
  await at(page, "set-x").selectOption("band_01");
  await page.waitForFunction(() => location.hash.includes("x=band_01"));
  assert.deepEqual(page.faults, []);
});

test("a click does not move the plane", async () => {
  const page = await open("#points=");
  const before = await at(page, "plane").boundingBox();
  await click(page, 1, 1);
  await click(page, 2, 2);
  await at(page, "status").filter({ hasText: "one class" }).waitFor();
  assert.deepEqual(await at(page, "plane").boundingBox(), before);
});

test("of rows that are sorted by class neither class covers the other", async () => {
  const row = sign => Array.from({ length: 90 }, (_, k) => `${(k % 10) / 20},${Math.floor(k / 10) / 20},${sign}`).join(";");
  for (const signs of ["+-", "-+"]) {
    const page = await open(`#points=${[...signs].map(row).join(";")}&view=0.25,0.25,3&order=given&epochs=1&show=w`);
    await settles(page, "visits", 0);
    const shares = await at(page, "plane").evaluate(async canvas => {
      for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const marks = ["--plus", "--minus"].map(name => parseInt(getComputedStyle(canvas).getPropertyValue(name).trim().slice(1), 16));
      const counts = marks.map(() => 0);
      for (let k = 0; k < data.length; k += 4) counts.forEach((_, of) => { if (((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]) === marks[of]) counts[of]++; });
      return counts.map(count => count / (counts[0] + counts[1]));
    });
    assert.ok(shares.every(share => share > 0.25), `${signs}: ${shares}`);
    await page.done();
  }
});
