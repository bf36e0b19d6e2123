// Opens the page and reads its state.

import { open as visit } from "./harness.mjs";

export { close } from "./harness.mjs";

/** Opens a link and waits until the page is ready. */
export async function open(fragment = "", options = {}, args = []) {
  const page = await visit(fragment, options, args);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** Opens the drawer of the options. */
export async function drawer(page) {
  await at(page, "drawer-toggle").click();
}

/** Removes the faults that a test provokes. */
export function expect(page, fault) {
  page.faults.splice(0, Infinity, ...page.faults.filter(text => !fault.test(text)));
}

export const at = (page, name) => page.locator(`[data-test="${name}"]`);

/** A number on the page with all digits, once it is there: the page may still be loading its steps. */
export async function value(page, name) {
  return JSON.parse(await page.locator(`[data-test="${name}"][data-value]:not([data-value=""])`).getAttribute("data-value"));
}

/** Waits until a number on the page has this value. */
export async function settles(page, name, wanted) {
  const text = JSON.stringify(wanted);
  await page.waitForFunction(
    ([name, text]) => document.querySelector(`[data-test="${name}"]`)?.dataset.value === text, [name, text], { timeout: 5000 })
    .catch(async () => { throw new Error(`${name} is ${await at(page, name).getAttribute("data-value")}, not ${text}`); });
}

/** The fragment of the address, after the page has updated it. */
export async function fragment(page) {
  await page.waitForSelector("html:not([data-link-pending])");
  return new URL(page.url()).hash;
}

/** The own points in the link. */
export async function linked(page) {
  return new URLSearchParams((await fragment(page)).slice(1).replaceAll("+", "%2B")).get("points");
}

/** The screen position of a point on the empty plane, which shows −5 to 5. */
export async function screen(page, x, y) {
  const box = await at(page, "plane").boundingBox();
  const scale = (Math.min(box.width, box.height) - 2) / 10;
  return [box.x + box.width / 2 + x * scale, box.y + box.height / 2 - y * scale];
}
