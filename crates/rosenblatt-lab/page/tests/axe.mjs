// The accessibility faults that axe finds on the page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function axe(page, where = "body") {
  // The numbers of an earlier run and the answers to earlier points are dimmed until the next ones are here.
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]') && document.getAnimations().length === 0);
  await page.evaluate(await source);
  const { violations } = await page.evaluate((where) => globalThis.axe.run(where), where);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(" | ")}`);
}
