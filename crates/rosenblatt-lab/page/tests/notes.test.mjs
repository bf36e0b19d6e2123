// Lecture notes: their options by a name, in the link and by a click; and the run as a file, as the command writes it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe } from "./axe.mjs";
import { at, close, drawer, fragment, open, settles, value } from "./open.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PROGRAM = resolve(ROOT, process.env.ROSENBLATT ?? "target/debug/rosenblatt");
const FORMATS = ["csv", "md", "tex", "json"];

after(close);

/** The options of the notes whose values are words, as the form shows them. */
const NOTES = {
  varner: { init: "random", order: "given", bias: "unit", mistake: "margin", zero: "positive", keep: "last" },
  lauer: { init: "zero", order: "given", bias: "unit", mistake: "label", zero: "positive", keep: "last" },
  shalizi: { init: "zero", order: "given", bias: "radius", mistake: "label", zero: "positive", keep: "last" },
  "dsc255-1": { init: "zero", order: "shuffle", bias: "unit", mistake: "margin", zero: "positive", keep: "last" },
  "dsc255-2": { init: "zero", order: "shuffle", bias: "unit", mistake: "label", zero: "positive", keep: "last" },
  carson: { init: "zero", order: "given", bias: "unit", mistake: "margin", zero: "negative", keep: "last" },
};

const shown = async page => Object.fromEntries(await Promise.all(Object.keys(NOTES.lauer)
  .map(async name => [name, await at(page, `option-${name}`).inputValue()])));

