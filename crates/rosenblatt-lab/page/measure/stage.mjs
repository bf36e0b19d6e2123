// Measures what the stage of the page promises, and prints a table in Markdown: sizes, controls, contrasts, layout shifts,
// texts on points, accessibility and frame times. Another folder gets a screenshot of each window.
//
//     ROSENBLATT=target/debug/rosenblatt PAGE=1 node crates/rosenblatt-lab/page/measure/stage.mjs [FOLDER]

import { mkdirSync } from "node:fs";
import { axe } from "../tests/axe.mjs";
import { controls, coveredByControls, cutTexts, fieldContrast, FIELDS, noteShifts, noteTexts, SETS, textsOnPoints } from "../tests/inspect.mjs";
import { at, close, open, settles } from "../tests/open.mjs";

const [folder] = process.argv.slice(2);
if (folder) mkdirSync(folder, { recursive: true });
const WINDOWS = [
  ["1280×720", { viewport: { width: 1280, height: 720 } }],
  ["1920×1080", { viewport: { width: 1920, height: 1080 } }],
  ["1024×768", { viewport: { width: 1024, height: 768 } }],
  ["844×390 touch", { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }],
  ["390×844 touch", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["1280×720 at 200 %", { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
];
/** The frames of other pages. */
const FRAMES = [["frame of 360 px", { viewport: { width: 360, height: 640 } }], ["frame of 834 px", { viewport: { width: 834, height: 520 } }]];
const TABS = ["steps", "guess", "separable", "weights", "growth", "orders", "rates", "dual", "test", "predict", "patterns"];
const faults = [];
const check = (good, what) => { if (!good) faults.push(what); return good ? "yes" : "**no**"; };
const inside = (box, { width, height }) => box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;

console.log("| window | scheme | plane of the window | plane and Play together | controls: stops, all | axe | texts cut |");
console.log("|---|---|---|---|---|---|---|");
for (const [name, options] of WINDOWS) for (const colorScheme of ["light", "dark"]) {
  const page = await open("#set=margin&step=12", { colorScheme, ...options });
  await settles(page, "visits", 12);
  const plane = await at(page, "plane").boundingBox();
  const share = (plane.width * plane.height) / (options.viewport.width * options.viewport.height);
  const together = inside(plane, options.viewport) && inside(await at(page, "play").boundingBox(), options.viewport);
  const { pressed, stops } = await controls(page);
  const found = await axe(page);
  const cut = await cutTexts(page);
  const wide = options.viewport.width >= 1024;
  check(!wide || share >= 0.55, `${name}: the plane is ${share}`);
  faults.push(...found.map(fault => `${name} ${colorScheme}: ${fault}`), ...cut.map(text => `${name}: cut: ${text}`));
  console.log(`| ${name} | ${colorScheme} | ${(100 * share).toFixed(1)} % | ${check(together, `${name}: Play`)} | ${stops.length}, ${pressed} | ${found.length} | ${cut.length} |`);
  if (folder) await page.screenshot({ path: `${folder}/${name.replace(/\W+/g, "-")}-${colorScheme}.png` });
  await page.done();
}

console.log("\n| tab at 1280×720 | controls: stops, all | axe | texts cut |\n|---|---|---|---|");
for (const tab of TABS) {
  const page = await open(`#set=margin&step=12&tab=${tab}`, { viewport: { width: 1280, height: 720 } });
  await page.waitForTimeout(500);
  const { pressed, stops } = await controls(page);
  const [found, cut] = [await axe(page), await cutTexts(page)];
  faults.push(...found.map(fault => `${tab}: ${fault}`), ...cut.map(text => `${tab}: cut: ${text}`));
  console.log(`| ${tab} | ${stops.length}, ${pressed} | ${found.length} | ${cut.length} |`);
  if (folder) await page.screenshot({ path: `${folder}/tab-${tab}.png` });
  await page.done();
}

console.log("\n| scene | window | plane of the window | controls: stops, all | axe | texts cut |\n|---|---|---|---|---|---|");
for (let scene = 1; scene <= 8; scene++) for (const [name, options] of [...WINDOWS, ...FRAMES]) {
  const page = await open(`#story=${scene}`, options);
  await page.waitForTimeout(1000);
  const plane = await at(page, "plane").boundingBox();
  const share = (plane.width * plane.height) / (options.viewport.width * options.viewport.height);
  const { pressed, stops } = await controls(page);
  const [found, cut] = [await axe(page), await cutTexts(page)];
  check(inside(plane, options.viewport) && inside(await at(page, "story-free").boundingBox(), options.viewport), `scene ${scene}, ${name}: the plane or the button`);
  faults.push(...found.map(fault => `scene ${scene}, ${name}: ${fault}`), ...cut.map(text => `scene ${scene}, ${name}: cut: ${text}`));
  console.log(`| ${scene} | ${name} | ${(100 * share).toFixed(1)} % | ${stops.length}, ${pressed} | ${found.length} | ${cut.length} |`);
  if (folder) await page.screenshot({ path: `${folder}/scene-${scene}-${name.replace(/\W+/g, "-")}.png` });
  await page.done();
}

console.log("\n| set | seconds of Play at the normal pace |\n|---|---|");
for (const set of SETS) {
  const page = await open(`#set=${set}`);
  await settles(page, "visits", 0);
  const seconds = await page.evaluate(() => new Promise(done => {
    const play = document.querySelector("[data-test=play]");
    const start = performance.now();
    play.click();
    new MutationObserver((_, watch) => {
      if (!play.textContent.includes("Play")) return;
      watch.disconnect();
      done((performance.now() - start) / 1000);
    }).observe(play, { childList: true, subtree: true, characterData: true });
  }));
  check(seconds <= 26, `${set} plays for ${seconds} s`);
  console.log(`| ${set} | ${seconds.toFixed(1)} |`);
  await page.done();
}

console.log("\n| field | scheme | sides | +1 on its side | −1 on its side |\n|---|---|---|---|---|");
for (const [name, link, shown, plus, minus] of FIELDS) for (const colorScheme of ["light", "dark"]) {
  const page = await open(link, { colorScheme });
  const found = await fieldContrast(page, shown, plus, minus);
  check(found.sides >= 1.4 && found.plus >= 3 && found.minus >= 3, `contrast of ${name}, ${colorScheme}`);
  console.log(`| ${name} | ${colorScheme} | ${found.sides.toFixed(2)} : 1 | ${found.plus.toFixed(2)} : 1 | ${found.minus.toFixed(2)} : 1 |`);
  await page.done();
}

console.log("\n| window | texts on points of prepared sets | points under controls | layout shifts in a run | frames: median, 95 % |\n|---|---|---|---|---|");
for (const [name, options] of WINDOWS) {
  const page = await open("", { reducedMotion: "reduce", ...options });
  await noteTexts(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  const [texts, covered] = [[], []];
  for (const set of SETS) {
    await page.evaluate(set => { location.hash = `#set=${set}&epochs=30&show=last,average,pocket,w,R,margin,sides`; }, set);
    await page.waitForFunction(set => document.querySelector(`[data-test=thumb-${set}]`).getAttribute("aria-pressed") === "true", set);
    await settles(page, "visits", 0);
    await at(page, "end").click();
    await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
    texts.push(...(await textsOnPoints(page)).covering.map(([text]) => `${set}: ${text}`));
    await page.evaluate(set => { location.hash = `#set=${set}&step=1`; }, set);
    await settles(page, "visits", 1);
    covered.push(...(await coveredByControls(page)).map(part => `${set}: ${part}`));
  }
  faults.push(...texts.map(text => `${name}: on a point: ${text}`), ...covered.map(part => `${name}: covered: ${part}`));
  const [shifts, frames] = await playing(options);
  check(shifts === 0, `${name}: ${shifts} layout shifts`);
  check(frames[0] <= 17, `${name}: frames of ${frames[0]} ms`);
  console.log(`| ${name} | ${texts.length} | ${covered.length} | ${shifts} | ${frames.map(time => `${time.toFixed(1)} ms`).join(", ")} |`);
  await page.done();
}

/** Plays a run on 2,000 points: the layout shifts, and the times of the frames. */
async function playing(options) {
  const page = await open("#set=blobs&n=2000&epochs=50&show=last,average,pocket,w,sides,R", options);
  await settles(page, "visits", 0);
  await page.waitForTimeout(500);
  await noteShifts(page);
  await at(page, "pace-rush").click();
  await at(page, "play").click();
  const frames = await page.evaluate(() => new Promise(done => {
    const times = [];
    let last = performance.now();
    const frame = now => {
      times.push(now - last);
      last = now;
      if (times.length < 305) requestAnimationFrame(frame);
      else done(times.slice(5).sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  }));
  const shifts = await page.evaluate(() => globalThis.shift.length);
  await page.done();
  return [shifts, [0.5, 0.95].map(p => frames[Math.floor(p * (frames.length - 1))])];
}

await close();
console.log(faults.length === 0 ? "\nNothing was missed." : `\nMissed:\n${faults.map(fault => `- ${fault}`).join("\n")}`);
process.exitCode = faults.length === 0 ? 0 : 1;
