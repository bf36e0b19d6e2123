// Every link of docs/lectures opens. A link to a step, in the last columns of a table, shows the step with the
// weights and the bias in its row, which were computed by hand.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { after, test } from "node:test";
import { at, close, open, settles, value } from "./open.mjs";

after(close);

const FOLDER = new URL("../../../../docs/lectures/", import.meta.url);
const LINK = /\[([^\]]*)\]\(http:\/\/127\.0\.0\.1:1958\/(#[^)]*)\)/g;
/** The pages with a link to the end of a run. */
const stopped = [];
const pages = (await readdir(FOLDER)).filter(name => name.endsWith(".md"));

/** The links of a lecture, with their text and the preceding cells of the table's row. */
function links(markdown) {
  return markdown.split("\n").flatMap(line => {
    const cells = line.startsWith("|") ? line.split("|").slice(1, -1).map(cell => cell.trim()) : [];
    const before = cells.filter(cell => !cell.startsWith("["));
    return [...line.matchAll(LINK)].map(([, text, fragment], place, all) => ({ text, fragment, place, of: all.length, before }));
  });
}

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
  const bias = numbers(b)[0] * (name === "lauer.md" ? -1 : 1);
  return [weights.length === 1 ? [weights[0], 0] : weights, bias === 0 ? 0 : bias];
}

for (const name of pages) {
  const all = links(await readFile(new URL(name, FOLDER), "utf8"));
  if (all.length === 0) continue;
  test(`${name}: its ${all.length} links`, async () => {
    const page = await open();
    for (const link of all) {
      await page.evaluate(fragment => { location.hash = fragment; }, link.fragment);
      const step = /^step (\d+)$/.exec(link.text)?.[1];
      const parameters = new URLSearchParams(link.fragment.slice(1));
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
    assert(steps.length >= 8, name);
    await value(page, "visits");
    await at(page, "plane").waitFor();
  });
}

test("all lectures are tested", () => {
  assert(pages.length >= 6);
  assert.deepEqual(stopped, ["dsc255.md"]);
});
