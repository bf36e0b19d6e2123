// Every link to the lab in docs/lectures and on two other pages opens. A link to a step, in the last columns of a table, shows
// the step with the weights and the bias in its row, which were computed by hand. A link to a panel shows what its text promises.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { after, test } from "node:test";
import { at, close, linked, open, settles, value } from "./open.mjs";

after(close);

const DOCS = new URL("../../../../docs/", import.meta.url);
const LINK = /\[([^\]]*)\]\(http:\/\/127\.0\.0\.1:1958\/(#[^)]*)\)/g;
/** The pages with a link to the end of a run. */
const stopped = [];
const lectures = (await readdir(new URL("lectures/", DOCS))).filter(name => name.endsWith(".md")).map(name => `lectures/${name}`);
const pages = [...lectures, "tutorials/lab.md", "explanation/perceptron.md"];
/** The lectures with a run by hand. */
const byHandIn = ["carson", "dsc255", "lauer", "shalizi", "varner"].map(name => `lectures/${name}.md`);

/** The links of a page, with their text and the preceding cells of the table's row. */
function links(markdown) {
  const lines = markdown.split("\n");
  const rows = lines.filter(line => line.startsWith("|"));
  // Outside of tables the text of a link can go on in the next line.
  const rest = lines.filter(line => !line.startsWith("|")).map(line => line.trim()).join(" ");
  return [rest, ...rows].flatMap(line => {
    const cells = rows.includes(line) ? line.split("|").slice(1, -1).map(cell => cell.trim()) : [];
    const before = cells.filter(cell => !cell.startsWith("["));
    return [...line.matchAll(LINK)].map(([, text, fragment], place) => ({ text, fragment, place, before }));
  });
}

/** Waits for lines of a chart with more than one point each, at least as many as `count`. */
async function curves(page, selector, count) {
  // A level line has no height, which Playwright takes for hidden.
  await page.locator("svg", { has: page.locator(selector) }).waitFor();
  assert(await page.locator(selector).count() >= count, selector);
  for (const points of await page.locator(selector).evaluateAll(all => all.map(line => line.getAttribute("points")))) {
    assert(new Set(points.split(" ")).size > 1, points);
  }
}

/** What a link to a panel shows. The two experiments with many runs begin with the button that the pages name. */
const SHOWN = {
  weights: async page => {
    await at(page, "proof-numbers").waitFor();
    await curves(page, "polyline.bound-line, polyline.curve", 4);
  },
  orders: async page => {
    await page.getByRole("button", { name: "Start the runs" }).click();
    await at(page, "histogram").waitFor();
    assert(await page.locator("[data-test=histogram-bar]:not([data-count='0'])").count() > 1);
  },
  rates: async page => {
    await page.getByRole("button", { name: "Compare the learning rates" }).click();
    await curves(page, "polyline.curve", 2);
  },
  growth: page => at(page, "margin-dot").first().waitFor(),
  separable: page => page.locator("[data-test=separable-answer][data-answer=no]").waitFor(),
  patterns: page => at(page, "pattern-report").waitFor(),
  predict: page => at(page, "predict-question").waitFor(),
  guess: page => at(page, "guess-swap").waitFor(),
  test: page => at(page, "test-status").filter({ hasText: /\d/ }).waitFor(),
};

/** Reads one number or several in brackets: −1½, 0, (½, −2). */
function numbers(cell) {
  const halves = { "½": 0.5, "¼": 0.25, "¾": 0.75 };
  return cell.replace(/[()]/g, "").split(",").map(text => {
    const [, sign, whole, part] = /^([−+]?)(\d*)([½¼¾]?)$/.exec(text.trim());
    return (sign === "−" ? -1 : 1) * (Number(whole) + (halves[part] ?? 0));
  });
}

/** Weights and bias of a row. A table with two runs has the numbers of the second run after those of the first. */
function byHand(name, { before, place, fragment }) {
  const two = fragment.includes("2,2,+;0,1,-");
  const [w, b] = two ? [before[[5, 9][place]], before[[6, 10][place]]] : before.slice(-2);
  const weights = numbers(w);
  // In lauer.md, b is a threshold. One-dimensional weights have 0 as the second weight.
  const bias = numbers(b)[0] * (name === "lectures/lauer.md" ? -1 : 1);
  return [weights.length === 1 ? [weights[0], 0] : weights, bias === 0 ? 0 : bias];
}

for (const name of pages) {
  const all = links(await readFile(new URL(name, DOCS), "utf8"));
  if (all.length === 0) continue;
  test(`${name}: its ${all.length} links`, async () => {
    const page = await open();
    for (const link of all) {
      await page.evaluate(fragment => { location.hash = fragment; }, link.fragment);
      const step = /^step (\d+)$/.exec(link.text)?.[1];
      const parameters = new URLSearchParams(link.fragment.slice(1));
      // Carson's h is −1 at score 0; all others predict +1 there.
      assert.equal(parameters.get("zero"), name === "lectures/carson.md" ? "negative" : null, link.fragment);
      if (parameters.has("step")) await settles(page, "visits", Number(parameters.get("step")));
      if (parameters.has("tab")) await page.locator(`[role=tab][aria-selected=true][id*="${parameters.get("tab")}"]`).waitFor();
      if (step) {
        assert.equal(parameters.get("step"), step, link.fragment);
        const [weights, bias] = byHand(name, link);
        await settles(page, "weights", weights);
        await settles(page, "bias", bias);
      }
      // "it stops after N visits": there is no later visit, and this one is no mistake.
      const stops = /stops after (\d+) visits/.exec(link.text)?.[1];
      if (stops) {
        assert.equal(parameters.get("step"), stops, link.fragment);
        parameters.set("step", Number(stops) + 1);
        await page.evaluate(fragment => { location.hash = fragment; }, `#${parameters}`);
        await settles(page, "visits", Number(stops));
        stopped.push(name);
      }
      assert.equal(await page.getByText("could not be read in full").count(), 0, link.fragment);
    }
    const steps = all.filter(link => link.text.startsWith("step "));
    assert.equal(steps.length >= 8, byHandIn.includes(name), name);
    await value(page, "visits");
    await at(page, "plane").waitFor();
  });

  const panels = all.filter(({ fragment }) => /[#&]tab=/.test(fragment));
  if (panels.length > 0) test(`${name}: its ${panels.length} links to panels show what they promise`, async () => {
    for (const { fragment, text } of panels) {
      const page = await open(fragment);
      const tab = new URLSearchParams(fragment.slice(1)).get("tab");
      await SHOWN[tab](page).catch(error => { throw new Error(`${text}: ${fragment}: ${error.message}`); });
      await page.done();
    }
  });
}

test("a click adds an own point to each run by hand", async () => {
  for (const name of byHandIn) {
    const markdown = await readFile(new URL(name, DOCS), "utf8");
    assert.match(markdown, /Click in (the|its) picture.* to add your own point/, name);
    const watch = links(markdown).find(({ text }) => text.startsWith("Watch "));
    const page = await open(watch.fragment);
    await value(page, "visits");
    const box = await at(page, "plane").boundingBox();
    await page.mouse.click(box.x + 0.9 * box.width, box.y + 0.1 * box.height);
    await page.waitForFunction(() => location.hash.includes("points="));
    const before = new URLSearchParams(watch.fragment.slice(1)).get("points")?.split(";").length ?? 4;
    assert.equal((await linked(page)).split(";").length, before + 1, name);
    await page.done();
  }
});

// Click a letter, press Delete: the model learns from the others and predicts it.
test("lauer.md: as many letters as it says are recognized without having been seen", async () => {
  const markdown = (await readFile(new URL("lectures/lauer.md", DOCS), "utf8")).replaceAll("\n", " ");
  const promised = [/recognizes all (20) in this way/, /without copies\]\([^)]*\) it recognizes (16) of 20/].map(words => Number(words.exec(markdown)?.[1]));
  const fragments = links(markdown).map(({ fragment }) => fragment).filter(fragment => fragment.includes("tab=patterns"));
  const recognized = [];
  for (const [place, fragment] of fragments.entries()) {
    const page = await open(fragment);
    const copies = place === 0 ? 11 : 1;
    const reported = count => at(page, "pattern-report").filter({ hasText: new RegExp(`^${count * copies} examples`) }).waitFor();
    let right = 0;
    for (let letter = 0; letter < 20; letter++) {
      await reported(20);
      const label = (await at(page, "pattern-thumbnail").nth(letter).getAttribute("aria-label")).split(", ")[1];
      await at(page, "pattern-thumbnail").nth(letter).click();
      await page.keyboard.press("Delete");
      await reported(19);
      right += Number(await at(page, "pattern-predicted").getAttribute("data-predicted") === label);
      await at(page, "pattern-set-letters").click();
    }
    recognized.push(right);
    await page.done();
  }
  assert.deepEqual(recognized, promised);
});

test("all lectures are tested", () => {
  assert(lectures.length >= 7);
  assert.deepEqual(stopped, ["lectures/dsc255.md"]);
});
