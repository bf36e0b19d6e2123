// Test points: fresh points of a random set, and the errors that the lines make on them.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { axe } from "./axe.mjs";
import { at, close, open, settles, value } from "./open.mjs";

after(close);

const built = await build({ entryPoints: [fileURLToPath(new URL("../src/sets/synthetic.ts", import.meta.url))], bundle: true, write: false, format: "esm" });
const { blobs, circles, separableSet } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

/** The errors of a line; its scores here are far from 0, so doubles have their signs. */
function errors([w1, w2, b], { rows, signs }) {
  const scores = rows.map(([x, y]) => w1 * x + w2 * y + b);
  assert.ok(scores.every(score => Math.abs(score) > 1e-9));
  return scores.filter((score, k) => Math.sign(score) !== signs[k]).length;
}

for (const [link, draw] of [
  ["#set=blobs&n=50&draw=3&order=given&epochs=7", count => blobs(count, 3)],
  ["#set=margin&n=30&draw=2&margin=0.1&order=given", count => separableSet(count, 0.1, 2)],
  ["#set=circles&n=40&draw=1&order=given&epochs=5", count => circles(count, 1)],
]) {
  test(`the errors on test points are counted at each step: ${link}`, async () => {
    const count = Number(/n=(\d+)/.exec(link)[1]);
    const [examples, both] = [draw(count), draw(2 * count)];
    // The larger set begins with the examples, so its other points are new.
    assert.deepEqual(both.rows.slice(0, count), examples.rows);
    const fresh = { rows: both.rows.slice(count), signs: both.signs.slice(count) };
    const page = await open(`${link}&tab=test`);
    await settles(page, "visits", 0);
    for (const name of ["next-epoch", "end"]) {
      await at(page, name).click();
      await page.waitForFunction(() => document.querySelector("[data-test=visits]").dataset.value !== "0");
      if (name === "end") await at(page, "outcome").filter({ hasText: /This run/ }).waitFor({ state: "attached" });
      const line = [...await value(page, "weights"), await value(page, "bias")];
      await settles(page, "training-last", errors(line, examples));
      await settles(page, "test-last", errors(line, fresh));
    }
    assert.match(await at(page, "test-status").textContent(), new RegExp(`on ${count} test points`));
    assert.deepEqual(await axe(page), []);
    await page.done();
  });
}

test("sets without a distribution have no test points, and say so", async () => {
  const page = await open("#set=iris&tab=test");
  await at(page, "test-status").filter({ hasText: /Only the random sets/ }).waitFor();
  assert.equal(await at(page, "test-last").isVisible(), false);
  await at(page, "thumb-blobs").click();
  await at(page, "test-status").filter({ hasText: /on 60 test points/ }).waitFor();
  await page.done();
});
