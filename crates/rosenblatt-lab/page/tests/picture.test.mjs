// Checks the page of the README's picture and takes the picture. UPDATE_PICTURES=1 replaces the picture in the
// repository. Fonts differ between systems, so the bytes are not compared.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { cutTexts } from "./inspect.mjs";
import { at, close, open, settles, value } from "./open.mjs";

after(close);

const DOCS = new URL("../../../../docs/images/", import.meta.url);
const SIZE = { width: 1280, height: 860 };

test("the picture of the README", async () => {
  const page = await open("#set=blobs&order=given&show=last,average,pocket,vote,w,sides&step=138", { viewport: SIZE });
  await settles(page, "visits", 138);
  for (const kept of ["last", "average", "pocket", "vote"]) await at(page, `errors-${kept}`).filter({ hasText: /\d/ }).waitFor();
  assert.equal(await at(page, "status").getAttribute("data-mistake"), "true");
  assert.equal((await value(page, "weights")).length, 2);
  assert.deepEqual(await cutTexts(page), []);
  const update = process.env.UPDATE_PICTURES === "1";
  const folder = update ? DOCS : new URL("../../../../target/pictures/", import.meta.url);
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: new URL("lab.png", folder).pathname });
  // Width and height stand in the first chunk of a PNG.
  const shown = await readFile(new URL("lab.png", DOCS));
  assert.deepEqual([shown.readUInt32BE(16), shown.readUInt32BE(20)], [SIZE.width, SIZE.height]);
});