/** Downloads the file of a button into a folder. */
async function download(page, button, folder) {
  const [file] = await Promise.all([page.waitForEvent("download"), at(page, button).click()]);
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

test("notes in the link and notes by a click set the same options", async () => {
  const clicked = await open("#set=and&update=pa&kernel=poly:2");
  await drawer(clicked);
  assert.equal(await at(clicked, "option-notes").inputValue(), "");
  for (const [name, options] of Object.entries(NOTES)) {
    await at(clicked, "option-notes").selectOption(name);
    await clicked.waitForFunction(name => location.hash === `#set=and&notes=${name}`, name);
    assert.deepEqual(await shown(clicked), options);
    const linked = await open(`#set=and&notes=${name}`);
    await drawer(linked);
    assert.equal(await at(linked, "option-notes").inputValue(), name);
    assert.deepEqual(await shown(linked), options);
    assert.equal(await fragment(linked), `#set=and&notes=${name}`);
    await linked.done();
  }
  assert.deepEqual(await axe(clicked), []);
  await clicked.locator("header h1").click();
  await clicked.keyboard.press("Control+z");
  assert.equal(await at(clicked, "option-notes").inputValue(), "dsc255-2");
  await clicked.done();
});

test("another option of the link wins, and other options are no longer those of the notes", async () => {
  const page = await open("#set=and&notes=lauer&mistake=margin");
  await drawer(page);
  assert.equal(await at(page, "option-notes").inputValue(), "");
  assert.equal(await at(page, "notes-remark").textContent(), "");
  assert.equal(await fragment(page), "#set=and&mistake=margin&order=given");
  await at(page, "option-mistake").selectOption("label");
  assert.equal(await at(page, "option-notes").inputValue(), "");
  assert.match(await at(page, "notes-remark").textContent(), /These are the options of Lauer/);
  await at(page, "option-order").selectOption("shuffle");
  assert.match(await at(page, "notes-remark").textContent(), /These are the options of DSC 255, Listing 2/);
  assert.equal(await fragment(page), "#set=and&mistake=label&order=shuffle");
  await page.done();
  const seeded = await open("#set=and&notes=dsc255-1&seed=3&epochs=50");
  await drawer(seeded);
  assert.equal(await at(seeded, "option-notes").inputValue(), "dsc255-1");
  assert.match(await at(seeded, "command").textContent(), /points.csv --positive 1 --notes dsc255-1 --seed 3 --epochs 50$/);
  assert.equal(await fragment(seeded), "#set=and&notes=dsc255-1&seed=3&epochs=50");
  await at(seeded, "option-notes").selectOption("");
  assert.equal(await fragment(seeded), "#set=and&order=shuffle&seed=3&epochs=50");
  await seeded.done();
  const unknown = await open("#set=and&notes=rosenblatt");
  await unknown.waitForSelector("[data-test=note]:not([hidden])");
  assert.match(await at(unknown, "note").textContent(), /no notes are named “rosenblatt”; there are varner, lauer, shalizi, dsc255-1, dsc255-2, carson/);
  await unknown.done();
});

test("a link keeps options that are defaults of the command", async () => {
  const page = await open("#set=and");
  await drawer(page);
  await at(page, "option-order").selectOption("shuffle");
  await page.locator("summary", { hasText: "More options" }).click();
  await at(page, "option-keep").selectOption("auto");
  const link = await fragment(page);
  assert.equal(link, "#set=and&keep=auto&order=shuffle");
  const again = await open(link);
  await drawer(again);
  assert.equal(await at(again, "option-order").inputValue(), "shuffle");
  assert.equal(await at(again, "option-keep").inputValue(), "auto");
  for (const each of [page, again]) await each.done();
});

test("under Lauer's notes b is the threshold", async () => {
  const page = await open("#set=and&notes=lauer&step=1");
  await settles(page, "visits", 1);
  const words = name => at(page, name).textContent();
  // docs/lectures/lauer.md: (0, 0) of the class −1 scores 0, which counts as +1; b becomes 1.
  assert.equal(await words("score"), "s = w·x − b = 0·0 + 0·0 + 0 = 0");
  assert.equal(await words("bias-update"), "b ← b − η y = 0 − 1·(−1) = 1");
  assert.equal(await words("score-after"), "s ← s + η y (‖x‖² + 1) = 0 + 1·(−1)·1 = −1");
  assert.equal(await value(page, "score-after"), -1);
  assert.deepEqual([await value(page, "bias"), await value(page, "threshold")], [-1, 1]);
  assert.match(await page.locator("table.weights thead").textContent(), /bias −b\s*threshold b/);
  await at(page, "next").click();
  await settles(page, "visits", 2);
  assert.equal(await words("score"), "s = w·x − b = 0·0 + 0·1 − 1 = −1");
  assert.equal(await words("bias-update"), "b stays 1");
  assert.equal(await words("score-after"), "s stays −1");
  // Its names are there before it opens.
  assert.match(await at(page, "geometry").textContent(), /intercept b\/w₂.*its score w·x − b/);
  await drawer(page);
  assert.match(await words("notes-remark"), /b is a threshold: w·x ≥ b/);
  await at(page, "option-notes").selectOption("dsc255-2");
  await page.waitForFunction(() => document.querySelector("table.weights thead").textContent.includes("threshold −b"));
  await page.done();
});

test("a class's own file starts with the notes of the command", async () => {
  const page = await open("", {}, ["--notes", "carson", "data/iris.csv", "--positive", "Iris-setosa"]);
  await drawer(page);
  assert.equal(await at(page, "option-notes").inputValue(), "carson");
  assert.equal(await at(page, "option-zero").inputValue(), "negative");
  assert.match(await fragment(page), /^#set=file&x=.*&notes=carson$/);
  await page.done();
  const bare = await open("", {}, ["--notes", "varner"]);
  await drawer(bare);
  assert.match(await fragment(bare), /^#set=margin&.*&notes=varner$/);
  await bare.done();
});

test("the saved run has the bytes of the command's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  for (const link of [...Object.keys(NOTES).map(name => `#set=and&notes=${name}&seed=3`),
    "#set=or&order=given&seed=2&start=-1,0.5,-2", "#set=circles&n=12&bias=none&epochs=3&start=1,-1,0", "#points=0,0,-;1.5,1e-9,+;2,-3,-&view=0,0,9&notes=lauer&eta=0.1", "#set=blobs&n=20&update=pa1:0.5&order=shuffle&seed=7&epochs=30&bias=radius", "#set=circles&n=12&kernel=poly:2&epochs=4"]) {
    const page = await open(link);
    await settles(page, "visits", 0);
    await drawer(page);
    await download(page, "save-csv", folder);
    const [, ...words] = (await at(page, "command").textContent()).split(" ");
    for (const format of FORMATS) {
      const path = await download(page, `save-run-${format}`, folder);
      const own = join(folder, `own.${format}`);
      execFileSync(PROGRAM, [...words, "--trace", own], { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
      assert.equal(readFileSync(path, "utf8"), readFileSync(own, "utf8"), `${link} ${format}`);
    }
    await page.done();
  }
  rmSync(folder, { recursive: true });
});

test("a run that is too long for a file says so", async () => {
  const page = await open("#set=xor&epochs=3000");
  await settles(page, "visits", 0);
  await drawer(page);
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  const path = await download(page, "save-run-csv", folder);
  assert.equal(readFileSync(path, "utf8").trim().split("\n").length, 10_002);
  assert.equal(await at(page, "save-run-status").textContent(), "10\u202f000 visits; the run has more.");
  rmSync(folder, { recursive: true });
  await page.done();
});
