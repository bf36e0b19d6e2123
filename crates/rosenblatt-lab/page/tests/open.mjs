// What a person does with the page, over the harness that starts the lab and the browser.

import { close, open as load } from "./harness.mjs";

export { close };

/** The page as a link shows it, once it can be used; a fault of the page fails the test in `close`. */
export async function open(fragment = "", options = {}, words = []) {
  const page = await load(fragment, options, words);
  await page.waitForSelector("html[data-ready]");
  return page;
}

export const at = (page, name) => page.locator(`[data-test="${name}"]`);

/** A number of the page with all its digits. */
export async function value(page, name) {
  const text = await at(page, name).getAttribute("data-value");
  return text ? JSON.parse(text) : undefined;
}

/** Waits until a number of the page is this one. */
export async function settles(page, name, wanted) {
  const text = JSON.stringify(wanted);
  await page.waitForFunction(
    ([name, text]) => document.querySelector(`[data-test="${name}"]`)?.dataset.value === text, [name, text], { timeout: 5000 })
    .catch(async () => { throw new Error(`${name} is ${await at(page, name).getAttribute("data-value")}, not ${text}`); });
}

/** Own points as the link has them, once it has settled. */
export async function linked(page) {
  await page.waitForTimeout(250);
  return new URLSearchParams(new URL(page.url()).hash.slice(1).replaceAll("+", "%2B")).get("points");
}

/** Where a place of the empty plane is on the screen: it shows from −5 to 5. */
export async function screen(page, x, y) {
  const box = await at(page, "plane").boundingBox();
  const scale = (Math.min(box.width, box.height) - 2) / 10;
  return [box.x + box.width / 2 + x * scale, box.y + box.height / 2 - y * scale];
}
