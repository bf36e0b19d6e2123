// The questions about the notes: each answer is what the run shows, and the page hides it until a choice was made.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { axe } from "./axe.mjs";
import { at, close, fragment, open, settles } from "./open.mjs";

after(close);

const SOURCE = fileURLToPath(new URL("../src/experiments/questions.ts", import.meta.url));
const built = await build({ entryPoints: [SOURCE], bundle: true, write: false, format: "esm" });
const { NOTES } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

/** The numbers behind each answer, by hand: those of the runs by hand in docs/lectures. */
const BY_HAND = {
  varner: [{ visits: 1, mistake: true, score: 0, weights: [0, 0], bias: -1 }, { visits: 4, mistake: true, score: -1, weights: [1, 1], bias: 0 },
    { visits: 36, updates: 18, epochs: 9, weights: [3, 2], bias: -4 }, { visits: 4, updates: 4, weights: [0, 0], bias: 0 }],
  lauer: [{ visits: 2, mistake: false, score: -0.5 }, { visits: 24, updates: 11 }, { visits: 24, updates: 11, weights: [2, 1], bias: -3 }],
  shalizi: [{ visits: 1, mistake: true, weights: [-1, 0], bias: -9 }, { visits: 3, mistake: true, score: 2, weights: [1, 0], bias: -9 },
    { visits: 6, mistake: false, score: 0, weights: [3, 0], bias: -9 }],
  dsc255: [{ visits: 3, mistake: false, score: 2, weights: [1, 0], bias: 0 }, { visits: 9, updates: 3, weights: [2, 0], bias: -1 }, { visits: 36, epochs: 9, mistake: false }],
  carson: [{ visits: 5, mistake: true, score: 1, weights: [1, 1], bias: 0 }, { visits: 9, mistake: true, score: 0, weights: [1, 1], bias: -1 },
    { visits: 24, updates: 9, epochs: 6, weights: [2, 2], bias: -1 }],
};

for (const { id, questions } of NOTES) {
  test(`the questions of ${id} have the answers of their runs`, async () => {
    const page = await open(`#tab=predict&predict=${id}:1`);
    assert.equal(questions.length, BY_HAND[id].length);
    for (const [place, question] of questions.entries()) {
      const asked = Number(/step=(\d+)/.exec(question.at)?.[1] ?? 0);
      await at(page, "predict-ask").filter({ hasText: question.ask.slice(0, 40) }).waitFor();
      await settles(page, "visits", asked);
      assert.equal((await at(page, "predict-reveal").textContent()).trim(), "");
      // Every second question is answered wrongly: the page says so, and what is right.
      const chosen = place % 2 === 0 ? question.right : (question.right + 1) % question.choices.length;
      await at(page, `predict-choice-${chosen}`).click();
      const expected = BY_HAND[id][place];
      await settles(page, "visits", expected.visits);
      const { mistake, ...shown } = expected;
      for (const [name, wanted] of Object.entries(shown)) await settles(page, name, wanted);
      if (mistake !== undefined) assert.equal(await at(page, "status").getAttribute("data-mistake"), String(mistake), `${id} ${place}`);
      const says = await at(page, "predict-reveal").textContent();
      assert.ok(says.startsWith(place % 2 === 0 ? "Right." : `No: ${question.choices[question.right]}.`), says);
      assert.ok(says.includes(question.why));
      assert.match(await fragment(page), new RegExp(`tab=predict&predict=${id}:${place + 1}$`));
      if (place === 0) assert.deepEqual(await axe(page), []);
      assert.equal(await page.getByText("could not be read in full").count(), 0);
      await at(page, "predict-next").click();
    }
    // After the last question comes the first one.
    await at(page, "predict-ask").filter({ hasText: questions[0].ask.slice(0, 40) }).waitFor();
    await page.done();
  });
}

test("opening the tab keeps the user's points, and Back leads from a question to them", async () => {
  const link = "#points=1,2,+;-1,-2,-&view=0,0,5&order=given";
  const page = await open(link);
  await settles(page, "visits", 0);
  await at(page, "tab-predict").click();
  await at(page, "predict-begin").waitFor();
  assert.match(await fragment(page), /points=1,2,\+;-1,-2,-/);
  await at(page, "predict-notes").selectOption("carson");
  await at(page, "predict-ask").filter({ hasText: "After one epoch" }).waitFor();
  await settles(page, "visits", 4);
  await at(page, "next").click();
  await settles(page, "visits", 5);
  await at(page, "predict-again").click();
  await settles(page, "visits", 4);
  await at(page, "predict-choice-0").click();
  await at(page, "predict-next").waitFor();
  await page.goBack();
  await at(page, "predict-begin").waitFor();
  assert.match(await fragment(page), /points=1,2,\+;-1,-2,-/);
  await page.done();
});
