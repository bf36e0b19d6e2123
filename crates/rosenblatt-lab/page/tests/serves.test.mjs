// The page as the command serves it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, lab, open } from "./harness.mjs";

after(close);

test("the page loads without an error and asks nobody but the lab", async () => {
  const page = await open();
  assert.match(await page.title(), /lab/);
  assert.ok((await page.locator("body").innerText()).trim().length > 0);
  await page.done();
});

test("dark and light, wide and narrow, it loads alike", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 1920]) {
      const page = await open("", { colorScheme, viewport: { width, height: 800 } });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wider <= 0, `${colorScheme}, ${width}: ${wider} pixels too wide`);
      await page.done();
    }
  }
});

test("the policy forbids what does not come from the lab", async () => {
  const page = await open();
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    const elsewhere = await fetch("http://127.0.0.1:9/").then(() => "answered", () => "refused");
    return { injected: "injected" in window, elsewhere };
  });
  assert.deepEqual(refused, { injected: false, elsewhere: "refused" });
  // These faults are the point.
  page.faults.length = 0;
  await page.done();
});

test("a page of another site can neither ask the lab nor frame it", async () => {
  const address = await lab();
  const elsewhere = await open("", {}, ["data/iris.csv"]);
  const asked = await elsewhere.evaluate(async address => {
    const options = { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body: "{}" };
    return fetch(`${address}ask`, options).then(() => "answered", () => "refused");
  }, address);
  assert.equal(asked, "refused");
  elsewhere.faults.length = 0;
  await elsewhere.done();
});

test("a file is offered with its columns", async () => {
  const page = await open("", {}, ["data/iris.csv"]);
  const file = await page.evaluate(() => fetch("/file").then(response => response.json()));
  assert.deepEqual(file.features, ["sepal_length", "sepal_width", "petal_length", "petal_width"]);
  await page.done();
});
