// The page as a person finds it, and ways to say what the person does.

import { open as visit } from "./harness.mjs";

export { close } from "./harness.mjs";

/** The page as a link shows it, once it is ready for a hand. */
export async function open(fragment = "", options = {}, words = []) {
  const page = await visit(fragment, options, words);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** Faults that a test means to happen. */
export function expect(page, fault) {
  page.faults.splice(0, Infinity, ...page.faults.filter(text => !fault.test(text)));
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

/** What stands behind the # of the address, once it has followed the page. */
export async function fragment(page) {
  await page.waitForSelector("html:not([data-behind])");
  return new URL(page.url()).hash;
}

/** Own points as the link has them. */
export async function linked(page) {
  return new URLSearchParams((await fragment(page)).slice(1).replaceAll("+", "%2B")).get("points");
}

/** Where a place of the empty plane is on the screen: it shows from −5 to 5. */
export async function screen(page, x, y) {
  const box = await at(page, "plane").boundingBox();
  const scale = (Math.min(box.width, box.height) - 2) / 10;
  return [box.x + box.width / 2 + x * scale, box.y + box.height / 2 - y * scale];
}
